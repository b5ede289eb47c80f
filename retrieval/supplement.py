"""Asking for more: a session is handed what it was not handed before, for a need that it states.

    what it was given      read from the vault: a session outlives its process
    what is left           of its budget of tokens, and of its calls
    recall                 the whole funnel, on what remains; where that answers nothing, the package is empty
    on record              what was asked and what is given, before anything is handed over

Nothing is handed over twice: a call that is on record counts, whatever becomes of its process afterwards.
Where two processes ask in one session at once, the second one to finish asks again, of what is left then.
(Supplemental retrieval of the design's source: a stated gap, its terms, why it matters, bounded in number.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, TypeAlias

from chunking import estimate_tokens
from inference.secrets import mask_secrets
from retrieval.assembly import CUT_MARK, DroppedCandidate
from retrieval.given import Given
from retrieval.package import Package, SessionShare
from retrieval.question import Question
from retrieval.rank.redundancy import Said
from retrieval.search.hybrid import Candidate
from schemas.errors import UnknownId
from schemas.ids import point_id
from vault.index import Index
from vault.sessions import LASTS, GivenNote, SessionCall, SessionRecord, Sessions

if TYPE_CHECKING:
    from vault.points import Payload

SESSION_BUDGET = 8000
"""Tokens that the packages of a session may take together: four of the usual size."""

SESSION_CALLS = 6
"""Recalls of a session: the first, and five for more, as many as deep searches (`retrieval.deep`)."""

LEAST_ROOM = 40
"""Tokens; a hit's frame alone takes as many. With less left, the budget is spent."""

GIVEN_BEFORE = "given before"

Ask: TypeAlias = Callable[[Question], Package]


@dataclass(frozen=True, slots=True)
class RecallSession:
    """A session that a recall is part of."""

    sessions: Sessions
    name: str
    budget: int = SESSION_BUDGET
    """As is `calls`, of a session that this recall begins; one that is there keeps its own."""
    calls: int = SESSION_CALLS
    why: str = ""
    """Why what is asked for is needed; for the log."""
    going_on: bool = False
    """Whether it must be there already."""


def ungiven(
    question: Question, candidates: Sequence[Candidate]
) -> tuple[list[Candidate], list[DroppedCandidate]]:
    """Drop what the session has: the same notes, and what says nothing more than one of them."""
    if not question.given:
        return list(candidates), []
    said = Said()
    for at, note in enumerate(question.given.notes):
        said.note(note, at)
    kept: list[Candidate] = []
    drops: list[DroppedCandidate] = []
    for one in candidates:
        place = said.already(one.payload)
        if one.payload.ref in question.given.refs:
            drops.append(DroppedCandidate(one, GIVEN_BEFORE, "this session has it"))
        elif place is not None:
            reason = f"this session has {question.given.notes[place].ref}, which says it"
            drops.append(DroppedCandidate(one, GIVEN_BEFORE, reason))
        else:
            kept.append(one)
    return kept, drops


def supplied(session: RecallSession, question: Question, index: Index, ask: Ask) -> Package:
    """The package of a question asked in a session, on record before it is returned.

    Raises UnknownId where the session has to be there and is not, UsageError for a name that is none,
    VaultReadOnly where the vault may only be read.
    """
    while True:
        record = _opened(session, question.where.whose)
        if reason := _spent(record):
            session.sessions.refuse(record)
            return _refused(question, record, reason, session.sessions.clock())
        number = len(record.calls) + 1
        package = ask(_of_what_is_left(question, record, number, index))
        call = SessionCall(
            number=number,
            need=mask_secrets(question.text),
            why=mask_secrets(session.why),
            at=session.sessions.clock(),
            tokens=package.tokens,
            confidence=package.confidence,
            given=_handed(package),
        )
        # every round that fails is another process's call, and those are bounded
        if session.sessions.record(record, call):
            return package.model_copy(update={"session": _share(record, call)})


def _opened(session: RecallSession, account: str) -> SessionRecord:
    if not session.going_on:
        return session.sessions.begun(account, session.name, session.budget, session.calls)
    record = session.sessions.named(account, session.name)
    if record is None:
        raise UnknownId(
            f"there is no session {session.name!r}",
            why=f"none was begun under that name, or {LASTS.total_seconds() / 3600:.0f} hours went by",
            remedy="Begin one: a recall that names the session",
        )
    return record


def _spent(record: SessionRecord) -> str:
    if not record.calls_left:
        return f"its {record.most_calls} calls are made"
    if record.tokens_left < LEAST_ROOM:
        return f"{record.tokens_left} of its {record.budget} tokens are left"
    return ""


def _of_what_is_left(question: Question, record: SessionRecord, number: int, index: Index) -> Question:
    notice = f"Session {record.id}: call {number} of {record.most_calls}, {record.tokens_left} tokens left."
    options = replace(
        question.options,
        budget=min(question.options.room, record.tokens_left),
        window=None,
        notices=(*question.options.notices, notice),
    )
    return replace(question, given=given_of(record, index), options=options)


def given_of(record: SessionRecord, index: Index) -> Given:
    """What a session was handed, as the index has it now; what is gone from it by id alone."""
    shown = {point_id(one.kind, one.ref): one.shown for one in record.given}
    notes = index.payloads(list(shown))
    return Given(
        frozenset(one.ref for one in record.given),
        tuple(_as_shown(notes[point], shown[point]) for point in shown if point in notes),
    )


def _as_shown(note: Payload, shown: int | None) -> Payload:
    if shown is None or not note.evidence:
        return note
    first = note.evidence[0]
    return note.model_copy(update={"evidence": (first.model_copy(update={"end": first.start + shown}),)})


def _handed(package: Package) -> tuple[GivenNote, ...]:
    given = []
    for hit in package.hits:
        shown = len(hit.text) - len(CUT_MARK) if hit.cut else None
        given.append(GivenNote(kind=hit.kind, ref=hit.id, shown=shown))
    return tuple(given)


def _share(record: SessionRecord, call: SessionCall) -> SessionShare:
    return SessionShare(
        id=record.id,
        call=call.number,
        calls_left=record.calls_left - 1,
        tokens_left=max(record.tokens_left - call.tokens, 0),
        given_before=len(record.given),
    )


def _refused(question: Question, record: SessionRecord, reason: str, at: datetime) -> Package:
    """A package of nothing that says why; it takes nothing of the session."""
    notice = f"Nothing was looked for: the session {record.id} is at its end, {reason}."
    package = Package(
        query=question.text,
        account=record.account,
        as_of=at,
        format=question.options.format,
        budget=question.options.room,
        tokens=0,
        confidence=0.0,
        hits=(),
        notices=(notice,),
        session=SessionShare(
            id=record.id,
            call=0,
            calls_left=record.calls_left,
            tokens_left=record.tokens_left,
            given_before=len(record.given),
            refused=reason,
        ),
    )
    return package.model_copy(update={"tokens": estimate_tokens(package.render())})
