"""English cue phrases for how people talk: advise, ask, report, greet, announce."""

from __future__ import annotations

from extract.languages.lexicon import Cue, Sign, cue

TALK: tuple[Cue, ...] = (
    cue(
        Sign.ADVICE,
        "^ (i'd|i would) / i recommend / i'd recommend / i suggest / i'd suggest",
        "i would suggest / i would recommend / i advise / my advice / my suggestion",
        "my recommendation / recommended / it's best to / best to / it is best to / you should",
        "you could / you might / you may want / you can / you'd better / you might want",
        "consider / try / it's worth / worth a / is worth / why not / how about / what about",
        "should / ought to / could also / would be better / better to / the best option",
        "good option / great option / obvious candidate / is a good choice / good choice",
        "great choice / an alternative / one option / another option",
        "(second|third|fourth|better|cheaper|simpler|safer|other) option / one idea",
        "another idea / is plenty / is enough / would be ideal / ideal for / we could / we can",
        "aim for / aim to / opt for / go with / let's / feel free to",
    ),
    cue(
        Sign.FLOATS,
        "^ (could|can|should|shall|might) we (maybe|perhaps|possibly|also|just|instead|rather)",
        "^ could we / ^ could i (also|maybe|perhaps|instead|just)",
        "^ should (we|i) (maybe|perhaps)",
        "^ what if / ^ how about / ^ what about",
        "^ would it (make sense|be better|help|be possible) to",
        "^ maybe (we|i) (should|could|can)",
    ),
    cue(
        Sign.WANTS,
        "(i|we) want / ^ want (a|an|the|it|this|that|my|our|all|both|no|#|one|only|just|something)",
        "(i|we) (do|don't) want (it|this|that|them|the|a|an|any)",
        "(i|we)'d like (it|this|that|the) / ^ (i|we) (take|pick|keep|drop|skip|choose)",
        "let it be / make it / make that / give it",
    ),
    cue(Sign.POSSIBLE, "could / might / may"),
    cue(
        Sign.NOVEL,
        "^ (another|one|new|crazy|wild|quick|random|also|) idea / (an|another|my|one|new) idea",
        "ideas $ / what about / how about / imagine / what if / wouldn't it be / we could try",
        "could try / thought of / came up with / brainwave / would be fun / would be cool",
        "concept / suggestion / for later",
    ),
    cue(
        Sign.ASKS,
        (
            "^ (what|which|who|whom|whose|when|where|why|how) (is|are|was|were|do|does|did|can|could|"
            "should|would|will|has|have|had|about|if|else|much|many|long|often|big|far|old|come|to|"
            "am|may|might|must|the|kind|type|sort|one|other)"
        ),
        (
            "^ (is|are|was|were|does|did|can|could|should|would|will|has|am|may|shall|isn't|aren't|"
            "don't|doesn't|didn't|can't|couldn't|shouldn't|wouldn't|won't|hasn't|haven't) (i|you|he|"
            "she|it|we|they|this|that|there|the|a|an|my|your|our|his|her|its|their|these|those|any|"
            "some|anyone|someone|people|everyone)"
        ),
        "^ (do|have|had) (i|you|he|she|it|we|they|these|those|people|any|most)",
        "not sure (whether|who) / unsure (whether|who) / don't know (whether|who)",
        "undecided (whether|between)",
        "^ what's / any (idea|ideas|tips|suggestions|advice|thoughts|way|recommendations|chance)",
        "no idea (how|what|why|where|which|who|when|whether|if)",
        "not sure (how|what|why|where|which|who|when)",
        "don't know (how|what|why|where|which|who|when)",
        "i wonder (how|what|why|where|which|who|when) / no clue / wondering (how|what|why)",
        "unsure (how|what|which) / don't understand / don't get / can't figure out",
        "never decided / want to know / wanna know / like to know / curious / my question",
        "question is / question about / how come / what happens / thoughts / how do i / how do we",
        "how does / how should / or not $ / what else",
    ),
    cue(
        Sign.REQUEST,
        "(can|could|would|will) you / please",
        (
            "let's (see|hear|look|get|dive|jump|continue|proceed|start|begin|discuss|review|recap|"
            "talk|go through|go over|focus|work|explore|move on|move forward)"
        ),
        "i need you to / i want you to / i'd like you to / i would like you to / help me",
        "need help / need your help / ^ give me / ^ tell me / ^ show me",
        "please (tell|show|give|help) me / i'm looking for / i am looking for",
        "looking for (a|an|some|advice|help|tips)",
        (
            "i need (a|an|some) (plan|list|summary|draft|recipe|example|table|schedule|breakdown|"
            "overview|template|explanation|guide)"
        ),
        "would appreciate / walk me through / remind me what / let me know",
    ),
    cue(
        Sign.REPORTED,
        (
            "(he|she|they|who|mum|mom|dad|boss|wife|husband|partner|friend|colleague|doctor|editor|"
            "team|client|customer|teacher|landlord|sister|brother|mother|father|son|daughter|"
            "supervisor|advisor|lawyer|trainer|agent) (said|says|say|told|tells|thinks|think|wants|"
            "want|wanted|insists|insist|claims|claim|suggested|suggests|swears|recommends|"
            "recommended|asked|asks|wrote|writes|believes|prefers|hopes|feels|argues|would|will)"
        ),
        "(says|said|told|swears|claims|insists|wrote|suggested|argues|reckons|thinks|wants|recommends)",
        "according to / is convinced / still wants / they wrote",
    ),
    cue(
        Sign.PREFERENCE,
        "i prefer / we prefer / i like / i love / i enjoy / i want / we want / i'd like",
        "i would like / we'd like / i'd love / i would love / i need / we need / my goal / my aim",
        "i aim / i hope to / looking to / would prefer / i hate / i dislike / i can't stand",
        "interested in / be able to",
    ),
    cue(
        Sign.WRAPPER,
        "hang in there / fair enough / keep going / stay strong / you can do (it|this)",
        "don't worry / no worries / ^ things (i|we) / great question / good question",
        "excellent question / let's break / let's dive / let's look / let's explore",
        "let's go through / let's get started / let's take a look / let me know / i hope",
        "hope this / hope that",
        "^ (i'm|i am) (glad|happy|sorry|pleased|delighted|thrilled|here|ready|always|so|really|very)",
        (
            "^ that's (excellent|great|good|wonderful|fantastic|amazing|awesome|perfect|lovely|"
            "brilliant|terrific)"
        ),
        (
            "^ that's (a|an) (very|really|great|good|excellent|fantastic|thoughtful|wonderful|"
            "brilliant|insightful|important)"
        ),
        (
            "it's (completely|perfectly|totally|entirely|absolutely) (understandable|normal|okay|ok|"
            "natural|fine)"
        ),
        "your feelings are / take your time / i (hear|appreciate|admire|acknowledge)",
        "it's (great|wonderful|good|fantastic|amazing) (to hear|that) / no rush / happy to",
        "i'd be happy / i'm happy to / glad / feel free / would you like (me|to) / do you want me",
        "want me to / shall i / shall we / should i (draft|write|create|help|explain)",
        "if you'd like / if you want(| me| to) / if you need (any|more|further|help|anything)",
        "if you have any / here's (a|an|the|how|what|your|my|some)",
        "here is (a|an|the|how|what|your|my|some) / here are / below (is|are|you'll)",
        "below you'll / i can help / i'm here / i'll help / i can also / i understand / i see",
        "i apologize / i apologise / my apologies / apologies / sorry for",
        "you're absolutely right / you're right / you are right / that's right / that's correct",
        "that makes sense / makes sense / makes total sense / good luck",
        (
            "happy (coding|cooking|gardening|writing|travels|running|learning|planning|building|"
            "reading|hunting|hacking|baking|planting)"
        ),
        (
            "^ enjoy (the|your) (planning|journey|process|ride|trip|stay|weekend|day|evening|"
            "vacation|holiday|flight|meal|rest|read|show)"
        ),
        "^ enjoy $ / have fun / safe travels / take care / best of luck / keep me posted / what a",
        "congratulations / congrats",
        (
            "sounds (good|great|like|exhausting|tough|frustrating|amazing|exciting|wonderful|"
            "fantastic|perfect|lovely|delicious|stressful|hard) $"
        ),
        "that sounds / this sounds / sounds great / sounds good / love it / got it / noted",
        "understood / of course / certainly / absolutely / sure thing / no problem / my pleasure",
        "you're welcome / thank you / thanks / welcome back / in summary / to summarize",
        "to sum up / in short / as requested / as you requested / as an ai / quick recap",
        "long story short / not gonna lie / to be honest / bear with me / here's what i",
        "let's start / let's begin / ready to / excellent / perfect / wonderful / fantastic",
        "^ (you're|you are) (so|totally|completely|absolutely|spot|quite|very) (right|correct|on|welcome)",
        "^ (you're|you are) (correct|welcome|right)",
        "(good|great|nice|smart) (call|thinking|shout|spot|catch|one|move)",
        "(good|fair) on (you|ya) / bloody oath / too easy / no dramas / no worries / well said / spot on $",
        "that's the (spirit|gist|idea|way|plan|attitude)",
        "(i|we) (completely|totally|fully|absolutely|truly) (understand|agree|appreciate|get|hear)",
        "what do you (reckon|say) / sharp sharp / top-notch $ / righto / g'day / strewth / no stories $",
        "^ (that's|it's|this is) (all|it) $ / ^ here (we|you) go $",
        "let's (do this|go|get to it|get cracking) $",
        "should be (so|very|really|incredibly) proud",
        "^ let's get (you|started|cracking|going|this done)",
        "that's exactly (it|right) $ / certainly not (my|our) intention",
        "great job / well done / nice work / nice job / how does (that|this) sound",
        "what do you think / does that (help|make sense|sound|work)",
        "does this (help|make sense|sound|work|look) / anything else / any other questions",
        "any questions / questions so far / is there anything / would that (help|work|be)",
        "can i help / how can i / how may i / i'm sorry / so sorry / i'm so / proud of",
        "you've got this / you got this / what would you like / which one would you",
        "which of these / would you prefer me",
        (
            "i've (updated|revised|added|included|created|incorporated|adjusted|drafted|prepared|"
            "outlined|compiled)"
        ),
    ),
    cue(
        Sign.COURTESY,
        "^ (hi|hello|hey|dear|good morning|good evening|good afternoon|greetings|hiya|howdy)",
        "thank you / thanks / thx / ty / many thanks / cheers / best regards / kind regards",
        "warm regards / regards / sincerely / yours / all the best / best wishes / see you / bye",
        "goodbye / good night / talk soon / talk later / take care",
        "have a (great|good|nice|lovely|wonderful) / how are you / how have you been",
        "how's it going / what's up / hope you're / hope you are / good to (see|hear)",
        "nice to (see|hear|meet) / great to (see|hear) / long time no see / no worries",
        "no problem / you're welcome / my pleasure / love you / xoxo / bless (him|her|them|you)",
        "you're the best / you rock / much appreciated / appreciate it / i appreciate",
        "thanks for having / i'm going (insane|crazy|mad|nuts) / (i|we) want to (cry|scream)",
        "i'm losing it / lol / haha / fingers crossed / typing with / dictating / voice note",
        "^ you know $ / ^ you know (me|it|the drill|how it is) $ / ^ my (guy|man|friend|bad|word) $",
        "^ indeed $",
        "^ sharp sharp / ^ top-notch / ^ bloody oath / ^ righto / ^ g'day / ^ no stories $",
        "^ (grouse|ripper) $",
        "^ glad / ^ no more (waiting|delays|talk|excuses|wasting|stories|mucking|back)",
        "that's exactly (it|right) $",
        "good on (you|ya) / nice one / well done / good job / spot on $ / ^ exactly $ / ^ true $",
        "^ fair enough $",
        "sorry for the / sorry about / sorry switching / excuse the / pardon the",
    ),
    cue(Sign.EXAMPLE, "^ (for example|e.g|eg|for instance|such as|like|i.e|ie|namely|say|ideally)"),
    cue(
        Sign.OPTIONS,
        "option / options / idea / ideas / suggestion / suggestions / step / steps / plan / tip",
        "tips / recommendation / recommendations / recommended / alternative / alternatives",
        "strategy / strategies / approach / approaches / way / ways / fix / fixes / schedule",
        "itinerary / routine / tiers / proposal / proposed / what i'd do / what i would do",
        "how to / to do / todo / workout / meal / menu / roadmap / next steps / solution",
        "solutions / checklist / ask for / try / consider / should / could / outline / structure",
        "phase / week / session / action / actions / exercise / exercises / drill / drills",
        "goals / timeline / things to / concept / names / candidates / variants / migration",
        "planting / ingredients",
    ),
    cue(
        Sign.REFERENCE,
        "that / this / it / these / those / them / the plan / the rest / rest of / your",
        "you said / you suggested / option (a|b|c|d|e|#) / number #",
        "(first|second|third|last|other) (one|option|idea|suggestion) / both",
        "all of (it|them|that) / the (first|second|third|last|other) / the former / the latter",
        "^ (a|b|c|d|e) / # and # / step # / either / thing / things / one",
    ),
)
