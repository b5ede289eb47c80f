"""The closed classes of words that criteria look for, in English, Spanish, German, French, Japanese, Chinese.

Japanese and Chinese are searched as strings, the others as words; entries of several words as phrases.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from chunking.wordlists import words


def phrase_pattern(*texts: str) -> re.Pattern[str]:
    """A pattern for phrases parted by `;`: whole words in alphabets, anywhere in scripts without spaces."""
    phrases = [" ".join(one.split()) for text in texts for one in text.split(";") if one.strip()]
    spaced = sorted(
        (re.escape(one) for one in phrases if one.isascii() or _latin(one)), key=len, reverse=True
    )
    unspaced = [re.escape(one) for one in phrases if not (one.isascii() or _latin(one))]
    parts = [rf"(?<!\w)(?:{'|'.join(spaced)})(?!\w)"] if spaced else []
    return re.compile("|".join([*parts, *unspaced]).replace(r"\ ", r"\s+"), re.IGNORECASE)


def _latin(text: str) -> bool:
    return all(character < "\u0370" for character in text)


FUNCTION_WORDS = {
    "en": words(
        "the a an of to and in is are was it for on with that this as at by from be or not but if "
               "has have had will would can could should do does did their its his her they he she we you i"
    ),
    "es": words(
        "el la los las de del que y en un una es por con para su se lo al no como más pero sus está "
               "ha le ya o este si sin sobre son fue hay muy mi tiene quiere"
    ),
    "de": words(
        "der die das und ist nicht ein eine den dem des mit für auf zu im von sich es auch als an "
               "nach wie bei aus aber wird hat sie er ich war noch nur oder einen einer eines soll "
               "muss kann"
    ),
    "fr": words(
        "le la les de des du et est un une en pour que dans qui sur pas au avec ne se par plus il "
               "elle on ce sont mais ou son sa ses être a été doit veut"
    ),
}  # fmt: skip
"""The commonest words of each language: enough to tell them apart, and to leave out as empty of content."""

EMPTY_WORDS = frozenset().union(*FUNCTION_WORDS.values()) | words(
    "user user's assistant assistant's owner usuario usuaria asistente nutzer nutzerin benutzer "
    "assistent utilisateur utilisatrice says said say wants want plans plan thinks think considers "
    "consider suggests suggest proposes recommends advises decides decided prefers needs need asks "
    "whether about there been being am were what which who when where how why than then so such some "
    "any more most very into up out only also just my your our me us him them my own same other one "
    "these those while because may might must shall 's must dice quiere piensa prefiere decide plantea "
    "sagt will möchte überlegt entscheidet bevorzugt dit veut pense préfère décide envisage using use "
    "uses used be get gets"
)

NEGATIONS_BY_LANGUAGE = {
    "en": words(
        "not no never none nothing nobody neither nor without cannot dont doesnt didnt isnt wont cant "
        "couldnt shouldnt wouldnt arent wasnt"
    ),
    "es": words("no nunca ni nadie nada ninguno ninguna ningún sin tampoco jamás"),
    "de": words(
        "nicht kein keine keinen keinem keiner keines nie niemals nichts nix niemand ohne weder"
    ),
    "fr": words("ne pas jamais rien aucun aucune sans ni"),
}  # fmt: skip
NEGATIONS = frozenset().union(*NEGATIONS_BY_LANGUAGE.values())
NEGATION_SIGNS = ("ない", "ません", "なかった", "ずに", "なし", "不", "没", "無", "无", "未", "别")
OPPOSITES = words(
    "lacks lack lacking refuse refuses refused avoid avoids avoiding against exclude excludes excluding "
    "except forbid forbids forbidden ban banned bans stop stops stopped reject rejects rejected decline "
    "declines declined drop drops dropped fail fails failed deny denies unable unlikely free impossible "
    "missing less only instead rather hardly barely rarely scarcely unclear unsure unknown undecided "
    "rule rules ruled out dislikes dislike hates skip skips skipped cancel cancels cancelled off zero "
    "empty prohibit prohibits prohibited rechaza evita falta salvo excepto solo sólo vermeidet lehnt "
    "fehlt außer nur gegen verbietet refuse évite manque sauf seulement contre interdit opposes oppose "
    "objects veto vetoes until unless"
)
"""Words that can say what a negation says."""
NO_DENIAL = phrase_pattern(
    "not sure; not certain; no idea; don't know; dont know; do not know; dunno; why not; not only; no "
    "problem; no worries; can't wait; cannot wait; isn't it; doesn't it; aren't they; if not; or not; "
    "not to mention; no matter; no doubt; not yet sure; no sé; no estoy seguro; no estoy segura; weiß "
    "nicht; nicht sicher; je ne sais pas; pas sûr; pas sûre; nicht nur; no solo; no sólo; pas "
    "seulement; nothing but; no more than; not more than; no less than; no later than; not later than; "
    "no longer than; nicht mehr als; nicht länger als; nicht später als; no más de; pas plus de; pas plus que"
)
"""Negations that deny nothing."""

HEDGES = phrase_pattern(
    "maybe; perhaps; might; possibly; not sure; unsure; leaning; toying with; tempted; wondering; "
    "thinking of; thinking about; thinking maybe; considering; not certain; on the fence; could be; "
    "not decided; undecided; quizá; quizás; tal vez; a lo mejor; puede que; posiblemente; podría ser; "
    "no estoy seguro; no estoy segura; vielleicht; eventuell; möglicherweise; womöglich; könnte sein; "
    "nicht sicher; überlege; peut-être; éventuellement; pas sûr; pas sûre; possiblement",
    "かもしれ; たぶん; 多分; おそらく; 迷って; 検討; 也许; 或许; 可能; 说不定; 也許; 或許; 考虑; 考慮",
)
SOFT_HEDGES = phrase_pattern(
    "probably; likely; i think; i guess; i suppose; apparently; seems; supposedly; i believe; creo que; "
    "supongo; parece; wahrscheinlich; wohl; ich glaube; vermutlich; scheint; je pense; je crois; "
    "probablement; sans doute; il semble; probablemente",
    "と思い; らしい; 大概; 好像; 我觉得; 我想",
)
KEEPS_HEDGE = phrase_pattern(
    "considers; consider; considered; contemplates; weighs; weighing; thinks; think; thinking; whether; "
    "could; may; would; seems; seem; uncertain; unclear; unsure; undecided; open; if; tentatively; "
    "tentative; leans; wonders; unknown; possible; potential; potentially; believes; suspects; expects; "
    "tempted; idea; option; about to; likely; probable; appears; hopes; hope; doubts; guesses; tends; "
    "inclined; hesitates; question; podría; podrían; considera; piensa; duda; parece; cree; plantea; "
    "si; könnte; könnten; überlegt; erwägt; denkt; glaubt; scheint; ob; unsicher; pourrait; pourraient; "
    "envisage; pense; hésite; semble; croit; should",
    "思; か。; 吗; 嗎; 是否; 考; 想",
)
ROUNDS = re.compile(
    r"\b(?:maybe|perhaps|possibly|probably|vielleicht|quizás?|peut-être|like)\s+(?:about\s+|around\s+)?\d",
    re.I,
)
"""A hedge before a number rounds it, it does not doubt a claim."""

CONDITIONALS = phrase_pattern(
    "if; unless; provided that; in case; si; a menos que; salvo que; en caso de que; à moins que; au cas où; "
    "wenn; falls; sofern; außer wenn",
    "もし; 如果; 要是; 除非",
)
"""Conjunctions of a condition."""

APPROXIMATES = phrase_pattern(
    "about; around; roughly; approximately; some; or so; circa; ca; nearly; almost; ungefähr; etwa; rund; "
    "unos; unas; alrededor de; aproximadamente; environ; à peu près",
    "約; 约; 左右; 大约; ほど; くらい",
)
"""What keeps the doubt of a rounded number: `maybe 4 hours` told as `about 4 hours`."""

NUMBER_WORDS = {
    word: str(value)
    for words in (
        "zero one two three four five six seven eight nine ten eleven twelve",
        "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
        "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce",
        "zéro un deux trois quatre cinq six sept huit neuf dix onze douze",
    )
    for value, word in enumerate(words.split())
}
TIME_SHIFTS = phrase_pattern(
    "today; tomorrow; tmrw; tonight; yesterday; next; last; ago; now; this week; this month; this year; "
    "hoy; mañana; ayer; próximo; próxima; heute; morgen; gestern; nächste; nächsten; letzte; letzten; "
    "aujourd'hui; demain; hier; prochain; prochaine; dernier; dernière; monday; tuesday; wednesday; "
    "thursday; friday; saturday; sunday; half; dozen; couple; pair; double; twice; once; both; percent; "
    "quarter; hundred; thousand; million; twenty; thirty; forty; fifty; sixty; seventy; eighty; ninety; "
    "fifteen; thirteen; fourteen; sixteen; seventeen; eighteen; nineteen",
    "今日; 明日; 昨日; 今天; 明天; 昨天; 来週; 下周; 一; 二; 三; 四; 五; 六; 七; 八; 九; 十",
)
"""Words from which a careful writer may work out a number that was not said."""


def hedges(text: str, *, rounding: bool = False) -> bool:
    """Whether the words doubt what they say. `maybe 4 hours` rounds a number, and doubts if `rounding`."""
    plain = text if rounding else ROUNDS.sub(" ", text)
    return HEDGES.search(plain) is not None or SOFT_HEDGES.search(plain) is not None


def negates(text: str, languages: Collection[str] = NEGATIONS_BY_LANGUAGE.keys()) -> bool:
    """Whether a text has a word of negation, of one of the languages, that denies something."""
    plain = NO_DENIAL.sub(" ", text.replace("’", "'"))
    words = [found.casefold() for found in _WORDS.findall(plain)]
    known = [NEGATIONS_BY_LANGUAGE.get(language, frozenset()) for language in languages]
    return (
        any(not one.isdisjoint(words) for one in known)
        or any(word.endswith("n't") for word in words)
        or any(sign in plain for sign in NEGATION_SIGNS)
    )


_WORDS = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
