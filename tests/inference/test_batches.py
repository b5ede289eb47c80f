from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from model_server import ModelServer, Scripted, user_text
from test_language_model import PROMPT, Length, ask, measured, opened

from inference.anthropic_model import AnthropicModel, ModelOptions
from inference.batches import Patience
from inference.language_model import ModelQuestion
from inference.service import Service
from inference.store import Store
from schemas.errors import BatchPending


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(measured) as running:
        yield running


def test_the_question_s_hash_is_its_custom_id(server: ModelServer, tmp_path: Path) -> None:
    with opened(server, tmp_path, mode="batch") as model:
        (reply,) = ask(model, "text")
    (line,) = server.results["msgbatch_1"]
    assert line["custom_id"] == reply.key
    assert server.received[0]["system"][0]["cache_control"]["ttl"] == "1h"


def test_failed_requests_are_submitted_again_alone(server: ModelServer, tmp_path: Path) -> None:
    failures = {"overloaded": Scripted(status=529), "late": Scripted(expired=True)}
    seen: list[str] = []

    def script(body: dict[str, object]) -> Scripted | dict[str, object]:
        text = user_text(body)
        seen.append(text)
        return failures[text] if text in failures and seen.count(text) == 1 else measured(body)

    server.script = script
    with opened(server, tmp_path, mode="batch") as model:
        assert all(reply.value for reply in ask(model, "fine", "overloaded", "late"))
    assert sorted(seen) == ["fine", "late", "late", "overloaded", "overloaded"]
    assert server.batches_made == 2


def test_what_cannot_succeed_is_not_tried_for_ever(server: ModelServer, tmp_path: Path) -> None:
    bad = {"wrong": Scripted(status=400), "broken": Scripted(status=500)}
    server.script = lambda body: bad.get(user_text(body)) or measured(body)
    with opened(server, tmp_path, mode="batch") as model:
        fine, wrong, broken = ask(model, "fine", "wrong", "broken")
    assert fine.value is not None
    assert wrong.problem == "no answer: invalid_request_error"
    assert broken.problem == "no answer: api_error"
    sent = [user_text(body) for body in server.received]
    assert (sent.count("wrong"), sent.count("broken")) == (1, 3)


def test_a_batch_of_an_earlier_run_is_collected_not_submitted_again(
    server: ModelServer, tmp_path: Path
) -> None:
    server.polls_until_end = 10**6
    service = Service("claude-haiku-5-5", server.url, "test-key")
    hurried = ModelOptions(service, mode="batch", patience=Patience(0.01, longest=0.05))
    with AnthropicModel(hurried, tmp_path) as model, pytest.raises(BatchPending, match="not ended"):
        ask(model, "a", "b", "c")
    server.polls_until_end = 1
    with opened(server, tmp_path, mode="batch") as model:
        assert all(reply.value for reply in ask(model, "a", "d"))
    assert server.batches_made == 2
    assert sorted(map(user_text, server.received)) == ["a", "b", "c", "d"]
    with opened(server, tmp_path, mode="batch") as model:
        assert ask(model, "b", "c")[1].cached, "what nobody asked for then was kept too"


def test_a_crash_between_submitting_and_noting_the_id_pays_once(server: ModelServer, tmp_path: Path) -> None:
    # the service has taken the batch, its answer is on the way, and the process is killed
    server.faults.append(Scripted(hang_up=True, seconds=5.0))
    tests, root = Path(__file__).parents[1], Path(__file__).parents[2]
    paths = os.pathsep.join(map(str, (root, tests, Path(__file__).parent)))
    child = subprocess.Popen(
        [sys.executable, "-c", _CHILD, server.url, str(tmp_path)], env={**os.environ, "PYTHONPATH": paths}
    )
    try:
        deadline = time.monotonic() + 60
        while server.batches_made == 0 and time.monotonic() < deadline:
            time.sleep(0.02)
    finally:
        child.kill()
        child.wait()
    assert server.batches_made == 1
    server.add_foreign_batch(3)
    with Store(tmp_path) as store:
        (left,) = store.open_batches(f"claude-haiku-5-5 at {server.url}")
    assert left.batch_id is None
    with opened(server, tmp_path, mode="batch") as model:
        assert all(reply.value for reply in ask(model, "a", "b", "c"))
    assert server.batches_made == 2, "ours and the other one: ours was found, not submitted again"


_CHILD = """
import sys
from pathlib import Path
from inference.anthropic_model import AnthropicModel, ModelOptions
from inference.service import Service
from test_language_model import ask
options = ModelOptions(Service("claude-haiku-5-5", sys.argv[1], "test-key"), mode="batch")
ask(AnthropicModel(options, Path(sys.argv[2])), "a", "b", "c")
"""


def test_a_submission_without_an_answer_is_looked_for_before_it_is_repeated(
    server: ModelServer, tmp_path: Path
) -> None:
    server.faults.append(Scripted(hang_up=True))
    with opened(server, tmp_path, mode="batch") as model:
        assert all(reply.value for reply in ask(model, "a", "b"))
    assert server.batches_made == 1


def test_somebody_else_s_batch_of_the_same_size_is_not_taken_for_ours(
    server: ModelServer, tmp_path: Path
) -> None:
    server.faults.append(Scripted(status=500))
    with Store(tmp_path) as store:
        keys = {reply.key: "length/1" for reply in _recorded(server, tmp_path, "a", "b")}
        store.begin_batch(f"claude-haiku-5-5 at {server.url}", keys)
    server.add_foreign_batch(2)
    with opened(server, tmp_path, mode="batch") as model:
        assert [reply.value for reply in ask(model, "a", "b")] == [Length(characters=1)] * 2
    assert server.batches_made == 2


def test_a_batch_that_the_service_no_longer_has_is_made_anew(server: ModelServer, tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        keys = {reply.key: "length/1" for reply in _recorded(server, tmp_path, "a")}
        left = store.begin_batch(f"claude-haiku-5-5 at {server.url}", keys)
        store.name_batch(left.number, "msgbatch_forgotten")
    with opened(server, tmp_path, mode="batch") as model:
        assert ask(model, "a")[0].value == Length(characters=1)


def test_results_that_break_off_are_read_again(server: ModelServer, tmp_path: Path) -> None:
    with opened(server, tmp_path, mode="batch") as model:
        server.polls_until_end = 3
        whole = ask(model, "a")
    assert whole[0].value == Length(characters=1)
    server.script = lambda body: Scripted(json.dumps(measured(body)), stop_reason="max_tokens")
    with opened(server, tmp_path, mode="batch") as model:
        assert ask(model, "b")[0].problem == "cut off"
    with Store(tmp_path) as store:
        assert [(one.mode, one.outcome) for one in store.calls_after(0)] == [
            ("batch", "end_turn"),
            ("batch", "max_tokens"),
        ]
        assert all(one.batch_id and one.usd > 0 for one in store.calls_after(0))


def test_a_batch_costs_half(server: ModelServer, tmp_path: Path) -> None:
    with opened(server, tmp_path / "one") as model:
        ask(model, "warm the server's cache")
        single = ask(model, "text")[0].usd
    with opened(server, tmp_path / "two", mode="batch") as model:
        assert ask(model, "text")[0].usd == pytest.approx(single / 2)


def _recorded(server: ModelServer, folder: Path, *texts: str) -> list[object]:
    with opened(server, folder, mode="batch") as model:
        return list(model.recorded([ModelQuestion(PROMPT, text, Length) for text in texts]))
