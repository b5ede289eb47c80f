"""The bounds that keep the tree one that can be read: lengths, parameters, imports and names."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = (
    *("archives", "benchmarks", "chunking", "curation", "data", "deployments", "docs", "evals", "extract"),
    *("flows", "inference", "interfaces", "retrieval", "schemas", "vault", "web"),
)
FILE_LINES, FUNCTION_LINES, PARAMETERS, FUNCTION_IMPORTS = 400, 60, 8, 20
SIGNATURES_OF_A_FRAMEWORK = ("interfaces/cli/commands/", "interfaces/mcp/", "flows/orchestration/")
"""A command's, a tool's and a flow's parameters are its interface."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def trees() -> dict[str, ast.Module]:
    found = {}
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            found[path.relative_to(ROOT).as_posix()] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def functions() -> Iterator[tuple[str, Function]]:
    for name, tree in trees().items():
        yield from ((name, one) for one in ast.walk(tree) if isinstance(one, Function))


def test_no_file_is_longer_than_its_bound() -> None:
    lengths = {name: len((ROOT / name).read_text(encoding="utf-8").splitlines()) for name in trees()}
    assert len(lengths) > 500
    assert {name: lines for name, lines in lengths.items() if lines > FILE_LINES} == {}


def test_no_function_is_longer_than_its_bound() -> None:
    long = [
        (name, one.name)
        for name, one in functions()
        if (one.end_lineno or one.lineno) - one.lineno >= FUNCTION_LINES
    ]
    assert long == []


def test_no_function_takes_more_than_eight_values() -> None:
    def taken(one: Function) -> int:
        given = one.args
        names = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
        return len(names) - (names[:1] in (["self"], ["cls"]))

    many = [
        (name, one.name)
        for name, one in functions()
        if taken(one) > PARAMETERS and not name.startswith(SIGNATURES_OF_A_FRAMEWORK)
    ]
    assert many == []


def test_imports_stand_at_the_head_of_a_module() -> None:
    inside = {
        (name, one.lineno)
        for name, function in functions()
        for one in ast.walk(function)
        if isinstance(one, ast.Import | ast.ImportFrom)
    }
    assert len(inside) <= FUNCTION_IMPORTS, sorted(inside)


def test_no_class_name_stands_for_two_things() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for name, tree in trees().items():
        for one in ast.walk(tree):
            if isinstance(one, ast.ClassDef) and not one.name.startswith("_"):
                homes[one.name].append(name)
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}


def test_a_name_that_a_package_loads_late_is_no_module_of_it() -> None:
    late = {
        name: {str(key.value) for key in one.value.keys if isinstance(key, ast.Constant)}
        for name, tree in trees().items()
        for one in tree.body
        if name.endswith("/__init__.py") and isinstance(one, ast.Assign) and isinstance(one.value, ast.Dict)
        if [target.id for target in one.targets if isinstance(target, ast.Name)] == ["_HOME"]
    }
    assert len(late) >= 3
    clashes = {
        name: names & {path.stem for path in (ROOT / name).parent.iterdir()} for name, names in late.items()
    }
    assert {name: found for name, found in clashes.items() if found} == {}


def test_a_package_s_docstring_names_files_that_it_has() -> None:
    lost = [
        (name, named)
        for name, tree in trees().items()
        if name.endswith("/__init__.py")
        for named in re.findall(r"(?m)(?:^|; )([a-z_]+(?:\.py|/))", ast.get_docstring(tree) or "")
        if not (ROOT / name).with_name(named.rstrip("/")).exists()
    ]
    assert lost == []
