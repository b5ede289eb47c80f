"""The shape of a language's data: words with tags, cue phrases with signs, and how the owner is spoken of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product

from extract.tokens import Kind, Token


class Tag:
    """What a word can do in a clause. A word can have several."""

    SUBJECT = 1 << 0
    """A pronoun that can be a subject."""
    FINITE = 1 << 1
    """A verb form that makes a clause wherever it stands: is, can, doesn't, it's."""
    MODAL = 1 << 2
    BASE = 1 << 3
    THIRD = 1 << 4
    PAST = 1 << 5
    PARTICIPLE = 1 << 6
    GERUND = 1 << 7
    NOUNISH = 1 << 8
    """The verb form is as often a noun or an adjective."""
    DETERMINER = 1 << 9
    PREPOSITION = 1 << 10
    COORDINATOR = 1 << 11
    CONTRAST = 1 << 12
    """A coordinator that always parts two claims: but, pero, aber."""
    REASON = 1 << 13
    """A conjunction whose clause is a claim of its own: because, since, so, although."""
    CONDITION = 1 << 14
    """A conjunction whose clause belongs to the main clause: if, when, until, that."""
    RELATIVE = 1 << 15
    QUESTION = 1 << 16
    """An interrogative word."""
    ADVERB = 1 << 17
    NEGATION = 1 << 18
    INFINITIVE = 1 << 19
    """The particle before an infinitive: to, zu."""
    FILLER = 1 << 20
    """Carries no meaning at the edge of a clause."""
    ASSENT = 1 << 21
    REFUSAL = 1 << 22
    ADJECTIVE = 1 << 23
    LEXICAL = 1 << 24
    """A verb with a meaning of its own, whatever else its form shows: it carries content."""


class Sign:
    """What a clause shows: cue phrases give most signs, its form and its place give the rest."""

    HEDGE = 1 << 0
    POSTPONED = 1 << 1
    """A choice put off: let me sleep on it."""
    COMMIT = 1 << 2
    """Words that settle something: decided, it is, go with."""
    ASSENTS = 1 << 3
    """Opens or closes with a yes."""
    ACCEPT = 1 << 4
    REJECT = 1 << 5
    OBLIGATION = 1 << 6
    LIMIT = 1 << 7
    """A bound: at most, budget, deadline, only have."""
    BAN = 1 << 8
    NEED = 1 << 9
    SUPPOSED = 1 << 55
    """A case that is only imagined: suppose I decided, if we had gone with."""
    TURNS = 1 << 57
    """Takes back what was settled, before saying what holds now: I've changed my mind."""
    RETRACTS = 1 << 58
    """Takes back the very sentence before: scratch that, wait, no."""
    ANNOUNCES = 1 << 59
    """Says that something was settled and not what: I've decided, I've changed my mind."""
    JEST = 1 << 56
    """Says that what stands before it was not meant: just kidding."""
    BOUNDED = 1 << 54
    """Words that state a bound whoever says them: at least, the limit is, unless."""
    TAKES_UP = 1 << 52
    """Words that take something up rather than answer a question: ok ..., ... then."""
    IDIOM = 1 << 51
    """A negation or modal that forbids nothing: can't wait, must have been hard."""
    FREE = 1 << 50
    """No obligation: don't have to, no need to."""
    OWN_FUTURE = 1 << 10
    """What the speaker says they will do."""
    TASK = 1 << 11
    """Something to be done, by somebody."""
    SOON = 1 << 12
    """A time that lies ahead: tomorrow, next week."""
    ADVICE = 1 << 13
    """The assistant recommends."""
    POSSIBLE = 1 << 14
    """could, might, may, can."""
    NOVEL = 1 << 15
    """Announces an idea: idea, what about, how about."""
    ASKS = 1 << 16
    """A question by its words."""
    REQUEST = 1 << 17
    """The owner asks the assistant to do something."""
    REPORTED = 1 << 18
    """Somebody else's words or wish: she says, my boss wants."""
    PREFERENCE = 1 << 19
    FLOATS = 1 << 20
    """A step put as a question to think about: could we soften it?"""
    WANTS = 1 << 21
    """The owner's will about a thing: I want it blue."""
    ASSIGNS = 1 << 22
    """Says who does what: Gosia checks the numbers."""
    WRAPPER = 1 << 23
    """Talk about the talk: great question, let me know, here is."""
    COURTESY = 1 << 24
    EXAMPLE = 1 << 25
    OPTIONS = 1 << 26
    """Announces proposals: options, steps, ideas, what I'd do."""
    REFERENCE = 1 << 27
    """Points at what stands above: that, this, it, the plan."""
    # of form and place
    MARKED_QUESTION = 1 << 28
    IMPERATIVE = 1 << 29
    FRAGMENT = 1 << 30
    REPLY = 1 << 31
    """The owner's words right after the assistant's."""
    ASKED = 1 << 32
    """Answers a message of the assistant that ended in a question."""
    SHORT = 1 << 33
    ECHO = 1 << 34
    """Repeats the content of a proposal that the message answers."""
    MENTIONS = 1 << 35
    """Shares a content word with the assistant's message that it answers."""
    NAMES = 1 << 36
    """Names a proposal by its number or letter."""
    LABELLED = 1 << 37
    """Stands behind a label on its own line: `Rent: 300`."""
    OPENS = 1 << 38
    """The first clause of its sentence."""
    UNDER_PROPOSALS = 1 << 39
    """Stands in a list or section that announces proposals."""
    OPENS_ITEM = 1 << 40
    """In the first sentence of a list item."""
    CONCLUDES = 1 << 41
    """Draws a conclusion: so ..."""
    BESIDE = 1 << 42
    """Stands in brackets."""
    IN_LIST = 1 << 43
    IN_TABLE = 1 << 44
    DIRECTIVE = 1 << 45
    """An imperative whose verb settles something: use, keep, drop, go with."""
    ORDER = 1 << 46
    """An imperative that asks the assistant for work: write, explain, make me."""
    FIRST_PERSON = 1 << 47
    """The speaker is the subject."""
    PAST_TENSE = 1 << 48
    NUMBERED = 1 << 49
    """Holds a number."""
    VERBLESS = 1 << 53
    """The whole sentence has no finite verb."""


@dataclass(frozen=True, slots=True)
class Cue:
    """A phrase and the signs it gives.

    Phrases are lower-case words. `(a|b c|)` is an alternative, `_` any one token, `#` a number;
    `^` first: only at the clause's start (fillers skipped); `$` last: only at its end.
    """

    signs: int
    phrases: tuple[str, ...]


def cue(signs: int, *lines: str) -> Cue:
    """A cue from lines of phrases, parted by ` / `."""
    return Cue(
        signs, tuple(phrase.strip() for line in lines for phrase in line.split(" / ") if phrase.strip())
    )


_GROUP = re.compile(r"\(([^)]*)\)")


def expand(phrase: str) -> list[tuple[str, ...]]:
    """Every word sequence that a phrase with alternatives stands for."""
    parts = _GROUP.split(phrase)
    choices = [part.split("|") if index % 2 else [part] for index, part in enumerate(parts)]
    return [tuple("".join(chosen).split()) for chosen in product(*choices)]


@dataclass(slots=True)
class _Node:
    signs_anywhere: int = 0
    signs_at_end: int = 0
    signs_at_start: int = 0
    signs_whole: int = 0
    below: dict[str, _Node] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hit:
    """A cue found at tokens [first, last)."""

    signs: int
    first: int
    last: int


class CueTable:
    """Cue phrases as one trie over words: a clause is read once, whatever the number of phrases."""

    def __init__(self, cues: Iterable[Cue]) -> None:
        self._root = _Node()
        for entry in cues:
            for phrase in entry.phrases:
                for words in expand(phrase):
                    self._add(words, entry.signs)

    def _add(self, words: tuple[str, ...], signs: int) -> None:
        at_start, at_end = words[0] == "^", words[-1] == "$"
        node = self._root
        for word in words[at_start : len(words) - at_end]:
            node = node.below.setdefault(word, _Node())
        if at_start and at_end:
            node.signs_whole |= signs
        elif at_start:
            node.signs_at_start |= signs
        elif at_end:
            node.signs_at_end |= signs
        else:
            node.signs_anywhere |= signs

    def find(self, tokens: Sequence[Token], start: int = 0) -> list[Hit]:
        """The cues in the tokens; `start` is where the clause starts once its fillers are skipped."""
        hits: list[Hit] = []
        count = len(tokens)
        root = self._root.below
        for first in range(count):
            low = tokens[first].low
            if low in root:
                self._walk(root[low], tokens, first, first + 1, start, hits)
            if "#" in root and tokens[first].kind is Kind.NUMBER:
                self._walk(root["#"], tokens, first, first + 1, start, hits)
            if "_" in root:
                self._walk(root["_"], tokens, first, first + 1, start, hits)
        return hits

    def _walk(
        self, node: _Node, tokens: Sequence[Token], first: int, place: int, start: int, hits: list[Hit]
    ) -> None:
        signs = node.signs_anywhere
        at_start = first <= start
        at_end = place >= len(tokens) or all(token.kind >= Kind.MARK for token in tokens[place:])
        if at_start:
            signs |= node.signs_at_start
        if at_end:
            signs |= node.signs_at_end
            if at_start:
                signs |= node.signs_whole
        if signs:
            hits.append(Hit(signs, first, place))
        if place < len(tokens) and node.below:
            token = tokens[place]
            for key in (token.low, "_"):
                if key in node.below:
                    self._walk(node.below[key], tokens, first, place + 1, start, hits)
            if token.kind is Kind.NUMBER and "#" in node.below:
                self._walk(node.below["#"], tokens, first, place + 1, start, hits)


@dataclass(frozen=True, slots=True)
class Voice:
    """How a language speaks of the owner in the third person."""

    user: str
    users: str
    """The owner with others, where the language's verbs tell one from the other."""
    decides: str
    """Template with {what}: a settled phrase that has no verb."""
    decides_to: str
    """Template with {what}: a settled action, `what` in the infinitive."""
    rejects: str
    chooses: str
    """Template with {what}: a thing that was picked."""
    assistant: str = ""
    writer: str = ""
    """The unnamed writer of pasted or attached text."""
    reader: str = ""
    """Whoever a draft is written to."""
    decides_not_to: str = ""
    """`decides_to` of an order that opens with `refusals`."""
    refusals: tuple[tuple[str, ...], ...] = ()
    """Words by which an order forbids: `don't`, `do not`."""
    asks: str = ""
    """What a question opens with: an inverted mark in Spanish."""
    asked_to: str = ""
    """Template with {what}: an order, in the infinitive, as a question."""
    stop: str = "."
    ask: str = "?"


@dataclass(frozen=True)
class Language:
    """A language's data. `words` wins over `endings`, which tag words that are not listed."""

    code: str
    words: Mapping[str, int]
    cues: tuple[Cue, ...]
    voice: Voice
    typical: frozenset[str]
    """Common words that tell this language from the others."""
    endings: tuple[tuple[str, int], ...] = ()
    spellings: Mapping[str, str] = field(default_factory=dict)
    """Chat spellings: dont -> don't."""
    persons: Mapping[str, str] = field(default_factory=dict)
    """The owner's first-person words in the third person."""
    addressee: Mapping[str, str] = field(default_factory=dict)
    """The assistant's second-person words in the third person."""
    base_of: Mapping[str, str] = field(default_factory=dict)
    """Inflected verb form -> base form."""
    agreement: Mapping[str, str] = field(default_factory=dict)
    """Verb forms of the first (and second) person -> the third."""
    subjects: frozenset[str] = frozenset()
    """Pronouns after which the verb has to agree anew."""
    causatives: frozenset[str] = frozenset()
    """Verbs whose object does what the verb after it says, in the base form: help you find."""
    reflexive: Mapping[str, str] = field(default_factory=dict)
    """Object pronouns that become reflexive when their person is also the subject."""
    own: str = ""
    """The possessive of whoever the sentence began with: the user ... their."""
    verb_last: bool = False
    """The verb may stand far from its subject, at the end of its clause."""
    pairs: frozenset[tuple[str, str]] = frozenset()
    """Two-word conjunctions whose clause is a claim of its own: así que."""
    dropped: frozenset[str] = frozenset()
    """First-person pronouns that go when the subject is named."""
    plural_forms: frozenset[str] = frozenset()
    """Verb forms of the first person plural."""
    patterns: tuple[tuple[int, str], ...] = ()
    """Signs by regular expression, for scripts without spaces, where cues cannot go word by word."""
    openers: re.Pattern[str] | None = None
    """What a sentence opens with that says nothing of its own: please note that, however."""
    indirect: re.Pattern[str] | None = None
    """What leads in to an indirect question: no idea, I don't know."""
    pro_drop: bool = False
    """A finite verb alone opens a clause."""
    comma_parts_clauses: bool = False
    """Every subordinate clause stands between commas."""
    ordinal_stop: bool = False
    """A stop after a number makes it an ordinal: der 3. Mai."""
    empty_labels: frozenset[str] = frozenset()
    """Labels that add nothing: note, quick recap."""
    vocatives: frozenset[str] = frozenset()
    """What people call one another by: mate, my friend."""
    orders: frozenset[str] = frozenset()
    """Verbs that, as an imperative, ask the assistant for work."""
    directives: frozenset[str] = frozenset()
    """Verbs that, as an imperative, settle something."""

    @cached_property
    def table(self) -> CueTable:
        """The cues, compiled."""
        return CueTable(self.cues)

    @cached_property
    def compiled(self) -> tuple[tuple[int, re.Pattern[str]], ...]:
        """The patterns, compiled."""
        return tuple((signs, re.compile(pattern, re.MULTILINE)) for signs, pattern in self.patterns)

    def tag(self, low: str) -> int:
        """The tags of a lower-case word, as a plain integer."""
        found = self.words.get(low)
        if found is not None:
            return found
        for ending, tag in self.endings:
            if low.endswith(ending) and len(low) > len(ending) + 1:
                return tag
        return 0


def lexicon(*groups: tuple[int, str]) -> dict[str, int]:
    """word -> tags, from (tags, words) groups; a word in several groups has the tags of all."""
    words: dict[str, int] = {}
    for tag, text in groups:
        for word in text.split():
            key = word.replace("_", " ")
            words[key] = words.get(key, 0) | tag
    return words
