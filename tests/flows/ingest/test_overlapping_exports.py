from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from prepared_vaults import ingested

from flows.ingest.steps import IngestRequest
from vault.reader import open_vault

Exporter = Callable[[str, dict[str, Sequence[tuple[str, str]]]], Path]

BREAD = [("user", "How long does rye dough rest?"), ("assistant", "Rye dough rests for 12 hours.")]
GARDEN = [("user", "The garden is 40 square metres."), ("assistant", "A hedge costs 300 euros.")]
LONGER = [*GARDEN, ("user", "The fence is 12 metres long.")]
SHORTER = GARDEN[:1]


def corpus(vault: Path) -> dict[str, list[tuple[object, ...]]]:
    with open_vault(vault) as reader:
        return {
            "conversations": reader.ledger.query(
                "SELECT conversation_id, title, messages, content_hash FROM conversations ORDER BY ALL"
            ),
            "messages": reader.ledger.query("SELECT message_id, text, gone FROM messages ORDER BY ALL"),
            "units": reader.ledger.query("SELECT id, text, category FROM units ORDER BY ALL"),
            "points": reader.ledger.query("SELECT point_id, content_hash FROM points ORDER BY ALL"),
        }


def test_overlapping_exports_make_one_corpus_in_any_order(tmp_path: Path, export: Exporter) -> None:
    """Each export stands for a later day: a conversation grows, one is added, a message is deleted."""
    exports = []
    for day, chats in enumerate(
        [{"garden": GARDEN}, {"garden": LONGER, "bread": BREAD}, {"garden": SHORTER}]
    ):
        path = export("ada", chats)
        made = json.loads(path.read_text(encoding="utf-8"))
        for conversation in made:
            conversation["update_time"] = 1_767_225_600.0 + 86_400 * (day + 1)
        exports.append(path.rename(tmp_path / f"day-{day}.json"))
        exports[-1].write_text(json.dumps(made), encoding="utf-8")
    results = []
    first, second, third = exports
    # each comes first once, and each before and after each other one
    for number, order in enumerate(((first, second, third), (second, third, first), (third, first, second))):
        vault = tmp_path / f"vault-{number}"
        for path in order:
            assert ingested(IngestRequest(vault, (path,), account="ada")).exit_code == 0
        again = ingested(IngestRequest(vault, order, account="ada"))
        assert not again.published
        results.append(corpus(vault))
    assert all(result == results[0] for result in results)
    assert len(results[0]["conversations"]) == 2
    assert [gone for _, _, gone in results[0]["messages"]].count(True) == 2


def test_a_conversation_twice_in_one_archive_is_one_conversation(tmp_path: Path, export: Exporter) -> None:
    path = export("ada", {"garden": GARDEN})
    twice = json.loads(path.read_text(encoding="utf-8")) * 2
    path.write_text(json.dumps(twice), encoding="utf-8")
    summary = ingested(IngestRequest(tmp_path / "vault", (path,)))
    assert summary.rows["conversations"] == 1
    assert summary.rows["messages"] == 2


def test_two_conversations_of_one_id_and_time_in_one_archive_keep_every_word(
    tmp_path: Path, export: Exporter
) -> None:
    path = export("ada", {"garden": GARDEN})
    (first,) = json.loads(path.read_text(encoding="utf-8"))
    second = json.loads(json.dumps(first).replace("40 square metres", "55 square metres"))
    results = []
    for number, order in enumerate(([first, second], [second, first])):
        path.write_text(json.dumps(order), encoding="utf-8")
        vault = tmp_path / f"vault-{number}"
        summary = ingested(IngestRequest(vault, (path,), account="ada"))
        report = summary.archives[0].report
        assert report is not None
        assert "a conversation in several versions" in [note.reason for note in report.notes]
        results.append(corpus(vault))
    assert results[0] == results[1]
    said = str(results[0]["messages"])
    assert "40 square metres" in said
    assert "55 square metres" in said
    assert not any(gone for _, _, gone in results[0]["messages"])
