"""Tense and voice: one stem for a verb's forms, a mark for its tense, passives turned round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from chunking.irregular_verbs import PAST_FORMS, SAME_IN_PAST
from chunking.wordlists import words

_THIRD = {"has": "have", "does": "do", "goes": "go", "is": "be", "are": "be", "am": "be"}

_NOT_PAST = words(
    """
    need feed seed speed indeed breed bleed weed exceed proceed succeed agreed-upon red bed hundred shed
    sled embed led fed wed naked wicked sacred rugged beloved aged unlimited unused undecided unfinished
    advanced limited united married interested tired bored excited worried scared
    """
)

VERBS = words(
    """
    accept add adopt agree allow answer apply approve arrive ask attend avoid back bake belong block
    book break bring build buy call cancel care carry catch change charge check choose clean close
    collect come contain continue control convert cook cost cover create cut deal decide define deliver
    deploy depend describe design develop discuss do draft draw drink drive drop eat edit end enjoy
    enter exclude expect explain export fail fall feed feel fetch fill find finish fit fix fly follow
    force forget get give go grow handle happen hate have hear help hire hit hold hope host import
    include increase install keep know lack last launch lead learn leave lend let like limit link list
    listen live load lock look lose love maintain make manage mean measure meet merge miss move need
    offer open order own paint park pass pay pick plan play prefer prepare prevent print process produce
    propose protect provide publish pull push put raise reach read receive recommend record reduce
    refuse reject release rely remember remind remove rent repair replace reply report request require
    reserve resolve return review rewrite ride rise run save say schedule see seem select sell send
    serve set share show shut sign sing sit sleep smell solve speak spend stand start stay stop store
    study suggest support take talk teach tell test think throw train translate travel treat trigger
    trust try turn examine begin favor obtain purchase forbid require repair postpone locate delete
    leave occur seem arrange discard talk resign depart construct mention admire tolerate investigate
    submit eliminate substitute modify improve earn gather shout wed hire fire intend water taste knit
    plant rename migrate grade coach bake mow host feed groom sponsor fund own teach supervise monitor
    back grow cause affect influence determine pay deny approve sign organize plan lead cover run open
    expire renew rain snow crash retire graduate commute volunteer expect rely employ acquire afford announce
    apologize appoint assign assist assume attach attract avoid ban behave blame boil borrow bother breathe
    broadcast brush calculate camp celebrate chat cheer claim climb combine compare compete complain complete
    compose concentrate confirm connect consider consist consume contact contribute cooperate correct count
    criticize cry damage dance deliver demand demonstrate destroy detect develop differ disagree disappear
    discover donate double earn employ encounter encourage estimate evaluate evolve exceed exchange exist
    expand explore extend facilitate fold freeze fry fulfill generate greet guarantee guide hang harm
    hesitate hunt identify ignore imagine implement impress inform inherit inspect inspire insist integrate
    interview introduce invent invest invite involve isolate join joke jog jump justify kick kill kiss knock
    lift maintain market mention motivate multiply negotiate notice obey observe obtain oppose
    outsource overlap participate perform persuade possess postpone pour practice praise predict pretend
    promise promote pronounce quote react realize recall recover recycle refer refuel regret relax relocate
    remain renovate repeat replace represent rescue research resist respect respond restart restore restrict
    retrieve reveal reward roast roll ruin satisfy scan scold scream screen search secure separate settle
    shave shine shop shrink simplify ski slice slow smile smoke snore spill spoil spread squeeze steal
    stretch struggle succeed suffer suit supply suppose survive suspect suspend sweep switch tend thank
    threaten trace trade transfer transform trim tune type underestimate undergo upload vanish vary violate
    vote warn waste weigh welcome whisper withdraw wonder worry wrap yell zoom rank
    understand update upgrade use validate verify visit wait wake walk want wash watch wear win work
    write
    """
)
"""Common verbs: their third person is told from a noun's plural."""


def stem(verb: str) -> str:
    """A stem that a verb's forms share: no final `e`, no doubled final consonant, `y` for `i`.

    It may join two verbs (plane, plan); both then stand in the same place of notes that agree in all else.
    """
    if verb in ("be", "have"):
        return verb
    base = verb[:-1] if verb.endswith("e") and len(verb) > 3 else verb
    if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "sl":
        base = base[:-1]
    if len(base) == 2:
        return base + "e"  # using, used: use
    return base[:-1] + "y" if base.endswith("i") and len(base) > 2 else base


@lru_cache(maxsize=65536)
def past_stem(token: str) -> str | None:
    """The stem of a past form or participle, or None where the word is none."""
    if token in PAST_FORMS:
        return stem(PAST_FORMS[token])
    if token.endswith("ed") and len(token) > 4 and token not in _NOT_PAST and not token.endswith("eed"):
        return stem(token[:-2])
    return None


_OBJECT_STARTS = words("the a an my our your his her its their this that these those all every no")


def present_stem(token: str, following: str) -> str | None:
    """The stem of a third person singular, or None: of a common verb, or of what an object follows."""
    return _present_stem(token, following in _OBJECT_STARTS)


@lru_cache(maxsize=65536)
def _present_stem(token: str, object_follows: bool) -> str | None:
    if token in _THIRD:
        return _THIRD[token]
    if object_follows and token.endswith("s") and len(token) > 4 and token[-2] not in "sui":
        return stem(token[:-1] if not token.endswith("ies") else token[:-3] + "y")
    for ending, base in (("ies", token[:-3] + "y"), ("es", token[:-2]), ("s", token[:-1])):
        if token.endswith(ending) and base in VERBS:
            return stem(base)
    return None


def gerund_stem(token: str) -> str | None:
    """The stem of an `-ing` form, or None."""
    return stem(token[:-3]) if token.endswith("ing") and len(token) > 4 else None


_BE = words("be is are am was were been being")
_PAST_BE = words("was were")
_BETWEEN = words("not never always also already just still only often usually probably really now")
_BEFORE_BARE = words("will shall must can should could would might")
_BARE_PARTICIPLES = SAME_IN_PAST | {"run", "come", "become", "overcome"}
_BEFORE_VERB = _BETWEEN | _BEFORE_BARE | _BE


@lru_cache(maxsize=65536)
def _unchanged(token: str) -> bool:
    """Whether a word is no verb in any form that is told without its neighbours."""
    return not (
        token in _AUXILIARIES or token in VERBS or token in _BARE_PARTICIPLES or token.endswith("s")
        or past_stem(token) is not None
    )  # fmt: skip


_AUXILIARIES = _BE | words("will shall have has had do does did")


@dataclass(frozen=True, slots=True)
class _Group:
    """A verb with what stands right behind it, adverbs apart: the words that together have a tense."""

    tokens: Sequence[str]
    place: int
    after: int
    """Where the next word is that is no adverb; the next word of all, unless an auxiliary opens the group."""

    @property
    def first(self) -> str:
        return self.tokens[self.place]

    @property
    def between(self) -> Sequence[str]:
        return self.tokens[self.place + 1 : self.after]

    def word(self, beyond: int = 0) -> str:
        """The word behind the adverbs, or one still further on; "" past the end."""
        at = self.after + beyond
        return self.tokens[at] if at < len(self.tokens) else ""

    def told(self, *stems: str, used: int, mark: str = "") -> _Told:
        """The adverbs and then the stems, for a group that ends `used` words behind the adverbs."""
        return _Told((*self.between, *stems), self.after + used, mark)


@dataclass(frozen=True, slots=True)
class _Told:
    """What a group becomes: its words, the place after it, and the mark of its tense."""

    words: tuple[str, ...]
    place: int
    mark: str = ""


def tense_marked(tokens: Sequence[str]) -> tuple[list[str], set[str]]:
    """Tokens with verbs as stems and auxiliaries gone, and the marks `past`, `future` that they leave.

    `has moved`, `had moved` and `moved` are the same past; `is moving` and `moves` the same present.
    """
    made: list[str] = []
    marks: set[str] = set()
    place = 0
    while place < len(tokens):
        if _unchanged(tokens[place]) and (not place or tokens[place - 1] not in _BEFORE_VERB):
            made.append(tokens[place])
            place += 1
            continue
        group = _group(tokens, place)
        tenses = _COMPOUND if group.first in _AUXILIARIES else ()
        told = next(filter(None, (tell(group) for tell in tenses)), None) or _single(group, made)
        made += told.words
        marks |= {told.mark} - {""}
        place = told.place
    return made, marks


def _group(tokens: Sequence[str], place: int) -> _Group:
    after = place + 1
    if tokens[place] in _AUXILIARIES:
        while after < len(tokens) and tokens[after] in _BETWEEN:
            after += 1
    return _Group(tokens, place, after)


def _future(group: _Group) -> _Told | None:
    """`will move`, `is going to move`; `was going to` was once meant."""
    if group.first in ("will", "shall"):
        return group.told(used=0, mark="future")
    if group.first in _BE and group.word() == "going" and group.word(1) == "to":
        return group.told(used=2, mark="past" if group.first in _PAST_BE else "future")
    return None


def _perfect(group: _Group) -> _Told | None:
    """`has moved`, `has been moving`, `has been`; `is been` is what is left of `he's been`."""
    following = group.word()
    has = group.first in ("have", "has", "had") and following and _is_participle(following)
    if not has and (group.first, following) != ("is", "been"):
        return None
    if following != "been":
        return group.told(used=0, mark="past")
    base = _going_on(group.word(1))
    mark = "" if base and group.first != "had" else "past"  # `has been working` goes on
    return group.told(base or "be", used=2 if base else 1, mark=mark)


def _emphatic(group: _Group) -> _Told | None:
    """`did not move`, `does move`."""
    if group.first not in ("do", "does", "did") or not group.word():
        return None
    if not group.between and group.word() not in VERBS:
        return None
    return group.told(used=0, mark="past" if group.first == "did" else "")


def _progressive(group: _Group) -> _Told | None:
    """`is moving`; `is being moved` keeps its `be`."""
    stem_of = "be" if group.word() == "being" else _going_on(group.word())
    if group.first not in _BE or not stem_of:
        return None
    return group.told(stem_of, used=1, mark="past" if group.first in _PAST_BE else "")


_COMPOUND = (_future, _perfect, _emphatic, _progressive)
"""The tenses that are made of an auxiliary and more words, in the order in which they are looked for."""


def _going_on(token: str) -> str | None:
    """The stem of an `-ing` form that is a verb, or None."""
    return None if token in _NOUNS_IN_ING else gerund_stem(token)


def _single(group: _Group, made: Sequence[str]) -> _Told:
    """A verb of one word, after the words `made` so far; any other word as it is."""
    tokens, place, token = group.tokens, group.place, group.first
    if token in _BE:
        return _Told(("be",), place + 1, "past" if token in _PAST_BE or token == "been" else "")
    base = past_stem(token)
    if base is not None and not _after_be(made):
        return _Told((base,), place + 1, "past")
    if _after_be(made) and (base is not None or token in _BARE_PARTICIPLES):
        return _Told(((base or stem(token)) + "+",), place + 1)
    third = present_stem(token, group.word()) if place and tokens[place - 1] not in _BEFORE_NOUN else None
    if third is None and (token in VERBS or _bare(tokens, place)):
        third = stem(token)
    return _Told((third or token,), place + 1)


def _bare(tokens: Sequence[str], place: int) -> bool:
    """Whether a word follows a modal: a verb in its bare form, known or not."""
    before = place - 1
    while before > 0 and tokens[before] in _BETWEEN:
        before -= 1
    return before >= 0 and tokens[before] in _BEFORE_BARE and tokens[place].isalpha()


def _after_be(made: Sequence[str]) -> bool:
    """Whether the verb before, adverbs apart, is a form of `be`."""
    for token in reversed(made):
        if token not in _BETWEEN:
            return token == "be"
    return False


def _is_participle(token: str) -> bool:
    return token == "been" or past_stem(token) is not None or token in SAME_IN_PAST or token == "had"


_BEFORE_NOUN = words(
    """
    a an the my your his her its our their this that these those some any no all each every both few
    many several more most of in on at for from to with without by about after before new old good bad
    """
)
_NOUNS_IN_ING = words(
    """
    meeting building training painting wedding morning evening ceiling feeling heating parking thing
    something anything nothing everything king ring string spring wing interesting boring exciting
    missing amazing annoying confusing bring during being sling sing cling ding ping outing charming
    challenging promising convincing disappointing embarrassing encouraging frustrating surprising
    """
)


def turned_active(tokens: Sequence[str]) -> list[str]:
    """`patient be verb+ by agent rest` as `agent verb patient rest`; other tokens as they are."""
    if "be" not in tokens or "by" not in tokens:
        return list(tokens)
    be = tokens.index("be")
    verb = next((at for at in range(be + 1, min(be + 4, len(tokens))) if tokens[at].endswith("+")), None)
    if verb is None or not be:
        return list(tokens)
    by = next((at for at in range(verb + 1, len(tokens)) if tokens[at] == "by"), None)
    if by is None or by + 1 >= len(tokens) or tokens[by + 1].startswith(("@", "date-")):
        return list(tokens)
    end = by + 1
    while end < len(tokens) and tokens[end] not in AGENT_ENDS and not tokens[end].startswith(("@", "date-")):
        end += 1
    agent, patient = tokens[by + 1 : end], list(tokens[:be])
    if len(agent) == 1 and agent[0].startswith("#"):
        return list(tokens)
    modal: list[str] = []
    while patient and patient[-1] in _MODALS:
        modal.insert(0, patient.pop())
    if not agent or not patient or any(token in _DAYS for token in agent) or agent[0].endswith("+"):
        return list(tokens)
    return [
        *agent, *modal, *tokens[be + 1 : verb], tokens[verb][:-1],
        *patient, *tokens[verb + 1 : by], *tokens[end:],
    ]  # fmt: skip


_MODALS = _BETWEEN | words("must can should might would could want intend to")
_DAYS = words(
    """
    monday tuesday wednesday thursday friday saturday sunday tomorrow tonight noon january february
    march april may june july august september october november december hand email train bus car default end
    """
)
PARTICLES = words("off up out away down back")
_PARTICLE_VERBS = words(
    """
    turn turns turned turning call calls called calling pick picks picked picking put puts putting throw
    throws threw thrown hand hands handed give gives gave given send sends sent bring brings brought take
    takes took taken set sets switch switches switched cut cuts write wrote pay pays paid fill fills filled
    look looked check checked work drop drops dropped back backs backed clean cleaned wake wakes woke lay laid
    """
)


def particles_joined(tokens: Sequence[str]) -> list[str]:
    """`turn the heating off` as `turn off the heating`."""
    made = list(tokens)
    if PARTICLES.isdisjoint(made):
        return made
    for at in range(2, len(made)):
        closes = at + 1 == len(made) or made[at + 1] in AGENT_ENDS or made[at + 1] in (",", "by")
        if made[at] in PARTICLES and closes:
            verb = next(
                (back for back in range(at - 2, max(-1, at - 5), -1) if made[back] in _PARTICLE_VERBS), None
            )
            if verb is not None:
                made.insert(verb + 1, made.pop(at))
    return made


AGENT_ENDS = words(
    """
    in on at for from to with without during before after until since today tomorrow yesterday tonight
    now daily weekly monthly yearly last next this every each and but because if when while
    """
)
