"""Values that a text states, each in one form: numbers in digits or words, months, days of the week.

`three months`, `3 months` and `drei Monate` state `3`; `January` and `jan-march` state `month 1`. English,
German, Spanish and French words are read, and Han numerals. The words for one are articles and pronouns too
and state nothing by themselves.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

_ONES = {
    "en": "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen",
    "de": "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn "
    "sechzehn siebzehn achtzehn neunzehn",
    "es": "cero un dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis "
    "diecisiete dieciocho diecinueve",
    "fr": "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize",
}
_TENS = {
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "de": "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "es": "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    "fr": "vingt trente quarante cinquante soixante",
}
_OTHERS = {
    "en": {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "dozen": 12, "grand": 1000},
    "de": {
        "eins": 1, "eine": 1, "einen": 1, "einem": 1, "einer": 1, "dreissig": 30, "hundert": 100,
        "tausend": 1000, "million": 10**6, "millionen": 10**6, "mio": 10**6, "dutzend": 12,
    },
    "es": {
        "uno": 1, "una": 1, "veinti": 20, "veintiún": 21, "dieciseis": 16, "veintidós": 22, "veintitrés": 23,
        "veintiséis": 26, "cien": 100, "ciento": 100, "cientos": 100, "cientas": 100, "quinientos": 500,
        "quinientas": 500, "setecientos": 700, "setecientas": 700, "novecientos": 900, "novecientas": 900,
        "mil": 1000, "millón": 10**6, "millones": 10**6, "docena": 12,
    },
    "fr": {
        "une": 1, "vingts": 20, "cent": 100, "cents": 100, "mille": 1000, "million": 10**6,
        "millions": 10**6, "douzaine": 12,
    },
}  # fmt: skip
_JOINING = {"en": "and", "de": "und", "es": "y", "fr": "et"}
_SCALES = frozenset((100, 1000, 10**6, 10**9))
_IMPLIED = {
    "en": {"both": 2, "couple": 2, "pair": 2, "twice": 2, "double": 2, "triple": 3, "half": 2, "quarter": 4},
    "de": {"beide": 2, "beiden": 2, "doppelt": 2, "paar": 2, "halb": 2, "halbe": 2, "viertel": 4},
    "es": {"ambos": 2, "ambas": 2, "doble": 2, "par": 2, "medio": 2, "media": 2, "cuarto": 4},
    "fr": {"double": 2, "paire": 2, "demi": 2, "demie": 2, "quart": 4},
}
"""Words from which a number may be told that is not said: `both cats` are two cats."""
_ORDINALS = {
    "en": "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth",
    "de": "erste zweite dritte vierte fünfte sechste siebte achte neunte zehnte elfte zwölfte",
    "es": "primero segundo tercero cuarto quinto sexto séptimo octavo noveno décimo",
    "fr": "premier deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième",
}
"""From a sixth player it may be told that there are six."""
_HAN = {sign: value for value, sign in enumerate("〇一二三四五六七八九")} | {
    "零": 0, "两": 2, "兩": 2, "十": 10, "百": 100, "千": 1000, "万": 10_000, "萬": 10_000, "億": 10**8,
    "亿": 10**8,
}  # fmt: skip
_HAN_SCALES = frozenset(value for value in _HAN.values() if value >= 10)

_MONTHS = {
    "en": "january february march april may june july august september october november december",
    "de": "januar februar märz april mai juni juli august september oktober november dezember",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
}
_DAYS = {
    "en": "monday tuesday wednesday thursday friday saturday sunday",
    "de": "montag dienstag mittwoch donnerstag freitag samstag sonntag",
    "es": "lunes martes miércoles jueves viernes sábado domingo",
    "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche",
}
_SHORTEST = 3
"""Letters of a name of the calendar that stand for it: `jan`, `sept`, `thurs`."""

_TOKEN = re.compile(
    r"(?P<number>\d+(?:[.,'’]\d+)*)(?P<thousands>(?:k|K|M)\b)?"
    rf"|(?P<han>[{''.join(_HAN)}]+)|(?P<word>[^\W\d_{''.join(_HAN)}]+)|(?P<end>[.!?;\n](?=\s|$))"
)
_SUFFIXES = {"k": 1000, "K": 1000, "M": 10**6}
_GROUPING = re.compile(r"[.,'’](?=\d{3}(?:\D|$))")
_DATE = re.compile(r"\b(?:\d{4}-(\d{1,2})-\d{1,2}|(\d{1,2})[./](\d{1,2})(?:[./]\d{2,4})?)\b|(\d{1,2})\s?月")
_CLOCK = re.compile(r"\b(?P<hour>\d{1,2})(?P<minutes>[:.]\d\d)?(?P<half>\s?[ap]\.?m\b)?", re.IGNORECASE)
"""An hour: by a clock of twelve hours, or with its minutes by one of twenty-four."""
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class _Stated:
    """A value where it stands."""

    value: str
    """`3`, `month 1` or `day 6`."""
    certain: bool = True
    """No word for one, which is an article and a pronoun too."""
    bare: str = ""
    """A number without its thousands: who speaks of `405k` may have said `405`."""


def strange_value(text: str, source: str, languages: tuple[str, ...], pieces: int = 0) -> str:
    """The first value that a text states and its source does not, or "".

    `pieces` is how many things the source is: so many may be counted, as in `two ways`.
    """
    told = _told(source, languages)
    for one in _stated(text, languages):
        parts = {run.lstrip("0") or "0" for run in _DIGITS.findall(one.value)}
        known = {one.value, one.bare} & told or one.value == str(pieces)
        if one.certain and not known and not (len(parts) > 1 and parts <= told):
            return one.value
    return ""


def is_of_calendar(word: str) -> bool:
    """Whether a word names a month or a day of the week, in any of the languages."""
    return any(_calendar(word.lower(), language) for language in _ONES)


@lru_cache(maxsize=1 << 10)
def _told(source: str, languages: tuple[str, ...]) -> frozenset[str]:
    """The values that may be told from a source."""
    plain = unicodedata.normalize("NFKC", source)
    implied = [f"month {int(part)}" for date in _DATE.finditer(plain) for part in date.groups() if part]
    implied += [run.lstrip("0") or "0" for run in _DIGITS.findall(plain)]
    implied += _other_clock(plain)
    words = set(_WORD.findall(plain.lower()))
    for language in languages:
        ordinals = enumerate(_ORDINALS.get(language, "").split(), start=1)
        implied += [str(value) for value, word in ordinals if word in words]
        implied += [str(value) for word, value in _IMPLIED.get(language, {}).items() if word in words]
    return frozenset(one.value for one in _read(plain, languages, strict=False)).union(implied)


def _other_clock(text: str) -> Iterator[str]:
    """The hours of a text by the other clock, and full ones with the zeros of their minutes."""
    for found in _CLOCK.finditer(text):
        hour = int(found["hour"])
        if hour <= 24 and (found["half"] or found["minutes"]):
            yield from (str(hour + 12 if hour < 12 else hour - 12), *(() if found["minutes"] else ("0",)))


@lru_cache(maxsize=1 << 10)
def _stated(text: str, languages: tuple[str, ...]) -> tuple[_Stated, ...]:
    return tuple(_read(unicodedata.normalize("NFKC", text), languages, strict=True))


def _read(text: str, languages: Sequence[str], *, strict: bool) -> Iterator[_Stated]:
    """The values of a text.

    `strict` leaves out what may be no name of the calendar: `may`, `sun`.
    """
    tokens = list(_TOKEN.finditer(text))
    place, begins = 0, True
    while place < len(tokens):
        used, value = _number(tokens, place, languages)
        if used:
            digits = tokens[place]["number"]
            yield _Stated(value, value != "1" or digits is not None, digits or value)
            place, begins = place + used, False
            continue
        word, ends = tokens[place]["word"] or "", tokens[place]["end"] is not None
        place += 1
        for language in languages:
            name = _calendar(word.lower(), language)
            if name and (not strict or _is_name(word, language, begins=begins)):
                yield _Stated(name)
                break
        begins = ends


@lru_cache(maxsize=1 << 12)
def _calendar(word: str, language: str) -> str:
    """`month 1` or `day 6` for a name or its beginning, its plural, or a word made with a day's."""
    for kind, table in (("month", _MONTHS), ("day", _DAYS)):
        for number, name in enumerate(table.get(language, "").split(), start=1):
            short = len(word) >= _SHORTEST and name.startswith(word)
            if short or word == f"{name}s" or (kind == "day" and word.startswith(name)):
                return f"{kind} {number}"
    return ""


def _is_name(word: str, language: str, *, begins: bool) -> bool:
    """Whether a word that may be a name of the calendar is written like one."""
    if language in ("en", "de"):
        return word[0].isupper() and not (begins and len(word) < len("monday"))
    return len(word) > _SHORTEST


def _number(tokens: Sequence[re.Match[str]], place: int, languages: Sequence[str]) -> tuple[int, str]:
    """(tokens that it takes, the number) that begins at a token; (0, "") where there is none."""
    token = tokens[place]
    if token["han"]:
        signs = [_HAN[sign] for sign in token["han"]]
        in_digits = len(signs) > 1 and max(signs) < 10
        return 1, "".join(map(str, signs)) if in_digits else str(_together(signs, _HAN_SCALES))
    if token["number"]:
        value = _GROUPING.sub("", token["number"]).replace(",", ".")
        whole = value.lstrip("0") if value.isdecimal() else value
        scales, used = _scales(tokens, place + 1, languages)
        factor = scales * _SUFFIXES.get(token["thousands"], 1)
        if factor > 1:
            return 1 + used, f"{float(value) * factor:.10g}" if value.count(".") < 2 else value
        return 1, whole or "0"
    for language in languages:
        parts, used = _spelt(tokens, place, language)
        if parts:
            return used, str(_together(parts))
    return 0, ""


def _scales(tokens: Sequence[re.Match[str]], place: int, languages: Sequence[str]) -> tuple[int, int]:
    """(factor, tokens) of a word such as `thousand` behind digits."""
    word = (tokens[place]["word"] or "").lower() if place < len(tokens) else ""
    for language in languages:
        parts = _parts(word, language)
        if len(parts) == 1 and parts[0] in _SCALES:
            return parts[0], 1
    return 1, 0


def _spelt(tokens: Sequence[re.Match[str]], place: int, language: str) -> tuple[list[int], int]:
    """(values, tokens) of the number in words that begins at a token: `two hundred and five`."""
    parts: list[int] = []
    used = 0
    while place + used < len(tokens):
        joins = bool(parts) and (tokens[place + used]["word"] or "").lower() == _JOINING.get(language)
        at = place + used + joins
        more = _parts((tokens[at]["word"] or "").lower(), language) if at < len(tokens) else ()
        if not more or (parts and not _goes_on(parts, more[0], language)):
            break
        parts += [76] if _is_fourscore(parts, more, language) else more
        used = at + 1 - place
    return parts, used


def _goes_on(parts: Sequence[int], following: int, language: str) -> bool:
    """Whether a value continues a number: `twenty` by `one`, `two` by `hundred`, and not `two` by `three`."""
    if following in _SCALES or _is_fourscore(parts, [following], language):
        return True
    last = _together(parts)
    place = 100 if last % 100 == 0 else 10 if last % 10 == 0 else 1
    room = 20 if language == "fr" and last % 100 in (60, 80) else place
    return last > 0 and following < room


def _is_fourscore(parts: Sequence[int], more: Sequence[int], language: str) -> bool:
    return language == "fr" and parts[-1:] == [4] and list(more) == [20]


@lru_cache(maxsize=1 << 12)
def _parts(word: str, language: str) -> tuple[int, ...]:
    """The numbers that a word is made of: `einundzwanzig` of 1 and 20; none where it is no number."""
    table = _table(language)
    if word in table:
        return (table[word],)
    if language not in ("de", "es") or not word:
        return ()
    pattern = "|".join(sorted(table, key=len, reverse=True))
    if not re.fullmatch(rf"(?:(?:{pattern})(?:und(?=.))?)+", word):
        return ()
    return tuple(table[part] for part in re.findall(pattern, word))


@lru_cache(maxsize=8)
def _table(language: str) -> dict[str, int]:
    """Values by the words of a language; empty for one that is not read."""
    ones = {word: value for value, word in enumerate(_ONES.get(language, "").split())}
    tens = {word: 10 * value for value, word in enumerate(_TENS.get(language, "").split(), start=2)}
    return ones | tens | _OTHERS.get(language, {})


def _together(parts: Sequence[int], scales: frozenset[int] = _SCALES) -> int:
    """The number that parts come to: what stands before the largest scale is multiplied by it."""
    largest = max((part for part in parts if part in scales), default=0)
    if not largest:
        return sum(parts)
    at = list(parts).index(largest)
    return (_together(parts[:at], scales) or 1) * largest + _together(parts[at + 1 :], scales)
