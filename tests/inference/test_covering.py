"""Secrets covered in the copy of a conversation that everything derived is made of."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from planted_secrets import drawn, planted

from extract.reader.note_wording import worded
from inference.secret_cover import (
    WITHHELD,
    concealed,
    covered,
    marked,
    masked_throughout,
    quoted_from,
    uncovered,
    without_secrets,
)
from inference.secrets import find_secrets
from schemas.conversation import Conversation, Message, Origin, Segment
from schemas.unit import Category, Evidence, Speaker, Unit

VALUE = drawn(1)
PIECES = st.sampled_from(
    [*(one.text for one in tuple(planted())[::9]), "\n", "a hedge ", "[masked: code]", "🌱"]
)


def said(*texts: str, title: str | None = None) -> Conversation:
    messages = tuple(
        Message(
            id=str(number),
            native_id=str(number),
            parent=None,
            role="user",
            text=text,
            segments=(Segment(start=0, end=len(text), origin=Origin.TYPED),) if text else (),
        )
        for number, text in enumerate(texts)
    )
    return Conversation(
        id="c", account="ada", provider="chatgpt", native_id="c", title=title, created_at=None,
        updated_at=None, messages=messages, active_leaf=None, active_leaf_stated=False,
    )  # fmt: skip


def unit_on(conversation: Conversation, quote: str, text: str) -> Unit:
    message = next(one for one in conversation.messages if quote in one.text)
    start = message.text.index(quote)
    cited = Evidence(
        message_id=message.id,
        start=start,
        end=start + len(quote),
        quote=quote,
        text_hash=message.text_hash,
    )
    return Unit(
        id="u", account="ada", conversation_id="c", category=Category.FACT, text=text, speaker=Speaker.OWNER,
        evidence=(cited,), said_at=None, extractor="offline/9",
    )  # fmt: skip


@settings(deadline=None)
@given(st.lists(PIECES | st.text(max_size=20), max_size=6).map("".join))
def test_a_cover_is_as_long_as_its_secret_and_comes_off_as_a_mask(text: str) -> None:
    hidden = covered(text)
    assert len(hidden) == len(text)
    assert covered(hidden) == hidden
    assert [at for at, each in enumerate(text) if each == "\n"] == [
        at for at, each in enumerate(hidden) if each == "\n"
    ]
    told = uncovered(hidden)
    assert uncovered(told) == told
    assert (told == text) == (not list(find_secrets(text)))


def test_without_a_secret_it_is_the_very_same_conversation() -> None:
    talk = said("The hedge is dry.", title="A hedge")
    assert concealed(talk) is talk


def test_a_value_is_covered_where_it_is_only_repeated() -> None:
    talk = said(f"DB_PASSWORD={VALUE}", f"I typed “{VALUE}”, twice ({VALUE}).", "Nothing else.")
    hidden = concealed(talk)
    assert VALUE not in "".join(one.text for one in hidden.messages)
    assert [len(one.text) for one in hidden.messages] == [len(one.text) for one in talk.messages]
    assert hidden.messages[2] == talk.messages[2]


def test_words_round_a_secret_are_not_taken_for_one() -> None:
    talk = said(f"postgres://build-agent:{VALUE}@db.example.org/garden", "The build-agent tends the garden.")
    assert concealed(talk).messages[1] == talk.messages[1]


@pytest.mark.parametrize(
    "address", ["postgres://ola:{}@db/garden", "postgres: //ola: {}@db", "redis://:{}@h"]
)
def test_no_rendering_undoes_a_mask(address: str) -> None:
    talk = said(f"I use {address.format(VALUE)} for the garden.")
    text = concealed(talk).messages[0].text
    told = uncovered(worded(text, Speaker.OWNER, Category.FACT, english=True))
    for rendered in (told, " ".join(told.replace("/", " / ").split()), told.replace(":", ": ")):
        assert VALUE not in rendered
        assert "[masked" in rendered


def test_quotes_are_told_as_they_stand_in_the_copy_and_stored_as_they_were_said() -> None:
    talk = said(f"The wifi password is {VALUE} at home.")
    hidden = concealed(talk)
    unit = unit_on(talk, VALUE, f"{covered(f'PASSWORD={VALUE}')[9:]}.")
    inside = quoted_from(unit, hidden)
    assert inside.evidence[0].text_hash == hidden.messages[0].text_hash
    assert uncovered(inside.evidence[0].quote) == "[masked: stated secret]"
    assert quoted_from(inside, talk).evidence == unit.evidence


def test_a_text_says_so_where_only_its_quote_has_a_secret() -> None:
    talk = said(f"The wifi password is {VALUE} at home.")
    unit = quoted_from(unit_on(talk, talk.messages[0].text, "There is a wifi at home."), concealed(talk))
    assert marked(unit).text == "There is a wifi at home. [masked: stated secret]"
    dry = unit_on(said("The hedge is dry."), "The hedge is dry.", "The hedge is dry.")
    assert marked(dry) is dry


def test_a_quote_that_does_not_give_itself_away_is_withheld() -> None:
    talk = said(f"The password follows.\n{VALUE}")
    told = without_secrets(unit_on(talk, VALUE, "[masked: stated secret]."))
    assert told.evidence[0].quote == WITHHELD
    row = {
        "text": "[masked: code].",
        "quote": VALUE,
        "others": [{"quote": VALUE, "text": "A hedge."}],
        "n": 1,
    }
    assert masked_throughout(row) == {
        "text": "[masked: code].",
        "quote": WITHHELD,
        "others": [{"quote": VALUE, "text": "A hedge."}],
        "n": 1,
    }
