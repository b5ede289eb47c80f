"""English, in depth."""

from __future__ import annotations

import re

from extract.languages.english_cues import CUES
from extract.languages.english_talk import TALK
from extract.languages.english_verbs import NOUN_TOO, forms, third_person
from extract.languages.lexicon import Language, Tag, Voice, lexicon
from extract.wordlists import pairs, phrases, words

_KINDS = {"b": Tag.BASE, "s": Tag.THIRD, "d": Tag.PAST, "n": Tag.PARTICIPLE, "g": Tag.GERUND}

_FUNCTION_WORDS = lexicon(
    (
        Tag.SUBJECT,
        "i you he she it we they this that these those there someone somebody nobody everyone everybody",
    ),
    (Tag.SUBJECT, "anyone something nothing everything neither none who y'all u what"),
    (
        Tag.SUBJECT | Tag.FINITE,
        "i'm i've i'll i'd you're you've you'll you'd he's he'll he'd she's she'll she'd it's",
    ),
    (
        Tag.SUBJECT | Tag.FINITE,
        "it'll it'd we're we've we'll we'd they're they've they'll they'd that's that'll there's",
    ),
    (
        Tag.SUBJECT | Tag.FINITE,
        "there'll who's what's where's how's when's here's who'd who'll this'll everyone's",
    ),
    (
        Tag.FINITE,
        "is are was were am isn't aren't wasn't weren't ain't has hasn't had hadn't haven't does doesn't do",
    ),
    (Tag.FINITE, "don't did didn't have"),
    (
        Tag.FINITE | Tag.MODAL,
        "can can't cannot could couldn't will won't would wouldn't shall should shouldn't may",
    ),
    (Tag.FINITE | Tag.MODAL, "might must mustn't needn't gonna"),
    (Tag.BASE, "be have do"),
    (Tag.PARTICIPLE, "been done had"),
    (Tag.GERUND, "being having doing"),
    (
        Tag.NEGATION,
        "not no never nobody nothing none neither nor without hardly barely can't cannot couldn't won't",
    ),
    (
        Tag.NEGATION,
        "wouldn't shouldn't mustn't needn't isn't aren't wasn't weren't ain't hasn't hadn't haven't doesn't",
    ),
    (Tag.NEGATION, "don't didn't"),
    (
        Tag.DETERMINER,
        "a an the my your his her its our their this that these those some any no each every all both",
    ),
    (Tag.DETERMINER, "one another such most many several few which whose what either"),
    (
        Tag.PREPOSITION,
        "of in on at by for with from to into onto over under about between through during before",
    ),
    (
        Tag.PREPOSITION,
        "after above below across against along among around as behind beside besides beyond despite",
    ),
    (
        Tag.PREPOSITION,
        "except inside like near off out outside past per plus since than toward towards until till",
    ),
    (
        Tag.PREPOSITION,
        "up upon via within without versus vs minus regarding concerning including incl excluding",
    ),
    (Tag.COORDINATOR, "and or nor & plus then but yet"),
    (Tag.CONTRAST, "but yet however"),
    (Tag.REASON, "because since cause cuz coz bc although though whereas so while given"),
    (
        Tag.CONDITION,
        "if when whenever once until till unless before after that whether as where wherever than",
    ),
    (Tag.RELATIVE, "which who whom whose where"),
    (Tag.QUESTION, "what which who whom whose when where why how"),
    (
        Tag.ADVERB,
        "also just really only even still already then now maybe perhaps too very quite actually basically",
    ),
    (
        Tag.ADVERB,
        (
            "honestly probably definitely certainly always usually often sometimes never not "
            "currently again ever"
        ),
    ),
    (
        Tag.ADVERB,
        "soon finally first second third next instead therefore thus hence simply quickly rarely generally",
    ),
    (
        Tag.ADVERB,
        "typically mostly nearly almost roughly especially exactly fully slightly completely obviously",
    ),
    (
        Tag.ADVERB,
        "clearly apparently recently today tomorrow yesterday tonight anyway here there however otherwise",
    ),
    (
        Tag.ADVERB,
        (
            "meanwhile additionally furthermore moreover both either each all literally simply "
            "pretty kinda sorta"
        ),
    ),
    (Tag.INFINITIVE, "to"),
    (
        Tag.FILLER,
        (
            "and but so well ok okay oh ah hey hi hello hmm hm um uh er lol haha hah wow also anyway "
            "plus btw fyi"
        ),
    ),
    (
        Tag.FILLER,
        "like ooh yay ugh argh right alright then honestly basically actually tbh imo imho ha heh yo man",
    ),
    (
        Tag.FILLER,
        (
            "please pls plz thanks thx though tho ahh aah ahhh ohh ooh okk hmmm lmao rofl xd omg bro "
            "dude guys folks yeah yep yup yes sure great"
        ),
    ),
    (
        Tag.FILLER,
        (
            "holy damn crap jeez gosh oof whoa woah yikes phew cool perfect nice fine absolutely "
            "exactly awesome excellent true correct hmmm mhm hehe now"
        ),
    ),
    (
        Tag.ASSENT,
        (
            "yes yep yeah yup ya ok okay k sure agreed deal perfect fine great good sold done love "
            "exactly correct"
        ),
    ),
    (
        Tag.ASSENT,
        "right alright absolutely definitely cool nice awesome excellent yess approved confirmed understood",
    ),
    (Tag.REFUSAL, "no nope nah never"),
    (
        Tag.ADJECTIVE,
        "good bad new old big small large great high low long short full free same other different better",
    ),
    (
        Tag.ADJECTIVE,
        "best worse worst whole main important hard easy simple likely possible necessary sure able ready",
    ),
    (
        Tag.ADJECTIVE,
        "fine happy sad tired busy late early fast slow cheap expensive fresh hot cold wet dry few many more",
    ),
    (
        Tag.ADJECTIVE,
        "less much own first last next two three four five six seven eight nine ten several clear key local",
    ),
)


_NO_ADVERBS = words(
    "family assembly italy july ally rally belly jelly fly bully lily monopoly anomaly butterfly ugly lovely "
    "friendly daily weekly monthly yearly early only likely lonely silly costly lively elderly deadly hourly"
)
"""Words in -ly that are nouns, or adjectives as often as adverbs."""


def _words() -> dict[str, int]:
    words = dict.fromkeys(_NO_ADVERBS, 0) | dict(_FUNCTION_WORDS)
    for form, (_, kinds) in forms().items():
        tags = 0
        for kind in kinds:
            tags |= _KINDS[kind]
        if (
            form in NOUN_TOO
            or (form.endswith("s") and form[:-1] in NOUN_TOO)
            or (form[:-2] in NOUN_TOO and "s" in kinds)
        ):
            tags |= Tag.NOUNISH
        words[form] = words.get(form, 0) | tags
    return words


_CONTRACTIONS = (
    "can won don doesn didn isn aren wasn weren hasn haven hadn couldn wouldn shouldn mustn needn ain"
)
_SPELLINGS = {f"{stem}t": f"{stem}'t" for stem in _CONTRACTIONS.split() if stem not in {"can", "won"}}
_SPELLINGS |= pairs(
    """
cant: can't; wont: won't; im: i'm; ive: i've; thats: that's; theres: there's; whats: what's; hows: how's;
wheres: where's; lets: let's; youre: you're; theyre: they're; youve: you've; weve: we've; theyve:
they've; shes: she's; hes: he's; youll: you'll; theyll: they'll; itll: it'll; gotta: have to; wanna: want
to; dunno: don't know; cos: because
"""
)

_PERSONS = pairs(
    """
i: the user; me: the user; my: the user's; mine: the user's; myself: themselves; we: the user; us: the
user; our: the user's; ours: the user's; ourselves: themselves; i'm: the user is; i've: the user has;
i'll: the user will; i'd: the user would; we're: the user is; we've: the user has; we'll: the user will;
we'd: the user would
"""
)

_AGREEMENT = pairs(
    """
am: is; are: is; have: has; do: does; don't: doesn't; haven't: hasn't; aren't: isn't; were: was; weren't:
wasn't
"""
) | {
    form: third_person(form)
    for form, (base, kinds) in forms().items()
    if form == base and "d" not in kinds and form not in {"have", "do"}
}
"""`put` and its like are left alone: they are past as often as present."""

_ADDRESSEE = pairs(
    """
you: the user; your: the user's; yours: the user's; yourself: themselves; you're: the user is; you've:
the user has; you'll: the user will; you'd: the user would
"""
)

_OPENERS = re.compile(
    r"(?:(?:and|but|so|also|again|plus|well|yes|okay|ok),? )?(?:"
    r"(?:please )?(?:do )?(?:note|remember|be aware|keep in mind|bear in mind)(?: also)? that "
    r"|it(?:'s| is)(?: also)? (?:important|worth|essential|crucial|vital|good|helpful|useful)"
    r" (?:to note|noting|to mention|mentioning|to remember|remembering|to keep in mind|to understand"
    r"|to recogni[sz]e|to be aware|to point out|pointing out|to know) that "
    r"|(?:please )?be (?:advised|aware) that |meaning (?:that )?(?=the |it |they |there )"
    r"|that (?=(?:there|the|a|an|these|those|he|she|they|we|you|i) )"
    r"|(?:since|because|although|even though|though|whereas|whil(?:e|st)(?![^,]* (?:am|is|are|being) ))"
    r" (?=[^,]*$)"
    r"|it (?:is|was|should be|can be)(?: also)? noted that "
    r"|(?:(?:the user|i|we) )?(?:just )?(?:wants?|wanted) to (?:let (?:you|the user|the assistant) know|say"
    r"|mention|point out)(?: that)? "
    r"|as (?:the user|the assistant|i|you|we) (?:has |have |already |just )*"
    r"(?:mentioned|said|noted|discussed)(?: earlier| before| above)?, "
    r"|(?:the assistant's|the user's|my) (?:guy|friend|dear|man|bro|love|people), "
    r"|(?:to be clear|in other words|that said|with that said|that being said|having said that|in addition"
    r"|for example|for instance|in fact|of course|overall|ultimately|additionally|furthermore|moreover"
    r"|however|therefore|conversely|similarly|likewise|specifically|essentially|basically|simply put|in short"
    r"|on second thoughts?|change of plans?|first of all|on the other hand"
    r"|as a result|for your information|fyi|to start|first|second|third"
    r"|finally|lastly|firstly|secondly|thirdly|next), )",
    re.IGNORECASE,
)

ENGLISH = Language(
    code="en",
    words=_words(),
    cues=CUES + TALK,
    voice=Voice(
        user="the user",
        users="the user's",
        decides="The user decides: {what}.",
        decides_to="The user decides to {what}.",
        decides_not_to="The user decides not to {what}.",
        refusals=(("don't",), ("dont",), ("do", "not")),
        rejects="The user rejects {what}.",
        chooses="The user chooses {what}.",
        assistant="the assistant",
        writer="the writer",
        reader="the reader",
        asked_to="Can the assistant {what}",
    ),
    endings=(("ly", Tag.ADVERB),),
    typical=frozenset(
        words(
            """
the and is are was of to in that it for with you have this be not on my at we they can do from but what
how i'm don't it's i'll just would should there will your me i if or so want need about which when use
"""
        )
    ),
    spellings=_SPELLINGS,
    persons=_PERSONS,
    subjects=frozenset({"i", "we", "you"}),
    own="their",
    causatives=frozenset(
        words("help helps helped helping let lets make makes made making watch watched hear heard")
    ),
    pairs=frozenset({("even", "though"), ("so", "that")}),
    addressee=_ADDRESSEE,
    agreement=_AGREEMENT,
    openers=_OPENERS,
    indirect=re.compile(
        r"(?:the user )?(?:has |is |i'm |still |really |honestly |also |have )*"
        r"(?:(?:doesn't|don't|do not|does not) (?:really )?(?:know|understand|get)"
        r"|no idea|not sure|unsure|no clue|wonders?|wondering)"
        r"(?= (?:how|what|why|where|which|who|when|whether)\b)\s",
        re.IGNORECASE,
    ),
    base_of={form: base for form, (base, _) in forms().items()},
    empty_labels=frozenset(
        phrases(
            """
note; caveat; one caveat; tip; pro tip; quick recap; recap; today; also; ps; p.s; update; edit; question;
questions; warning; important; reminder; summary; answer; so; fyi; btw; remember; example; for example;
e.g; important note; short answer; idea; another idea; one idea; an idea; one more thing; last thing;
next; finally; bonus; hint; please note; nb; description; overview; action; purpose; rationale; core idea;
why it works; details; notes; execution; the strategy; how it helps; why it fits; actionable step; what it is;
your action; key point; why it's needed; how it works; the pattern; core principle; explanation; context
"""
        )
    ),
    vocatives=frozenset(
        words(
            """
mate mates bro bruv bruh brother guy guys buddy dude man pal fam friend boss sis darling dear honey love
sir madam folks team chief champ legend everyone all
"""
        )
    ),
    orders=frozenset(
        words(
            """
tell show give explain write make help list create generate draft summarise summarize translate describe
compare suggest recommend provide find answer check review proofread rewrite rephrase calculate convert
solve design build analyse analyze evaluate elaborate expand outline propose propose present walk
brainstorm compose correct debug implement act pretend imagine simulate continue refine improve revise
update format produce compile prepare identify define clarify break confirm remind teach quiz recap
repeat search look name share send print add include develop optimise optimize craft formulate research
pull run edit adjust paraphrase shorten finish fix consider assume focus ensure start begin
"""
        )
    ),
    directives=frozenset(
        words(
            """
use go take keep drop cut scrap skip pick choose do leave move put stick switch forget ditch kill lose
stay remove swap replace cancel book buy order merge ship name schedule lock
"""
        )
    ),
)
