"""French, at clause level."""

from __future__ import annotations

from extract.languages.lexicon import Language, Sign, Tag, Voice, cue, lexicon

_FIRST_GROUP = """
accepter acheter adorer aider aimer ajouter annuler appeler apporter arrêter arriver attraper augmenter baisser bouger bloquer
changer chercher commencer commander compter considérer continuer coûter couper créer cuisiner décider demander dépenser
détester donner durer écouter économiser éliminer emmener empêcher enlever envoyer espérer essayer étudier éviter exiger
expliquer fermer fonctionner gagner garder habiter installer inviter jouer laisser laver louer manger manquer marcher
monter montrer oublier parler partager passer payer penser planter porter poser préférer préparer présenter proposer
quitter raconter ranger regarder rembourser remplacer rencontrer rentrer réparer rester réserver respecter retirer retourner
sembler signer supprimer tester terminer tomber toucher tourner travailler traverser trouver utiliser valider vérifier
visiter voler voyager nécessiter suffire
""".split()

_FINITE_FORMS = """
suis es est sommes êtes sont étais était étaient étions serai sera seront serait seraient fut soit ai as a avons avez ont avais
avait avaient aurai aura auront aurait auraient vais vas va allons allez vont allait allaient irai ira irait fais fait
faisons faites font faisait fera ferai ferait peux peut pouvons pouvez peuvent pouvait pourra pourrait pourraient pourrions veux
veut voulons voulez veulent voulait voudrais voudrait dois doit devons devez doivent devait devra devrait devraient faut fallait
faudra faudrait sais sait savons savent savait dis dit disons disent disait prends prend prenons prenez prennent prenait
prendrai prendra viens vient venons viennent venait viendra mets met mettons mettent mettra tiens tient tiennent vois
voit voyons voient crois croit croyons croient connais connaît connaissent lis lit lisent écris écrit écrivent pars part
partons partent sors sort sortent dors dort dorment finis finit finissons finissent choisis choisit choisissons
choisissent reçois reçoit permet permettent suffit suffisent vaut valent plaît plaisent dépend dépendent j'ai c'est
n'est n'ai n'a n'ont n'y qu'il y a c'était j'avais j'aurai j'aurais j'étais s'agit
""".split()


def _conjugate() -> dict[str, int]:
    words: dict[str, int] = {}
    for infinitive in _FIRST_GROUP:
        stem = infinitive[:-2]
        for ending in ("e", "es", "ent"):
            words[stem + ending] = (Tag.THIRD | Tag.NOUNISH)
        for ending in ("ons", "ez", "ais", "ait", "aient", "ions", "iez"):
            words[stem + ending] = Tag.FINITE
        for ending in ("ai", "a", "ons", "ont", "ait", "aient"):
            words[infinitive + ending] = Tag.FINITE
        words[infinitive] = (Tag.BASE | Tag.NOUNISH)
        words[stem + "é"] = Tag.PARTICIPLE
    for form in _FINITE_FORMS:
        words[form] = Tag.FINITE
    return words


_WORDS = lexicon(
    (Tag.SUBJECT, "je tu il elle on nous vous ils elles ça cela ceci qui personne quelqu'un ce"),
    (Tag.SUBJECT | Tag.FINITE, "c'est j'ai j'avais j'aimerais j'aurais j'étais j'utilise j'habite j'aime j'espère j'hésite j'achète"),
    (Tag.NEGATION, "ne pas jamais rien aucun aucune personne sans ni plus n'est n'ai n'a"),
    (Tag.DETERMINER, "le la les un une des du mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs ce cet cette ces"),
    (Tag.DETERMINER, "chaque tout toute tous toutes quelques plusieurs aucun aucune quel quelle quels quelles"),
    (Tag.PREPOSITION, "à au aux de du des en dans sur sous avec sans pour par chez vers entre depuis pendant avant après contre"),
    (Tag.COORDINATOR, "et ou mais ni donc car"),
    (Tag.CONTRAST, "mais"),
    (Tag.REASON, "car puisque donc quoique"),
    (Tag.CONDITION, "que si quand lorsque comme où dès"),
    (Tag.RELATIVE, "qui dont lequel laquelle lesquels lesquelles"),
    (Tag.QUESTION, "qui que quoi quel quelle quels quelles quand où comment pourquoi combien"),
    (Tag.ADVERB, "aussi très plus moins bien mal seulement toujours jamais peut-être déjà encore ensuite alors donc ici là"),
    (Tag.ADVERB, "assez aujourd'hui demain hier ne pas me te se y en lui leur m' t' s' l' d'abord enfin surtout environ presque"),
    (Tag.FILLER, "et mais bonjour salut coucou bon ben bah euh ok oui voilà merci alors donc enfin svp stp parfait super"),
    (Tag.FILLER, "d'accord bonsoir cordialement haha mdr bref sinon puis"),
    (Tag.ASSENT, "oui ok d'accord parfait super entendu bien génial exactement volontiers banco vendu"),
    (Tag.REFUSAL, "non jamais"),
    (Tag.ADJECTIVE, "bon bonne mauvais mauvaise grand grande petit petite nouveau nouvelle meilleur meilleure long court cher"),
)
for _form, _tag in _conjugate().items():
    _WORDS[_form] = _WORDS.get(_form, 0) | _tag

_CUES = (
    cue(
        Sign.HEDGE,
        "peut-être / éventuellement / probablement / sans doute / possiblement / plutôt $ / il se peut / à voir",
        "pas sûr / pas sûre / pas certain / pas certaine / je ne sais pas si / je sais pas si / j'hésite / on hésite / j'ai un doute / je doute",
        "je pense / je crois / je suppose / j'imagine / il me semble / j'ai l'impression / je dirais / on pense",
        "je pensais / on pensait / je réfléchis / on réfléchit / j'envisage / on envisage / je me demande / tenté / tentée / et si",
        "pourrait / pourrais / on pourrait / je pourrais / ce serait bien / ça serait bien / j'aimerais bien / un jour / dans l'idéal / plus ou moins / en principe / j'allais / on allait",
    ),
    cue(Sign.POSTPONED | Sign.HEDGE, "on verra / je verrai / à voir plus tard / je vais y réfléchir / laisse-moi réfléchir / j'y réfléchis / la nuit porte conseil / plus tard / une autre fois / pas encore / on en reparle / laissons ça de côté / on laisse de côté"),
    cue(
        Sign.COMMIT,
        "c'est décidé / j'ai décidé / on a décidé / nous avons décidé / décidé / je choisis / on choisit / nous choisissons / je prends / on prend / on part sur / je pars sur / va pour / on garde / je garde / on reste sur / je reste sur / on laisse tomber / laisse tomber / abandonne / on abandonne / hors de question / plus question / ce sera / on fait / je préfère / on préfère / désormais / à partir de maintenant / plutôt que / à la place / finalement / on oublie / j'opte / on opte / exclu / je renonce / on renonce / pas de $ / adjugé / validé / on valide",
    ),
    cue(Sign.ASSENTS, "^ (oui|ok|d'accord|parfait|super|entendu|volontiers|banco|génial) / oui $ / ok $ / d'accord $"),
    cue(Sign.TAKES_UP, "alors $ / ^ (ok|d'accord|entendu|bon) / oui $ / plutôt $ / finalement $"),
    cue(Sign.ACCEPT, "ça marche / ça me va / ça nous va / c'est bon / bonne idée / je suis d'accord / comme tu dis / comme proposé / allons-y / vas-y / on y va"),
    cue(Sign.REJECT, "^ (non|pas de|pas d') / laisse tomber / pas question / hors de question / ça ne me va pas / je ne veux pas de / oublie / sans façon / ça ne me convient pas"),
    cue(
        Sign.OBLIGATION,
        "il faut / il faudra / il faudrait / faut / dois / doit / doivent / devons / devez / devra / besoin de / besoin d' / nécessite / nécessitent / obligatoire / obligé / obligée / indispensable / nécessaire / exige / exigent / est requis / requis / requiert / impératif / impérativement / suppose",
    ),
    cue(
        Sign.LIMIT,
        "au maximum / au minimum / maximum / minimum / au moins / au plus / pas plus de / moins de # / plus de # / jusqu'à / limite / plafond / budget / date limite / délai / avant le / d'ici / seulement / uniquement / que # / à partir de # / allergique / végétarien / végétarienne / végane / intolérant / sous # / n'ai que / n'avons que",
    ),
    cue(Sign.BAN, "ne peux pas / ne peut pas / ne pouvons pas / ne peuvent pas / on ne peut pas / peut pas / interdit / interdite / jamais / impossible / ne doit pas / ne veux pas / ne veut pas / ne voulons pas / veux pas / pas le droit / n'autorise pas / je déteste / déteste / éviter / évite / évitez / hors de question / sans jamais / ne dois pas / ne jamais"),
    cue(
        Sign.OWN_FUTURE,
        "je vais / on va / nous allons / j'irai / je ferai / j'appellerai / je demanderai / j'enverrai / j'achèterai / je commanderai / je réserverai / je m'occupe / je m'en occupe / je dois (appeler|acheter|demander|envoyer|écrire|réserver|payer|commander|vérifier) / j'appelle / j'envoie / j'achète / je commande / je réserve / je t'envoie / je compte / je rappelle",
    ),
    cue(Sign.SOON, "demain / ce soir / cette semaine / ce week-end / (lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche) / la semaine prochaine / le mois prochain / après-demain / bientôt / tout à l'heure"),
    cue(Sign.TASK, "à faire / tâche / ne pas oublier / rappelle-moi / pense à / veuillez / merci de"),
    cue(
        Sign.ADVICE,
        "je (vous|te) (recommande|conseille|suggère|propose) / je recommande / je te recommande / je vous recommande / je conseille / je te conseille / je suggère / je propose / je proposerais / je prendrais / je mettrais / je choisirais / je ferais / tu pourrais / vous pourriez / tu peux / vous pouvez / tu devrais / vous devriez / il vaut mieux / mieux vaut / le mieux / l'idéal / une option / une alternative / une autre option / pourquoi pas / essaie / essayez / pensez à / pense à / privilégie / privilégiez / suffit / il suffit / ça vaut la peine / devrait / pourrait / prends / prenez / évite / évitez / optez / opte pour",
    ),
    cue(Sign.POSSIBLE, "pourrait / pourraient / peut / peuvent / possible"),
    cue(Sign.NOVEL, "idée / idées / et si / pourquoi pas / proposition / imagine / j'ai pensé à"),
    cue(
        Sign.ASKS,
        "^ (qui|que|quoi|quel|quelle|quels|quelles|quand|où|comment|pourquoi|combien|est-ce|qu'est-ce|à quelle|à quel|de quelle|de quel|depuis quand|y a-t-il|faut-il|peut-on|puis-je|dois-je|doit-on|est-il|est-elle|as-tu|peux-tu|pouvez-vous|sais-tu) / est-ce que / est-ce qu' / qu'est-ce que / je ne sais pas (comment|quoi|quel|quelle|quand|où|pourquoi|combien) / je me demande (si|comment|quand) / aucune idée / ou pas $",
    ),
    cue(Sign.REQUEST, "peux-tu / pourrais-tu / pouvez-vous / pourriez-vous / tu peux m' / aide-moi / dis-moi / explique-moi / donne-moi / montre-moi / écris-moi / fais-moi / s'il te plaît / s'il vous plaît / j'ai besoin (d'un|d'une) (plan|liste|résumé|exemple)"),
    cue(Sign.REPORTED, "(dit|disent|disait|pense|pensent|veut|veulent|prétend|affirme|insiste|conseille|selon|d'après|trouve)"),
    cue(Sign.PREFERENCE, "j'aime / j'adore / je veux / nous voulons / je voudrais / j'aimerais / je préfère / je déteste / on aime"),
    cue(
        Sign.WRAPPER,
        "bonne question / excellente question / très bonne question / bien sûr / avec plaisir / certainement / voici / voilà / regardons / voyons / j'espère que / n'hésite / n'hésitez / dis-moi si / dites-moi si / si tu veux / si vous voulez / si besoin / veux-tu que / voulez-vous que / souhaites-tu / souhaitez-vous / tu veux que / je comprends / désolé / désolée / toutes mes excuses / félicitations / bravo / bonne chance / bon courage / de rien / parfait / super / génial / excellent / en résumé / pour résumer / quel beau / quelle belle / ça a l'air",
    ),
    cue(Sign.COURTESY, "^ (bonjour|salut|coucou|bonsoir|cher|chère|hello) / merci / merci beaucoup / cordialement / bien cordialement / bonne journée / bonne soirée / à bientôt / à plus / au revoir / bises / bisous / haha / mdr"),
    cue(Sign.EXAMPLE, "^ (par exemple|comme|c'est-à-dire|soit)"),
    cue(Sign.OPTIONS, "option / options / idée / idées / plan / étape / étapes / proposition / propositions / alternative / alternatives / conseil / conseils / recommandation / recommandations / suggestion / suggestions / solution / solutions / programme / itinéraire / menu / planning / ce que je ferais"),
    cue(Sign.REFERENCE, "ça / cela / le plan / le reste / ton / ta / les deux / la première / la deuxième / le premier / le deuxième / celui / celle"),
)

_PERSONS = {
    "je": "l'utilisateur", "j'ai": "l'utilisateur a", "j'avais": "l'utilisateur avait", "j'aimerais": "l'utilisateur aimerait",
    "j'aime": "l'utilisateur aime", "j'habite": "l'utilisateur habite", "j'utilise": "l'utilisateur utilise",
    "j'hésite": "l'utilisateur hésite", "j'étais": "l'utilisateur était", "j'achète": "l'utilisateur achète",
    "mon": "son", "ma": "sa", "mes": "ses", "moi": "lui", "nous": "les utilisateurs", "notre": "leur", "nos": "leurs",
}  # fmt: skip
_AGREE = {
    "suis": "est", "ai": "a", "vais": "va", "fais": "fait", "peux": "peut", "veux": "veut", "dois": "doit", "sais": "sait",
    "dis": "dit", "prends": "prend", "viens": "vient", "mets": "met", "vois": "voit", "crois": "croit", "pars": "part",
    "choisis": "choisit", "finis": "finit", "voudrais": "voudrait", "pourrais": "pourrait", "étais": "était",
    "avons": "ont", "sommes": "sont", "allons": "vont", "voulons": "veulent", "pouvons": "peuvent", "devons": "doivent",
}  # fmt: skip

_ADDRESSEE = {
    "tu": "l'utilisateur", "vous": "l'utilisateur", "toi": "l'utilisateur", "ton": "son", "ta": "sa", "tes": "ses",
    "votre": "son", "vos": "ses",
}  # fmt: skip
_AGREE |= {
    "as": "a", "es": "est", "vas": "va", "avez": "a", "êtes": "est", "allez": "va", "pouvez": "peut", "voulez": "veut",
    "devez": "doit", "faites": "fait", "savez": "sait", "prenez": "prend", "mettez": "met", "pourriez": "pourrait",
    "devriez": "devrait", "devrais": "devrait", "aurez": "aura", "serez": "sera", "aviez": "avait",
}  # fmt: skip
_AGREE |= {verb[:-2] + "ez": verb[:-2] + "e" for verb in _FIRST_GROUP if verb.endswith("er")}
_AGREE |= {verb[:-2] + "es": verb[:-2] + "e" for verb in _FIRST_GROUP if verb.endswith("er")}
_AGREE |= {verb[:-2] + "ons": verb[:-2] + "ent" for verb in _FIRST_GROUP if verb.endswith("er")}

FRENCH = Language(
    code="fr",
    words=_WORDS,
    cues=_CUES,
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
        """le la les des du et est un une que qui dans pour sur avec pas ne ce il elle on nous vous je mais ou où donc sont
        plus au aux mon ma mes son sa ses c'est j'ai être avoir fait peut faut très bien aussi cette comme si bonjour merci
        oui non quel quelle combien comment pourquoi d'accord est-ce y en à""".split()
    ),
    endings=tuple(
        (ending, Tag.FINITE) for ending in ("aient", "erait", "eront", "erons", "issait", "issent", "iez", "yez", "vez", "rez", "tez", "sez", "dez", "nez", "mez", "lez", "gez", "pez", "chez")
    ),
    persons=_PERSONS,
    addressee=_ADDRESSEE,
    subjects=frozenset({"je", "nous", "tu", "vous"}),
    reflexive={"vous": "lui", "te": "lui"},
    pairs=frozenset({("parce", "que"), ("parce", "qu'il"), ("alors", "que"), ("bien", "que"), ("vu", "que"), ("du", "coup")}),
    agreement=_AGREE,
    orders=frozenset("explique explique-moi écris écris-moi donne donne-moi montre montre-moi fais fais-moi aide aide-moi dis-moi résume traduis liste compare propose crée génère rédige corrige calcule décris".split()),
    directives=frozenset("prends prenons garde gardons enlève retire laisse utilise utilisons change supprime mets mettons".split()),
)
