"""Provenance of what is found, judged at fetch; `source_standing.standings` is the door."""
