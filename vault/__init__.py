"""The vault: ledger (DuckDB), index (Qdrant), generations, and the journal of the owner's acts."""

from schemas.library_settings import settle_libraries

# the client of a Qdrant server imports fastembed where that is installed, and that onnxruntime
settle_libraries()
