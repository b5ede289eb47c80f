"""The clause's spine in order, its adverbials as a set: they may stand elsewhere and say the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from chunking.wordlists import words
from curation.normal_form.complements import VERB_STEMS
from curation.normal_form.constructions import same_construction
from curation.normal_form.enumerations import in_order
from curation.normal_form.numbers import MONTHS
from curation.normal_form.spelling.fillers import ARTICLES
from curation.normal_form.verbs import stem

PREPOSITIONS = words(
    """
    in on at for from to with without by about after before during until since under over between
    through into via per against despite because than as like if when while unless although
    concerning besides near within onto towards toward across behind below above among
    along around beyond where approximately at_least at_most
    """
)
_SUBJECTS = words("i we he she they it you user assistant there")
_FREE = words(
    """
    today tomorrow yesterday tonight now soon later also already always often usually sometimes seldom
    currently finally immediately weekly daily monthly yearly hourly nightly biweekly recently probably
    perhaps twice mondays tuesdays wednesdays thursdays fridays saturdays sundays monday tuesday
    wednesday thursday friday saturday sunday as_soon_as_possible still together again
    previously eventually
    """
)
"""Adverbials that say the same wherever they stand."""
_CLAUSES = words("if when while because although unless since until before after where as")
_BREAKS = words("be have must can should might would could not intend")
_SPANS = words("next last this every")
_TIMES = words(
    """
    day days week month year hour minute second morning afternoon evening night weekend weekday time
    spring summer autumn winter quarter semester term season monday tuesday wednesday thursday
    friday saturday sunday january february march april may may_month june july august september october
    november december
    """
)
_PAIRING = {"both", "either", "neither"}
_SIGNS = ARTICLES | PREPOSITIONS | _SUBJECTS | _FREE | _BREAKS | _SPANS | words(", which that me us him them")
_LIST_BORDERS = VERB_STEMS | PREPOSITIONS | _BREAKS | _PAIRING
UNTOUCHED = PREPOSITIONS | _FREE | _BREAKS | _PAIRING
_PERSONS = {
    "me": "i",
    "my": "i",
    "mine": "i",
    "myself": "i",
    "us": "we",
    "our": "we",
    "ours": "we",
    "him": "he",
    "them": "they",
}


_DETERMINERS = ARTICLES | words("my our your his her their its this that these those")
_BEGINS = _DETERMINERS | _SUBJECTS
_BOUNDS = _LIST_BORDERS | ARTICLES
_BEFORE_OWNER = ARTICLES | words("i we my our")


def fronted_last(tokens: list[str]) -> list[str]:
    """`In 2019 the shed was built` as `the shed was built, in 2019`."""
    if not tokens or (tokens[0] not in PREPOSITIONS and tokens[0] not in _FREE and tokens[0] not in _SPANS):
        return tokens
    if tokens[0] in _FREE:
        end = 1
    elif "," in tokens:
        end = tokens.index(",")
    elif tokens[0] in _CLAUSES:
        if len(tokens) < 4 or not (tokens[1] in _TIMES or tokens[1].startswith(("#", "@", "date-"))):
            return tokens
        end = 2
    else:
        starts = (at for at in range(2, len(tokens)) if tokens[at] in _BEGINS)
        end = 2 if len(tokens) > 2 and tokens[1].startswith(("#", "@", "date-")) else next(starts, 0)
    if not end or end >= len(tokens) - 1:
        return tokens
    return [*tokens[end:], ",", *tokens[:end]]


def phrased(tokens: Sequence[str], marks: Iterable[str], asks: bool) -> tuple[str, ...]:
    """The spine in order, then adverbials sorted; those of one preposition keep their order."""
    spine: list[str] = []
    phrases: list[list[str]] = []
    current: list[str] | None = None
    seen: dict[str, int] = {}
    linked = list(_linked(in_order(tokens, _BOUNDS)))
    negated = "not" in linked
    for token, following in zip(linked, (*linked[1:], ""), strict=False):
        if not _telling(token) and (current is None or current[0] not in _SPANS):
            (spine if current is None else current).append(_PERSONS.get(token, token))
            continue
        if token == "which" and not asks:
            token = "that"
        if token in ARTICLES:
            continue
        if token == ",":
            current = None
        elif spine and spine[-1] in _DATIVES and token in _RECEIVERS and current is None and following:
            phrases.append(["to", _PERSONS[token]])
        elif token in _FREE or token.startswith(("@", "date-")) or (not negated and _is_manner(token)):
            if current and len(current) == 1 and current[0] in ("on", "at", "in"):
                phrases.remove(current)
            phrases.append([token])
            current = None
        elif token in PREPOSITIONS:
            seen[token] = seen.get(token, 0) + 1
            current = [token if seen[token] == 1 else f"{token}{seen[token]}"]
            phrases.append(current)
        elif token in _SPANS and following in _TIMES and (current is None or len(current) > 1):
            current = [token]
            phrases.append(current)
        elif (
            current is not None
            and len(current) > 1
            and (token in _SUBJECTS or (token in _BREAKS and current[0] not in _CLAUSES))
        ) or (current is not None and current[0] in _SPANS and len(current) > 1):
            current = None
            spine.append(_PERSONS.get(token, token))
        else:
            (spine if current is None else current).append(_PERSONS.get(token, token))
    found = same_construction(_coordinated(_there_is(spine, phrases)), phrases, set(marks))
    marks = found.marks
    spine = _evened(found.spine, found.phrases)
    phrases = found.phrases
    adverbials = sorted(" ".join(_coordinated(phrase)) for phrase in phrases)
    return (
        "?" if asks else "",
        *sorted(
            set(marks) - ({"future"} if _says_future(adverbials) or _timed(spine, adverbials) else set())
        ),
        "|",
        *spine,
        "|",
        *adverbials,
    )


@lru_cache(maxsize=65536)
def _telling(token: str) -> bool:
    """Whether a word says anything of where a phrase begins or ends."""
    return token in _SIGNS or token.startswith(("@", "date-")) or _is_manner(token)


def _coordinated(tokens: list[str]) -> list[str]:
    """`buy pears and apples` as `buy apples and pears`, where each side is one word between borders."""
    for at in range(1, len(tokens) - 1):
        if tokens[at] not in ("and", "or", "nor"):
            continue
        opens = at == 1 or tokens[at - 2] in _LIST_BORDERS
        closes = at + 2 == len(tokens) or tokens[at + 2] in _LIST_BORDERS
        sides = {tokens[at - 1], tokens[at + 1]}
        if opens and closes and not sides & _LIST_BORDERS:
            tokens = [*tokens[: at - 1], min(sides), tokens[at], max(sides), *tokens[at + 2 :]]
    return tokens


def _there_is(spine: list[str], phrases: list[list[str]]) -> list[str]:
    """`there are three bugs in the parser` as `the parser has three bugs`."""
    holders = [phrase for phrase in phrases if phrase[0] == "in" and not "".join(phrase[1:2]).startswith("#")]
    if spine[:2] != ["there", "be"] or len(holders) != 1 or len(phrases) != 1:
        return spine
    phrases.remove(holders[0])
    return [*holders[0][1:], "have", *spine[2:]]


def _is_manner(token: str) -> bool:
    return token.endswith("ly") and len(token) > 5 and token not in _NO_MANNER


_NO_MANNER = words(
    """
    family families reply supply apply assembly monopoly anomaly only elderly friendly lovely
    """
)
_DATIVES = frozenset(map(stem, ["send", "give", "show", "lend", "offer", "mail", "pay"]))
_RECEIVERS = words("me us him them")
_OWNED = words("i we his her their your user name favorite best worst most main")
_UNEVEN = words("all every no some only most not than as like any few many")


def _evened(spine: list[str], phrases: Sequence[Sequence[str]]) -> list[str]:
    """`mango is my favorite fruit` as `my favorite fruit is mango`: an equation has no direction."""
    words = set(spine).union(*(phrase[:1] for phrase in phrases))
    if spine.count("be") != 1 or words & _UNEVEN or words & (VERB_STEMS | _BREAKS - {"be"}):
        return spine
    at = spine.index("be")
    sides = sorted((spine[:at], spine[at + 1 :]))
    if not all(sides) or not set(sides[0] + sides[1]) & _OWNED or spine[:at] in (["i"], ["we"], ["user"]):
        return spine
    return [*sides[0], "be", *sides[1]]


def _says_future(adverbials: Sequence[str]) -> bool:
    return any(phrase.startswith(_COMING) or phrase.rpartition(" ")[2] in MONTHS for phrase in adverbials)


def _timed(spine: Sequence[str], adverbials: Sequence[str]) -> bool:
    """Whether it is something with a timetable at a time: `will open at ten`, `opens at ten`."""
    return not _TIMETABLED.isdisjoint(spine) and any(one.startswith(("at #", "@")) for one in adverbials)


_TIMETABLED = words("open clos begin end finish depart arriv leav start")

_COMING = (
    "tomorrow", "tonight", "next ", "soon", "later", "date-", "monday", "tuesday", "wednesday", "thursday",
    "friday", "saturday", "sunday",
)  # fmt: skip


def _linked(tokens: Sequence[str]) -> Iterable[str]:
    """Tokens with possessives as plain modifiers, and `X of Y` as `Y X` where both are short."""
    if "'s" not in tokens and "of" not in tokens:
        return tokens
    made: list[str] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        if token == "'s":
            place += 1
            continue
        if token == "of" and made and place + 1 < len(tokens) and _is_noun(made[-1]):
            end = place + 1
            while end < len(tokens) and tokens[end] in _BEFORE_OWNER:
                end += 1
            if end < len(tokens) and _is_noun(tokens[end]):
                head = made.pop()
                made.extend((*tokens[place + 1 : end + 1], head))
                place = end + 1
                continue
        made.append(token)
        place += 1
    return made


def _is_noun(token: str) -> bool:
    return token.isalpha() and token not in PREPOSITIONS and token not in _NO_HEADS


_NO_HEADS = words(
    """
    all some many most few one none half each both either any be not part out because instead
    """
)
