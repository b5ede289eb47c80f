from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from schemas.unit import State
from vault.journal import ActKind, Journal, states_after


def test_an_act_outlives_the_process_that_was_killed_right_after_it(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    code = (
        "import os, signal, sys; from pathlib import Path; from vault.journal import ActKind, Journal\n"
        "Journal(Path(sys.argv[1])).append(ActKind.KEEP, ['u1', 'u2'], reason='mine')\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    with Journal(path) as journal:
        acts = journal.after(0)
    assert [(act.unit_id, act.kind, act.reason) for act in acts] == [
        ("u1", ActKind.KEEP, "mine"),
        ("u2", ActKind.KEEP, "mine"),
    ]


def test_many_processes_append_at_once_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    Journal(path).close()
    code = (
        "import sys; from pathlib import Path; from vault.journal import ActKind, Journal\n"
        "journal = Journal(Path(sys.argv[1]))\n"
        "for number in range(20): journal.append(ActKind.KEEP, [f'{sys.argv[2]}-{number}'])"
    )
    writers = [subprocess.Popen([sys.executable, "-c", code, str(path), str(name)]) for name in range(5)]
    assert [writer.wait() for writer in writers] == [0] * 5
    with Journal(path) as journal:
        acts = journal.after(0)
    assert len({act.unit_id for act in acts}) == 100
    assert [act.seq for act in acts] == sorted({act.seq for act in acts})


def test_the_last_act_on_a_unit_decides(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite") as journal:
        journal.append(ActKind.KEEP, ["u1", "u2"])
        seq = journal.append(ActKind.DISCARD, ["u1"])
        assert states_after(journal.after(0)) == {"u1": State.DISCARDED, "u2": State.KEPT}
        assert journal.after(seq) == []
