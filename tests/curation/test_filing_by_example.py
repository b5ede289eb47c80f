from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from curation.filing.filer import Filer, in_its_place, with_topic
from curation.filing.labelled_notes import labelled_notes
from curation.filing.shipped_vectors import shipped_texts, vectors_of
from curation.filing.taxonomy import read_taxonomy
from inference import load_embedder
from schemas.errors import UsageError
from schemas.semantic_path import checked_path, is_below, name_of

NOWHERE = Path("no vault has this taxonomy")


@pytest.fixture(scope="module")
def filer() -> Filer:
    return Filer(read_taxonomy(NOWHERE), load_embedder())


def test_the_shipped_taxonomy_has_examples_of_every_leaf() -> None:
    leaves = list(read_taxonomy(NOWHERE).leaves())
    assert len({path.split(".")[0] for path, _ in leaves}) == 15
    assert min(len(leaf.examples) for _, leaf in leaves) >= 34
    notes = [note for _, leaf in leaves for note in leaf.examples]
    assert len(notes) == len(set(notes))
    assert max(len(note.split()) for note in notes) <= 15


def test_a_note_is_filed_the_same_whatever_is_filed_beside_it() -> None:
    embedder = load_embedder()
    filer = Filer(read_taxonomy(NOWHERE), embedder)
    texts = [
        "I planted beans in the raised bed behind the shed.",
        "The user is allergic to bee stings and carries adrenaline.",
        "qzx vvbn 7781 lorem kkjh",
        "We refinanced the mortgage at a fixed rate of three percent for ten years.",
    ]
    together = filer.file_all([in_its_place(vector) for vector in embedder.embed(texts)])
    alone = [filer.file(embedder.embed([text])[0]) for text in texts]
    assert [[one.path for one in filed] for filed in together] == [[f.path for f in one] for one in alone]
    garden, allergy, nonsense, mortgage = (filed[0].path for filed in together)
    assert (garden, allergy, mortgage) == ("home.garden", "health.medical", "finance.debts")
    assert nonsense == "unsorted" or together[2][0].likeness < together[0][0].likeness
    assert all(1 <= len(filed) <= 3 for filed in together)


def test_the_title_tells_what_a_short_note_is_about() -> None:
    embedder = load_embedder()
    filer = Filer(read_taxonomy(NOWHERE), embedder)
    note, title = embedder.embed(["The user needs two more weeks.", "Notice to the landlord of my flat"])
    dwelling = [path for path, _ in read_taxonomy(NOWHERE).leaves()].index("home.dwelling")
    alone, titled = filer.likenesses(np.array([in_its_place(note), in_its_place(note, title)]))
    assert titled[dwelling] > alone[dwelling] + 0.05


def test_the_opening_tells_what_a_short_note_is_about(filer: Filer) -> None:
    note, opening = load_embedder().embed(
        ["The user prefers the third one.", "Help me choose a puppy, our old dog died in spring"]
    )
    alone, opened = filer.ranked([in_its_place(note), in_its_place(note, opening=opening)])
    assert alone[0].path != "relationships.pets"
    assert opened[0].path == "relationships.pets"


def test_every_labelled_note_lies_at_paths_of_the_taxonomy() -> None:
    leaves = {path for path, _ in read_taxonomy(NOWHERE).leaves()}
    notes = labelled_notes()
    assert len(notes) > 2900
    assert all(one.paths and leaves.issuperset(one.paths) for one in notes)
    assert len({one.source for one in notes}) == 17


def test_shipped_vectors_are_those_of_their_texts() -> None:
    embedder = load_embedder()
    texts = sorted(set(shipped_texts()))[::150]
    shipped, made = vectors_of(texts, embedder), embedder.embed(texts)
    assert not np.array_equal(shipped, made)  # they were read, not made
    assert np.sum(shipped * made, axis=1).min() > 0.999


def test_nothing_that_ships_is_embedded_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = load_embedder()
    monkeypatch.setenv("MNEMIC_CACHE", str(tmp_path))  # what is embedded is kept there
    assert len(vectors_of(list(shipped_texts()), embedder)) > 6000
    assert not list(tmp_path.glob("taxonomy-*"))
    vectors_of(["An owner's own example is embedded."], embedder)
    assert len(list(tmp_path.glob("taxonomy-*"))) == 1


def test_a_topic_becomes_the_last_name_of_a_path() -> None:
    assert with_topic("home.garden", "The Balcony, 2nd try!") == "home.garden.the-balcony-2nd-try"
    assert with_topic("home.garden", None) == "home.garden"
    assert with_topic("unsorted", "…") == "unsorted.untitled"
    assert with_topic("a.b.c", "A topic") == "a.b.c"
    assert name_of("Größe der Überweisung") == "grösse-der-überweisung"
    assert len(name_of("word " * 40)) <= 40
    assert is_below("home.garden", "home")
    assert not is_below("homework", "home")


@pytest.mark.parametrize("path", ["", ".", "a..b", "a.b.c.d", "a b", "2026.03", "a.*", "a:b", "-a", "x" * 41])
def test_what_is_no_path_is_refused(path: str) -> None:
    with pytest.raises(UsageError):
        checked_path(path)


@pytest.mark.parametrize(
    "note",
    [
        "Der Schlüssel liegt unter der Matte neben der Tür.",
        "On a rendez-vous chez le notaire pour signer l'acte.",
        "Hay que devolver los libros antes de que acabe el mes.",
        "Vi må huske å ta med nøklene når vi drar herfra.",
    ],
)
def test_what_the_embedder_cannot_read_is_unsorted(filer: Filer, note: str) -> None:
    (vector,) = load_embedder().embed([note])
    assert [one.path for one in filer.file(vector)] == ["unsorted"]


def test_a_note_on_a_language_lies_among_languages(filer: Filer) -> None:
    (vector,) = load_embedder().embed(["The French word for window is feminine."])
    assert filer.file(vector)[0].path == "knowledge.languages"


def test_an_owner_of_another_language_files_by_their_own(tmp_path: Path) -> None:
    own = tmp_path / "taxonomy.yaml"
    own.write_text(
        "paths:\n  garten: {about: 'Pflanzen, Beete und Bäume in meinem Garten und auf dem Balkon'}\n"
        "  arbeit: {about: 'Mein Arbeitgeber, die Kollegen und mein Gehalt'}\n",
        encoding="utf-8",
    )
    taxonomy = read_taxonomy(own)
    assert not taxonomy.unread
    (vector,) = load_embedder().embed(["Im Garten stehen viele Pflanzen in den Beeten."])
    assert Filer(taxonomy, load_embedder()).file(vector)[0].path == "garten"
    own.write_text("paths:\n  garden: {about: Plants and trees in my garden}\n", encoding="utf-8")
    assert read_taxonomy(own).unread
