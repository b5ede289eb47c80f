"""Function words that say nothing about whether two texts carry the same content."""

from __future__ import annotations

from chunking.wordlists import words

_ENGLISH = words(
    """
a about after again all am an and any are as at be because been before being but by can could did do does
doing down each for from further had has have having he her here hers him his how i if in into is it its
itself just me more most my no nor not now of off on once only or other our ours out over own same she
should so some such than that the their theirs them then there these they this those through to too under
until up very was we were what when where which while who whom why will with would you your yours may
might must shall also i'm i'll i'd i've it's that's there's don't doesn't didn't isn't aren't can't won't
you're you'll we're we'll they're
"""
)

_SPANISH = words(
    """
el la los las un una unos unas de del a al y o e u en con por para que se su sus lo le les me te nos es
son ser está están muy más pero como si no ya mi tu este esta esto ese esa eso hay
"""
)

_GERMAN = words(
    """
der die das den dem des ein eine einen einem einer eines und oder aber in im an am auf aus bei mit nach
von vom zu zum zur für ist sind sein war wird werden ich du er sie es wir ihr nicht auch noch nur so wie
dass als wenn man
"""
)

_FRENCH = words(
    """
le la les un une des de du et ou mais dans en sur avec pour par que qui ce cette ces il elle on nous vous
ils elles est sont être ne pas plus au aux se sa son ses je tu y
"""
)

STOP_WORDS = frozenset(_ENGLISH) | frozenset(_SPANISH) | frozenset(_GERMAN) | frozenset(_FRENCH)
"""English, Spanish, German and French, the languages that mnemic is used in most."""
