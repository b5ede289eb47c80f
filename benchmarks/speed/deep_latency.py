"""How long a deep search takes, by who compares: nobody, the offline order, a language model on this machine.

    python -m benchmarks.speed.deep_latency VAULT REALMEM [--questions 40] [--asked 8] [--after 1 5 12]

VAULT is what `mnemic eval realmem REALMEM` ingested. Questions are every so manieth of all people, each in
its own account as of its own date, with a threshold of 1 so that each looks further. A server on this machine
speaks the OpenAI API and answers each request after so many seconds with a score for every note that it was
shown; `--asked` questions are put to each. One that answers too late must leave recall's own package: its
text is compared byte by byte. Prints a line of JSON a way: p50 and p95 in milliseconds by the clock, and the
processor time a question.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np

from evals.ranking import asked
from evals.realmem import read_person
from inference import load_embedder
from inference.embedder import Embedder
from inference.provider_choice import Asked, open_model
from retrieval.deep.comparison import TIMEOUT, Comparer, compare_with
from retrieval.deep.escalation import Allowance, DeepMode, DeepSearch
from retrieval.deep.offline_judge import compared_offline
from retrieval.funnel import recall
from retrieval.package import Package
from retrieval.question import Question
from vault.name_graph import NameGraph
from vault.reader import VaultReader, open_vault


class _Scorer(BaseHTTPRequestHandler):
    """Scores every note of a request, after `server.after` seconds."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        time.sleep(self.server.after)  # type: ignore[attr-defined]
        shown = body["messages"][-1]["content"]
        lines = [
            f"{number}: {10 - int(number) % 10} - fits" for number in re.findall(r"^(\d+):$", shown, re.M)
        ]
        answer = {
            "model": "a-local-model",
            "choices": [
                {
                    "message": {"role": "assistant", "content": json.dumps({"lines": lines})},
                    "finish_reason": "stop",
                }
            ],
            "usage": {"prompt_tokens": sum(len(one["content"]) for one in body["messages"]) // 4},
        }
        told = json.dumps(answer).encode()
        try:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(told)))
            self.end_headers()
            self.wfile.write(told)
        except ConnectionError:
            return  # whoever asked has gone

    def log_message(self, *_: object) -> None:
        """Nothing."""


@contextmanager
def scorer(after: float) -> Iterator[str]:
    """A server that answers after so many seconds; its base address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Scorer)
    server.after = after  # type: ignore[attr-defined]
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()


def measured(
    questions: Sequence[Question], reader: VaultReader, embedder: Embedder, compare: Comparer | None
) -> tuple[list[Package], dict[str, float]]:
    """The packages, and what they took; without `compare` nothing looks further."""
    packages, spent, processor = [], [], time.process_time()
    for question in questions:
        deep = compare and DeepSearch(
            DeepMode.ON, 1.0, compare, allowance=Allowance(1), names=lambda: NameGraph(reader.ledger)
        )
        began = time.perf_counter()
        packages.append(recall(replace(question, deep=deep), reader.index, embedder))
        spent.append(time.perf_counter() - began)
    p50, p95 = 1000 * np.quantile(spent, (0.5, 0.95))
    busy = (time.process_time() - processor) / len(questions)
    return packages, {"p50_ms": round(p50), "p95_ms": round(p95), "processor_ms": round(1000 * busy)}


def main() -> None:
    """Ask each way, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("vault", type=Path)
    parser.add_argument("realmem", type=Path)
    parser.add_argument("--questions", type=int, default=40)
    parser.add_argument("--asked", type=int, default=8)
    parser.add_argument("--after", type=float, nargs="*", default=[1.0, 5.0, 12.0])
    options = parser.parse_args()
    embedder = load_embedder()
    everybody = [
        asked(query.query, person.account, query.before)
        for person in map(read_person, sorted(options.realmem.glob("*.zip")))
        for query in person.queries
    ]
    questions = everybody[:: max(1, len(everybody) // options.questions)][: options.questions]
    with open_vault(options.vault) as reader:
        measured(questions[:3], reader, embedder, compared_offline)  # models and pages are there now
        own, told = measured(questions, reader, embedder, None)
        print(json.dumps({"way": "recall's own", "questions": len(questions), **told}), flush=True)
        _, told = measured(questions, reader, embedder, compared_offline)
        print(json.dumps({"way": "offline", "questions": len(questions), **told}), flush=True)
        few = questions[: options.asked]
        for after in options.after:
            with scorer(after) as address, tempfile.TemporaryDirectory() as answers:
                model = Asked("openai", model="a-local-model", base_url=address)
                opened = partial(open_model, model, Path(answers))
                packages, told = measured(few, reader, embedder, compare_with(opened))
            late = sum(one.deep is not None and one.deep.timed_out for one in packages)
            same = sum(one.render() == other.render() for one, other in zip(packages, own, strict=False))
            row = {"way": f"a server that answers after {after:g} s", "questions": len(few), **told}
            print(json.dumps({**row, "timed out": late, "byte for byte recall's own": same}), flush=True)
            if after > TIMEOUT and (late, same) != (len(few), len(few)):
                raise SystemExit("an answer that came too late changed a package")


if __name__ == "__main__":
    main()
