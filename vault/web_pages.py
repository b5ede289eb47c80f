"""Pages of the web that the owner saved, and the log of what left the machine for the live web.

Beside the generations and not in them: a page is no conversation, it goes by age or by one command, and it
may come back afterwards, which what was forgotten may not. One SQLite file, each page written whole or not at
all. A page keeps the name of the account that saved it; whose it is now follows from the owner's acts on
accounts (`vault.accounts`), as it does of conversations.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
import numpy.typing as npt

from schemas.base import Instant, Noun
from schemas.provenance import Standing
from vault.accounts import Names, names_of_accounts
from vault.files import stamp_of
from vault.full_disk import with_room
from vault.journal import BUSY_SECONDS
from vault.layout import VaultLayout
from vault.ledger import Ledger
from vault.readonly import readable, require_writable

_SCHEMA = """
CREATE TABLE IF NOT EXISTS pages (
    account TEXT NOT NULL, url TEXT NOT NULL, title TEXT NOT NULL, fetched_at TEXT NOT NULL, published TEXT,
    sha256 TEXT NOT NULL, standing TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (account, url)
);
CREATE TABLE IF NOT EXISTS passages (
    account TEXT NOT NULL, url TEXT NOT NULL, place INTEGER NOT NULL, text TEXT NOT NULL,
    headings TEXT NOT NULL, embedder TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (account, url, place)
);
CREATE TABLE IF NOT EXISTS sent (
    seq INTEGER PRIMARY KEY, at TEXT NOT NULL, account TEXT NOT NULL, kind TEXT NOT NULL, place TEXT NOT NULL,
    what TEXT NOT NULL, reason TEXT NOT NULL
);
"""

MOST_LOGGED = 10_000
"""Lines of the log; the oldest go."""

_MINE = "account IN (SELECT value FROM json_each(?))"


class SavedPage(Noun):
    """A page as it was fetched."""

    url: str
    title: str
    fetched_at: Instant
    published: Instant | None
    sha256: str
    """Of its text."""
    standing: Standing
    text: str


class SentLine(Noun):
    """Something that left the machine."""

    at: Instant
    kind: str
    """`search`: a query; `page`: the address of a page, and of what it loads from its site."""
    place: str
    """Where it went."""
    what: str
    reason: str


@dataclass(frozen=True, slots=True)
class StoredPassage:
    """A passage with its page and its vector, of unit length."""

    page: SavedPage
    place: int
    text: str
    headings: tuple[str, ...]
    vector: npt.NDArray[np.float32]


class WebPages:
    """The saved pages of one account, under whatever name it saved them: `names` tells which are its own now.
    Every call opens the file: nothing is held between two."""

    def __init__(self, layout: VaultLayout, account: str, names: Names | None = None) -> None:
        self._file, self._account, self._names = layout.web, account, names or Names()

    @property
    def exists(self) -> bool:
        """Whether anything was ever saved or sent."""
        return self._file.exists()

    @property
    def stamp(self) -> str:
        """Changes whenever pages do; empty where there are none."""
        return stamp_of(self._file) if self._file.exists() else ""

    def save(
        self,
        page: SavedPage,
        passages: Sequence[tuple[str, tuple[str, ...]]],
        embedder: str,
        vectors: npt.NDArray[np.float32],
    ) -> None:
        """Store a page in place of what was known of its address. `passages` are texts with their headings,
        `vectors` (passages, dimension). Raises VaultReadOnly, DiskFull."""
        published = page.published.isoformat() if page.published else None
        row = (self._account, page.url, page.title, page.fetched_at.isoformat(), published, page.sha256,
               page.standing.value, page.text)  # fmt: skip
        parts = [
            (self._account, page.url, place, text, json.dumps(headings), embedder, vector.tobytes())
            for place, ((text, headings), vector) in enumerate(zip(passages, vectors, strict=True))
        ]
        with self._writing() as store:
            mine = self._mine(store)
            for table in ("passages", "pages"):
                store.execute(f"DELETE FROM {table} WHERE {_MINE} AND url = ?", (mine, page.url))
            store.execute("INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            store.executemany("INSERT INTO passages VALUES (?, ?, ?, ?, ?, ?, ?)", parts)

    def renewed(self, url: str, at: datetime) -> None:
        """Note that a page was looked at again and is as it was."""
        with self._writing() as store:
            store.execute(
                f"UPDATE pages SET fetched_at = ? WHERE {_MINE} AND url = ?",
                (at.astimezone(UTC).isoformat(), self._mine(store), url),
            )

    def drop(self, urls: Iterable[str]) -> int:
        """Erase pages by address; returns how many there were."""
        with self._writing() as store:
            mine, dropped = self._mine(store), 0
            for url in urls:
                store.execute(f"DELETE FROM passages WHERE {_MINE} AND url = ?", (mine, url))
                # of two that were saved before a merge both go
                dropped += (
                    store.execute(f"DELETE FROM pages WHERE {_MINE} AND url = ?", (mine, url)).rowcount > 0
                )
            return dropped

    def pages(self) -> list[SavedPage]:
        """Every saved page, the oldest fetch first; of one that two accounts saved before their merge, the
        newer fetch."""
        with self._reading() as store:
            return [page for _, page in self._newest(store)]

    def _newest(self, store: sqlite3.Connection) -> list[tuple[str, SavedPage]]:
        """Each page with the name under which it was saved, the oldest fetch first."""
        rows = store.execute(
            f"""SELECT account, url, title, fetched_at, published, sha256, standing, text FROM pages
                WHERE {_MINE} ORDER BY fetched_at, url, account""",
            (self._mine(store),),
        ).fetchall()
        newest = {str(row[1]): row for row in rows}
        return [(str(row[0]), _page(row[1:])) for row in rows if newest[str(row[1])] is row]

    def _mine(self, store: sqlite3.Connection) -> str:
        """The names under which this account saved or sent anything, as JSON."""
        stored = store.execute("SELECT account FROM pages UNION SELECT account FROM sent").fetchall()
        known = {str(name) for (name,) in stored} | {self._account}
        return json.dumps(sorted(name for name in known if self._names.now(name) == self._account))

    def passages(self, embedder: str) -> tuple[list[StoredPassage], list[SavedPage]]:
        """Every passage that was embedded by `embedder`, and the pages whose passages were by another."""
        with self._reading() as store:
            newest = self._newest(store)
            pages, saved_by = {one.url: one for _, one in newest}, {one.url: name for name, one in newest}
            found = store.execute(
                f"""SELECT account, url, place, text, headings, embedder, vector FROM passages WHERE {_MINE}
                    ORDER BY url, place""",
                (self._mine(store),),
            ).fetchall()
        rows = [row for name, *row in found if saved_by.get(row[0]) == name]
        told = [
            StoredPassage(
                pages[url], place, text, tuple(json.loads(headings)), np.frombuffer(vector, np.float32)
            )
            for url, place, text, headings, made_by, vector in rows
            if made_by == embedder
        ]
        stale = dict.fromkeys(url for url, _, _, _, made_by, _ in rows if made_by != embedder)
        return told, [pages[url] for url in stale]

    def sent(self, kind: str, place: str, what: str, reason: str) -> None:
        """Log what is about to leave the machine. Durable on return: what is not on record is not sent."""
        at = datetime.now(UTC).isoformat()
        with self._writing() as store:
            store.execute(
                "INSERT INTO sent (at, account, kind, place, what, reason) VALUES (?, ?, ?, ?, ?, ?)",
                (at, self._account, kind, place, what, reason),
            )
            store.execute("DELETE FROM sent WHERE seq <= (SELECT max(seq) FROM sent) - ?", (MOST_LOGGED,))

    def log(self, most: int) -> list[SentLine]:
        """The newest lines of the log, newest first."""
        with self._reading() as store:
            rows = store.execute(
                f"SELECT at, kind, place, what, reason FROM sent WHERE {_MINE} ORDER BY seq DESC LIMIT ?",
                (self._mine(store), most),
            ).fetchall()
        return [
            SentLine(at=datetime.fromisoformat(at), kind=kind, place=place, what=what, reason=reason)
            for at, kind, place, what, reason in rows
        ]

    def clear_log(self) -> int:
        """Erase the log; returns how many lines it had."""
        with self._writing() as store:
            return store.execute(f"DELETE FROM sent WHERE {_MINE}", (self._mine(store),)).rowcount

    def erase(self) -> None:
        """Erase the account's pages and its log."""
        with self._writing() as store:
            mine = self._mine(store)
            for table in ("passages", "pages", "sent"):
                store.execute(f"DELETE FROM {table} WHERE {_MINE}", (mine,))

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        require_writable(self._file.parent)
        if not self._file.exists():
            self._file.touch(0o600)
        with (
            with_room(self._file),
            closing(sqlite3.connect(self._file, timeout=BUSY_SECONDS)) as store,
            store,
        ):
            store.execute("PRAGMA secure_delete = ON")
            store.execute("PRAGMA synchronous = FULL")
            store.executescript(_SCHEMA)
            yield store

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        if not self._file.exists():
            with closing(sqlite3.connect(":memory:")) as nothing:
                nothing.executescript(_SCHEMA)
                yield nothing
            return
        with readable(self._file) as file, closing(sqlite3.connect(file, timeout=BUSY_SECONDS)) as store:
            store.execute("PRAGMA query_only = ON")
            yield store


def pages_of(layout: VaultLayout, ledger: Ledger, account: str) -> WebPages:
    """An account's saved pages, with those that it saved under another name and those of accounts that were
    merged into it. `ledger`: the published one, whose acts on accounts hold."""
    return WebPages(layout, account, names_of_accounts(ledger) if layout.web.exists() else None)


def erase_pages_of(layout: VaultLayout, ledger: Ledger, accounts: Iterable[str]) -> None:
    """Erase what accounts that have nothing in the ledger any more saved of the web and sent to it."""
    if not layout.web.exists():
        return
    for account in sorted(set(accounts) - set(ledger.accounts())):
        pages_of(layout, ledger, account).erase()


def _page(row: Sequence[str | None]) -> SavedPage:
    url, title, fetched_at, published, sha256, standing, text = row
    return SavedPage(
        url=str(url),
        title=str(title),
        fetched_at=datetime.fromisoformat(str(fetched_at)),
        published=datetime.fromisoformat(published) if published else None,
        sha256=str(sha256),
        standing=Standing(str(standing)),
        text=str(text),
    )
