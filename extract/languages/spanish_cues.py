"""Spanish cue phrases, by the sign they give."""

from __future__ import annotations

from extract.languages.lexicon import Cue, Sign, cue

CUES: tuple[Cue, ...] = (
    cue(
        Sign.HEDGE,
        "quizás / quizá / tal vez / a lo mejor / igual / puede que / puede ser / posiblemente",
        "probablemente / seguramente",
        "no sé si / no estoy segur(o|a) / no estamos segur(os|as) / no tengo claro",
        "no lo tengo claro / tengo dudas / dudo",
        "creo que / pienso que / supongo / imagino que / me parece / diría que / me imagino",
        "digamos",
        "pensando en / pensamos en / estoy pensando / estamos pensando / me planteo",
        "nos planteamos / valorando / considerando",
        "podría / podríamos / podrían / sería / estaría bien / me gustaría / nos gustaría / iba a",
        "íbamos a / y si / me tienta",
        "más o menos / algo así / de momento / en principio / ojalá / algún día / depende",
    ),
    cue(Sign.TURNS, "(he|hemos) cambiado de (idea|opinión|planes) / cambio de planes / pensándolo mejor"),
    cue(
        Sign.SUPPOSED,
        "supongamos / suponiendo / imagina que / imaginemos / imagínate / pongamos que / hipotéticamente",
        "si (hubiera|hubiese|hubiéramos|decidiera|decidiese|eligiera|eligiéramos) / ojalá hubiera",
        "casi decido",
    ),
    cue(Sign.JEST, "es broma / era broma / estoy bromeando / bromeo / en broma / ni en serio / es coña"),
    cue(
        Sign.POSTPONED | Sign.HEDGE,
        "lo pienso / déjame pensar / me lo pienso / ya veremos / lo vemos / lo decidimos",
        "lo dejamos para / más adelante / otro día / lo consulto con la almohada / luego vemos",
        "ya te digo / aparcamos",
    ),
    cue(
        Sign.COMMIT,
        "decidido / decidimos / hemos decidido / he decidido / está decidido / nos quedamos con",
        "me quedo con / elijo / elegimos / escojo / vamos con / voy con / optamos por / opto por",
        "descartado / descartada / descarto / descartamos / fuera $ / queda fuera / entonces $",
        "prefiero / preferimos / ni hablar / de eso nada / a partir de ahora / en vez de",
        "en lugar de / ya no / definitivamente / adelante con / cerramos con / apuesto por",
        "nada de / será",
    ),
    cue(
        Sign.ASSENTS,
        "^ (sí|vale|ok|perfecto|de acuerdo|hecho|venga|genial|claro|exacto) / sí $ / vale $",
        "ok $ / de acuerdo $",
    ),
    cue(Sign.TAKES_UP, "entonces $ / ^ (vale|ok|hecho|venga|de acuerdo) / , hecho $ / sí $ / mejor $"),
    cue(
        Sign.ACCEPT,
        "me parece bien / está bien / nos parece bien / buena idea / adelante / trato hecho",
        "por mí bien / como dices / como propones",
    ),
    cue(
        Sign.REJECT,
        "^ no / pero no / mejor no / no me convence / no me gusta / descart(o|amos|ado|ada)",
        "olvida / paso de / fuera / ni hablar / tampoco",
    ),
    cue(
        Sign.OBLIGATION,
        "hay que / tengo que / tiene que / tenemos que / tienen que / tenéis que / debe / deben",
        "debo / debemos / deber / hace falta / hacen falta / necesita / necesitan / necesitamos",
        "necesito / es necesario / es obligatorio / obliga a / obligatorio / imprescindible",
        "requiere / requieren / exige / exigen / toca / es preciso / asegúrate",
    ),
    cue(
        Sign.LIMIT,
        "como máximo / como mínimo / al menos / por lo menos / a lo sumo / máximo / mínimo",
        "hasta # / menos de # / más de # / no más de / límite / presupuesto / tope / plazo",
        "antes (de|del) # / antes de / solo tengo / solo tenemos / sólo / solo / únicamente",
        "dentro de # / alérgic(o|a) / intolerante / vegetarian(o|a) / vegan(o|a)",
    ),
    cue(
        Sign.BAN,
        "no podemos / no puedo / no puede / no pueden / no se puede / no se pueden / no debe",
        "no deben / prohibido / prohibida / nunca / imposible / no quiero / no queremos",
        "no quiere / no permite / no lo permite / no permiten / no está permitido / no hay que",
        "sin tocar / odio / evitar / evita / ni hablar de",
    ),
    cue(
        Sign.OWN_FUTURE,
        "voy a / vamos a / llamaré / iré / haré / compraré / preguntaré / escribiré / mandaré",
        "enviaré / pediré / miraré / buscaré / revisaré / hablaré / reservaré / pagaré / llamo yo",
        "ya llamo / me encargo / nos encargamos / me ocupo / llamo (a|al)",
        (
            "tengo que (llamar|comprar|pedir|ir|escribir|mandar|enviar|hablar|pagar|reservar|"
            "preguntar|buscar|hacer|mirar|revisar)"
        ),
        "quedo en",
    ),
    cue(
        Sign.SOON,
        "mañana / esta (tarde|noche|semana)",
        "este (lunes|martes|miércoles|jueves|viernes|sábado|domingo|mes|finde)",
        "el (lunes|martes|miércoles|jueves|viernes|sábado|domingo) / la semana que viene",
        "el mes que viene / próxim(o|a) / pasado mañana / luego",
    ),
    cue(
        Sign.TASK,
        "pendiente / por hacer / tarea / recordar / recuérdame / no olvidar",
        "por favor (envíe|envíen|traiga|confirme)",
    ),
    cue(
        Sign.ADVICE,
        "^ yo / recomiendo / te recomiendo / os recomiendo / le recomiendo / sugiero / te sugiero",
        "aconsejo / conviene / convendría / sería mejor / es mejor / lo mejor / podrías",
        "podríais / puedes / podéis / deberías / deberíais / habría que / una alternativa",
        "otra opción / una opción / hay que / considera / prueba / por qué no / qué tal / mejor",
        "basta con / es suficiente / merece la pena / vale la pena / yo pondría / yo haría",
        "yo usaría / yo iría / pondría / haría / optaría / elegiría",
    ),
    cue(Sign.POSSIBLE, "podría / podrían / puede / pueden / quizás / tal vez"),
    cue(
        Sign.NOVEL,
        "idea / otra idea / una idea / se me ocurre / ocurrencia / y si / qué tal / propuesta",
        "imagina",
    ),
    cue(
        Sign.ASKS,
        (
            "^ (qué|quién|cuál|cuáles|cuándo|dónde|cómo|cuánto|cuánta|cuántos|cuántas|por qué|para "
            "qué|a qué|de qué|en qué|con qué|desde cuándo|cada cuánto)"
        ),
        "no sé (qué|cuál|cómo|cuándo|dónde|cuánto|quién) / ^ ¿ / hay alguna / hay algún",
        "es posible / se puede / me pregunto",
    ),
    cue(
        Sign.REQUEST,
        "me puedes / puedes (ayudarme|decirme|hacer|hacerme|explicar|explicarme|darme|escribir)",
        "podrías (ayudarme|decirme|hacer|explicar|darme|escribir) / ayúdame / dime / explícame",
        "dame / hazme / escríbeme / escribe / por favor / necesito que / quiero que me",
        "me gustaría que",
    ),
    cue(
        Sign.REPORTED,
        "(dice|dicen|dijo|dijeron|cuenta|piensa|opina|quiere|insiste|recomendó|comentó|afirma|según)",
    ),
    cue(
        Sign.PREFERENCE,
        "me gusta / nos gusta / me encanta / quiero / queremos / me gustaría / prefiero / odio",
        "no me gusta",
    ),
    cue(
        Sign.WRAPPER,
        "qué buen / qué buena / qué bonito / qué interesante / buena pregunta",
        "excelente pregunta / gran pregunta / claro / por supuesto / desde luego / aquí tienes",
        "aquí va / aquí está / te dejo / espero que / avísame / dime si / si quieres",
        "si necesitas / quieres que / queréis que / te gustaría / necesitas algo / a continuación",
        "estos son / estas son / veamos / vamos a ver / entiendo / lo siento / disculpa / perdona",
        "con mucho gusto / encantado / me alegro / felicidades / enhorabuena / suena bien",
        "perfecto / genial / muy bien / de nada / suerte / ánimo / en resumen",
    ),
    cue(
        Sign.COURTESY,
        "^ (hola|buenas|buenos días|buenas tardes|buenas noches|querido|querida|estimado|estimada)",
        "gracias / muchas gracias / saludos / un saludo / un abrazo / besos / atentamente",
        "hasta luego / hasta pronto / adiós / perdón / perdona / jaja",
    ),
    cue(Sign.EXAMPLE, "^ (por ejemplo|como|es decir|o sea)"),
    cue(
        Sign.OPTIONS,
        "opción / opciones / idea / ideas / plan / pasos / paso / propuesta / propuestas",
        "alternativa / alternativas / recomendación / recomendaciones / consejo / consejos",
        "sugerencia / sugerencias / horario / rutina / menú / solución / soluciones / itinerario",
        "qué haría / lo que haría",
    ),
    cue(
        Sign.REFERENCE,
        "eso / esto / lo / la idea / el plan / la opción / el resto / tu / los dos / ambos",
        "ambas / la primera / la segunda / el primero / el segundo",
    ),
)
