"""English cue phrases for what a speaker does with a claim: doubts it, settles it, owes it, forbids it.

A family is listed whole: a cue without its relatives fits one sentence, not a language.
"""

from __future__ import annotations

from extract.languages.lexicon import Cue, Sign, cue

_I = "(i|we)"
_IM = "(i'm|we're|i am|we are)"
_ILL = (
    "(i'll|we'll|i will|we will|i shall|we shall|i'm gonna|we're gonna|imma|i am going to|"
    "i'm going to|we're going to)"
)

CUES: tuple[Cue, ...] = (
    cue(
        Sign.HEDGE,
        "maybe / perhaps / possibly / probably / presumably / potentially / conceivably / might",
        "hopefully / somehow",
        (
            "^ (still|really|just|honestly|) (not sure|unsure|not certain|not convinced|not entirely "
            "sure|not so sure)"
        ),
        (
            "(i'm|we're|i am|we are) (still|really|just|quite|so|) (not sure|unsure|not certain|not "
            "convinced|not entirely sure|not 100%|not really sure|not so sure|not quite sure|not "
            "totally sure)"
        ),
        "not sure $",
        "undecided / on the fence / torn / in two minds / hesitant / hesitating",
        "i guess / i suppose / i think / i feel like / i assume / i imagine / i reckon",
        "i believe / i figure / i suspect",
        "we think / we guess / we suppose / i wonder / wondering (if|whether|about) / i doubt",
        "doubtful / i'd guess",
        "(i|we|it's|i'm|we're|that's|is|are|am|was|feel|feels|felt|just|only|and|but) (kind|sort) of",
        "kinda / sorta / somewhat / in a way / more or less / or something / or so i think",
        "^ thinking / thinking (of|about) / thinking maybe / was thinking / were thinking",
        "been thinking / considering / contemplating",
        "toying with / playing with the idea / tempted / leaning / inclined / flirting with",
        "weighing / mulling",
        "what if / could be / could also be / may be / might be / would be nice / would be cool",
        "would be great / would love to",
        "was going to / were going to / was gonna / had planned to / had meant to / was planning",
        "was hoping / used to think",
        "don't know (if|whether|about) / idk / no idea (if|whether) / can't tell (if|whether)",
        "hard to say / can't decide",
        "haven't decided / haven't made up / not decided / not settled / to be decided / tbd",
        "open to / up in the air",
        "someday / some day / one day / at some point / eventually / in the future / in theory",
        "theoretically / ideally",
        "seems / sounds wrong / sounds off / sounds like overkill / looks like it",
        "(i|we) could / (i|we) might / (i|we) may / could (i|we) just / if (i|we) could",
        "wouldn't mind / not opposed",
        "apparently / supposedly / allegedly / i hear that / rumour / rumor",
    ),
    cue(
        Sign.TURNS,
        "changed (my|our) (mind|minds) / change of (plan|plans|mind|heart)",
    ),
    cue(
        Sign.TURNS | Sign.RETRACTS,
        "^ (scratch|scrap|strike) that / ^ actually (no|scrap|forget|scratch|strike) / ^ (wait|hang on) no",
        "^ (actually|wait|hang on|hmm|oh) , no / ^ no , (wait|actually) / ^ no (wait|actually)",
        "^ on second (thought|thoughts)",
    ),
    cue(Sign.TURNS, "on second (thought|thoughts)"),
    cue(
        Sign.SUPPOSED,
        "suppose / supposing / hypothetically / hypothetical / in a parallel universe / in another life",
        "(imagine|pretend|assume|picture) (i|we|i'd|we'd|i'm|we're|i've|we've|that|for|if|this|a world)",
        "let's (imagine|pretend|suppose|assume|say) / ^ say (i|we) / for argument's sake",
        "for the sake of argument",
        "as a thought experiment / thought experiment / devil's advocate",
        "as if (i|we) (had|would|were|was|could)",
        (
            "if (i|we) (had|hadn't|decided|chose|went|picked|took|dropped|bought|switched|settled|"
            "agreed|were|was)"
        ),
        "if (i|we) ever (decide|choose|go|pick|take|drop|buy|switch|settle|agree)",
        "(if|suppose) (i'd|we'd) / ^ had (i|we) / (i|we) wish (i|we) / wish (i|we) had / if only (i|we)",
        (
            "(i|we) (could|would|might|should) have (decided|chosen|gone|picked|taken|dropped|bought|"
            "switched|settled)"
        ),
        "(i'd|we'd|i|we) (would've|could've|might've|should've)",
        "(i|we) (almost|nearly) (decided|chose|went|picked)",
        "(i|we) (almost|nearly) (took|dropped|bought|switched|settled|agreed) / (dreamt|dreamed) (that|i|we)",
        (
            "(i|we) (haven't|have not|hadn't|didn't|did not|never) (actually|really|quite|yet|"
            ") (decide|decided|choose|chosen|settle|settled)"
        ),
        "in a (dream|novel|story) (i|we) / in my dream",
    ),
    cue(
        Sign.JEST,
        "(just|only|i'm|i am|we're|totally|obviously) (kidding|joking|messing)",
        "^ (kidding|joking|jk|psych) / jk $",
        "that was (a joke|sarcasm|sarcastic|irony|ironic) / not really $ / not seriously $ / as if $",
        "yeah right $",
        "what could (possibly|) go wrong / (being|was) (sarcastic|ironic|facetious) / pulling your leg",
        "don't take (that|this|it) seriously / ^ april fools / ^ (nah|no) (just|only) (kidding|joking)",
    ),
    cue(
        Sign.POSTPONED | Sign.HEDGE,
        "let me think / let me sleep / sleep on (it|that|this) / think about it / think it over",
        "think on it / mull it over",
        "park (that|this|it) / let's park / park _ for (now|later) / we'll see / let's see $",
        "let's see (how|if|whether|what happens) / let's wait / decide later / revisit",
        "come back to (that|this|it) / get back to (you|that|this|it) / maybe later / maybe next",
        "not yet / another time",
        "postpone / put (off|that off|it off) / hold off / wait and see / undecided",
        "jury is still out / keep that in mind",
        "need to think / have to think / give it some thought / play it by ear / not ready to",
        "too early to",
    ),
    cue(
        Sign.COMMIT,
        "_ it is $ / it is then",
        "^ (i|we|i've|we've) (just|finally|now|) (decided|settled on|chose|agreed) / ^ decided",
        "has been decided / it's settled / that's settled",
        "^ go with / (i'll|we'll|let's|i'd|to|can|will|should|i|we) go with / ^ going with",
        "(i'm|we're) going with / ^ go for / (i'll|we'll|let's) go for / (i|we) opt for",
        "opting for / opted for",
        "(i|we) choose / (i|we) chose / (i'll|we'll) pick / (i|we) picked / (i|we) selected",
        "my choice / my pick / our pick",
        "off the table / out of the question / ruled out / rule out",
        "(i|we) no longer (want|need|use|do|plan)",
        "from now on / from here on / going forward / as of now / final answer / final decision",
        "it's final / that's final / done deal",
        "^ (i'd|we'd|i would|we would) rather / i'd sooner / would rather / much rather",
        "that's better / the better one",
        "^ (that one|this one|those two|these two|the former|the latter) $",
        "(that one|those two|these two) (please|then|it is)",
        "(i'll|we'll|let's|^) (stick|stay) (with|to|on) / (i'm|we're) (sticking|staying) (with|to|on)",
        "stays / stays on",
        f"{_IM} (switching|dropping|cutting|keeping|skipping|killing|ditching|scrapping|quitting)",
        f"{_IM} (replacing|removing)",
        f"{_I} (won't|will not) (do|use|take|buy|go|pay|include|add|keep|sign|switch|change|join)",
        f"{_I} (won't|will not) (attend|host|hire|sell|rent|order|continue)",
        f"{_IM} not (going to|gonna|using|taking|paying|buying|changing|switching)",
        "new rule / house rule / rule from now / that's the rule / is the rule / a rule now",
        "my rule",
        "made up my mind / made up our minds / made the call / changed (my|our) (mind|minds)",
        "(i'm|we're) calling it (a|the|done|off)",
        "(let's|i'll|we'll|^) call it / lock (it|that|this) in",
        "won't be (using|doing|going|taking) / signed off / sign off on / greenlit / green light",
        (
            "^ (i've|we've|i have|we have) (decided|chosen|picked|settled|agreed|opted|ruled|dropped|"
            "switched|scrapped|abandoned)"
        ),
        "(i|we) want it (set|in|on|at|done) / want it to be _ instead / instead of that",
        "instead $ / instead then",
    ),
    cue(
        Sign.COMMIT | Sign.IMPERATIVE,
        (
            "^ let's (do|use|keep|take|drop|skip|cut|scrap|stick|stay|switch|pick|choose|ship|add|"
            "put|remove|buy|book|order|finalize|finalise|lock|implement|forget|change|replace|"
            "postpone|reschedule|cancel|split|limit|go with|go for|go ahead)"
        ),
    ),
    cue(
        Sign.ASSENTS,
        "^ (yes|yep|yeah|yup|ok|okay|sure|agreed|deal|perfect|fine|sold|approved|confirmed|right)",
        "yes $ / yep $ / yeah $ / ok $",
        "sure $ / agreed $ / fine $ / approved $",
        "(fine|ok|okay|yes|good) (whatever|then|too|by|with|for|i guess)",
    ),
    cue(
        Sign.TAKES_UP,
        "then $ / then please $ / ^ (ok|okay|fine|agreed|perfect|deal|alright|sold)",
        "instead $ / it is then $",
    ),
    cue(
        Sign.ACCEPT,
        "sounds good / sounds great / works for me / works for us / fine by me / fine with me",
        "go ahead / ^ agreed (on|to) / ok to / yes to",
        "is fine / are fine / is ok / are ok / ^ that works / that works (for|then)",
        "that works $ / good call / i agree / i accept / we accept / we agree / i'm in $ / i'm sold",
        "^ do (it|that|this|both|all) / ^ just do (it|that|this|both)",
        "^ (let's|i'll|we'll) do (it|that|this|both) / ^ doing (this|that|it) / go for it",
        "count me in / is a go / is approved / is accepted / i'm on board",
        "like you said / as you said / as you suggested / as suggested / as proposed",
        "you suggested / that's a yes / a yes",
        "^ (i|we) (approve|agree|accept|confirm) / happy with / it's a yes / it's a deal",
        "that's settled then",
    ),
    cue(
        Sign.REJECT,
        "^ (no|nope|nah) / ^ not (the|that|this|those|these|a|an|any) / no $ / nope $",
        "not (this|next) (year|month|week|time|one|round) / not for (me|us|now) / no way / no go",
        "no thanks / no thank you / is out / are out / that's out / off the table / (but|is) no",
        "a no from / is a no / that's a no / hard no / hard pass / i'll pass / pass on",
        "scrap / ditch / drop (the|that|it) / forget (the|that|it|about) / don't want",
        "doesn't appeal / not for me / not for us / rejected / reject / ruled out / not happening",
        "never mind / nevermind / not interested",
    ),
    cue(
        Sign.OBLIGATION,
        "can't be / cannot be / can only / may only / may not be / must / have to / has to",
        "had to / need to / needs to / needed to / (i've|we've|you've|have|has) got to",
        "required to / is required / are required / requires / require / mandatory / obligatory",
        "compulsory / (is|are|be) necessary / (is|are|be) essential / be sure to / make sure / ^ ensure",
        "must ensure",
        "should ensure / to be ensured / obliged to",
        "forced to / no choice but / needs at least / we'd need / they'd need / requirement",
        "prerequisite / non-negotiable / crucial that / vital that / important that",
        "critical that / is needed / are needed / i need it to / i need this to / should be",
        "should have",
    ),
    cue(
        Sign.FREE,
        "don't have to / doesn't have to / do not have to / don't need / doesn't need",
        "do not need / no need to / needn't",
        "without having to / not necessary / not required / isn't required / isn't necessary",
        "not mandatory / optional",
    ),
    cue(
        Sign.IDIOM,
        "(as|because|here|there|what|how|where|that|than|whatever|if|since|like|when|which|who|why) it is $",
        "can't wait / cannot wait / couldn't wait / can't believe / can't help / can't complain",
        "can't imagine / can't thank",
        "can't (remember|recall|find|see|tell|sleep|figure|decide|say|keep up|get over)",
        "(cannot|couldn't) (remember|recall|find|see|tell|sleep|figure|say)",
        "(must|have to|had to|gotta|need to) (say|admit|confess|laugh|wonder)",
        "keep (this|it|things|) (moving|going|rolling) / keep (this|that|the|up the|our) momentum",
        "can't stop / couldn't agree / couldn't be / couldn't ask / can't say enough",
        "can't go wrong / never mind / never know",
        "must have (been|had|felt|made|taken|gone|done|seen)",
        "must be (so|really|very|hard|nice|tough|great|exciting|amazing)",
        "can't tell you / couldn't help / couldn't believe / impossible to forget / can't lie",
        "not gonna lie",
    ),
    cue(
        Sign.NEED,
        "need / needs / needed / will need / requires / require / calls for / takes at least",
        "demands",
    ),
    cue(
        Sign.LIMIT,
        "at most / at least / no more than / no less than / not more than / no fewer than",
        "up to # / max / maximum / minimum / min # / limit / limited to / limit of / limits",
        "limited / capped at / cap of / cap / ceiling / budget / deadline / due (on|by|date|in)",
        (
            "by (monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight|january|"
            "february|march|april|may|june|july|august|september|october|november|december|the end "
            "of|end of|next|noon|midnight|christmas|easter|summer|winter|spring|autumn|fall)"
        ),
        "by # (january|february|march|april|may|june|july|august|september|october|november|december)",
        "by # (jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|am|pm|o'clock) / by the #",
        "within # / under # / below # / less than # / fewer than # / over # / only have",
        "only has / only got / only a / have only / has only / only # / just # / restricted to",
        "not allowed / allergic / allergy / intolerant / vegan / vegetarian / gluten-free",
        (
            "before (january|february|march|april|may|june|july|august|september|october|november|"
            "december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|#)"
        ),
        "tops out / maxes out / bottoms out / and that's it / window is / hard stop",
        "non-negotiable / or else / otherwise we / as long as / provided that / only if",
        "only when / unless / until # / wants the whole / not before / not until / not after",
        "not later than / no later than / exclusively / strictly",
        "(submission|hand-in|closing date|expiry|exam) #",
        "submission (is|on|by) / hand-in (is|on|by) / expires (on|in|at) / closes (on|at) / only open",
        "(i'm|we're|i am|we are|i'll be|we'll be|am|are) (away|abroad|unavailable|out of town|"
        "on leave|on holiday) "
        "/ can only",
        "(have|has|got) (maybe|about|around|roughly|just|like) #",
        "# (hours|days|evenings|minutes) (a|per) week",
        "# times a (week|day|month) / the limit is / the (maximum|minimum|cap|ceiling|deadline|cutoff) is",
    ),
    cue(
        Sign.BOUNDED | Sign.LIMIT,
        "at most / at least (#|one|two|three|half|a|an) / no more than / no less than / not more than",
        "(the|a) (limit|maximum|minimum|cap|ceiling|deadline|quota) (is|are|was|of|for)",
        "limit of (#|about) / capped at",
        "is limited to / are limited to / only (if|when|until) / unless / not before / not until",
        "no later than",
        "only allowed / only available / only (works|applies|open) / up to #",
        "(closes|expires|ends) (on|at|in)",
    ),
    cue(
        Sign.BAN,
        "can't / cannot / can not / couldn't / mustn't / must not / may not / shouldn't",
        "should not / not allowed / isn't allowed / aren't allowed / forbidden / prohibited",
        "banned / ^ never / (must|should|can|could|will) never",
        "(i|we) never (eat|drink|use|buy|want|work|take) / don't ever / no # / impossible",
        "isn't possible / not possible / unable to / won't sign / won't work / won't allow",
        "won't let / doesn't allow / do not / don't allow / not permitted / refuse to",
        "refuses to / off limits / avoid / hate / hates / can't stand / don't want to",
        "doesn't want to / do not want to / without having to / not an option / don't use",
        "don't have time / don't have the / ruled by / no longer than",
        "(don't|doesn't|won't) (work|fit|sign) (in|on|with|for)",
        "(won't|wouldn't|will not|would not) (sign|accept|approve|tolerate|fit|pay|let|allow|budge)",
    ),
    cue(
        Sign.OWN_FUTURE,
        f"{_ILL}",
        f"{_IM} (going to|gonna|about to|planning to|doing|ordering|calling|meeting|booking|sending)",
        f"{_IM} (writing|seeing|starting|visiting|buying|setting|working on it)",
        "^ will",
        (
            "i need to (call|ask|email|mail|check|write|book|buy|order|find|talk|send|finish|get|"
            "look|schedule|prepare|update|register|contact|phone|ring|pick|fix|file|submit|sign|pay|"
            "renew|read|review|set|tell|do|clean|make)"
        ),
        (
            "we need to (call|ask|email|mail|check|write|book|buy|order|find|talk|send|finish|look|"
            "schedule|prepare|update|register|contact|phone|ring|file|submit|sign|pay|renew)"
        ),
        (
            "i have to (call|ask|email|mail|check|write|book|buy|order|find|talk|send|finish|look|"
            "schedule|prepare|register|contact|phone|ring|submit|sign|pay|renew)"
        ),
        (
            "i should (call|ask|email|mail|check|book|order|talk|send|look|schedule|register|contact|"
            "phone|ring|submit|pay|renew|probably|really)"
        ),
        (
            "(i'd|i|we|we'd) (have|need|got|ought) to (ask|call|check|talk|tell|email|mail|speak|"
            "look|confirm|clear|discuss|consult|run it|think)"
        ),
        "^ (gonna|going to|gotta|need to|have to) / remind me to / remember to / don't forget to",
        "i promise to / i plan to / we plan to / i intend to / plan to / my next step",
        "next step is / first thing i'll",
    ),
    cue(
        Sign.TASK,
        "to do / todo / to-do / action item / next step / next steps / next job / homework / ^ please",
        "please (send|bring|return|confirm|reply|submit|call|sign|pay|fill) / follow up",
        "remind me / needs doing / needs to be done / still need to / still have to",
        "also need to",
    ),
    cue(
        Sign.SOON,
        "tomorrow / tmrw / tmr / tonight / this (week|weekend|evening|afternoon|month|morning)",
        "next (week|weekend|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday|time)",
        "on (monday|tuesday|wednesday|thursday|friday|saturday|sunday)",
        "(monday|tuesday|wednesday|thursday|friday|saturday|sunday) $",
        "by (monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight)",
        "at the weekend / over the weekend / on the weekend / after work / later today",
        "in the morning / soon / the day after",
    ),
)
