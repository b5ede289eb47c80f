"""Does a newer note take an older one's place? Candidates by subject, then a judge.

gist.py         what a note is about, and what it says of it
cues.py         words that announce a change, an exception, a supposition: data
named.py        what two notes have in common that names a thing
rules.py        the offline judge: a list of rules, each with its reason
                (keeping.py, retiring.py, revaluing.py; signs.py: what several of them look for)
model.py        a language model as the judge
candidates.py   which pairs are worth judging: same account, same subject, a newer date
"""
