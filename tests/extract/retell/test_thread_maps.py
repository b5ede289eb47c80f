"""Thread maps of the offline engine: what stands, what was taken back, and what is worth a line."""

from __future__ import annotations

import pytest
from extract_talks import build

from extract.retell.retelling import each_once, is_telling, quoted, said, says_again
from extract.retell.thread_map import SessionNotes, ThreadNotes, thread_map
from extract.threads.thread_labels import label_of, names_something
from schemas.estimate import Estimate
from schemas.thread import Profile, Thread
from schemas.unit import Category, Evidence, Speaker, Unit


def unit(text: str, category: Category = Category.FACT, speaker: Speaker = Speaker.OWNER) -> Unit:
    message = build(("user", text)).messages[0]
    cited = Evidence(message_id=message.id, start=0, end=len(text), quote=text, text_hash=message.text_hash)
    return Unit(
        id=text,
        account="ada",
        conversation_id="c",
        category=category,
        text=text,
        speaker=speaker,
        evidence=(cited,),
        said_at=None,
        extractor="test",
    )


def in_message(text: str, quote: str, around: str = "", category: Category = Category.DECISION) -> Unit:
    """A unit of `quote` in a message of this text, which needs what is `around` it to be understood."""
    (message,) = build(("user", text)).messages
    cited, home = (
        Evidence(
            message_id=message.id,
            start=text.index(part),
            end=text.index(part) + len(part),
            quote=part,
            text_hash=message.text_hash,
        )
        for part in (quote, around or quote)
    )
    context = (home,) if around else ()
    return unit(quote, category).model_copy(update={"evidence": (cited,), "context": context})


def test_what_a_careful_reader_would_not_keep_is_not_told() -> None:
    good = Estimate(good=0.8, whose="own", own=0.9, whole=True)
    assert is_telling(unit("The user needs a plan for the museum."))
    assert is_telling(unit("The user needs a plan for the museum.").model_copy(update={"estimate": good}))
    for estimate in (good.model_copy(update={"good": 0.1}), good.model_copy(update={"whole": False})):
        assert not is_telling(unit("Of where.").model_copy(update={"estimate": estimate}))


def test_a_line_is_the_sentence_that_was_said_with_its_speaker() -> None:
    (message,) = build(("user", "So: no epoxy anywhere. Thanks!")).messages
    cited, whole = (
        Evidence(
            message_id=message.id,
            start=start,
            end=end,
            quote=message.text[start:end],
            text_hash=message.text_hash,
        )
        for start, end in ((4, 12), (0, 22))
    )
    said = unit("No epoxy.").model_copy(update={"evidence": (cited,), "context": (whole,)})
    assert quoted(said) == "The user: “So: no epoxy anywhere.”"


def test_a_decision_that_took_anothers_place_is_in_force_and_a_turning_point() -> None:
    older = unit("The user has decided to epoxy the garboard crack.", Category.DECISION)
    newer = unit("The user decides: no epoxy anywhere on Teist.", Category.DECISION)
    weak = Estimate(good=0.05, whose="own", own=0.9, whole=True)
    cut = unit("Some shoulders.", Category.DECISION).model_copy(update={"estimate": weak})
    session = SessionNotes("c", "Planks", None, None, None, (older, newer, cut), None)
    thread = Thread(id="t", account="ada", label="Planks", conversation_ids=("c",))
    told = thread_map(ThreadNotes(thread, (session,), {older.id: older}, {older.id: newer.id}))
    assert [line.text for line in told.in_force] == [quoted(newer)]
    assert [line.text for line in told.turning_points] == [f"{quoted(newer)} Before: {quoted(older)}"]
    assert [line.text for line in told.superseded] == [quoted(older)]


def test_no_part_of_a_superseded_sentence_is_in_force() -> None:
    (message,) = build(("user", "No. I'll fly via Aberdeen and stay a night with Callum.")).messages
    flying, staying = (
        unit(message.text[start:end], Category.DECISION).model_copy(
            update={
                "evidence": (
                    Evidence(
                        message_id=message.id,
                        start=start,
                        end=end,
                        quote=message.text[start:end],
                        text_hash=message.text_hash,
                    ),
                ),
                "context": (
                    Evidence(
                        message_id=message.id,
                        start=4,
                        end=len(message.text),
                        quote=message.text[4:],
                        text_hash=message.text_hash,
                    ),
                ),
            }
        )
        for start, end in ((4, 25), (30, 54))
    )
    newer = unit("The user takes the ferry.", Category.DECISION)
    session = SessionNotes("c", "Travel", None, None, None, (flying, staying, newer), None)
    thread = Thread(id="t", account="ada", label="Travel", conversation_ids=("c",))
    told = thread_map(ThreadNotes(thread, (session,), {flying.id: flying}, {flying.id: newer.id}))
    assert quoted(flying) == quoted(staying)
    assert [line.text for line in told.in_force] == [quoted(newer)]


def test_what_says_the_same_is_said_once() -> None:
    first = unit("The user decides to go into whatever system you used to mark them.")
    assert says_again(unit("The user decides to go into whatever system you used to flag them."), [first])
    assert not says_again(unit("The user decides to buy a birdbath."), [first])


DECIDED, DOUBTED = Category.DECISION, Category.PROVISIONAL


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        (unit("The user will accept if they raise it.", DECIDED), unit("The user has accepted.", DECIDED)),
        (unit("The user is going to sell the boat."), unit("The user sold the boat.")),
        (unit("The user will move to Oban."), unit("The user will not move to Oban.")),
        (unit("Maybe the user moves to Oban."), unit("The user moves to Oban.")),
        (unit("The user could move to Oban.", DOUBTED), unit("The user moves to Oban.", DECIDED)),
        (unit("Does the user move to Oban?", Category.OPEN_QUESTION), unit("The user moves to Oban.")),
    ],
)
def test_what_is_settled_otherwise_is_said_apart(earlier: Unit, later: Unit) -> None:
    assert each_once([earlier, later]) == [earlier, later]
    assert each_once([later, earlier]) == [later, earlier]


def test_open_questions_that_deny_otherwise_are_two() -> None:
    ends = [
        unit(text, Category.OPEN_QUESTION)
        for text in ("Why does the boat leak?", "Why does the boat not leak?", "Why does the boat leak?")
    ]
    (last,) = {one.evidence[0].message_id for one in ends}
    session = SessionNotes("c", "Boat", None, None, last, tuple(ends), None)
    thread = Thread(id="t", account="ada", label="Boat", conversation_ids=("c",))
    told = thread_map(ThreadNotes(thread, (session,), {}, {}))
    assert [line.text for line in told.open_questions] == [quoted(ends[0]), quoted(ends[1])]


RIVETS = "Copper rivets, same holes where we can. And tar all over."


def test_two_notes_of_one_sentence_are_told_once() -> None:
    sentence = "Copper rivets, same holes where we can."
    one, other = (in_message(RIVETS, part, sentence) for part in ("Copper rivets", "same holes where we can"))
    assert quoted(one) == quoted(other)
    assert each_once([one, other]) == [one]


def test_of_a_sentence_and_a_part_of_it_the_longer_is_told() -> None:
    part, whole = in_message(RIVETS, "Copper rivets"), in_message(RIVETS, "tar all over", RIVETS)
    apart = in_message(RIVETS, "And tar all over.")
    assert each_once([part, whole]) == each_once([whole, part]) == [whole]
    assert each_once([part, apart, whole]) == [whole]
    assert each_once([part, apart]) == [part, apart]


def test_a_row_of_a_table_is_told_by_its_cells() -> None:
    row = "| Oil and tar | June | £120 |"
    cell = in_message(f"| What | When |\n|---|---|\n{row}\n", "June", row)
    assert said(cell) == "Oil and tar; June; £120"
    command = "grep tar | wc -l"
    assert said(in_message(command, "wc -l", command)) == command


def test_a_label_names_things() -> None:
    assert names_something("Sicily"), "no adverb, whatever it ends on"
    words = ("agree", "hornbeam", "think", "hedge", "continue", "fence")
    profiles = [
        Profile(conversation_id=one, account="ada", terms=words, words=words, counts=(9, 3, 9, 3, 9, 3))
        for one in ("a", "b")
    ]
    assert set(label_of(profiles, [None, None], {}, 40, {}).split(", ")) == {"hornbeam", "hedge", "fence"}
