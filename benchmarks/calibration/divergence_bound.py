"""Learns when two packages count as contradicting each other, and prints what that is worth on kept prompts.

    python benchmarks/calibration/divergence_bound.py data/divergence/prompts.jsonl [--vault FOLDER] [--write]

The file has 60 prompts, and 30 that were written later, each with the talks that the memory knows of it and
what its writer called it: one-sided, contested or settled. All talks go into one vault, read by the offline
engine; each prompt is asked as `mnemic diverge` does. A logistic regression of the packages' values
(`retrieval.diverge.agreement.values_of`) is fitted on the part `calibration`, and so are the bound, and the
nearness below which a prompt is one-sided: those with the most prompts of that part right. The parts `kept`
and `unseen` are only scored, by the weights that ship and by those just learned. `--vault` keeps the vault
for another run; `--write` stores the weights in `retrieval/data/divergence.json`.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from flows.ingest.steps import IngestRequest, ingest
from inference import load_embedder
from interfaces.divergence import diverged
from retrieval import Options, Question
from retrieval.diverge.agreement import DivergenceWeights, MemoryStanding, values_of, weighed
from vault.index import Where
from vault.reader import open_vault

TARGET = Path("retrieval/data/divergence.json")
ACCOUNT = "mara"
RIDGE = 0.3
NAMES = ("contradicts", "contrasts", "replaces", "agrees")

Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class AskedPrompt:
    """A prompt, what a reader called it, and what the packages came to."""

    prompt: str
    label: MemoryStanding
    part: str
    values: dict[str, float]
    second: float
    diverged_by: str
    """The first pair that was judged, for the list of errors."""


def transcript(cases: Iterable[dict[str, Any]]) -> str:
    """The talks of all prompts as one transcript file: what is said in turns, the owner first."""
    lines = []
    for at, case in enumerate(cases):
        for place, talk in enumerate(case["talks"]):
            name = f"d{at:02}-{place}"
            messages = [
                {
                    "id": f"{name}-{turn}",
                    "role": "assistant" if turn % 2 else "user",
                    "name": None if turn % 2 else "Mara",
                    "created_at": f"{talk['day']}T10:{turn:02}:00Z",
                    "text": text,
                }
                for turn, text in enumerate(talk["said"])
            ]
            own = {"id": name, "owner": "Mara", "title": talk["title"]}
            lines.append(json.dumps({**own, "created_at": f"{talk['day']}T10:00:00Z", "messages": messages}))
    return "\n".join(lines) + "\n"


def prepared(vault: Path, cases: Sequence[dict[str, Any]]) -> None:
    """Ingest the talks, unless the vault is there."""
    if vault.exists():
        return
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / "divergence.transcript.jsonl"
        archive.write_text(transcript(cases), encoding="utf-8")
        ingest(IngestRequest(vault=vault, archives=(archive,), account=ACCOUNT))


def asked(vault: Path, cases: Sequence[dict[str, Any]]) -> list[AskedPrompt]:
    """What the two analysts make of each prompt."""
    embedder, answers = load_embedder(), []
    with open_vault(vault) as reader:
        for case in cases:
            question = Question(case["prompt"], Where(ACCOUNT), options=Options())
            found = diverged(reader, question, embedder)
            told, texts = found.agreement, found.texts
            pairs = [f"{one.relation}: {texts[one.newer]} | {texts[one.older]}" for one in told.pairs]
            answers.append(
                AskedPrompt(
                    case["prompt"],
                    MemoryStanding(case["label"]),
                    case["half"],
                    values_of(told.pairs),
                    told.second,
                    next(iter(pairs), ""),
                )
            )
    return answers


def fitted(rows: Sequence[AskedPrompt]) -> dict[str, float]:
    """The weights by Newton's method, contested against the others, both sides weighing the same."""
    features = np.array([[one.values[name] for name in NAMES] + [1.0] for one in rows])
    wanted = np.array([float(one.label is MemoryStanding.CONTESTED) for one in rows])
    share = np.where(wanted == 1, 0.5 / max(wanted.sum(), 1), 0.5 / max((1 - wanted).sum(), 1))
    weights = np.zeros(len(NAMES) + 1)
    ridge = RIDGE / len(rows) * np.diag([*[1.0] * len(NAMES), 0.01])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-features @ weights))
        slope = features.T @ (share * (chance - wanted)) + ridge @ weights
        curve = (features * (share * chance * (1 - chance))[:, None]).T @ features + ridge
        weights = weights - np.linalg.solve(curve, slope)
    return dict(zip((*NAMES, "bias"), (round(float(one), 3) for one in weights), strict=True))


def learned(rows: Sequence[AskedPrompt], run: str) -> DivergenceWeights:
    """Weights, bound and share with the most of these prompts right; of equal ones the middle."""
    plain = DivergenceWeights(weights=fitted(rows), bound=0.5, one_sided=0.4, run=run)

    def best(tries: Sequence[DivergenceWeights]) -> DivergenceWeights:
        right = [sum(said(one, row) is row.label for row in rows) for one in tries]
        top = [one for one, count in zip(tries, right, strict=True) if count == max(right)]
        return top[len(top) // 2]

    grid = [round(float(one), 2) for one in np.arange(0.2, 0.82, 0.02)]
    bounded = best([plain.model_copy(update={"bound": one}) for one in grid])
    shares = [round(float(one), 2) for one in np.arange(0.1, 0.91, 0.02)]
    return best([bounded.model_copy(update={"one_sided": one}) for one in shares])


def said(weights: DivergenceWeights, row: AskedPrompt) -> MemoryStanding:
    """What these weights call a prompt."""
    if weights.chance(row.values) >= weights.bound:
        return MemoryStanding.CONTESTED
    return MemoryStanding.ONE_SIDED if row.second < weights.one_sided else MemoryStanding.SETTLED


def score(weights: DivergenceWeights, rows: Sequence[AskedPrompt], named: str) -> None:
    """Print how many prompts are called what the reader called them, and which were called what."""
    called = [(row, said(weights, row)) for row in rows]
    right = sum(row.label is one for row, one in called)
    verdicts = sum(
        (row.label is MemoryStanding.CONTESTED) is (one is MemoryStanding.CONTESTED) for row, one in called
    )
    print(f"{named}: standing {right}/{len(rows)}, converged or diverged {verdicts}/{len(rows)}")
    for (label, one), count in sorted(Counter((row.label, one) for row, one in called).items()):
        print(f"  {label} called {one}: {count}")
    for row, one in called:
        if row.label is not one:
            print(f"    {row.prompt} ({row.label}, called {one}, second {row.second}) {row.diverged_by}")


def main() -> None:
    """Learn, print what it is worth, store on request."""
    parser = argparse.ArgumentParser()
    parser.add_argument("prompts", type=Path)
    parser.add_argument("--vault", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    cases = [json.loads(line) for line in options.prompts.read_text(encoding="utf-8").splitlines()]
    with tempfile.TemporaryDirectory() as folder:
        vault = options.vault or Path(folder) / "vault"
        prepared(vault, cases)
        rows = asked(vault, cases)
    run = f"python benchmarks/calibration/divergence_bound.py {options.prompts} --write"
    parts = {name: [one for one in rows if one.part == name] for name in ("calibration", "kept", "unseen")}
    weights = learned(parts["calibration"], run)
    for source, used in (("shipped", weighed()), ("learned", weights)):
        print(source, used.model_dump_json(exclude={"run"}))
        for name, part in parts.items():
            score(used, part, name)
    if options.write:
        TARGET.write_text(weights.model_dump_json(indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
