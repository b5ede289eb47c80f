"""German cue phrases, by the sign they give."""

from __future__ import annotations

from extract.languages.lexicon import Cue, Sign, cue

CUES: tuple[Cue, ...] = (
    cue(
        Sign.HEDGE,
        "vielleicht / eventuell / evtl / möglicherweise / womöglich / wahrscheinlich / vermutlich",
        "wohl / unter umständen",
        "nicht sicher / unsicher / keine ahnung ob / weiß nicht / weiss nicht / weiß noch nicht",
        "bin mir nicht / nicht ganz sicher / unschlüssig",
        "ich glaube / glaube ich / ich denke / denke ich / ich meine / ich nehme an / ich schätze",
        "ich vermute / ich finde / scheint / kommt mir",
        "überlege / überlegen / am überlegen / wir überlegen / spiele mit dem gedanken",
        "denke darüber nach / ich tendiere / tendiere / neige dazu / liebäugle / in erwägung",
        "könnte / könnten / würde gern / würde gerne / wäre schön / wäre gut / wäre vielleicht",
        "irgendwann / irgendwie / wollte eigentlich / was wenn / was wäre wenn / hoffentlich",
        "angeblich / im prinzip",
    ),
    cue(
        Sign.TURNS,
        "(mich|uns) umentschieden / doch anders / planänderung / meinung geändert / kommando zurück",
    ),
    cue(
        Sign.SUPPOSED,
        "angenommen / gesetzt den fall / nehmen wir an / mal angenommen / stell dir vor",
        "stellen wir uns vor",
        "rein hypothetisch / hypothetisch / wenn (ich|wir) (mich|uns) _ hätte / hätte ich / hätten wir",
        "fast hätte",
        "wenn (ich|wir) hätte / wenn (ich|wir) _ entschieden (hätte|hätten)",
    ),
    cue(
        Sign.JEST,
        "nur spaß / nur ein scherz / war (nur|bloß|) (ein|) (spaß|witz|scherz) / kleiner scherz / scherz $",
    ),
    cue(
        Sign.POSTPONED | Sign.HEDGE,
        "mal sehen / mal schauen / schauen wir / sehen wir dann / überlege ich mir",
        "muss ich überlegen / noch überlegen / drüber schlafen / darüber schlafen",
        "später entscheiden / entscheide ich später / lassen wir offen / verschieben",
        "erstmal nicht / noch nicht / ein andermal / vertagen",
    ),
    cue(
        Sign.COMMIT,
        "entschieden / entscheide mich / entscheiden uns / wir nehmen / ich nehme / nehmen wir",
        "nehme ich / machen wir so / so machen wir / bleibt es / bleiben wir / bleibe ich",
        "bleibt bei / bleibe bei / steht fest / abgemacht / beschlossen / festgelegt",
        "wir bleiben / wird es / dann also / also dann / lieber / stattdessen / ab jetzt",
        "ab sofort / fällt weg / fällt raus / ist raus / raus $ / gestrichen / streichen",
        "streichen wir / kommt nicht infrage / kommt nicht in frage / vom tisch / auf keinen fall",
        "nicht mehr / wähle / wir wählen / wir verzichten / ich verzichte / verzichte",
        "verzichten / ich will / gewählt / es bleibt / es wird",
    ),
    cue(
        Sign.ASSENTS,
        "^ (ja|ok|okay|gut|genau|klar|super|einverstanden|passt|perfekt|abgemacht|top|gerne|gern)",
        "ja $ / gern $ / gerne $ / passt $ / ok $",
    ),
    cue(Sign.TAKES_UP, "dann $ / ^ (ok|okay|gut|einverstanden|abgemacht) / ja $ / , passt $ / stattdessen $"),
    cue(
        Sign.ACCEPT,
        "passt so / passt mir / gute idee / mach das / machen wir so / so machen wir / bin dabei",
        "ist ok / ist in ordnung / in ordnung / wie vorgeschlagen / wie du sagst",
    ),
    cue(
        Sign.REJECT,
        "^ (nein|nee|nö|kein|keine|keinen) / lieber nicht / doch nicht / nein $ / auf keinen fall",
        "nicht für mich / lass / vergiss / kommt nicht / weg damit / will ich nicht",
        "brauche ich nicht / brauchen wir nicht",
    ),
    cue(
        Sign.OBLIGATION,
        "muss / müssen / musst / müsst / musste / müsste / müssten / ist nötig / nötig",
        "notwendig / erforderlich / verpflichtet / pflicht / vorgeschrieben / braucht / brauchen",
        "brauche / benötigt / benötigen / verlangt / zwingend / unbedingt / vorausgesetzt",
        "ist pflicht / soll / sollen / hat zu / haben zu",
    ),
    cue(
        Sign.LIMIT,
        "höchstens / mindestens / maximal / minimal / maximum / minimum / bis zu #",
        "nicht mehr als / nicht länger als / nicht über / unter # / über # / ab # / bis #",
        "grenze / limit / obergrenze / budget / frist / deadline / spätestens / nur #",
        "nur noch # / habe nur / haben nur / innerhalb",
        (
            "bis (montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|ende|anfang|mitte|"
            "januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)"
        ),
        "vor dem # / allergisch / vegan / vegetarisch / ausschließlich",
    ),
    cue(
        Sign.BAN,
        "darf nicht / darf _ nicht / darf _ _ nicht / dürfen _ nicht / dürfen nicht / darf kein",
        "darf keine / kann nicht / können nicht",
        "kann kein / geht nicht / verboten / nicht erlaubt / niemals / nie / unmöglich",
        "will nicht / wollen nicht / will kein / will keine / will keinen / möchte nicht",
        "möchte kein / möchte keine / möchte keinen / möchten kein / auf keinen fall",
        "nicht möglich / ausgeschlossen / vermeiden / hasse / keine lust",
    ),
    cue(
        Sign.OWN_FUTURE,
        "ich werde / wir werden / werde ich / werden wir / ich rufe / rufe ich / ich frage",
        "frage ich / ich schreibe / schreibe ich / ich schicke / schicke ich / ich melde",
        "melde ich / ich kaufe / kaufe ich / ich bestelle / bestelle ich / ich buche / buche ich",
        "ich kümmere / kümmere ich / ich prüfe / prüfe ich / ich besorge / besorge ich / ich hole",
        "hole ich / muss ich noch / ich muss noch / muss noch",
        "ich muss (anrufen|fragen|schreiben|buchen|bestellen) / ich gehe / ich mache / ich stelle",
        "stelle ich / ich reiche / reiche ich / ich kündige / ich zahle / ich trage",
    ),
    cue(
        Sign.SOON,
        "morgen / heute abend / übermorgen / nächste (woche|mal)",
        "nächsten (monat|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)",
        "am (montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|wochenende)",
        "diese woche / bald / demnächst / nachher / später",
    ),
    cue(
        Sign.TASK,
        "todo / to-do / aufgabe / zu erledigen / nicht vergessen / erinnere mich / noch offen",
        "bitte (senden|schicken|bestätigen|mitbringen|überweisen)",
    ),
    cue(
        Sign.ADVICE,
        "^ ich würde / empfehle / ich empfehle / würde ich / empfiehlt sich / empfehlenswert",
        "schlage vor / vorschlag / rate / am besten / besser wäre / besser ist / du könntest",
        "du kannst / du solltest / sie können / sie könnten / sie sollten / ihr könnt / solltest",
        "sollte / sollten / könntest / könnte / könnten / lohnt sich / eine alternative",
        "eine möglichkeit / eine option / probier / probiere / versuche / nimm / nutze / achte",
        "reicht / genügt / warum nicht / wie wäre",
    ),
    cue(Sign.POSSIBLE, "könnte / könnten / kann / können / möglich / möglicherweise"),
    cue(Sign.NOVEL, "idee / ideen / wie wäre / was wäre wenn / vorschlag / mir kam / stell dir vor"),
    cue(
        Sign.ASKS,
        (
            "^ (was|wer|wen|wem|wann|wo|wohin|woher|warum|wieso|weshalb|wie|welche|welcher|welches|"
            "welchen|wieviel|womit|wofür|worauf|ab wann|bis wann|seit wann)"
        ),
        (
            "^ (ist|sind|kann|können|muss|müssen|soll|sollte|sollen|darf|dürfen|hat|haben|gibt|geht|"
            "wird|werden|bin|habe|lohnt|gilt|brauche|brauchen|zählt|reicht) (ich|du|er|sie|es|wir|"
            "ihr|man|das|der|die|ein|eine|sich|mein|meine|dann|da)"
        ),
        "weiß nicht (wie|was|wann|wo|ob|welche|warum)",
        "keine ahnung (wie|was|wann|wo|welche|warum) / frage mich / oder $ / oder nicht / gibt es",
        "geht das",
    ),
    cue(
        Sign.REQUEST,
        "kannst du / könntest du / können sie / könnten sie / würdest du / bitte / hilf mir",
        "erklär mir / erkläre mir / sag mir / zeig mir / gib mir / schreib mir",
        (
            "ich brauche (eine|einen|ein) (liste|plan|übersicht|vorlage|entwurf|erklärung|"
            "zusammenfassung|beispiel)"
        ),
    ),
    cue(
        Sign.REPORTED,
        (
            "(sagt|sagte|sagen|meint|meinte|meinen|findet|will|wollte|behauptet|schreibt|schrieb|"
            "empfahl|empfiehlt|fordert|laut|zufolge|erzählt|besteht)"
        ),
    ),
    cue(
        Sign.PREFERENCE,
        "ich mag / wir mögen / ich liebe / ich will / wir wollen / ich möchte / wir möchten",
        "ich hätte gern / hätte gerne / am liebsten / bevorzuge / ich hasse",
    ),
    cue(
        Sign.WRAPPER,
        "gute frage / sehr gute frage / tolle frage / schöne frage / gern / gerne / natürlich",
        "selbstverständlich / klar / hier ist / hier sind / hier kommt / hier ein / hier eine",
        "schauen wir / gehen wir / ich hoffe / sag bescheid / sag einfach / melde dich",
        "lass mich wissen / soll ich / möchtest du / willst du / brauchst du / wenn du möchtest",
        "wenn du willst / verstehe / ich verstehe / das klingt / klingt gut / viel erfolg",
        "viel spaß / viel glück / glückwunsch / herzlichen glückwunsch / kein problem / super",
        "perfekt / prima / alles klar / zusammengefasst / kurz gesagt / du hast recht",
        "sie haben recht / tut mir leid / entschuldigung",
    ),
    cue(
        Sign.COURTESY,
        (
            "^ (hallo|hi|hey|guten morgen|guten tag|guten abend|liebe|lieber|sehr geehrte|sehr "
            "geehrter|moin|servus)"
        ),
        "danke / vielen dank / dankeschön / grüße / viele grüße / liebe grüße",
        "mit freundlichen grüßen / mfg / lg / tschüss / bis bald / bis dann / schönen tag",
        "schönes wochenende / haha / lol",
    ),
    cue(Sign.EXAMPLE, "^ (zum beispiel|z.b|etwa|beispielsweise|d.h|das heißt|wie)"),
    cue(
        Sign.OPTIONS,
        "option / optionen / idee / ideen / plan / schritt / schritte / vorschlag / vorschläge",
        "alternative / alternativen / empfehlung / empfehlungen / tipp / tipps / möglichkeit",
        "möglichkeiten / lösung / lösungen / zeitplan / was ich tun würde / so gehst du vor",
        "vorgehen / ablauf",
    ),
    cue(
        Sign.REFERENCE,
        "das / dies / es / den plan / der plan / der rest / dein / deine / beide / beides",
        "die erste / die zweite / variante / option",
    ),
)
