"""Settings: `known_settings` names them, `sources.apply_file` reads the owner's file."""
