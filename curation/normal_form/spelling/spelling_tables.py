"""English spellings as data: contractions, compounds, and the usual slips."""

from __future__ import annotations

from curation.normal_form.spelling.table_entries import entries

CONTRACTIONS = {
    "i'm": "i am", "you're": "you are", "we're": "we are", "they're": "they are", "he's": "he is",
    "she's": "she is", "it's": "it is", "that's": "that is", "there's": "there is", "here's": "here is",
    "what's": "what is", "who's": "who is", "where's": "where is", "let's": "let us",
    "i've": "i have", "you've": "you have", "we've": "we have", "they've": "they have",
    "i'll": "i will", "you'll": "you will", "he'll": "he will", "she'll": "she will", "it'll": "it will",
    "we'll": "we will", "they'll": "they will", "i'd": "i would", "you'd": "you would",
    "we'd": "we would", "they'd": "they would", "he'd": "he would", "she'd": "she would",
    "isn't": "is not", "aren't": "are not", "wasn't": "was not", "weren't": "were not",
    "don't": "do not", "doesn't": "does not", "didn't": "did not", "haven't": "have not",
    "hasn't": "has not", "hadn't": "had not", "won't": "will not", "wouldn't": "would not",
    "can't": "can not", "cannot": "can not", "couldn't": "could not", "shouldn't": "should not",
    "mustn't": "must not", "needn't": "need not", "ain't": "is not", "dont": "do not", "cant": "can not",
    "wont": "will not", "doesnt": "does not", "didnt": "did not", "isnt": "is not", "gonna": "going to",
    "wanna": "want to", "gotta": "have to", "im": "i am", "ive": "i have",
}  # fmt: skip

SPELLINGS = entries(
    """
    email: e-mail; e mail; electronic mail
    ok: okay; alright
    website: web site; web-site
    online: on-line; on line
    setup: set-up
    backup: back-up; back up
    login: log-in; sign-in; signin; log in; sign in
    todo: to-do
    dataset: data set; data-set
    database: data base; data-base; db
    filename: file name; file-name
    hostname: host name
    username: user name; user-name
    anymore: any more
    everyday: every-day
    weekend: week-end
    whitespace: white space
    workflow: work flow; work-flow
    wifi: wi-fi; wi fi
    smartphone: smart phone
    paycheck: pay check; paycheque
    bedtime: bed time
    lunchtime: lunch time
    screenshot: screen shot
    spreadsheet: spread sheet
    checkin: check-in
    followup: follow-up
    realtime: real-time; real time
    opensource: open-source; open source
    parttime: part-time; part time
    fulltime: full-time; full time
    nonsmoker: non-smoker
    startup: start-up
    typewriter: type-writer
    breakthrough: break-through
    address: adress; addres
    believe: beleive
    achieve: acheive
    perceive: percieve
    friend: freind; frend
    weird: wierd
    library: libary; librery
    management: managment
    restaurant: resturant; restaurent
    colleague: collegue; coleague
    colleagues: collegues
    argument: arguement
    apparently: apparantly; apparentley
    available: availible; avaliable; availabe
    business: buisness; bussiness
    category: catagory
    cemetery: cemetary
    conscious: concious
    consistent: consistant
    convenient: convinient
    decision: descision; desicion
    dependent: dependant
    different: diffrent; diferent
    disappear: dissapear
    disappoint: dissapoint
    embarrass: embarass
    equipment: equiptment
    existence: existance
    experience: experiance
    familiar: familar
    february: febuary
    foreign: foriegn
    forty: fourty
    grammar: grammer
    guarantee: gaurantee; garantee
    height: heigth
    immediately: immediatly; imediately
    independent: independant
    interesting: intresting
    language: langauge; languege
    length: lenght
    license: lisence; liscence
    measure: mesure
    medicine: medecine
    minute: minuet_
    neighbor: nieghbor
    occasion: ocassion; occassion
    official: offical
    original: orignal
    parallel: paralel; parralel
    performance: performence
    permanent: permenant
    personal: personnal
    possible: posible
    prefer: preffer
    principle: principal_
    privilege: priviledge
    probably: probaly; propably
    pronunciation: pronounciation
    publicly: publically
    question: qestion
    really: realy
    relevant: relevent
    response: responce
    rhythm: rythm
    safety: saftey
    sentence: sentance
    several: severel
    similar: similiar
    sincerely: sincerly
    successful: succesful; successfull
    surprise: suprise
    temperature: temperture; temprature
    therefore: therefor
    threshold: threshhold
    together: togather
    unfortunately: unfortunatly
    usually: usualy; ussually
    vacuum: vaccum; vacum
    vegetable: vegatable
    vegetarian: vegeterian; vegitarian
    wednesday: wensday; wednsday
    weather: wether
    writing: writting
    yesterday: yesturday
    appointment: apointment
    beginning: begining
    finally: finaly
    committee: comittee; commitee
    address: adress
    application: aplication
    deployment: deploymet
    development: developement
    feature: feauture
    parameter: paramater; parametre
    password: pasword
    project: projet
    repository: repositry
    service: sevice
    version: verison
    coop: co-op
    prerequisite: pre-requisite
    cooperate: co-operate
    tonight: tonite
    through: thru
    though: tho
    although: altho
    because: bc
    people: ppl
    without: wo
    timezone: time zone; time-zone
    gray: grey
    program: programme
    check: cheque
    tire: tyre
    plow: plough
    pajamas: pyjamas
    aluminum: aluminium
    jewelry: jewellery
    mold: mould
    curb: kerb
    skeptical: sceptical
    practice: practise
    license: licence
    defense: defence
    offense: offence
    catalog: catalogue
    dialog: dialogue
    judgment: judgement
    donut: doughnut
    yogurt: yoghurt
    definitely: definitly; definately; definetly
    separate: seperate
    receive: recieve
    until: untill; till; 'til
    occurred: occured
    necessary: neccessary; necesary
    tomorrow: tommorow; tommorrow; tomorow; tmrw; tmr
    which: wich
    because: becuase; beacuse; cuz; coz
    their: thier
    calendar: calender
    schedule: shedule; schedual
    environment: enviroment
    government: goverment
    restaurant: restaraunt; restarant
    maintenance: maintainance; maintenence
    recommend: reccomend; recomend
    accommodate: accomodate
    accommodation: accomodation
    """
)
