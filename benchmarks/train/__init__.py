"""Training of the small models: the reader of notes and the judge of pairs (`make train`)."""
