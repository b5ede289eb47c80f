from __future__ import annotations

from collections.abc import Callable

import pytest
from extract_talks import build
from hypothesis import given
from hypothesis import strategies as st

from extract.segments import is_code, is_log, refine_segments
from schemas.conversation import Conversation, Origin

Talk = Callable[..., Conversation]

MAIL = """We finally got the quote, pasting the mail

> From: Brendan Halloran
> The total comes to 31,400 incl. VAT.

our ceiling is 28k"""

LETTER = """My landlord sent this:

Dear Ms Petrov,
I hereby increase the rent to 1,420 as of January.
Kind regards,
H. Brandt

I can't afford more than 1,250."""

LOG = """it fails on CI

```
2026-03-19 22:30:11 ERROR out of connections
    at pool.acquire(pool.ts:41)
```

what now?"""

QUOTED = (
    'got this today:\n\n"Hi Tomasz, we would love to roll it out to all 340 accountants, but your price is '
    'more than procurement will sign. Could you do 11 per seat? Regards, Annelies"\n\nis that insane?'
)

MEETING = """Sum this up please.

Dana Reyes  00:02
So tell me about your role.
Ilya Moss  00:24
I'm a product manager and I own the roadmap.

I also run the stand-up.
Dana Reyes  01:04
And how do you decide?

Only the decisions, please."""

CHAT = """what does she want?
[12/03/2026, 10:24:05] Anna: I'll bring the tent
[12/03/2026, 10:24:31] Ben: I have no stove
[12/03/2026, 10:25:02] Anna: then we buy one"""

SUBTITLES = (
    "WEBVTT\n\n00:00:01.000 --> 00:00:04.000\nI quit my job.\n\n00:00:04.500 --> 00:00:06.000\nReally?"
)


def runs(conversation: Conversation) -> list[tuple[Origin, str | None, str]]:
    message = conversation.messages[-1]
    return [
        (segment.origin, segment.label, message.text[segment.start : segment.end].strip())
        for segment in refine_segments(message, conversation)
    ]


@pytest.mark.parametrize(
    ("text", "label", "first", "last"),
    [
        (MAIL, "e-mail", "> From:", "incl. VAT."),
        (LETTER, "e-mail", "Dear Ms Petrov,", "H. Brandt"),
        (LOG, "log", "```", "```"),
        (QUOTED, "quotation", '"Hi Tomasz', 'Annelies"'),
        ("see:\n\n```py\nx = 1\n```", "py", "```py", "```"),
        ("see:\n\nx = 1;\ny = f(x);\nreturn y;", "code", "x = 1;", "return y;"),
        (MEETING, "transcript", "Dana Reyes  00:02", "how do you decide?"),
        (CHAT, "transcript", "[12/03/2026, 10:24:05]", "buy one"),
        (SUBTITLES, "transcript", "00:00:01", "Really?"),
        ("he wrote\n\n> short and rude", "quote", "> short", "rude"),
    ],
)
def test_what_was_pasted_into_typed_words_is_told_apart(
    talk: Talk, text: str, label: str, first: str, last: str
) -> None:
    pasted = [run for run in runs(talk(("user", text))) if run[0] is Origin.PASTED]
    assert [run[1] for run in pasted] == [label]
    assert pasted[0][2].startswith(first)
    assert pasted[0][2].endswith(last)


@pytest.mark.parametrize(
    "text",
    [
        "Hi Claude,\ncan you help me with my thesis?\nThanks\nYusra",
        "At home he still naps twice (9:15 and 13:30) and I rock him every time.",
        'She said "we are going to have photos" and I agreed.',
        "Note: this is mine.",
        "My day:\nBreakfast 08:00\nGym 09:30\nLunch 12:15",
        "I was up at 3:10. Then again at 4:20.",
    ],
)
def test_the_owners_own_words_stay_typed(talk: Talk, text: str) -> None:
    assert {run[0] for run in runs(talk(("user", text)))} == {Origin.TYPED}


def test_only_typed_runs_are_refined(talk: Talk) -> None:
    assert [run[0] for run in runs(talk(("assistant", MAIL)))] == [Origin.ASSISTANT]


@given(st.text(alphabet='ab >-`\n"“”:.|Dear,From1\\ \r', max_size=300))
def test_segments_cover_the_text_exactly_and_in_order(text: str) -> None:
    conversation = build(("user", text))
    place = 0
    for segment in refine_segments(conversation.messages[0], conversation):
        assert segment.start == place
        assert segment.end > segment.start
        place = segment.end
    assert place == len(text)


def test_program_output_and_program_text_are_different_things() -> None:
    assert is_log("2026-01-01 10:00:00 INFO started\n2026-01-01 10:00:01 ERROR failed")
    assert is_code("def f(x):\n    return x")
    assert not is_code("A day in the life; of a gardener.\nShe plants beans.")
