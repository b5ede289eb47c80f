"""What two notes of one person are to one another.

pair.py             an older and a newer note, and what a judge says of them
candidate_pairs.py  which pairs are worth judging: notes that share rare stems
guards.py           what no judge overrules: numbers, negations, names, doubts, who may retire whose words
reversals.py        which statements of one talk, or thread, may take one another back
small_judge.py      a fine-tuned encoder that reads both notes at once
near_duplicates.py  notes that say the same become one
model_judge.py      a language model on whether a note takes another's place
model_sameness.py   a language model on duplicates of which the small judge is in doubt
contrast.py         notes that are worded alike but for what they claim
"""
