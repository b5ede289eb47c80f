"""How a run says what it does and did.

`progress.Progress` while it works, `run_summary.RunSummary` afterwards, `run_page.write_report` as a page of
HTML. Nothing here imports another room of the flows.
"""
