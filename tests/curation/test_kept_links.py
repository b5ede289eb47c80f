"""What a newer extraction finds in a kept note's words: linked to it, a duplicate where it says the same."""

from __future__ import annotations

import pytest

from curation.correction import corrected
from curation.kept_links import links_to_kept
from schemas.base import sha256_text
from schemas.errors import UsageError
from schemas.relation import RelationKind
from schemas.unit import MAX_WORDS, Category, Evidence, Speaker, Unit

SAID = "I'll go with the hornbeam hedge, 40 plants, and leave the gate as it is."


def unit(identity: str, text: str, start: int = 0, end: int = len(SAID), **changes: object) -> Unit:
    cited = Evidence(message_id="m", start=start, end=end, quote=SAID[start:end], text_hash=sha256_text(SAID))
    made = Unit(
        id=identity, account="ada", conversation_id="c", category=Category.DECISION, text=text,
        speaker=Speaker.OWNER, evidence=(cited,), said_at=None, extractor="offline/1",
    )  # fmt: skip
    return made.model_copy(update=changes)


KEPT = unit("kept", "The user goes with the hornbeam hedge.")


@pytest.mark.parametrize(
    ("found", "kind"),
    [
        (unit("a", "The user decided to go with the hornbeam hedge."), RelationKind.DUPLICATE_OF),
        (unit("b", "The user does not go with the hornbeam hedge."), RelationKind.OVERLAPS),
        (unit("c", "The user goes with the hornbeam hedge of 40."), RelationKind.OVERLAPS),
        (unit("d", "The gate stays as it is."), RelationKind.OVERLAPS),
        (unit("e", KEPT.text, category=Category.IDEA), RelationKind.OVERLAPS),
    ],
)
def test_what_stands_on_a_kept_notes_words_is_linked(found: Unit, kind: RelationKind) -> None:
    (link,) = links_to_kept([found], [KEPT])
    assert (link.unit_id, link.other_id, link.kind, link.account) == (found.id, "kept", kind, "ada")
    assert KEPT.text in link.reason


def test_other_words_of_the_message_are_not_linked() -> None:
    first, rest = unit("a", KEPT.text, 0, 20), unit("b", KEPT.text, 20, 40)
    assert list(links_to_kept([first], [rest])) == []
    elsewhere = first.evidence[0].model_copy(update={"message_id": "n"})
    assert list(links_to_kept([first], [first.model_copy(update={"evidence": (elsewhere,)})])) == []


def test_a_correction_is_one_line_of_a_note_s_length() -> None:
    assert corrected("  The hedge\n is\tbeech. ") == "The hedge is beech."
    assert corrected("The hedge \ud800 is beech.") == "The hedge ? is beech."
    longest = " ".join(["word"] * MAX_WORDS)
    assert corrected(longest) == longest
    for wrong in ("", " \n", "?!", f"{longest} more"):
        with pytest.raises(UsageError):
            corrected(wrong)
