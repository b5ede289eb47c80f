"""What the language model cost, and where the offline engine spoke instead, in the ledger."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from schemas.base import Noun
from schemas.deferred import deferred
from schemas.fallback import MAP_REASON, Fallback
from schemas.model_call import NO_ANSWER, ModelCall
from vault.ledger import Ledger, Stamp

if TYPE_CHECKING:
    import pyarrow as pa

    from vault import rows as vault_rows
else:
    pa = deferred("pyarrow")
    vault_rows = deferred("vault.rows")


_FOLDED = "model_calls_seq"
_STAGED = "fallbacks*.parquet"


def folded_calls(ledger: Ledger) -> int:
    """The last call of the store of answers that the ledger has."""
    return int(ledger.setting(_FOLDED) or 0)


def add_model_calls(ledger: Ledger, calls: Sequence[ModelCall], run: str) -> None:
    """Record calls that follow those the ledger has."""
    if not calls:
        return
    ledger.insert(
        "INSERT INTO model_calls BY NAME SELECT * FROM new_rows",
        [{**call.model_dump(), "run": run} for call in calls],
    )
    ledger.settle(_FOLDED, str(max(call.seq for call in calls)))


class Spending(Noun):
    """What was asked of one model in one way. Tokens as the service counted them."""

    model: str
    mode: str
    calls: int
    failed: int
    """Calls without an answer."""
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    usd: float
    seconds: float
    """Mean time to an answer; of a batch, how long the batch took."""


def spending(calls: Iterable[ModelCall]) -> list[Spending]:
    """Calls summed up by model and mode."""
    grouped: dict[tuple[str, str], list[ModelCall]] = {}
    for call in calls:
        grouped.setdefault((call.model, call.mode), []).append(call)
    return [
        Spending(
            model=model,
            mode=mode,
            calls=len(own),
            failed=sum(call.outcome.startswith(NO_ANSWER) for call in own),
            input_tokens=sum(call.input_tokens for call in own),
            output_tokens=sum(call.output_tokens for call in own),
            cache_read_tokens=sum(call.cache_read_tokens for call in own),
            cache_write_tokens=sum(call.cache_write_tokens for call in own),
            usd=round(sum(call.usd for call in own), 6),
            seconds=round(sum(call.seconds for call in own) / len(own), 3),
        )
        for (model, mode), own in sorted(grouped.items())
    ]


def recorded_calls(ledger: Ledger) -> list[ModelCall]:
    """The calls that the ledger has, oldest first."""
    if not ledger.has("model_calls"):
        return []
    return [
        ModelCall.model_validate(row)
        for row in ledger.rows("SELECT * EXCLUDE (run) FROM model_calls ORDER BY seq")
    ]


def stage_fallbacks(folder: Path, found: Iterable[Fallback], stage: str) -> int:
    """Store what a stage found of a batch beside its other tables; returns how many."""
    words = ("account", "conversation_id", "engine", "key", "reason")
    schema = pa.schema(
        [*((name, pa.string()) for name in words), ("sentences", pa.int64()), ("whole", pa.bool_())]
    )
    return vault_rows.write_rows(
        folder / _STAGED.replace("*", f"_{stage}"), schema, (one.model_dump() for one in found)
    )


def merge_fallbacks(ledger: Ledger, folder: Path, wanted: Sequence[str], stamp: Stamp) -> None:
    """Replace the fallbacks of a batch's wanted conversations by those that extraction found now."""
    ledger.query("DELETE FROM fallbacks WHERE conversation_id IN (SELECT unnest(?))", [list(wanted)])
    for path in sorted(folder.glob(_STAGED)):
        ledger.query(
            """INSERT INTO fallbacks BY NAME SELECT *, ? AS run FROM read_parquet(?)
               WHERE conversation_id IN (SELECT unnest(?))""",
            [stamp.run, str(path), list(wanted)],
        )


UNANSWERED = "no answer"
"""What is wrong with a question that was not asked yet, or is under way."""


def replace_map_fallbacks(
    ledger: Ledger, conversations: Sequence[str], found: Iterable[Fallback], run: str
) -> None:
    """Replace what is on record of the maps of threads with these conversations by what was found now."""
    ledger.query(
        "DELETE FROM fallbacks WHERE starts_with(reason, ?) AND conversation_id IN (SELECT unnest(?))",
        [MAP_REASON, list(conversations)],
    )
    rows = [{**one.model_dump(), "run": run} for one in found]
    if rows:
        ledger.insert("INSERT INTO fallbacks BY NAME SELECT * FROM new_rows", rows)


def fallbacks(ledger: Ledger) -> list[Fallback]:
    """Every place where the offline engine spoke instead, whole windows first."""
    if not ledger.has("fallbacks"):
        return []
    found = ledger.rows("SELECT * EXCLUDE (run) FROM fallbacks ORDER BY NOT whole, conversation_id, key")
    return [Fallback.model_validate(row) for row in found]
