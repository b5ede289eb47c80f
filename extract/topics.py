"""A conversation's topics: its title, then the noun phrases that recur in what was said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from extract.candidates import EMPTY_TAGS, Candidate
from extract.languages.lexicon import Tag
from extract.tokens import Kind
from schemas.unit import Speaker

MOST = 5
_LONGEST = 3
_AT_LEAST = 2
_VERB = Tag.GERUND | Tag.PAST | Tag.THIRD | Tag.PARTICIPLE


def phrases_of(candidate: Candidate) -> Iterable[str]:
    """Runs of up to three words of a clause that look like nouns; the owner's count twice."""
    run: list[str] = []
    for token, tag in zip(candidate.clause.tokens, candidate.clause.tags, strict=True):
        if token.kind is Kind.WORD and can_be_noun(tag) and len(token.low) > 2:
            run.append(token.low)
            continue
        yield from _names(run)
        run = []
    yield from _names(run)


def can_be_noun(tag: int) -> bool:
    """Whether a word with these tags may name something."""
    plain = not tag & (EMPTY_TAGS | Tag.ADJECTIVE | _VERB)
    return plain and (not tag & Tag.BASE or bool(tag & Tag.NOUNISH))


def _names(run: Sequence[str]) -> Iterable[str]:
    if 0 < len(run) <= _LONGEST:
        yield " ".join(run)


def topics(title: str | None, counts: Counter[str]) -> tuple[str, ...]:
    """The title and the phrases counted most often, longer ones first among equals, none inside another."""
    found = [title.strip()] if title and title.strip() else []
    ranked = sorted(counts.items(), key=lambda item: (-item[1] * (1 + item[0].count(" ")), item[0]))
    for phrase, count in ranked:
        if len(found) >= MOST or count < _AT_LEAST:
            break
        if not any(phrase in other.lower() or other.lower() in phrase for other in found):
            found.append(phrase)
    return tuple(found)


def weight(candidate: Candidate) -> int:
    """How much a clause's phrases count."""
    return 2 if candidate.speaker is Speaker.OWNER else 1
