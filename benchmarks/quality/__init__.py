"""Counts of what the gate, the guards, threads, recorded answers and the tests let through."""
