"""The vault: ledger (DuckDB), index (Qdrant), generations, and the journal of the owner's acts."""
