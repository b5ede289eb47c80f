"""One spelling for each value: three, 3.0, 20k, 5 pm, $20, half an hour."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

_ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"  # noqa: E501
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"

CARDINALS = {word: value for value, word in enumerate(_ONES.split())} | {
    word: 10 * place for place, word in enumerate(_TENS.split(), start=2)
}
ORDINALS = {word: value for value, word in enumerate(_ORDINALS.split(), start=1)} | {
    "twentieth": 20,
    "thirtieth": 30,
}
SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_SUFFIXES = {"k": 1000, "m": 10**6, "mn": 10**6, "mio": 10**6, "bn": 10**9}

UNITS: dict[str, tuple[str, float]] = {
    spelling: (unit, factor)
    for unit, factor, spellings in (
        ("m²", 1, "m² m2 sqm"),
        ("times", 1, "times x"),
        ("s", 0.001, "ms msec msecs millisecond milliseconds"),
        ("s", 1, "s sec secs second seconds"),
        ("s", 60, "min mins minute minutes"),
        ("s", 3600, "h hr hrs hour hours"),
        ("day", 1, "day days"),
        ("day", 7, "wk wks week weeks"),
        ("month", 1, "mo mos month months"),
        ("month", 12, "yr yrs year years"),
        ("m", 0.001, "mm millimeter millimeters millimetre millimetres"),
        ("m", 0.01, "cm centimeter centimeters centimetre centimetres"),
        ("m", 1, "m meter meters metre metres"),
        ("m", 1000, "km kms kilometer kilometers kilometre kilometres"),
        ("mile", 1, "mi mile miles"),
        ("foot", 1, "ft foot feet"),
        ("inch", 1, "inch inches"),
        ("g", 0.001, "mg milligram milligrams"),
        ("g", 1, "g gram grams gramme grammes"),
        ("g", 1000, "kg kgs kilo kilos kilogram kilograms"),
        ("pound", 1, "lb lbs"),
        ("l", 0.001, "ml milliliter milliliters millilitre millilitres"),
        ("l", 1, "l liter liters litre litres"),
        ("byte", 10**3, "kb kilobyte kilobytes"),
        ("byte", 10**6, "mb megabyte megabytes"),
        ("byte", 10**9, "gb gigabyte gigabytes"),
        ("byte", 10**12, "tb terabyte terabytes"),
        ("%", 1, "% percent pct"),
        ("°c", 1, "°c celsius"),
        ("°f", 1, "°f fahrenheit"),
        ("usd", 1, "$ usd dollar dollars buck bucks"),
        ("eur", 1, "€ eur euro euros"),
        ("gbp", 1, "£ gbp pounds quid"),
        ("jpy", 1, "¥ jpy yen"),
        ("inr", 1, "₹ inr rupee rupees"),
    )
    for spelling in spellings.split()
}
CURRENCY_SIGNS = frozenset("$€£¥₹")
CURRENCY_CODES = ("usd", "eur", "gbp", "jpy", "inr")

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may may_month", "june jun", "july jul",
            "august aug", "september sep sept", "october oct", "november nov", "december dec",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip

_NUMBER = re.compile(r"([+-]?\d+(?:\.\d+)?)(k|m|mn|mio|bn)?")
_WITH_UNIT = re.compile(r"([+-]?\d+(?:\.\d+)?)[-]?([a-z%°]+)")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")
_CLOCK = re.compile(r"(\d{1,2})(?:[:.](\d{2}))?(?::\d{2})?(am|pm|h)?")
_COMMA_DECIMAL = re.compile(r"(?<=\d),(?=\d{1,2}(?:\D|$))")
_THOUSANDS = re.compile(r"(?<=\d)[,'\u202f](?=\d{3}(?:\D|$))")
_ISO = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})")
_NUMERIC_DATE = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})")
_DAYPART = {"am": "am", "pm": "pm", "a.m": "am", "p.m": "pm", "a.m.": "am", "p.m.": "pm"}


def _show(value: float) -> str:
    rounded = round(value, 9)
    return str(int(rounded)) if rounded == int(rounded) else repr(rounded)


def numbers_normalised(tokens: Sequence[str]) -> list[str]:
    """Tokens (lower case) with every value in one spelling: `#3`, `#20 usd`, `@17:00`, `date-3-14`."""
    made: list[str] = []
    place = 0
    while place < len(tokens):
        taken = 0
        if _may_start(tokens[place]):
            for read in (_date, _spoken_clock, _clock, _fraction, _amount):
                taken, token = read(tokens, place)
                if taken:
                    made.append(_joined(made, token))
                    break
        if not taken:
            made.append(tokens[place])
            taken = 1
        place += taken
    return made


def _joined(made: list[str], token: str) -> str:
    """`2 h 30 min` as one span of time: the second value, smaller than the first's unit, takes it in."""
    if made and made[-1].startswith("#") and made[-1].endswith(" s") and token.endswith(" s"):
        first, second = (float(one[1:-2]) for one in (made[-1], token))
        if first % 60 == 0 and 0 < second < (3600 if first % 3600 == 0 else 60):
            made.pop()
            return f"#{_show(first + second)} s"
    return token


@lru_cache(maxsize=65536)
def _may_start(token: str) -> bool:
    return (
        token[0].isdigit()
        or (token[0] in "+-" and len(token) > 1)
        or token in _STARTERS
        or (token[0] in CURRENCY_SIGNS)
    )


_STARTERS = frozenset(
    (
        *CARDINALS,
        *ORDINALS,
        *MONTHS,
        "half",
        "quarter",
        "a",
        "an",
        "minus",
        "noon",
        "midday",
        "midnight",
        *CURRENCY_CODES,
    )
)


def _at(tokens: Sequence[str], place: int) -> str:
    return tokens[place] if place < len(tokens) else ""


def _day(token: str) -> int | None:
    if match := _ORDINAL.fullmatch(token):
        return int(match[1])
    if token in ORDINALS:
        return ORDINALS[token]
    return int(token) if token.isdigit() and 1 <= int(token) <= 31 else None


def _date(tokens: Sequence[str], place: int) -> tuple[int, str]:
    """`14 March 2026`, `March 14th, 2026`, `2026-03-14`; a month alone stays a word."""
    token = tokens[place]
    if token.isalnum():
        return _date_in_words(tokens, place)
    if match := _ISO.fullmatch(token):
        return 1, f"date-{int(match[2])}-{int(match[3])}-{match[1]}"
    if match := _NUMERIC_DATE.fullmatch(token):
        first, second = int(match[1]), int(match[2])
        if first > 12 >= second:
            return 1, f"date-{second}-{first}-{match[3]}"
        # month first where it can be nothing else; where both could be, only the writer knows
        known = second > 12 >= first
        return 1, f"date-{first}-{second}-{match[3]}" if known else f"date-{first}/{second}-{match[3]}"
    return _date_in_words(tokens, place)


def _date_in_words(tokens: Sequence[str], place: int) -> tuple[int, str]:
    token = tokens[place]
    end, month, day = place, 0, None
    if token in MONTHS:
        month, day, end = MONTHS[token], _day(_at(tokens, place + 1)), place + 2
    elif (day := _day(token)) is not None:
        end = place + 1 + (_at(tokens, place + 1) == "of")
        month = MONTHS.get(_at(tokens, end), 0)
        end += 1
    if not month or day is None:
        return 0, ""
    comma = _at(tokens, end) == ","
    year = _at(tokens, end + comma)
    if year.isdigit() and len(year) == 4:
        return end + comma + 1 - place, f"date-{month}-{day}-{year}"
    return end - place, f"date-{month}-{day}"


def _clock(tokens: Sequence[str], place: int) -> tuple[int, str]:
    """A time of day: `5 pm`, `5:00 p.m.`, `17:00`, `noon`."""
    token = tokens[place]
    if token.isdigit() and _at(tokens, place + 1) not in _AFTER_HOUR:
        return 0, ""
    if token in ("noon", "midday", "midnight"):
        return 1, "@0:00" if token == "midnight" else "@12:00"
    if token in CARDINALS and _at(tokens, place + 1) in (*_DAYPART, "in", "o'clock"):
        token = str(CARDINALS[token])
    spoken = [word for word in tokens[place + 1 : place + 4] if word != "the"][:2]
    if token.isdigit() and int(token) <= 12 and spoken[:1] == ["in"] and spoken[1:] and spoken[1] in _SPOKEN:
        used = 3 + ("the" in tokens[place + 1 : place + 3])
        return _hour(int(token), 0, _SPOKEN[spoken[1]], used)
    match = _CLOCK.fullmatch(token)
    if match is None:
        return 0, ""
    part, used = match[3], 1
    if part is None and _at(tokens, place + 1) in _DAYPART:
        part, used = _DAYPART[tokens[place + 1]], 2
    if part is None and _at(tokens, place + 1) in ("o'clock", "oclock"):
        return 2, f"@{int(match[1])}:00"
    if part is None and ":" not in token:
        return 0, ""
    if part == "h" and match[2] is None:
        return 0, ""
    return _hour(int(match[1]), int(match[2] or 0), part, used)


_AFTER_HOUR = frozenset((*_DAYPART, "in", "o'clock", "oclock"))
_SPOKEN = {"morning": "am", "afternoon": "pm", "evening": "pm"}


def _hour(hour: int, minute: int, part: str | None, used: int) -> tuple[int, str]:
    if part == "pm" and hour < 12:
        hour += 12
    if part == "am" and hour == 12:
        hour = 0
    return used, f"@{hour}:{minute:02d}"


_CONTINENTAL = re.compile(r"\d{1,3}(?:\.\d{3})+,\d{1,2}")


def _plain(token: str) -> str:
    if token.isalnum():
        return token
    if _CONTINENTAL.fullmatch(token):
        return token.replace(".", "").replace(",", ".")
    return _COMMA_DECIMAL.sub(".", _THOUSANDS.sub("", token))


def _value(tokens: Sequence[str], place: int) -> tuple[int, float]:
    """(tokens used, value) of a number in digits or words; (0, 0) where there is none."""
    token = _plain(tokens[place])
    if token == "minus":
        used, value = _value(tokens, place + 1) if place + 1 < len(tokens) else (0, 0.0)
        return (used + 1, -value) if used else (0, 0)
    if match := _NUMBER.fullmatch(token):
        value, used = float(match[1]) * _SUFFIXES.get(match[2] or "", 1), 1
        return _scaled(tokens, place + used, used, value)
    if token == "half" and _at(tokens, place + 1) in ("a", "an"):
        return 2, 0.5
    if token in ("a", "an"):
        following = _at(tokens, place + 1)
        if following in SCALES:
            return _scaled(tokens, place + 1, 1, 1)
        if following == "dozen":
            return 2, 12
        if following == "couple" and _at(tokens, place + 2) == "of":
            return 3, 2
        return 0, 0
    if "-" in token and all(part in CARDINALS for part in token.split("-")):
        tens, ones = (CARDINALS[part] for part in token.split("-")[:2])
        return _scaled(tokens, place + 1, 1, tens + ones)
    if token not in CARDINALS:
        return 0, 0
    value, used = float(CARDINALS[token]), 1
    small = CARDINALS.get(_at(tokens, place + 1), 0)
    if value >= 20 and 0 < small < 10:
        value, used = value + small, 2
    return _scaled(tokens, place + used, used, value)


def _scaled(tokens: Sequence[str], place: int, used: int, value: float) -> tuple[int, float]:
    while _at(tokens, place) in SCALES:
        value *= SCALES[tokens[place]]
        place, used = place + 1, used + 1
        rest = place + (_at(tokens, place) == "and")
        small = _at(tokens, rest)
        if value >= 100 and small in CARDINALS:
            more, extra = _value(tokens, rest)
            value, used = value + extra, used + (rest - place) + more
            break
    if _at(tokens, place) == "dozen":
        value, used = value * 12, used + 1
    return used, value


def _amount(tokens: Sequence[str], place: int) -> tuple[int, str]:
    """A value, with the unit that follows it or the currency sign before it."""
    token = tokens[place]
    if token in ("a", "an") and tuple(tokens[place + 2 : place + 5]) == ("and", "a", "half"):
        unit = tokens[place + 1]
        return (5, _measured(1.5, unit)) if unit in UNITS else (0, "")
    if (token in CURRENCY_SIGNS or token in CURRENCY_CODES) and place + 1 < len(tokens):
        used, value = _value(tokens, place + 1)
        if not used:
            return 0, ""
        follows = UNITS.get(_at(tokens, place + 1 + used), ("", 0.0))[0] == UNITS[token][0]
        return 1 + used + follows, f"#{_show(value)} {UNITS[token][0]}"
    if token.isdigit():
        return _counted(tokens, place)
    if match := _ORDINAL.fullmatch(token):
        return 1, f"{match[1]}th"
    if token in ORDINALS and (token != "second" or (place and tokens[place - 1] in ("the", "my", "our"))):
        return 1, f"{ORDINALS[token]}th"
    if (match := _WITH_UNIT.fullmatch(_plain(token))) and match[2] in UNITS and match[2] not in ("m",):
        return 1, _measured(float(match[1]), match[2])
    return _counted(tokens, place)


def _counted(tokens: Sequence[str], place: int) -> tuple[int, str]:
    used, value = _value(tokens, place)
    if not used:
        return 0, ""
    unit = _at(tokens, place + used)
    if unit in ("degrees", "degree", "°") and _at(tokens, place + used + 1)[:1] in ("c", "f"):
        scale = _at(tokens, place + used + 1)
        if scale in ("c", "celsius", "f", "fahrenheit"):
            return used + 2, f"#{_show(value)} °{scale[0]}"
    if unit == "an" and value == 0.5:
        used, unit = used + 1, _at(tokens, place + used + 1)
    if unit in UNITS:
        return used + 1, _measured(value, unit)
    if unit == "and" and _at(tokens, place + used + 1) == "a" and _at(tokens, place + used + 2) == "half":
        unit = _at(tokens, place + used + 3)
        if unit in UNITS:
            return used + 4, _measured(value + 0.5, unit)
    return used, f"#{_show(value)}"


_FRACTIONS = {
    "half": 50.0,
    "third": 100 / 3,
    "thirds": 100 / 3,
    "quarter": 25.0,
    "quarters": 25.0,
    "fifth": 20.0,
}


def _fraction(tokens: Sequence[str], place: int) -> tuple[int, str]:
    """A share: `half of`, `three quarters of`, `a third of`, each as percent."""
    count, at = 1.0, place
    above, _, below = tokens[place].partition("/")
    if above.isdigit() and below.isdigit() and int(below) and _at(tokens, place + 1) == "of":
        return 1, f"#{_show(round(100 * int(above) / int(below), 2))} %"
    if tokens[place] in CARDINALS:
        count, at = float(CARDINALS[tokens[place]]), place + 1
    elif tokens[place] in ("a", "an"):
        at = place + 1
    share = _FRACTIONS.get(_at(tokens, at))
    if share is None or _at(tokens, at + 1) != "of" or _at(tokens, at + 2) in ("a", "an"):
        return 0, ""
    return at + 1 - place, f"#{_show(round(count * share, 2))} %"


def _spoken_clock(tokens: Sequence[str], place: int) -> tuple[int, str]:
    """`half past seven`, `quarter to nine`, `ten past 6`."""
    at = place + (tokens[place] in ("a", "an"))
    word = _at(tokens, at)
    minutes = {"half": 30, "quarter": 15}.get(word) or CARDINALS.get(word, 0)
    side = _at(tokens, at + 1)
    used, hour = _value(tokens, at + 2) if at + 2 < len(tokens) else (0, 0.0)
    if (
        side not in ("past", "to")
        or not used
        or not minutes
        or (side == "to" and word not in ("quarter", "half"))
    ):
        return 0, ""
    if not 1 <= hour <= 12:
        return 0, ""
    total = int(hour) * 60 + (minutes if side == "past" else -minutes)
    part = _DAYPART.get(_at(tokens, at + 2 + used))
    return _hour(total // 60, total % 60, part, at + 2 + used + (part is not None) - place)


def _measured(value: float, unit: str) -> str:
    name, factor = UNITS[unit]
    if name == "times" and value in (1, 2):
        return "once" if value == 1 else "twice"
    return f"#{_show(value * factor)} {name}"
