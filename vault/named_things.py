"""Who and what notes name: words that are written as names are, in the notes themselves.

A name is one to four words with capitals inside a sentence; where the same words begin a sentence they are
the name, too. A word that notes write in small letters more often than in capitals is none: `Tip`, `Day`.
What a language without capitals names is not found, and of German every noun would be, so what is named in
fewer than NAMED_IN notes is left out. Names are laid out once for a generation, beside the deck
(`vault.deck`).
"""

from __future__ import annotations

from calendar import day_abbr, day_name, month_abbr, month_name
from collections.abc import Sequence

from vault.deck import Row
from vault.ledger import Ledger

WORDS_OF_TIME = (
    *(name.lower() for name in (*month_name, *month_abbr, *day_name, *day_abbr) if name),
    *(f"{name.lower()}s" for name in day_name), "am", "pm", "utc",
)  # fmt: skip
"""Written with capitals in English, and no names of people or things."""
NAMED_IN = 2
"""Notes that a name stands in, at least."""
MOST_BESIDE = 24
_LETTERS = (
    r"0-9A-Za-z\x{AA}\x{B2}\x{B3}\x{B5}\x{B9}\x{BA}\x{C0}-\x{D6}\x{D8}-\x{F6}\x{F8}-\x{1FFF}\x{2C00}-\x{2DFF}"
    r"\x{3040}-\x{D7FF}\x{F900}-\x{FDFF}\x{FE70}-\x{FEFE}\x{10000}-\x{1EFFF}\x{20000}-\x{3FFFF}"
)
r"""Letters, marks and digits by the blocks that have them: `\p{L}\p{M}\p{N}` in all its ranges takes the
database 25 ms to prepare in each use, which a small vault waits for six times a publication; of RealMem's
16,767 names one is another."""
_WORD = rf"\p{{Lu}}[{_LETTERS}&-]*[{_LETTERS}]"
_NAME = f"{_WORD}(?: {_WORD}){{0,3}}"
_INSIDE = f'[{_LETTERS},;)] ["“‘(]?({_NAME})'
"""After a word or a comma: not what begins a sentence, a heading, or a line of a list."""
_BEGINS = f'^["“‘(]?({_NAME})'


def lay_out_names(ledger: Ledger, account: str, besides: Sequence[str] = ()) -> None:
    """Make the tables `named_in` (name, id of the note, its conversation) and `named_things` (name, how many
    notes, conversations, the first and last time) on this connection. `besides`: words, in small letters,
    that are no names of people or things, such as those of months."""
    find_names(ledger, "deck", besides)
    ledger.query(
        """
        CREATE OR REPLACE TEMP TABLE named_things AS
        SELECT name, count(*) AS notes, count(DISTINCT conversation_id) AS conversations,
               min(said_at) AS first, max(said_at) AS last
        FROM named_in GROUP BY name ORDER BY notes DESC, name
        """
    )
    _lay_out_in_threads(ledger, account)


def find_names(ledger: Ledger, notes: str, besides: Sequence[str] = ()) -> None:
    """Make the table `named_in` of the notes in a table with the columns id, conversation_id, said_at, state
    and text. What was rejected or discarded names nothing."""
    told = f"{notes} WHERE state NOT IN ('rejected', 'discarded')"
    ledger.query(
        f"""
        CREATE OR REPLACE TEMP TABLE name_words AS
        WITH opened AS MATERIALIZED (
            SELECT id, conversation_id, said_at, text, regexp_extract(text, $begins, 1) AS opening FROM {told}
        ), parts AS (
            SELECT id, conversation_id, said_at, substr(text, length(opening) + 1) AS part, '' AS opening
            FROM opened UNION ALL
            SELECT id, conversation_id, said_at, opening, opening FROM opened WHERE opening <> ''
        ), found AS MATERIALIZED (
            -- both in one place: the database takes 7 ms to prepare such an expression, in each use
            SELECT unnest(regexp_extract_all(part, $inside, 1)) AS name, id, conversation_id, said_at, opening
            FROM parts
        )
        -- "Yesterday Otto Brandt called" names Otto Brandt, but a Brandt no more where notes name Otto Brandt
        SELECT name, id, conversation_id, said_at, true AS counts FROM found
        WHERE opening = '' OR opening NOT IN (SELECT name FROM found WHERE opening = '')
        UNION ALL SELECT opening, id, conversation_id, said_at, false FROM opened WHERE opening <> ''
        """,
        {"inside": _INSIDE, "begins": _BEGINS},
    )
    if not ledger.query(
        """SELECT 1 FROM temp.name_words WHERE counts GROUP BY name
           HAVING count(DISTINCT id) >= ? LIMIT 1""",
        [NAMED_IN],
    ):
        ledger.query(
            """CREATE OR REPLACE TEMP TABLE named_in AS
               SELECT name, id, conversation_id, said_at FROM temp.name_words LIMIT 0"""
        )
        ledger.query("DROP TABLE temp.name_words")
        return
    _know_names(ledger, told, besides)
    ledger.query(
        """
        CREATE OR REPLACE TEMP TABLE named_in AS
        SELECT DISTINCT name, id, conversation_id, said_at FROM name_words SEMI JOIN known_names USING (name)
        ORDER BY name, id
        """
    )
    for table in ("name_words", "small_words", "known_names"):
        ledger.query(f"DROP TABLE temp.{table}")


def _know_names(ledger: Ledger, told: str, besides: Sequence[str]) -> None:
    """`known_names`: of `name_words` what enough notes name, and more of them than write it small."""
    ledger.query(
        f"""
        CREATE OR REPLACE TEMP TABLE small_words AS
        SELECT word, count(*) AS times FROM (
            SELECT unnest(regexp_extract_all(text, '[{_LETTERS}&-]+')) AS word FROM {told}
        ) WHERE word = lower(word) GROUP BY word
        """
    )
    ledger.query(
        """
        CREATE OR REPLACE TEMP TABLE known_names AS
        SELECT n.name FROM (
            SELECT name, count(DISTINCT id) AS notes FROM name_words WHERE counts GROUP BY name
        ) n
        LEFT JOIN small_words w ON w.word = lower(n.name)
        WHERE n.notes >= $least AND n.notes > coalesce(w.times, 0)
          AND lower(n.name) NOT IN (SELECT unnest($besides))
        """,
        {"least": NAMED_IN, "besides": list(besides)},
    )


def _lay_out_in_threads(ledger: Ledger, account: str) -> None:
    """`named_in_threads`: (thread, name, notes), what the graph of threads and names is drawn from."""
    ledger.query(
        """
        CREATE OR REPLACE TEMP TABLE named_in_threads AS
        SELECT t.id AS thread, n.name, count(*) AS notes FROM named_in n JOIN (
            SELECT id, unnest(conversation_ids) AS conversation_id FROM threads
            WHERE account = ? AND len(conversation_ids) > 1
        ) t ON t.conversation_id = n.conversation_id GROUP BY ALL
        """,
        [account],
    )


def names(ledger: Ledger, words: str, limit: int, skip: int = 0) -> list[Row]:
    """Names by how many notes have them; `words`: those in which this stands, whatever its case."""
    return ledger.rows(
        """SELECT * FROM named_things WHERE contains(lower(name), lower($words))
           ORDER BY notes DESC, name LIMIT $limit OFFSET $skip""",
        {"words": words, "limit": limit, "skip": skip},
    )


def count_names(ledger: Ledger, words: str) -> int:
    """How many names there are in which this stands."""
    ((found,),) = ledger.query(
        "SELECT count(*) FROM named_things WHERE contains(lower(name), lower(?))", [words]
    )
    return int(str(found))


def name_card(ledger: Ledger, name: str) -> Row | None:
    """One name; None where there is none such."""
    found = ledger.rows("SELECT * FROM named_things WHERE name = ?", [name])
    return found[0] if found else None


def named_beside(ledger: Ledger, name: str) -> list[Row]:
    """What stands beside the name in the same conversations, by how many of those."""
    return ledger.rows(
        """
        SELECT o.name, count(DISTINCT o.conversation_id) AS conversations
        FROM named_in o SEMI JOIN (SELECT conversation_id FROM named_in WHERE name = $name) h
             ON h.conversation_id = o.conversation_id
        WHERE o.name <> $name GROUP BY o.name ORDER BY conversations DESC, o.name LIMIT $most
        """,
        {"name": name, "most": MOST_BESIDE},
    )


def threads_naming(ledger: Ledger, name: str) -> list[Row]:
    """The threads in which the name stands: id, label, notes."""
    return ledger.rows(
        """SELECT t.id, t.label, n.notes FROM named_in_threads n JOIN threads t ON t.id = n.thread
           WHERE n.name = ? ORDER BY n.notes DESC, t.id LIMIT ?""",
        [name, MOST_BESIDE],
    )


def names_in(ledger: Ledger, unit: str) -> list[str]:
    """The names in one note."""
    return [str(name) for (name,) in ledger.query("SELECT name FROM named_in WHERE id = ?", [unit])]
