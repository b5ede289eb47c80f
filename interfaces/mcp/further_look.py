"""Whether recall looks further over MCP, and how: offline, as far as the owner's settings let it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime

from chunking import estimate_tokens
from retrieval import Package
from retrieval.deep.escalation import CALLS, THRESHOLD, Allowance, DeepMode, DeepSearch
from retrieval.deep.joint_comparison import each_offline
from retrieval.deep.learning import kind_of, logged, threshold_of
from retrieval.deep.offline_judge import compared_offline
from schemas.errors import UsageError
from schemas.words import amount
from vault.deep_log import DeepLog
from vault.name_graph import NameGraph
from vault.reader import VaultReader


@dataclass(frozen=True, slots=True)
class FurtherLook:
    """What the owner said of deep search. An assistant that is one is the better judge of what is near
    (`look_around`), so no language model is asked here."""

    wanted: bool | None = None
    """True: wherever recall is unsure; None: where an assistant asks for it; False: never."""
    mode: DeepMode = DeepMode.ON
    threshold: float = THRESHOLD
    allowance: Allowance = field(default_factory=Allowance)
    """Of all calls that name no session."""

    def asked(self, deep: bool | None) -> bool:
        """Whether a call looks further that says so, or not, or nothing. Raises UsageError where none may."""
        allowed = self.wanted is not False and self.mode is not DeepMode.OFF
        if deep and not allowed:
            raise UsageError(
                "deep search is off in this memory",
                why="its owner turned it off (MNEMIC_DEEP_SEARCH_ENABLED, MNEMIC_DEEP_SEARCH_MODE)",
                remedy="Ask `look_around`, and pick what answers",
            )
        return allowed and bool(self.wanted if deep is None else deep)

    def of(self, reader: VaultReader, account: str, query: str, session: str) -> DeepSearch:
        """How a question looks further; the deep searches of a named session count together."""
        log = DeepLog(reader.layout)
        made = log.made_in(account, session, datetime.now(UTC)) if session else 0
        return DeepSearch(
            self.mode,
            threshold_of(log.searches(account), kind_of(query), self.threshold),
            compared_offline,
            each_offline,
            Allowance(CALLS - made) if session else self.allowance,
            logged(log, session),
            lambda: NameGraph(reader.ledger),
        )


def telling(package: Package, failed: str = "") -> Package:
    """The package with a notice of what a deep search came to, and of why a second look `failed`, before the
    one that says what had no room."""
    said = list[str]()
    if failed:
        said.append(f"Not looked at again, the order is recall's own: {failed}")
    if (deep := package.deep) is not None:
        compared = f"{amount(deep.pool, 'note')} near by compared, {len(deep.added)} added"
        said.append(
            f"Deep search: refused, {CALLS} of this session are made; another `session` has as many."
            if deep.refused
            else f"Deep search, {deep.by}: {compared}."
        )
    if not said:
        return package
    told = package.model_copy(update={"notices": (*package.notices[:-1], *said, *package.notices[-1:])})
    return told.model_copy(update={"tokens": estimate_tokens(told.render())})
