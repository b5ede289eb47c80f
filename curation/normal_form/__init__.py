"""What a note says, apart from how it is worded: the normal form that near-duplicates share.

form.py           the pipeline, a list of steps from text to form
tokens.py         text -> words, numbers, marks
languages.py      articles, negations and number words of the other languages
spelling.py       contractions, hyphens, British spellings; slips.py: slips of the keyboard
substitution.py   spellings and abbreviations in one form, fillers away
numbers.py        three, 3.0, 20k, 5 pm, $20: one spelling for each value
verbs.py          tense and voice; complements.py: what follows a verb
lists.py          one order for lists of words
phrases.py        the spine in order, its adverbials as a set
constructions.py  constructions that say the same
"""
