"""Japanese and Chinese, at sentence level: their cues are found inside a run, not word by word."""

from __future__ import annotations

from extract.languages.lexicon import Language, Sign, Voice

_JAPANESE: tuple[tuple[int, str], ...] = (
    (
        Sign.HEDGE,
        "かもしれ|かも$|たぶん|多分|おそらく|気がする|迷って|悩んで|検討中|考え中|つもりだった|できれば|もしかし|どうかな|だろう|でしょう|と思う|と思い|かなあ|かな$",
    ),
    (Sign.POSTPONED | Sign.HEDGE, "考えておく|考えてみ|後で決め|あとで決め|保留|様子を見"),
    (
        Sign.COMMIT,
        "に決め|にします|にしました|にする$|でいきます|でいこう|で行きます|採用|やめます|やめました|やめる$|なしで|却下|決定",
    ),
    (Sign.OBLIGATION, "なければ|必要があ|必要です|必須|ねばな|べきで|しないといけ|べき$|義務"),
    (
        Sign.LIMIT,
        "以内|以下|まで(?:に|です)|最大|最低|上限|下限|予算|締め切り|締切|期限|だけ$|しかな|しか使え",
    ),
    (Sign.BAN, "できません|できない|禁止|だめ|ダメ|無理|いけません|したくな|食べられな|アレルギー|嫌い"),
    (
        Sign.OWN_FUTURE,
        "(?:明日|来週|今週|今夜|週末|までに).*ます$|しておきます|するつもり|する予定|します$|やります|行きます$|送ります|電話します|買います|連絡します|予約します",
    ),
    (Sign.SOON, "明日|来週|今夜|今週|来月|あさって|週末|後で"),
    (
        Sign.ADVICE,
        "おすすめ|お勧め|お薦め|といいで|ほうがいい|方がいい|しましょう|してみて|してください|がよいで|提案|べきでしょう",
    ),
    (
        Sign.ASKS,
        "ですか|ますか|でしょうか|か$|どう(?:すれば|したら|やって)|いつ|どこ|なぜ|どれ|どちら|何(?:が|を|で|の)",
    ),
    (Sign.REQUEST, "教えて|ください$|お願い|してほしい|くれますか|もらえますか"),
    (Sign.REPORTED, "と言って|と言い|そうです$|によると|とのこと"),
    (
        Sign.WRAPPER,
        "承知しました|かしこまりました|もちろん|はい、|素晴らしい|いい質問|お役に立て|お知らせください|以下(?:に|は|の通り)|ご質問|いかがでしょうか",
    ),
    (
        Sign.COURTESY,
        "^こんにちは|^こんばんは|^おはよう|おめでとう|ありがとう|よろしくお願い|お疲れ|失礼します|すみません$",
    ),
)

_CHINESE: tuple[tuple[int, str], ...] = (
    (
        Sign.HEDGE,
        "也许|可能|或许|大概|不确定|不太确定|好像|应该是|我觉得|我想可能|考虑|在想|犹豫|说不定|估计|要不要|如果可以|最好能",
    ),
    (Sign.POSTPONED | Sign.HEDGE, "再说吧|再考虑|以后再|先不|到时候再|回头再|再想想"),
    (Sign.COMMIT, "决定|就用|就选|选定|就这样|定了|不要了|不用了|改成|放弃|取消|我选|我们选|确定用|那就"),
    (Sign.OBLIGATION, "必须|一定要|需要|得要|务必|应当|要求"),
    (Sign.LIMIT, "最多|最少|至少|不超过|以内|以下|预算|截止|之前|只有|只能|上限|下限"),
    (Sign.BAN, "不能|不可以|不许|禁止|不要|无法|没办法|不想|过敏|讨厌|避免|不得"),
    (Sign.OWN_FUTURE, "我会|我要去|我明天|我去|我打算|我准备|我来|我们会|我将"),
    (Sign.SOON, "明天|下周|今晚|这周|下个月|后天|周末|稍后"),
    (Sign.ADVICE, "建议|推荐|可以试|不妨|最好|你可以|您可以|应该|试试"),
    (Sign.ASKS, "吗|呢$|什么|怎么|如何|为什么|哪|多少|几|是否|能不能|可不可以|有没有|要不要"),
    (Sign.REQUEST, "请|帮我|告诉我|给我|麻烦"),
    (Sign.REPORTED, "他说|她说|他们说|据说|听说|认为"),
    (Sign.WRAPPER, "^好的|当然|没问题|很高兴|希望(?:这|对)|如果您需要|如果你需要|以下是|好问题|需要我"),
    (Sign.COURTESY, "^你好|^您好|谢谢|感谢|再见|祝"),
)

JAPANESE = Language(
    code="ja",
    words={},
    cues=(),
    voice=Voice(
        user="ユーザー",
        users="ユーザーの",
        decides="ユーザーの決定：{what}。",
        decides_to="ユーザーの決定：{what}。",
        rejects="ユーザーは断る：{what}。",
        chooses="ユーザーは{what}を選ぶ。",
        stop="。",
        ask="？",
    ),
    typical=frozenset(),
    persons={"私たち": "ユーザー", "私": "ユーザー", "僕": "ユーザー", "俺": "ユーザー"},
    patterns=_JAPANESE,
)

CHINESE = Language(
    code="zh",
    words={},
    cues=(),
    voice=Voice(
        user="用户",
        users="用户的",
        decides="用户决定：{what}。",
        decides_to="用户决定：{what}。",
        rejects="用户拒绝：{what}。",
        chooses="用户选择{what}。",
        stop="。",
        ask="？",
    ),
    typical=frozenset(),
    persons={"我们": "用户", "我": "用户", "咱们": "用户"},
    patterns=_CHINESE,
)

OTHER = Language(
    code="und",
    words={},
    cues=(),
    voice=Voice(
        user="", users="", decides="{what}.", decides_to="{what}.", rejects="{what}.", chooses="{what}."
    ),
    typical=frozenset(),
    patterns=((Sign.MARKED_QUESTION, r"[?？؟;]\s*$"),),
)
"""Any other language: sentences, no clauses, questions by their mark."""
