"""Pages of Markdown: written once, left alone where a person edited them, taken back in as acts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from chatgpt_export import chatgpt_conversation
from hypothesis import given
from hypothesis import strategies as st

from flows.ingest.steps import IngestRequest, ingest
from flows.notebook.markdown_escaping import escaped, front_matter, slug, unescaped
from flows.notebook.note_pages import YOURS, PageKind, page_path
from flows.notebook.page_edits import EditOutcome, TakenEdit, import_markdown
from flows.notebook.page_export import MarkdownExport, export_markdown
from flows.notebook.page_folder import RECORD, Record, read_record, write_record
from flows.upkeep.forgetting import forget, plan_forgetting
from interfaces.main import main
from schemas.act import ActKind, Deed
from schemas.errors import UsageError
from schemas.unit import State
from vault.erasing import Erasure
from vault.journal import Journal
from vault.layout import VaultLayout
from vault.reader import open_vault

HOSTILE = '../../etc/passwd "] <img src=x onerror=alert(1)> [[x]] ---'
GARDEN = [
    ("user", "The garden is 40 square metres. I can only spend 200 euros on it."),
    ("user", "OK let's go with the hornbeam hedge."),
]
SHED = [("user", "The shed has 3 windows."), ("assistant", "A window costs 90 euros.")]


class Notebook:
    """A vault with every note of its owner kept, and the folder that it is exported to."""

    def __init__(self, vault: Path, folder: Path) -> None:
        self.vault, self.folder = vault, folder
        with open_vault(self.vault) as reader:
            found = reader.ledger.query("SELECT id, text, conversation_id FROM units ORDER BY id")
        self.notes = {str(text): str(unit) for unit, text, _ in found}
        self.homes = {str(text): str(home) for _, text, home in found}
        self.act(*(Deed(ActKind.KEEP, unit) for unit in self.notes.values()))
        self.export()

    def act(self, *deeds: Deed) -> None:
        with Journal(VaultLayout(self.vault).journal) as journal:
            journal.record(deeds)

    def export(self, **options: bool) -> MarkdownExport:
        with open_vault(self.vault) as reader:
            return export_markdown(reader, "ada", self.folder, **options)

    def take_in(self) -> list[TakenEdit]:
        with open_vault(self.vault) as reader:
            return import_markdown(reader, self.folder)

    def one(self, words: str) -> str:
        (text,) = (text for text in self.notes if words in text)
        return text

    def page(self, words: str) -> Path:
        record = read_record(self.folder)
        assert record is not None
        return self.folder / record.pages[self.notes[self.one(words)]].path

    def now(self, words: str) -> tuple[str, str]:
        with open_vault(self.vault) as reader:
            unit = self.notes[self.one(words)]
            ((text, state),) = reader.ledger.query(
                "SELECT text, state FROM units_current WHERE id = ?", [unit]
            )
        return str(text), str(state)


@pytest.fixture(scope="module")
def ingested(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vault that no test changes but for its journal."""
    root = tmp_path_factory.mktemp("notebook")
    talks = [chatgpt_conversation(name, turns) for name, turns in ((HOSTILE, GARDEN), ("shed", SHED))]
    (root / "ada.json").write_text(json.dumps(talks), encoding="utf-8")
    ingest(IngestRequest(root / "vault", (root / "ada.json",)))
    return root / "vault"


@pytest.fixture
def notebook(ingested: Path, tmp_path: Path) -> Notebook:
    for part in ingested.glob("journal.sqlite*"):
        part.unlink()
    return Notebook(ingested, tmp_path / "notes")


def files(folder: Path) -> dict[str, tuple[bytes, int]]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns) for path in found}


def test_exported_again_nothing_is_written(notebook: Notebook) -> None:
    before = files(notebook.folder)
    again = notebook.export()
    assert files(notebook.folder) == before
    assert (again.written, again.removed, again.edited) == ((), (), ())
    # every kept note and both summaries
    assert again.unchanged == len(before) - 1 == len(notebook.notes) + 2


def test_a_page_that_was_deleted_stays_so_and_is_told_once(notebook: Notebook) -> None:
    page = notebook.page("40 square")
    page.unlink()
    done = notebook.export()
    assert (done.deleted, done.written) == ((str(page.relative_to(notebook.folder)),), ())
    assert (notebook.export().deleted, page.exists()) == ((), False)
    notebook.export(replace_edits=True)
    assert page.exists()


def test_an_edit_is_left_alone_then_taken_in(notebook: Notebook) -> None:
    page = notebook.page("40 square")
    mine = page.read_text(encoding="utf-8").replace("40 square", "42 square", 1)
    page.write_text(mine, encoding="utf-8")
    assert notebook.export().edited == (str(page.relative_to(notebook.folder)),)
    assert page.read_text(encoding="utf-8") == mine

    assert [one.outcome for one in notebook.take_in()] == [EditOutcome.CORRECTED]
    assert notebook.now("40 square")[0] == notebook.one("40 square").replace("40", "42")
    assert notebook.take_in() == []
    # what the vault says now is what the page says: it is nobody's edit any more
    done = notebook.export()
    assert (done.edited, done.outdated) == ((), ())
    assert page.read_text(encoding="utf-8") == mine
    # its conversation's summary told the note as it was
    (summary,) = done.written
    assert "Withheld" in (notebook.folder / summary).read_text(encoding="utf-8")


def test_own_properties_stay_through_exports(notebook: Notebook) -> None:
    page = notebook.page("3 windows")
    text = page.read_text(encoding="utf-8")
    mine = 'tags:\n  - shed\n  - "a: b"\nrating: 4\n'
    page.write_text(text.replace("\nstate:", f"\n{mine}state:", 1), encoding="utf-8")
    assert notebook.export().edited == ()
    notebook.act(
        Deed(ActKind.CORRECT, notebook.notes[notebook.one("3 windows")], "The shed has four windows.")
    )
    notebook.export()
    after = page.read_text(encoding="utf-8")
    front = yaml.safe_load(after.split("---\n")[1])
    assert (front["tags"], front["rating"], front["state"]) == (["shed", "a: b"], 4, "kept")
    assert "four windows" in after
    assert notebook.take_in() == []


def test_what_both_sides_changed_is_left_and_named(notebook: Notebook) -> None:
    page = notebook.page("40 square")
    mine = page.read_text(encoding="utf-8").replace("40 square", "42 square", 1)
    page.write_text(mine, encoding="utf-8")
    notebook.act(Deed(ActKind.CORRECT, notebook.notes[notebook.one("40 square")], "The garden is small."))
    assert [one.outcome for one in notebook.take_in()] == [EditOutcome.CONFLICT]
    assert notebook.export().outdated == (str(page.relative_to(notebook.folder)),)
    assert page.read_text(encoding="utf-8") == mine
    assert notebook.export(replace_edits=True).written == (str(page.relative_to(notebook.folder)),)
    assert "The garden is small." in page.read_text(encoding="utf-8")


def test_a_discard_comes_back_and_own_words_stay(notebook: Notebook) -> None:
    page, other = notebook.page("200 euros"), notebook.page("40 square")
    page.write_text(
        page.read_text(encoding="utf-8").replace("state: kept", "state: discarded"), encoding="utf-8"
    )
    with other.open("a", encoding="utf-8") as stream:
        stream.write("Ask Ben.\n")
    assert [one.outcome for one in notebook.take_in()] == [EditOutcome.STATED]
    assert notebook.now("200 euros")[1] == State.DISCARDED
    notebook.act(Deed(ActKind.CORRECT, notebook.notes[notebook.one("40 square")], "The garden is small."))
    done = notebook.export()
    # the edited page of a note that is not kept any more is the person's; own words outlive a new text
    assert done.outdated == (str(page.relative_to(notebook.folder)),)
    assert [one for one in done.written if one.startswith("notes/")] == [
        str(other.relative_to(notebook.folder))
    ]
    assert other.read_text(encoding="utf-8").endswith(f"{YOURS}\nAsk Ben.\n")


def test_a_sentence_that_cannot_stand_is_refused_in_words(notebook: Notebook, capsys: object) -> None:
    page = notebook.page("40 square")
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace("40 square", "40 " + "very " * 20 + "square", 1), encoding="utf-8")
    assert main(["import", "markdown", str(notebook.folder), "--vault", str(notebook.vault)]) == 3
    assert notebook.now("40 square") == (notebook.one("40 square"), State.KEPT)


def test_hostile_titles_stay_in_the_folder_and_are_words(notebook: Notebook) -> None:
    for path in notebook.folder.rglob("*.md"):
        assert path.parent.parent == notebook.folder
        text = path.read_text(encoding="utf-8")
        assert "<img" not in text
        assert "[[x]]" not in text
        assert yaml.safe_load(text.split("---\n")[1])["mnemic"] in ("note", "conversation")


def test_a_link_or_a_forged_record_leads_nowhere(notebook: Notebook, tmp_path: Path) -> None:
    record = read_record(notebook.folder)
    assert record is not None
    forged = (notebook.folder / RECORD).read_text(encoding="utf-8").replace('"path": "notes/', '"path": "../')
    (notebook.folder / RECORD).write_text(forged, encoding="utf-8")
    with pytest.raises(UsageError, match="record"):
        notebook.export()
    write_record(notebook.folder, Record(account="ada"))
    elsewhere = tmp_path / "elsewhere"
    (notebook.folder / PageKind.NOTE).rename(elsewhere)
    (notebook.folder / PageKind.NOTE).symlink_to(elsewhere)
    with pytest.raises(UsageError, match="link"):
        notebook.export()


@pytest.mark.parametrize(
    "text",
    [
        "before %% not seen in Obsidian %% after",
        "%%%",
        "this ==is marked== there",
        "a note ^its-name",
        "---",
        "==",
    ],
)
def test_what_obsidian_hides_or_marks_is_shown_as_words(text: str) -> None:
    line = escaped(text)
    for markup in ("%%", "==", " ^"):
        assert markup not in line
    assert set(line) != {"-"}
    assert unescaped(line) == text


def test_a_single_sign_stays_as_it_is() -> None:
    assert escaped("5 % of a = b, and -- or -") == "5 % of a = b, and -- or -"


@given(st.text(), st.uuids())
def test_any_title_gives_a_file_of_the_folder(title: str, identity: object) -> None:
    path = Path(page_path(PageKind.NOTE, str(identity), title))
    assert (len(path.parts), path.parts[0]) == (2, "notes")
    assert len(path.name.encode("utf-8")) < 200
    assert all(one.isalnum() or one == "-" for one in slug(title))


@given(st.text())
def test_a_line_is_read_back_as_it_was(text: str) -> None:
    line = escaped(text)
    assert unescaped(line) == " ".join(text.split())
    assert "<" not in line.replace("\\<", "")


@given(st.dictionaries(st.from_regex(r"k[a-z]{0,5}", fullmatch=True), st.text(min_size=1)))
def test_front_matter_is_yaml_of_the_same_words(values: dict[str, str]) -> None:
    assert (yaml.safe_load(front_matter(values).split("---\n")[1]) or {}) == values


def test_accounts_do_not_share_a_folder(notebook: Notebook) -> None:
    write_record(notebook.folder, Record(account="bob"))
    with pytest.raises(UsageError, match="bob"):
        notebook.export()


def test_forgetting_takes_the_pages_along(notebook: Notebook) -> None:
    # the last test of this file: it takes from the vault that they share
    kept, edited, gone = (notebook.page(words) for words in ("3 windows", "40 square", "200 euros"))
    edited.write_text(
        edited.read_text(encoding="utf-8").replace("40 square", "41 square", 1), encoding="utf-8"
    )
    home = notebook.homes[notebook.one("200 euros")]
    (summary,) = [
        page
        for page in (notebook.folder / "conversations").iterdir()
        if "200 euros" in page.read_text("utf-8")
    ]
    with summary.open("a", encoding="utf-8") as file:
        file.write("Ask the neighbour.\n")
    plan = plan_forgetting(notebook.vault, Erasure(conversations=(home,)))
    assert gone in plan.files
    assert summary not in plan.files
    for page in (edited, summary):
        assert any(str(page) in line for line in plan.still_there)
    forget(notebook.vault, plan)
    assert (gone.exists(), edited.exists(), kept.exists()) == (False, True, True)
    mine = summary.read_text(encoding="utf-8")
    assert "Ask the neighbour." in mine
    assert "200 euros" not in mine
    assert gone.name not in (notebook.folder / RECORD).read_text(encoding="utf-8")
