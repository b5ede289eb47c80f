"""The fault suite: what a vault survives, drill by drill, with counts."""
