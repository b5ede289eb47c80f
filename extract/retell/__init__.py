"""What is told of many notes, by rule.

`session_summary.summarise` tells a conversation, `thread_map.thread_map` a thread. Their siblings by a
language model are in `extract.model`.
"""
