"""Self-contained: the note can be read without what stands around it."""

from __future__ import annotations

import re

from curation.lexicon import phrase_pattern
from curation.settings import GateSettings
from curation.ungated import PASSED, Finding, Ungated
from schemas.unit import Outcome

_POINTS_ELSEWHERE = phrase_pattern(
    "as mentioned; as noted above; as discussed; as described above; as stated above; as said above; as "
    "above; see above; see below; mentioned above; mentioned earlier; mentioned below; listed below; "
    "listed above; the above; the aforementioned; the former; the latter; como se mencionó; mencionado "
    "anteriormente; lo anterior; wie erwähnt; wie oben; siehe oben; siehe unten; oben genannt; oben "
    "genannte; comme mentionné; comme indiqué; voir ci-dessus; ci-dessus; ci-dessous",
    "上記; 前述; 先ほど述べ; 如上; 上述; 如前所述",
)
_OPENS = re.compile(
    r"""^["'“«(]*(?:
    (?:it|they|he|she|them|those|these|such|its|theirs?|his|hers?)(?:'\w+)?\b(?!\s+one's)
    |(?:this|that)(?=(?:'s|\s+(?:is|was|will|would|can|could|should|may|might|must|has|had|does|did|makes?|means?|
        gives?|works?|helps?|lets?|allows?|keeps?|takes?|seems?|also|way|one|approach|method|option|plan|step))\b)
    |(?:eso|esto|ello|ellos|ellas|él|ella)\b(?=\s)
    |(?:er|dies|dieses)\b(?=\s+(?:ist|war|wird|hat|kann|soll|muss|geht|macht|will)\b)
    |(?:das|sie)\b(?=\s+(?:ist|war|wird|hat|kann|soll|muss|geht|macht|sind|waren|haben)\b)
    |(?:cela|ça|celui-ci|elles?|ils?)\b(?=\s)
    |これは|それは|あれは|彼は|彼女は|这是|那是|這是|它|他们|她们
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_EMPTY_SUBJECT = re.compile(
    r"""^["'“«(]*(?:
    it(?:'s|\s+(?:is|was|will\s+be|would\s+be|seems?|looks?|takes?|took|costs?|rains?|snows?|remains?|may\s+be|
        might\s+be|can\s+be|does\s+not|doesn't|makes\s+sense))\b.*\b(?:to|that|whether|if|for|who|how|when|which|
        why|what|where|\w+ing|unclear|late|early|cold|hot|summer|winter|o'clock|a\.?m|p\.?m)\b
    |il\s+(?:faut|y\s+a|est\s+\w+\s+(?:de|que)|reste|semble|pleut|s'agit)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
"""An `it` or `il` that stands for nothing."""


def self_contained(note: Ungated, _: GateSettings) -> Finding:
    """No pronoun at its head that nothing before it resolves, no pointing at what stands elsewhere."""
    text = note.unit.text.strip()
    if found := _POINTS_ELSEWHERE.search(text):
        return Outcome.REJECT, f"{found.group()!r} points at what stands elsewhere"
    opening = _OPENS.match(text)
    if opening and not _EMPTY_SUBJECT.match(text):
        return Outcome.REVIEW, f"nothing says what {opening.group().strip()!r} stands for"
    return PASSED
