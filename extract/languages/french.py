"""French, at clause level."""

from __future__ import annotations

from extract.languages.french_cues import CUES
from extract.languages.lexicon import Language, Tag, Voice, lexicon
from extract.wordlists import pairs, words

_FIRST_GROUP = words(
    """
accepter acheter adorer aider aimer ajouter annuler appeler apporter arrêter arriver attraper augmenter
baisser bouger bloquer changer chercher commencer commander compter considérer continuer coûter couper
créer cuisiner décider demander dépenser détester donner durer écouter économiser éliminer emmener
empêcher enlever envoyer espérer essayer étudier éviter exiger expliquer fermer fonctionner gagner garder
habiter installer inviter jouer laisser laver louer manger manquer marcher monter montrer oublier parler
partager passer payer penser planter porter poser préférer préparer présenter proposer quitter raconter
ranger regarder rembourser remplacer rencontrer rentrer réparer rester réserver respecter retirer
retourner sembler signer supprimer tester terminer tomber toucher tourner travailler traverser trouver
utiliser valider vérifier visiter voler voyager nécessiter suffire
"""
)

_FINITE_FORMS = words(
    """
suis es est sommes êtes sont étais était étaient étions serai sera seront serait seraient fut soit ai as
a avons avez ont avais avait avaient aurai aura auront aurait auraient vais vas va allons allez vont
allait allaient irai ira irait fais fait faisons faites font faisait fera ferai ferait peux peut pouvons
pouvez peuvent pouvait pourra pourrait pourraient pourrions veux veut voulons voulez veulent voulait
voudrais voudrait dois doit devons devez doivent devait devra devrait devraient faut fallait faudra
faudrait sais sait savons savent savait dis dit disons disent disait prends prend prenons prenez prennent
prenait prendrai prendra viens vient venons viennent venait viendra mets met mettons mettent mettra tiens
tient tiennent vois voit voyons voient crois croit croyons croient connais connaît connaissent lis lit
lisent écris écrit écrivent pars part partons partent sors sort sortent dors dort dorment finis finit
finissons finissent choisis choisit choisissons choisissent reçois reçoit permet permettent suffit
suffisent vaut valent plaît plaisent dépend dépendent j'ai c'est n'est n'ai n'a n'ont n'y qu'il y a
c'était j'avais j'aurai j'aurais j'étais s'agit
"""
)


def _conjugate() -> dict[str, int]:
    words: dict[str, int] = {}
    for infinitive in _FIRST_GROUP:
        stem = infinitive[:-2]
        for ending in ("e", "es", "ent"):
            words[stem + ending] = Tag.THIRD | Tag.NOUNISH
        for ending in ("ons", "ez", "ais", "ait", "aient", "ions", "iez"):
            words[stem + ending] = Tag.FINITE | Tag.LEXICAL
        for ending in ("ai", "a", "ons", "ont", "ait", "aient"):
            words[infinitive + ending] = Tag.FINITE | Tag.LEXICAL
        words[infinitive] = Tag.BASE | Tag.NOUNISH
        words[stem + "é"] = Tag.PARTICIPLE
    for form in _FINITE_FORMS:
        words[form] = Tag.FINITE
    return words


_WORDS = lexicon(
    (Tag.SUBJECT, "je tu il elle on nous vous ils elles ça cela ceci qui personne quelqu'un ce"),
    (
        Tag.SUBJECT | Tag.FINITE,
        "c'est j'ai j'avais j'aimerais j'aurais j'étais j'utilise j'habite j'aime j'espère j'hésite j'achète",
    ),
    (Tag.NEGATION, "ne pas jamais rien aucun aucune personne sans ni plus n'est n'ai n'a"),
    (
        Tag.DETERMINER,
        (
            "le la les un une des du mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs "
            "ce cet cette ces"
        ),
    ),
    (
        Tag.DETERMINER,
        "chaque tout toute tous toutes quelques plusieurs aucun aucune quel quelle quels quelles",
    ),
    (
        Tag.PREPOSITION,
        (
            "à au aux de du des en dans sur sous avec sans pour par chez vers entre depuis pendant "
            "avant après contre"
        ),
    ),
    (Tag.COORDINATOR, "et ou mais ni donc car"),
    (Tag.CONTRAST, "mais"),
    (Tag.REASON, "car puisque donc quoique"),
    (Tag.CONDITION, "que si quand lorsque comme où dès"),
    (Tag.RELATIVE, "qui dont lequel laquelle lesquels lesquelles"),
    (Tag.QUESTION, "qui que quoi quel quelle quels quelles quand où comment pourquoi combien"),
    (
        Tag.ADVERB,
        (
            "aussi très plus moins bien mal seulement toujours jamais peut-être déjà encore ensuite "
            "alors donc ici là"
        ),
    ),
    (
        Tag.ADVERB,
        (
            "assez aujourd'hui demain hier ne pas me te se y en lui leur m' t' s' l' d'abord enfin "
            "surtout environ presque"
        ),
    ),
    (
        Tag.FILLER,
        (
            "et mais bonjour salut coucou bon ben bah euh ok oui voilà merci alors donc enfin svp "
            "stp parfait super"
        ),
    ),
    (Tag.FILLER, "d'accord bonsoir cordialement haha mdr bref sinon puis"),
    (Tag.ASSENT, "oui ok d'accord parfait super entendu bien génial exactement volontiers banco vendu"),
    (Tag.REFUSAL, "non jamais"),
    (
        Tag.ADJECTIVE,
        (
            "bon bonne mauvais mauvaise grand grande petit petite nouveau nouvelle meilleur "
            "meilleure long court cher"
        ),
    ),
)
for _form, _tag in _conjugate().items():
    _WORDS[_form] = _WORDS.get(_form, 0) | _tag


_PERSONS = pairs(
    """
je: l'utilisateur; j'ai: l'utilisateur a; j'avais: l'utilisateur avait; j'aimerais: l'utilisateur
aimerait; j'aime: l'utilisateur aime; j'habite: l'utilisateur habite; j'utilise: l'utilisateur utilise;
j'hésite: l'utilisateur hésite; j'étais: l'utilisateur était; j'achète: l'utilisateur achète; mon: son;
ma: sa; mes: ses; moi: lui; nous: les utilisateurs; notre: leur; nos: leurs
"""
)
_AGREE = pairs(
    """
suis: est; ai: a; vais: va; fais: fait; peux: peut; veux: veut; dois: doit; sais: sait; dis: dit; prends:
prend; viens: vient; mets: met; vois: voit; crois: croit; pars: part; choisis: choisit; finis: finit;
voudrais: voudrait; pourrais: pourrait; étais: était; avons: ont; sommes: sont; allons: vont; voulons:
veulent; pouvons: peuvent; devons: doivent
"""
)

_ADDRESSEE = pairs(
    """
tu: l'utilisateur; vous: l'utilisateur; toi: l'utilisateur; ton: son; ta: sa; tes: ses; votre: son; vos:
ses
"""
)
_AGREE |= pairs(
    """
as: a; es: est; vas: va; avez: a; êtes: est; allez: va; pouvez: peut; voulez: veut; devez: doit; faites:
fait; savez: sait; prenez: prend; mettez: met; pourriez: pourrait; devriez: devrait; devrais: devrait;
aurez: aura; serez: sera; aviez: avait
"""
)
_AGREE |= {verb[:-2] + "ez": verb[:-2] + "e" for verb in _FIRST_GROUP if verb.endswith("er")}
_AGREE |= {verb[:-2] + "es": verb[:-2] + "e" for verb in _FIRST_GROUP if verb.endswith("er")}
_AGREE |= {verb[:-2] + "ons": verb[:-2] + "ent" for verb in _FIRST_GROUP if verb.endswith("er")}

FRENCH = Language(
    code="fr",
    words=_WORDS,
    cues=CUES,
    voice=Voice(
        user="l'utilisateur",
        users="les utilisateurs",
        decides="L'utilisateur décide : {what}.",
        decides_to="L'utilisateur décide : {what}.",
        rejects="L'utilisateur refuse : {what}.",
        chooses="L'utilisateur choisit {what}.",
        assistant="l'assistant",
        writer="l'auteur",
    ),
    typical=frozenset(
        words(
            """
le la les des du et est un une que qui dans pour sur avec pas ne ce il elle on nous vous je mais ou où
donc sont plus au aux mon ma mes son sa ses c'est j'ai être avoir fait peut faut très bien aussi cette
comme si bonjour merci oui non quel quelle combien comment pourquoi d'accord est-ce y en à lundi mardi
mercredi jeudi vendredi samedi dimanche janvier février mars avril juin juillet août septembre octobre
décembre demain
"""
        )
    ),
    endings=tuple(
        (ending, Tag.FINITE)
        for ending in words(
            """
-il -elle -on -je -tu -vous -nous -ce -ils aient erait eront erons issait issent iez yez vez rez tez
sez dez nez mez lez gez pez
"""
        )
    ),
    persons=_PERSONS,
    addressee=_ADDRESSEE,
    subjects=frozenset({"je", "nous", "tu", "vous"}),
    reflexive={"vous": "lui", "te": "lui"},
    pairs=frozenset(
        {
            ("parce", "que"),
            ("parce", "qu'il"),
            ("alors", "que"),
            ("bien", "que"),
            ("vu", "que"),
            ("du", "coup"),
        }
    ),
    agreement=_AGREE,
    orders=frozenset(
        words(
            """
explique explique-moi écris écris-moi donne donne-moi montre montre-moi fais fais-moi aide aide-moi
dis-moi résume traduis liste compare propose crée génère rédige corrige calcule décris
"""
        )
    ),
    directives=frozenset(
        words(
            """
prends prenons garde gardons enlève retire laisse utilise utilisons change supprime mets mettons
"""
        )
    ),
)
