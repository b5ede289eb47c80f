"""The run: `steps.ingest` for archives, `reprocessing.reprocess` for what the vault holds already.

`steps` is the ordered list; `batch_job` and `shared_storage` let other machines work on batches.
"""
