"""Verbs of several words and the one word that says the same; set phrases with nouns. Data.

As in `synonyms.py`: a `+` marks a past form, and words that often differ are left apart.
"""

from __future__ import annotations

from curation.wording.entries import entries

PHRASAL = entries(
    """
    not just: not just; not merely; not simply
    perform: carry out; carries out; conduct; conducts; performs
    perform+: carried out; conducted; performed
    discover: find out; finds out; discovers
    discover+: found out; discovered
    seek: look for; looks for; search for; searches for; hunt for; seeks
    seek+: looked for; searched for; hunted for; sought
    solve: figure out; figures out; work out; works out; resolve; resolves; sort out; sorts out; solves
    solve+: figured out; worked out; resolved; sorted out; solved
    destroy+: torn down; tore down; pulled down; knocked down
    approve: sign off on; signs off on; approves
    approve+: signed off on; approved
    end: terminate; terminates; conclude; concludes
    end+: terminated; concluded; ended
    contact: get in touch with; gets in touch with; reach out to; reaches out to; contacts
    contact+: got in touch with; reached out to; contacted
    rely on: depend on; depends on; count on; counts on; relies on
    rely+ on: depended on; counted on
    nurse: look after; looks after; take care of; takes care of; care for; cares for
    nurse+: looked after; took care of; cared for
    own: possess; possesses
    extend: prolong; prolongs; lengthen; lengthens
    extend+: prolonged; lengthened
    participate in: take part in; takes part in; participates in
    participate+ in: took part in; participated in
    mean: stand for; stands for
    supervise: oversee; oversees
    supervise+: oversaw; overseen
    note_down: write down; writes down; jot down; jots down; note down; notes down
    note_down+: wrote down; written down; jotted down; noted down
    roll_out: launch; launches; roll out; rolls out
    roll_out+: launched; rolled out
    conceal: hide; hides; conceals
    conceal+: hid; hidden; concealed
    collapse: fall down; falls down; cave in; caves in
    collapse+: fell down; caved in
    quit: give up; gives up; quits
    quit+: gave up; given up
    reject: turn down; turns down; decline; declines; refuse; refuses
    reject+: turned down; declined; refused
    cut_short: shorten; shortens
    run_out_of: run out of; runs out of; have no more; has no more
    set_up: establish; establishes; set up; sets up
    set_up+: established
    point_out: note that; point out that; points out that
    pass_away: die; dies; pass away; passes away
    pass_away+: died; passed away
    come_back: return home; come back; comes back
    exceed: surpass; surpasses; exceeds
    exceed+: surpassed; exceeded
    fill in: fill out; fills out
    fill+ in: filled out
    go jogging: jog; jogs
    do the laundry: wash clothes; wash the clothes
    do the dishes: wash the dishes; wash up
    commute by bicycle: bike to work; cycle to work; ride a bike to work
    work part-time: have a part-time job; has a part-time job
    work full-time: have a full-time job; has a full-time job
    is intolerant to: can not tolerate
    frightened of: scared of; terrified of
    at the moment: right now; at present
    in my opinion: i think that; i believe that; i feel that
    as a rule: in general; generally
    most of the time: mostly
    in the end: eventually; ultimately
    in case of: in the event of
    in the middle of: halfway through
    due to: owing to; on account of; as a result of; thanks to
    as well as: along with; together with
    agreement: contract
    agreements: contracts
    productive: fruitful
    unreliable: unstable
    outage: downtime
    outages: downtimes
    residence: dwelling
    journey: voyage
    staff: personnel; workforce
    income: earnings
    rule: regulation
    rules: regulations
    storm: tempest
    choice: selection
    attempt: try_noun
    purpose: intention
    outcome: end result
    shortage: scarcity
    warning: alert
    warnings: alerts
    basement: cellar
    hallway: corridor
    rug: carpet
    stairs: staircase
    trash: rubbish
    storehouse: warehouse; depot
    physician: medical doctor
    footballer: soccer player
    spectacles: glasses; eyeglasses
    blanket: comforter
    cab: taxi
    truthful: honest
    enormous: huge; gigantic; massive
    ancient: very old
    freezing: very cold
    exhausted: very tired; worn out
    delighted: very happy; thrilled
    furious: very angry
    crucial: vital; essential; very important
    simple: straightforward; uncomplicated
    complicated: complex
    brief: short
    rapid: swift
    modern: up-to-date
    outdated: out of date; obsolete
    peaceful: calm
    spacious: roomy
    talented: gifted
    handy: useful
    suitable: appropriate; fitting
    unlawful: illegal
    identical: the same as each other
    """
)
"""One word for each verb of several. Not `break down`, `take off`, `make up`: they mean too many things."""
