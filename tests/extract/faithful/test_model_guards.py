"""Guards on a model's notes and lines: what is true passes, what is not is refused and read offline."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from extract_talks import build
from model_server import ModelServer

from extract.model.cited_lines import Cited, untrue
from extract.model.model_engine import ModelEngine
from extract.offline_engine import Extraction
from inference.anthropic_model import AnthropicModel, ModelOptions
from inference.messages import Pace
from inference.service import Service
from schemas.unit import Category, Speaker

Turns = Sequence[tuple[str, str]]
Notes = Callable[[Turns, Sequence[str]], Extraction]


@pytest.fixture
def notes(tmp_path: Path) -> Iterator[Notes]:
    """Extracts from turns with a model that answers these lines."""
    answer: dict[str, object] = {}
    with ModelServer(lambda _: answer) as server:
        service = Service("claude-haiku-5-5", server.url, "test-key", timeout=10.0)
        with AnthropicModel(ModelOptions(service, pace=Pace(4, 1, 0.01)), tmp_path) as model:
            engine = ModelEngine(model.name, model.complete)

            def extract(turns: Turns, lines: Sequence[str]) -> Extraction:
                # each line is one sentence's, and the sentences around it are of no matter here
                answer.update(units=list(lines), empty=[])
                return engine.extract(build(*turns, owner="Ada", title="Plans"))

            yield extract


def written(found: Extraction) -> list[str]:
    """The texts of the model's own units."""
    return [unit.text for unit in found.units if unit.extractor.startswith("anthropic")]


TRUE: list[tuple[Turns, str]] = [
    ([("Ada", "my chest is 76 cm")], "1|F||The user's chest is 76 cm."),
    ([("user", "what happens if i just walk away?")], "1|Q||What happens if the user just walks away?"),
    ([("user", "データベースはPostgresにします。")], "1|D||ユーザーはデータベースをPostgresに決めた。"),
    ([("user", "数据库就用Postgres吧。")], "1|D||用户决定数据库用Postgres。"),
    ([("user", "базой данных будет Postgres")], "1|D||Пользователь решил: базой данных будет Postgres."),
    ([("user", "prices hold jan-march")], "1|C||The prices hold from January to March."),
    ([("user", "the lease runs six more months")], "1|F||The lease runs 6 more months."),
    ([("user", "it costs fifty euros a month")], "1|F||It costs 50 euros a month."),
    (
        [("user", "my sister Ingrid visits. she is vegan and hates mushrooms")],
        "2|F||Ingrid is vegan and hates mushrooms.",
    ),
    ([("user", "i canna lift the boat alone")], "1|C||The user cannot lift the boat alone."),
    ([("user", "i can't lift the boat alone")], "1|C||The user cannot lift the boat alone."),
    (
        [("user", "use mastic for the seams, not glue")],
        "1|D|use mastic … seams|The user uses mastic for the seams.",
    ),
    ([("user", "i have no car but two bikes in the shed")], "1|F||The user has two bikes in the shed."),
    ([("user", "12 monthly rows each oh no")], "1|F||There are 12 monthly rows each."),
    ([("user", "not deciding before june")], "1|C||The user is not deciding before June."),
    ([("user", "the trip takes maybe 4 hours")], "1|F||The trip takes about 4 hours."),
    ([("user", "I'm not selling the canoe.")], "1|D||The user keeps the canoe."),
    ([("user", "I don't like alarms, they scare the dog")], "1|F||The user dislikes alarms."),
    ([("user", "we are short by 30 grand")], "1|F||The user is short by 30,000."),
    ([("user", "the shop closes at 11 pm")], "1|F||The shop closes at 23:00."),
    ([("assistant", "Please check the fares.")], "1|I||The user should check the fares."),
    ([("user", "rejecting the pond")], "1|D||The user decided to reject the pond."),
    ([("user", "no, not the pond")], "1|D||The user rejected the pond."),
    (
        [("assistant", "A. Kamal hosts it.\nB. Dokku runs on your box."), ("user", "go with B")],
        "3<2|D||The user decided on option B, Dokku.",
    ),
]
FALSE: list[tuple[Turns, str, str]] = [
    (
        [("assistant", "A steel kettle lasts ten years.")],
        "1|F||The user says a steel kettle lasts ten years.",
        "words of somebody else",
    ),
    (
        [("user", 'Jonas wrote "I booked the hotel in Lund" today.')],
        "1|F||The user booked the hotel in Lund.",
        "somebody's quoted words",
    ),
    (
        [("user", "my neighbour refuses to sell the fence")],
        "1|F||The user refuses to sell the fence.",
        "another subject than its sentence's",
    ),
    (
        [("user", "I'll ring the bank on Thursday")],
        "1|F||The user rang the bank on Thursday.",
        "another time than its sentence's",
    ),
    (
        [("user", "i baked a second loaf yesterday")],
        "1|A||The user will bake a second loaf.",
        "another time than its sentence's",
    ),
    (
        [("user", "I asked my friend Nadia about the canoe. Later my friend Piet took the canoe home.")],
        "2|F||The user's friend Nadia took the canoe home.",
        "another name than its sentence's",
    ),
    (
        [("user", "Does a linen curtain shrink?")],
        "1|F||A linen curtain shrinks.",
        "a question told as so",
    ),
    (
        [("user", "suppose I rented out the garage for a year")],
        "1|F||The user rented out the garage for a year.",
        "a condition was lost",
    ),
    (
        [("assistant", "I'd go with option B, Dokku.")],
        "1|I||The user decided on option B, Dokku.",
        "a decision that nobody made",
    ),
    (
        [("assistant", "I'd go with option B, Dokku.")],
        "1|D||The user decided on option B, Dokku.",
        "a decision that nobody made",
    ),
    (
        [("assistant", "A. Kamal hosts it.\nB. Dokku runs on your box."), ("user", "go with B")],
        "3<1,2|D||The user decided on option A, Kamal.",
        "another option than its sentence names",
    ),
    (
        [("assistant", "A. Kamal hosts it.\nB. Dokku runs on your box."), ("user", "go with B")],
        "3<1,2|D||The user goes with Kamal.",
        "another option than its sentence names",
    ),
    (
        [("user", 'my boss said "just use Render" but its too pricey')],
        "1|D||The user decided to just use Render.",
        "a decision in somebody's quoted words",
    ),
    (
        [("user", "use depth 4, maybe 5 lets see")],
        "1|D||The user decided to use depth 4.",
        "a decision that nobody made",
    ),
    (
        [("user", "so should we go with Dokku then?")],
        "1|D||The user decided to go with Dokku.",
        "a decision that nobody made",
    ),
    (
        [("user", "the lease runs six more months")],
        "1|F||The lease runs three more months.",
        "a number that is not in its quote",
    ),
    (
        [("user", "prices hold jan-march")],
        "1|C||The prices hold from February to March.",
        "a number that is not in its quote",
    ),
    (
        [("user", "salt lowers the freezing point of water")],
        "1|F||Salt raises the freezing point of water.",
        "the opposite of its sentence",
    ),
    (
        [("user", "pets are included in the rent")],
        "1|F||Pets are excluded from the rent.",
        "the opposite of its sentence",
    ),
    ([("user", "pets are NOT excluded!!")], "1|F||Pets are excluded.", "a negation was lost"),
    (
        [("user", "pets are excluded here")],
        "1|F||Pets are not excluded here.",
        "a negation that its sentence does not have",
    ),
    ([("user", "sell the boat, not the car")], "1|D||The user sells the car.", "a negation was lost"),
    ([("user", "if it is cheap, we use Postgres")], "1|F||The user uses Postgres.", "a condition was lost"),
    (
        [("user", "falls es billig ist, nehmen wir Postgres")],
        "1|F||Der Nutzer nimmt Postgres.",
        "a condition was lost",
    ),
]


@pytest.mark.parametrize(("turns", "line"), TRUE)
def test_what_is_true_passes(notes: Notes, turns: Turns, line: str) -> None:
    found = notes(turns, [line])
    assert written(found) == [line.rsplit("|", maxsplit=1)[1]], dict(found.dropped)


@pytest.mark.parametrize(("turns", "line", "reason"), FALSE)
def test_what_is_not_is_refused(notes: Notes, turns: Turns, line: str, reason: str) -> None:
    found = notes(turns, [line])
    assert written(found) == []
    assert found.dropped[reason] == 1


def test_a_doubted_number_decides_nothing(notes: Notes) -> None:
    found = notes([("user", "use depth 4, maybe 5 lets see")], ["1|D||The user uses depth 4."])
    assert Category.DECISION not in {unit.category for unit in found.units}


def test_a_name_from_a_sentence_that_was_shown_needs_no_citation(notes: Notes) -> None:
    turns = [
        ("user", "My sister Ingrid comes."),
        ("assistant", "Nice."),
        ("user", "she is vegan and hates mushrooms"),
    ]
    lines = ["1|F||=", "3|F||Ingrid is vegan and hates mushrooms."]
    assert written(notes(turns, lines))[-1] == "Ingrid is vegan and hates mushrooms."


def test_a_refused_note_is_replaced_although_its_sentence_has_another(notes: Notes) -> None:
    turns = [("user", "The garden is 40 square metres and the lease ends in May.")]
    lines = [
        "1|F|The garden … metres|The garden is 40 square metres.",
        "1|F|the lease … May|The lease ends in June.",
    ]
    found = notes(turns, lines)
    assert written(found) == ["The garden is 40 square metres."]
    beside = [unit for unit in found.units if unit.extractor.startswith("offline")]
    assert any("May" in unit.text for unit in beside)
    assert not any(unit.evidence[0].quote.startswith("The garden is 40 square metres.") for unit in beside)
    assert [one.reason for one in found.fallbacks] == ["notes that do not hold"]


def said(*quotes: str, speaker: Speaker = Speaker.OWNER) -> list[Cited]:
    return [Cited(speaker, quote, quote, decides=False) for quote in quotes]


@pytest.mark.parametrize(
    ("told", "cited"),
    [
        ("The sheet has 12 monthly rows each.", ["12 monthly rows each oh no"]),
        ("The user wants mastic for the seams.", ["mastic for the seams, not glue"]),
        ("The user is not deciding on a school before June.", ["im not picking a school before june"]),
        ("The user falls asleep late and drinks coffee.", ["i always falls asleep late", "i drink coffee"]),
        ("The assistant proposed two ponds.", ["A lined pond.", "A tub pond."]),
    ],
)
def test_a_true_line_holds(told: str, cited: list[str]) -> None:
    speaker = Speaker.ASSISTANT if "assistant" in told else Speaker.OWNER
    assert untrue(told, said(*cited, speaker=speaker), "", None) == ""


@pytest.mark.parametrize(
    ("told", "cited", "reason"),
    [
        ("The user wants glue for the seams.", ["mastic for the seams, not glue"], "a negation was lost"),
        (
            "The lease ends in three months.",
            ["the lease ends in six months"],
            "a number that is not in what it cites",
        ),
        ("The lease ends in June.", ["the lease ends in may"], "a number that is not in what it cites"),
        (
            "Salt raises the freezing point.",
            ["salt lowers the freezing point"],
            "the opposite of its sentence",
        ),
    ],
)
def test_a_false_line_does_not(told: str, cited: list[str], reason: str) -> None:
    assert untrue(told, said(*cited), "", None) == reason


SCHEDULE = "The user decided to begin the first week of the schedule."
TOO_MUCH = "The full study plan sounds like a lot for a Monday to the user."


def undone(told: str, later: Speaker) -> str:
    """What becomes of a line of a map on a decision that was taken back by `TOO_MUCH`."""
    cited = [
        Cited(Speaker.OWNER, SCHEDULE, SCHEDULE, decides=True),
        Cited(later, TOO_MUCH, TOO_MUCH, decides=False),
    ]
    return untrue(told, cited, "", None, settled=True, undone=True)


def test_a_line_tells_how_a_decision_was_taken_back() -> None:
    told = (
        "The user decided to begin the schedule; later the full study plan sounded like a lot for a Monday."
    )
    assert undone(told, Speaker.OWNER) == ""
    assert undone(told, Speaker.ASSISTANT) == "words that the decision does not have"
    other = "The user decided to buy a motor boat; later the harbour office refused the berth."
    assert undone(other, Speaker.OWNER) == "words that the decision does not have"
