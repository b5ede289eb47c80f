"""French cue phrases, by the sign they give."""

from __future__ import annotations

from extract.languages.lexicon import Cue, Sign, cue

CUES: tuple[Cue, ...] = (
    cue(
        Sign.HEDGE,
        "peut-être / éventuellement / probablement / sans doute / possiblement / plutôt $",
        "il se peut / à voir",
        "pas sûr / pas sûre / pas certain / pas certaine / je ne sais pas si / je sais pas si",
        "j'hésite / on hésite / j'ai un doute / je doute",
        "je pense / je crois / je suppose / j'imagine / il me semble / j'ai l'impression",
        "je dirais / on pense",
        "je pensais / on pensait / je réfléchis / on réfléchit / j'envisage / on envisage",
        "je me demande / tenté / tentée / et si",
        "pourrait / pourrais / on pourrait / je pourrais / ce serait bien / ça serait bien",
        "j'aimerais bien / un jour / dans l'idéal / plus ou moins / en principe / j'allais",
        "on allait",
    ),
    cue(Sign.TURNS, "changé d'avis / changement de programme / à la réflexion / réflexion faite"),
    cue(
        Sign.SUPPOSED,
        "supposons / imaginons / imagine que / imaginez que / mettons que / admettons que / hypothétiquement",
        "si (j'avais|on avait|nous avions) / j'aurais (choisi|décidé|pris) / on aurait (choisi|décidé|pris)",
    ),
    cue(
        Sign.JEST, "je plaisante / je rigole / je déconne / c'est une blague / c'était une blague / pour rire"
    ),
    cue(
        Sign.POSTPONED | Sign.HEDGE,
        "on verra / je verrai / à voir plus tard / je vais y réfléchir / laisse-moi réfléchir",
        "j'y réfléchis / la nuit porte conseil / plus tard / une autre fois / pas encore",
        "on en reparle / laissons ça de côté / on laisse de côté",
    ),
    cue(
        Sign.COMMIT,
        "c'est décidé / j'ai décidé / on a décidé / nous avons décidé / décidé / je choisis",
        "on choisit / nous choisissons / je prends / on prend / on part sur / je pars sur",
        "va pour / on garde / je garde / on reste sur / je reste sur / on laisse tomber",
        "laisse tomber / abandonne / on abandonne / hors de question / plus question / ce sera",
        "on fait / je préfère / on préfère / désormais / à partir de maintenant / plutôt que",
        "à la place / finalement / on oublie / j'opte / on opte / exclu / je renonce / on renonce",
        "pas de $ / adjugé / validé / on valide",
    ),
    cue(
        Sign.ASSENTS,
        "^ (oui|ok|d'accord|parfait|super|entendu|volontiers|banco|génial) / oui $ / ok $",
        "d'accord $",
    ),
    cue(Sign.TAKES_UP, "alors $ / ^ (ok|d'accord|entendu|bon) / oui $ / plutôt $ / finalement $"),
    cue(
        Sign.ACCEPT,
        "ça marche / ça me va / ça nous va / c'est bon / bonne idée / je suis d'accord",
        "comme tu dis / comme proposé / allons-y / vas-y / on y va",
    ),
    cue(
        Sign.REJECT,
        "^ (non|pas de|pas d') / laisse tomber / pas question / hors de question",
        "ça ne me va pas / je ne veux pas de / oublie / sans façon / ça ne me convient pas",
    ),
    cue(
        Sign.OBLIGATION,
        "il faut / il faudra / il faudrait / faut / dois / doit / doivent / devons / devez",
        "devra / besoin de / besoin d' / nécessite / nécessitent / obligatoire / obligé / obligée",
        "indispensable / nécessaire / exige / exigent / est requis / requis / requiert",
        "impératif / impérativement / suppose",
    ),
    cue(
        Sign.LIMIT,
        "au maximum / au minimum / maximum / minimum / au moins / au plus / pas plus de",
        "moins de # / plus de # / jusqu'à / limite / plafond / budget / date limite / délai",
        "avant le / d'ici / seulement / uniquement / que # / à partir de # / allergique",
        "végétarien / végétarienne / végane / intolérant / sous # / n'ai que / n'avons que",
    ),
    cue(
        Sign.BAN,
        "ne peux pas / ne peut pas / ne pouvons pas / ne peuvent pas / on ne peut pas / peut pas",
        "interdit / interdite / jamais / impossible / ne doit pas / ne veux pas / ne veut pas",
        "ne voulons pas / veux pas / pas le droit / n'autorise pas / je déteste / déteste",
        "éviter / évite / évitez / hors de question / sans jamais / ne dois pas / ne jamais",
    ),
    cue(
        Sign.OWN_FUTURE,
        "je vais / on va / nous allons / j'irai / je ferai / j'appellerai / je demanderai",
        "j'enverrai / j'achèterai / je commanderai / je réserverai / je m'occupe / je m'en occupe",
        "je dois (appeler|acheter|demander|envoyer|écrire|réserver|payer|commander|vérifier)",
        "j'appelle / j'envoie / j'achète / je commande / je réserve / je t'envoie / je compte",
        "je rappelle",
    ),
    cue(
        Sign.SOON,
        "demain / ce soir / cette semaine / ce week-end",
        "(lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche) / la semaine prochaine",
        "le mois prochain / après-demain / bientôt / tout à l'heure",
    ),
    cue(Sign.TASK, "à faire / tâche / ne pas oublier / rappelle-moi / pense à / veuillez / merci de"),
    cue(
        Sign.ADVICE,
        "je (vous|te) (recommande|conseille|suggère|propose) / je recommande / je te recommande",
        "je vous recommande / je conseille / je te conseille / je suggère / je propose",
        "je proposerais / je prendrais / je mettrais / je choisirais / je ferais / tu pourrais",
        "vous pourriez / tu peux / vous pouvez / tu devrais / vous devriez / il vaut mieux",
        "mieux vaut / le mieux / l'idéal / une option / une alternative / une autre option",
        "pourquoi pas / essaie / essayez / pensez à / pense à / privilégie / privilégiez / suffit",
        "il suffit / ça vaut la peine / devrait / pourrait / prends / prenez / évite / évitez",
        "optez / opte pour",
    ),
    cue(Sign.POSSIBLE, "pourrait / pourraient / peut / peuvent / possible"),
    cue(Sign.NOVEL, "idée / idées / et si / pourquoi pas / proposition / imagine / j'ai pensé à"),
    cue(
        Sign.ASKS,
        (
            "^ (qui|que|quoi|quel|quelle|quels|quelles|quand|où|comment|pourquoi|combien|est-ce|"
            "qu'est-ce|à quelle|à quel|de quelle|de quel|depuis quand|y a-t-il|faut-il|peut-on|"
            "puis-je|dois-je|doit-on|est-il|est-elle|as-tu|peux-tu|pouvez-vous|sais-tu)"
        ),
        "est-ce que / est-ce qu' / qu'est-ce que",
        "je ne sais pas (comment|quoi|quel|quelle|quand|où|pourquoi|combien)",
        "je me demande (si|comment|quand) / aucune idée / ou pas $",
    ),
    cue(
        Sign.REQUEST,
        "peux-tu / pourrais-tu / pouvez-vous / pourriez-vous / tu peux m' / aide-moi / dis-moi",
        "explique-moi / donne-moi / montre-moi / écris-moi / fais-moi / s'il te plaît",
        "s'il vous plaît / j'ai besoin (d'un|d'une) (plan|liste|résumé|exemple)",
    ),
    cue(
        Sign.REPORTED,
        (
            "(dit|disent|disait|pense|pensent|veut|veulent|prétend|affirme|insiste|conseille|selon|"
            "d'après|trouve)"
        ),
    ),
    cue(
        Sign.PREFERENCE,
        "j'aime / j'adore / je veux / nous voulons / je voudrais / j'aimerais / je préfère",
        "je déteste / on aime",
    ),
    cue(
        Sign.WRAPPER,
        "bonne question / excellente question / très bonne question / bien sûr / avec plaisir",
        "certainement / voici / voilà / regardons / voyons / j'espère que / n'hésite / n'hésitez",
        "dis-moi si / dites-moi si / si tu veux / si vous voulez / si besoin / veux-tu que",
        "voulez-vous que / souhaites-tu / souhaitez-vous / tu veux que / je comprends / désolé",
        "désolée / toutes mes excuses / félicitations / bravo / bonne chance / bon courage",
        "de rien / parfait / super / génial / excellent / en résumé / pour résumer / quel beau",
        "quelle belle / ça a l'air",
    ),
    cue(
        Sign.COURTESY,
        "^ (bonjour|salut|coucou|bonsoir|cher|chère|hello) / merci / merci beaucoup",
        "cordialement / bien cordialement / bonne journée / bonne soirée / à bientôt / à plus",
        "au revoir / bises / bisous / haha / mdr",
    ),
    cue(Sign.EXAMPLE, "^ (par exemple|comme|c'est-à-dire|soit)"),
    cue(
        Sign.OPTIONS,
        "option / options / idée / idées / plan / étape / étapes / proposition / propositions",
        "alternative / alternatives / conseil / conseils / recommandation / recommandations",
        "suggestion / suggestions / solution / solutions / programme / itinéraire / menu",
        "planning / ce que je ferais",
    ),
    cue(
        Sign.REFERENCE,
        "ça / cela / le plan / le reste / ton / ta / les deux / la première / la deuxième",
        "le premier / le deuxième / celui / celle",
    ),
)
