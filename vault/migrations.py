"""The ledger's schema, as forward-only migrations. A migration that has been released is never edited.

A reader lays the tables and views that a published ledger lacks over it, as temporary ones (views are changed
by `CREATE OR REPLACE`). A column that a table lacks it does without until the next run.
"""

from __future__ import annotations

from dataclasses import dataclass

from vault.first_schema import FIRST
from vault.path_schema import MODEL_PATHS, PATHS


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema; `version` is its place in the order."""

    version: int
    name: str
    sql: str


_TURNS = """
ALTER TABLE chunks ADD COLUMN replies_to VARCHAR;
ALTER TABLE chunks ADD COLUMN replies VARCHAR[] DEFAULT [];
"""

_RELATIONS = """
CREATE TABLE relations (
    -- a relation that was taken back keeps its row and says who took it back
    relation_no BIGINT NOT NULL, account VARCHAR NOT NULL, unit_id VARCHAR NOT NULL, kind VARCHAR NOT NULL,
    other_id VARCHAR NOT NULL, reason VARCHAR NOT NULL, actor VARCHAR NOT NULL,
    "at" TIMESTAMPTZ NOT NULL, run VARCHAR NOT NULL,
    withdrawn_at TIMESTAMPTZ, withdrawn_by VARCHAR, withdrawn_reason VARCHAR
);

CREATE TABLE judgements (
    -- what a sweep said of a pair, whatever came of it: a judged pair does not come up again
    account VARCHAR NOT NULL, sweep VARCHAR NOT NULL, unit_id VARCHAR NOT NULL, other_id VARCHAR NOT NULL,
    texts VARCHAR NOT NULL, verdict VARCHAR NOT NULL, reason VARCHAR NOT NULL, judge VARCHAR NOT NULL,
    effect VARCHAR NOT NULL, "at" TIMESTAMPTZ NOT NULL, run VARCHAR NOT NULL
);

CREATE VIEW relations_current AS SELECT * EXCLUDE (withdrawn_at, withdrawn_by, withdrawn_reason)
    FROM relations WHERE withdrawn_at IS NULL;
"""

_ACTS = """
CREATE TABLE acts (
    seq BIGINT NOT NULL, id VARCHAR NOT NULL, lot VARCHAR NOT NULL, kind VARCHAR NOT NULL,
    -- a unit's id, or a policy's name
    subject VARCHAR NOT NULL, actor VARCHAR NOT NULL, reason VARCHAR NOT NULL, "at" TIMESTAMPTZ NOT NULL,
    detail VARCHAR NOT NULL, run VARCHAR NOT NULL
);

CREATE TABLE pending (
    -- empty: a reader has a temporary one of this name, with what acts that are not folded yet make of units
    unit_id VARCHAR NOT NULL, state VARCHAR, text VARCHAR
);

CREATE VIEW standing_acts AS
    SELECT * FROM acts WHERE kind <> 'undo' AND id NOT IN (SELECT detail FROM acts WHERE kind = 'undo');

CREATE VIEW standing_events AS
    SELECT * FROM unit_events WHERE (unit_id, actor, "at") NOT IN (
        SELECT (subject, actor, "at") FROM acts
        WHERE kind IN ('keep', 'discard') AND id IN (SELECT detail FROM acts WHERE kind = 'undo')
    );

CREATE VIEW corrections AS
    SELECT subject AS unit_id, arg_max(detail, seq) AS text, arg_max(actor, seq) AS actor,
           max("at") AS "at"
    FROM standing_acts WHERE kind = 'correct' GROUP BY subject;

CREATE OR REPLACE VIEW unit_states AS
    SELECT unit_id, arg_max(state, event_no) AS state, arg_max(actor, event_no) AS actor,
           arg_max(reason, event_no) AS reason, arg_max("at", event_no) AS since
    FROM standing_events GROUP BY unit_id;

CREATE OR REPLACE VIEW units_current AS
    SELECT u.id, u.account, u.category, coalesce(p.text, k.text, u.text) AS text, u.speaker, u.said_at,
           coalesce(p.state, s.state) AS state, s.reason AS state_reason, c.provider,
           c.title AS conversation, u.conversation_id, u.evidence[1].quote AS quote,
           len(u.evidence) AS said_times, u.active_branch, u.extractor, s.actor AS state_actor,
           nullif(u.text, coalesce(p.text, k.text, u.text)) AS text_before
    FROM units u
    LEFT JOIN unit_states s ON s.unit_id = u.id
    LEFT JOIN corrections k ON k.unit_id = u.id
    LEFT JOIN pending p ON p.unit_id = u.id
    LEFT JOIN conversations c ON c.conversation_id = u.conversation_id;

CREATE OR REPLACE VIEW decisions AS SELECT * FROM units_current WHERE category = 'decision';
CREATE OR REPLACE VIEW open_questions AS SELECT * FROM units_current WHERE category = 'open_question';
"""

_THREADS = """
CREATE TABLE session_summaries (
    id VARCHAR NOT NULL, account VARCHAR NOT NULL, conversation_id VARCHAR NOT NULL, text VARCHAR NOT NULL,
    short BOOLEAN NOT NULL, unit_ids VARCHAR[] NOT NULL, writer VARCHAR NOT NULL, run VARCHAR NOT NULL
);

CREATE TABLE profiles (
    conversation_id VARCHAR NOT NULL, account VARCHAR NOT NULL, terms VARCHAR[] NOT NULL,
    words VARCHAR[] NOT NULL, counts BIGINT[] NOT NULL, run VARCHAR NOT NULL
);

CREATE TABLE threads (
    id VARCHAR NOT NULL, account VARCHAR NOT NULL, label VARCHAR NOT NULL,
    conversation_ids VARCHAR[] NOT NULL, aliases VARCHAR[] NOT NULL, run VARCHAR NOT NULL
);

CREATE TABLE thread_maps (
    id VARCHAR NOT NULL, thread_id VARCHAR NOT NULL, account VARCHAR NOT NULL,
    goal STRUCT(text VARCHAR, conversation_id VARCHAR, said_at TIMESTAMPTZ, unit_ids VARCHAR[])[] NOT NULL,
    arc STRUCT(text VARCHAR, conversation_id VARCHAR, said_at TIMESTAMPTZ, unit_ids VARCHAR[])[] NOT NULL,
    turning_points STRUCT(text VARCHAR, conversation_id VARCHAR, said_at TIMESTAMPTZ,
                          unit_ids VARCHAR[])[] NOT NULL,
    in_force STRUCT(text VARCHAR, conversation_id VARCHAR, said_at TIMESTAMPTZ,
                    unit_ids VARCHAR[])[] NOT NULL,
    superseded STRUCT(text VARCHAR, conversation_id VARCHAR, said_at TIMESTAMPTZ,
                      unit_ids VARCHAR[])[] NOT NULL,
    open_questions STRUCT(text VARCHAR, conversation_id VARCHAR, said_at TIMESTAMPTZ,
                          unit_ids VARCHAR[])[] NOT NULL,
    next_steps STRUCT(text VARCHAR, conversation_id VARCHAR, said_at TIMESTAMPTZ,
                      unit_ids VARCHAR[])[] NOT NULL,
    text VARCHAR NOT NULL, unit_ids VARCHAR[] NOT NULL, written_for TIMESTAMPTZ, writer VARCHAR NOT NULL,
    run VARCHAR NOT NULL
);
"""

_MODEL_CALLS = """
CREATE TABLE model_calls (
    -- every question to a language model that was paid, or failed; `seq` is the store of answers' own
    seq BIGINT NOT NULL, key VARCHAR NOT NULL, "at" TIMESTAMPTZ NOT NULL, service VARCHAR NOT NULL,
    model VARCHAR NOT NULL, prompt VARCHAR NOT NULL, mode VARCHAR NOT NULL, batch_id VARCHAR NOT NULL,
    outcome VARCHAR NOT NULL, temperature VARCHAR NOT NULL, input_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL, cache_read_tokens BIGINT NOT NULL, cache_write_tokens BIGINT NOT NULL,
    usd DOUBLE NOT NULL, seconds DOUBLE NOT NULL, attempts BIGINT NOT NULL, run VARCHAR NOT NULL
);

CREATE TABLE fallbacks (
    -- where the offline engine spoke in place of one with a language model
    account VARCHAR NOT NULL, conversation_id VARCHAR NOT NULL, engine VARCHAR NOT NULL, key VARCHAR NOT NULL,
    reason VARCHAR NOT NULL, sentences BIGINT NOT NULL, whole BOOLEAN NOT NULL, run VARCHAR NOT NULL
);
"""

_HISTORY = """
CREATE TABLE generations (
    number BIGINT NOT NULL, published_at TIMESTAMPTZ NOT NULL, run VARCHAR NOT NULL,
    journal_seq BIGINT NOT NULL,
    -- the generation that this one is a copy of: the one before, or that of a rollback
    source BIGINT,
    -- the newest event that it has: the states of this generation are the fold up to there
    last_event BIGINT NOT NULL
);

CREATE TABLE units_before (
    -- what a unit was until a run replaced it: its row, as JSON, whatever columns it had then
    unit_id VARCHAR NOT NULL, until TIMESTAMPTZ NOT NULL, record JSON NOT NULL,
    -- the run that replaced it
    run VARCHAR NOT NULL
);
"""

_COSTS = """
CREATE VIEW costs AS
    SELECT date_trunc('day', "at") AS day, service, model, prompt, count(*) AS calls,
           sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
           round(sum(usd), 6) AS usd
    FROM model_calls GROUP BY ALL;
"""

_SIGHTINGS = """
CREATE TABLE sightings (
    -- of the exports that hold the conversation, by the newest time in each
    conversation_id VARCHAR NOT NULL, first_as_of TIMESTAMPTZ NOT NULL, last_as_of TIMESTAMPTZ NOT NULL,
    run VARCHAR NOT NULL
);

CREATE TABLE whole_exports (
    account VARCHAR NOT NULL, provider VARCHAR NOT NULL, archive_hash VARCHAR NOT NULL,
    since TIMESTAMPTZ NOT NULL, as_of TIMESTAMPTZ NOT NULL, run VARCHAR NOT NULL
);

CREATE VIEW gone_conversations AS
    WITH newest AS (
        SELECT * FROM whole_exports
        QUALIFY row_number() OVER (PARTITION BY account, provider ORDER BY as_of DESC, since) = 1
    ), known AS (
        -- vaults from before sightings have a conversation's own time in their place
        SELECT c.conversation_id, c.account, c.provider, c.title, n.as_of AS gone_since, n.archive_hash,
               coalesce(s.last_as_of, c.updated_at, c.created_at) < n.as_of AS absent
        FROM conversations c
        JOIN newest n ON n.account = c.account AND n.provider = c.provider
        LEFT JOIN sightings s ON s.conversation_id = c.conversation_id
        WHERE coalesce(s.first_as_of, c.updated_at, c.created_at) < n.as_of
          AND coalesce(c.updated_at, c.created_at) >= n.since
          AND coalesce(c.created_at, c.updated_at) <= n.as_of
    ), judged AS (
        SELECT *, count(*) FILTER (absent) OVER (PARTITION BY account, provider) AS absent_count,
               count(*) FILTER (NOT absent) OVER (PARTITION BY account, provider) AS present_count
        FROM known
    )
    SELECT conversation_id, account, provider, title, gone_since, archive_hash FROM judged
    WHERE absent AND present_count >= absent_count;
"""

_PREFIXES = """
-- one or two sentences by a language model that place the chunk in its conversation; for search only
ALTER TABLE chunks ADD COLUMN prefix VARCHAR;
"""

_PAIR_ACTS = """
CREATE OR REPLACE VIEW standing_events AS
    SELECT * FROM unit_events WHERE (unit_id, actor, "at") NOT IN (
        SELECT (subject, actor, "at") FROM acts
        WHERE kind IN ('keep', 'discard', 'accept', 'apart')
          AND id IN (SELECT detail FROM acts WHERE kind = 'undo')
    );
"""

_OVERVIEWS = """
CREATE TABLE restated_summaries (
    -- stands in the place of a summary that tells what the owner has since discarded or corrected: that one
    -- stays on record as it was written, and stands again when the act is taken back
    id VARCHAR NOT NULL, account VARCHAR NOT NULL, conversation_id VARCHAR NOT NULL, text VARCHAR NOT NULL,
    short BOOLEAN NOT NULL, unit_ids VARCHAR[] NOT NULL, writer VARCHAR NOT NULL, run VARCHAR NOT NULL
);

CREATE VIEW conversations_in_doubt AS
    -- a note of theirs was taken back by an act that is not folded yet, or was folded before summaries were
    -- told anew (the setting): what retells them waits for the next run
    WITH taken_back AS (
        SELECT unit_id FROM pending WHERE text IS NOT NULL OR state NOT IN ('passed', 'review', 'kept')
        UNION SELECT subject FROM standing_acts WHERE kind IN ('discard', 'correct')
            AND NOT EXISTS (SELECT 1 FROM settled WHERE name = 'restated_by')
    )
    SELECT DISTINCT conversation_id FROM units WHERE id IN (FROM taken_back) OR id IN (
        SELECT unit_id FROM relations_current WHERE kind = 'duplicate_of' AND other_id IN (FROM taken_back)
    );

CREATE VIEW summaries_current AS
    WITH latest AS (
        SELECT * FROM session_summaries s
        WHERE NOT EXISTS (SELECT 1 FROM restated_summaries r WHERE r.conversation_id = s.conversation_id)
        UNION ALL BY NAME SELECT * FROM restated_summaries
    )
    SELECT l.* REPLACE (
        CASE WHEN d.conversation_id IS NULL THEN l.text ELSE
            'Withheld: a note of this conversation was discarded or corrected, and the next run that writes'
            || ' into the vault (such as `mnemic ingest`) tells it anew.' END AS text,
        CASE WHEN d.conversation_id IS NULL THEN l.unit_ids ELSE [] END AS unit_ids
    ), d.conversation_id IS NOT NULL AS withheld
    FROM latest l LEFT JOIN conversations_in_doubt d ON d.conversation_id = l.conversation_id;

CREATE VIEW thread_maps_current AS
    WITH doubted AS (
        SELECT m.*, EXISTS (
            SELECT 1 FROM threads t JOIN conversations_in_doubt d
            ON list_contains(t.conversation_ids, d.conversation_id) WHERE t.id = m.thread_id
        ) AS withheld FROM thread_maps m
    )
    SELECT * REPLACE (
        CASE WHEN withheld THEN [] ELSE goal END AS goal,
        CASE WHEN withheld THEN [] ELSE arc END AS arc,
        CASE WHEN withheld THEN [] ELSE turning_points END AS turning_points,
        CASE WHEN withheld THEN [] ELSE in_force END AS in_force,
        CASE WHEN withheld THEN [] ELSE superseded END AS superseded,
        CASE WHEN withheld THEN [] ELSE open_questions END AS open_questions,
        CASE WHEN withheld THEN [] ELSE next_steps END AS next_steps,
        CASE WHEN withheld THEN [] ELSE unit_ids END AS unit_ids,
        CASE WHEN withheld THEN
            'Withheld: a note of this thread was discarded or corrected, and the next run that writes'
            || ' into the vault (such as `mnemic ingest`) maps it anew.' ELSE text END AS text
    ) FROM doubted;
"""

_ESTIMATES = """
-- what the small reader makes of a unit; NULL where no reader looked
ALTER TABLE units ADD COLUMN estimate STRUCT(good DOUBLE, whose VARCHAR, own DOUBLE, "whole" BOOLEAN);
"""

_ACCOUNTS = """
CREATE TABLE account_origins (
    -- of conversations and documents that are not of the account they came under: its name, of which ids are
    -- made and by which archives are known
    owner VARCHAR NOT NULL, account VARCHAR NOT NULL
);

-- an export lacks what came under its own name only, whoever has that now
CREATE OR REPLACE VIEW gone_conversations AS
    WITH newest AS (
        SELECT * FROM whole_exports
        QUALIFY row_number() OVER (PARTITION BY account, provider ORDER BY as_of DESC, since) = 1
    ), known AS (
        -- vaults from before sightings have a conversation's own time in their place
        SELECT c.conversation_id, c.account, c.provider, n.account AS came_as, c.title, n.as_of AS gone_since,
               n.archive_hash,
               coalesce(s.last_as_of, c.updated_at, c.created_at) < n.as_of AS absent
        FROM conversations c
        LEFT JOIN account_origins o ON o.owner = c.conversation_id
        JOIN newest n ON n.account = coalesce(o.account, c.account) AND n.provider = c.provider
        LEFT JOIN sightings s ON s.conversation_id = c.conversation_id
        WHERE coalesce(s.first_as_of, c.updated_at, c.created_at) < n.as_of
          AND coalesce(c.updated_at, c.created_at) >= n.since
          AND coalesce(c.created_at, c.updated_at) <= n.as_of
    ), judged AS (
        SELECT *, count(*) FILTER (absent) OVER (PARTITION BY came_as, provider) AS absent_count,
               count(*) FILTER (NOT absent) OVER (PARTITION BY came_as, provider) AS present_count
        FROM known
    )
    SELECT conversation_id, account, provider, title, gone_since, archive_hash FROM judged
    WHERE absent AND present_count >= absent_count;
"""

_CLOSING = """
CREATE OR REPLACE VIEW standing_events AS
    SELECT * FROM unit_events WHERE (unit_id, actor, "at") NOT IN (
        SELECT (subject, actor, "at") FROM acts
        WHERE kind IN ('keep', 'discard', 'accept', 'apart', 'close')
          AND id IN (SELECT detail FROM acts WHERE kind = 'undo')
    );

CREATE OR REPLACE VIEW conversations_in_doubt AS
    -- what was archived was said, and is told of its day: a closed question takes no summary out of sight
    WITH taken_back AS (
        SELECT unit_id FROM pending
        WHERE text IS NOT NULL OR state NOT IN ('passed', 'review', 'kept', 'archived')
        UNION SELECT subject FROM standing_acts WHERE kind IN ('discard', 'correct')
            AND NOT EXISTS (SELECT 1 FROM settled WHERE name = 'restated_by')
    )
    SELECT DISTINCT conversation_id FROM units WHERE id IN (FROM taken_back) OR id IN (
        SELECT unit_id FROM relations_current WHERE kind = 'duplicate_of' AND other_id IN (FROM taken_back)
    );
"""

_NAMES = """
CREATE TABLE note_names (
    -- the names in every note that is not rejected or discarded (`vault.name_graph`, with the two below)
    account VARCHAR NOT NULL, name VARCHAR NOT NULL, unit_id VARCHAR NOT NULL,
    conversation_id VARCHAR NOT NULL
);

CREATE TABLE name_links (
    -- kind: 'note' or 'talk', of which `shared` have both names; each link both ways
    account VARCHAR NOT NULL, name VARCHAR NOT NULL, other VARCHAR NOT NULL, kind VARCHAR NOT NULL,
    shared BIGINT NOT NULL
);

CREATE TABLE name_groups (
    account VARCHAR NOT NULL, name VARCHAR NOT NULL, circle VARCHAR NOT NULL
);
"""

MIGRATIONS: tuple[Migration, ...] = (
    Migration(1, "first ledger", FIRST),
    Migration(2, "chunks of a turn know each other", _TURNS),
    Migration(3, "relations and judgements", _RELATIONS),
    Migration(4, "the owner's acts", _ACTS),
    Migration(5, "summaries, threads and their maps", _THREADS),
    Migration(6, "model calls and fallbacks", _MODEL_CALLS),
    Migration(7, "history of generations and of units", _HISTORY),
    Migration(8, "costs by day", _COSTS),
    Migration(9, "what exports hold, and what is gone since", _SIGHTINGS),
    Migration(10, "contextual prefixes of chunks", _PREFIXES),
    Migration(11, "the owner's acts on pairs", _PAIR_ACTS),
    Migration(12, "overviews tell nothing that was taken back", _OVERVIEWS),
    Migration(13, "what the small reader makes of a unit", _ESTIMATES),
    Migration(14, "where notes lie in the taxonomy", PATHS),
    Migration(15, "accounts that were merged, renamed or split", _ACCOUNTS),
    Migration(16, "questions and actions that were closed", _CLOSING),
    Migration(17, "names, their links and circles", _NAMES),
    Migration(18, "paths that a language model named", MODEL_PATHS),
)
