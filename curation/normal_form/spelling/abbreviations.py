"""English abbreviations as data."""

from __future__ import annotations

from chunking.wordlists import words
from curation.normal_form.spelling.table_entries import entries

ABBREVIATIONS = entries(
    """
    approximately: approx; approx.; ca; ca.; about; around; roughly; circa; ~; more or less; or so
    versus: vs; vs.; v.
    without: w/o
    with: w/
    account: acct; acct.
    accounts: accts
    for_example: e.g; e.g.; eg; for instance; for example; such as
    that_is: i.e; i.e.; ie
    and: &
    plus: +
    at_least: min.; a minimum of; minimum of; no fewer than; no less than; at least
    at_most: max.; a maximum of; maximum of; no more than; up to; at most
    as_soon_as_possible: asap; a.s.a.p; as soon as possible
    department: dept; dept.
    building: bldg; bldg.
    including: incl; incl.; inclusive of
    excluding: excl; excl.
    maximum: max
    tablespoons: tbsp; tbsps; tablespoon
    teaspoons: tsp; tsps; teaspoon
    assistant: asst; asst.
    association: assoc; assoc.
    reservation: resv
    especially: esp; esp.
    introduction: intro
    professional: pro
    chemistry: chem
    biology: bio
    psychology: psych
    engineering: eng
    developers: devs
    engineer: dev engineer; developer
    doctorate: phd; ph.d; ph.d.
    masters: msc; master's degree
    requirements: reqs
    specifications: specs
    statistics: stats
    demonstration: demo
    headquarters: hq; head office
    original: orig
    previous: prev; prev.
    international: intl; int'l
    national: natl
    certificate: cert
    subscription: sub
    memorandum: memo
    conference: conf
    q1: first quarter; 1st quarter
    q2: second quarter; 2nd quarter
    q3: third quarter; 3rd quarter
    q4: fourth quarter; 4th quarter
    square: sq; sq.
    road: rd; rd.
    boulevard: blvd; blvd.
    mount: mt; mt.
    saint: st
    junior: jr; jr.
    senior: sr; sr.
    research_and_development: r&d; research and development
    public_relations: public relations
    air_conditioning: ac; a/c; air conditioning; aircon
    identity_document: id card
    bed_and_breakfast: b&b
    to_be_decided: tbd; tba; to be decided; to be determined; to be announced
    world_wide_web: www
    virtual_private_network: vpn; virtual private network
    random_access_memory: ram
    search_engine_optimization: seo; search engine optimization
    customer_relationship_management: crm
    point_of_contact: poc contact
    paid_time_off: pto; paid time off
    global_positioning_system: gps
    do_it_yourself: diy; do it yourself
    non_disclosure_agreement: nda; non-disclosure agreement; nondisclosure agreement
    apartment: apt; apt.; flat
    appointment: appt; appt.
    management: mgmt
    manager: mgr
    meeting: mtg
    message: msg; msgs
    information: info
    application: app; apps
    applications: apps
    repository: repo
    configuration: config; cfg
    documentation: docs; docu; doc
    environment: env
    development: dev
    production: prod
    specification: spec
    reference: ref; ref.
    administrator: admin
    advertisement: ad; advert
    laboratory: lab
    laptop: notebook computer
    photograph: photo; pic
    picture: image
    telephone: phone; mobile phone; cell phone; cellphone; mobile; smartphone
    television: tv; telly
    refrigerator: fridge
    vegetables: veg; veggies
    bicycle: bike
    gymnasium: gym
    examination: exam
    mathematics: math; maths
    university: uni
    veterinarian: vet
    doctor: dr; dr.; physician; gp
    professor: prof; prof.
    mister: mr; mr.
    street: st.
    avenue: ave; ave.
    company: co.
    corporation: corp; corp.
    incorporated: inc; inc.
    limited: ltd; ltd.
    government: govt; gov
    temperature: temp; temps
    quantity: qty
    number: no.; nr; nr.
    average: avg; avg.
    hours: hrs
    minutes: mins
    kubernetes: k8s
    javascript: js
    typescript: ts
    postgresql: postgres; psql
    pull_request: pr; merge request; pull request
    user_interface: ui; user interface
    user_experience: ux; user experience
    continuous_integration: ci; continuous integration
    application_programming_interface: api; application programming interface
    operating_system: os; operating system
    artificial_intelligence: ai; a.i; artificial intelligence
    machine_learning: ml; machine learning
    human_resources: hr; human resources
    chief_executive_officer: ceo; chief executive officer; chief executive
    chief_technology_officer: cto; chief technology officer
    chief_financial_officer: cfo; chief financial officer
    key_performance_indicator: kpi; key performance indicator
    return_on_investment: roi; return on investment
    quality_assurance: qa; quality assurance
    proof_of_concept: poc; proof of concept
    minimum_viable_product: mvp; minimum viable product
    work_from_home: wfh; work from home; working from home
    estimated_time_of_arrival: eta; estimated time of arrival
    date_of_birth: dob; date of birth
    frequently_asked_questions: faq; faqs; frequently asked questions
    value_added_tax: vat; value added tax; value-added tax
    end_of_day: eod; end of day; end of the day; close of business; cob
    identification: id
    united_states: u.s; u.s.; usa; u.s.a; u.s.a.; united states of america; united states
    united_kingdom: uk; u.k; u.k.; united kingdom; great britain
    european_union: eu; e.u; european union
    united_nations: un; u.n; united nations
    new_york: nyc; ny; new york city; new york
    los_angeles: la; l.a; los angeles
    san_francisco: sf; san francisco
    monday: mon; mon.
    tuesday: tue; tues; tue.
    wednesday: wed; weds; wed.
    thursday: thu; thur; thurs; thu.
    friday: fri; fri.
    january: jan
    february: feb
    august: aug
    september: sept; sep
    october: oct
    november: nov
    december: dec
    """
)

CAPITALS_ONLY = words("LA SF UN OS PR AI ID NY CI ML HR TS UI")
"""Abbreviations that are those only in capitals: `la`, `un` and `os` are words of other languages."""
