"""Thread maps by a model, asked for while a generation is built: nobody knows before what the threads are.

What the budget, or a batch that has not ended, leaves open is mapped by rules meanwhile and stands on record
as waiting; the next run with a model asks for it, or collects it, and writes the map.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from extract.engine import Charted
from extract.model.model_engine import ModelEngine
from extract.model.model_maps import MapAnswer
from extract.retell.thread_map import ThreadNotes
from flows.generation.thread_linking import notes_on
from flows.reports.run_summary import ModelUse
from inference.language_model import ModelQuestion
from schemas.errors import ServiceRefused, ServiceUnavailable, Unanswered
from schemas.fallback import MAP_REASON
from vault.ledger import Ledger
from vault.model_calls import UNANSWERED, fallbacks
from vault.threads import threads_of

if TYPE_CHECKING:
    from inference.stored_model import StoredModel


@dataclass(slots=True)
class Charting:
    """A run's maps: an engine, the model that it asks, and what became of it."""

    engine: ModelEngine
    model: StoredModel
    batch: bool
    questions: int = 0
    answered_before: int = 0
    expected_usd: float = 0.0
    unsent: int = 0
    under_way: int = 0
    stopped: str = ""

    def chart(self, threads: Sequence[ThreadNotes]) -> list[Charted]:
        """Ask about the threads what is not answered yet, and write their maps.

        A service that stays away stops no run here: the notes of this generation are paid for and loaded.
        """
        questions = self.engine.map_questions(threads)
        ahead = self.model.forecast(questions)
        self.questions += ahead.questions
        self.answered_before += ahead.answered
        self.expected_usd += ahead.usd_batch if self.batch else ahead.usd_messages
        try:
            self.model.complete(questions)
        except Unanswered as error:
            self.unsent, self.under_way, self.stopped = len(error.unsent), len(error.under_way), str(error)
        except (ServiceUnavailable, ServiceRefused) as error:
            self.stopped = f"thread maps: {error}"
        return self.engine.chart(threads)

    def used(self, use: ModelUse) -> ModelUse:
        """What a run used, these questions included."""
        return use.model_copy(
            update={
                "questions": use.questions + self.questions,
                "answered_before": use.answered_before + self.answered_before,
                "expected_usd": round(use.expected_usd + self.expected_usd, 6),
                "spent_usd": round(self.model.budget.spent, 6),
                "unsent": use.unsent + self.unsent,
                "under_way": use.under_way + self.under_way,
                "stopped": use.stopped or self.stopped,
            }
        )

    def waiting(self, ledger: Ledger | None) -> list[tuple[str, ModelQuestion[MapAnswer]]]:
        """(a conversation of the thread, question) of every map on record that waits for an answer."""
        if ledger is None:
            return []
        reason = f"{MAP_REASON}{UNANSWERED}"
        homes = {one.conversation_id for one in fallbacks(ledger) if one.reason == reason}
        threads = [
            thread
            for account in (ledger.accounts() if homes else ())
            for thread in threads_of(ledger, account)
            if homes.intersection(thread.conversation_ids)
        ]
        asked = []
        for notes in notes_on(ledger, threads):
            asked += [(notes.thread.conversation_ids[0], one) for one in self.engine.map_questions([notes])]
        return asked

    def ready(self, ledger: Ledger | None) -> list[str]:
        """Conversations of the threads whose maps waited and now have an answer, or will have none."""
        waiting = self.waiting(ledger)
        replies = self.model.recorded([question for _, question in waiting])
        return [
            home
            for (home, _), reply in zip(waiting, replies, strict=True)
            if reply.value is not None or reply.problem != UNANSWERED
        ]
