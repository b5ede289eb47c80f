"""What an erasure leaves that names the erased: the owner's own words, and records of what was done.

Rules, policies and reasons are the owner's, and still hold for other notes; records say that an archive was
imported. None of them is removed, so each is named, and what removes it.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from flows.intake.exclusions import kept_rules
from schemas.act import ActKind
from schemas.errors import UsageError
from schemas.semantic_path import name_of
from schemas.words import amount
from vault.erasing import Erased, Erasure
from vault.journal import Journal
from vault.layout import VaultLayout
from vault.ledger import Ledger

LEAST_NAME = 4
"""Characters of a title or id that tell anything; a shorter one stands in many words by chance."""
POLICY_ACTS = (ActKind.POLICY_ON, ActKind.POLICY_OFF)


def names_of(wanted: Erasure, erased: Iterable[Erased]) -> set[str]:
    """By what the erased is known: the text asked for, the account, titles (as paths have them, too) and
    ids."""
    known = {name for one in erased for name in (one.title, name_of(one.title), one.owner, one.native_id)}
    asked = {one for one in (wanted.match, wanted.account) if one}
    return {one for one in known if len(one) >= LEAST_NAME} | asked


def own_words(layout: VaultLayout, names: Collection[str], units: Collection[str]) -> Iterator[str]:
    """A line on each place where the owner's own words name it: rules, policies, reasons. Acts on `units` go
    with them and are left out."""
    try:
        rules = [str(rule) for rule in kept_rules(layout) if _names(str(rule), names)]
    except UsageError as error:
        yield f"{layout.exclusions}: your rules, perhaps: they cannot be read ({error.why})"
    else:
        if rules:
            remedy = "`mnemic exclusions --remove RULE` removes one"
            yield f"{layout.exclusions}: your rules {', '.join(rules)}; {remedy}"
    if not layout.journal.exists():
        return
    with Journal(layout.journal) as journal:
        acts = [act for act in journal.after(0) if act.subject not in units]
    naming = [act for act in acts if _names(f"{act.subject}\n{act.reason}\n{act.detail}", names)]
    policies = sorted({act.subject for act in naming if act.kind in POLICY_ACTS})
    if policies:
        yield f"{layout.journal}: your policies {', '.join(policies)}, which stay on record when they are off"
    if told := len([act for act in naming if act.kind not in POLICY_ACTS]):
        yield f"{layout.journal}: what you wrote in {amount(told, 'act')} on other notes"


def saved_pages(layout: VaultLayout) -> Iterator[str]:
    """A line on the pages of the web, which are an account's and no conversation's."""
    if layout.web.exists():
        yield (
            f"{layout.web}: saved pages and the log of searches of an account that keeps other talk, perhaps:"
            " `mnemic web drop --all` and `mnemic web log --clear` erase them"
        )


def archive_names(layout: VaultLayout, ledgers: Iterable[Ledger], names: Collection[str]) -> Iterator[str]:
    """A line on the archives whose names name it: that they were imported stays on record."""
    stored = {
        str(archive) for ledger in ledgers for (archive,) in ledger.query("SELECT archive FROM imports")
    }
    found = sorted(name for name in {Path(one).name for one in stored} if _names(name, names))
    if found:
        yield f"{layout.generations}: the record of imports, by the name of the archive {', '.join(found)}"


def prefect_records(names: Collection[str], archives: Iterable[str]) -> Iterator[str]:
    """A line on Prefect's own database where it names the erased or one of the archives.

    It keeps reasons of imports and names of archives of nightly runs. It is searched as bytes, for names
    as they are written: a server of Prefect's may have it open.
    """
    home = Path(os.environ.get("PREFECT_HOME") or Path.home() / ".prefect")
    wanted = {one.encode() for one in (*names, *archives)}
    for path in sorted(home.glob("prefect.db*")):
        if _has_any(path, wanted):
            yield f"{path}: Prefect's record of runs; `prefect flow-run delete ID` removes a run"


def _names(text: str, names: Collection[str]) -> bool:
    lower = text.casefold()
    return any(name.casefold() in lower for name in names)


def _has_any(path: Path, wanted: Collection[bytes]) -> bool:
    try:
        with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as content:
            return any(content.find(one) >= 0 for one in wanted)
    except (OSError, ValueError):  # another's, or empty: a map of no bytes is a ValueError
        return False
