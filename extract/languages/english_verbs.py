"""English verbs and how they inflect: what tells a clause from a phrase, and an order from a label."""

from __future__ import annotations

from extract.wordlists import words

REGULAR = words(
    """
accept access achieve loosen shard stub quarantine mock lint rebase hash cap peg dodge grandfather
decouple unblock taper ramp wean swaddle rock-to prune repot deadhead thin mulch-over sow-out deglaze
sear julienne blanch whisk-in reheat defrost thaw pair backup encrypt decrypt sanitize sanitise deprecate
refill reorder rebook recheck double-check acknowledge act adapt add address adjust admit adopt advise
affect afford agree aim align allow analyse analyze announce answer anticipate apologise apologize appear
apply appreciate approach approve argue arrange arrive ask assemble assess assign assist assume attach
attack attempt attend automate avoid back bake balance ban base batch beg behave belong benefit block
blow-dry boil book boost borrow bother bounce brainstorm breathe broaden brush bump burn bypass cache
calculate call cancel capture care carry cause celebrate challenge change charge chase chat check chop
circulate claim clarify classify clean clear click climb clone close coach collect combine comment commit
communicate compare compile complain complete comply compost compress compute concern confirm conflict
confuse connect consider consist consolidate construct consult consume contact contain continue
contribute control convert convince cook cool coordinate cope copy correct correspond count cover crash
create criticise criticize cross crop crush cry customise customize cycle damage dare deal-with debate
debug decide declare decline decorate decrease dedicate defer define delay delegate delete deliver demand
deny depend deploy describe deserve design detect determine develop die dig-into disable disagree
disappear discover discuss dislike display distribute dive divide document donate double doubt download
draft drag dress drop dry dump duplicate earn ease edit eliminate email embed embrace emphasise emphasize
employ enable encounter encourage end enforce engage enhance enjoy ensure enter escape establish estimate
evaluate exceed exchange exclude execute exercise exist expand expect experience experiment explain
explore export expose express extend extract face fade fail fall-back fasten favour favor fear fetch file
fill filter finalise finalize finish fire fit fix flag flash flip float flow flush focus fold follow
force form format forward freak fry fulfil function gain gather generate glue grab grant grill group
guarantee guard guess guide handle hang-out happen harvest hate head heal heat help hesitate highlight
hike hire hope host hunt identify ignore illustrate imagine implement imply import impose improve include
incorporate increase indicate inform initiate inject inspect inspire install integrate intend interest
introduce invent invest investigate invite involve iron isolate iterate itch jog join joke judge jump
justify kick kill kiss knock label lack land last laugh launch layer lease leverage license lick lift
like limit line link list listen live load lock log look loosen love lower maintain manage map mark
marinate mask match matter measure mention merge message migrate mind minimise minimize mix monitor
motivate mount move mow mulch multiply name narrow need negotiate note notice notify obey object observe
obtain occur offer open operate oppose optimise optimize order organise organize outline overlap oversee
own pack paint park parse participate pass paste pause peak peel perform permit phone pick pin place plan
plant play please plug point polish pop populate post postpone pour practise practice praise pray prefer
prepare present preserve press pressure pretend prevent print prioritise prioritize process produce
promise promote prompt propose protect prove provide prune publish pull pump purchase push qualify query
question queue quote raise randomise range rank rate reach react realise realize rebuild-up recall
receive recommend record recover recycle reduce refactor refer reflect refresh refuse regard register
regret reject relate relax release rely remain remember remind remove rename renew rent repair repeat
rephrase replace reply report represent request require rerun-all rescue research reserve resist resize
resolve respect respond rest restart restore restrict result resume retain retire retry return reveal
review revise reward ring-up rinse risk roast rock roll rotate round ruin rush sacrifice sample satisfy
save saute scale scan scare schedule score scrap scratch scroll seal search secure seem select separate
serve settle shape share shift ship shorten shout sign simmer simplify skim skip slice slow smell smile
smoke smooth snack snap soak solve sort sound source spark specify spell sponsor spray spread-out sprint
squeeze stack start state stay steam stir stock stop store strain streamline strengthen stress stretch
structure struggle study subscribe submit succeed suffer suggest suit summarise summarize supply support
suppose surface surprise survive suspect suspend swap switch tackle tag tailor talk target taste tempt
tend test thank tie tighten toast toggle top touch tour trace track trade train transfer transform
transition translate transplant travel treat trigger trim trust try tune turn type uncover underestimate
unify unlock unpack update upgrade upload urge use utilise utilize vaccinate validate value vary verify
view visit visualise visualize vote wait walk want warm warn wash waste watch water weigh welcome whisk
widen wish witness wonder work worry wrap yell zoom elaborate elevate empower entail fuel foster
cultivate integrate prioritise confuse acquire arise-from anchor approximate archive attract await
bind-up borrow bundle camp cater cease chill choke cite coat coincide commute complement comprise
conclude conduct confront conserve constrain convey craft cure curb dampen deduct deem defend demonstrate
deprive derive detail differ digest dilute dine disrupt distinguish diversify drain drift echo educate
elapse emerge enroll equip evolve examine excel exhaust fertilise fertilize fish flatten fund gauge
graduate grate greet hinder honor honour hug incur induce infer inherit inhibit insert insist insulate
insure interact interfere interpret interrupt isolate juggle knead lag lean log-in magnify massage mature
memorise memorize mend mimic moderate modify mount nail navigate neglect nurture occupy offset omit
overcome-by pace partner pave pay-off perceive persist pet pilot pose possess potty pot preheat prescribe
price probe proceed procrastinate prohibit project pursue quantify react reassess reassure rebalance
reconcile reconsider recruit refine refund reinforce relieve relocate remediate render replicate
reschedule reside restructure resonate reuse revisit revolve rework salt scaffold season sense settle
shave shop shovel shower showcase shrug sip situate sketch slip smash snooze socialise socialize soften
span speculate spoil stabilise stabilize stain stall steer stem stimulate straighten strip stroll stumble
substitute sue sum supervise surround sustain sweat swipe symbolise symbolize sync tempt thrive tolerate
toss trek tuck tutor unclog undermine unsubscribe unwind-from vacuum vent venture warrant weed whip
witness yield
believe predict facilitate retrieve mitigate browse monetize articulate assure delve dismantle formulate
differentiate reconstruct revolutionize accelerate rectify tweak reckon terminate collaborate accommodate
recognize recognise categorize categorise allocate pinpoint reiterate formalize strive maximize maximise
activate
disconnect distract wander locate generalize reactivate transcribe immerse inquire deepen personalize
advertise compete transmit evacuate wrangle encode reconnect vibrate illuminate prescribe specialize
specialise
resonate embody foster demonstrate acquire advocate alleviate amplify anchor anticipate arise assert attain
attribute augment authorize await boast bolster bridge captivate cater cement characterize clash coincide
commence compel comprise conceive concentrate conclude condense confine conform contend contradict convey
correlate cultivate curate deepen deem degrade demolish denote depict derive detach deteriorate dictate
diminish disclose discourage dismiss disrupt distinguish diversify dominate echo elevate elicit embark empower
emulate enforce enrich entail equip erode escalate evoke evolve examine exemplify exert expedite exploit
explode fabricate falter flourish fluctuate foresee forge fuel fulfill govern grasp harness hinder hone
imitate impact impair impede incur infer inhibit initialize innovate insist instill integrate intensify
interact intercept interfere interpret intersect intervene invoke isolate leak legitimize manifest
manipulate merit mimic mobilize modify mold necessitate neglect navigate nurture oblige obscure
offset omit orient originate outweigh overcome override persist persuade pertain pioneer portray possess
preclude prevail proceed prolong propagate provoke pursue reassure rebel reclaim reconcile redefine redesign
redirect refine reform refrain reinforce rejuvenate relocate render renovate replenish replicate repurpose
reschedule reshape reside restructure reunite revert revisit revive revolve reorganize safeguard scrutinize
segment shatter showcase simulate situate solidify spark spearhead stabilize standardize stimulate
stipulate strip
submerge substitute summon supplement surpass surround sustain symbolize synchronize synthesize tolerate
transcend transpose underpin underscore undertake undermine unite unveil uphold utter vanish venture widen
withstand witness yield zoom harm owe sound involve accomplish accumulate accuse adhere afflict
aggregate alert alternate assimilate assure attain avert bind blend bombard bounce broaden certify
chair coach cling coin commend compensate compromise conceal confront congratulate conquer consolidate
contest cooperate curb dazzle deceive deduct defeat deploy deprive destroy devise devote digest
displace dispute dissolve distort donate drown dwell eliminate enclose encompass endorse endure engrave
enlarge enlighten enlist enroll ensue erase evade exaggerate exhaust expire extinguish flatter flee forbid
forgive frustrate glow grind guarantee haunt hug ignite illustrate inherit inhabit instruct insult insure
interrupt lament lessen liberate linger march memorize mention migrate mourn nominate
nourish obey offend overlook overwhelm penetrate ponder postulate precede predispose premiere presume
proclaim prohibit prosper publicize punish rebuild recite recruit regulate rehearse reimburse rejoice relieve
relinquish repel reproduce rescue resemble resent reset restrain retreat revolt ridicule seize shield
shrug sketch snatch soften soothe spoil squash startle stumble subside suppress surrender sway swear
taunt tease terrify threaten thrive tire torture toss transport trek tremble undergo unfold unravel usher
vow wager weaken whisper wield withdraw wreck
"""
)

"""Base forms that inflect by rule. A hyphenated entry stands for its first word."""

IRREGULAR = """
be was were been; become became become; begin began begun; bend bent bent; bet bet bet;
bind bound bound; bite bit bitten; bleed bled bled; blow blew blown; break broke broken;
breed bred bred; bring brought brought; build built built; buy bought bought; catch caught caught;
choose chose chosen; come came come; cost cost cost; cut cut cut; deal dealt dealt; dig dug dug;
do did done; draw drew drawn; dream dreamt dreamt; drink drank drunk; drive drove driven; eat ate eaten;
fall fell fallen; feed fed fed; feel felt felt; fight fought fought; find found found; fly flew flown;
forbid forbade forbidden; forecast forecast forecast; forget forgot forgotten; forgive forgave forgiven;
freeze froze frozen; get got gotten; give gave given; go went gone; grind ground ground;
grow grew grown; hang hung hung; have had had; hear heard heard; hide hid hidden; hit hit hit;
hold held held; hurt hurt hurt; keep kept kept; know knew known; lay laid laid; lead led led;
learn learnt learnt; leave left left; lend lent lent; let let let; lie lay lain; light lit lit;
lose lost lost; make made made; mean meant meant; meet met met; mistake mistook mistaken;
outgrow outgrew outgrown; outrun outran outrun; overcome overcame overcome;
oversleep overslept overslept; override overrode overridden; overwrite overwrote overwritten;
pay paid paid; prove proved proven; put put put; quit quit quit; read read read;
rebuild rebuilt rebuilt; redo redid redone; rerun reran rerun; reset reset reset;
rethink rethought rethought; rewrite rewrote rewritten; ride rode ridden; ring rang rung;
rise rose risen; run ran run; say said said; see saw seen; seek sought sought; sell sold sold;
send sent sent; set set set; sew sewed sewn; shake shook shaken; shoot shot shot; show showed shown;
shrink shrank shrunk; shut shut shut; sing sang sung; sink sank sunk; sit sat sat; sleep slept slept;
slide slid slid; sow sowed sown; speak spoke spoken; speed sped sped; spend spent spent; spin spun spun;
split split split; spread spread spread; stand stood stood; steal stole stolen; stick stuck stuck;
sting stung stung; strike struck struck; swear swore sworn; sweep swept swept; swim swam swum;
swing swung swung; take took taken; teach taught taught; tear tore torn; tell told told;
think thought thought; throw threw thrown; understand understood understood; undo undid undone;
upset upset upset; wake woke woken; wear wore worn; weep wept wept; win won won; wind wound wound;
withdraw withdrew withdrawn; withhold withheld withheld; write wrote written; arise arose arisen;
swell swelled swollen
"""
"""base, past, participle; `be` also has its plural past."""

DOUBLING = frozenset(
    words(
        """
ban batch-p beg bump-p chat chop clip crop drag drip drop dump-p equip fit flag flip forget grab grip hop
hug hum jog knit label-l log map mop nag nap nod occur omit pat permit pet pin plan plot plug pop pot
prefer prep prop quit rap refer regret rig rip rob rub scan scrap shed shop shrug sip skim skip slam slap
slip slot snap spam spin split spot stem step stir stop strap strip submit sum swap tag tan tap tip top
transfer trap trim tug unplug whip wrap zip begin bet cut dig get hit let overrun put quit rerun reset
run set shut sit swim upset win spread-x
"""
    )
)
"""Verbs that double their last letter before -ed and -ing."""

NOUN_TOO = frozenset(
    words(
        """
impact harness fuel forge bridge anchor chair coin glow march exploit advocate alert aggregate segment
manifest zoom harm venture witness yield wager shield refrain sketch transport compromise contest dispute
surrender sway bounce blend squash attribute conduct contrast excess exhibit endeavor haunt insult lament
pioneer
recruit reform refund reset rescue retreat revolt ridicule showcase spotlight substitute
supplement trek whisper wreck alternate bind boast cement clash coach conquest conserve council
curb dictate digest grasp grind implant initiate interface merit mold neglect offset
orient premiere project prompt segment shrug snatch sound spark
toss vow stalk channel commute
access act address aim answer approach attack attempt back ban base batch block boost burn cache call
care cause challenge change charge chat check claim clone coach comment concern conflict contact contract
control cost count cover crash cross crop cut cycle damage deal debate decline decrease delay demand
design display document double doubt draft drag dress drink drive drop dump ease end exchange exercise
experience experiment export face fall fear feed feel fight file fill filter finish fire fish fit fix
flag flash flow focus force form format function fund gain grant grill group guarantee guard guess guide
harvest hate head heat help hike hit hold hope host hunt import increase interest itch joke judge jump
kick kill label lack land last launch layer lead lease lift light like limit line link list load lock log
look love map mark mask match matter measure mention message mind mix monitor move name need note notice
object offer open order outline overlap own pack paint park pass paste pause pay peak phone pick pin
place plan plant play plug point polish post practice present press pressure price print process produce
project promise prompt pull pump purchase push query question queue quote raise range rank rate reach
read record release remote rent repair reply report request rescue research reserve respect rest result
return review reward ring rinse risk roast rock roll round ruin run rush sample save scale scan schedule
score scrap scratch scroll seal search sense set shape share shift ship shop show shower sign sketch skip
sleep slice slip smell smile smoke snack snap sort sound source span spark split spray spread sprint
stack stain stall start state stay steam stem step stick stock stop store strain stress stretch strip
structure struggle study sum supply support surface surprise switch tag talk target taste tear test think
thought tie time toast top touch tour trace track trade train transfer transition travel treat trek
trigger trim trust try turn type update upgrade upload use value view visit vote wait walk warm wash
waste watch water welcome win wind wish witness wonder work worry wrap yield book bug build buy call
catch clear clean complete correct cool dry direct email empty even exact free live lower narrow slow
smooth separate secure tight warm double fancy camp cook coat craft cure detail drain drift echo fuel
honor honour hug lag lean pace partner pet pilot pot probe season shave slide swing balance benefit brush
bump chill comfort complement copy dream edit effect finance function influence influx invite iron laugh
log master model motion nail parent prize profile program rebuild ground sand screen sweat tailor tip tone
tool tutor vacuum vent weed whip
"""
    )
)
"""Base forms that are as often a noun or an adjective: on their own they are weak evidence of a verb."""


def forms() -> dict[str, tuple[str, str]]:
    """Every inflected form: form -> (base form, kinds), kinds a string of b(ase), s, d (past), n
    (participle), g (-ing)."""
    found: dict[str, tuple[str, str]] = {}

    def add(form: str, base: str, kind: str) -> None:
        old = found.get(form)
        found[form] = (old[0] if old else base, (old[1] if old else "") + kind)

    for entry in REGULAR:
        base = entry.split("-")[0]
        if base in found:
            continue
        add(base, base, "b")
        add(third_person(base), base, "s")
        past = _past(base)
        add(past, base, "dn")
        add(_gerund(base), base, "g")
    for row in IRREGULAR.split(";"):
        parts = row.split()
        if not parts:
            continue
        base = parts[0]
        if base == "be":
            continue
        add(base, base, "b")
        add(third_person(base), base, "s")
        add(parts[1], base, "d")
        add(parts[-1], base, "n")
        add(_gerund(base), base, "g")
        if base in {"dream", "learn", "spell", "burn"}:
            add(base + "ed", base, "dn")
    add("got", "get", "n")
    return found


def third_person(base: str) -> str:
    """`try` -> `tries`."""
    if base in {"have", "be", "do", "go"}:
        return {"have": "has", "be": "is", "do": "does", "go": "goes"}[base]
    if base.endswith(("s", "x", "z", "ch", "sh")):
        return base + ("zes" if base == "quiz" else "es")
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ies"
    return base + "s"


def _past(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ied"
    if base in DOUBLING:
        return base + base[-1] + "ed"
    return base + "ed"


def _gerund(base: str) -> str:
    if base in DOUBLING:
        return base + base[-1] + "ing"
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")):
        return base[:-1] + "ing"
    return base + "ing"
