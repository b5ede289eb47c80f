"""The vault: ledger (DuckDB), index (Qdrant), generations, and the journal of the owner's acts."""

from schemas.telemetry import refuse_telemetry

# the client of a Qdrant server imports fastembed where that is installed, and that onnxruntime
refuse_telemetry()
