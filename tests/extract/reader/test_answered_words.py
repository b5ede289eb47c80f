"""Which of an owner's words are a riddle without what they answer, and what their notes cite then."""

from __future__ import annotations

import pytest

from extract.offline_engine import extract_units
from extract.reader.answered_words import citing_what_they_answer, unclear_in
from extract.reader.small_reader import SmallReader, load_reader
from schemas.unit import Unit
from tests.extract.extract_talks import build

CLEAR = """
My cat is called Kompott.
I'm allergic to penicillin.
I don't eat pork.
My sister's birthday is 3 May.
I prefer metric units.
We decided to paint the hull green.
I use tabs, not spaces.
I quit my job on Friday.
Our budget is 900 euros.
My blood type is O negative.
I always want short answers.
Call me Kris, not Kristin.
The deadline for the thesis is 14 March.
I switched from Notion to Obsidian.
The landlord raised the rent to 850.
Mum's flat needs a lift.
I moved to Oban in May.
I live in Trondheim and work at NTNU.
My daughter Elin starts school in August.
No more meetings before ten.
The password manager we use is Bitwarden.
I can't do Thursdays.
I've given up on the marathon.
Never book Ryanair for me.
We're vegetarians.
I drive a 2014 Skoda Octavia.
It's my brother who pays the mooring fee.
I want to learn Norwegian this year.
The mast is spruce.
I take 50 mg of sertraline.
Please remember that I moved the standup to 9:30.
I decided against the solar panels because the roof faces north.
I'm going with the alkyd primer.
I'll call Otto Brandt on Monday.
Coffee makes me anxious.
My wife Anna hates cilantro.
I bought the Fender.
the dentist is dr. vik in bergen
Ich esse kein Fleisch.
Meine Tochter heißt Lena.
Je suis allergique aux noix.
I need a ground floor flat for my mum in Leiria.
Ich wohne in Bremen.
Ich habe am 3. Mai Geburtstag.
Mein Hund heißt Bello.
Wir haben uns für die grüne Farbe entschieden.
Meine Mutter wohnt in Kiel.
Ich trinke keinen Kaffee.
Die Miete beträgt 850 Euro.
Ich fahre einen Skoda.
Keine Termine vor zehn Uhr.
J'habite à Lyon.
Mon fils s'appelle Théo.
Je ne mange pas de viande.
Notre budget est de 900 euros.
Je préfère les réponses courtes.
Vivo en Sevilla.
No como carne.
Mi hija se llama Elena.
El alquiler es de 850 euros.
Prefiero respuestas cortas.
Jeg bor i Bergen.
Jeg spiser ikke kjøtt.
Datteren min heter Elin.
Leien er 8500 kroner.
I'm vegan.
I'm left-handed.
My car is red.
Call me Kris.
Dad pays half.
I hate olives.
Answer me in Norwegian.
Always use British spelling.
My laptop runs Fedora.
I started at Equinor in March.
We married in 2014.
Our anniversary is June 9th.
My therapist is called Ida.
The wifi password is on the fridge.
I've two cats, Kompott and Miso.
I work nights.
Use metric units.
Don't use emojis.
I wear size 43.
I stopped smoking.
I run every morning.
I have asthma.
My mum died in 2019.
Anna is my sister.
I'm flying to Oslo on Friday.
I accepted the offer from Eynhallow Tidal.
Mum hates buses.
I read Ishiguro.
I changed jobs.
We have two kids.
I'm in the Pacific time zone.
My boss is Petra.
"""
RIDDLES = """
The second one.
Yes, do that.
Yes.
the second
No, not that one.
ok let's go with B
Sounds good.
I'll take it.
That's fine.
Both.
Neither of them.
The green one, please.
I prefer the first option because it is cheaper.
Do it.
Not anymore.
I agree with you.
He said no.
She'll do it on Friday.
It was too expensive.
Same as last time.
The cheaper one.
exactly that
nope, too small
Go ahead with the plan.
Three weeks.
On Monday.
ja, genau das
Die zweite.
Let's do it tomorrow then.
I've changed my mind about it.
We accepted.
The other way round.
I decided to take it.
Because it leaks.
"""


@pytest.fixture(scope="module")
def reader() -> SmallReader:
    return load_reader()


def test_a_sentence_that_says_it_all_is_no_riddle(reader: SmallReader) -> None:
    said = CLEAR.strip().splitlines()
    taken = [one for one in said if unclear_in(one, reader)]
    assert len(said) > 90
    assert taken == ["Use metric units."]


def test_words_that_answer_something_are_a_riddle(reader: SmallReader) -> None:
    said = RIDDLES.strip().splitlines()
    missed = [one for one in said if not unclear_in(one, reader)]
    assert len(said) > 30
    found = {one for one in missed if list(reader.read(one, "user", ""))}
    assert found == {"I've changed my mind about it."}
    assert set(missed) - found == {"ja, genau das", "Go ahead with the plan."}


def test_only_the_riddle_among_sentences_is_named(reader: SmallReader) -> None:
    said = "Yes, do that. I moved to Oban in May."
    assert [said[start:end] for start, end in unclear_in(said, reader)] == ["Yes, do that"]


def owners(reader: SmallReader, answered: str, said: str) -> list[Unit]:
    conversation = build(("assistant", answered), ("user", said))
    found = citing_what_they_answer(conversation, extract_units(conversation, reader).units, reader)
    return [unit for unit in found if unit.speaker == "owner"]


def test_only_a_riddle_cites_what_it_answers(reader: SmallReader) -> None:
    asked = "  Shall I book the Friday ferry to Oban?\n"
    (riddle,) = owners(reader, asked, "Yes, do that.")
    assert riddle.answers == asked.strip()
    cited = riddle.context[-1]
    assert asked[cited.start : cited.end] == cited.quote == asked.strip()
    (clear,) = owners(reader, asked, "I moved to Oban in May.")
    assert clear.answers == ""


def test_an_option_not_chosen_is_not_told_before_it(reader: SmallReader) -> None:
    options = "1. A two-component epoxy primer\n2. An alkyd primer\n3. No primer at all"
    (note,) = owners(reader, options, "Let's go with the second one.")
    assert note.text == "Let's go with the second one."
    assert note.answers == " ".join(options.split())


def test_of_a_long_answer_its_last_sentences_are_cited(reader: SmallReader) -> None:
    long = " ".join(f"The crane of yard {number} costs 300 euros a day." for number in range(40))
    (note,) = owners(reader, f"{long} Shall I book it?", "I'll take it.")
    cited = note.context[-1]
    assert cited.quote.startswith("The crane of yard")
    assert cited.quote.endswith("Shall I book it?")
    assert 500 < len(cited.quote) <= 600
