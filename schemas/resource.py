"""Resource: source material rather than talk."""

from __future__ import annotations

from functools import cached_property

from schemas.base import Instant, Noun, sha256_text


class Resource(Noun):
    """A document: a project's file, a Markdown or text file, or what a service wrote down of its user.

    It is cut into chunks of tier `resource`. No units are made from it: nobody says anything in it.
    """

    id: str
    account: str
    provider: str
    native_id: str
    """The provider's own id; of a file, its name: a later file of that name takes its place."""
    title: str
    text: str
    """Valid Unicode, Markdown or plain."""
    created_at: Instant | None = None
    project: str | None = None

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 of everything in the record: the key that tells whether work on it is already done."""
        return sha256_text(self.model_dump_json())
