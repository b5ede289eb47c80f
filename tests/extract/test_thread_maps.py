"""Thread maps by rules: what stands, what was taken back, and what is worth a line."""

from __future__ import annotations

from extract_talks import build

from extract.labels import label_of, names_something
from extract.prose import asks_for_feedback, reads_well, says_again
from extract.thread_map import SessionNotes, ThreadNotes, thread_map
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


def test_what_was_cut_out_of_a_sentence_is_not_told() -> None:
    for text in (
        "Is often more beneficial in the long run.",
        "Of where the user finds shared values.",
        '"But what about incentives?"?',
        "The technology (to meet everyone's needs.",
        "1, Deadline: April 30, 2023.",
        "The user will let you know how it goes.",
        "The assistant fully supports the user's decision.",
    ):
        assert not reads_well(unit(text)), text
    for text in ("With practice, mindfulness helps the user.", "The user needs a plan for the museum."):
        assert reads_well(unit(text)), text


def test_a_decision_that_says_nothing_is_not_in_force() -> None:
    for text in (
        "The user decides: Less.",
        "The user decides: some shoulders.",
        "The user decides to the work.",
    ):
        assert not reads_well(unit(text, Category.DECISION)), text
    for text in (
        "The user decides: 2800 calories.",
        "The user decides: no epoxy anywhere on the boat.",
        "The user chooses B.",
        "The user decides to go with B.",
    ):
        assert reads_well(unit(text, Category.DECISION)), text


def test_a_decision_that_took_anothers_place_is_in_force_and_a_turning_point() -> None:
    older = unit("The user has decided to epoxy the garboard crack.", Category.DECISION)
    newer = unit("The user decides: no epoxy anywhere on Teist.", Category.DECISION)
    cut = unit("The user decides: some shoulders.", Category.DECISION)
    session = SessionNotes("c", "Planks", None, None, None, (older, newer, cut), None)
    thread = Thread(id="t", account="ada", label="Planks", conversation_ids=("c",))
    told = thread_map(ThreadNotes(thread, (session,), {older.id: older}, {older.id: newer.id}))
    assert [line.text for line in told.in_force] == [newer.text]
    assert [line.text for line in told.turning_points] == [f"{newer.text} Before: {older.text}"]
    assert [line.text for line in told.superseded] == [older.text]


def test_what_says_the_same_is_said_once() -> None:
    first = unit("The user decides to go into whatever system you used to mark them.")
    assert says_again(unit("The user decides to go into whatever system you used to flag them."), [first])
    assert not says_again(unit("The user decides to buy a birdbath."), [first])


def test_a_question_that_keeps_the_talk_going_leaves_nothing_open() -> None:
    asked = Category.OPEN_QUESTION
    assert asks_for_feedback(unit("How do these examples feel to the user?", asked, Speaker.ASSISTANT))
    assert asks_for_feedback(unit("Is the user ready to dive in?", asked, Speaker.ASSISTANT))
    assert not asks_for_feedback(unit("Is the user ready to dive in?", asked))
    assert not asks_for_feedback(unit("Which city is the user's home?", asked, Speaker.ASSISTANT))


def test_a_label_names_things() -> None:
    assert names_something("Sicily"), "no adverb, whatever it ends on"
    words = ("agree", "hornbeam", "think", "hedge", "continue", "fence")
    profiles = [
        Profile(conversation_id=one, account="ada", terms=words, words=words, counts=(9, 3, 9, 3, 9, 3))
        for one in ("a", "b")
    ]
    assert set(label_of(profiles, [None, None], {}, 40, {}).split(", ")) == {"hornbeam", "hedge", "fence"}
