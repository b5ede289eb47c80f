"""How long each stage takes, by itself."""
