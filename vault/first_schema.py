"""The tables of the first ledger, on which `vault.migrations` builds."""

from __future__ import annotations

FIRST = """
CREATE TABLE settled (name VARCHAR NOT NULL, value VARCHAR NOT NULL);

CREATE TABLE runs (
    run VARCHAR NOT NULL, started_at TIMESTAMPTZ NOT NULL, finished_at TIMESTAMPTZ,
    command VARCHAR NOT NULL, versions VARCHAR NOT NULL
);

CREATE TABLE imports (
    archive_hash VARCHAR NOT NULL, archive VARCHAR NOT NULL, account VARCHAR NOT NULL,
    format VARCHAR NOT NULL, reader VARCHAR NOT NULL, work VARCHAR NOT NULL,
    conversations BIGINT NOT NULL, messages BIGINT NOT NULL,
    records BIGINT NOT NULL, records_skipped BIGINT NOT NULL, resources BIGINT NOT NULL,
    complete BOOLEAN NOT NULL,
    notes STRUCT(kind VARCHAR, reason VARCHAR, "where" VARCHAR, count BIGINT, remedy VARCHAR,
                 sample VARCHAR)[],
    imported_at TIMESTAMPTZ NOT NULL, run VARCHAR NOT NULL
);

CREATE TABLE conversations (
    conversation_id VARCHAR NOT NULL, account VARCHAR NOT NULL, provider VARCHAR NOT NULL,
    native_id VARCHAR NOT NULL, title VARCHAR, created_at TIMESTAMPTZ, updated_at TIMESTAMPTZ,
    active_leaf VARCHAR, active_leaf_stated BOOLEAN NOT NULL, owner VARCHAR, model VARCHAR, project VARCHAR,
    messages BIGINT NOT NULL, content_hash VARCHAR NOT NULL, work_key VARCHAR NOT NULL,
    archive_hash VARCHAR NOT NULL, run VARCHAR NOT NULL
);

CREATE TABLE resources (
    id VARCHAR NOT NULL, account VARCHAR NOT NULL, provider VARCHAR NOT NULL, native_id VARCHAR NOT NULL,
    title VARCHAR NOT NULL, text VARCHAR NOT NULL, created_at TIMESTAMPTZ, project VARCHAR,
    content_hash VARCHAR NOT NULL, work_key VARCHAR NOT NULL, archive_hash VARCHAR NOT NULL,
    run VARCHAR NOT NULL
);

CREATE TABLE messages (
    message_id VARCHAR NOT NULL, conversation_id VARCHAR NOT NULL, account VARCHAR NOT NULL,
    position BIGINT NOT NULL, native_id VARCHAR NOT NULL, parent VARCHAR, role VARCHAR NOT NULL,
    author VARCHAR, created_at TIMESTAMPTZ, time_as_given VARCHAR, text VARCHAR NOT NULL,
    text_hash VARCHAR NOT NULL, hidden BOOLEAN NOT NULL, gone BOOLEAN NOT NULL,
    on_active_branch BOOLEAN NOT NULL,
    attachments STRUCT(name VARCHAR, media_type VARCHAR, size BIGINT, native_id VARCHAR)[],
    raw STRUCT(content_type VARCHAR, json_text VARCHAR)[],
    -- as the reader saw them; the table `segments` has them as extraction refined them
    segments STRUCT("start" BIGINT, "end" BIGINT, origin VARCHAR, label VARCHAR)[] NOT NULL,
    run VARCHAR NOT NULL
);

CREATE TABLE segments (
    message_id VARCHAR NOT NULL, conversation_id VARCHAR NOT NULL, account VARCHAR NOT NULL,
    "start" BIGINT NOT NULL, "end" BIGINT NOT NULL, origin VARCHAR NOT NULL, label VARCHAR,
    run VARCHAR NOT NULL
);

CREATE TABLE units (
    id VARCHAR NOT NULL, account VARCHAR NOT NULL, conversation_id VARCHAR NOT NULL,
    category VARCHAR NOT NULL, text VARCHAR NOT NULL, speaker VARCHAR NOT NULL, speaker_name VARCHAR,
    evidence STRUCT(message_id VARCHAR, "start" BIGINT, "end" BIGINT, quote VARCHAR,
                    text_hash VARCHAR)[] NOT NULL,
    context STRUCT(message_id VARCHAR, "start" BIGINT, "end" BIGINT, quote VARCHAR,
                    text_hash VARCHAR)[] NOT NULL,
    said_at TIMESTAMPTZ, active_branch BOOLEAN NOT NULL, extractor VARCHAR NOT NULL,
    gate_state VARCHAR NOT NULL,
    verdicts STRUCT(criterion VARCHAR, outcome VARCHAR, reason VARCHAR)[] NOT NULL, run VARCHAR NOT NULL
);

CREATE TABLE unit_events (
    event_no BIGINT NOT NULL, unit_id VARCHAR NOT NULL, state VARCHAR NOT NULL, actor VARCHAR NOT NULL,
    reason VARCHAR NOT NULL, "at" TIMESTAMPTZ NOT NULL, run VARCHAR NOT NULL
);

CREATE TABLE chunks (
    -- a resource's chunks have its id for conversation_id and source_id
    id VARCHAR NOT NULL, account VARCHAR NOT NULL, conversation_id VARCHAR NOT NULL,
    source_id VARCHAR NOT NULL, "start" BIGINT NOT NULL, "end" BIGINT NOT NULL, text VARCHAR NOT NULL,
    level BIGINT NOT NULL, heading_path VARCHAR[] NOT NULL, governing_idea VARCHAR, parent VARCHAR,
    children VARCHAR[] NOT NULL, flags VARCHAR[] NOT NULL, content_hash VARCHAR NOT NULL, run VARCHAR NOT NULL
);

CREATE TABLE points (
    point_id VARCHAR NOT NULL, kind VARCHAR NOT NULL, ref VARCHAR NOT NULL, account VARCHAR NOT NULL,
    conversation_id VARCHAR NOT NULL, content_hash VARCHAR NOT NULL, payload_hash VARCHAR NOT NULL,
    run VARCHAR NOT NULL
);

CREATE VIEW unit_states AS
    SELECT unit_id, arg_max(state, event_no) AS state, arg_max(actor, event_no) AS actor,
           arg_max(reason, event_no) AS reason, arg_max("at", event_no) AS since
    FROM unit_events GROUP BY unit_id;

CREATE VIEW units_current AS
    SELECT u.id, u.account, u.category, u.text, u.speaker, u.said_at, s.state, s.reason AS state_reason,
           c.provider, c.title AS conversation, u.conversation_id, u.evidence[1].quote AS quote,
           len(u.evidence) AS said_times, u.active_branch, u.extractor
    FROM units u
    LEFT JOIN unit_states s ON s.unit_id = u.id
    LEFT JOIN conversations c ON c.conversation_id = u.conversation_id;

CREATE VIEW decisions AS SELECT * FROM units_current WHERE category = 'decision';
CREATE VIEW open_questions AS SELECT * FROM units_current WHERE category = 'open_question';
"""
