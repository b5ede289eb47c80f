"""Kill -9 at random points of `mnemic account merge`, while a second process reads or asks to write.

    python -m benchmarks.faults.account_kills [--kills 100] [--seed 1] [--seconds 600]

Each kill begins with a copy of one vault that has two accounts, a kept note in each and a saved page of the
web, and strikes after a random share of the time that the merge takes undisturbed. In two of three kills
another process is at work meanwhile: a recall of the account that takes the other in, or a second writer.
What is read then must be the two accounts or the one, and nothing between; after the next run it must be the
one, verified, with every id, state, quote and page of before. Exit code 1 where anything was else. With
--seconds no kill begins later.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.faults.branch_kills import copied, run, started
from flows.upkeep.full_verification import verify
from schemas.act import ActKind
from schemas.base import sha256_text
from schemas.provenance import Standing
from vault.journal import Journal
from vault.layout import VaultLayout
from vault.reader import open_vault
from vault.web_pages import SavedPage, WebPages, pages_of

MERGE = ("account", "merge", "boat", "me")
BESIDE = ("nothing", "a recall", "a writer")
PAGE = "https://hulls.example/"
TALKS = {
    "me": "I decided to cut the hedge in May. The garden is 40 square metres.",
    "boat": "I decided to paint the boat dark blue. The boat is 7 m long.",
}
PRELOADED = ["interfaces.main", "interfaces.cli.commands.account", "interfaces.cli.commands.recall",
             "flows.ingest.steps"]  # fmt: skip

_CHILDREN = multiprocessing.get_context("forkserver")


class VaultContent(NamedTuple):
    """What a vault holds, as a process of its own reads it."""

    accounts: list[str]
    notes: list[list[str]]
    """Id, state, text and quote of each, whosever it is."""
    owners: list[list[str]]
    """(what, account) of each conversation, note and point."""
    pages: list[str]
    """Addresses of the pages that account `me` has saved."""
    faults: list[str]


def _look(vault: Path, answer: Any) -> None:

    with open_vault(vault) as reader:
        notes = reader.ledger.query("SELECT id, state, text, quote FROM units_current ORDER BY id")
        owners = reader.ledger.query(
            "SELECT conversation_id, account FROM conversations"
            " UNION SELECT id, account FROM units ORDER BY 1"
        )
        owners += sorted((one.id, one.payload.account) for one in reader.index.points())
        pages = [one.url for one in pages_of(VaultLayout(vault), reader.ledger, "me").pages()]
        accounts = sorted(reader.generation.accounts)
    texts = [list(map(str, row)) for row in notes]
    answer.send(
        VaultContent(
            accounts,
            texts,
            [list(map(str, row)) for row in owners if not str(row[0]).startswith("thread")],
            pages,
            [str(one) for one in verify(vault, full=True)[1]],
        )
    )


def look(vault: Path) -> VaultContent:
    """What the vault holds, and what a verification finds."""
    here, there = _CHILDREN.Pipe()
    child = _CHILDREN.Process(target=_look, args=(vault, there))
    child.start()
    there.close()
    seen: VaultContent = here.recv()
    child.join()
    return seen


def brew(folder: Path) -> Path:
    """A vault with two accounts, a kept note in each, and a page that the one to be merged saved."""
    vault = folder / "model"
    for name, words in TALKS.items():
        place = folder / name
        place.mkdir()
        talk = [{"uuid": name, "name": name, "created_at": "2026-03-01T10:00:00Z",
                 "updated_at": "2026-03-01T10:05:00Z",
                 "chat_messages": [{"uuid": f"m-{name}", "sender": "human",
                                    "created_at": "2026-03-01T10:00:00Z", "text": words}]}]  # fmt: skip
        (place / "conversations.json").write_text(json.dumps(talk), encoding="utf-8")
        assert run(vault, ["ingest", str(place / "conversations.json"), "--account", name])[0] == 0
    _keep_and_save(vault)
    assert run(vault, next_run(vault))[0] == 0
    return vault


def next_run(vault: Path) -> list[str]:
    """A run that reads nothing new."""
    return ["ingest", str(vault.parent / "boat" / "conversations.json"), "--account", "boat"]


def _keep_and_save(vault: Path) -> None:

    with open_vault(vault) as reader:
        kept = [str(one) for (one,) in reader.ledger.query("SELECT min(id) FROM units GROUP BY account")]
    with Journal(VaultLayout(vault).journal) as journal:
        journal.append(ActKind.KEEP, kept)
    text = "A blue hull keeps its colour for four years."
    page = SavedPage(
        url=PAGE,
        title="Hulls",
        fetched_at=datetime(2026, 3, 2, tzinfo=UTC),
        published=None,
        sha256=sha256_text(text),
        standing=Standing.SINGLE,
        text=text,
    )
    vector = np.zeros((1, 2), dtype=np.float32)
    WebPages(VaultLayout(vault), "boat").save(page, [(text, ())], "an embedder", vector)


def strike(model: Path, vault: Path, count: int, seed: int, until: float) -> tuple[Counter[str], list[str]]:
    """(counts, failures) of so many kills."""
    chance, counts, failures = random.Random(seed), Counter[str](), []
    before = look(model)
    copied(model, vault)
    code, takes = run(vault, MERGE)
    after = look(vault)
    if code != 0 or after.accounts != ["me"] or after.pages != [PAGE] or after.faults or before.pages:
        failures.append(
            f"undisturbed: exit code {code}, {after.accounts}, pages {after.pages}, {after.faults}"
        )
    if before.notes != after.notes:
        failures.append("undisturbed: notes are not as they were")
    while counts["kills"] < count and len(failures) < 5 and time.monotonic() < until:
        beside = chance.choice(BESIDE)
        # every other one early: the act is put on record within the first tenth
        point = chance.random() * takes * chance.choice((1.0, 0.1))
        copied(model, vault)
        asked = {"a recall": ["recall", "the hedge", "--account", "me"], "a writer": next_run(vault)}
        other = started(vault, asked[beside]) if beside in asked else None
        code, _ = run(vault, MERGE, point)
        if code is not None and code >= 0:
            counts["ended before the kill"] += 1
        else:
            counts["kills"] += 1
            counts[f"kills beside {beside}"] += 1
        if other is not None:
            other.join()
            # 1: another process is writing
            if other.exitcode not in ((0, 1) if beside == "a writer" else (0,)):
                failures.append(f"{beside}, beside a kill after {point:.2f} s: exit code {other.exitcode}")
        _judge(vault, (before, after), f"beside {beside}, killed after {point:.2f} s", counts, failures)
    return counts, failures


def _judge(
    vault: Path,
    whole: tuple[VaultContent, VaultContent],
    when: str,
    counts: Counter[str],
    failures: list[str],
) -> None:
    """What is there after a kill, after the next run, and after the merge was asked for again."""
    before, after = whole
    found = look(vault)
    if found not in (before, after):
        failures.append(f"{when}: half done, accounts {found.accounts}, {found.faults}")
    counts["found as before" if found == before else "found done"] += 1
    run(vault, next_run(vault))
    if look(vault) == before:
        counts["no act was on record yet"] += 1
        run(vault, MERGE)
    if (now := look(vault)) != after:
        failures.append(f"{when}: after the next run accounts {now.accounts}, {now.pages}, {now.faults}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Strike and print what it came to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    options = parser.parse_args(arguments)
    _CHILDREN.set_forkserver_preload(PRELOADED)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as place:
        model = brew(Path(place))
        counts, failures = strike(
            model, Path(place) / "vault", options.kills, options.seed, began + options.seconds
        )
    print(json.dumps({"counts": counts, "failures": failures, "seconds": round(time.monotonic() - began)}))
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
