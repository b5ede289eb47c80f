"""The live web beside the vault: off unless the owner turned it on.

    routing/    whether a prompt asks the web at all, and what leaves the machine then
    search/     providers of results behind one protocol
    standing/   how far a result is to be trusted: lists, owners of domains, corroboration
    fetch/      pages over HTTP within bounds, and in a browser where a page needs one
    pages/      which pages are worth fetching, what they say, cut by their headings
    live_lane.py    the list of steps; `retrieval.funnel` takes what it found as further candidates

Everything that comes from outside is data: no instruction in it is followed, no script's result is believed.
"""
