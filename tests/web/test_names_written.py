"""Names are found however they are written, and ordinary words are not taken for them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest
from growth import repeated, too_fast

from interfaces.web_lanes import people_of, spoken_of
from vault.ledger import Ledger
from vault.reader import VaultReader
from web.routing.outgoing import MOST_CHARACTERS, leaving, outgoing
from web.routing.people_named import people_named


@pytest.mark.parametrize(
    ("name", "query", "sent"),
    [
        ("Søren Kierk", "is Soren on the ferry", "is someone on the ferry"),
        ("Łukasz Nowak", "flights for Lukasz", "flights for someone"),
        ("Đặng Hoa", "gift for Dang now", "gift for someone now"),
        ("Sigrún Þórsdóttir", "gift for Thorsdottir", "gift for someone"),
        ("Jörg Müller", "train for Joerg Mueller to Kiel", "train for someone to Kiel"),
        ("joerg.mueller", "train for Jörg Müller to Kiel", "train for someone to Kiel"),
        ("Hans Weiß", "doctor Weiss, WEISS in Kiel", "doctor someone, someone in Kiel"),
        ("Anne-Marie Dubois", "gift for Anne Marie", "gift for someone"),
        ("Anne-Marie Dubois", "gift for Annemarie", "gift for someone"),
        ("Anne-Marie Dubois", "gift for Anne\u2011Marie", "gift for someone"),
        ("Anne-Marie Dubois", "gift for Anne", "gift for someone"),
        ("Jean-Luc Picard", "gift for Jean Luc", "gift for someone"),
        *(("O'Brien", f"lawyer {one} Dublin", "lawyer someone Dublin") for one in
          ("O\u2018Brien", "O\u02bcBrien", "O`Brien", "O\u00b4Brien", "OBrien", "O Brien")),
        ("王小明", "王小明的生日礼物 buy", "someone的生日礼物 buy"),
        ("田中太郎", "田中さんの誕生日 shop", "someoneさんの誕生日 shop"),
        ("김민수", "김민수의 생일, 민수에게 shop", "someone의 생일, someone에게 shop"),
        ("สมชาย ใจดี", "ให้สมชายวันเกิด shop", "ให้someoneวันเกิด shop"),
        ("محمد علي", "هدية لمحمد shop", "هدية someone shop"),
        ("محمد علي", "gift for مُحَمَّد in Cairo", "gift for someone in Cairo"),
        ("Mara", "Maraさん in Oslo", "someoneさん in Oslo"),
        ("Ida", "is that Idas boat", "is that someone boat"),
        ("Al Marsh", "gift for Al from al dente", "gift for someone from al dente"),
        ("+49 170 1234567", "who calls from +49 (170) 123-4567", "who calls from someone"),
        ("Jan van der Berg", "is Jan van der Berg late", "is someone late"),
    ],
)  # fmt: skip
def test_a_name_goes_in_all_its_ways_of_writing(name: str, query: str, sent: str) -> None:
    assert outgoing(query, [name]) == sent


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("Nguyễn Thị Hoa", "does this tide table have a price?"),
        ("Ha Tran", "what has changed"),
        ("Ga Eul", "gas price in Oslo"),
        ("Jan van der Berg", "camper van rental, vans"),
        (".", "epoxy 3.5 mm v2.1 price"),
        ("1", "windows 11 price 2021"),
        ("2024-25", "price in 2024-25"),
        ("K", "height of model k and K2"),
        ("이수", "우산 가게 price"),
        ("マイク", "マイクロソフト price"),
        ("علي", "price علينا"),
        ("नीलम", "price का लमहा"),
        ("work", "how does git work"),
        ("Bob (work)", "how does git work"),
        ("me", "tell me the price of epoxy"),
        ("default", "default gateway price"),
    ],
)
def test_an_ordinary_word_is_no_name(name: str, query: str) -> None:
    assert outgoing(query, [name]) == query


def test_an_ordinary_word_with_a_capital_is_a_name() -> None:
    assert outgoing("does Work pay for git to work", ["work"]) == "does someone pay for git to work"


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("1 1 1 1 1 1 x", "order " + "1" * 60),
        (". . . . . . . x", "chapter " + "." * 70),
        ("_ _ _ _ _ _ _ x", "sign " + "_" * 70),
        ("ab - - - - ab - - ab", "order ab" + " -" * 200),
    ],
)
def test_a_name_of_separators_costs_no_time(name: str, query: str) -> None:
    assert outgoing(query, [name])


@pytest.mark.parametrize("unit", ["Åsa ", "Åsa, ", "Åsa. ", "sister Åsa ", "a-in-law ", "Åsa x" + " " * 90])
def test_looking_for_people_is_linear(unit: str) -> None:
    def looked(text: str) -> object:
        return people_named("gift for Åsa", lambda words: {word: [text] for word in words})

    assert too_fast(looked, 60_000, {unit: repeated(unit)}) == []


def test_only_what_can_leave_is_looked_at_and_no_name_is_torn() -> None:
    long = "weather in Oslo for Lindqvist " * 400
    assert len(leaving(long)) <= 2 * MOST_CHARACTERS
    assert set(leaving(long).split()) == set(long.split())
    assert "Lind" not in outgoing(long, ["Mara Lindqvist"])


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A real ledger with messages, and how many statements it was asked."""
    said = [
        ("user", "Mara", "typed", "My sister Zoë is coming. She likes tea. I told Zoë that."),
        ("user", "Mara", "typed", "My friend Anneli said so. Anneli asked me. I met Anneli at the Harbour."),
        ("assistant", "gpt-5-pro", "assistant", "Good."),
        ("tool", "browser", "tool_result", "ok"),
        ("unknown", "mini", "assistant", "Good."),
        ("unknown", "Petra", "unknown", "I asked my brother Mark to mark the trail. We mark it, mark it."),
    ]
    asked: list[object] = []
    with Ledger.open(tmp_path_factory.mktemp("ledger") / "ledger.duckdb", read_only=False) as ledger:
        for place, (role, author, origin, text) in enumerate(said):
            ledger.query(
                """INSERT INTO messages (message_id, conversation_id, account, position, native_id, role,
                       author, text, text_hash, hidden, gone, on_active_branch, segments, run)
                   VALUES ($id, 'c', 'me', $place, $id, $role, $author, $text, '', false, false, true,
                       [{'start': 0, 'end': 1, 'origin': $origin, 'label': NULL}], 'r')""",
                {"id": f"m{place}", "place": place, "role": role, "author": author, "text": text}
                | {"origin": origin},
            )

        def query(sql: str, parameters: Any = ()) -> object:
            asked.append(parameters)
            return ledger.query(sql, parameters)

        yield SimpleNamespace(ledger=SimpleNamespace(query=query), asked=asked)


def test_models_and_tools_are_no_people(reader: Any) -> None:
    assert people_of(cast(VaultReader, reader), "me") == ("Mara", "Petra", "me")


@pytest.mark.parametrize(
    "written",
    [
        "Zoë",
        unicodedata.normalize("NFD", "Zoë"),
        "An\u00adneli",
        "An\u200bneli",
        "ANNELI",
        "anneli",
        "Anneli's",
        "\uff21\uff4e\uff4e\uff45\uff4c\uff49",
    ],
)
def test_who_is_talked_about_is_known_however_typed(reader: Any, written: str) -> None:
    query = f"gift for {written} at the harbour in Oslo, a mark of it"
    sent = outgoing(query, spoken_of(cast(VaultReader, reader), "me", query))
    assert sent == "gift for someone at the harbour in Oslo, a mark of it"


def test_all_words_of_a_query_are_looked_up_at_once(reader: Any) -> None:
    reader.asked.clear()
    spoken_of(
        cast(VaultReader, reader), "me", " ".join(f"Word{chr(97 + place % 26)}" for place in range(900))
    )
    spoken_of(cast(VaultReader, reader), "me", "tide " * 2000 + "for Anneli and Zoë and mark")
    assert len(reader.asked) <= 4
    assert max(len(one["words"]) for one in reader.asked) <= MOST_CHARACTERS
