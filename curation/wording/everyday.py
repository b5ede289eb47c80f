"""More English that says the same: British and American nouns, set phrases, everyday words. Data.

As in `synonyms.py`, a `+` marks a past form, and words that often differ are left apart.
"""

from __future__ import annotations

from curation.wording.entries import entries

EVERYDAY = entries(
    """
    baggage: luggage
    breakfast: morning meal
    bug: defect
    bugs: defects
    bus stop: stop for bus
    chance: opportunity
    couple: pair
    cooker: stove
    exercise: workout
    expert: specialist
    flatmate: roommate; housemate
    footwear: shoes
    freeway: motorway; highway
    leader: head
    medication: medicine; drugs
    neighborhood: district
    pants: trousers
    pavement: footpath
    performance review: appraisal
    queue: line
    rest: remainder; remaining
    sneakers: trainers; running shoes
    speech: talk_noun
    summary: recap; overview
    sweater: jumper; pullover
    tap: faucet
    teacher: instructor; tutor
    test: quiz
    timetable: schedule
    truck: lorry
    vacation_days: annual leave; days off; vacation days
    wallet: purse
    witness: onlooker
    yearly: on a yearly basis; on an annual basis
    daily: on a daily basis; day by day; day to day
    weekly: on a weekly basis
    monthly: on a monthly basis
    in total: altogether; all in all; overall
    at least: minimum
    alone: by myself; on my own; by himself; by herself
    abroad: overseas
    rarely_at_best: barely
    for free: free of charge; at no cost; for nothing
    in advance: beforehand; ahead of time
    on time: punctually
    next to: alongside
    right before: just before
    right after: just after
    first_ly: first of all; at first
    until now: so far; up to now; to date
    in the meantime: meanwhile
    with_out_exception: without exception
    purchase_noun: acquisition
    location: place; site; spot; venue
    area: region
    photo: snapshot
    evening: eve
    backpack: rucksack
    bathroom: restroom; toilet; washroom; lavatory
    pharmacy: drugstore; chemist
    diapers: nappies
    cookies: biscuits
    cinema: movie theater; movie theatre
    flashlight: torch
    stroller: pram; pushchair
    candy: sweets
    eggplant: aubergine
    zucchini: courgette
    cilantro: coriander
    parking lot: car park
    gas station: petrol station
    postcode: zip code; zipcode; postal code
    resume_cv: cv; curriculum vitae
    supermarket: grocery store
    illness: disease; sickness
    speed: pace
    amount: quantity
    method: approach; technique
    option: alternative
    options: alternatives
    reason: cause
    result: outcome
    results: outcomes
    response: reply
    duty: responsibility; obligation
    duties: responsibilities; obligations
    advantage: benefit; upside
    advantages: benefits; upsides
    drawback: disadvantage; downside
    drawbacks: disadvantages; downsides
    beginning: start of
    visitors: guests
    delivery: shipment
    occupation: profession
    requirement: prerequisite
    requirements: prerequisites
    neighborhood: vicinity
    ability: capability
    habit: custom
    assistance: help_noun
    conversation: chat_noun
    newborn: new baby
    puppy: young dog
    toddler: small child
    sibling: brother or sister
    employer: company i work for
    fee: charge
    refund: reimbursement
    fund: funding
    spare time: free time; leisure time
    part: portion
    topic: subject
    topics: subjects
    city center: downtown; city centre; town centre
    headache: sore head
    contemporary: modern
    elderly: aged_adj
    brand-new: brand new
    tasty: delicious; yummy
    vacant: unoccupied
    current: present_adj; existing
    final: last_adj
    accurate: precise; exact
    obvious: apparent; evident
    silly: foolish
    polite: courteous
    funny: amusing; humorous; hilarious
    boring: dull; tedious
    vague: unclear
    mandatory: compulsory; obligatory
    necessary: required_adj
    additional: extra; further
    rare: uncommon; infrequent
    unexpected: unforeseen
    second-hand: secondhand; pre-owned
    shy: timid
    stubborn: obstinate
    worried about: concerned about; anxious about; nervous about
    worried: anxious; nervous
    excited about: thrilled about
    annoyed: irritated
    annoying: irritating
    messy: untidy
    tidy: neat
    thin: slim; skinny
    big: enormous; gigantic; massive
    cozy: comfy; comfortable
    reliable: dependable; trustworthy
    healthy: in good health
    pregnant: expecting a baby; expecting a child
    jobless: unemployed; out of work
    foreign: from abroad
    homemade: home-made
    spicy: hot_spice
    mainly: mostly; primarily; largely; chiefly
    seldom: barely ever; scarcely
    suddenly: abruptly
    certainly: surely
    clearly: obviously
    exactly: precisely
    recently: lately; of late
    constantly: continually; all the time
    initially: originally
    gradually: step by step; little by little; bit by bit
    by accident: accidentally; unintentionally; by mistake
    on purpose: deliberately; intentionally
    in person: face to face; face-to-face
    remotely: from home
    in writing: on paper
    decide: make a decision; makes a decision; come to a decision
    decide+: made a decision; came to a decision; reached a decision; made up my mind; made up our mind
    contact: get in touch with; reach out to; gets in touch with; contacts
    contact+: got in touch with; reached out to; contacted
    participate in: take part in; takes part in; participates in
    participate+ in: took part in; participated in
    consist of: is composed of; is made up of; are composed of; are made up of; comprise; comprises
    depend on: rely on; hinge on; depends on; relies on; hinges on
    cause: lead to; result in; leads to; results in; causes
    cause+: led to; resulted in; caused
    resemble: is similar to; are similar to; looks like; resembles
    concern: relate to; relates to; has to do with; concerns
    support: is in favor of; are in favor of; am in favor of; supports
    look after: take care of; care for; takes care of; cares for; looks after
    look after+: took care of; cared for; looked after
    die+: passed away; died
    encounter: run into; come across
    encounter+: ran into; came across; encountered
    perform: carry out; conduct; carries out; conducts; performs
    perform+: carried out; conducted; performed
    register for: sign up for; enroll in; enrol in; signs up for; enrolls in; registers for
    register+ for: signed up for; enrolled in; registered for
    fail: break down; breaks down; stop working; stops working
    fail+: broke down; stopped working; failed
    become: turn into; turns into; becomes
    become+: turned into; became
    jog: go jogging; goes jogging; jogs
    run: go running; goes running; go for a run; goes for a run
    swim: go swimming; goes swimming; go for a swim; goes for a swim; swims
    hike: go hiking; goes hiking; go for a hike; goes for a hike; hikes
    shop_v: go shopping; goes shopping
    shower: take a shower; takes a shower; have a shower; has a shower
    nap: take a nap; takes a nap; have a nap; has a nap
    exercise: work out; works out; exercises
    exercise+: worked out; exercised
    monitor: keep track of; keep an eye on; keeps track of; keeps an eye on; track; tracks; monitors
    evaluate: assess; assesses; evaluates
    evaluate+: assessed; evaluated
    notice: spot_v; notices
    discover+: found out; discovered
    discover: find out; finds out; discovers
    determine: figure out; work_out; figures out
    determine+: figured out; determined
    prepare: get ready; gets ready; prepares
    prepare+: got ready; prepared
    search for: look for; looks for; searches for; seek; seeks
    search+ for: looked for; searched for; sought
    handle: deal with; deals with; handles
    handle+: dealt with; handled
    keep: retain; retains; keeps
    keep+: retained; kept
    donate: give away; gives away; donates
    donate+: gave away; donated
    release: roll out; rolls out; launch; launches; releases
    release+: rolled out; launched; released
    move: relocate; relocates; moves
    move+: relocated; moved
    combine: merge; merges; combines
    combine+: merged; combined
    divide: split; splits; divides
    divide+: split up; divided
    replace: substitute; swap out; replaces
    replace+: substituted; swapped out; replaced
    struggle with: have trouble with; has trouble with; have difficulty with; has difficulty with
    demand: insist on; insists on; demands
    consume: use up; uses up; consumes
    omit: leave out; leaves out; omits
    omit+: left out; omitted
    include: contain; contains; includes
    wake up: get up; gets up; wakes up
    fly: travel by plane; travels by plane; go by plane; goes by plane; flies
    drive: go by car; goes by car; travel by car; travels by car; drives
    cycle: ride my bike; ride a bike; rides a bike; ride bicycle; go by bike; goes by bike; cycles
    walk: go on foot; goes on foot; go for a walk; goes for a walk; walks
    must: has got to; am obligated to; is obligated to; are obligated to
    can: has the ability to; have ability to
    is retired: no longer works
    speak fluent: is fluent in; am fluent in; are fluent in
    hope to: am hoping to; is hoping to; are hoping to; hopes to
    intend to: is going to; have plans to; has plans to; intends on; am intending to
    refuse to: will not agree to
    is made from: is made of; is made out of
    at weekends: on weekends; on the weekend; at the weekend
    on foot: by foot
    all day: the whole day; the entire day; all day long
    all year: the whole year; year-round; all year round; the entire year
    at night: by night; during the night
    every morning: each morning; mornings
    every evening: each evening; evenings
    every night: each night
    for example: for instance
    in detail: thoroughly
    in general: generally; as a rule; by and large
    in particular: specifically
    in public: publicly
    in time: early enough
    in my opinion: in my view; to my mind
    """
)
