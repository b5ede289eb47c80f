"""One module a command; `interfaces.main` imports the one that is called."""
