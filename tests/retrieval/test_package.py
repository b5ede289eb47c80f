"""What a package looks like to whoever asked: formats, budget, window, masked secrets, trace."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small_memory import ACCOUNT, NOON, make_index, note

from chunking import estimate_tokens
from inference.embedder import Embedder
from retrieval import Package, PackageFormat, PackagePart
from tests.asking import recall
from vault.edge import EdgeIndex
from vault.points import PointKind

KEY = "sk-ant-" + "a1b2c3d4" * 6
PASSAGE = "# Kiln\n\n" + "\n\n".join(
    f"Firing {n} took {n} hours & reached <{900 + n}> degrees." for n in range(40)
)
NOTES = [
    note("secret", f"The kiln controller's key is {KEY} since May.", quote=f"its key is {KEY}, since May"),
    note("glaze", "The celadon glaze of the kiln needs 1,240 degrees.", conversation="glazes"),
    note("odd", "A kiln \x00 with ]]> and \x1b[31m in its name.", conversation="odd"),
    note("passage", PASSAGE, PointKind.CHUNK, conversation="log"),
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> EdgeIndex:
    return make_index(tmp_path_factory.mktemp("package") / "shard", embedder, NOTES)


def ask(index: EdgeIndex, embedder: Embedder, **bounds: object) -> Package:
    return recall(
        "the kiln and its degrees", index=index, embedder=embedder, account=ACCOUNT, as_of=NOON, **bounds
    )  # type: ignore[arg-type]


def named(package: Package) -> list[str]:
    """Ids as they stand in the text; without a hit it may be a word that fits no format."""
    text = package.render()
    if not package.hits:
        assert bool(text) == (package.budget > 0)
        return []
    if package.format is PackageFormat.JSON:
        return [one["id"] for one in json.loads(text)["hits"]]
    if package.format is PackageFormat.XML:
        return [str(one.get("id")) for one in ElementTree.fromstring(text).iter("note")]
    return [line.rsplit(" · ", 1)[1] for line in text.splitlines() if line.startswith("- **")]


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(budget=st.integers(0, 900), output=st.sampled_from(list(PackageFormat)))
def test_every_format_stays_inside_the_budget_and_names_the_same_hits(
    index: EdgeIndex, embedder: Embedder, budget: int, output: PackageFormat
) -> None:
    package = ask(index, embedder, budget=budget, format=output)
    assert estimate_tokens(package.render()) == package.tokens <= budget
    assert named(package) == [hit.id[:8] for hit in package.hits]


@pytest.mark.parametrize("output", list(PackageFormat))
def test_a_package_tells_its_confidence_inside_its_budget(
    index: EdgeIndex, embedder: Embedder, output: PackageFormat
) -> None:
    for budget in (60, 200, 900):
        package = ask(index, embedder, budget=budget, format=output, tells_confidence=True)
        text = package.render()
        assert estimate_tokens(text) <= budget
        if budget > 60:
            assert f"Confidence {package.confidence:.2f}." in text
    assert "Confidence" not in ask(index, embedder, budget=900, format=output).render()


def test_a_package_without_room_says_how_much_it_left_out(index: EdgeIndex, embedder: Embedder) -> None:
    package = ask(index, embedder, budget=14, notices=("Quoted from a memory, at length.",))
    assert package.hits == ()
    assert "left out" in package.render()


def test_an_empty_package_has_the_keys_of_a_full_one(index: EdgeIndex, embedder: Embedder) -> None:
    full = ask(index, embedder, format=PackageFormat.JSON)
    empty = recall(
        "zzzqqq xxyyzz", index=index, embedder=embedder, account=ACCOUNT, format=PackageFormat.JSON
    )
    assert empty.hits == ()
    assert json.loads(full.render()).keys() == json.loads(empty.render()).keys()
    assert full.model_dump().keys() == empty.model_dump().keys()


@pytest.mark.parametrize("output", list(PackageFormat))
def test_secrets_are_masked_in_whatever_is_emitted(
    index: EdgeIndex, embedder: Embedder, output: PackageFormat
) -> None:
    package = ask(index, embedder, format=output, explained=True, budget=4000)
    assert "secret" in [hit.id for hit in package.hits]
    assert KEY not in package.render()
    assert KEY not in package.model_dump_json()


def test_a_package_takes_three_quarters_of_the_window_at_most(index: EdgeIndex, embedder: Embedder) -> None:
    assert ask(index, embedder, window=400).budget == 300
    assert ask(index, embedder, window=400, budget=100).budget == 100


def test_peripheral_goes_first_and_core_is_whole(index: EdgeIndex, embedder: Embedder) -> None:
    roomy = ask(index, embedder, budget=4000)
    assert [list(PackagePart).index(hit.part) for hit in roomy.hits] == sorted(
        list(PackagePart).index(hit.part) for hit in roomy.hits
    )
    for budget in range(40, 900, 20):
        tight = ask(index, embedder, budget=budget)
        assert not any(hit.cut for hit in tight.hits if hit.part is PackagePart.CORE)
        assert len(tight.hits) == len(roomy.hits) or tight.notices


def test_the_trace_says_what_every_step_did(index: EdgeIndex, embedder: Embedder) -> None:
    package = ask(index, embedder, explained=True, limit=1)
    steps = [one.step for one in package.steps]
    assert steps[0] == "gather"
    assert steps[-1] == "assemble"
    assert {one.stage for one in package.dropped} <= {*steps, "budget"}
    assert all(one.milliseconds >= 0 for one in package.steps)
    assert package.steps[0].kept == len(package.hits) + len(package.dropped)
    assert ask(index, embedder, limit=1).steps == ()


def test_ora_case_6_one_oversize_passage_is_cut_and_announced(tmp_path: Path, embedder: Embedder) -> None:
    long = note("long", "The kiln log. " + PASSAGE, PointKind.CHUNK, conversation="only")
    index = make_index(tmp_path, embedder, [long])
    package = ask(index, embedder, kinds=(PointKind.CHUNK,), budget=200)
    (hit,) = package.hits
    assert hit.cut
    assert "cut short" in package.notices[0]
