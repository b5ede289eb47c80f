"""What a Claude.ai export holds beside talk: the documents of projects, and Claude's memories of the user.

`projects.json` is a list of projects, `projects/<uuid>.json` one project: `{uuid, name, prompt_template,
docs[]}`. The template is what the user told Claude to heed in the project: a document of the project like the
others. A memory is prose that Claude wrote about the user, so it is a resource, named for what it is, and
never the user's word.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from archives.contract import Reading
from archives.documents import resource
from archives.glimpse import Glimpse
from archives.instants import Moment
from archives.shapes import identifier, mapping, objects, string
from schemas.resource import Resource

_MEMORY_KEYS = ("conversations_memory", "project_memories", "memory_files")
_MEMORY_TITLE = "Claude's memory of the user"


def _is_project(record: object) -> bool:
    return isinstance(record, dict) and isinstance(record.get("docs"), list) and "uuid" in record


def _is_memory(record: object) -> bool:
    return (
        isinstance(record, dict) and "account_uuid" in record and any(key in record for key in _MEMORY_KEYS)
    )


def is_source(record: object) -> bool:
    """Whether it is a project or a memory."""
    return _is_project(record) or _is_memory(record)


def accounts_for(seen: Glimpse) -> bool:
    """Whether the file is one of projects or memories."""
    return any(map(is_source, seen.records))


def resources(reading: Reading) -> Iterator[Resource]:
    """The documents of projects (starter projects hold Anthropic's own) and the memories."""
    for part in (*reading.parts, *reading.others):
        if not accounts_for(part.glimpse):
            continue
        for where, record in reading.records(part, plausible=is_source):
            if _is_project(record):
                yield from _documents(mapping(record), reading)
            elif _is_memory(record):
                yield from _memories(mapping(record), reading)
            else:
                reading.reject(record, "neither a project nor a memory", where, alone=True)


def _documents(project: Mapping[str, object], reading: Reading) -> Iterator[Resource]:
    name = string(project.get("name"))
    home = identifier(project.get("uuid")) or name or ""
    if project.get("is_starter_project") is True:
        count = len(list(objects(project.get("docs"))))
        reading.tally.records += count
        reading.tally.skip("a document of Anthropic's own starter project", home, records=count)
        return
    for key, what in (("prompt_template", "Instructions for"), ("description", "Description of")):
        words = string(project.get(key))
        if words is None:
            continue
        found = resource(
            reading,
            "claude_ai",
            f"{home}/{key}",
            f"{what} the project {name}" if name else f"{what} a project",
            words,
            created=reading.moment(project.get("created_at")),
            project=name,
        )
        if found is not None:
            yield found
    for document in objects(project.get("docs")):
        title = string(document.get("filename")) or "a project's document"
        found = resource(
            reading,
            "claude_ai",
            f"{home}/{identifier(document.get('uuid')) or title}",
            title,
            string(document.get("content")) or "",
            created=reading.moment(document.get("created_at")),
            project=name,
        )
        if found is not None:
            yield found


def _memories(memory: Mapping[str, object], reading: Reading) -> Iterator[Resource]:
    texts = [("conversations", string(memory.get("conversations_memory")))]
    texts += [
        (f"project {key}", string(text)) for key, text in mapping(memory.get("project_memories")).items()
    ]
    for file in objects(memory.get("memory_files")):
        texts.append((f"file {string(file.get('path')) or ''}", string(file.get("content"))))
    for name, text in texts:
        if text is not None:
            native = f"memory/{identifier(memory.get('account_uuid')) or ''}/{name}"
            title = _MEMORY_TITLE if name == "conversations" else f"{_MEMORY_TITLE}, {name}"
            found = resource(reading, "claude_ai", native, title, text, created=Moment())
            if found is not None:
                yield found
