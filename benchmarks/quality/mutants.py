"""Mutation testing of the modules that decide: which small changes of them does no test notice?

    python -m benchmarks.quality.mutants [--each 20] [--seed 1] [--only MODULE...]

Draws so many mutants of each module below, with a fixed seed: a comparison turned, a condition negated, `and`
for `or`, a number moved by one, an early `return` that gives None. Each is written into a copy of the
repository, and the tests that belong to the module run in a forked process until the first fails. What passes
all of them survived, and is printed with its line: docs/quality.md explains them.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib
import os
import random
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
TARGETS = {
    "curation/gate.py": ("tests/curation/test_gate.py",),
    "curation/criteria/numbers_and_names.py": ("tests/curation/test_gate.py",),
    "curation/criteria/negation_kept.py": ("tests/curation/test_gate.py",),
    "curation/pairs/near_duplicates.py": ("tests/curation/pairs/test_duplicates.py",),
    "curation/normal_form/numbers.py": (
        "tests/curation/normal_form/test_normal_forms.py",
        "tests/curation/pairs/test_duplicates.py",
    ),
    "retrieval/relevance/filter_verdict.py": (
        "tests/retrieval/relevance/test_filter_measures.py",
        "tests/retrieval/relevance/test_relevance_filter.py",
    ),
    "retrieval/relevance/relevance_filter.py": (
        "tests/retrieval/relevance/test_filter_measures.py",
        "tests/retrieval/relevance/test_relevance_filter.py",
    ),
    "retrieval/rank/scoring.py": (
        "tests/retrieval/rank/test_scoring.py",
        "tests/retrieval/test_funnel_steps.py",
    ),
    "retrieval/rank/thresholds.py": ("tests/retrieval/test_funnel_steps.py",),
    "retrieval/thread_order.py": ("tests/retrieval/rank/test_thread_order.py",),
    "retrieval/rank/redundancy.py": (
        "tests/retrieval/rank/test_redundancy.py",
        "tests/retrieval/test_funnel_steps.py",
    ),
    "retrieval/relevance/abstention.py": ("tests/retrieval/relevance/test_abstention.py",),
    "retrieval/assembly.py": ("tests/retrieval/test_assembly.py", "tests/retrieval/test_package.py"),
    "retrieval/funnel.py": (
        "tests/retrieval/test_funnel_steps.py",
        "tests/retrieval/rank/test_thread_order.py",
        "tests/retrieval/test_package.py",
        "tests/retrieval/search/test_decomposition.py",
        "tests/retrieval/rank/test_reranking.py",
        "tests/retrieval/test_recall.py",
    ),
}
LONGEST = 180
"""Seconds that a mutant's tests may take: one that never ends is noticed too."""
READY = ("pytest", "hypothesis", "numpy", "pydantic", "duckdb", "onnxruntime", "qdrant_edge", "pyarrow")
"""Libraries that are imported once, before the forks. Nothing of the project may be."""
TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mutant:
    """One changed module."""

    line: int
    before: str
    after: str
    source: str


def places(tree: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, Callable[[ast.AST], ast.AST]]]:
    """Nodes that can be changed, and how. Annotations and docstrings are left alone."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and type(node.ops[0]) in TURNED:
            yield node, _turned
        elif isinstance(node, ast.BoolOp):
            yield node, _other_word
        elif isinstance(node, ast.If | ast.IfExp):
            yield node, _negated
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
            yield node, _moved
        elif isinstance(node, ast.Return) and not _says_nothing(node):
            yield node, lambda _: ast.Return(ast.Constant(None))


def _says_nothing(node: ast.Return) -> bool:
    return node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None)


def _turned(node: ast.AST) -> ast.AST:
    assert isinstance(node, ast.Compare)
    node.ops[0] = TURNED[type(node.ops[0])]()
    return node


def _other_word(node: ast.AST) -> ast.AST:
    assert isinstance(node, ast.BoolOp)
    node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    return node


def _negated(node: ast.AST) -> ast.AST:
    assert isinstance(node, ast.If | ast.IfExp)
    node.test = ast.UnaryOp(ast.Not(), node.test)
    return node


def _moved(node: ast.AST) -> ast.AST:
    assert isinstance(node, ast.Constant)
    assert isinstance(node.value, int | float)
    return ast.Constant(node.value + 1)


class _Put(ast.NodeTransformer):
    """Puts one node in the place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self._new if node is self._old else self.generic_visit(node)


def mutants(source: str, each: int, seed: int) -> list[Mutant]:
    """So many mutants of a module, the same for the same seed, in the order of their lines."""
    count = sum(1 for _ in places(ast.parse(source)))
    made = []
    for number in sorted(random.Random(seed).sample(range(count), min(each, count))):
        tree = ast.parse(source)
        node, change = list(places(tree))[number]
        before = ast.unparse(node).splitlines()[0]
        new = ast.copy_location(change(copy.deepcopy(node)), node)
        changed = ast.unparse(ast.fix_missing_locations(_Put(node, new).visit(tree)))
        made.append(Mutant(node.lineno, before, ast.unparse(new).splitlines()[0], changed))
    return sorted(made, key=lambda one: one.line)


def noticed(tests: tuple[str, ...]) -> bool:
    """Whether a test fails, in a forked process of the working folder."""
    child = os.fork()
    if child == 0:
        signal.alarm(LONGEST)
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        told = ["-x", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", *tests]
        os._exit(int(importlib.import_module("pytest").main(told)))
    _, status = os.waitpid(child, 0)
    return status != 0


def main() -> None:
    """Print survivors as they are found, and the counts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--each", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=tuple(TARGETS), nargs="+", default=tuple(TARGETS))
    asked = parser.parse_args()
    sys.dont_write_bytecode = True
    for name in READY:
        importlib.import_module(name)
    with tempfile.TemporaryDirectory(prefix="mnemic-mutants-") as folder:
        left_out = shutil.ignore_patterns(".*", "__pycache__", "docs", "site", "out")
        shutil.copytree(ROOT, folder, dirs_exist_ok=True, ignore=left_out)
        os.chdir(folder)
        sys.path[:] = [folder, *(one for one in sys.path if Path(one).resolve() != ROOT)]
        for name in asked.only:
            path, tests = Path(name), TARGETS[name]
            source = path.read_text(encoding="utf-8")
            if noticed(tests):
                raise SystemExit(f"{', '.join(tests)} fail without any change")
            drawn = mutants(source, asked.each, asked.seed)
            survived = 0
            for mutant in drawn:
                path.write_text(mutant.source, encoding="utf-8")
                if not noticed(tests):
                    survived += 1
                    print(f"  {name}:{mutant.line}: {mutant.before}  ->  {mutant.after}", flush=True)
            path.write_text(source, encoding="utf-8")
            print(f"{name}: {len(drawn) - survived} of {len(drawn)} mutants noticed", flush=True)


if __name__ == "__main__":
    main()
