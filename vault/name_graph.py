"""Which names stand together: what notes name, the links between names, and the circles that names form.

note_names   name, note: what `vault.named_things` finds in the notes as they are
name_links   name, other, kind: in how many notes, or talks, two names stand together; each link both ways
name_groups  name, circle: the community of a name (Louvain, by the weights of the links), called by a member

All three follow from the notes and are settled with every publication: names of one account never meet those
of another. A circle keeps its label from one publication to the next while most of its members stay, and
the one whose name it is.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from schemas.deferred import deferred
from vault.derived_rows import replace_rows
from vault.index import Accounts, named
from vault.ledger import Ledger
from vault.named_things import WORDS_OF_TIME, find_names

if TYPE_CHECKING:
    import networkx
else:
    networkx = deferred("networkx")  # half a second; only where names or their links changed

SEED = 22
"""Of Louvain's order of visits: the same links give the same circles."""
NAMES_OF_TALK = 15
"""Of a talk those in most of its notes are linked; a talk with a hundred names links nobody to anybody."""
TALKS_SHARED = 2
"""Talks that two names share, at least, where no note has both."""
WEIGHTS = {"note": 1.0, "talk": 0.5}
"""Of a shared note and of a shared talk, for the circles."""
SMALLEST = 3
"""Names of a circle, at least."""


class LinkKind(StrEnum):
    """What two names share."""

    NOTE = "note"
    TALK = "talk"


def publish_names(ledger: Ledger) -> None:
    """Bring the three tables up to date with the notes."""
    ledger.query("CREATE OR REPLACE TEMP TABLE settled_names AS FROM note_names LIMIT 0")
    for (account,) in ledger.query("SELECT DISTINCT account FROM units ORDER BY account"):
        ledger.query(
            """CREATE OR REPLACE TEMP TABLE notes_read AS
               SELECT id, conversation_id, said_at, state, text FROM units_current WHERE account = ?""",
            [account],
        )
        find_names(ledger, "notes_read", WORDS_OF_TIME)
        ledger.query(
            "INSERT INTO temp.settled_names SELECT ?, name, id, conversation_id FROM temp.named_in", [account]
        )
    changed = replace_rows(ledger, "note_names", "temp.settled_names", "account, name, unit_id")
    for table in ("settled_names", "notes_read", "named_in"):
        ledger.query(f"DROP TABLE IF EXISTS temp.{table}")
    if changed:
        _link(ledger)
        _settle_circles(ledger)


def _link(ledger: Ledger) -> None:
    ledger.query(
        f"""
        CREATE OR REPLACE TEMP TABLE settled_links AS
        WITH in_talks AS (
            SELECT account, conversation_id, name FROM (
                SELECT account, conversation_id, name, count(*) AS notes FROM note_names GROUP BY ALL
            ) QUALIFY row_number() OVER (PARTITION BY account, conversation_id ORDER BY notes DESC, name)
                      <= {NAMES_OF_TALK}
        )
        SELECT a.account, a.name, b.name AS other, 'note' AS kind, count(*) AS shared
        FROM note_names a JOIN note_names b ON b.unit_id = a.unit_id AND b.name <> a.name GROUP BY ALL
        UNION ALL
        SELECT a.account, a.name, b.name, 'talk', count(*)
        FROM in_talks a
        JOIN in_talks b
             ON b.account = a.account AND b.conversation_id = a.conversation_id AND b.name <> a.name
        GROUP BY ALL HAVING count(*) >= {TALKS_SHARED}
        """
    )
    replace_rows(ledger, "name_links", "temp.settled_links", "account, name, other, kind")
    ledger.query("DROP TABLE temp.settled_links")


def _settle_circles(ledger: Ledger) -> None:
    found = list[dict[str, object]]()
    for (account,) in ledger.query("SELECT DISTINCT account FROM name_links ORDER BY account"):
        links = ledger.query(
            """SELECT name, other, kind, shared FROM name_links WHERE account = ? AND name < other
               ORDER BY name, other, kind""",
            [account],
        )
        before = ledger.query("SELECT name, circle FROM name_groups WHERE account = ?", [account])
        counts = ledger.query(
            "SELECT name, count(*) FROM note_names WHERE account = ? GROUP BY name", [account]
        )
        circles = circles_of((str(a), str(b), WEIGHTS[str(kind)] * int(str(n))) for a, b, kind, n in links)
        called = labelled(
            circles,
            {str(name): int(str(notes)) for name, notes in counts},
            {str(name): str(circle) for name, circle in before},
        )
        found += [{"account": account, "name": name, "circle": circle} for name, circle in called.items()]
    ledger.query("CREATE OR REPLACE TEMP TABLE settled_groups AS FROM name_groups LIMIT 0")
    ledger.insert("INSERT INTO temp.settled_groups BY NAME SELECT * FROM new_rows", found)
    replace_rows(ledger, "name_groups", "temp.settled_groups", "account, name")
    ledger.query("DROP TABLE temp.settled_groups")


def circles_of(links: Iterable[tuple[str, str, float]]) -> list[set[str]]:
    """The communities of a weighted graph of names, of SMALLEST members and more, the largest first."""
    weights = defaultdict[tuple[str, str], float](float)
    for one, other, weight in links:
        weights[min(one, other), max(one, other)] += weight
    if not weights:
        return []
    graph = networkx.Graph()
    # in order: Louvain visits nodes as they were added, shuffled by the seed
    graph.add_weighted_edges_from((one, other, weight) for (one, other), weight in sorted(weights.items()))
    found = networkx.community.louvain_communities(graph, seed=SEED)
    return sorted((one for one in found if len(one) >= SMALLEST), key=lambda one: (-len(one), min(one)))


def labelled(
    circles: Sequence[set[str]], notes: Mapping[str, int], before: Mapping[str, str]
) -> dict[str, str]:
    """Name to the label of its circle: the one that most of its members had before, while it is the name of
    one of them; else the name of the member that most notes have. So no two circles have one label."""
    called = dict[str, str]()
    for circle in circles:
        had = Counter(before[name] for name in circle if name in before)
        kept = [label for label, count in had.items() if 2 * count > len(circle) and label in circle]
        label = kept[0] if kept else min(circle, key=lambda name: (-notes.get(name, 0), name))
        called.update(dict.fromkeys(circle, label))
    return called


class NameGraph:
    """What a ledger's notes name, a hop at a time. Every answer is of the accounts that are asked for."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def known(self, account: Accounts, words: Sequence[str]) -> list[str]:
        """The names among these words, whatever their case, those in most notes first."""
        found = self._ledger.query(
            """SELECT name FROM note_names WHERE account IN (SELECT unnest($accounts))
               AND lower(name) IN (SELECT lower(unnest($words)))
               GROUP BY name ORDER BY count(*) DESC, name""",
            {"accounts": named(account), "words": list(words)},
        )
        return [str(name) for (name,) in found]

    def standing_in(self, account: Accounts, units: Sequence[str], talks: Sequence[str]) -> list[str]:
        """The names in these notes and in these talks' notes, those in most of them first."""
        found = self._ledger.query(
            """SELECT name FROM note_names WHERE account IN (SELECT unnest($accounts))
               AND (unit_id IN (SELECT unnest($units)) OR conversation_id IN (SELECT unnest($talks)))
               GROUP BY name ORDER BY count(*) DESC, name""",
            {"accounts": named(account), "units": list(units), "talks": list(talks)},
        )
        return [str(name) for (name,) in found]

    def beside(self, account: Accounts, names: Sequence[str], limit: int) -> list[tuple[str, LinkKind, int]]:
        """One hop: (name, what it shares with one of these names, how often), the strongest links first; of a
        name that shares both a note's link."""
        found = self._ledger.query(
            """SELECT other, kind, sum(shared) AS times FROM name_links
               WHERE account IN (SELECT unnest($accounts)) AND name IN (SELECT unnest($names))
                 AND other NOT IN (SELECT unnest($names))
               GROUP BY other, kind
               QUALIFY row_number() OVER (PARTITION BY other ORDER BY kind) = 1
               ORDER BY kind, times DESC, other LIMIT $limit""",
            {"accounts": named(account), "names": list(names), "limit": limit},
        )
        return [(str(name), LinkKind(str(kind)), int(str(times))) for name, kind, times in found]

    def circle(self, account: Accounts, names: Sequence[str]) -> dict[str, str]:
        """The other members of these names' circles: name to the circle's label."""
        found = self._ledger.query(
            """SELECT DISTINCT m.name, m.circle FROM name_groups g
               JOIN name_groups m ON m.account = g.account AND m.circle = g.circle
               WHERE g.account IN (SELECT unnest($accounts)) AND g.name IN (SELECT unnest($names))
                 AND m.name NOT IN (SELECT unnest($names)) ORDER BY m.name""",
            {"accounts": named(account), "names": list(names)},
        )
        return {str(name): str(circle) for name, circle in found}

    def notes(self, account: Accounts, names: Sequence[str], limit: int) -> dict[str, str]:
        """Notes that have one of the names: the note's id to the name, the names in the order given; of each
        name `limit` at most, spread over talks."""
        found = self._ledger.query(
            """SELECT unit_id, name FROM (
                   SELECT unit_id, name,
                          row_number() OVER (PARTITION BY name, conversation_id ORDER BY unit_id) AS turn
                   FROM note_names
                   WHERE account IN (SELECT unnest($accounts)) AND name IN (SELECT unnest($names))
               ) QUALIFY row_number() OVER (PARTITION BY name ORDER BY turn, unit_id) <= $limit
               ORDER BY list_position($names, name) DESC, unit_id""",
            {"accounts": named(account), "names": list(names), "limit": limit},
        )
        return {str(unit): str(name) for unit, name in found}
