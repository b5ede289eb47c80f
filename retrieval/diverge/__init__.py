"""Two analysts on one prompt: depth and breadth, each with a package of its own, and how far they agree.

`analysts.py` assembles the two packages, neither knowing of the other; `agreement.py` compares them.
"""
