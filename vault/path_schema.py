"""The ledger's tables of paths, as `vault.migrations` applies them: a released one is never edited."""

from __future__ import annotations

PATHS = """
CREATE TABLE filed_paths (
    -- where a note's own words file it; what the owner did about that is in `acts`
    unit_id VARCHAR NOT NULL, account VARCHAR NOT NULL, path VARCHAR NOT NULL, likeness DOUBLE NOT NULL,
    -- of the point whose vector was filed: where it is another, the note is filed again
    content_hash VARCHAR NOT NULL, run VARCHAR NOT NULL
);

CREATE TABLE note_paths (
    -- where passed and kept notes lie now, in two trees: `paths`, as filed and as the owner moved them, and
    -- `timeline`, by the day they were said; in the order of path, by which it is searched
    account VARCHAR NOT NULL, tree VARCHAR NOT NULL, path VARCHAR NOT NULL, unit_id VARCHAR NOT NULL,
    text VARCHAR NOT NULL, category VARCHAR NOT NULL, state VARCHAR NOT NULL, said_at TIMESTAMPTZ
);

CREATE TABLE path_counts (
    -- of each beginning of a path, cut to 1, 2 or 3 names: how many paths begin so, how many notes lie there
    account VARCHAR NOT NULL, tree VARCHAR NOT NULL, depth BIGINT NOT NULL, prefix VARCHAR NOT NULL,
    keys BIGINT NOT NULL, notes BIGINT NOT NULL, sample VARCHAR NOT NULL
);
"""

MODEL_PATHS = """
CREATE TABLE model_paths (
    -- the paths that the engine's language model named for a note beside writing it, the likest first
    account VARCHAR NOT NULL, conversation_id VARCHAR NOT NULL, unit_id VARCHAR NOT NULL,
    path VARCHAR NOT NULL, place BIGINT NOT NULL, filer VARCHAR NOT NULL, run VARCHAR NOT NULL
);

-- NULL where a language model named the path: it says no likeness
ALTER TABLE filed_paths ALTER COLUMN likeness DROP NOT NULL;
"""
