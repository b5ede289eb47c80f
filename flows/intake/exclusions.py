"""What the owner wants left out of the memory: whole conversations, projects, providers, date ranges.

A rule is `kind:value`. Rules are kept with the vault and hold for every later run, until they are removed.
They apply before a conversation is staged: nothing of an excluded one is stored, cut, embedded or shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from fnmatch import fnmatchcase

from pydantic import TypeAdapter, ValidationError

from schemas.base import Noun
from schemas.conversation import Conversation
from schemas.errors import UsageError
from schemas.resource import Resource
from vault.files import write_text_durably
from vault.layout import VaultLayout

Matches = Callable[[Conversation | Resource, str], bool]


def _began(conversation: Conversation | Resource) -> datetime | None:
    if isinstance(conversation, Resource):
        return conversation.created_at
    dated = (message.created_at for message in conversation.messages if message.created_at)
    return conversation.created_at or next(dated, None)


def _moment(value: str) -> datetime:
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise UsageError(
            f"{value!r} is not a date", remedy="Write it as 2026-03-01 or 2026-03-01T08:00:00Z"
        ) from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _before(conversation: Conversation | Resource, value: str) -> bool:
    began = _began(conversation)
    return began is not None and began < _moment(value)


def _after(conversation: Conversation | Resource, value: str) -> bool:
    began = _began(conversation)
    return began is not None and began >= _moment(value)


def _conversation(conversation: Conversation | Resource, value: str) -> bool:
    return value in (conversation.id, conversation.native_id) or _like(conversation.title, value)


def _project(conversation: Conversation | Resource, value: str) -> bool:
    return _like(conversation.project, value)


def _provider(conversation: Conversation | Resource, value: str) -> bool:
    return conversation.provider == value


def _like(text: str | None, pattern: str) -> bool:
    return text is not None and fnmatchcase(text.casefold(), pattern.casefold())


KINDS: dict[str, Matches] = {
    "conversation": _conversation,
    "project": _project,
    "provider": _provider,
    "before": _before,
    "after": _after,
}
"""Kind of rule to its test. Titles and projects may hold `*` and `?`; dates are when a conversation began."""


class Exclusion(Noun):
    """One rule."""

    kind: str
    value: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.value}"

    def matches(self, conversation: Conversation | Resource) -> bool:
        """Whether the conversation or document is to be left out."""
        return KINDS[self.kind](conversation, self.value)


def parse_rule(text: str) -> Exclusion:
    """Read `kind:value`. Raises UsageError for another form, an unknown kind, or a bad date."""
    kind, colon, value = text.partition(":")
    if not colon or kind not in KINDS or not value:
        raise UsageError(
            f"{text!r} is not a rule", remedy=f"Write KIND:VALUE, where KIND is one of {', '.join(KINDS)}"
        )
    if kind in ("before", "after"):
        _moment(value)
    return Exclusion(kind=kind, value=value)


_RULES = TypeAdapter(list[Exclusion])


def kept_rules(layout: VaultLayout) -> list[Exclusion]:
    """The rules of the vault. Raises UsageError where their file is not what rules look like: nothing is read
    that the owner may have wanted left out."""
    path = layout.exclusions
    if not path.exists():
        return []
    try:
        return [parse_rule(str(one)) for one in _RULES.validate_json(path.read_bytes())]
    except (ValidationError, UsageError) as error:
        raise UsageError(
            "the rules on what to leave out cannot be read",
            where=str(path),
            why=str(error).splitlines()[0],
            remedy="Mend the file, restore it from a backup, or move it away and add the rules again",
        ) from error


def keep_rules(layout: VaultLayout, rules: Iterable[Exclusion]) -> list[Exclusion]:
    """Add rules to the vault's; returns all of them."""
    known = kept_rules(layout)
    known.extend(rule for rule in dict.fromkeys(rules) if rule not in known)
    write_text_durably(layout.exclusions, _RULES.dump_json(known, indent=2).decode() + "\n")
    return known


def remove_rule(layout: VaultLayout, rule: Exclusion) -> list[Exclusion]:
    """Take a rule back; returns the others. Raises UsageError where the vault has no such rule."""
    known = kept_rules(layout)
    if rule not in known:
        raise UsageError(
            f"the vault has no rule {rule}", why=f"it has: {', '.join(map(str, known)) or 'none'}"
        )
    known.remove(rule)
    write_text_durably(layout.exclusions, _RULES.dump_json(known, indent=2).decode() + "\n")
    return known
