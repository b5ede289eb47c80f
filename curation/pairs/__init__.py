"""What two notes of one person are to one another.

pair.py        an older and a newer note, and what a judge says of them
guards.py      what no judge overrules: numbers, negations, names, doubts, who may retire whose words
judge.py       the small judge: a fine-tuned encoder that reads both notes at once
model_judge.py a language model as the judge
candidates.py  which pairs are worth judging: notes that share rare stems
"""
