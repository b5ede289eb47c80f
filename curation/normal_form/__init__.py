"""What a note says, apart from how it is worded: the normal form that near-duplicates share.

form.py           the pipeline, a list of steps from text to form
word_tokens.py    text -> words, numbers, marks
spelling/         one spelling for each word; abbreviations, fillers, slips of the keyboard, other languages
numbers.py        three, 3.0, 20k, 5 pm, $20: one spelling for each value
verbs.py          tense and voice; complements.py: what follows a verb
enumerations.py   one order for lists of words
phrases.py        the spine in order, its adverbials as a set
constructions.py  constructions that say the same
"""
