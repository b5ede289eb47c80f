"""Whether a model's text keeps to its source.

`unsupported.unfaithful` is the list of checks; the other modules are what it looks at.
"""
