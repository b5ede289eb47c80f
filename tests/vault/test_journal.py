from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from schemas.act import ActKind
from vault.journal import Journal, live


def test_an_act_outlives_the_process_that_was_killed_right_after_it(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    code = (
        "import os, signal, sys; from pathlib import Path\n"
        "from schemas.act import ActKind; from vault.journal import Journal\n"
        "Journal(Path(sys.argv[1])).append(ActKind.KEEP, ['u1', 'u2'], reason='mine')\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    with Journal(path) as journal:
        acts = journal.after(0)
    assert [(act.subject, act.kind, act.reason) for act in acts] == [
        ("u1", ActKind.KEEP, "mine"),
        ("u2", ActKind.KEEP, "mine"),
    ]


def test_many_processes_append_at_once_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    Journal(path).close()
    code = (
        "import sys; from pathlib import Path\n"
        "from schemas.act import ActKind; from vault.journal import Journal\n"
        "journal = Journal(Path(sys.argv[1]))\n"
        "for number in range(20): journal.append(ActKind.KEEP, [f'{sys.argv[2]}-{number}'])"
    )
    writers = [subprocess.Popen([sys.executable, "-c", code, str(path), str(name)]) for name in range(5)]
    assert [writer.wait() for writer in writers] == [0] * 5
    with Journal(path) as journal:
        acts = journal.after(0)
    assert len({act.subject for act in acts}) == 100
    assert [act.seq for act in acts] == sorted({act.seq for act in acts})


def test_acts_are_read_in_order_and_only_the_new_ones(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite") as journal:
        journal.append(ActKind.KEEP, ["u1", "u2"])
        seq = journal.append(ActKind.DISCARD, ["u1"])
        assert [(act.subject, act.kind) for act in journal.after(0)] == [
            ("u1", ActKind.KEEP),
            ("u2", ActKind.KEEP),
            ("u1", ActKind.DISCARD),
        ]
        assert journal.after(seq) == []


def test_what_was_done_last_is_taken_back_lot_by_lot(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite") as journal:
        journal.append(ActKind.KEEP, ["u1", "u2"])
        journal.append(ActKind.KEEP, ["u9"], actor="policy:mine")
        journal.append(ActKind.DISCARD, ["u1"])
        for expected in ([("discard", "u1")], [("keep", "u1"), ("keep", "u2")], []):
            lot = journal.last_lot()
            assert [(act.kind.value, act.subject) for act in lot] == expected
            journal.undo(lot)
        assert [act.subject for act in live(journal.after(0))] == ["u9"]


def test_the_newest_standing_act_of_a_kind_is_found_for_each_subject(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite") as journal:
        journal.append(ActKind.KEEP, ["u1"], reason="first")
        journal.append(ActKind.KEEP, ["u1"], reason="second")
        assert [act.reason for act in journal.standing(ActKind.KEEP, ["u1", "u2"])] == ["second"]
        journal.undo(journal.standing(ActKind.KEEP, ["u1"]))
        assert [act.reason for act in journal.standing(ActKind.KEEP, ["u1"])] == ["first"]


def test_a_journal_of_the_first_release_is_read_and_written(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with closing(sqlite3.connect(path)) as first:
        first.execute(
            """CREATE TABLE acts (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
               kind TEXT NOT NULL, unit_id TEXT NOT NULL, actor TEXT NOT NULL, reason TEXT NOT NULL,
               at TEXT NOT NULL)"""
        )
        first.execute(
            "INSERT INTO acts VALUES (1, 'a1', 'keep', 'u1', 'user', '', '2026-01-01T00:00:00+00:00')"
        )
        first.commit()
    with Journal(path) as journal:
        (act,) = journal.last_lot()
        assert (act.id, act.lot, act.detail) == ("a1", "", "")
        journal.undo([act])
        assert journal.last_lot() == []
