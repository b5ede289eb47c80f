"""Whole conversations and names as pages: every word, and nothing that an editor fetches, runs or hides."""

from __future__ import annotations

import json
import re
from pathlib import Path

import yaml
from chatgpt_export import chatgpt_conversation
from growth import too_fast
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from prepared_vaults import ingested

from flows.ingest.steps import IngestRequest
from flows.notebook.note_pages import YOURS, PageKind
from flows.notebook.page_export import MarkdownExport, export_markdown
from flows.notebook.transcript_text import shown_text
from flows.upkeep.forgetting import forget, plan_forgetting
from schemas.unit import State
from vault.erasing import Erasure
from vault.reader import open_vault

READ = MarkdownIt("commonmark", {"html": True}).enable("table")


def tokens(text: str) -> list[Token]:
    found = []
    for block in READ.parse(shown_text(text)):
        found += [block, *(block.children or ())]
    return found


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def test_a_message_keeps_its_shape() -> None:
    shapes = {
        "# Plan": "**Plan**",
        "1. Ask [Otto](https://otto.example/a?b=1)": "1. Ask [Otto](<https://otto.example/a?b=1>)",
        "* [ ] buy **paint**": "- \\[ \\] buy **paint**",
        "| a | b |\n|---|---|\n| 1 | 2 |": "| a | b |\n|---|---|\n| 1 | 2 |",
        "see https://kiel.example/x_y_z.": "see <https://kiel.example/x_y_z>.",
        "```dataviewjs\napp.vault.delete()\n```": "```\napp.vault.delete()\n```",
        "![plan](https://p.example/i.png)": "[plan](<https://p.example/i.png>)",
        "above\n---": "above\n* * *",
        "> he said\n> so": "> he said\n> so",
    }
    assert {text: shown_text(text) for text in shapes} == shapes


def test_nothing_of_an_archive_is_fetched_run_or_hidden() -> None:
    hostile = (
        "<img src=x onerror=alert(1)> [x](javascript:alert(1)) [[secret]] %%hidden%% `= this.file`\n"
        "#tag ^block\n"
        f"~~~\n{YOURS}\n```\n~~~\n<script>1</script>\nTitle\n===\n![a](http://e.example/<b>)"
    )
    text = shown_text(hostile)
    assert YOURS not in text
    assert "%%" not in text.replace("\\%\\%", "")
    found = {one.type for one in tokens(hostile)}
    assert not found & {"html_inline", "html_block", "image", "heading_open"}
    links = [str(one.attrGet("href")) for one in tokens(hostile) if one.type == "link_open"]
    assert all(one.startswith(("http://", "https://")) for one in links)


@given(st.text(alphabet="ab *_-=+1.)>#|`~[]()!<>&$%^\\\n:/h", max_size=120))
def test_any_text_keeps_its_words_and_gets_no_markup_that_acts(text: str) -> None:
    found = tokens(text)
    assert not {one.type for one in found} & {"html_inline", "html_block", "image"}
    hidden = re.sub(r"(?m)^ {0,3}(`{3,}|~{3,}).*$", "", text)  # a fence's own line has no words of the talk
    numbers = r"(?m)^\s*\d+[.)]"
    assert words(re.sub(numbers, "", hidden)) == words(
        re.sub(numbers, "", re.sub(r"(?m)^`{3,}$", "", shown_text(text)))
    )


def test_a_transcript_takes_time_as_its_length() -> None:
    assert too_fast(shown_text, 40_000) == []


def export(vault: Path, folder: Path, **options: bool) -> MarkdownExport:
    with open_vault(vault) as reader:
        return export_markdown(reader, "ada", folder, (State.PASSED, State.REVIEW, State.REJECTED), **options)


def test_whole_conversations_come_along_and_go_with_forgetting(tmp_path: Path) -> None:
    talk = [
        ("user", "We met Otto Brandt in Kiel. I asked Otto Brandt about the paint."),
        ("assistant", "Here:\n\n```py\nprint('<b>')\n```\nHe said Otto Brandt has it."),
    ]
    archive = tmp_path / "talk.json"
    archive.write_text(json.dumps([chatgpt_conversation("paint", talk)]), encoding="utf-8")
    vault, folder = tmp_path / "vault", tmp_path / "pages"
    ingested(IngestRequest(vault, (archive,), account="ada"))
    assert not list(folder.glob("transcripts/*"))
    export(vault, folder, transcripts=True)
    (page,) = (folder / PageKind.TRANSCRIPT).glob("*.md")
    text = page.read_text(encoding="utf-8")
    front = yaml.safe_load(text.split("---")[1])
    assert front["mnemic"] == "transcript"
    assert text.index("## You") < text.index("Otto Brandt") < text.index("print('<b>')")
    (summary,) = (folder / PageKind.CONVERSATION).glob("*.md")
    assert f"../transcripts/{page.name}" in summary.read_text(encoding="utf-8")
    (name,) = (folder / PageKind.NAME).glob("*.md")
    assert "# Otto Brandt" in name.read_text(encoding="utf-8")
    assert export(vault, folder).written == ()  # what the folder has it keeps having
    assert export(vault, folder, transcripts=False).removed == (f"transcripts/{page.name}",)
    export(vault, folder, transcripts=True)
    with open_vault(vault) as reader:
        ((home,),) = reader.ledger.query("SELECT conversation_id FROM conversations")
    forget(vault, plan_forgetting(vault, Erasure(conversations=(str(home),))))
    assert not list(folder.glob("*/*.md"))
