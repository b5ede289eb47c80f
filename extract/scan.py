"""A sentence's tokens with what each can do, and the places where a verb makes a clause."""

from __future__ import annotations

from collections.abc import Sequence

from extract.languages.lexicon import Language, Tag
from extract.tokens import Kind, Token

SUBJECT, FINITE, MODAL = Tag.SUBJECT, Tag.FINITE, Tag.MODAL
BASE, THIRD, PAST, PARTICIPLE, GERUND = Tag.BASE, Tag.THIRD, Tag.PAST, Tag.PARTICIPLE, Tag.GERUND
NOUNISH, DETERMINER, PREPOSITION = Tag.NOUNISH, Tag.DETERMINER, Tag.PREPOSITION
COORDINATOR, CONTRAST, REASON = Tag.COORDINATOR, Tag.CONTRAST, Tag.REASON
CONDITION, RELATIVE, QUESTION = Tag.CONDITION, Tag.RELATIVE, Tag.QUESTION
ADVERB, NEGATION, INFINITIVE = Tag.ADVERB, Tag.NEGATION, Tag.INFINITIVE
FILLER, ADJECTIVE = Tag.FILLER, Tag.ADJECTIVE
VERBAL = BASE | THIRD | PAST
FUNCTION = (
    DETERMINER | PREPOSITION | COORDINATOR | CONDITION | REASON | SUBJECT | INFINITIVE | RELATIVE | FINITE
)

QUOTES = frozenset('"“”«»„')
_NO_NOUN = FUNCTION | ADVERB | QUESTION | FILLER
DICTATED_WORDS = 22
"""A sentence of more words than this with next to no punctuation is taken for dictated speech."""
_LOOK_AHEAD = 9
QUOTED_TOKENS = 24
_NOMINATIVE = frozenset({"i", "we", "he", "she", "they"})
_COPULAS = frozenset({"is", "are", "was", "were", "has", "have", "had", "isn't", "aren't", "wasn't"})
_OBJECT_STARTS = frozenset({"the", "a", "an", "your", "my", "each", "all", "it", "them", "this", "these"})
"""After an unknown word at the start of a clause these show that it was an order: stub the server."""
_QUOTE_PAIRS = {'"': '"', "“": "”", "«": "»", "„": "“"}


class Scan:
    """A sentence's tokens with tags, and the places where a verb makes a clause."""

    def __init__(
        self,
        tokens: Sequence[Token],
        language: Language,
        *,
        itemised: bool = False,
        known: tuple[Sequence[int], Sequence[bool]] | None = None,
    ) -> None:
        """`itemised`: it stands in a list, where a row of phrases is one entry.

        `known`: the tags and finite verbs of the tokens, where the sentence they come from has been scanned
        already.
        """
        self.language, self.itemised = language, itemised
        self.written = False
        if known is not None:
            self.tokens = list(tokens)
            self.tags, self.finite = list(known[0]), list(known[1])
            self.asks = self.dictated = False
            return
        self.tokens = [token for token in tokens if token.kind is not Kind.MARK]
        self.asks = any(token.low[-1:] in "?？" for token in self.tokens[-3:])
        spell, tag = language.spellings.get, language.tag
        self.tags = [
            tag(spell(token.low, token.low)) if token.kind is Kind.WORD else 0 for token in self.tokens
        ]
        self._mend_its()
        self._mend_degree()
        self._mend_pairs()
        self.finite = self._finites()
        words = marks = 0
        for token in self.tokens:
            words += token.kind is Kind.WORD
            marks += token.kind is Kind.PUNCT and token.low in ",;:"
        self.dictated = words > DICTATED_WORDS and marks * 14 <= words

    def _mend_its(self) -> None:
        """`its just me`, `its 3am`: the apostrophe left out."""
        for place, token in enumerate(self.tokens[:-1]):
            if token.low == "its" and (
                self.tokens[place + 1].kind is Kind.NUMBER
                or self.tags[place + 1] & (DETERMINER | ADVERB)
                or self.tokens[place + 1].low
                in ("been", "going", "like", "in", "on", "at", "about", "because")
            ):
                self.tags[place] = SUBJECT | FINITE

    def _mend_degree(self) -> None:
        """`I kind of agree`: two words that only weaken the verb."""
        for place, token in enumerate(self.tokens[:-2]):
            weakens = token.low in ("kind", "sort") and self.tokens[place + 1].low == "of"
            if weakens and place and self.tags[place - 1] & SUBJECT:
                self.tags[place] = self.tags[place + 1] = ADVERB

    def _mend_pairs(self) -> None:
        """`así que`: two words that are one conjunction."""
        pairs = self.language.pairs
        for place in range(len(self.tokens) - 1):
            if (self.tokens[place].low, self.tokens[place + 1].low) in pairs:
                self.tags[place], self.tags[place + 1] = REASON, ADVERB | FILLER

    def _finites(self) -> list[bool]:
        tags = self.tags
        found = []
        plural = False
        for place, tag in enumerate(tags):
            before = tags[place - 1] if place else 0
            if tag & FINITE:
                found.append(True)
                continue
            if not tag & VERBAL or place == 0:
                found.append(self._follows_nominative(place))
                continue
            back = place - 1
            while back > 0 and tags[back] & ADVERB and not tags[back] & (SUBJECT | DETERMINER):
                back -= 1
            subject, word = tags[back], self.tokens[back]
            plural = word.low.endswith("s") and len(word.low) > 3 and "'" not in word.low
            if subject & SUBJECT and not subject & FINITE:
                found.append(not (subject & DETERMINER and tag & NOUNISH) or back != place - 1)
                continue
            nounlike = (
                word.kind in (Kind.WORD, Kind.CODE, Kind.NUMBER, Kind.LINK)
                and not subject & (FUNCTION | ADJECTIVE | GERUND)
            ) or word.low in (")", '"', "”")
            if tag & (THIRD | PAST):
                found.append(
                    nounlike
                    and not (tag & NOUNISH and (word.kind is Kind.NUMBER or self._noun_follows(place)))
                    and not before & (MODAL | DETERMINER)
                )
            else:
                found.append(
                    plural
                    and nounlike
                    and not (subject & VERBAL and not subject & NOUNISH)
                    and place + 1 < len(tags)
                )
        return found

    def _follows_nominative(self, place: int) -> bool:
        """A word of no list right after `I` or `they` can only be their verb: `I rock him`."""
        if not place or self.language.code != "en" or self.tags[place]:
            return False
        token = self.tokens[place]
        plain = token.kind is Kind.WORD and token.low.isalpha() and not token.low.endswith("ly")
        back = place - 1
        while back > 0 and self.tags[back] & ADVERB and not self.tags[back] & (SUBJECT | FINITE):
            back -= 1
        return plain and self.tokens[back].low in _NOMINATIVE

    def _noun_follows(self, place: int) -> bool:
        """A verb-or-noun at the end of its stretch, or before a verb, is a noun."""
        if place + 1 >= len(self.tokens):
            return True
        following = self.tags[place + 1]
        return bool(following & FINITE) or self.tokens[place + 1].kind in (Kind.END, Kind.PUNCT)

    def has_finite(self, first: int, last: int) -> bool:
        """Whether a clause-making verb stands in [first, last)."""
        return any(self.finite[first:last])

    def claims(self, first: int, last: int) -> bool:
        """Whether [first, last) says something: a verb with its subject, a verb that goes on, or an order."""
        if self.has_finite(first, last) or self.imperative_at(first, last):
            return True
        place = self.skip(first, last, ADVERB | FILLER)
        return place < last and bool(self.tags[place] & (THIRD | PAST)) and not self.tags[place] & NOUNISH

    def main_verb(self, first: int, last: int) -> int:
        """The first verb of [first, last) that makes the clause, past those of relative and conditional
        clauses and of quotations; -1 if there is none."""
        inner, quoted = 0, False
        for place in range(first, last):
            quoted ^= self.tokens[place].low in QUOTES
            if quoted:
                continue
            tag = self.tags[place]
            opens = tag & (RELATIVE | CONDITION) and not tag & (PREPOSITION | DETERMINER)
            if opens or (place > first and tag & SUBJECT and self._follows_noun(place)):
                inner += 1
            if self.finite[place]:
                if not inner:
                    return place
                if not (place and self.tags[place - 1] & MODAL):
                    inner -= 1
        return -1

    def _follows_noun(self, place: int) -> bool:
        """Whether a pronoun right after a noun opens a relative clause without its pronoun: the brief I can
        send."""
        if self.language.code != "en" or (self.tags[place] & DETERMINER and self.tokens[place].low != "that"):
            return False
        return self.tokens[place - 1].kind is Kind.WORD and not self.tags[place - 1] & _NO_NOUN

    def closing_quote(self, place: int) -> int | None:
        """The token that closes the quotation that opens at `place`, if it does so within a few words."""
        token = self.tokens[place]
        close = _QUOTE_PAIRS.get(token.low)
        if close is None or place + 1 >= len(self.tokens) or self.tokens[place + 1].start > token.end:
            return None
        for later in range(place + 1, min(len(self.tokens), place + QUOTED_TOKENS)):
            if self.tokens[later].low == close:
                return later
        return None

    def starts_clause(self, first: int, last: int) -> bool:
        """Whether [first, last) opens with a subject and its verb."""
        place = self.skip(first, last, ADVERB | FILLER)
        if place >= last:
            return False
        tag = self.tags[place]
        if tag & SUBJECT and tag & FINITE:
            return True
        if tag & SUBJECT and not (
            tag & DETERMINER and place + 1 < last and not self._verb_soon(place + 1, min(last, place + 3))
        ):
            return self._verb_soon(place + 1, min(last, place + 5))
        if tag & (PREPOSITION | CONDITION | INFINITIVE | COORDINATOR | REASON):
            return False
        if tag & FINITE:
            if self.language.pro_drop or (
                self.language.comma_parts_clauses and first and self.tokens[first - 1].low == ","
            ):
                return True
            # inversion: can you, is it, does the tank; `is the obvious choice` only goes on after an aside
            follows = SUBJECT if self.tokens[place].low in _COPULAS else SUBJECT | DETERMINER
            return place + 1 < last and (self.asks or bool(self.tags[place + 1] & follows))
        return self._verb_soon(place + 1, min(last, place + _LOOK_AHEAD))

    def _verb_soon(self, first: int, last: int) -> bool:
        depth = 0
        for place in range(first, last):
            low = self.tokens[place].low
            depth += (low == "(") - (low == ")")
            if depth or low == ")":
                continue  # the buyer (Mr Oduya) turns out ...
            if self.finite[place]:
                inverted = place + 1 < last and self.tags[place] & FINITE and self.tags[place + 1] & SUBJECT
                return not (inverted and place > first and not self.tags[place + 1] & DETERMINER)
            if (
                place > first
                and self.tags[place] & SUBJECT
                and not self.tags[place] & (DETERMINER | CONDITION | RELATIVE)
            ):
                return False
            if self.tokens[place].kind >= Kind.END and self.tokens[place].low not in QUOTES:
                return False
            if self.tags[place] & (CONDITION | REASON | RELATIVE) and not self.tags[place] & (
                SUBJECT | PREPOSITION
            ):
                return False
        return False

    def skip(self, first: int, last: int, mask: int) -> int:
        """The first token of [first, last) that is none of `mask`, nor a quotation mark among them."""
        origin = first
        while first < last and (
            (self.tokens[first].low == "," and first > origin)
            or (self.tags[first] & mask and not self.tags[first] & (SUBJECT | FINITE))
            or self.tokens[first].low in QUOTES
        ):
            first += 1
        return first

    def _respelt(self, place: int) -> str:
        low = self.tokens[place].low
        return self.language.spellings.get(low, low)

    def imperative_at(self, first: int, last: int) -> bool:
        """Whether [first, last) opens with an order: a base form that is no mere noun."""
        place = self.skip(first, last, FILLER | ADVERB)
        if place < last and self._respelt(place) in ("don't", "do", "never", "always"):
            if (
                self.tokens[place].low == "do"
                and place + 1 < last
                and not self.tags[place + 1] & (SUBJECT | BASE | NEGATION)
            ):
                return True  # do both, do the second
            place += 1
            place += place < last and self.tokens[place].low == "not"
        if place >= last:
            return False
        tag = self.tags[place]
        if not tag and place + 1 < last and self.tokens[place + 1].low in _OBJECT_STARTS:
            return self.tokens[place].kind is Kind.WORD and self.language.code == "en"
        if not tag & BASE or tag & (FINITE | SUBJECT):
            return False
        if place + 1 >= last:
            return not tag & NOUNISH
        following, after = self.tokens[place + 1], self.tags[place + 1]
        if after & COORDINATOR and place + 2 < last and self.tags[place + 2] & BASE:
            return True  # fix or delete
        if following.kind is Kind.PUNCT and following.low in ":,":
            return not tag & NOUNISH
        low = self.tokens[place].low
        if tag & NOUNISH and following.low == "of":
            return False
        if (
            tag & NOUNISH
            and low in self.language.directives
            and following.kind is Kind.WORD
            and not after & (FINITE | COORDINATOR)
        ):
            return not self.has_finite(place + 1, last) or bool(after & (DETERMINER | SUBJECT))
        if tag & NOUNISH:
            return bool(
                after & (DETERMINER | ADVERB | SUBJECT | INFINITIVE | ADJECTIVE)
                or following.kind in (Kind.CODE, Kind.NUMBER, Kind.LINK)
                or (
                    after & PREPOSITION
                    and following.low not in ("of",)
                    and not self.has_finite(place + 1, last)
                )
                or (
                    not after & (FINITE | COORDINATOR)
                    and not self.has_finite(place + 1, last)
                    and last - place > 2
                )
            )
        return not (after & FINITE and not after & SUBJECT)
