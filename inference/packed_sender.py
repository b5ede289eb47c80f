"""Sends several questions in one request, and takes each one's answer out of the answer.

calls -> groups -> one request a group, noted -> answer, kept whole -> cut -> one answer a call

What a group is asked and answered is nobody's business but this module's: answers are stored, recorded and
booked by question. What cannot be cut out, or is not trusted, is asked alone; a request that was refused or
broke off is asked again in two halves. An answer is kept whole before it is cut, so that a process that is
killed in between pays for nothing twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from inference.booking import dollars, record_of
from inference.budget import Budget
from inference.calls import Call, Deliver, Sender, Sent, StoredResponse
from inference.language_model import ModelQuestion, Usage
from inference.packing import (
    cut,
    drawn_marks,
    grams,
    grouped,
    is_foreign,
    is_short,
    packed_question,
    shares,
    told,
)
from inference.prices import estimate_tokens
from inference.provider import Provider
from inference.store import Pack, PackedMember, Store
from inference.wrapped import Wrapped

_WHOLE, _BROKEN_OFF = frozenset({"end_turn", "stop_sequence"}), "max_tokens"
_TOO_MUCH = (
    "status 400",
    "status 413",
    "status 422",
    "invalid_request_error",
    "request_too_large",
    "timed out",
)
"""Ends of what is wrong with a request that can be its length."""


@dataclass(slots=True)
class _Run:
    """What is left to do of one `send`."""

    waiting: dict[str, Call]
    """By key, what has not been delivered."""
    deliver: Deliver
    packs: dict[str, Pack]
    """By key, every request with several questions that is not done with."""
    done: set[str] = field(default_factory=set)
    """Keys of requests that came to something."""
    following: list[list[Call]] = field(default_factory=list)
    """Groups to send next."""

    def give(self, sent: Sent) -> None:
        self.deliver(sent)
        self.waiting.pop(sent.call.key, None)

    def of(self, pack: Pack) -> list[Call]:
        """The calls of a request that are waited for."""
        return [self.waiting[one.key] for one in pack.members if one.key in self.waiting]


class PackingSender:
    """A sender of requests with several questions, over a sender of requests."""

    def __init__(self, sender: Sender, provider: Provider, budget: Budget, store: Store) -> None:
        self._sender, self._provider, self._budget, self._store = sender, provider, budget, store
        self.mode, self.hour_cache = sender.mode, sender.hour_cache

    def close(self) -> None:
        """See `Sender.close`."""
        self._sender.close()

    def send(self, calls: Sequence[Call], deliver: Deliver) -> frozenset[str]:
        """See `Sender.send`. What the budget does not allow together is tried in halves."""
        run = _Run({call.key: call for call in calls}, deliver, {one.key: one for one in self._store.packs()})
        under_way: set[str] = set()
        outgoing = self._begun(run)
        while outgoing:
            run.following = []
            left = self._sender.send(outgoing, lambda sent: self._took(run, sent))
            unsent: list[list[Call]] = []
            for call in outgoing:
                pack = run.packs.get(call.key)
                own = run.of(pack) if pack else [call]
                if call.key in left:
                    under_way.update(one.key for one in own)
                elif pack and call.key not in run.done:
                    # what could only be collected the service has lost, for the rest there is no money
                    (unsent if call.parameters else run.following).append(own)
                    self._drop(run, pack)
            run.following += _halves(unsent[0]) if unsent else []
            outgoing = self._requests(run, run.following)
        return frozenset(under_way)

    def _begun(self, run: _Run) -> list[Call]:
        """The first requests: what was answered before is cut, what is under way is to be collected."""
        answers = self._store.answers(list(run.packs))
        open_keys: set[str] = set()
        if self.mode == "batch":
            open_keys = {key for batch in self._store.open_batches() for key in batch.prompts}
        collected: list[Call] = []
        for pack in list(run.packs.values()):
            if pack.key in answers:
                self._cut(run, pack, Sent(_call_of(pack), answers[pack.key], "", 0.0, 1))
            elif pack.key not in open_keys:
                self._drop(run, pack)
            elif run.of(pack):
                collected.append(_call_of(pack))
        taken = {one.key for call in collected for one in run.packs[call.key].members}
        taken |= {one.key for group in run.following for one in group}
        fresh = [call for key, call in run.waiting.items() if key not in taken]
        lone = [call for call in fresh if call.question is None or call.key in open_keys]
        pairs = [(call.question, call) for call in fresh if call.question and call.key not in open_keys]
        groups = [*run.following, *([one] for one in lone), *grouped(pairs, self._provider.reach)]
        return [*collected, *self._requests(run, groups)]

    def _requests(self, run: _Run, groups: Sequence[list[Call]]) -> list[Call]:
        """What goes out for the groups; the questions of each are noted first."""
        outgoing: list[Call] = []
        fresh: list[Pack] = []
        left = list(reversed([group for group in groups if group]))
        while left:
            group = left.pop()
            if len(group) == 1:
                outgoing.append(group[0])
            elif made := self._packed(group):
                call, pack = made
                outgoing.append(call)
                fresh.append(pack)
            else:
                left += reversed(_halves(group))
        if fresh:
            self._store.note_packs(fresh)
            run.packs |= {pack.key: pack for pack in fresh}
        return outgoing

    def _packed(self, group: Sequence[Call]) -> tuple[Call, Pack] | None:
        """One request for a group; None where it does not fit the model, or cannot be put as it is."""
        questions = [call.question for call in group if call.question is not None]
        marks = drawn_marks(len(group), [call.shown for call in group])
        asked = packed_question(questions, [call.shown for call in group], marks)
        call = replace(self._provider.call(asked), questions=len(group))
        if call.unfit or call.shown != asked.text or len(questions) < len(group):
            return None
        members = [
            PackedMember(
                key=one.key,
                prompt=one.prompt,
                mark=mark,
                text_tokens=estimate_tokens(one.shown),
                answer_tokens=question.expected_tokens,
            )
            for one, question, mark in zip(group, questions, marks, strict=True)
        ]
        return call, Pack(key=call.key, most_usd=call.most_usd, members=tuple(members))

    # what comes back

    def _took(self, run: _Run, sent: Sent) -> None:
        pack = run.packs.get(sent.call.key)
        if pack is None:
            run.give(sent)
            return
        run.done.add(pack.key)
        if sent.answer is None:
            self._failed(run, pack, sent)
            return
        parts = list(zip(pack.members, _usages(sent.answer.usage, pack), strict=True))
        spans = _spans(sent.seconds, pack)
        records = [
            record_of(sent, self._provider, self, key=one.key, prompt=one.prompt, usage=usage, seconds=span)
            for (one, usage), span in zip(parts, spans, strict=True)
        ]
        self._store.keep_pack(pack, sent.answer, records)
        self._budget.settle(
            sent.call.most_usd, sum(dollars(self._provider, self, usage) for _, usage in parts)
        )
        self._cut(run, pack, sent)

    def _failed(self, run: _Run, pack: Pack, sent: Sent) -> None:
        """A request without an answer: in halves where it can be too long, else each question has none."""
        self._budget.settle(sent.call.most_usd, 0.0)
        calls = run.of(pack)
        self._drop(run, pack)
        if sent.problem.endswith(_TOO_MUCH):
            run.following += _halves(calls)
            return
        for call in calls:
            run.give(replace(sent, call=replace(call, most_usd=0.0)))

    def _cut(self, run: _Run, pack: Pack, sent: Sent) -> None:
        """Deliver what can be cut out of an answer that is kept; the rest is asked again."""
        answer, calls = sent.answer, run.of(pack)
        if answer is None or not calls:
            return
        reads = answer.stop_reason in _WHOLE or answer.stop_reason == _BROKEN_OFF
        said = cut(answer.text, [one.mark for one in pack.members]) if reads else {}
        known = {call.key: grams(call.shown) for call in calls}
        lines = {mark: told(text) for mark, text in said.items()}
        failed = []
        for member, usage in zip(pack.members, _usages(answer.usage, pack), strict=True):
            if (call := run.waiting.get(member.key)) is None:
                continue
            text = said.get(member.mark)
            others = [own for key, own in known.items() if key != member.key]
            rivals = [one for mark, one in lines.items() if mark != member.mark]
            if (
                text is None
                or not _holds(text, call.question)
                or is_foreign(lines[member.mark], known[member.key], others, rivals)
            ):
                failed.append(call)
                continue
            run.give(replace(sent, call=call, answer=_answer_of(answer, text, usage), booked=True))
        run.following += [[call] for call in failed] if answer.stop_reason in _WHOLE else _halves(failed)
        unwanted = [one.key for one in pack.members if one.key not in known]
        if len(self._store.answers(unwanted)) == len(unwanted):
            self._drop(run, pack)

    def _drop(self, run: _Run, pack: Pack) -> None:
        self._store.drop_packs([pack.key])
        run.packs.pop(pack.key, None)


class PackingProvider(Wrapped):
    """A provider whose questions travel together where they may."""

    def call(self, question: ModelQuestion[Any]) -> Call:
        """See `Provider.call`."""
        call = super().call(question)
        return replace(call, question=question) if question.packed_with and not call.unfit else call

    def sender(self, budget: Budget, store: Store, /) -> Sender:
        """See `Provider.sender`."""
        return PackingSender(super().sender(budget, store), self._provider, budget, store)


def _call_of(pack: Pack) -> Call:
    """A request of an earlier run: it can be collected."""
    return Call(pack.key, {}, None, pack.members[0].prompt, pack.most_usd)


def _halves(group: Sequence[Call]) -> list[list[Call]]:
    middle = (len(group) + 1) // 2
    return [half for half in (list(group[:middle]), list(group[middle:])) if half]


def _holds(text: str, question: ModelQuestion[Any] | None) -> bool:
    """Whether a part is a whole answer in the form that was asked for."""
    if question is None or is_short(text, question):
        return False
    try:
        question.form.model_validate_json(text)
    except ValueError:
        return False
    return True


def _usages(whole: Usage, pack: Pack) -> list[Usage]:
    """What each question of a request took of it; together they are the whole."""
    read = [one.text_tokens for one in pack.members]
    columns = (
        shares(whole.input_tokens, read),
        shares(whole.output_tokens, [one.answer_tokens for one in pack.members]),
        shares(whole.cache_read_tokens, read),
        shares(whole.cache_write_tokens, read),
    )
    return [Usage(*row) for row in zip(*columns, strict=True)]


def _spans(seconds: float, pack: Pack) -> list[float]:
    whole = sum(one.answer_tokens for one in pack.members) or 1
    return [seconds * one.answer_tokens / whole for one in pack.members]


def _answer_of(whole: StoredResponse, text: str, usage: Usage) -> StoredResponse:
    return StoredResponse(
        text=text,
        stop_reason="end_turn",
        model=whole.model,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cache_read_tokens=usage.cache_read_tokens,
        cache_write_tokens=usage.cache_write_tokens,
    )
