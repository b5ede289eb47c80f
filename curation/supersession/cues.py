"""Words that announce a change, an end, a correction, an exception or a supposition: data.

English first; the other languages have the cues that are plain there. A phrase is matched at word borders.
"""

from __future__ import annotations

import re

from curation.wordlists import words


def pattern(text: str) -> re.Pattern[str]:
    """One expression for the phrases of a text, parted by semicolons; `*` stands for the rest of a word."""
    phrases = (" ".join(phrase.split()) for phrase in text.split(";"))
    ordered = sorted(filter(None, phrases), key=len, reverse=True)
    body = "|".join(re.escape(phrase).replace(r"\*", r"\w*").replace(r"\ ", r"\s+") for phrase in ordered)
    return re.compile(rf"(?<!\w)(?:{body})(?!\w)", re.IGNORECASE)


FIRM = pattern(
    """
    switched; switching; switched to; changed my mind; changed her mind; changed his mind; changed our
    mind; changed our minds; change of mind; changed to; has changed; have changed; from now on; going
    forward; as of now; replaced; replacing; take over from; took over from; moved from; moved back; moved
    to; relocated; migrated; migrating; rescheduled; postponed; pushed back; pushed to; pushed out;
    brought forward; moved up; delayed; extended; slipped; bumped; raised to; lowered to; reduced to;
    increased to; cut to; went up; went down; came down to; upgraded; downgraded; renamed; rebranded;
    dropped; dropping; scrapped; scrapping; abandoned; ditched; ditching; called off; gave up; given up;
    giving up; withdrew; withdrawn; revoked; reversed; reverted; rolled back; undid; decided against;
    decided not to; backed out; opted out; after all; reconsidered; on second thought; on reflection; went
    back to; going back to; returned to; new plan; revised; amended; superseded; overridden; in favor of;
    in favour of; swapped; swapping; traded; ruled out; repealed; never mind; called it off; not
    happening; correction; correct that; i was wrong; we were wrong; had it wrong; had that wrong;
    misspoke; misremembered; has moved; have moved; moved the; moved our; moved my; moved its; moved
    their; rose to; grew to; has grown to; have grown to; fell to; dropped to; rewrote; rewritten;
    typo; mix-up; mixup; should read; should have said; should have been; the correct; correctly; on
    closer look; looked it up; double-checked; checked again; in truth; in reality; confused; oops; my
    error; made an error; by mistake; i misspoke; got it wrong; have since; has since; jumped to; climbed
    to; doubled to; halved to; up from; down from; went from; rebuilt; ported; sorry; was incorrect;
    were incorrect; note was wrong; converted to; turned down; rather not; would rather; no longer want;
    misread; misheard; miscounted; mistaken; mistakenly; my mistake; i meant; turns out; turned out;
    contrary to; scratch that; strike that; got that wrong; mixed up; mixed them up; in fact; actually; it
    is really; nicht mehr; doch nicht; ab jetzt; gewechselt; umgestiegen; verschoben; abgesagt; ersetzt;
    eigentlich; habe mich geirrt; désormais; finalement; reporté; annulé; remplacé; en fait; me suis
    trompé; al final; aplazado; cancelado; cambiado; reemplazado; en realidad; me equivoqué; rinviato;
    annullato; in realtà; na verdade; adiado
    """
)
"""Says that something was changed, or was wrong."""
SOFT = pattern(
    """
    no longer; not anymore; not any more; anymore; any more; instead; now; is now; are now; used to;
    stopped; quit; currently; will be; these days; up to; down to; settled on; ended up; decided on;
    stattdessen; jetzt; inzwischen; ne plus; maintenant; au lieu; ya no; ahora; en lugar de; en vez de;
    non più; invece; ora; adesso; agora; já não; não mais
    """
)
"""Says how it is now, of the same or of something else: it counts where nearly all the rest is the same."""
REPLACED = pattern(
    """
    instead of; rather than; in place of; replaced; replacing; replaces; dropped; dropping; ditched; scrapped;
    not; from; over; statt; anstatt; nicht; au lieu de; pas; en lugar de; en vez de; invece di
    """
)
"""What follows is what had been before."""
GOVERNED = {
    "from": pattern(
        "switched; switching; moved; moving; changed; changing; migrated; migrating; went; gone; rescheduled"
    ),
    "over": pattern("chose; chosen; choose; picked; pick; prefer; preferred; selected; went with; favor*"),
    "not": re.compile(r"(?:,|\b(?:and|but|is))\s*$", re.IGNORECASE),
}
"""Words of replacement that are such only after these: `the letter from the bank` replaces no bank."""
DENIED = re.compile(r"(?:\bnot|n't|\bnever|\bno)(?:\s+\w+)?\s+$", re.IGNORECASE)
"""Stands before words of change that are denied: `was not postponed`."""
SUBORDINATE = re.compile(r"\b(?:while|until|unless|when|if|before)\b[^,;.]*$", re.IGNORECASE)
"""Stands before words of change that are only a circumstance: `is closed while the pump is replaced`."""
MOVED = pattern(
    """
    moved to; moved from; moved back; moved up; has moved; have moved; moved the; moved our; moved my;
    moved its; moved their; relocated; rescheduled; postponed; pushed back; pushed to; pushed out; brought
    forward; delayed; extended; slipped; bumped; verschoben; reporté; aplazado; rinviato; adiado
    """
)
"""Changes a time or a place: what the older note says is changed only if it names one."""
UNDER_WAY = pattern(
    """
    can; will; would; about to; going to; off to; heading; on the way; not yet; trying to

    """
)
"""Says that something is not done yet."""
INTENT = pattern(
    """
    will; going to; plan to; plans to; planned to; planning to; intend; intends; intended; want to; wants
    to; wanted to; would like; i'd like; we'd like; decided; decide; aim to; aims to; mean to; am getting;
    are getting; werde; wollen; möchte; vais; allons; voy a; vamos a
    """
)
"""Says what somebody means to do."""
GIVEN_UP = pattern(
    """
    decided against; decided not to; gave up; given up; giving up; dropped; dropping; scrapped; scrapping;
    abandoned; ditched; called off; backed out; opted out; skip; skipping; skipped; cancelled; canceled;
    cancelling; canceling; withdrew; turned down; changed my mind; changed our minds; not happening;
    staying with; stay with; keep; keeping; instead of; rather than
    """
)
"""Says that it will not be done."""
CHOICE = pattern(
    """
    chose; choose; chosen; choosing; picked; pick; picking; use; uses; using; go with; going with; went
    with; settled on; decided on; opted for; book; booked; booking; hire; hired; hiring; selected; want;
    wants; prefer; prefers; take; took; taking; order; ordered; host; hosted; run on; runs on
    """
)
"""Says what was chosen, where one thing has one choice."""
PLANNED = pattern("planned; plan; plans; scheduled; due; deadline; will; set for; appointment; in progress")
"""Says that something has a time, without naming it."""
GREW = pattern(
    """
    rose; rises; grew; grown; raised; lowered; increased; reduced; went up; went down; turned; up to; down
    to; fell; climbed; doubled; dropped to; new; as of
    """
)
"""Says that an amount is another one now."""
RESIZED = pattern(
    """
    raised to; lowered to; reduced to; increased to; cut to; went up; went down; came down to; rose to;
    grew to; has grown to; have grown to; fell to; dropped to; upgraded; downgraded; jumped to; climbed
    to; doubled to; halved to; up from; down from
    """
)
"""Changes an amount."""
END = pattern(
    """
    done; finished; completed; complete; fixed; resolved; solved; shipped; submitted; sent; paid; booked;
    bought; signed; delivered; deployed; merged; released; launched; closed; handed in; filed; passed;
    renewed; cancelled; canceled; repaired; installed; cleaned; cleared; returned; received; arrived;
    ordered; works again; work again; works now; works; pass; reopened; granted; approved; over; ended;
    expired; behind us; is in; went out; sorted; has been done; already; found;
    erledigt; fertig; abgeschlossen; bezahlt; gebucht; terminé; fini; payé; hecho; terminado; pagado
    """
)
SETTLED = pattern(
    "fixed; repaired; resolved; solved; complete; completed; finished; done; over; closed; settled"
)
"""Ends a thing as a whole: one noun in common is then enough."""
STEMS_OF_CHANGE = words(
    """
    switch chang replac move mov relocat migrat reschedul postpon push delay extend slip rais lower reduc
    increas cut upgrad downgrad renam drop scrap abandon ditch giv gav withdraw revok revers revert decid
    reconsid return plan revis amend swap trad correct wrong mistaken mean turn longer stop quit need want
    finish complet fix resolv done submit
    """
)
"""What says that something changed or ended, by its stem."""
SUPPOSITION = pattern(
    """
    if; what if; might; may; maybe; perhaps; could; would; wonder; wondering; considering; consider;
    thinking about; thinking of; toying with; suppose; supposing; assuming; imagine; hypothetically; in
    theory; possibly; not sure; unsure; tempted; leaning; let's say; were to; unless; in case; debating;
    weighing; dream; wish; wants; hope; hopes; tentatively; potentially; vielleicht; könnte; falls; wenn;
    würde; überlegt; überlege; peut-être; pourrait; si; serait; quizás; tal vez; podría; sería; forse;
    potrebbe; talvez; poderia
    """
)
EXCEPTION = pattern(
    """
    next week; this coming; because of the; due to the; just for now; only until; on leave; this year
    only; this week; this month; this time; this once; just once; just this; only this; for now; for the
    moment; for the time being; temporarily; temporary; today only; tonight only; only today; only
    tonight; one-off; one off; one time; exception; except; for once; while * away; until * back; as a
    test; for the holidays; during the holidays; over the holidays; just for; only for; on vacation; on
    holiday; for one day; for a day; for a week; for two weeks; for this; this friday; this monday; this
    tuesday; this wednesday; this thursday; this saturday; this sunday; this weekend; today; tonight;
    tomorrow; yesterday; once; this morning; this afternoon; this evening; diese woche; nur heute;
    ausnahmsweise; vorübergehend; cette semaine; exceptionnellement; temporairement; esta semana; por
    ahora; temporalmente
    """
)
ADDITION = pattern(
    """
    also; as well; additionally; in addition; plus; both; besides; along with; alongside; another;
    a second; extra; on top of; auch; zusätzlich; außerdem; aussi; également; en plus; también;
    además; anche; também
    """
)
"""Says that it is so beside the rest."""
MORE = re.compile(r"(?<!any )(?<!no )\bmore\b(?! than)|\btoo\b(?=\s*(?:[,.;!)]|$))", re.IGNORECASE)
"""Adds too, but for `any more`, `more than` and `too slow`."""
CONTRAST = pattern(
    """
    whereas; while; although; though; even though; but; despite; yet; unlike; compared; versus; however;
    on the other hand; still; während; obwohl; aber; trotzdem; tandis que; bien que; mais; mientras;
    aunque; pero; mentre; mas
    """
)
ACTION = pattern(
    """
    need to; needs to; needs; need; applying; half; unpaid; broken; fails; fail; have to; has to; must;
    should; will; plan to; plans to; planning to; going to; to
    do; todo; remember to; want to; wants to; has yet to; have yet to; not yet; yet; still; pending; waiting;
    remains; unfinished; open; in progress; working on; started; is writing; is reading; is applying;
    looking for; searching for;
    muss; soll; wird; noch; doit; devons; va; debe; tiene que; va a; todavía
    """
)
