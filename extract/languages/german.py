"""German, at clause level."""

from __future__ import annotations

from extract.languages.german_cues import CUES
from extract.languages.lexicon import Language, Tag, Voice, lexicon
from extract.wordlists import pairs, words

_WEAK = words(
    """
lohnen abgeben achten anmelden aufhören backen basteln bedeuten beeilen begleiten behandeln bereiten
besorgen bewerten bezweifeln bilden blühen danken drehen düngen ernten erhöhen eröffnen ersparen erwarten
feiern gießen grüßen gründen heilen holen jäten joggen kehren klingeln klären kümmern kürzen lachen
leisten lüften mahlen mischen nähen nerven ordnen parken pflegen posten putzen rauchen rennen richten
rühren schalten schmecken schneiden schulen schützen setzen sorgen spülen stärken stecken sterben steigen
streichen stützen surfen tanken tanzen trainieren trauen umziehen verbrauchen vergessen vermeiden
verschieben versichern verzichten wachen waschen wechseln wecken weinen werben wiegen wirken zielen
zögern züchten absetzen abschließen anschaffen einreichen einstellen anrufen ändern antworten arbeiten
bauen bestellen bezahlen brauchen buchen dauern decken diskutieren drucken einigen erklären erlauben
erreichen erzählen fehlen folgen fragen fühlen führen funktionieren gehören glauben heizen hoffen hören
informieren installieren kaufen klappen kochen kosten kündigen lagern landen leben legen lernen lieben
liefern löschen machen meinen melden merken mieten nutzen organisieren packen passen passieren pflanzen
planen probieren prüfen rechnen reden regeln reichen reisen reparieren sagen sammeln schaffen schauen
schicken setzen sparen speichern spielen starten stellen stimmen stören suchen tauschen teilen testen
träumen trennen üben verdienen verkaufen versuchen vermieten wählen wandern warten wechseln wohnen
wünschen zahlen zählen zeigen zweifeln überlegen verlangen enthalten gelten benötigen ergänzen entfernen
sichern melden schulden steuern versteuern verdienen beantragen berechnen bestätigen buchen ersetzen
erzeugen kontaktieren
"""
)

_FINITE_FORMS = words(
    """
bin bist ist sind seid war waren wäre wären habe hast hat haben habt hatte hatten hätte hätten werde
wirst wird werden werdet wurde wurden würde würden kann kannst können könnt konnte konnten könnte könnten
muss musst müssen müsst musste mussten müsste müssten soll sollst sollen sollt sollte sollten darf darfst
dürfen durfte durften dürfte will willst wollen wollt wollte wollten mag magst mögen mochte möchte
möchten gibt gab gäbe geht gehe gehen ging gingen kommt komme kommen kam kamen nimmt nehme nehmen nahm
nahmen steht stehe stehen stand standen liegt liege liegen lag lagen bleibt bleibe bleiben blieb blieben
fährt fahre fahren fuhr fuhren läuft laufe laufen lief hält halte halten hielt findet finde finden fand
fanden weiß wissen wusste wussten denkt denke denken dachte dachten bringt bringe bringen brachte spricht
spreche sprechen sprach sieht sehe sehen sah liest lese lesen las schreibt schreibe schreiben schrieb
schläft schlafe schlafen schlief trifft treffe treffen traf hilft helfe helfen half verliert verliere
verlieren verlor beginnt beginne beginnen begann gilt gelten galt heißt heiße heißen hieß lässt lasse
lassen ließ isst esse essen aß trinkt trinke trinken trank gefällt gefallen gefiel scheint scheinen
schien fällt falle fallen fiel ruft rufe rufen rief zieht ziehe ziehen zog wächst wachsen wuchs bekommt
bekomme bekommen bekam bietet biete bieten bot entscheidet entscheide entscheiden entschied tut tue tun
tat wirft werfe werfen warf trägt trage tragen trug bittet bitte bitten bat schließt schließe schließen
schloss überschreitet unterschreibt unterschreibe behalte behält gewinne gewinnt fange fängt steige
steigt biete schließe
"""
)


def _conjugate() -> dict[str, int]:
    words: dict[str, int] = {}
    for infinitive in _WEAK:
        stem = infinitive[:-2] if infinitive.endswith("en") else infinitive[:-1]
        e = "e" if stem.endswith(("t", "d")) else ""
        for form in (
            stem + "e",
            stem + e + "st",
            stem + e + "t",
            infinitive,
            stem + e + "te",
            stem + e + "ten",
        ):
            words[form] = Tag.FINITE | Tag.LEXICAL
    for form in _FINITE_FORMS:
        words[form] = Tag.FINITE
    for word in (
        "bitte",
        "essen",
        "falle",
        "trage",
        "halte",
        "kosten",
        "landen",
        "steuern",
        "leben",
        "planen",
        "übe",
    ):
        words[word] = Tag.THIRD | Tag.NOUNISH
    return words


_WORDS = lexicon(
    (Tag.SUBJECT, "ich du er sie es wir ihr man das dies jemand niemand alle keiner wer jeder"),
    (Tag.NEGATION, "nicht kein keine keinen keinem keiner nie niemals nichts niemand ohne weder"),
    (
        Tag.DETERMINER,
        "der die das den dem des ein eine einen einem einer eines mein meine meinen meinem meiner dein deine",
    ),
    (
        Tag.DETERMINER,
        (
            "sein seine ihr ihre unser unsere unseren euer eure kein keine keinen dieser diese "
            "dieses diesen diesem"
        ),
    ),
    (Tag.DETERMINER, "jede jeder jedes alle viele mehrere einige welche welcher welches"),
    (
        Tag.PREPOSITION,
        (
            "in im an am auf aus bei beim mit nach von vom zu zum zur für durch gegen ohne um über "
            "unter vor hinter"
        ),
    ),
    (Tag.PREPOSITION, "neben zwischen seit bis während wegen trotz statt ab ins ans"),
    (Tag.COORDINATOR, "und oder aber sondern sowie denn"),
    (Tag.CONTRAST, "aber sondern jedoch"),
    (Tag.REASON, "weil denn da obwohl sodass deshalb deswegen daher"),
    (Tag.CONDITION, "dass wenn falls ob als bevor nachdem sobald solange wie damit bis während"),
    (Tag.RELATIVE, "welcher welche welches wobei wodurch womit"),
    (
        Tag.QUESTION,
        "was wer wen wem wann wo wohin woher warum wieso weshalb wie welche welcher welches wieviel",
    ),
    (
        Tag.ADVERB,
        (
            "auch nur schon noch sehr ganz so jetzt dann immer oft heute morgen gestern hier dort "
            "eigentlich vielleicht"
        ),
    ),
    (
        Tag.ADVERB,
        (
            "mal ja doch wohl eben halt sonst trotzdem nicht mehr wieder etwa ungefähr zirka ca fast "
            "gerade erst außerdem"
        ),
    ),
    (Tag.INFINITIVE, "zu"),
    (
        Tag.FILLER,
        (
            "und aber ok okay ja hallo hi hey na nun gut naja ach äh ähm hm bitte danke super genau "
            "klar übrigens"
        ),
    ),
    (Tag.FILLER, "halt eben mal moin servus tja vielen dank grüße lg mfg"),
    (
        Tag.ASSENT,
        "ja ok okay gut genau klar super einverstanden abgemacht passt perfekt gern gerne jawohl stimmt top",
    ),
    (Tag.REFUSAL, "nein nee nö niemals"),
    (
        Tag.ADJECTIVE,
        (
            "gut gute guten neu neue neuen groß große klein kleine besser beste billig teuer lang "
            "kurz hoch niedrig"
        ),
    ),
)
for _form, _tag in _conjugate().items():
    _WORDS[_form] = _WORDS.get(_form, 0) | _tag


_PERSONS = pairs(
    """
ich: der Nutzer; mich: den Nutzer; mir: dem Nutzer; mein: sein; meine: seine; meinen: seinen; meinem:
seinem; meiner: seiner; meines: seines; wir: die Nutzer; uns: den Nutzern; unser: ihr; unsere: ihre;
unseren: ihren; unserem: ihrem; unserer: ihrer
"""
)
_AGREE = pairs(
    """
bin: ist; habe: hat; hab: hat; werde: wird; kann: kann; muss: muss; weiß: weiß; gehe: geht; komme: kommt;
nehme: nimmt; stehe: steht; bleibe: bleibt; fahre: fährt; finde: findet; denke: denkt; bringe: bringt;
spreche: spricht; sehe: sieht; lese: liest; schreibe: schreibt; esse: isst; hätte: hätte; rufe: ruft;
gebe: gibt; tue: tut; halte: hält; trage: trägt; schlafe: schläft; helfe: hilft; lasse: lässt; treffe:
trifft; behalte: behält
"""
)
_ADDRESSEE = pairs(
    """
du: der Nutzer; dich: den Nutzer; dir: dem Nutzer; dein: sein; deine: seine; deinen: seinen; deinem:
seinem; deiner: seiner; deines: seines
"""
)
_AGREE |= pairs(
    """
bist: ist; hast: hat; wirst: wird; kannst: kann; musst: muss; willst: will; sollst: soll; darfst: darf;
magst: mag; könntest: könnte; solltest: sollte; würdest: würde; müsstest: müsste; weißt: weiß; möchtest:
möchte; hättest: hätte; wärst: wäre; bekommst: bekommt; nimmst: nimmt; gibst: gibt; gehst: geht; kommst:
kommt; stehst: steht; findest: findet; siehst: sieht; liest: liest; schreibst: schreibt; sprichst:
spricht; einräumst: einräumt; hältst: hält; fährst: fährt; läufst: läuft; triffst: trifft
"""
)
_AGREE |= {
    word[:-2] + ("est" if word[:-2].endswith(("t", "d")) else "st"): word[:-2]
    + ("et" if word[:-2].endswith(("t", "d")) else "t")
    for word in _WEAK
    if word.endswith("en")
}
_AGREE |= {
    form: form[:-1] + ("et" if form[:-1].endswith(("t", "d")) else "t")
    for form in _FINITE_FORMS
    if form.endswith("e")
    and not form.endswith(("te", "de"))
    and form not in _AGREE
    and form not in ("wäre", "gäbe")
}
_AGREE |= {
    word[:-2] + "e": word[:-2] + ("et" if word[:-2].endswith(("t", "d")) else "t")
    for word in _WEAK
    if word.endswith("en")
}

GERMAN = Language(
    code="de",
    words=_WORDS,
    cues=CUES,
    voice=Voice(
        user="der Nutzer",
        users="die Nutzer",
        decides="Der Nutzer entscheidet: {what}.",
        decides_to="Der Nutzer entscheidet: {what}.",
        rejects="Der Nutzer lehnt ab: {what}.",
        chooses="Der Nutzer wählt {what}.",
        assistant="der Assistent",
        writer="der Verfasser",
    ),
    typical=frozenset(
        words(
            """
der die das und ist nicht ich du sie es wir mit auf für den dem ein eine zu von im auch sich wie aber
oder wenn dass bei nach noch nur schon kann muss habe hat haben wird werden war sind bin mir mich mein
meine kein keine einen einem als um aus zum zur vom beim ja nein danke bitte hallo dann weil doch mal
welche wann montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz juni juli
oktober dezember morgen heute
"""
        )
    ),
    persons=_PERSONS,
    addressee=_ADDRESSEE,
    subjects=frozenset({"ich", "wir", "du"}),
    reflexive={"mich": "sich", "mir": "sich", "uns": "sich", "dich": "sich", "dir": "sich"},
    verb_last=True,
    pairs=frozenset({("so", "dass")}),
    agreement=_AGREE,
    orders=frozenset(
        words(
            """
erkläre erklär schreib schreibe zeig zeige gib sag nenne hilf mach mache erstelle übersetze fasse liste
vergleiche prüfe berechne korrigiere formuliere
"""
        )
    ),
    directives=frozenset(words("nimm nehmen nutze streich streiche behalte lass bleib bleibe wähle")),
    comma_parts_clauses=True,
    ordinal_stop=True,
)
