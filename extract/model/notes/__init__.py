"""Notes by a language model: `claim_checks.judged` turns a window's answer into units.

A conversation becomes numbered sentences (`numbering`), a run of them a question (`note_windows`), and an
answer's line a claim (`claims`) with its quote (`quotes`).
"""
