"""One account's memory, held open for many requests: what the tools of the MCP server answer from."""

from __future__ import annotations

import json
import threading
import time
from collections import OrderedDict
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from chunking import estimate_tokens
from inference import load_embedder
from inference.embedder import Embedder
from inference.query_vectors import RememberedQueries
from inference.secrets import mask_secrets
from interfaces.cli.lookup import account_of, conversations_of, one_id
from interfaces.cli.options import vault_folder
from interfaces.history_answers import blamed, differing
from interfaces.package_detail import Detail, listed, text_of
from interfaces.package_sources import rendered, with_links
from interfaces.path_survey import Kind, surveyed
from interfaces.record_items import got, items_of
from retrieval import QUOTED, Package, Question, recall
from schemas.act import ActKind
from vault.journal import Journal
from vault.queries import Row
from vault.reader import VaultReader, open_vault
from vault.web_pages import WebPages

MOST_PACKAGES = 200
"""That are remembered, some 30 KB each: in this process alone, for they are the owner's words."""

Moment: TypeAlias = int | datetime
"""A generation, by its number or by a time at which it was the published one."""

CAPS = (20_000, 8_000, 4_000, 2_000, 1_000, 500, 200, 100, 50)
"""Characters that a text of a record may have, tried in this order until the records fit their budget."""

CHARACTERS_PER_MEMBER = 50
"""A list keeps one member for so many characters that a text may have."""


class Memory:
    """An open vault, one account of it. Any thread may ask; one request is answered at a time.

    Answers come from the generation that is published when the question is asked.
    """

    def __init__(self, vault: Path | None, account: str | None) -> None:
        """Raises VaultEmpty where nothing is published, AccountNeeded where it is not clear whose it is."""
        self._reader = open_vault(vault_folder(vault))
        self.account = account_of(self._reader, account)
        self._one_at_a_time = threading.Lock()
        self._packages: OrderedDict[Hashable, Package] = OrderedDict()
        self._reader.warm()

    def close(self) -> None:
        """Release files and memory."""
        with self._one_at_a_time:
            self._reader.close()

    @cached_property
    def _embedder(self) -> Embedder:
        return RememberedQueries(load_embedder())

    @contextmanager
    def _now(self) -> Iterator[VaultReader]:
        with self._one_at_a_time:
            if self._reader.refresh():
                self._packages.clear()  # what was forgotten stays nowhere
                self._reader.warm()
            yield self._reader

    def recall(
        self, question: Question, conversation: str | None = None, thread: str | None = None
    ) -> Package:
        """See `retrieval.recall`; conversation and thread are named by the beginnings of their ids.

        What was asked before in the same way, while generation and journal stand where they stood, is
        answered with the same package; without `as_of`, for as long as the day (UTC) lasts.
        """
        with self._now() as reader:
            return self._recalled(reader, question, conversation, thread)

    def told(
        self,
        question: Question,
        detail: Detail = Detail.FULL,
        conversation: str | None = None,
        thread: str | None = None,
    ) -> str:
        """The package as text for an assistant, marked as quoted; of its hits as much as `detail` says."""
        question = replace(question, options=replace(question.options, notices=(QUOTED,)))
        with self._now() as reader:  # once: the ids of a package are looked up in its own generation
            package = self._recalled(reader, question, conversation, thread)
            rows = [] if detail is Detail.FULL else listed(detail, package, reader)
        return text_of(package, rows) if rows else rendered(package)

    def _recalled(
        self, reader: VaultReader, question: Question, conversation: str | None, thread: str | None
    ) -> Package:
        among = conversations_of(reader, conversation, thread, question.where.whose)
        question = replace(question, where=replace(question.where, conversations=among))
        pages = WebPages(reader.layout, question.where.whose)
        asked = (reader.position, datetime.now(UTC).date(), question, pages.stamp)
        if pages.exists:  # no socket is opened for them; the live web is not asked over MCP
            from web.saved_lane import SavedWeb

            question = replace(question, web=SavedWeb(pages))
        if (known := self._packages.pop(asked, None)) is None:
            options = replace(question.options, shared_ids=reader.generation.shared_ids)
            found = recall(replace(question, options=options), reader.index, self._embedder)
            known = with_links(found, reader)
        self._packages[asked] = known
        while len(self._packages) > MOST_PACKAGES:
            self._packages.popitem(last=False)
        return known

    def get(self, ids: Sequence[str], budget: int) -> str:
        """Records in full as JSON, `found: false` for an id that is not there; what is too long is cut."""
        start = time.perf_counter()
        with self._now() as reader:
            items = items_of(reader, ids, self.account)
        return fitted(got(items, start), budget)

    def summarize(self, kind: Kind, depth: int | None, keys: Sequence[str], budget: int) -> str:
        """How many notes lie where, as JSON of at most `budget` tokens. What does not fit is left out and
        said: counts are exact or not there."""
        with self._now() as reader:
            told = surveyed(reader, self.account, kind, depth, keys).as_json()
        left_out: list[str] = []
        for part in ("", "samples", "note_counts", "matching_keys", "prefix_counts"):
            if told.pop(part, None) is not None:
                left_out.append(part)
                told["left_out"] = left_out
            text = json.dumps(told, ensure_ascii=False, default=str)
            if estimate_tokens(text) <= budget:
                return text
        return fitted(told, budget)

    def blame(self, named: str, limit: int, budget: int) -> str:
        """What happened to a note, or to the notes at a path, newest first, as JSON."""
        with self._now() as reader:
            return fitted(blamed(reader, self.account, named, limit), budget)

    def diff(self, before: Moment | None, after: Moment | None, stat: bool, budget: int) -> str:
        """Which notes changed between two generations, as JSON; counts alone where `stat` is asked for."""
        with self._now() as reader:
            told = differing(reader, self.account, before, after)
        if stat:
            del told["changes"]
        return fitted(told, budget)

    def keep(self, ids: Sequence[str], reason: str) -> list[str]:
        """Keep notes of this account, all or none; their ids. Raises UnknownId, UsageError."""
        with self._now() as reader:
            units = [one_id(reader, "units", "id", named, self.account) for named in ids]
            with Journal(reader.layout.journal) as journal:
                journal.append(ActKind.KEEP, units, reason=reason)
        return units


def fitted(value: Row, budget: int) -> str:
    """JSON of at most so many tokens, secrets masked: long texts and lists in it are cut, and say so. Empty
    where not even braces fit."""
    plain = json.loads(json.dumps(value, default=str))
    text = ""
    for cap in CAPS:
        text = json.dumps(_capped(plain, cap), ensure_ascii=False)
        if estimate_tokens(text) <= budget:
            return text
    cut = f"{estimate_tokens(text)} tokens do not fit into {budget}"
    shorter = (json.dumps(one) for one in ({"notices": [], "items": [], "cut": cut}, {"cut": cut}, {}))
    return next((one for one in shorter if estimate_tokens(one) <= budget), "")


def _capped(value: Any, cap: int) -> Any:
    if isinstance(value, str):
        whole = mask_secrets(value)
        return whole if len(whole) <= cap else whole[:cap] + " […]"
    if isinstance(value, list):
        most = max(2, cap // CHARACTERS_PER_MEMBER)
        kept = [_capped(one, cap) for one in value[:most]]
        return [*kept, f"and {len(value) - most} more"] if len(value) > most else kept
    if isinstance(value, dict):
        return {key: _capped(one, cap) for key, one in value.items()}
    return value
