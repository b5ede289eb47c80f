"""One module a format; the registry lists them."""
