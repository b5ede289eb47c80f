"""One account's memory, held open for many requests: what the tools of the MCP server answer from."""

from __future__ import annotations

import json
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from chunking import estimate_tokens
from inference import load_embedder
from inference.embedder import Embedder
from inference.query_vectors import RememberedQueries
from inference.secret_cover import masked_throughout
from interfaces.cli.lookup import account_of, conversations_of
from interfaces.cli.options import vault_folder
from interfaces.divergence import Handed, diverged
from interfaces.divergence import text_of as two_as_text
from interfaces.history_answers import blamed, differing, items_then, lying_then
from interfaces.mcp.fitted_answers import fewer, fitted
from interfaces.mcp.further_look import FurtherLook, telling
from interfaces.package_detail import Detail, glances, listed, text_of
from interfaces.package_sources import rendered, with_links
from interfaces.path_recall import PathQuestion, nearest_paths, paths_asked, recalled_by_path
from interfaces.path_survey import SurveyKind, surveyed
from interfaces.record_items import got, items_of, record_item
from interfaces.second_look import JudgesLook
from retrieval import QUOTED, Package, Question, recall
from retrieval.deep.expansion import looked_around
from retrieval.scorer import scorer_weights
from retrieval.supplement import SESSION_BUDGET, SESSION_CALLS, RecallSession
from schemas.deferred import deferred
from schemas.errors import UsageError, VaultEmpty
from vault.deck import lay_out
from vault.index import Accounts
from vault.name_graph import NameGraph
from vault.named_things import WORDS_OF_TIME, lay_out_names, names
from vault.queries import NoteFilter, Row, newest_notes
from vault.reader import VaultReader, open_vault
from vault.sessions import Sessions
from vault.web_pages import pages_of

if TYPE_CHECKING:
    from web import saved_lane
else:
    saved_lane = deferred("web.saved_lane")

MOST_PACKAGES = 200
"""That are remembered, some 30 KB each: in this process alone, for they are the owner's words."""

Moment: TypeAlias = int | datetime
"""A generation, by its number or by a time at which it was the published one."""

Tell: TypeAlias = Callable[[Row], None]
"""Gets results as they are found, one after another."""


@dataclass(frozen=True, slots=True)
class AskedSession:
    """The session that a question is part of, as an assistant names it."""

    name: str
    budget: int = SESSION_BUDGET
    calls: int = SESSION_CALLS
    why: str = ""
    going_on: bool = False
    """Whether it has to be there."""


@dataclass(frozen=True, slots=True)
class Among:
    """What a question is asked of besides its bounds, as an assistant names it."""

    conversation: str | None = None
    """As is the thread, by the beginning of its id."""
    thread: str | None = None
    deep: bool | None = None
    """Whether recall looks further where it is unsure; None: as the owner's settings say."""
    again: bool = False
    """Whether the judge of relevance has a second look at the best."""


class Memory:
    """An open vault, one account of it. Any thread may ask; one request is answered at a time.

    Answers come from the generation that is published when the question is asked.
    """

    def __init__(
        self,
        vault: Path | None,
        account: str | None,
        *,
        also: Sequence[str] = (),
        further: FurtherLook | None = None,
    ) -> None:
        """A vault in which nothing is published yet is opened once something is: whoever asks before is told.

        `also` are other accounts that the owner calls theirs, which an assistant may ask besides; `further`:
        what they said of deep search. Raises AccountNeeded where it is not clear whose it is.
        """
        self.root = vault_folder(vault)
        self.also = tuple(also)
        self._further = further or FurtherLook()
        self._named = account
        self._opened: tuple[VaultReader, str] | None = None
        self._others: dict[str, str] = {}
        self._one_at_a_time = threading.Lock()
        self._packages: OrderedDict[Hashable, Package] = OrderedDict()
        self._by_path: OrderedDict[Hashable, Row] = OrderedDict()
        self._named_at = -1
        """The opening of the vault for which names are laid out on the ledger's connection."""
        with suppress(VaultEmpty):
            self._open()

    def _open(self) -> tuple[VaultReader, str]:
        """The vault, and whose memory it is; opened where it was not. Raises VaultEmpty."""
        if self._opened is None:
            reader = open_vault(self.root)
            self._others = {name: account_of(reader, name) for name in self.also}
            self._opened = reader, account_of(reader, self._named)
            reader.warm()
        return self._opened

    @property
    def account(self) -> str:
        """Whose memory it is. Raises VaultEmpty where nothing is published yet."""
        if self._opened is None:
            with self._one_at_a_time:
                self._open()
        return self._open()[1]

    def with_others(self, also: Sequence[str] | None) -> Accounts:
        """The account, and those that are named besides. Raises UsageError for one that the owner did not
        name, whether it is there or not."""
        whose = self.account
        for name in also or ():
            if name not in self._others:
                raise UsageError(
                    f"{name} is no account that may be asked besides",
                    why="the owner did not name it when they started the server",
                    remedy="Leave `also` out; they name an account by `mnemic mcp --also NAME`",
                )
        return (whose, *(self._others[name] for name in also)) if also else whose

    def close(self) -> None:
        """Release files and memory."""
        with self._one_at_a_time:
            if self._opened is not None:
                self._opened[0].close()

    @cached_property
    def _embedder(self) -> Embedder:
        return RememberedQueries(load_embedder())

    @contextmanager
    def now(self) -> Iterator[VaultReader]:
        """The vault at the generation that is published now; no other request is answered meanwhile."""
        with self._one_at_a_time:
            reader, _ = self._open()
            if reader.refresh():
                self._packages.clear()  # what was forgotten stays nowhere
                self._by_path.clear()
                reader.warm()
            yield reader

    def recall(self, question: Question, among: Among | None = None) -> Package:
        """See `retrieval.recall`.

        What was asked before in the same way, while generation and journal stand where they stood, is
        answered with the same package; without `as_of`, for as long as the day (UTC) lasts.
        """
        with self.now() as reader:
            return self._recalled(reader, question, among or Among())

    def told(
        self,
        question: Question,
        detail: Detail = Detail.FULL,
        among: Among | None = None,
        session: AskedSession | None = None,
    ) -> str:
        """The package as text for an assistant, marked as quoted; of its hits as much as `detail` says. In a
        session, what it was not given before."""
        question = replace(
            question, options=replace(question.options, notices=(QUOTED,), tells_confidence=True)
        )
        with self.now() as reader:  # once: the ids of a package are looked up in its own generation
            package = self._recalled(reader, question, among or Among(), session)
            rows = [] if detail is Detail.FULL else listed(detail, package, reader)
        return text_of(package, rows) if rows else rendered(package)

    def around(self, question: Question, budget: int) -> str:
        """What stands near a question, a line a note, as JSON of at most `budget` tokens: for whoever asks to
        judge. The best of every conversation comes before the second of any."""
        with self.now() as reader:
            pool = looked_around(question, reader.index, self._embedder, NameGraph(reader.ledger))
            found: list[Row] = masked_throughout(glances(pool, reader))
        return fewer({"notices": [QUOTED]}, "notes", found, budget)

    def by_path(self, question: PathQuestion, budget: int) -> str:
        """The notes below the paths that the embedder picks, as JSON of at most `budget` tokens.

        What was asked before in the same way, while generation and journal stand where they stood, is not
        picked again; `cached` says so.
        """
        with self.now() as reader:
            asked = (reader.position, question)
            known = self._by_path.pop(asked, None)
            if told := known:
                told = {**told, "cached": True}
            else:
                paths = paths_asked(reader, question)
                picker = nearest_paths(reader, self.account, self._embedder, paths)
                known = told = recalled_by_path(reader, question, picker, self._embedder, paths)
            self._by_path[asked] = known
            while len(self._by_path) > MOST_PACKAGES:
                self._by_path.popitem(last=False)
        return fitted(told, budget)

    def told_by_two(self, question: Question, handed: Handed) -> str:
        """The packages of a depth and a breadth analyst as text, and how far they agree."""
        with self.now() as reader:
            shared = reader.generation.shared_ids
            options = replace(question.options, notices=(QUOTED,), tells_confidence=True, shared_ids=shared)
            found = diverged(reader, replace(question, options=options), self._embedder)
        return two_as_text(found, handed, options.budget)

    def _recalled(
        self, reader: VaultReader, question: Question, among: Among, session: AskedSession | None = None
    ) -> Package:
        within = conversations_of(reader, among.conversation, among.thread, question.where.whose)
        where = replace(question.where, conversations=within)
        question = replace(question, where=where, weights=scorer_weights(reader.layout))
        pages, looks = pages_of(reader.layout, reader.ledger, where.whose), self._further.asked(among.deep)
        asked = (reader.position, datetime.now(UTC).date(), question, pages.stamp, looks, among.again)
        if session is None and (known := self._packages.pop(asked, None)) is not None:
            self._packages[asked] = known
            return known
        if looks:
            named = session.name if session else ""
            question = replace(question, deep=self._further.of(reader, where.whose, question.text, named))
        look = JudgesLook(reader.layout.cache) if among.again else None
        question = replace(question, reranker=look)
        if pages.exists:  # no socket is opened for them; the live web is not asked over MCP
            question = replace(question, web=saved_lane.SavedWeb(pages))
        options = replace(question.options, shared_ids=reader.generation.shared_ids)
        # what a session is given depends on what it was given before
        of = None if session is None else RecallSession(Sessions(reader.layout), **asdict(session))
        found = recall(replace(question, options=options), reader.index, self._embedder, of)
        failed = look.failed if look else ""
        found = with_links(telling(found, failed), reader)
        if session is None and not failed and not (found.deep and found.deep.refused):
            self._packages[asked] = found
            while len(self._packages) > MOST_PACKAGES:
                self._packages.popitem(last=False)
        return found

    def get(
        self, ids: Sequence[str], budget: int, as_of: Moment | None = None, tell: Tell | None = None
    ) -> str:
        """Records in full as JSON, `found: false` for an id that is not there; what is too long is cut.

        `tell` gets each as soon as it is read; others may ask meanwhile, so a publication between two of
        them shows from then on.
        """
        start, items = time.perf_counter(), list[Row]()
        if tell is None:
            with self.now() as reader:
                items = self._items(reader, ids, as_of)
        else:
            for one in ids:
                with self.now() as reader:
                    items += self._items(reader, [one], as_of)
                tell(items[-1])
        return fitted(got(items, start), budget)

    def _items(self, reader: VaultReader, named: Sequence[str], as_of: Moment | None) -> list[Row]:
        """The items of what was named; what names nothing, or several records, is not found, and why."""
        try:
            if as_of is not None:
                return items_then(reader, named, as_of, self.account)
            items = items_of(reader, named, self.account)
            for other in self._others.values():
                items = [
                    one if one["found"] else items_of(reader, [str(one["id"])], other)[0] for one in items
                ]
            return items
        except UsageError as error:
            if len(named) == 1:
                return [{**record_item(reader, named[0], None, None), "why": str(error)}]
        return [item for one in named for item in self._items(reader, [one], as_of)]

    def recent(self, wanted: NoteFilter, budget: int) -> str:
        """Notes said last, the newest first, as JSON of at most `budget` tokens: fewer if need be."""
        with self.now() as reader:
            found: list[Row] = masked_throughout(newest_notes(reader.ledger, wanted))
        return fewer({"notices": [QUOTED]}, "notes", found, budget)

    def named(self, words: str, limit: int, budget: int) -> str:
        """Who and what notes name, by how many notes do, as JSON of at most `budget` tokens."""
        with self.now() as reader:
            if self._named_at != reader.opening:
                lay_out(reader.ledger, self.account)
                lay_out_names(reader.ledger, self.account, WORDS_OF_TIME)
                self._named_at = reader.opening
            found: list[Row] = masked_throughout(names(reader.ledger, words, limit))
        return fewer({"notices": [QUOTED]}, "names", found, budget)

    def summarize(
        self,
        kind: SurveyKind,
        depth: int | None,
        keys: Sequence[str],
        budget: int,
        as_of: Moment | None = None,
        tell: Tell | None = None,
    ) -> str:
        """How many notes lie where, as JSON of at most `budget` tokens. What does not fit is left out and
        said: counts are exact or not there. `tell` gets all of it, line by line."""
        with self.now() as reader:
            then = None if as_of is None else lying_then(reader, self.account, as_of)
            found = surveyed(reader, self.account, kind, depth, keys, then)
        if tell is not None:
            for line in found.lines():
                tell(line)
        told = found.as_json()
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
        with self.now() as reader:
            return fitted(blamed(reader, self.account, named, limit), budget)

    def diff(self, before: Moment | None, after: Moment | None, stat: bool, budget: int) -> str:
        """Which notes changed between two generations, as JSON; counts alone where `stat` is asked for."""
        with self.now() as reader:
            told = differing(reader, self.account, before, after)
        if stat:
            del told["changes"]
        return fitted(told, budget)
