"""What is no unit, and why: talk about the talk, courtesies, labels, words without content."""

from __future__ import annotations

from extract.candidates import carries_content
from extract.clauses import Clause
from extract.languages.lexicon import Language, Sign, Tag
from extract.tokens import Kind
from extract.wordlists import words
from schemas.unit import Speaker

_EXCLAIMED = frozenset(
    words("hey hi hello wow ooh oh ah aw aww yay whoa omg haha hmm ugh hola hallo salut coucou")
)
"""A word after one of these is a name called out, or a reaction: `Wow, Maria`."""
_ANNOUNCING = frozenset(words("here there below following hier aquí voici steps options ways"))
_OPERATORS = frozenset("%<>()_{}[]=|;\\^~")
_MANY_OPERATORS = 4
_JEST = 2
"""Words of content of a clause that says no more than that something was said in jest."""
_CALL = 4
"""Words of a clause that only calls somebody by a name of endearment."""
_SETTLES = Sign.COMMIT | Sign.ACCEPT
_WANTS_MORE = Tag.FINITE | Tag.BASE | Tag.THIRD | Tag.PREPOSITION | Tag.INFINITIVE
_ASKS = Sign.ASKS | Sign.MARKED_QUESTION


def noise_of(clause: Clause, signs: int, speaker: Speaker, language: Language, *, leads_in: bool) -> str:
    """Why a clause carries no meaning of its own, or "" if it does.

    `leads_in`: it ends in a colon and something follows that it only announces.
    """
    assistant = speaker is Speaker.ASSISTANT
    reply = bool(signs & Sign.REPLY)
    content = sum(carries_content(token, tag) for token, tag in zip(clause.tokens, clause.tags, strict=True))
    marks = sum(token.kind is Kind.PUNCT and token.low in _OPERATORS for token in clause.tokens)
    if marks >= _MANY_OPERATORS and marks >= clause.words:
        return "code"
    called = sum(token.low in language.vocatives for token in clause.tokens)
    if called and content and content <= called and clause.words <= _CALL and not clause.finite:
        return "courtesy"  # right, my friend
    if (signs & Sign.COURTESY and content <= 4) or (signs & Sign.JEST and content <= _JEST):
        return "courtesy"
    if signs & Sign.ANNOUNCES:
        return "no content"  # I've decided: what was decided is said elsewhere
    if signs & Sign.WRAPPER and (assistant or (content <= 3 and not reply)):
        return "wrapper"
    orders = signs & Sign.IMPERATIVE and content >= 2
    last = clause.tags[-1]
    if leads_in and last & _WANTS_MORE and not last & Tag.NOUNISH and not signs & _ASKS:
        return "lead-in"  # the structure should include:
    if leads_in and not orders and (content <= 3 or (assistant and not _says_something(clause, signs))):
        return "lead-in"
    if content == 1 and clause.words <= 3 and not clause.finite and clause.tokens[0].low in _EXCLAIMED:
        return "courtesy"
    if content:
        return ""
    if language.patterns and any(token.kind <= Kind.UNSPACED for token in clause.tokens):
        return ""
    if clause.finite and clause.words >= 3:
        return ""
    if signs & _ASKS and clause.words >= 2:
        return ""
    if reply and signs & _SETTLES and signs & Sign.REFERENCE and clause.words >= 2:
        return ""
    return "no content"


def _says_something(clause: Clause, signs: int) -> bool:
    """Whether a lead-in is more than that: `These cope with morning sun:`, `Ask for two of these:`."""
    if signs & Sign.IMPERATIVE:
        return True
    plain = clause.finite and not signs & Sign.OPTIONS
    return plain and not any(token.low in _ANNOUNCING for token in clause.tokens)
