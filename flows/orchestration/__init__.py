"""Prefect flows around the plain steps: the one room that imports Prefect.

`ingest_flows`, `sweep_flows` and `upkeep_flows` are the flows; `timetable` says which runs when,
`serving.serve_flows` serves them.
"""
