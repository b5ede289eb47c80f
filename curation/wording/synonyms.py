"""English words that say the same in nearly every note, as data.

Words that often differ (some, several; like, love; may, must) are left apart: a merge that loses a note is
worse than two notes. A `+` marks a past form.
"""

from __future__ import annotations

from curation.wording.entries import entries
from curation.wordlists import words

ARTICLES = words("a an the")

FILLERS = entries(
    """
    : please; just so you know; for your information; fyi; by the way; btw; note that; to be honest
    : as you know; of course; basically; actually; you know; i mean; keep in mind that; remember that
    : sorry; to note; for the record; in fact; as it happens; it is the case that; just
    """
)
"""May go without a loss. Not `only`, `even`, `really`: they change what is said, or how strongly."""

SYNONYMS = entries(
    """
    must: have to; has to; need to; needs to; have got to; am required to; is required to; are required to
    must: is obliged to; are obliged to; am obliged to
    must not: is not allowed to; are not allowed to; am not allowed to; is forbidden to; may not
    must not: is not permitted to; are not permitted to
    can: is able to; are able to; am able to; be able to; is capable of; are capable of
    can not: is unable to; are unable to; am unable to; is not able to; are not able to; am not able to
    probably: likely; most likely; in all likelihood
    perhaps: maybe; possibly
    might: may
    intend to: plan to; am planning to; is planning to; are planning to; aim to; plans to; intends to; aims to
    want to: would like to; wants to; wish to; wishes to
    want: would like; wants
    want not: do not want; does not want
    begin: start; commence; starts; begins; commences; kick off; kicks off
    begin+: started; began; commenced; kicked off
    buy: purchase; buys; purchases
    buy+: purchased; bought
    finish: complete; completes; finishes; wrap up; finalise; finalize
    finish+: completed; finished; wrapped up; finalised; finalized
    choose: pick; select; opt for; go for; go with; settle on; chooses; picks; selects
    choose+: picked; selected; opted for; went for; went with; settled on; chose; chosen
    help: assist; aid; helps; assists
    use: utilize; utilise; make use of; employ; uses; utilizes
    use+: utilized; utilised; made use of; used
    repair: fix; mend; repairs; fixes
    repair+: fixed; mended; repaired
    postpone: delay; put off; defer; push back; postpones
    postpone+: delayed; put off+; deferred; pushed back; postponed
    cancel: call off; cancels
    cancel+: called off; cancelled; canceled
    arrange: organise; organize; arranges; organises; organizes
    arrange+: organised; organized; arranged
    discard: throw away; throw out; get rid of; dispose of; bin
    discard+: threw away; threw out; got rid of; disposed of; discarded
    continue: carry on; keep on; go on; continues; proceed
    allow: permit; let; allows; permits; lets
    forbid: prohibit; ban; forbids; prohibits
    allow+: permitted; allowed
    forbid+: prohibited; banned; forbidden; forbade
    require: need; needs; requires; call for; calls for
    require+: needed; required; called for
    obtain: get; gets; acquire
    show: display; shows; displays
    show+: displayed; showed; shown
    reply: respond; answer; replies; responds
    reply+: responded; answered; replied
    tell: inform; notify; let know; tells; informs
    tell+: told; informed; notified
    request: ask for; asks for; requests
    request+: asked for; requested
    live: reside; resides; lives
    rent: lease
    delete: remove; erase; deletes; removes; erases
    delete+: removed; erased; deleted
    create: make; build; creates; makes; builds
    create+: made; built; created
    send: ship; mail; sends; ships
    send+: shipped; mailed; sent
    leave: depart; leaves; departs
    leave+: departed; left
    attend: go to; goes to; attends
    attend+: went to; attended
    visit+: visited
    discuss: talk about; go over; discusses
    discuss+: talked about; went over; discussed
    increase: raise; boost; rise; go up; increases; raises; rises; goes up
    increase+: raised; boosted; rose; risen; went up; gone up; increased
    reduce: decrease; lower; cut; cut down; lessen; reduces; lowers; decreases
    reduce+: decreased; lowered; cut down+; lessened; reduced
    enlarge: expand; expands
    verify: check; confirm; double-check; make sure; verifies; checks; confirms
    verify+: checked; confirmed; verified; made sure
    ensure: see to it; guarantee
    examine: review; inspect; look over; go through; reviews; examines; inspects
    examine+: reviewed; inspected; looked over; went through; examined
    work on: be working on
    enjoy: like; likes; enjoys; am fond of; is fond of; are fond of
    enjoy not: do not like; does not like; dislike; dislikes; do not enjoy; does not enjoy
    hate: detest; loathe; hates; can not stand; cannot stand
    favor: prefer; prefers; favour; favours; favors
    dislike+: disliked
    is allergic to: have allergy to; has allergy to; have an allergy to; has an allergy to
    is allergic to: suffers from an allergy to; suffer from an allergy to
    is interested in: has interest in; have interest in; has an interest in; have an interest in
    are able to: have the ability to
    is in: is located in; is situated in; is based in; lies in
    are in: are located in; are situated in; are based in
    is at: is located at; is situated at
    is on: is located on; is situated on
    is at_most: is limited to; is capped at; does not exceed; must not exceed; can not exceed; may not exceed
    is closed: is shut
    are closed: are shut
    work for: is employed by; are employed by; am employed by
    years old: years of age; year old; yrs old
    is responsible for: is in charge of; has responsibility for
    are responsible for: are in charge of; have responsibility for
    is married to: is the husband of; is the wife of; is the spouse of
    occur: happen; happens; occurs
    occur+: happened; occurred
    be: take place; takes place; is held; are held; be held
    was: took place; was held
    were: were held
    have: own; possess; owns; possesses; have got; has got
    had: owned; possessed
    be: work as; works as; is working as; am working as; are working as; is employed as
    was: worked as
    seem: appear; seems; appears
    think: believe; reckon; thinks; believes; am of the opinion that; feel that
    know: am aware; is aware; knows
    locate: find; finds
    locate+: found
    try: attempt; tries; attempts
    try+: attempted; tried
    remain: stay; stays; remains
    return: come back; go back; returns; comes back
    return+: came back; went back; returned
    fast: quick; rapid; speedy; swift
    fast_ly: quickly; rapidly; swiftly
    faster: quicker
    big: large; huge
    bigger: larger
    biggest: largest
    small: little; tiny
    smaller: littler
    cheap: inexpensive; low-cost
    expensive: pricey; costly; dear
    difficult: hard; tough; tricky
    easy: simple; straightforward
    important: crucial; vital; essential; key
    afraid of: scared of; frightened of
    ill: sick; unwell
    happy: glad; pleased; delighted
    sad: unhappy
    angry: mad
    tired: exhausted; worn out
    wrong: incorrect; mistaken
    correct: right
    entire: whole
    complete_ly: fully; entirely; totally; completely; wholly
    sufficient: enough
    main: primary; principal; chief
    several: multiple; a number of
    many: lots of; a lot of; plenty of; numerous; loads of
    much: a great deal of
    every: each
    all: every one of
    weekly: a week; every week; once a week; each week; per week
    daily: a day; every day; once a day; each day; per day; everyday
    monthly: a month; every month; once a month; each month; per month
    yearly: a year; per annum; every year; once a year; each year; per year; annually; annual
    mondays: every monday; each monday
    tuesdays: every tuesday; each tuesday
    wednesdays: every wednesday; each wednesday
    thursdays: every thursday; each thursday
    fridays: every friday; each friday
    saturdays: every saturday; each saturday
    sundays: every sunday; each sunday
    hourly: every hour; per hour; an hour; each hour
    nightly: every night; each night
    biweekly: every other week; every #14 day; fortnightly
    twice: two times; #2 times
    often: frequently; regularly
    seldom: rarely; hardly ever
    always: at all times; all time
    immediately: right away; straight away; at once; instantly
    soon: shortly; before long
    now: right now; at moment; at present; currently; presently; at the moment; these days; nowadays
    later: later on; afterwards
    previously: earlier; formerly; in past; in the past
    finally: eventually; in end; in the end
    tonight: this evening
    today: this day
    before: prior to; ahead of
    after: following; subsequent to
    during: throughout; in course of
    because_of: as a result of; due to; owing to; because of; on account of; thanks to
    so_that: in order that; so that
    to: in order to; so as to
    if: provided that; in case
    although: though; even though; despite fact that
    but: however; yet
    also: too; as well; in addition; additionally
    instead_of: rather than; in place of; instead of
    concerning: regarding; with regard to; on subject of; as for
    besides: apart from; aside from; other than; except for; except
    near: close to; next to; nearby; beside; by side of
    via: by means of; by way of; through
    within: inside; inside of
    onto: on to
    more_than: over_n; above_n; in excess of; more than
    less_than: under_n; below_n; fewer than; less than
    no_longer: not anymore; no longer
    not: never_ever
    none: not any
    nobody: no one; not anyone
    car: automobile; auto
    movie: film; motion picture
    child: kid
    children: kids
    mother: mum; mom; mommy; mama
    father: dad; daddy; papa
    grandmother: grandma; granny; nana
    grandfather: grandpa; granddad
    parents: mum and dad; mom and dad
    spouse: partner
    boss: supervisor; line manager
    colleague: coworker; co-worker; workmate
    colleagues: coworkers; co-workers; workmates
    employees: staff; workers
    customer: client
    customers: clients
    pupil: student
    pupils: students
    attorney: lawyer; solicitor
    holiday: vacation
    trip: journey
    airplane: plane; aeroplane; aircraft
    subway: underground train; metro
    elevator: lift
    sofa: couch; settee
    garbage: trash; rubbish
    gasoline: petrol; gas
    sidewalk: pavement
    soccer: football
    fall_season: autumn
    dinner: supper
    present: gift
    shop: store
    salary: wage; pay
    cost: price
    error: mistake
    problem: issue
    problems: issues
    goal: aim; objective; target
    goals: aims; objectives; targets
    deadline: due date; cutoff date; cut-off date
    invoice: bill
    suggestion: proposal
    assignment: homework
    garden: yard
    home: house
    awful: terrible; dreadful; horrible
    great: excellent; fantastic; wonderful; superb; terrific
    beautiful: gorgeous
    strange: odd; weird; peculiar
    loud: noisy
    quiet: silent
    rich: wealthy
    broken: out of order
    dangerous: hazardous; risky
    famous: well-known; renowned
    famous: well known
    intelligent: smart; clever
    lazy: idle
    optional: not required
    permanent: lasting
    usual: customary
    weak: feeble
    almost: nearly; practically; virtually
    extremely: exceptionally
    especially: particularly; in particular
    merely: only_just
    entirely: fully
    approximately: in the region of; some_n
    close: shut; closes; shuts
    close+: shut+; closed
    talk: speak; chat; converse; talks; speaks; chats
    talk+: spoke; spoken; talked; chatted
    call: phone; ring; telephone; ring up; calls; phones; rings
    call+: phoned; telephoned; rang; called
    resign: quit; resigns; quits; step down; steps down
    resign+: stepped down; resigned
    resign from my job: quit my job
    obtain: receive; receives; gain; gains; obtains
    obtain+: got; gotten; received; acquired; obtained; gained
    return: send back; give back; gives back
    return+: sent back; gave back
    depart: set off; head off
    arrive: get to; reach; arrives; reaches; turn up
    arrive+: reached; arrived; turned up
    construct: erect
    construct+: erected; constructed
    destroy+: demolished; destroyed
    explain: clarify; explains; clarifies
    explain+: clarified; explained
    mention: bring up; mentions
    mention+: brought up; mentioned
    admire: look up to
    tolerate: put up with; puts up with
    investigate: look into; looks into
    investigate+: looked into; investigated
    raise children: bring up children
    submit: hand in; turn in; submits; hands in
    submit+: handed in; turned in; submitted
    reject: turn down; decline; refuse; rejects; turns down; declines; refuses
    reject+: turned down; declined; refused; rejected
    accept: agree to; accepts; agrees to
    accept+: agreed to; accepted
    install: set up; sets up; installs
    install+: set up+; installed
    begin using: start using
    gather: pick up; picks up
    gather+: picked up
    stop: quit; cease; give up; stops; ceases; gives up
    stop+: ceased; gave up; given up; stopped
    eliminate: do away with; eliminates
    modify: change; alter; changes; alters; modifies
    modify+: changed; altered; modified
    improve: enhance; better; improves; enhances
    improve+: enhanced; improved
    earn: make money
    gather: collect; collects; gathers
    gather+: collected; gathered
    protect: safeguard; protects
    shout: yell
    study: learn; studies; learns
    study+: learned; learnt; studied
    wed: marry; get married to; gets married to
    wed+: married+; got married to
    assist with: help with
    explore: look around
    suggest: propose; recommend; advise; suggests; proposes; recommends; advises
    suggest+: proposed; recommended; suggested; advised
    hire: recruit; take on; hires; recruits
    hire+: recruited; took on; hired
    fire: lay off; dismiss
    fire+: laid off; dismissed; let go
    award: prize
    argument: quarrel
    parcel: package; packet
    photo: snap
    """
)
