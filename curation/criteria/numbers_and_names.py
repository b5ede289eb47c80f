"""Numbers and names: those of the note are those that were said."""

from __future__ import annotations

import re
from collections.abc import Set

from chunking.closed_classes import EMPTY_WORDS, NUMBER_WORDS, TIME_SHIFTS, phrase_pattern
from chunking.language import language_of
from chunking.values import is_of_calendar, strange_value
from chunking.wordlists import words
from curation.gate_input import PASSED, Finding, Ungated, each_word, stem
from curation.gate_settings import GateSettings
from schemas.unit import Outcome
from schemas.words import UNSPACED

_NAME = re.compile(r"(?<![.!?…\"“«(]\s)(?<=\s)[A-ZÀ-ÞÄÖÜ][^\W\d_]+")
_HAN = "一二三四五六七八九十百千两"
_HAN_NUMBER = re.compile(f"(?<![{_HAN}])[{_HAN}]++(?=[級级個个岁歳年月日号次点時时分人本枚回元円])")
_SPELT = phrase_pattern(
    "hundred; thousand; million; dozen; twenty; thirty; forty; fifty; sixty; seventy; eighty; ninety; cien; "
    "cientos; mil; veinte; treinta; hundert; tausend; zwanzig; dreißig; cent; cents; mille; vingt; trente"
)
"""Numbers in words, which are not read: `two hundred` may well be the note's 200."""
_HOURS = 24
_MEASURE = re.compile(r"(?<!\d)(?<!\d[.,])(\d++(?:[.,]\d++)*+)\s?([^\W\d_]{1,9}|%)")
"""A number is read from its beginning, and whole."""
_UNITS = {
    name: unit
    for unit, names in {
        "kWh": "kwh", "kWp": "kwp", "kW": "kw", "km": "km k kilometres kilometers kilometer",
        "miles": "mi mile miles", "m": "m metre metres meter meters", "cm": "cm", "mm": "mm",
        "kg": "kg kilo kilos", "g": "g gram grams gramm", "lb": "lb lbs pound pounds", "ml": "ml",
        "l": "l litre litres liter liters", "%": "% percent",
        "hours": "h hr hrs hour hours stunden horas heures",
        "minutes": "min mins minute minutes minuten minutos", "seconds": "s sec secs second seconds",
        "days": "day days tage días jours", "weeks": "wk wks week weeks wochen semanas semaines",
        "months": "month months monate meses mois", "years": "yr yrs year years jahre años ans",
        "GB": "gb", "MB": "mb", "TB": "tb", "euros": "euro euros eur", "dollars": "dollar dollars usd",
    }.items()
    for name in names.split()
}  # fmt: skip
_TURNED = {"from": "to", "to": "from", "before": "after", "after": "before", "over": "under", "under": "over",
           "above": "below", "below": "above", "von": "nach", "nach": "von"}  # fmt: skip
_DIRECTED = re.compile(rf"\b({'|'.join(_TURNED)})\s+([A-ZÀ-Þ][^\W\d_]+|\d[\d.,:]*)")
_FIRST_PERSON = re.compile(r"\W*(?:i|i'm|i’m|i've|i'll|i'd|we|we're)\b", re.IGNORECASE)
_RELATIVE = re.compile(
    r"(?:my|his|her|their|the user's)\s+(brother|sister|mother|father|mum|mom|dad|wife|husband|partner|son|"
    r"daughter|friend|boss|manager|colleague|cousin|aunt|uncle|neighbour|neighbor|landlord|teacher)\b",
    re.IGNORECASE,
)
_UNSPACED = re.compile(f"[{UNSPACED}]")
_TITLES = words(
    """
    i i'm i'll i've i'd user assistant the mr mrs ms dr prof themselves himself herself myself
    """
)


def numbers_and_names(note: Ungated, _: GateSettings) -> Finding:
    """No number, unit or name that was not said, and none in the place of another."""
    for check in (_numbers, _units, _directions, _names, _person):
        outcome, reason = check(note)
        if outcome is not Outcome.PASS:
            return outcome, reason
    return PASSED


def _numbers(note: Ungated) -> Finding:
    text_numbers, quote_numbers = numbers_in(note.unit.text), numbers_in(note.quote)
    strange = sorted(
        number for number in text_numbers - quote_numbers if not _same_hour(number, quote_numbers)
    )
    if not strange:
        return PASSED
    if not strange_value(note.unit.text, note.quote, (language_of(note.unit.text),)):
        return PASSED  # said in another form: `30 grand`, `11 pm`
    lost = sorted(quote_numbers - text_numbers)
    unsaid = [number for number in strange if not (note.cites(number, numbers_in) or note.knows(number))]
    if lost and (unsaid or not note.unit.context):
        outcome = Outcome.REJECT if unsaid and not _SPELT.search(note.quote) else Outcome.REVIEW
        return outcome, f"it says {', '.join(strange)} where its quote says {', '.join(lost)}"
    if unsaid:
        outcome = Outcome.REVIEW if TIME_SHIFTS.search(note.quote) else Outcome.REJECT
        return outcome, f"nobody said {', '.join(unsaid)}"
    return PASSED


def _units(note: Ungated) -> Finding:
    quoted = _measures(note.quote)
    for number, unit in _measures(note.unit.text):
        others = {other for value, other in quoted if value == number}
        if others and unit not in others:
            return Outcome.REJECT, f"{number} {unit}, and its quote says {number} {sorted(others)[0]}"
    return PASSED


def _directions(note: Ungated) -> Finding:
    quoted, said = _directed(note.quote), _directed(note.unit.text)
    for word, what in said:
        turned = _TURNED[word]
        # `from June 1 to June 7` names the same both ways
        if (turned, what) in quoted - said and (word, what) not in quoted:
            return Outcome.REJECT, f"{word} {what}, and its quote says {turned} {what}"
    return PASSED


def _names(note: Ungated) -> Finding:
    # months and days are values, compared in any form
    named = {name for name in names_in(note.unit.text) if not is_of_calendar(name)}
    unsaid = sorted(name for name in named if not note.knows(stem(name)))
    if unsaid and language_of(note.unit.text) != "de":  # where every noun is written like a name
        missing = names_in(f"x {note.quote}") - set(note.words)
        return Outcome.REJECT if missing else Outcome.REVIEW, f"nobody said {', '.join(unsaid)}"
    return PASSED


def _person(note: Ungated) -> Finding:
    relative = _RELATIVE.match(note.unit.text)
    if relative and _FIRST_PERSON.match(note.own_quote) and stem(relative[1].casefold()) not in note.quoted:
        return Outcome.REVIEW, f"its quote says it of the speaker, the note of {relative[1]!r}"
    return PASSED


def numbers_in(text: str) -> frozenset[str]:
    """The numbers of a text, spelt ones too, without separators of thousands and leading zeros."""
    found = set()
    for word in each_word(text):
        if word[0].isdigit():
            plain = re.sub(r"[.,](?=\d{3}(?:\D|$))", "", word).replace(",", ".")
            found.add(plain.lstrip("0") or "0")
        elif word in NUMBER_WORDS and word not in ("one", "un", "uno", "once", "six", "null"):
            found.add(NUMBER_WORDS[word])
    found.update(run for run in _HAN_NUMBER.findall(text) if run != "一")
    return frozenset(found)


def _same_hour(number: str, others: Set[str]) -> bool:
    """Whether an hour is written by another clock: 23:00 and 11."""
    hour, colon, minutes = number.partition(":")
    rest = f":{minutes}" if colon and minutes.strip("0") else ""
    # at most two decimals: `¹` is a digit that is no number, and a long one is no hour
    if (
        not (hour.isdecimal() and len(hour) <= len("23"))
        or int(hour) > _HOURS
        or (not colon and not any(":" in other for other in others))
    ):
        return False
    twins = {str(int(hour)), str((int(hour) + 12) % 24), str(int(hour) - 12)}
    return any(f"{twin}{end}" in others for twin in twins for end in {rest, rest or ":00"})


def _measures(text: str) -> set[tuple[str, str]]:
    return {
        (number, _UNITS[unit.casefold()])
        for number, unit in _MEASURE.findall(text)
        if unit.casefold() in _UNITS
    }


def _directed(text: str) -> set[tuple[str, str]]:
    return {(word.casefold(), what.casefold()) for word, what in _DIRECTED.findall(text)}


def names_in(text: str) -> set[str]:
    """The capitalised words inside sentences, case folded."""
    found = {name.casefold() for name in _NAME.findall(text)}
    return {name for name in found if name not in _TITLES | EMPTY_WORDS and not _UNSPACED.search(name)}
