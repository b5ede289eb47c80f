"""What each language's words do. A new language is one new file here and one line in `registry.LANGUAGES`."""
