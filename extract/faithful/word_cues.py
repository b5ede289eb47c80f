"""The words by which a text supposes, settles, retells or names who speaks, by language.

A cue counts only in its own language: German `falls` supposes, English `falls` does not. A language that has
no words here is not looked into.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from chunking.language import stem
from chunking.wordlists import words

SUPPOSES: Mapping[str, str] = {
    "en": r"if(?! not\b| only\b| so\b)|unless|in case|provided|as long as|assuming",
    "de": r"wenn|falls|sofern|vorausgesetzt",
    "es": r"si|en caso de|siempre que|a menos que",
    "fr": r"si|s['’]il|au cas où|à condition",
    "ja": r"もし|ならば?|れば|たら",
    "zh": r"如果|要是|假如|除非",
}
"""What makes a statement hold only where another does."""

WHETHER: Mapping[str, str] = {
    "en": r"(?:\w*ask\w*|wonder\w*|know\w*|sure|see|check\w*|tell|told|find out|decid\w*|idea|as|even|what)"
    r"(?: \w+)? if",
    "de": r"(?:auch|selbst|immer|als|wie) wenn|auf keinen falls?",
    "es": r"(?:saber|seguro|segura|ver|pregunt\w+|como|incluso) si",
    "fr": r"(?:savoir|sûre?|voir|demand\w+|comme|même) si",
}
"""What looks like a condition and asks, compares or concedes."""

DECIDES: Mapping[str, str] = {
    "en": r"decided|decides|chose|chooses|(?:has|have|had|was|were|is) chosen|(?<!be )settled|opted|opts"
    r"|picked|committed",
    "de": r"entschied\w*|entscheidet|entschlossen|beschloss\w*|beschließt",
    "es": r"decidi(?:ó|do|da|eron|mos)|decide|eligió|elige|optó|opta",
    "fr": r"décidée?s?|décide|choisi|choisit|opté|opte",
    "ja": r"決め[たる]|決まっ|決定|決断",
    "zh": r"决定|決定|选定|選定|敲定",
}
"""What says that somebody settles something."""

ACTS: Mapping[str, str] = {
    "en": r"decid\w*|decisions?|choose\w*|chosen|agreed?|agreement|approved|sold|bought|cancelled",
    "de": r"entsch\w+|beschl\w+|verkauft|gekauft|gekündigt",
    "es": r"decidi\w*|decisi\w+|elig\w+|vendi\w+|compró|canceló",
    "fr": r"décid\w*|décision\w*|choisi\w*|vendue?s?|achetée?s?|annulée?s?",
}
"""Other words that do so in a retelling: agreements, and deeds that settle a matter."""

UNREAL: Mapping[str, str] = {
    "en": r"would(?! (?:rather|like|love|prefer|be (?:glad|happy|grateful|great|nice)))|could(?!n['’]t)|might"
    r"|imagine|suppose(?!d)|what if|(?<!said )(?<!says )(?:i|we)['’]d(?! (?:rather|like|love|prefer|better"
    r"|been|had|never|not|\w+ed))",
    "de": r"könnte\w*|würde\w*|hätte\w*|wäre\w*|angenommen",
    "es": r"podría\w*|sería\w*|habría\w*|imagina|supongamos",
    "fr": r"pourrai(?:t|s|ent)|serai(?:t|s|ent)|aurai(?:t|s|ent)|imagin(?:e|ons|ez)|supposons",
}
"""What says that something is only thought of. A wish (`would like`) is one."""

CONCEDES: Mapping[str, str] = {
    "en": r"even (?:if|with\w*|though)|whatever|regardless|no matter|whether or not",
    "de": r"(?:auch|selbst) (?:wenn|ohne|mit)|egal|trotz\w*",
    "es": r"(?:incluso|aun) (?:si|con|sin)|aunque|pase lo que pase",
    "fr": r"même (?:si|sans|avec)|quoi que|quel(?:le)?s? que",
}
"""What lifts a condition: the rest holds with it and without."""

ADDRESSES: Mapping[str, str] = {
    "en": r"you\w*|you['’]\w+|your\w*|ur?|let['’]s",
    "de": r"du|dir|dich|dein\w*|Sie|Ihnen|Ihr\w*|ihr|euch|euer\w*",
    "fr": r"tu|te|toi|ton|ta|tes|vous|votre|vos|t['’]\w+",
}
"""What speaks to somebody."""

OUGHT: Mapping[str, str] = {
    "en": r"(?:should|ca|could|might|must|need|ought)(?:n['’]?t)?|can(?:not)?|may|needs|ha(?:s|ve) to"
    r"|is (?:\w+ )?to",
    "de": r"soll\w*|kann|könnte|darf|muss|müsste",
    "fr": r"doit|devrait|peut|pourrait|faut",
}
"""What says that somebody may or should."""

BOUNDS: Mapping[str, str] = {
    "en": r"(?:no|not)(?: \w+){0,2} (?:more|less|fewer|\w+er) than|at (?:most|least)|max(?:imum)?"
    r"|up to|limit\w*|only",
    "de": r"nicht (?:mehr|länger|später|früher|weniger) als|höchstens|mindestens|maximal|nur",
    "es": r"no (?:más|menos|mayor) (?:de|que)|como máximo|hasta|sólo|solo",
    "fr": r"pas plus (?:de|que|tard)|au (?:plus|moins|maximum)|jusqu\w*|seulement",
}
"""What sets a bound, be it by a negation: `no more than 40` is `40 at most`."""

HOLDS_ONLY: Mapping[str, str] = {
    "en": r"when(?:ever)?|once|without|only|until|requires?|required|depend\w*|conditional",
    "de": r"sobald|ohne|nur|bis|erfordert|braucht|hängt",
    "es": r"cuando|sin|sólo|solo|hasta|requiere|depende",
    "fr": r"quand|lorsqu\w*|sans|seulement|jusqu\w*|exige|dépend",
}
"""What else keeps a condition."""

TALK: Mapping[str, str] = {
    "en": r"ask(?:s|ed|ing)?|wonder\w*|consider(?!abl)\w*|weigh(?:s|ed|ing)?(?! (?:\w+ )?\d)|propos\w*"
    r"|suggest\w*|recommend\w*|undecided|whether|(?:left|leaves|is|are|stays?|remains?|still|yet) open"
    r"|assistant (?:\w+ly |also )?(?:offer|describ|explain|list|compar)\w*",
    "de": r"frag\w*|überleg\w*|schlug|schlägt|ob|assistent (?:\w+ )?(?:beschr|erklär|nenn|vergl)\w*",
    "es": r"pregunt\w*|propus\w*|propon\w*|sugir\w*|sugier\w*"
    r"|asistente (?:\w+ )?(?:describ|explic|compar)\w*",
    "fr": r"demand\w*|envisag\w*|propos\w*|suggèr\w*",
}
"""What tells something as talked about, and not as so."""

TELLS: Mapping[str, str] = {
    "en": r"user|assistant|writer|wants?|wanted|option|letter|pasted|wonder(?:s|ed)?|whether"
    r"|consider(?:s|ed)?|thinks?|thought",
    "de": r"nutzer\w*|benutzer\w*|assistent\w*|verfasser\w*|möchte|überlegt|fragt|hält|meint",
    "es": r"usuari[oa]|asistente|quiere|piensa|considera|pregunta",
    "fr": r"utilisat\w+|assistante?|veut|pense|envisage|demande",
    "it": r"utente|assistente|vuole|pensa",
    "pt": r"usuári[oa]|utilizador\w*|assistente|quer|pensa",
    "nl": r"gebruiker\w*|assistent\w*|wil|denkt",
    "da": r"brugere?n?s?|assistente?n?s?|vil",
    "no": r"brukere?n?s?|assistente?n?s?|vil",
    "sv": r"användare?n?s?|assistente?n?s?|vill",
    "fi": r"käyttäj\w+|avustaj\w+|haluaa",
    "pl": r"użytkowni\w+|asystent\w*|chce",
    "cs": r"uživatel\w*|asistent\w*|chce",
    "ru": r"пользовател\w+|ассистент\w*|помощник\w*|хочет|решил\w*",
    "uk": r"користувач\w*|асистент\w*|помічник\w*|хоче|вирішив|вирішила",
    "tr": r"kullanıcı\w*|asistan\w*|istiyor|karar",
    "ja": r"ユーザー?|利用者|アシスタント|したい|希望|考え|思っ",
    "zh": r"用户|用戶|助手|助理|想要?|希望|打算|认为|認為|考虑|考慮",
    "ko": r"사용자\w*|어시스턴트\w*|원한다|결정\w*",
    "ar": r"ال?مستخدمة?|ال?مساعد|يريد|قرر",
    "hi": r"उपयोगकर्ता|सहायक|चाहता|चाहती",
}
"""Words by which a note tells: who speaks and how, in the languages that are told apart."""

_RETELLS = words(
    """
    user assistant writer letter pasted option decided wants wonders whether considers thinks asked asks
    wanted wondered considered weighed told said says explained proposed suggested recommended answered
    compared listed offered described added noted plans planned will open undecided still later dropped gave
    went took turned another instead called means
    """
)
RETELLING = frozenset(stem(word) for word in _RETELLS)
"""English stems by which a summary or a map reports."""

_UNSPACED = ("ja", "zh")


@lru_cache(maxsize=256)
def _compiled(parts: tuple[tuple[str, str], ...]) -> re.Pattern[str]:
    bounded = [rf"\b(?:{part})\b" if language not in _UNSPACED else part for language, part in parts]
    return re.compile("|".join(bounded) or r"(?!)", re.IGNORECASE)


def cue(table: Mapping[str, str], languages: tuple[str, ...]) -> re.Pattern[str]:
    """The pattern of a table's words in the languages; one that never matches where it has none of them."""
    return _compiled(tuple((one, table[one]) for one in dict.fromkeys(languages) if one in table))
