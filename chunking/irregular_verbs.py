"""The forms of English verbs that no rule gives."""

from __future__ import annotations

from chunking.wordlists import words

_IRREGULAR = """
be was were been|begin began begun|bend bent|bite bit bitten|blow blew blown|break broke broken
bring brought|build built|burn burnt|buy bought|catch caught|choose chose chosen|come came|cost|cut
deal dealt|dig dug|do did done|draw drew drawn|dream dreamt|drink drank drunk|drive drove driven
eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|fly flew flown
forbid forbade forbidden|forget forgot forgotten|freeze froze frozen|get got gotten|give gave given
go went gone|grow grew grown|hang hung|have had|hear heard|hide hid hidden|hit|hold held|hurt
keep kept|know knew known|lay laid|lead led|learn learnt|leave left|lend lent|let|lie lay lain
light lit|lose lost|make made|mean meant|meet met|pay paid|put|quit|read|ride rode ridden
ring rang rung|rise rose risen|run ran|say said|see saw seen|sell sold|send sent|set
shake shook shaken|shoot shot|show shown|shut|sing sang sung|sink sank sunk|sit sat|sleep slept
speak spoke spoken|spend spent|split|spread|stand stood|steal stole stolen|stick stuck|swim swam swum
take took taken|teach taught|tear tore torn|tell told|think thought|throw threw thrown
understand understood|wake woke woken|wear wore worn|win won|write wrote written
rewrite rewrote rewritten|undo undid undone|rebuild rebuilt|redo redid redone
withdraw withdrew withdrawn|upset|overcome overcame|seek sought|swear swore sworn|weave wove woven
"""
PAST_FORMS = {
    form: verb.split()[0]
    for verb in _IRREGULAR.replace("\n", "|").split("|")
    if verb
    for form in verb.split()[1:]
}
"""Past and participle to the verb."""

SAME_IN_PAST = words("cost cut hit hurt let put quit read set shut split spread upset")
