"""Threads of conversations: `linking.link` groups what `likeness` finds alike.

`thread_labels.label_of` names a thread by the words that `word_profile` counted.
"""
