"""Notes judged against one another: `sweep.sweep` judges, writes and publishes.

`clean_duplicates` and `clean_superseded` are its two kinds; `decisions.undo` and `decisions.accept` are the
owner's word on what they did.
"""
