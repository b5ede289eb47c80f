from __future__ import annotations

from pathlib import Path
from threading import Thread

from benchmarks.call_trace import Trace
from chunking.language import language_of
from vault.sums import file_sum


def test_calls_are_counted_in_order_and_hops_once_a_call(tmp_path: Path) -> None:
    (tmp_path / "page").write_bytes(b"a page")
    trace = Trace()
    with trace.recording():
        file_sum(tmp_path / "page")  # which takes the runs of the file from a generator, one by one
        worker = Thread(target=language_of, args=("Der Garten ist vierzig Quadratmeter.",))
        worker.start()
        worker.join()
    language_of("This is not recorded.")
    called = list(trace.calls)
    assert called[:2] == [("vault/sums.py", "file_sum"), ("vault/files.py", "data_extents")]
    assert trace.hops["vault/sums.py", "vault/files.py"] == 1
    assert trace.calls["chunking/language.py", "language_of"] == 1
    assert all(caller != module for caller, module in trace.hops)
