"""Spanish, at clause level."""

from __future__ import annotations

from extract.languages.lexicon import Language, Tag, Voice, lexicon
from extract.languages.spanish_cues import CUES
from extract.wordlists import pairs, words

_REGULAR = words(
    """
acabar aceptar acordar actualizar adaptar ahorrar alquilar amar andar apagar aprovechar ayudar bajar
buscar caminar cambiar cancelar cargar casar causar celebrar cenar cerrar cocinar colocar comparar
comprar confirmar contratar controlar cortar costar crear cuidar dejar desayunar descansar desear dibujar
durar echar eliminar empezar encantar encontrar enseñar entrar enviar escuchar esperar estudiar evitar
explicar faltar firmar funcionar ganar gastar gustar hablar importar instalar intentar invitar jugar
lavar levantar limpiar llamar llegar llevar lograr mandar marcar mejorar mencionar mezclar mirar montar
mostrar nadar necesitar notar olvidar organizar pagar parar pasar pensar plantar pintar preguntar
preparar presentar probar quedar quitar recomendar regar regresar renovar reparar reservar respetar
revisar sacar sembrar sonar subir tardar terminar tirar tocar tomar trabajar tratar usar utilizar viajar
visitar aprender beber comer comprender correr creer deber depender leer meter ofrecer parecer perder
prometer responder vender abrir aburrir añadir asistir compartir consumir cubrir cumplir decidir
describir discutir dividir escribir existir imprimir incluir medir ocurrir partir pedir permitir preferir
producir recibir reducir repetir seguir servir subir sufrir sustituir vivir añadir exigir elegir
"""
)

_FINITE_FORMS = words(
    """
soy eres es somos sois son era eran éramos fue fueron fui será serán sería serían sea sean estoy estás
está estamos estáis están estaba estaban estuvo estará estaría esté estén tengo tienes tiene tenemos
tenéis tienen tenía tenían tuve tuvo tendré tendrá tendría tenga hay había hubo habrá habría haya he has
ha hemos habéis han hago haces hace hacemos hacen hacía hizo hice haré hará haría haga voy vas va vamos
vais van iba iban iré irá iremos vaya puedo puedes puede podemos podéis pueden podía pude pudo podré
podrá podría podríamos podrían pueda puedan quiero quieres quiere queremos queréis quieren quería
quisiera quiso querría quiera debo debe debemos deben debería deberían deberíamos sé sabe sabemos saben
sabía supo digo dice dicen decía dijo diré diga creo cree creemos creen pienso piensa pensamos piensan
prefiero prefiere preferimos pongo pone ponen puso pondré pondría pondrá ponga vengo viene vienen vino
vendrá salgo sale salen salió veo ve vemos ven vio doy da dan dio daré dé necesito necesita necesitamos
necesitan necesitaría cabe caben cupo cuesta cuestan vale valen parece parecen suele suelen sigo sigue
siguen pido pide piden pidió encuentro encuentra empiezo empieza empiezan cierro cierra cierran queda
quedan falta faltan hacen duele duelen juego juega vuelvo vuelve vuelven volveré duermo duerme muestro
muestra recomiendo recomienda entiendo entiende pierdo pierde elijo elige mido mide miden exige exigen
conviene convendría obliga permite permiten llego llega llamo llama compro compra trabajo vivo vive como
llevo lleva
"""
)

_NOUN_TOO = frozenset(
    words(
        """
trabajo compra como cuenta vale vino muestra falta queda era juego uso pago cambio visita ayuda
"""
    )
)


def _conjugate() -> dict[str, int]:
    words: dict[str, int] = {}
    for infinitive in _REGULAR:
        stem, kind = infinitive[:-2], infinitive[-2:]
        present = {"ar": ("o", "as", "a", "amos", "an"), "er": ("o", "es", "e", "emos", "en")}.get(
            kind, ("o", "es", "e", "imos", "en")
        )
        past = {"ar": ("é", "aste", "ó", "aron", "aba", "aban", "ábamos")}.get(
            kind, ("í", "iste", "ió", "ieron", "ía", "ían", "íamos")
        )
        for ending in present[:3] + present[4:]:
            words[stem + ending] = words.get(stem + ending, 0) | (Tag.THIRD | Tag.NOUNISH)
        for form in (
            stem + present[3],
            *(stem + e for e in past),
            *(infinitive + e for e in ("é", "á", "emos", "án", "ía", "ían")),
        ):
            words[form] = words.get(form, 0) | Tag.FINITE | Tag.LEXICAL
        words[infinitive] = words.get(infinitive, 0) | (Tag.BASE | Tag.NOUNISH)
        words[stem + ("ando" if kind == "ar" else "iendo")] = Tag.GERUND
    for form in _FINITE_FORMS:
        words[form] = (Tag.THIRD | Tag.NOUNISH) if form in _NOUN_TOO else Tag.FINITE
    return words


_WORDS = lexicon(
    (
        Tag.SUBJECT,
        "yo tú usted él ella nosotros nosotras vosotros ustedes ellos ellas alguien nadie esto eso quien",
    ),
    (Tag.NEGATION, "no nunca jamás nadie nada ningún ninguna ninguno sin tampoco ni"),
    (
        Tag.DETERMINER,
        "el la los las un una unos unas mi mis tu tus su sus nuestro nuestra nuestros nuestras este esta",
    ),
    (
        Tag.DETERMINER,
        (
            "estos estas ese esa esos esas aquel aquella todo toda todos todas cada otro otra ningún "
            "algún alguna"
        ),
    ),
    (
        Tag.PREPOSITION,
        "a al de del en con por para sin sobre entre hasta desde hacia según contra durante ante tras",
    ),
    (Tag.COORDINATOR, "y e o u ni pero sino"),
    (Tag.CONTRAST, "pero sino"),
    (Tag.REASON, "porque pues aunque mientras puesto"),
    (Tag.CONDITION, "que si cuando donde como hasta apenas"),
    (Tag.RELATIVE, "cual cuales cuyo cuya"),
    (Tag.QUESTION, "qué quién cuál cuáles cuándo dónde cómo cuánto cuánta cuántos cuántas"),
    (
        Tag.ADVERB,
        (
            "ya también muy más menos bien mal solo sólo siempre nunca quizás quizá además ahora "
            "luego entonces así"
        ),
    ),
    (
        Tag.ADVERB,
        "todavía aún casi bastante demasiado hoy mañana ayer aquí allí no me te se nos os le les lo",
    ),
    (
        Tag.FILLER,
        (
            "y pero hola bueno vale ok pues eh oye mira gracias jaja claro sí venga perfecto genial "
            "por_favor porfa"
        ),
    ),
    (Tag.FILLER, "perdón saludos buenas buenos días tardes noches además entonces adiós que"),
    (Tag.ASSENT, "sí vale ok hecho claro perfecto genial venga acuerdo exacto correcto bien"),
    (Tag.REFUSAL, "no nunca nada"),
    (
        Tag.ADJECTIVE,
        "bueno buena malo mala grande pequeño nuevo nueva mejor peor largo corto alto bajo barato caro",
    ),
)
for _form, _tag in _conjugate().items():
    _WORDS[_form] = _WORDS.get(_form, 0) | _tag


_PERSONS = pairs(
    """
mi: su; mis: sus; nuestro: su; nuestra: su; nuestros: sus; nuestras: sus; me: le; nos: les; conmigo: con
el usuario; mí: el usuario
"""
)
_ADDRESSEE = pairs(
    """
tu: su; tus: sus; te: le; vuestro: su; vuestra: su; os: les
"""
)
_SINGULAR = pairs(
    """
soy: es; estoy: está; tengo: tiene; he: ha; voy: va; quiero: quiere; puedo: puede; necesito: necesita;
prefiero: prefiere; creo: cree; pienso: piensa; sé: sabe; hago: hace; llamo: llama; compro: compra; vivo:
vive; trabajo: trabaja; llevo: lleva; digo: dice; pongo: pone; debo: debe; odio: odia; busco: busca; doy:
da; veo: ve; salgo: sale; vengo: viene; pido: pide; sigo: sigue; vuelvo: vuelve; duermo: duerme;
entiendo: entiende; elijo: elige; tendré: tendrá; haré: hará; iré: irá; podré: podrá; diré: dirá; tuve:
tuvo; hice: hizo; fui: fue; pude: pudo
"""
)
_PLURAL = pairs(
    """
somos: son; estamos: están; tenemos: tienen; hemos: han; vamos: van; queremos: quieren; podemos: pueden;
necesitamos: necesitan; preferimos: prefieren; vivimos: viven; sabemos: saben; hacemos: hacen; debemos:
deben; ponemos: ponen; vemos: ven; damos: dan; decimos: dicen
"""
)
for _infinitive in _REGULAR:
    _stem, _theme = _infinitive[:-2], _infinitive[-2]
    _SINGULAR.setdefault(_infinitive + "é", _infinitive + "á")
    _PLURAL.setdefault(_infinitive + "emos", _infinitive + "án")
    _PLURAL.setdefault(
        _stem + {"a": "amos", "e": "emos"}.get(_theme, "imos"), _stem + ("an" if _theme == "a" else "en")
    )

SPANISH = Language(
    code="es",
    words=_WORDS,
    cues=CUES,
    voice=Voice(
        user="el usuario",
        users="los usuarios",
        decides="El usuario decide: {what}.",
        decides_to="El usuario decide {what}.",
        rejects="El usuario rechaza {what}.",
        chooses="El usuario elige {what}.",
        assistant="el asistente",
        writer="quien escribe",
        asks="¿",
    ),
    typical=frozenset(
        words(
            """
el la los las de que y en un una es por con para del se lo como más pero sus le ya esto sí porque está
cuando muy sin sobre también me hasta hay donde quien desde todo nos qué yo tengo son al si mi no vale
hola gracias cuánto cómo lunes martes miércoles jueves viernes llamo quiero puedo necesito sábado domingo
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre mañana hoy
"""
        )
    ),
    endings=tuple(
        (ending, Tag.FINITE)
        for ending in (
            "ábamos",
            "íamos",
            "aremos",
            "eremos",
            "iremos",
            "aríamos",
            "aron",
            "ieron",
            "aban",
            "aría",
            "ería",
            "iría",
            "arán",
            "erán",
            "irán",
            "aré",
            "amos",
            "emos",
            "imos",
        )
    ),
    persons=_PERSONS,
    pairs=frozenset({("así", "que"), ("ya", "que"), ("puesto", "que"), ("dado", "que"), ("de", "modo")}),
    addressee=_ADDRESSEE,
    agreement=_SINGULAR | _PLURAL,
    dropped=frozenset({"yo", "nosotros", "nosotras"}),
    plural_forms=frozenset(_PLURAL),
    orders=frozenset(
        words(
            """
dime dame explica explícame escribe escríbeme haz hazme ayúdame resume traduce muestra muéstrame enseña
enseñame crea genera lista compara sugiere propón redacta revisa busca calcula corrige describe
"""
        )
    ),
    directives=frozenset(
        words(
            """
usa usamos pon ponemos quita quitamos deja dejamos cambia corta elimina descarta mantén compra reserva
"""
        )
    ),
    pro_drop=True,
)
