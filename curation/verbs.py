"""Whether words hold a finite verb: by closed lists, and generously by the form of English words.

A gate errs on the side of finding one: a label let through does less harm than a note refused.
"""

from __future__ import annotations

from collections.abc import Sequence

from curation.ungated import words_of
from curation.wordlists import words

_CLOSED = words(
    """
    is are was were am be been has have had do does did will would can could should must may might shall
    isn't aren't wasn't weren't hasn't haven't hadn't don't doesn't didn't won't wouldn't can't cannot
    couldn't shouldn't mustn't it's that's there's he's she's they're we're you're i'm i'll we'll
    they'll i've we've isnt dont es son era fue está están ha han tiene tienen puede quiere debe va hay
    será necesita cuesta ist sind war waren hat haben hatte wird werden kann können muss müssen soll
    sollen will darf möchte braucht kostet est sont était a ont peut doit veut va sera faut coûte n'est
    c'est
    """
)
_VERBS = words(
    """
    absorb accept access acknowledge act activate adapt add adjust admire adopt advise affect afford agree
    aim align allow analyse analyze answer anticipate appear apply approach approve arrange arrive ask
    assess assign assume ate attach attend attract automate avoid bake balance base be beat became become
    began begin behave belong bind bite blend block blow boil book boost borrow bought bounce break breathe
    brew bring broke brought browse build built burn bury buy call came cancel care carry cast caught cause
    celebrate change charge chase chat check choose chop chose claim clean clear climb close coach code
    collect combine come comfort commit communicate compare complete comply concentrate conduct confirm
    connect consider consult consume contact contain continue contradict contribute control convert convince
    cook cost count cover crash crawl create cure customise customize cut damage dance deal debate debug
    decide decline decrease defend define delay deliver depend deploy describe deserve design destroy detect
    determine develop devise die differ disappear discover discuss dislike display distribute divide do
    document dominate donate double download drank draw dream dress drew drift drink drive drop drove earn
    eat edit educate eliminate embed embrace emphasise emphasize employ enable encounter encourage end
    engage enjoy enrol enroll ensure enter equip establish estimate evaluate evolve examine exceed exclude
    execute exercise exist expand expect experience expire explain explore export express extend extract
    face fade fail fall favor favour feed feel fell felt fetch fight file fill filter find finish fit fix
    flew flow fly focus fold follow forbid forecast forget forgot form foster found freeze fry fulfil
    fulfill function fund gain gather gave generate get give go got grab grant greet grew grill grow
    guarantee guard guess guide handle hang happen harm harvest hate have hear heard heat held help
    highlight hike hire hit hold hope host hug hunt hurry hurt identify ignore illustrate implement imply
    import impose impress improve include incorporate increase indicate influence inform inherit inject
    input insist inspect inspire install integrate intend interact interview introduce invest investigate
    invite involve isolate iterate jog join judge jump keep kept kick kill knew knit know lack land last
    launch lay lead lean leap learn leave led left lent let lick lie lift light like limit link list live
    load lock log look lose lost love lower lunge made mail maintain make manage market marry match matter
    maximise maximize mean meant measure meet melt mention merge met migrate minimise minimize miss mix
    monitor mount move multiply name narrow navigate need negotiate nominate note notice notify number
    object obtain occur offend offer open operate optimise optimize order organise organize originate
    outweigh overcome owe own paid paint park participate partner pass pause pay perform persuade pick pin
    pitch plan play plug point polish pop pose position post pour praise pray predict prefer prepare present
    preserve press prevent print prioritise prioritize process produce program progress prohibit promise
    promote pronounce propose protect prove provide publish pull purchase pursue push put question quit
    quote race rain raise ran reach react read realise realize rebuild recall receive recognise recognize
    recommend record recover recruit recycle redesign reduce refer refine reflect reform refund refuse
    register regret regulate reinforce reject relate relax release relieve rely remain remember remove renew
    rent repair repay repeat replace reply report represent require rescue research reserve resist resolve
    resonate respect respond rest restore restrict result retain retire retrieve return reveal review revise
    reward ride rinse rise risk rode roll rose rub ruin rule run rush said sail sat satisfy save saw say
    scan schedule score scream search season secure see seek seem sell send sent separate serve set settle
    shape share sharpen shift shine ship shoot shop shout show sign simmer simplify sing sink sit skip sleep
    slept slice slide slow smell smile smoke smooth snow sold solve sort sound spark speak specialise
    specialize specify spend spent spill spin split spoke spot spread sprinkle squeeze stand start state
    stay steer stem step stick stir stood stop store strengthen stretch strike strip structure struggle
    stuck study submit subscribe substitute succeed suffer suggest suit supply support suppose surpass
    surround survive suspect swam swap swear sweep swell swing switch tackle tailor take talk target taste
    taught teach tear tell tempt tend test thank think thought thrive throw tie tighten time toast told
    tolerate took tore toss touch tour trace track trade train transfer transform translate transmit travel
    treat trigger trim trust try tune turn type undergo understand understood undo unlock update upgrade
    upload urge use utilise utilize validate value vary verify view violate visit visualise visualize
    volunteer vote wait walk want warm warn wash waste watch water weaken wear weigh welcome went whisk
    widen win wipe wish withdraw woke won wonder wore work worry wrap write wrote yield
    """
)
_PERSONS = words(
    """
    user assistant i he she it they we you who that
    """
)
_DETERMINERS = words(
    """
    a an the my his her its their our your this that these those some any no each every two three four
    """
)


_IRREGULAR = words(
    """
    froze ate became began bought broke brought built came caught chose cost cut drew drank drove fell felt
    found flew forgot gave got grew heard held hit hurt kept knew led left lent lost made meant met paid
    put ran read rode rose said sat saw sent set slept sold spent spoke stood stuck swam taught thought
    told took tore understood went woke won wore wrote
    """
)


def has_finite_verb(text: str) -> bool:
    """Whether a verb form that makes a claim may stand in the text."""
    words = words_of(text)
    return any(_may_be_finite(words, place) for place in range(len(words)))


def opens_with_verb(text: str) -> bool:
    """Whether the text opens with a verb whose subject must stand before it."""
    words = words_of(text)
    return bool(words) and (words[0] in _CLOSED or words[0] in _IRREGULAR or _inflected(words[0]))


def claims(words: Sequence[str]) -> bool:
    """Whether one of the words is a verb form beyond doubt."""
    return any(
        word in _CLOSED or word.endswith("n't") or word in _IRREGULAR or _inflected(word) for word in words
    )


def surely_claims(words: Sequence[str]) -> bool:
    """Whether one of the words can be nothing but a finite verb."""
    return any(word in _CLOSED or word.endswith("n't") or word in _IRREGULAR for word in words)


def surely_no_verb(text: str) -> bool:
    """Whether no word even looks like a verb form."""
    return not any(
        word in _CLOSED or word in _VERBS or word.endswith(("n't", "ed")) or _inflected(word) or perhaps
        for word, perhaps in _with_ending(words_of(text))
    )


def _with_ending(words: Sequence[str]) -> list[tuple[str, bool]]:
    """Each word, and whether it ends and stands as a third person does: `the system logs everything`."""
    last = len(words) - 1
    return [
        (word, place < last and len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "'s")))
        for place, word in enumerate(words)
    ]


def _may_be_finite(words: Sequence[str], place: int) -> bool:
    word, after = words[place], words[place + 1] if place + 1 < len(words) else ""
    if word in _CLOSED or word.endswith("n't"):
        return True
    if word.endswith("ed"):  # `the prepared statement` claims nothing
        before = words[max(place - 2, 0) : place]
        return not (before and _DETERMINERS & set(before)) or words[place - 1] in _PERSONS or not after
    if word in _VERBS or _inflected(word):
        return True
    return place > 0 and word.endswith("s") and (after in _DETERMINERS or after.isdigit())


def _inflected(word: str) -> bool:
    for ending, stand_in in (
        ("ies", "y"),
        ("es", ""),
        ("es", "e"),
        ("s", ""),
        ("ied", "y"),
        ("ed", ""),
        ("ed", "e"),
    ):
        if word.endswith(ending) and word[: -len(ending)] + stand_in in _VERBS:
            return True
    return word.endswith("ed") and len(word) > 4 and word[-3] == word[-4] and word[:-3] in _VERBS
