"""What a vault's language model has cost so far, and what is under way at its service."""

from __future__ import annotations

from inference.store import FILE, Store
from schemas.base import Instant, Noun
from vault.layout import VaultLayout
from vault.ledger import Ledger
from vault.model_calls import Spending, folded_calls, recorded_calls, spending


class UnderWay(Noun):
    """A batch that was submitted and whose answers are still to come."""

    batch_id: str | None
    """None: the process ended before the service's answer came; it is looked for by the next run."""
    submitted_at: Instant
    questions: int


class Costs(Noun):
    """Every call there ever was, those included that no generation has folded yet."""

    spending: tuple[Spending, ...]
    usd: float
    under_way: tuple[UnderWay, ...]


def costs(layout: VaultLayout, ledger: Ledger) -> Costs:
    """Sum up the calls of the ledger and of the store of answers."""
    calls, under_way = recorded_calls(ledger), []
    if (layout.cache / FILE).exists():
        with Store(layout.cache) as store:
            calls += store.calls_after(folded_calls(ledger))
            together = {one.key: len(one.members) for one in store.packs()}
            under_way = [
                UnderWay(
                    batch_id=one.batch_id,
                    submitted_at=one.submitted_at,
                    questions=sum(together.get(key, 1) for key in one.prompts),
                )
                for one in store.open_batches()
            ]
    summed = spending(calls)
    return Costs(
        spending=tuple(summed), usd=round(sum(one.usd for one in summed), 6), under_way=tuple(under_way)
    )
