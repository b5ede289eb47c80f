"""English cue phrases, by the sign they give. A family is listed whole: a cue without its relatives fits a row, not a language."""

from __future__ import annotations

from extract.languages.lexicon import Cue, Sign, cue

_I = "(i|we)"
_IM = "(i'm|we're|i am|we are)"
_ILL = "(i'll|we'll|i will|we will|i shall|we shall|i'm gonna|we're gonna|imma|i am going to|i'm going to|we're going to)"

CUES: tuple[Cue, ...] = (
    cue(
        Sign.HEDGE,
        "maybe / perhaps / possibly / probably / presumably / potentially / conceivably / might / hopefully / somehow",
        "^ (still|really|just|honestly|) (not sure|unsure|not certain|not convinced|not entirely sure|not so sure) / (i'm|we're|i am|we are) (still|really|just|quite|so|) (not sure|unsure|not certain|not convinced|not entirely sure|not 100%|not really sure|not so sure|not quite sure|not totally sure) / not sure $",
        "undecided / on the fence / torn / in two minds / hesitant / hesitating",
        "i guess / i suppose / i think / i feel like / i assume / i imagine / i reckon / i believe / i figure / i suspect",
        "we think / we guess / we suppose / i wonder / wondering (if|whether|about) / i doubt / doubtful / i'd guess",
        "(i|we|it's|i'm|we're|that's|is|are|am|was|feel|feels|felt|just|only|and|but) (kind|sort) of / kinda / sorta / somewhat / in a way / more or less / or something / or so i think",
        "^ thinking / thinking (of|about) / thinking maybe / was thinking / were thinking / been thinking / considering / contemplating",
        "toying with / playing with the idea / tempted / leaning / inclined / flirting with / weighing / mulling",
        "what if / could be / could also be / may be / might be / would be nice / would be cool / would be great / would love to",
        "was going to / were going to / was gonna / had planned to / had meant to / was planning / was hoping / used to think",
        "don't know (if|whether|about) / idk / no idea (if|whether) / can't tell (if|whether) / hard to say / can't decide",
        "haven't decided / haven't made up / not decided / not settled / to be decided / tbd / open to / up in the air",
        "someday / some day / one day / at some point / eventually / in the future / in theory / theoretically / ideally",
        "seems / sounds wrong / sounds off / sounds like overkill / looks like it",
        "(i|we) could / (i|we) might / (i|we) may / could (i|we) just / if (i|we) could / wouldn't mind / not opposed",
        "apparently / supposedly / allegedly / i hear that / rumour / rumor",
    ),
    cue(
        Sign.POSTPONED | Sign.HEDGE,
        "let me think / let me sleep / sleep on (it|that|this) / think about it / think it over / think on it / mull it over",
        "park (that|this|it) / let's park / park _ for (now|later) / we'll see / let's see $ / let's see (how|if|whether|what happens) / let's wait / decide later / revisit",
        "come back to (that|this|it) / get back to (you|that|this|it) / maybe later / maybe next / not yet / another time",
        "postpone / put (off|that off|it off) / hold off / wait and see / undecided / jury is still out / keep that in mind",
        "need to think / have to think / give it some thought / play it by ear / not ready to / too early to",
    ),
    cue(
        Sign.COMMIT,
        "it is $ / it is then / decided / have decided / has been decided / settled on / settled / it's settled / that's settled",
        "^ go with / (i'll|we'll|let's|i'd|to|can|will|should|i|we) go with / ^ going with / (i'm|we're) going with / ^ go for / (i'll|we'll|let's) go for / (i|we) opt for / opting for / opted for",
        "(i|we) choose / (i|we) chose / (i'll|we'll) pick / (i|we) picked / (i|we) selected / my choice / my pick / our pick",
        "off the table / out of the question / ruled out / rule out / (i|we) no longer (want|need|use|do|plan)",
        "from now on / from here on / going forward / as of now / final answer / final decision / it's final / that's final / done deal",
        "^ (i'd|we'd|i would|we would) rather / i'd sooner / would rather / much rather / that's better / the better one / ^ (that one|this one|those two|these two|the former|the latter) $ / (that one|those two|these two) (please|then|it is)",
        "(i'll|we'll|let's|^) (stick|stay) (with|to|on) / sticking (with|to) / staying (with|on) / stays / stays on",
        f"{_IM} (switching|dropping|cutting|keeping|skipping|killing|ditching|scrapping|quitting|replacing|removing)",
        f"{_I} (won't|will not) / {_IM} not (going to|gonna|using|taking|paying|buying|moving|changing|switching)",
        "new rule / house rule / rule from now / that's the rule / is the rule / a rule now / my rule",
        "made up my mind / made up our minds / made the call / calling it (a|the|done|off) / (let's|i'll|we'll|^) call it / lock (it|that|this) in",
        "won't be (using|doing|going|taking) / signed off / sign off on / greenlit / green light / we agreed / we've agreed / i agreed / agreed (on|to|that)",
        "(i've|we've|i have|we have) (decided|chosen|picked|settled|agreed|opted|ruled|dropped|switched|scrapped|abandoned)",
        "(i|we) want it (set|in|on|at|done) / want it to be _ instead / instead of that / instead $ / instead then / ^ instead",
    ),
    cue(
        Sign.COMMIT | Sign.IMPERATIVE,
        "^ let's (do|use|keep|take|drop|skip|cut|scrap|stick|stay|switch|pick|choose|ship|add|put|remove|buy|book|order|finalize|finalise|lock|implement|forget|change|replace|postpone|reschedule|cancel|split|limit|go with|go for|go ahead)",
    ),
    cue(
        Sign.ASSENTS,
        "^ (yes|yep|yeah|yup|ok|okay|sure|agreed|deal|perfect|fine|sold|approved|confirmed|right) / yes $ / yep $ / yeah $ / ok $",
        "sure $ / agreed $ / fine $ / approved $ / , done $ / (fine|ok|okay|yes|good) (whatever|then|too|by|with|for|i guess)",
    ),
    cue(
        Sign.TAKES_UP,
        "then $ / then please $ / ^ (ok|okay|fine|agreed|perfect|deal|alright|sold) / , done $ / instead $ / it is then $",
    ),
    cue(
        Sign.ACCEPT,
        "sounds good / sounds great / works for me / works for us / fine by me / fine with me / go ahead / agreed (on|to) / ok to / yes to",
        "is fine / are fine / is ok / are ok / ^ that works / that works (for|then) / that works $ / good call / i agree / i accept / we accept / we agree / i'm in / i'm sold",
        "^ do (it|that|this|both|all) / ^ just do (it|that|this|both) / ^ (let's|i'll|we'll) do (it|that|this|both) / ^ doing (this|that|it) / go for it / count me in / is a go / is approved / is accepted / i'm on board",
        "like you said / as you said / as you suggested / as suggested / as proposed / you suggested / that's a yes / a yes",
        "^ (i|we) (approve|agree|accept|confirm) / happy with / it's a yes / it's a deal / that's settled then",
    ),
    cue(
        Sign.REJECT,
        "^ (no|nope|nah) / ^ not (the|that|this|those|these|a|an|any) / no $ / nope $ / not (this|next) (year|month|week|time|one|round) / not for (me|us|now) / no way / no go / no thanks / no thank you / is out / are out / that's out / off the table / (but|is) no / a no from / is a no / that's a no / hard no / hard pass / i'll pass / pass on",
        "scrap / ditch / drop (the|that|it) / forget (the|that|it|about) / don't want / doesn't appeal / not for me / not for us / rejected / reject / ruled out / not happening / never mind / nevermind / not interested",
    ),
    cue(
        Sign.OBLIGATION,
        "can't be / cannot be / can only / may only / may not be / must / have to / has to / had to / need to / needs to / needed to / (i've|we've|you've|have|has) got to / required to / is required / are required / requires / require / mandatory / obligatory / compulsory / necessary / essential / be sure to / make sure / ensure / obliged to / forced to / no choice but / needs at least / we'd need / they'd need / requirement / prerequisite / non-negotiable / crucial that / vital that / important that / critical that / is needed / are needed / i need it to / i need this to / should be / should have",
    ),
    cue(
        Sign.FREE,
        "don't have to / doesn't have to / do not have to / don't need / doesn't need / do not need / no need to / needn't",
        "without having to / not necessary / not required / isn't required / isn't necessary / not mandatory / optional",
    ),
    cue(
        Sign.IDIOM,
        "can't wait / cannot wait / couldn't wait / can't believe / can't help / can't complain / can't imagine / can't thank",
        "can't stop / couldn't agree / couldn't be / couldn't ask / can't say enough / can't go wrong / never mind / never know",
        "must have (been|had|felt|made|taken|gone|done|seen) / must be (so|really|very|hard|nice|tough|great|exciting|amazing)",
        "can't tell you / couldn't help / couldn't believe / impossible to forget / can't lie / not gonna lie",
    ),
    cue(Sign.NEED, "need / needs / needed / will need / requires / require / calls for / takes at least / demands"),
    cue(
        Sign.LIMIT,
        "at most / at least / no more than / no less than / not more than / no fewer than / up to # / max / maximum / minimum / min # / limit / limited to / limit of / limits / limited / capped at / cap of / cap / ceiling / budget / deadline / due (on|by|date|in) / by (monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight|january|february|march|april|may|june|july|august|september|october|november|december|the end of|end of|next|noon|midnight|christmas|easter|summer|winter|spring|autumn|fall|#)",
        "within # / under # / below # / less than # / fewer than # / over # / only have / only has / only got / only a / have only / has only / only # / just # / restricted to / not allowed / allergic / allergy / intolerant / vegan / vegetarian / gluten-free / before (january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|#) / tops out / maxes out / bottoms out / and that's it / window is / hard stop / non-negotiable / or else / otherwise we / as long as / provided that / only if / only when / unless / until # / wants the whole / not before / not until / not after / not later than / no later than / exclusively / strictly",
    ),
    cue(
        Sign.BAN,
        "can't / cannot / can not / couldn't / mustn't / must not / may not / shouldn't / should not / not allowed / isn't allowed / aren't allowed / forbidden / prohibited / banned / ^ never / (must|should|can|could|will) never / (i|we) never (eat|drink|use|buy|want|work|take) / don't ever / no # / impossible / isn't possible / not possible / unable to / won't sign / won't work / won't allow / won't let / doesn't allow / do not / don't allow / not permitted / refuse to / refuses to / off limits / avoid / hate / hates / can't stand / don't want to / doesn't want to / do not want to / without having to / not an option / don't use / don't have time / don't have the / ruled by / no longer than",
    ),
    cue(
        Sign.OWN_FUTURE,
        f"{_ILL} / {_IM} (going to|gonna|about to|planning to|doing|ordering|calling|meeting|booking|sending|writing|seeing|starting|visiting|buying|setting|working on it)",
        "^ will / i need to (call|ask|email|mail|check|write|book|buy|order|find|talk|send|finish|get|look|schedule|prepare|update|register|contact|phone|ring|pick|fix|file|submit|sign|pay|renew|read|review|set|tell|do|clean|make)",
        "we need to (call|ask|email|mail|check|write|book|buy|order|find|talk|send|finish|look|schedule|prepare|update|register|contact|phone|ring|file|submit|sign|pay|renew)",
        "i have to (call|ask|email|mail|check|write|book|buy|order|find|talk|send|finish|look|schedule|prepare|register|contact|phone|ring|submit|sign|pay|renew)",
        "i should (call|ask|email|mail|check|book|order|talk|send|look|schedule|register|contact|phone|ring|submit|pay|renew|probably|really)",
        "(i'd|i|we|we'd) (have|need|got|ought) to (ask|call|check|talk|tell|email|mail|speak|look|confirm|clear|discuss|consult|run it|think)",
        "^ (gonna|going to|gotta|need to|have to) / remind me to / remember to / don't forget to / i promise to / i plan to / we plan to / i intend to / plan to / my next step / next step is / first thing i'll",
    ),
    cue(
        Sign.TASK,
        "to do / todo / to-do / action item / next step / next steps / homework / ^ please / please (send|bring|return|confirm|reply|submit|call|sign|pay|fill) / follow up / remind me / needs doing / needs to be done / still need to / still have to / also need to",
    ),
    cue(
        Sign.SOON,
        "tomorrow / tmrw / tmr / tonight / this (week|weekend|evening|afternoon|month|morning) / next (week|weekend|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday|time) / on (monday|tuesday|wednesday|thursday|friday|saturday|sunday) / (monday|tuesday|wednesday|thursday|friday|saturday|sunday) $ / by (monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight) / at the weekend / over the weekend / on the weekend / after work / later today / in the morning / soon / the day after",
    ),
    cue(
        Sign.ADVICE,
        "^ (i'd|i would) / i recommend / i'd recommend / i suggest / i'd suggest / i would suggest / i would recommend / i advise / my advice / my suggestion / my recommendation / recommended / it's best to / best to / it is best to / you should / you could / you might / you may want / you can / you'd better / you might want / consider / try / it's worth / worth a / is worth / why not / how about / what about / should / ought to / could also / would be better / better to / the best option / good option / great option / obvious candidate / is a good choice / good choice / great choice / an alternative / one option / another option / (second|third|fourth|better|cheaper|simpler|safer|other) option / one idea / another idea / is plenty / is enough / would be ideal / ideal for / we could / we can / aim for / aim to / opt for / go with / let's / feel free to",
    ),
    cue(
        Sign.FLOATS,
        "^ (could|can|should|shall|might) we (maybe|perhaps|possibly|also|just|instead|rather) / ^ could we / ^ could i (also|maybe|perhaps|instead|just) / ^ should (we|i) (maybe|perhaps)",
        "^ what if / ^ how about / ^ what about / ^ would it (make sense|be better|help|be possible) to / ^ maybe (we|i) (should|could|can)",
    ),
    cue(
        Sign.WANTS,
        "(i|we) want (it|this|that|them|the|a|an|my|our|all|both|no|#|one|only|just) / (i|we) (do|don't) want (it|this|that|them|the|a|an|any) / (i|we)'d like (it|this|that|the) / ^ (i|we) (take|pick|keep|drop|skip|choose) / let it be / make it / make that / give it",
    ),
    cue(Sign.POSSIBLE, "could / might / may"),
    cue(
        Sign.NOVEL,
        "^ (another|one|new|crazy|wild|quick|random|also|) idea / (an|another|my|one|new) idea / ideas $ / what about / how about / imagine / what if / wouldn't it be / we could try / could try / thought of / came up with / brainwave / would be fun / would be cool / concept / suggestion / for later",
    ),
    cue(
        Sign.ASKS,
        "^ (what|which|who|whom|whose|when|where|why|how) (is|are|was|were|do|does|did|can|could|should|would|will|has|have|had|about|if|else|much|many|long|often|big|far|old|come|to|am|may|might|must|the|kind|type|sort|one|other)",
        "^ (is|are|was|were|does|did|can|could|should|would|will|has|am|may|shall|isn't|aren't|don't|doesn't|didn't|can't|couldn't|shouldn't|wouldn't|won't|hasn't|haven't) (i|you|he|she|it|we|they|this|that|there|the|a|an|my|your|our|his|her|its|their|these|those|any|some|anyone|someone|people|everyone)",
        "^ (do|have|had) (i|you|he|she|it|we|they|these|those|people|any|most)",
        "not sure (whether|who) / unsure (whether|who) / don't know (whether|who) / undecided (whether|between)",
        "what's / any (idea|ideas|tips|suggestions|advice|thoughts|way|recommendations|chance) / no idea (how|what|why|where|which|who|when|whether|if) / not sure (how|what|why|where|which|who|when) / don't know (how|what|why|where|which|who|when) / i wonder (how|what|why|where|which|who|when) / no clue / wondering (how|what|why) / unsure (how|what|which) / don't understand / don't get / can't figure out / never decided / want to know / wanna know / like to know / curious / my question / question is / question about / how come / what happens / thoughts / how do i / how do we / how does / how should / or not $ / what else",
    ),
    cue(
        Sign.REQUEST,
        "(can|could|would|will) you / please / let's (see|hear|look|get|dive|jump|continue|proceed|start|begin|discuss|review|recap|talk|go through|go over|focus|work|explore|move on|move forward) / i need you to / i want you to / i'd like you to / i would like you to / help me / need help / need your help / ^ give me / ^ tell me / ^ show me / please (tell|show|give|help) me / i'm looking for / i am looking for / looking for (a|an|some|advice|help|tips) / i need (a|an|some) (plan|list|summary|draft|recipe|example|table|schedule|breakdown|overview|template|explanation|guide) / would appreciate / walk me through / remind me what / let me know",
    ),
    cue(
        Sign.REPORTED,
        "(he|she|they|who|mum|mom|dad|boss|wife|husband|partner|friend|colleague|doctor|editor|team|client|customer|teacher|landlord|sister|brother|mother|father|son|daughter|supervisor|advisor|lawyer|trainer|agent) (said|says|say|told|tells|thinks|think|wants|want|wanted|insists|insist|claims|claim|suggested|suggests|swears|recommends|recommended|asked|asks|wrote|writes|believes|prefers|hopes|feels|argues|would|will)",
        "(says|said|told|swears|claims|insists|wrote|suggested|argues|reckons|thinks|wants|recommends) / according to / is convinced / still wants / they wrote",
    ),
    cue(
        Sign.PREFERENCE,
        "i prefer / we prefer / i like / i love / i enjoy / i want / we want / i'd like / i would like / we'd like / i'd love / i would love / i need / we need / my goal / my aim / i aim / i hope to / looking to / would prefer / i hate / i dislike / i can't stand / interested in / be able to",
    ),
    cue(
        Sign.WRAPPER,
        "hang in there / fair enough / keep going / stay strong / you can do (it|this) / don't worry / no worries / ^ things (i|we) / great question / good question / excellent question / let's break / let's dive / let's look / let's explore / let's go through / let's get started / let's take a look / let me know / i hope / hope this / hope that / ^ (i'm|i am) (glad|happy|sorry|pleased|delighted|thrilled|here|ready|always|so|really|very) / ^ that's (excellent|great|good|wonderful|fantastic|amazing|awesome|perfect|lovely|brilliant|terrific) / ^ that's (a|an) (very|really|great|good|excellent|fantastic|thoughtful|wonderful|brilliant|insightful|important) / it's (completely|perfectly|totally|entirely|absolutely) (understandable|normal|okay|ok|natural|fine) / your feelings are / take your time / i (hear|appreciate|admire|acknowledge) / it's (great|wonderful|good|fantastic|amazing) (to hear|that) / no rush / happy to / i'd be happy / i'm happy to / glad / feel free / would you like (me|to) / do you want me / want me to / shall i / shall we / should i (draft|write|create|help|explain) / if you'd like / if you want(| me| to) / if you need (any|more|further|help|anything) / if you have any / here's (a|an|the|how|what|your|my|some) / here is (a|an|the|how|what|your|my|some) / here are / below (is|are|you'll) / below you'll / i can help / i'm here / i'll help / i can also / i understand / i see / i apologize / i apologise / my apologies / apologies / sorry for / you're absolutely right / you're right / you are right / that's right / that's correct / that makes sense / makes sense / makes total sense / good luck / happy (coding|cooking|gardening|writing|travels|running|learning|planning|building|reading|hunting|hacking|baking|planting) / ^ enjoy (the|your) (planning|journey|process|ride|trip|stay|weekend|day|evening|vacation|holiday|flight|meal|rest|read|show) / ^ enjoy $ / have fun / safe travels / take care / best of luck / keep me posted / what a / congratulations / congrats / sounds (good|great|like|exhausting|tough|frustrating|amazing|exciting|wonderful|fantastic|perfect|lovely|delicious|stressful|hard) $ / that sounds / this sounds / sounds great / sounds good / love it / got it / noted / understood / of course / certainly / absolutely / sure thing / no problem / my pleasure / you're welcome / thank you / thanks / welcome back / in summary / to summarize / to sum up / in short / as requested / as you requested / as an ai / quick recap / long story short / not gonna lie / to be honest / bear with me / here's what i / let's start / let's begin / ready to / excellent / perfect / wonderful / fantastic / great job / well done / nice work / nice job / how does (that|this) sound / what do you think / does that (help|make sense|sound|work) / does this (help|make sense|sound|work|look) / anything else / any other questions / any questions / questions so far / is there anything / would that (help|work|be) / can i help / how can i / how may i / i'm sorry / so sorry / i'm so / proud of / you've got this / you got this / what would you like / which one would you / which of these / would you prefer me / i've (updated|revised|added|included|created|incorporated|adjusted|drafted|prepared|outlined|compiled)",
    ),
    cue(
        Sign.COURTESY,
        "^ (hi|hello|hey|dear|good morning|good evening|good afternoon|greetings|hiya|howdy) / thank you / thanks / thx / ty / many thanks / cheers / best regards / kind regards / warm regards / regards / sincerely / yours / all the best / best wishes / see you / bye / goodbye / good night / talk soon / talk later / take care / have a (great|good|nice|lovely|wonderful) / how are you / how have you been / how's it going / what's up / hope you're / hope you are / good to (see|hear) / nice to (see|hear|meet) / great to (see|hear) / long time no see / no worries / no problem / you're welcome / my pleasure / love you / xoxo / bless (him|her|them|you) / you're the best / you rock / much appreciated / appreciate it / i appreciate / thanks for having / i'm going (insane|crazy|mad|nuts) / (i|we) want to (cry|scream) / i'm losing it / lol / haha / fingers crossed / typing with / dictating / voice note / sorry for the / sorry about / sorry switching / excuse the / pardon the",
    ),
    cue(Sign.EXAMPLE, "^ (for example|e.g|eg|for instance|such as|like|i.e|ie|namely|say|ideally)"),
    cue(
        Sign.OPTIONS,
        "option / options / idea / ideas / suggestion / suggestions / step / steps / plan / tip / tips / recommendation / recommendations / recommended / alternative / alternatives / strategy / strategies / approach / approaches / way / ways / fix / fixes / schedule / itinerary / routine / tiers / proposal / proposed / what i'd do / what i would do / how to / to do / todo / workout / meal / menu / roadmap / next steps / solution / solutions / checklist / ask for / try / consider / should / could / outline / structure / phase / week / session / action / actions / exercise / exercises / drill / drills / goals / timeline / things to / concept / names / candidates / variants / migration / planting / ingredients",
    ),
    cue(
        Sign.REFERENCE,
        "that / this / it / these / those / them / the plan / the rest / rest of / your / you said / you suggested / option (a|b|c|d|e|#) / number # / (first|second|third|last|other) (one|option|idea|suggestion) / both / all of (it|them|that) / the (first|second|third|last|other) / the former / the latter / ^ (a|b|c|d|e) / # and # / step # / either / thing / things / one",
    ),
)
