"""Constructions that say the same, turned into one of them: a list of small rules over a clause's parts.

Each rule looks at the spine (subject, verb, object in order) and the adverbial phrases, and gives the clause
in its plainer form, or leaves it. A new one is a function and a line in `CONSTRUCTIONS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from chunking.wordlists import words


@dataclass(frozen=True, slots=True)
class FormClause:
    """A clause in parts. A phrase is a run of words that begins with its preposition."""

    spine: list[str]
    phrases: list[list[str]]
    marks: set[str]


def costs(clause: FormClause) -> FormClause:
    """`the price of the ticket is 30 euros` as `the ticket costs 30 euros`."""
    for at in range(1, len(clause.spine) - 2):
        named, amount = clause.spine[at : at + 2], clause.spine[at + 2]
        if named in (["cost", "be"], ["price", "be"]) and amount.startswith("#"):
            return replace(clause, spine=[*clause.spine[:at], "cost", *clause.spine[at + 2 :]])
    return clause


def due(clause: FormClause) -> FormClause:
    """`the deadline for the grant is today`, `the grant is due today` as `the grant deadline is today`."""
    if clause.spine[-2:] == ["be", "due"]:
        return replace(clause, spine=[*clause.spine[:-2], "deadline", "be"])
    if clause.spine[:2] == ["deadline", "be"]:
        owner = next((one for one in clause.phrases if one[0] == "for"), None)
        if owner is not None:
            rest = [one for one in clause.phrases if one is not owner]
            return replace(clause, spine=[*owner[1:], *clause.spine], phrases=rest)
    return clause


def called(clause: FormClause) -> FormClause:
    """`has a dog named Rex`, `the dog is called Rex`, `the dog's name is Rex`: one name, one form."""
    spine = clause.spine
    if "have" in spine[:2] and spine[-2:-1] in (["nam"], ["call"], ["named"], ["called"]) and len(spine) > 4:
        at = spine.index("have")
        return replace(clause, spine=[*spine[:at], *spine[at + 1 : -2], "name", "be", spine[-1]], marks=set())
    if len(spine) > 3 and spine[-3] == "be" and spine[-2] in ("nam+", "call+"):
        return replace(clause, spine=[*spine[:-3], "name", "be", spine[-1]])
    return clause


def prefers(clause: FormClause) -> FormClause:
    """`prefers tea over coffee`, `likes tea better than coffee` as `prefers tea to coffee`."""
    spine = clause.spine
    against = [one for one in clause.phrases if one[0] in _AGAINST and len(one) > 1]
    if len(against) != 1:
        return clause
    if "lik" in spine and spine[-1] in ("more", "better", "beter") and against[0][0] == "than":
        spine = ["prefer" if word == "lik" else word for word in spine[:-1]]
    if "prefer" not in spine:
        return clause
    phrases = [["to", *one[1:]] if one is against[0] else one for one in clause.phrases]
    return replace(clause, spine=spine, phrases=phrases)


_AGAINST = words("over than to")


def born(clause: FormClause) -> FormClause:
    """`was born on 4 May` as `the birthday is 4 May`."""
    dated = any(one[0].startswith("date-") for one in clause.phrases)
    if dated and clause.spine[-2:] == ["be", "born"] and len(clause.phrases) == 1:
        return replace(clause, spine=[*clause.spine[:-2], "birthday", "be"], marks=clause.marks - {"past"})
    return clause


def lasts(clause: FormClause) -> FormClause:
    """`the talk takes an hour` as `the talk lasts an hour`."""
    spine = clause.spine
    if len(spine) > 2 and spine[-2] == "tak" and spine[-1].startswith("#") and spine[-1].endswith(_LONG):
        return replace(clause, spine=[*spine[:-2], "last", spine[-1]])
    return clause


_LONG = (" s", " day", " month")


def aged(clause: FormClause) -> FormClause:
    """`is 42 years old` as `is 42`."""
    if clause.spine[-1:] == ["old"] and clause.spine[-2:-1] and clause.spine[-2].endswith(" month"):
        months = clause.spine[-2][1:].partition(" ")[0]
        if months.isdigit() and int(months) % 12 == 0:
            return replace(clause, spine=[*clause.spine[:-2], f"#{int(months) // 12}"])
    return clause


def decides_on(clause: FormClause) -> FormClause:
    """`decided on Vue` and `decided to choose Vue` as `chose Vue`."""
    if clause.spine[-1:] != ["decid"] or not clause.phrases:
        return clause
    for phrase in clause.phrases:
        named = phrase[2:] if phrase[:2] == ["to", "choos"] else phrase[1:] if phrase[0] == "on" else []
        if named and not named[0].endswith("ing"):
            rest = [one for one in clause.phrases if one is not phrase]
            return replace(clause, spine=[*clause.spine[:-1], "choos", *named], phrases=rest)
    return clause


def allergic(clause: FormClause) -> FormClause:
    """`has a nut allergy` as `is allergic to nut(s)`."""
    spine, phrases = clause.spine, clause.phrases
    if spine[-1:] == ["alergy"] and "have" in spine[:-2]:
        at = spine.index("have")
        phrases = [*phrases, ["to", *spine[at + 1 : -1]]]
        spine = [*spine[:at], "be", "alergic"]
    if spine[-1:] == ["alergic"]:
        phrases = [
            [one[0], *(word.removesuffix("s") for word in one[1:])] if one[0] == "to" else one
            for one in phrases
        ]
    return replace(clause, spine=spine, phrases=phrases)


def included(clause: FormClause) -> FormClause:
    """`heating is included in the rent` as `the rent includes heating`."""
    if clause.spine[-2:] == ["be", "includ+"] and len(clause.spine) > 2:
        whole = [one for one in clause.phrases if one[0] == "in" and len(one) > 1]
        if len(whole) == 1:
            rest = [one for one in clause.phrases if one is not whole[0]]
            return replace(clause, spine=[*whole[0][1:], "includ", *clause.spine[:-2]], phrases=rest)
    return clause


def works_as(clause: FormClause) -> FormClause:
    """`works as a nurse` as `is a nurse`."""
    trade = [one for one in clause.phrases if one[0] == "as" and len(one) == 2]
    if clause.spine[-1:] == ["work"] and len(trade) == 1 and "past" not in clause.marks:
        rest = [one for one in clause.phrases if one is not trade[0]]
        return replace(clause, spine=[*clause.spine[:-1], "be", trade[0][1]], phrases=rest)
    return clause


def somebody(clause: FormClause) -> FormClause:
    """`somebody stole my bicycle` as `my bicycle was stolen`."""
    if len(clause.spine) > 2 and clause.spine[0] in ("somebody", "someone") and "be" not in clause.spine:
        verb, patient = clause.spine[1], clause.spine[2:]
        if "past" in clause.marks and verb.isalpha():
            return replace(clause, spine=[*patient, "be", f"{verb}+"])
    return clause


def inverted(clause: FormClause) -> FormClause:
    """`on the list are eggs` as `eggs are on the list`."""
    if clause.spine[:1] == ["be"] and len(clause.spine) > 1 and clause.phrases and "?" not in clause.marks:
        return replace(clause, spine=[*clause.spine[1:], "be"])
    return clause


CONSTRUCTIONS: tuple[Callable[[FormClause], FormClause], ...] = (
    costs, due, called, prefers, born, lasts, aged, decides_on, allergic, included, works_as, somebody,
    inverted,
)  # fmt: skip


_TRIGGERS = words(
    """
    cost price due deadline have nam+ call+ prefer lik born tak old decid alergy alergic includ+ work somebody
    someone be
    """
)
"""Words of a spine without one of which no rule has anything to turn."""


def same_construction(spine: list[str], phrases: list[list[str]], marks: set[str]) -> FormClause:
    """The clause with every rule applied, in order."""
    clause = FormClause(spine, phrases, marks)
    if _TRIGGERS.isdisjoint(spine):
        return clause
    for rule in CONSTRUCTIONS:
        clause = rule(clause)
    return clause
