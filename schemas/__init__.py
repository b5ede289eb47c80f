"""The nouns of mnemic: frozen models, content-derived ids, and the errors. Imports nothing of the project."""
