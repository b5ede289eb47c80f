"""Refusal or boilerplate: a model's refusals, disclaimers, courtesies and offers are no content."""

from __future__ import annotations

import re

from chunking.closed_classes import phrase_pattern
from curation.gate_input import PASSED, Finding, Ungated, words_of
from curation.gate_settings import GateSettings
from schemas.unit import Outcome, Speaker

_REFUSES = re.compile(
    r"""(?:^|[.!?]\s+)["'“«(]*(?:
    (?:i(?:\s*'m|\s+am)\s+)?(?:really\s+|so\s+|very\s+)?sorry\b[,.]?\s+(?:but\s+)?(?:i\b|that|for|about|this|to\s+hear)
    |(?:unfortunately,?\s+)?i\s*(?:can't|cannot|can\s+not|am\s+(?:not\s+able|unable)|'m\s+(?:not\s+able|unable)|won't)
        \s+(?:to\s+)?(?:help|assist|provide|access|browse|open|view|see|fulfil\w*|comply|support|create|generate|share|
        discuss|continue|give\s+(?:legal|medical|financial)|verify|remember|recall|predict)\b
    |as\s+an?\s+(?:ai|language\s+model|large\s+language|assistant|artificial)
    |i(?:\s*'m|\s+am)\s+(?:just\s+|only\s+)?an?\s+(?:ai|language\s+model|virtual|digital\s+assistant)
    |i\s+do(?:n't|\s+not)\s+have\s+(?:access|the\s+ability|personal|real-?time|feelings|opinions)
    |please\s+provide\b | could\s+you\s+(?:please\s+)?(?:provide|share|clarify|paste|upload)
    |lo\s+siento\b | no\s+puedo\s+(?:ayudar|proporcionar|acceder|ofrecer)
    |como\s+(?:modelo\s+de\s+lenguaje|una?\s+ia|inteligencia)
    |es\s+tut\s+mir\s+leid | tut\s+mir\s+leid | ich\s+kann\s+(?:dabei|ihnen|dir)\s+(?:leider\s+)?nicht
    |als\s+(?:ki|sprachmodell)\b
    |je\s+suis\s+désolée?\b | désolée?\s*,\s+(?:mais\s+)?je | je\s+ne\s+peux\s+pas\s+(?:vous\s+)?
        (?:aider|fournir|accéder)
    |en\s+tant\s+qu(?:e\s+modèle|'ia|'assistant)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_UNSPACED_REFUSES = re.compile(
    r"^(?:申し訳(?:ありません|ございません)|お手伝いできません|AIとして|対応できません|"
    r"抱歉|对不起[,,]我|很抱歉|我无法(?:提供|帮助|访问)|作为(?:一个)?(?:AI|人工智能|语言模型))"
)
_COURTESY = re.compile(
    r"""^["'“«(]*(?:
    (?:that(?:'s|\s+is)\s+(?:a\s+|an\s+)?|what\s+an?\s+|such\s+an?\s+)?(?:great|good|excellent|fantastic|wonderful|interesting|
        lovely|thoughtful|awesome|amazing)\s+(?:question|idea|point|choice|plan|news|job|work|thinking|start|goal)\b[!.,]*
    |(?:of\s+course|certainly|absolutely|sure(?:\s+thing)?|definitely|no\s+problem|got\s+it|understood|you(?:'re|\s+are)\s+
        (?:very\s+|most\s+)?welcome|my\s+pleasure|happy\s+to\s+help|glad\s+(?:to\s+help|i\s+could|you|that)|
        i(?:'d|\s+would)\s+be\s+(?:happy|glad|delighted)\s+to|i(?:'m|\s+am)\s+(?:happy|glad|here|thrilled|excited)\s+
        (?:to|you|that|for))\b
    |(?:i\s+)?hope\s+(?:this|that|these|it)\s+(?:helps?|is\s+helpful|works|gives|answers)
    |(?:here\s+(?:is|are)|here's|below\s+(?:is|are))\s+(?:an?|the|some|your|my|a\s+few|\w+)\b[^.]*:?$
    |(?:thanks?|thank\s+you)\b(?!\s+(?:letter|note|card))
    |(?:hi|hello|hey|good\s+(?:morning|evening|afternoon|luck)|cheers|bye|goodbye|have\s+a\s+(?:great|nice|good)|
        take\s+care|enjoy\s+your|congrat\w*|best\s+(?:of\s+luck|regards|wishes))\b
    |(?:this|the\s+above)\s+is\s+not\s+(?:legal|medical|financial|professional)\s+advice
    |(?:always\s+|please\s+|it'?s?\s+(?:is\s+)?(?:always\s+)?(?:best|recommended|advisable|wise)\s+to\s+)?
        (?:consult|seek|speak\s+(?:with|to)|talk\s+to)\s+(?:with\s+)?(?:an?|your)\s+
        (?:qualified\s+|licensed\s+|healthcare\s+|medical\s+|financial\s+|mental\s+health\s+|legal\s+)?
        (?:professional|doctor|lawyer|attorney|advisor|expert|therapist|physician|provider)
    |(?:de\s+nada|con\s+gusto|espero\s+que\s+(?:esto\s+)?(?:te|le)\s+(?:ayude|sirva)|buena\s+pregunta|gracias|hola|
        ¿?\s*(?:quieres|te\s+gustaría|deseas)\s+que|avísame|no\s+dudes\s+en|claro\s+que\s+sí|por\s+supuesto|excelente\s+
        (?:pregunta|idea))\b
    |(?:gerne|bitte\s+schön|gern\s+geschehen|ich\s+hoffe,?\s+das\s+hilft|gute\s+frage|danke|hallo|möchtest\s+du,?\s+dass|
        soll\s+ich|sag\s+(?:mir\s+)?bescheid|melde\s+dich|natürlich[!,]|selbstverständlich)\b
    |(?:de\s+rien|avec\s+plaisir|j'espère\s+que\s+(?:cela|ça)|bonne\s+question|merci|bonjour|bonsoir|souhaites-tu|
        souhaitez-vous|veux-tu\s+que|voulez-vous\s+que|n'hésitez?|bien\s+sûr|excellente\s+question)\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_OFFERS = re.compile(
    r"""^["'“«(]*(?:
    (?:please\s+|just\s+)?(?:feel\s+free\s+to|let\s+me\s+know|don't\s+hesitate|do\s+not\s+hesitate)\b
    |(?:(?:would|do)\s+you\s+)?(?:like|want|need)\s+me\s+to\b
    |would\s+you\s+like\s+(?:to\s+(?:explore|discuss|go|hear|see|know|dive)|more|help|any|some|an?)\b
    |do\s+you\s+want\s+(?:more|help|some|an?\s+(?:example|summary|draft|list))\b
    |(?:should|shall)\s+i\s+(?:also\s+)?(?:draft|write|create|continue|proceed|go\s+(?:on|ahead)|make|
        put\s+together|prepare|start|expand|dig)\b
    |if\s+you(?:'d|\s+would)?\s+(?:like|want|wish|need)\b[^?]{0,80},?\s+(?:i\s+can|i'll|i\s+could|just|let\s+me|feel)\b
    |(?:is\s+there\s+)?anything\s+else\s+(?:i|you)\b
    |i\s+(?:can|could)\s+(?:also\s+)?(?:draft|write|prepare|sketch|put\s+together)\b[^?]{0,80}\bif\s+you\b
    |(?:quieres|te\s+gustaría|deseas)\s+que | ¿\s*(?:quieres|te\s+gustaría|deseas)\s+que
    |(?:möchtest\s+du|möchten\s+sie|soll\s+ich)\b
    |(?:souhaites-tu|souhaitez-vous|veux-tu|voulez-vous)\s+que
    )""",
    re.IGNORECASE | re.VERBOSE,
)
"""An assistant's offers, however they go on."""
_UNSPACED_COURTESY = re.compile(
    r"^(?:ありがとう|どういたしまして|お役に立て|ご参考に|いい質問|素晴らしい質問|こんにちは|もちろんです|お気軽に|何か(?:他に)?ご質問|"
    r"谢谢|感谢|不客气|希望(?:这|能|对)|好问题|你好|当然可以|如果(?:你|您)需要|如有(?:任何)?(?:问题|疑问)|随时(?:告诉|联系)|加油)"
)
_PRAISE = phrase_pattern(
    "great question; good question; excellent question; is a great one; great idea; fantastic idea; "
    "hope this helps; let me know if; feel free to; happy to help; here to help; glad to help; "
    "question is great; question is a great; question is a good; question is excellent; "
    "as an ai; as a language model; i'm sorry, but i can't; is sorry for; is happy to help; is glad to help; "
    "cannot assist with; can't assist with; is unable to assist; cannot help with this; is an ai"
)
_MORE = 9
"""Words after a courtesy from which on the quote says something of its own."""


def refusal_or_boilerplate(note: Ungated, _: GateSettings) -> Finding:
    """No refusal, disclaimer or offer of a model; no greeting, thanks, praise or preamble of anybody."""
    unit, quote = note.unit, note.own_quote.strip()
    text = unit.text.strip()
    if found := _PRAISE.search(text):
        return Outcome.REJECT, f"it is boilerplate: {found.group()!r}"
    model = unit.speaker is Speaker.ASSISTANT
    for one in (quote, text):
        refused = _REFUSES.search(one) or _UNSPACED_REFUSES.match(one)
        if model and refused:
            return Outcome.REJECT, f"it is a refusal or an apology: {refused.group().strip()!r}"
        if model and (offer := _OFFERS.match(one)):
            return Outcome.REJECT, f"it is an offer: {offer.group().strip()!r}"
        polite = _COURTESY.match(one) or _UNSPACED_COURTESY.match(one)
        if polite and (model or one is quote) and len(words_of(one[polite.end() :])) < _MORE:
            rest = words_of(one[polite.end() :])
            if model or len(rest) < 2:
                return Outcome.REJECT, f"it is a courtesy or an offer: {polite.group().strip()!r}"
    return PASSED
