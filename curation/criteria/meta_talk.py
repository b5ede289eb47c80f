"""Meta-talk: a note is about the world, not about the conversation it was said in."""

from __future__ import annotations

import re

from curation.settings import GateSettings
from curation.ungated import PASSED, Finding, Ungated
from schemas.unit import Category, Outcome

_THING = r"(?:conversation|discussion|dialogue|dialog|exchange|chat|transcript|response|reply|message|prompt)"
_ABOUT_TALK = re.compile(
    rf"""^["'“«(]*(?:
    (?:the|this|an?|your|my)\s+(?:\w+\s+)?{_THING}\s+(?:is|was|shows?|contains?|discuss\w*|focus\w*|cover\w*|
        offer\w*|provid\w*|describ\w*|explor\w*|continu\w*|starts?|began|begins?|ends?|ended|mention\w*|address\w*)\b
    |(?:the\s+)?assistant\s+(?:explain|provid|respond|repl|answer|acknowledg|apologi|greet|thank|summari|clarif|
        list|outlin|elaborat|discuss|describ|generat|rewr|confirm|introduc|present|ask|offers?\s+(?:to|help|assist|
        a\s+\w+\s+of)|gives?\s+(?:an?\s+)?(?:\w+\s+)?(?:overview|example|explanation|list|summary|answer|tips))\w*\b
    |(?:the\s+)?user\s+(?:describ|mention|narrat|explain|greet|thank|apologi|acknowledg|respond|repl
        |(?:continu|start|begin|end)e?s\s+the\s+(?:conversation|chat|discussion|dialogue)|
        (?:ask|request|want|would\s+like|instruct|tell|prompt)\w*\s+(?:the\s+assistant|the\s+ai|the\s+bot|chatgpt|claude
        |(?:for\s+)?(?:an?\s+|the\s+|some\s+|more\s+)?(?:\w+\s+)?(?:help|explanation|clarification|feedback|
            information|summary|examples?|rewrite|overview|response|answer|advice)\b)
        |asks?\s+(?:a|another|the)\s+(?:\w+\s+)?question|shares?\s+(?:a|the|some)\s+(?:message|text|prompt))\w*
    |(?:a|the)\s+(?:user|assistant)(?:'s)?\s+(?:question|request|message|reply|response|answer|prompt|query)\b
    |the\s+(?:text|passage|excerpt|snippet)\s+(?:shows?|describ\w*|contains?|is\s+(?:a|about)|discuss\w*|mention\w*)\b
    |(?:in\s+)?this\s+(?:conversation|chat|dialogue|thread)\b
    |el\s+(?:usuario|asistente)\s+(?:saluda|agradece|pregunta|responde|explica|pide\s+(?:ayuda|una|un)\b)\w*
    |la\s+conversación\s+\w+
    |der\s+(?:nutzer|benutzer|assistent)\s+(?:grüßt|dankt|fragt|antwortet|erklärt|bittet\s+um)\b
    |das\s+gespräch\s+\w+
    |l[’']\s?(?:utilisateur|assistant)\s+(?:salue|remercie|demande|répond|explique)\b
    |la\s+conversation\s+(?:porte|montre|traite)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_ABOUT_TALK_UNSPACED = re.compile(
    r"^(?:ユーザーは?(?:質問|挨拶|感謝|尋ね)|アシスタントは?(?:説明|回答|返答)|この会話|用户(?:询问|感谢|请求帮助|打招呼)|"
    r"助手(?:解释|回答|回复)|这段对话|本次对话|这次对话)"
)


def meta_talk(note: Ungated, _: GateSettings) -> Finding:
    """Not `the user asks for help`, not `the assistant explains`, not `this conversation covers`."""
    text = note.unit.text.strip()
    found = _ABOUT_TALK.match(text) or _ABOUT_TALK_UNSPACED.match(text)
    if found and note.unit.category is not Category.OPEN_QUESTION:
        return Outcome.REJECT, f"it talks about the conversation: {found.group().strip()!r}"
    return PASSED
