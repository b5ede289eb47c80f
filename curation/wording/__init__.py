"""What a note says, apart from how it is worded: the normal form that near-duplicates share.

form.py        the pipeline, a list of steps from text to form
tokens.py      text -> words, numbers, marks
numbers.py     three, 3.0, 20k, 5 pm, $20: one spelling for each value
english.py     contractions, fillers, spellings, abbreviations, synonyms: data
verbs.py       tense and voice
languages.py   articles, negations and number words of the other languages
"""
