"""The scorer of `extraction.jsonl`: matching by message and character span, so that it needs no model.

The metrics are those that `evals/README.md` of the shared folder defines. A produced unit and a gold unit
*can match* when the unit cites the same message with a span that covers at least half of the gold quote's
characters; the score is taken over a maximum one-to-one matching. Where several maximum matchings exist, a
gold unit is given the span that fits it most tightly, so the figures are the same on every run.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from chunking.stop_words import STOP_WORDS
from evals.conversations import EvalConversation, as_conversation
from evals.models import opened
from extract.model.notes.claim_checks import UNREADABLE
from extract.offline_engine import Extraction
from inference.provider_choice import Asked
from schemas.base import Noun
from schemas.conversation import Conversation, Origin
from schemas.errors import InputError, PathMissing
from schemas.unit import MAX_WORDS, Category, Unit
from schemas.words import count_words

COVERED_SHARE = 0.5
"""A span matches a quote when it covers at least this share of the quote (`evals/README.md`)."""

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_WORD = re.compile(r"\w+(?:['’]\w+)*")
_FENCE = re.compile(r"^ {0,3}(```|~~~).*?(?:^ {0,3}\1[^\n]*$|\Z)", re.MULTILINE | re.DOTALL)

_NO_REFUSALS = frozenset({"said already", "hidden message", UNREADABLE, *(one.value for one in Origin)})
"""What an engine counts as dropped beside notes that did not hold."""

Produce = Callable[[Conversation], Sequence[Unit]]


class GoldUnit(Noun):
    """A unit that must be found; `quote` is a verbatim substring of the message."""

    category: Category
    speaker: str
    message_id: str
    quote: str
    text: str


class ExcludedQuote(Noun):
    """A quote that must not become a unit (`not_units`) or a decision (`not_decisions`)."""

    message_id: str
    quote: str
    why: str


class ExtractionRow(Noun):
    """One line of `extraction.jsonl`."""

    conversation: EvalConversation
    gold: tuple[GoldUnit, ...]
    topics: tuple[str, ...] = ()
    not_units: tuple[ExcludedQuote, ...] = ()
    not_decisions: tuple[ExcludedQuote, ...] = ()


class DumpRow(Noun):
    """A produced unit under the evaluation's own message id, as `--dump` writes it."""

    message_id: str
    start: int
    end: int
    quote: str
    category: Category
    text: str


class ModelShare(Noun):
    """What of the notes is a language model's."""

    notes: int
    """Units that it wrote and code accepted."""
    accepted: float
    """Of the notes that could be read, those that were accepted."""
    refused: dict[str, int]
    """Notes that were not, by reason."""
    offline: int
    """Units of the offline engine where the model's are missing."""
    fallbacks: dict[str, int]
    """Places left to the offline engine, by reason."""


class ExtractionScore(Noun):
    """The metrics of `evals/README.md`; shares are 0-1, the rest are counts."""

    engine: str
    rows: int
    gold: int
    units: int
    coverage: float
    precision: float
    category_accuracy: float
    recall_by_category: dict[Category, float]
    text_f1: float
    numbers_lost: float
    noise: float
    false_decisions: int
    false_decisions_owner: int
    """On the user's messages: a decision that matches no gold decision and overlaps a `not_decisions`
    quote."""
    false_decisions_others: int
    """Decisions on messages that are not the user's."""
    long: int
    ungrounded: int
    model: ModelShare | None = None
    """Of an engine with a language model."""


@dataclass(frozen=True, slots=True)
class Span:
    """A run of characters in one message, under the evaluation's message id."""

    message: str
    start: int
    end: int

    def overlap(self, other: Span) -> int:
        """Characters that both spans hold."""
        if self.message != other.message:
            return 0
        return max(0, min(self.end, other.end) - max(self.start, other.start))

    def inside(self, other: Span) -> bool:
        """Whether this span lies within the other."""
        return self.message == other.message and other.start <= self.start and self.end <= other.end


@dataclass(frozen=True, slots=True)
class _Produced:
    unit: Unit
    span: Span


@dataclass(frozen=True, slots=True)
class _RowResult:
    gold: tuple[GoldUnit, ...]
    produced: tuple[_Produced, ...]
    matches: tuple[tuple[int, int], ...]
    """Pairs (index of the gold unit, index of the produced unit)."""
    excluded: int
    noise: int
    false_owner: int
    false_others: int
    ungrounded: int
    dump: tuple[DumpRow, ...]


def read_rows(path: Path) -> Iterator[ExtractionRow]:
    """The rows of an `extraction.jsonl`. Raises PathMissing, or InputError naming the line that does not
    parse."""
    if not path.is_file():
        raise PathMissing(f"no such file: {path}", remedy="name an extraction.jsonl")
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                yield ExtractionRow.model_validate_json(line)
            except ValueError as error:
                raise InputError(
                    "not a row of extraction.jsonl", where=f"{path.name}:{number}", why=str(error)
                ) from error


def score_extraction(
    rows: Iterable[ExtractionRow], produce: Produce, engine: str = "offline"
) -> ExtractionScore:
    """Runs `produce` over every row's conversation and scores what comes back."""
    return _total([_score_row(row, produce(as_conversation(row.conversation))) for row in rows], engine)


def run_extraction_eval(
    path: Path, asked: Asked | None = None, dump: Path | None = None, *, proofread: bool = False
) -> ExtractionScore:
    """Scores an engine on a file of rows: a language model's where one is `asked`, which reads its notes a
    second time where `proofread`. `dump` receives the produced units as JSON Lines.

    Raises what `read_rows` and `opened` raise.
    """
    with opened(asked, proofread=proofread) as (engine, extractor):
        found = [(row, extractor.extract(as_conversation(row.conversation))) for row in read_rows(path)]
    results = [_score_row(row, extraction.units) for row, extraction in found]
    models = None
    if asked is not None:
        models = _by_model([extraction for _, extraction in found])
    if dump is not None:
        dumped = (line.model_dump(mode="json") for result in results for line in result.dump)
        dump.write_text(
            "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in dumped), encoding="utf-8"
        )
    return _total(results, engine, models)


def _by_model(extractions: Sequence[Extraction]) -> ModelShare:
    units = [unit for one in extractions for unit in one.units]
    own = sum(" in place of " not in unit.extractor for unit in units)
    refused = Counter[str]()
    for one in extractions:
        refused.update({why: count for why, count in one.dropped.items() if why not in _NO_REFUSALS})
    return ModelShare(
        notes=own,
        accepted=_share(own, own + refused.total()),
        refused=dict(refused.most_common()),
        offline=len(units) - own,
        fallbacks=dict(Counter(found.reason for one in extractions for found in one.fallbacks)),
    )


def _score_row(row: ExtractionRow, units: Sequence[Unit]) -> _RowResult:
    conversation = as_conversation(row.conversation)
    native = {message.id: message.native_id for message in conversation.messages}
    texts = {message.id: message.text for message in row.conversation.messages}
    roles = {message.id: message.role for message in row.conversation.messages}
    produced = tuple(_Produced(unit, _span_of(unit, native)) for unit in units)
    gold_spans = [_locate(gold.message_id, gold.quote, texts) for gold in row.gold]
    matches = maximum_matching(gold_spans, [item.span for item in produced])
    noise_spans = [_locate(skip.message_id, skip.quote, texts) for skip in row.not_units]
    code_spans = [Span(key, *found.span()) for key, text in texts.items() for found in _FENCE.finditer(text)]
    matched = {right for _, right in matches}
    noisy = {i for i, item in enumerate(produced) if any(item.span.inside(span) for span in noise_spans)}
    in_code = {i for i, item in enumerate(produced) if any(item.span.inside(span) for span in code_spans)}
    good_decisions = {right for left, right in matches if row.gold[left].category is Category.DECISION}
    barred = [_locate(skip.message_id, skip.quote, texts) for skip in row.not_decisions]
    decisions = [(i, item) for i, item in enumerate(produced) if item.unit.category is Category.DECISION]
    others = [item for _, item in decisions if roles.get(item.span.message) != "user"]
    owner = [
        item
        for i, item in decisions
        if roles.get(item.span.message) == "user"
        and i not in good_decisions
        and any(item.span.overlap(span) for span in barred)
    ]
    return _RowResult(
        gold=row.gold,
        produced=produced,
        matches=tuple(matches),
        excluded=len((noisy | in_code) - matched),
        noise=len(noisy),
        false_owner=len(owner),
        false_others=len(others),
        ungrounded=sum(not _is_grounded(item.unit, native, texts) for item in produced),
        dump=tuple(
            DumpRow(
                message_id=item.span.message,
                start=item.span.start,
                end=item.span.end,
                quote=item.unit.evidence[0].quote,
                category=item.unit.category,
                text=item.unit.text,
            )
            for item in produced
        ),
    )


def _span_of(unit: Unit, native: dict[str, str]) -> Span:
    first = unit.evidence[0]
    return Span(native.get(first.message_id, ""), first.start, first.end)


def _locate(message: str, quote: str, texts: dict[str, str]) -> Span:
    start = texts[message].find(quote)
    if start < 0:
        raise InputError("a quote is not in its message", where=message, why=quote)
    return Span(message, start, start + len(quote))


def _is_grounded(unit: Unit, native: dict[str, str], texts: dict[str, str]) -> bool:
    for item in unit.evidence + unit.context:
        text = texts.get(native.get(item.message_id, ""))
        if (
            text is None
            or not 0 <= item.start < item.end <= len(text)
            or text[item.start : item.end] != item.quote
        ):
            return False
    return True


def maximum_matching(gold: Sequence[Span], produced: Sequence[Span]) -> list[tuple[int, int]]:
    """A maximum one-to-one matching (gold index, produced index), by augmenting paths, tightest spans
    first."""
    edges: list[list[int]] = []
    for quote in gold:
        size = quote.end - quote.start
        fitting = [
            i for i, span in enumerate(produced) if size and quote.overlap(span) >= COVERED_SHARE * size
        ]
        edges.append(sorted(fitting, key=lambda i: (-_tightness(quote, produced[i]), i)))
    taken: dict[int, int] = {}

    def assign(left: int, seen: set[int]) -> bool:
        for right in edges[left]:
            if right in seen:
                continue
            seen.add(right)
            if right not in taken or assign(taken[right], seen):
                taken[right] = left
                return True
        return False

    for left in sorted(range(len(gold)), key=lambda i: (len(edges[i]), i)):
        assign(left, set())
    return sorted((left, right) for right, left in taken.items())


def _tightness(quote: Span, span: Span) -> float:
    union = max(quote.end, span.end) - min(quote.start, span.start)
    return quote.overlap(span) / union if union else 0.0


def content_words(text: str) -> list[str]:
    """Lower-case words without stop words, in order."""
    return [word for word in _WORD.findall(text.lower().replace("’", "'")) if word not in STOP_WORDS]


def content_f1(produced: str, gold: str) -> float:
    """F1 between the content words of two texts, as multisets; 1.0 when neither has any."""
    left, right = content_words(produced), content_words(gold)
    if not left and not right:
        return 1.0
    common = 0
    rest = list(right)
    for word in left:
        if word in rest:
            rest.remove(word)
            common += 1
    return 2 * common / (len(left) + len(right))


def loses_number(unit: Unit) -> bool:
    """Whether a number of the unit's quote is missing from its text."""
    kept = set(_NUMBER.findall(unit.text))
    return any(number not in kept for number in _NUMBER.findall(unit.evidence[0].quote))


def _share(part: float, whole: float) -> float:
    return round(part / whole, 4) if whole else 0.0


def _total(results: Sequence[_RowResult], engine: str, model: ModelShare | None = None) -> ExtractionScore:
    pairs = [
        (result.gold[left], result.produced[right].unit)
        for result in results
        for left, right in result.matches
    ]
    units = [item.unit for result in results for item in result.produced]
    gold = [item for result in results for item in result.gold]
    owner, others = sum(r.false_owner for r in results), sum(r.false_others for r in results)
    by_category = {
        category: _share(
            sum(want.category is category and got.category is category for want, got in pairs),
            sum(item.category is category for item in gold),
        )
        for category in Category
    }
    return ExtractionScore(
        engine=engine,
        rows=len(results),
        gold=len(gold),
        units=len(units),
        coverage=_share(len(pairs), len(gold)),
        precision=_share(len(pairs), len(units) - sum(result.excluded for result in results)),
        category_accuracy=_share(sum(want.category is got.category for want, got in pairs), len(pairs)),
        recall_by_category=by_category,
        text_f1=_share(sum(content_f1(got.text, want.text) for want, got in pairs), len(pairs)),
        numbers_lost=_share(sum(loses_number(got) for _, got in pairs), len(pairs)),
        noise=_share(sum(result.noise for result in results), len(units)),
        false_decisions=owner + others,
        false_decisions_owner=owner,
        false_decisions_others=others,
        long=sum(count_words(unit.text) > MAX_WORDS for unit in units),
        ungrounded=sum(result.ungrounded for result in results),
        model=model,
    )
