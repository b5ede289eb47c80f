"""What a generated vault lacks for the application's pages: names in notes, threads with maps, paths, runs.

Notes come from `benchmarks.scale`, with random words and vectors; everything here is made of their numbers,
so that two runs make the same.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.scale.generated_vault import ACCOUNT, PROVIDER
from vault.generations import read_manifest, require_published
from vault.layout import LEDGER_FILE, MANIFEST_FILE, VaultLayout
from vault.ledger import Ledger
from vault.paths import publish_paths
from vault.sums import tree_sums

NAMES = 11_000
TALKS_A_THREAD = 4
SYLLABLES = (
    "'bar', 'lo', 'min', 'ka', 'ren', 'to', 'vel', 'dor', 'an', 'sif', 'mur', 'pel', 'ost', 'gri', 'una'"
)

_MADE = f"""
UPDATE units SET estimate = {{
    'good': (hash(id) % 1000) / 1000, 'whose': 'own', 'own': 0.5, 'whole': true
}};
CREATE TEMP TABLE sounds AS SELECT [{SYLLABLES}] AS s;
CREATE TEMP TABLE made_names AS
SELECT n, upper(a[1]) || a[2:] || b || ' ' || upper(c[1]) || c[2:] || d AS name FROM (
    SELECT n, s[n % 15 + 1] AS a, s[n // 15 % 15 + 1] AS b, s[n // 225 % 15 + 1] AS c,
           s[n // 3375 + 1] AS d
    FROM range({NAMES}) t(n), sounds
);
UPDATE units SET text = text || ' It is for ' || m.name || '.' FROM made_names m
WHERE hash(units.id) % 2 = 0 AND m.n = CAST(sqrt(hash(units.id || 'name') % {NAMES**2}) AS BIGINT);
CREATE TEMP TABLE talk AS
SELECT conversation_id AS id, row_number() OVER (ORDER BY created_at) - 1 AS n FROM conversations;
INSERT INTO threads
SELECT 'thread-' || n // {TALKS_A_THREAD}, '{ACCOUNT}', 'word' || n // {TALKS_A_THREAD} || ', paint, hull',
       list(id ORDER BY n), [], 'made' FROM talk GROUP BY n // {TALKS_A_THREAD};
CREATE TEMP TABLE told AS
SELECT t.id AS thread, u.category,
       {{'text': u.text, 'conversation_id': u.conversation_id, 'said_at': u.said_at,
         'unit_ids': [u.id]}} AS line
FROM (SELECT id, unnest(conversation_ids) AS talk FROM threads) t JOIN units u ON u.conversation_id = t.talk;
INSERT INTO thread_maps
SELECT 'map-' || thread, thread, '{ACCOUNT}', list(line)[1:1], list(line)[1:4], list(line)[5:6],
       coalesce(list(line) FILTER (category = 'decision'), [])[1:12], [],
       coalesce(list(line) FILTER (category = 'open_question'), [])[1:12],
       coalesce(list(line) FILTER (category = 'action_item'), [])[1:12], 'A map.', [], NULL, 'rules', 'made'
FROM told GROUP BY thread;
CREATE TEMP TABLE decided AS
SELECT id, row_number() OVER (ORDER BY said_at, id) AS n FROM units WHERE category = 'decision';
INSERT INTO relations
SELECT 1000000 + a.n, '{ACCOUNT}', b.id, 'supersedes', a.id, 'made up', 'sweep', now(), 'made', NULL, NULL,
       NULL
FROM decided a JOIN decided b ON b.n = a.n + 1 WHERE a.n % 5 = 0;
INSERT INTO filed_paths
SELECT id, account, 'area' || hash(id) % 12 || '.part' || hash(id) % 60 || '.place' || hash(id) % 480, 0.5,
       id, 'made' FROM units;
INSERT INTO runs
SELECT 'run-' || n, now() - n * INTERVAL 1 DAY, now() - n * INTERVAL 1 DAY, 'ingest', '{{}}'
FROM range(500) t(n);
INSERT INTO imports
SELECT 'archive-' || n, 'export-' || n || '.zip', '{ACCOUNT}', '{PROVIDER}', 'made', 'made', 50, 500, 510,
       10, 0, true, [{{'kind': 'record', 'reason': 'it has no text', 'where': 'conversations.json',
                      'count': 10, 'remedy': NULL, 'sample': NULL}}],
       now() - n * INTERVAL 5 DAY, 'run-' || n
FROM range(100) t(n);
"""
"""Statements parted by semicolons; a text in them has none."""


def made_up(vault: Path) -> None:
    """Give the published generation what it lacks, and seal it anew."""
    layout = VaultLayout(vault)
    folder = layout.generation(require_published(layout))
    with Ledger.open(folder / LEDGER_FILE, read_only=False) as ledger:
        for statement in filter(str.strip, _MADE.split(";\n")):
            ledger.query(statement)
        publish_paths(ledger)
        ledger.query("CHECKPOINT")
    manifest = read_manifest(folder).model_copy(update={"files": tree_sums(folder)}).sealed()
    (folder / MANIFEST_FILE).write_text(manifest.model_dump_json(), encoding="utf-8")
