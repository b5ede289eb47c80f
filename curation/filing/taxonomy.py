"""The taxonomy: names of the paths that notes are filed under, what each is about, and notes that belong
there.

`data/taxonomy.yaml` is the one that comes with mnemic; its examples lie beside it in
`EXAMPLES_FILES`. A
vault may have one of its own, `taxonomy.yaml`, which then holds instead: a copy that the owner edits and
extends. It takes the same examples for the paths that it still has, and may bring its own.

Notes in other languages (`OTHER_LANGUAGES_FILE`, under the paths where they would lie) say what text is that
the embedder does not read. They speak for no path, and are left out where the owner wrote in another language
than English: it is then the owner's examples that notes are held against.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain
from pathlib import Path

import yaml
from pydantic import Field

from chunking.language import ENGLISH, language_of
from curation.filing.shipped_data import shipped_text
from schemas.base import Noun, sha256_text
from schemas.errors import UsageError
from schemas.semantic_path import MAX_LEVELS, UNSORTED, checked_path

TAXONOMY_FILE = "taxonomy.yaml"
EXAMPLES_FILES = ("taxonomy-examples.txt", "taxonomy-examples-2.txt")
OTHER_LANGUAGES_FILE = "taxonomy-other-languages.txt"
MAX_BYTES = 1 << 20
"""Of a taxonomy; the one that comes with mnemic has some eight thousand."""


class TaxonomyBranch(Noun):
    """One path: what it is about, and what lies below it."""

    about: str = Field(min_length=1)
    """A few words, as a person would say them: they are compared with notes."""
    examples: tuple[str, ...] = ()
    """Notes that belong here, beside those that come with mnemic."""
    below: dict[str, TaxonomyBranch] = Field(default_factory=dict)


class Taxonomy(Noun):
    """Branches by first level."""

    paths: dict[str, TaxonomyBranch] = Field(min_length=1)
    unread: tuple[str, ...] = ()
    """Text that the embedder cannot tell the meaning of: what is like it is filed under nothing for that."""

    def leaves(self) -> Iterator[tuple[str, TaxonomyBranch]]:
        """Every path that has nothing below it, with its branch, in the order of the file."""
        yield from _leaves("", self.paths)

    @property
    def digest(self) -> str:
        """Tells taxonomies apart: notes that were filed by another are filed again."""
        return sha256_text(self.model_dump_json())[:12]


def _leaves(above: str, branches: Mapping[str, TaxonomyBranch]) -> Iterator[tuple[str, TaxonomyBranch]]:
    for name, branch in branches.items():
        if branch.below:
            yield from _leaves(f"{above}{name}.", branch.below)
        else:
            yield f"{above}{name}", branch


def read_taxonomy(own: Path | None) -> Taxonomy:
    """The vault's own taxonomy where the file is there, else the one that comes with mnemic; with examples.

    Raises UsageError where the owner's file cannot be read, or has a path that is none.
    """
    if own is None or not own.exists():
        return _read(shipped_text(TAXONOMY_FILE))
    try:
        if own.stat().st_size > MAX_BYTES:
            raise _unreadable(own, f"it has more than {MAX_BYTES:,} bytes")
        return _read(own.read_text(encoding="utf-8"))
    except (ValueError, ArithmeticError, yaml.YAMLError, OSError, RecursionError) as error:
        # of values: pydantic's, and those of text and of escapes that name no character
        raise _unreadable(own, " ".join(str(error).split())[:200]) from error
    except UsageError as error:
        raise _unreadable(own, f"{error.what}: {error.why}" if error.why else error.what) from error


def shipped_taxonomy() -> str:
    """The text of the taxonomy that comes with mnemic: what an owner's copy begins as."""
    return shipped_text(TAXONOMY_FILE)


def _unreadable(path: Path, why: str) -> UsageError:
    return UsageError(
        "the taxonomy cannot be read",
        where=str(path),
        why=why,
        remedy="See docs/paths.md; without the file, the one that comes with mnemic holds",
    )


class PlainNames(yaml.BaseLoader):  # type: ignore[misc]  # yaml ships no types
    """Mappings, lists and text, as a taxonomy has them: `no` is a name and 2026-02-30 no bad date, whatever
    tag stands before it. A name that stands twice is an error and not the last of the two, and so is an
    alias."""

    def compose_node(self, parent: yaml.Node | None, index: object) -> yaml.Node | None:
        """Read what comes next. Raises yaml.YAMLError for an alias, which could make a bomb of few bytes."""
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("it has an alias (*name), which no taxonomy needs")
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[object, object]:
        """Read a mapping. Raises yaml.YAMLError for a name that stands twice, or is no text."""
        if not all(isinstance(key, yaml.ScalarNode) for key, _ in node.value):
            raise yaml.YAMLError("a list or a mapping stands where a name belongs")
        counts = Counter(str(key.value) for key, _ in node.value)
        twice = sorted(name for name, times in counts.items() if times > 1)
        if twice:
            raise yaml.YAMLError(f"{', '.join(twice)} stands twice")
        mapping: dict[object, object] = super().construct_mapping(node, deep)
        return mapping


@lru_cache(maxsize=4)
def _read(text: str) -> Taxonomy:
    """The taxonomy of that text, with examples; kept, as a run asks for it several times and reading it
    takes 0.1 s."""
    return _with_examples(_parsed(text))


@lru_cache(maxsize=4)
def _parsed(text: str) -> Taxonomy:
    taxonomy = Taxonomy.model_validate(yaml.load(text, PlainNames), strict=False)
    _check("", taxonomy.paths)
    return taxonomy


def _check(above: str, branches: Mapping[str, TaxonomyBranch]) -> None:
    for name, branch in branches.items():
        path = f"{above}{name}"
        if "." in name or checked_path(path) != path:
            raise UsageError(f"{path!r} is not a path in lower case, one name a level")
        if path == UNSORTED:
            raise UsageError(f"{UNSORTED!r} is where notes lie that fit nothing", why="name it otherwise")
        if branch.below and branch.examples:
            raise UsageError(f"{path!r} has paths below it", why="examples belong to one of those")
        if branch.below and path.count(".") + 1 == MAX_LEVELS:
            raise UsageError(f"{path!r} has paths below it", why=f"{MAX_LEVELS} levels are the most")
        _check(f"{path}.", branch.below)


def _with_examples(taxonomy: Taxonomy) -> Taxonomy:
    """The taxonomy, its leaves with the examples that come with mnemic before their own."""
    known = examples_by_path("\n".join(map(shipped_text, EXAMPLES_FILES)))
    unread = tuple(chain.from_iterable(examples_by_path(shipped_text(OTHER_LANGUAGES_FILE)).values()))
    return Taxonomy(
        paths={name: _given(name, one, known) for name, one in taxonomy.paths.items()},
        unread=() if _speaks_another_language(taxonomy) else unread,
    )


def _speaks_another_language(taxonomy: Taxonomy) -> bool:
    """Whether anything that the owner wrote into the taxonomy is in another language than English."""
    shipped = {branch.about for _, branch in _parsed(shipped_text(TAXONOMY_FILE)).leaves()}
    told = (text for _, branch in taxonomy.leaves() for text in (branch.about, *branch.examples))
    return any(language_of(text) != ENGLISH for text in told if text not in shipped)


def _given(path: str, branch: TaxonomyBranch, known: Mapping[str, tuple[str, ...]]) -> TaxonomyBranch:
    if branch.below:
        below = {name: _given(f"{path}.{name}", one, known) for name, one in branch.below.items()}
        return branch.model_copy(update={"below": below})
    return branch.model_copy(update={"examples": (*known.get(path, ()), *branch.examples)})


def examples_by_path(text: str) -> dict[str, tuple[str, ...]]:
    """Examples of each path: a line `# home.garden`, and below it a note a line. Empty lines count
    nothing."""
    found: dict[str, list[str]] = {}
    path = ""
    for line in filter(None, map(str.strip, text.splitlines())):
        if line.startswith("#"):
            path = line.removeprefix("#").strip()
            found.setdefault(path, [])
        else:
            found[path].append(line)
    return {path: tuple(notes) for path, notes in found.items()}
