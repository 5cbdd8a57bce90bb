//! Phrases of the same kinds in other languages than English.

use crate::rule::Pattern;
use crate::security::phrases::table::table;

table! {
    /// German, French, Spanish, Portuguese, Italian, Russian: orders that set instructions aside.
    OVERRIDING_ABROAD OVERRIDING_ABROAD_ANCHORS

    Any "sets other instructions aside" ["ignorier", "vergiss", "vergessen sie", "missacht", "befolge"] {
        "ignorier*|vergiss|vergessen|missacht*|befolge sie|bitte|keine|alle|alles|sämtliche|die|deine|ihre|den|das{4} vorherig*|bisherig*|früher*|obig*|vorangegangen*|vorig*|vorstehend*|ursprünglich*|vorhergehend* ~2 anweisung*|instruktion*|vorgabe*|regel*|befehl*|richtlinie*|anleitung*|systemprompt*"
        "ignorier*|vergiss|vergessen|missacht* sie|bitte|alle|alles|sämtliche{3} deine*|ihre*|system* ~2 anweisung*|instruktion*|vorgabe*|regel*|richtlinie*|sicherheitsregel*|systemanweisung*"
        "ignorier*|vergiss|vergessen sie? alles was|das ~4 gesagt|davor|zuvor|vorher|vorher_gesagt|gelernt"
    }
    Any "declares other instructions void" ["anweisung", "vorgabe", "instruktion", "regeln"] {
        "alle|sämtliche|deine|ihre|andere|anderen|vorherigen|bisherigen|früheren ~1 anweisung*|instruktion*|vorgabe*|regel* ~1 sind|werden|gelten|haben ~3 ungültig|nichtig|hinfällig|aufgehoben|nicht|keine|außer"
        "befolge|beachte|folge ~1 keine|nicht ~2 anweisung*|vorgabe*|regel* ~2 system*|benutzer*|entwickler*|anbieter*"
    }
    Any "sets other instructions aside" ["règles", "consignes", "reglas", "instrucciones", "regole", "istruzioni", "regras", "instruções"] {
        "ignore|ignorez|oublie|oubliez|désactive|désactivez|contourne|outrepasse ~1 tes|vos|toutes|les ~2 règles|consignes|instructions|directives|restrictions|filtres ~1 sécurité|système|déontologie|utilisation"
        "ignora|ignore|olvida|olvide|desactiva|omite ~1 tus|sus|las|todas ~2 reglas|instrucciones|directrices|restricciones|filtros ~1 seguridad|sistema|uso"
        "ignora|dimentica|disattiva ~1 le|tue|tutte ~2 regole|istruzioni|restrizioni ~1 sicurezza|sistema"
        "ignore|esqueça|desative ~1 as|suas|todas ~2 regras|instruções|restrições ~1 segurança|sistema"
    }
    Any "sets other instructions aside" ["ignor", "oubli", "tiens pas compte", "tenez pas compte", "abstraction"] {
        "ignore|ignorez|ignorer|oublie|oubliez|oublier|ne_tiens_pas_compte|ne_tenez_pas_compte|fais_abstraction|faites_abstraction de|des|du|toutes|tous|tout|les|tes|vos|ces{4} instructions|instruction|consignes|directives|règles|ordres ~2 précédent*|antérieur*|ci_dessus|initial*|reçu*|d'origine|système|données"
        "ignore|ignorez|oublie|oubliez tout ce qui|que ~4 précède|dit|avant"
    }
    Any "sets other instructions aside" ["ignora", "ignore", "olvid", "descart", "caso omiso"] {
        "ignora|ignorar|ignore|ignoren|olvida|olvidar|olvide|descarta|descarte|haz_caso_omiso|haga_caso_omiso a|de|todas|todos|las|los|tus|sus{4} instrucciones|indicaciones|órdenes|reglas|directrices|directivas ~2 anteriores|previas|iniciales|originales|precedentes|sistema|recibidas|arriba"
        "ignora|olvida|ignore|olvide todo lo que ~4 antes|dijo|dicho|anterior"
    }
    Any "sets other instructions aside" ["ignor", "esque", "desconsider"] {
        "ignore|ignora|ignorar|esqueça|esquece|esquecer|desconsidere|desconsidera todas|todos|as|os|suas|tuas{3} instruções|orientações|ordens|regras|diretrizes ~2 anteriores|prévias|iniciais|originais|acima|sistema"
    }
    Any "sets other instructions aside" ["ignora", "dimentica", "ignorare"] {
        "ignora|ignorare|ignorate|dimentica|dimenticare|dimenticate tutte|tutti|le|i|tue|vostre{3} istruzioni|regole|direttive|indicazioni|ordini ~2 precedenti|iniziali|originali|sistema|ricevute"
    }
    Any "sets other instructions aside" ["гнорир", "абуд", "обращай", "тбрось"] {
        "игнорируй*|проигнорируй*|игнорировать|проигнорировать|забудь*|отбрось*|отмени*|не_обращай* внимания|на|все|всё|о|обо|про|эти|свои|твои|ваши{5} предыдущ*|прежн*|вышеуказанн*|прошл*|системн*|исходн*|первоначальн*|ранее ~2 инструкци*|указани*|команд*|правил*|директив*|распоряжени*"
        "игнорируй*|проигнорируй*|забудь* все|всё|о|обо{3} инструкци*|указани*|правил* ~3 ранее|выше|раньше|системы|разработчика"
    }
}

table! {
    /// German, French, Spanish, Portuguese, Italian, Russian: orders that keep something from the user.
    CONCEALING_ABROAD CONCEALING_ABROAD_ANCHORS

    Any "keeps something from the user" ["benutzer", "nutzer", "anwender"] {
        "sag|sage|sagen|erzähl|erzähle|erzählen|teile|verrate|verraten|melde|zeige|informiere|informieren|benachrichtige|erwähne|erwähnen sie|es|dies|das|davon|dem|den|gegenüber{4} benutzer|nutzer|anwender nicht|nichts|niemals|nie|davon"
        "sag|sage|sagen|erzähl|erzähle|verrate|erwähne ~2 nicht|nichts|niemals|nie ~2 dem|den|gegenüber_dem benutzer|nutzer|anwender"
        "dem|den benutzer|nutzer|anwender nicht|nichts|niemals|nie davon|darüber|hiervon|es{2} sagen|mitteilen|verraten|erzählen|informieren|melden|erwähnen|zeigen"
        "ohne wissen|kenntnis des benutzers|nutzers|anwenders"
        "ohne den benutzer|nutzer|anwender zu informieren|benachrichtigen|fragen"
        "ohne dass der|es benutzer|nutzer|anwender|der{2} es? merkt|bemerkt|erfährt|weiß"
        "vor dem benutzer|nutzer|anwender verbergen|verheimlichen|geheim|verstecken"
        "verheimliche|verschweige|verberge ~3 benutzer|nutzer|anwender"
    }
    Any "keeps something from the user" ["utilisateur", "usager"] {
        "n'en|ne_lui|ne_leur|n'en_dis|ne ~1 parle|parlez|dis|dites|touche|touchez ~1 pas|rien|jamais ~2 à ~1 l'utilisateur|utilisateur|usager|l'usager|utilisateurs"
        "ne|n' le|la|lui|l'? dis|dites|dire|mentionne|mentionnez|révèle|révélez|parle|parlez|signale|signalez|informe|informez|préviens|prévenez|avertis|avertissez|avertir|montre|montrez|informer jamais|pas|rien|surtout{2} ~4 utilisateur|l'utilisateur|utilisateurs|usager"
        "n'informe|n'informez|n'avertis|n'avertissez jamais|pas ~2 l'utilisateur|utilisateur"
        "sans que l'utilisateur|l'usager|utilisateur le|ne|s'en{2} sache|remarque|aperçoive|voie"
        "sans en? informer|prévenir|avertir|le_dire_à|dire ~1 l'utilisateur|utilisateur"
        "à l'insu de l'utilisateur|utilisateur"
        "cache|cachez|cacher|dissimule|dissimulez ~4 à l'utilisateur|utilisateur"
    }
    Any "keeps something from the user" ["usuario", "usuário", "utilizador"] {
        "no|nunca|jamás se|le|les? lo? digas|diga|decir|informes|informe|informar|menciones|mencione|mencionar|cuentes|cuente|reveles|revele|revelar|avises|avise|muestres|notifiques|notifique|contar ~4 al|a_el|el|a_los usuario|usuarios"
        "sin que el usuario lo|se|la? sepa|entere|note|dé_cuenta|vea"
        "sin informar|avisar|decir|notificar|decirle al|a_el|nada_al usuario"
        "oculta|ocultar|oculte|esconde ~4 al|del usuario"
        "não|nunca|jamais diga|conte|informe|mencione|revele|avise|notifique|mostre ~4 ao|o|aos usuário|utilizador|usuários"
        "sem o conhecimento do usuário|utilizador"
        "sem que o usuário|utilizador saiba|perceba|note"
        "sem informar|avisar|contar o|ao usuário|utilizador"
    }
    Any "keeps something from the user" ["utente"] {
        "non|mai dire|dirlo|informare|menzionare|rivelare|avvisare|dica|informi|mostrare|comunicare ~4 utente|all'utente|l'utente"
        "senza informare|avvisare|dirlo ~1 l'utente|all'utente|utente"
        "all'insaputa dell'utente"
    }
    Any "keeps something from the user" ["ользовател"] {
        "не|никогда_не говори*|сообщай*|рассказывай*|упоминай*|показывай*|раскрывай*|уведомляй*|информируй*|предупреждай* ~4 пользовател*"
        "не|никогда_не ~3 пользовател* говори*|сообщай*|рассказывай*|показывай*|уведомляй*|информируй*"
        "без ведома|уведомления|согласия пользовател*"
        "втайне|тайно|скрытно от пользовател*"
        "чтобы пользовател* не заметил*|узнал*|знал*|увидел*"
        "скрывай*|скрой*|утаи* ~4 от пользовател*"
    }
}

/// Chinese, Japanese, Korean, Arabic: orders that set instructions aside.
pub const OVERRIDING_EAST: Pattern = Pattern {
    needles: &[
        "忽略",
        "无视",
        "無視",
        "忘记",
        "忘記",
        "忘掉",
        "不要理会",
        "不要遵守",
        "不要遵循",
        "不再遵",
        "抛弃",
        "绕过",
        "忘れ",
        "従わな",
        "従うな",
        "무시",
        "잊어",
        "잊으",
        "تجاهل",
        "انس ",
    ],
    regex: r"(?:忽略|无视|無視|忘记|忘記|忘掉|不要理会|不要遵守|不要遵循|不再遵循|不再遵守|抛弃|绕过)(?:掉|了)?(?:你|您|的|所有|全部|一切|任何|这些|這些|以上|上述|上面|之前|先前|以前|此前|前面|原有|原来|系统|系統|收到|给出|给你|安全|其他|其它){1,6}(?:指令|指示|提示词|提示|规则|規則|命令|要求|说明|說明|约束|限制|设定|准则|准則)|(?:これまで|以前|上記|前|先ほど|それまで|今まで|元|システム|すべて|全て|全部)(?:の|まで|に|与え|られた|受け|出|さ|れ|た|す|べ|て|全|元){0,12}(?:指示|命令|プロンプト|ルール|指令|制約|規則|ガイドライン)(?:を|は|に|も|すべて|全て|全部|完全){0,4}(?:無視|忘れ|従わな|従うな)|(?:이전|위의?|앞의?|앞선|기존|모든|지금까지|시스템)[^.\n]{0,16}(?:지시|명령|지침|프롬프트|규칙)[^.\n]{0,10}(?:무시|잊어|잊으)|(?:تجاهل|انس)\s+(?:جميع\s+|كل\s+)?(?:ال)?(?:تعليمات|أوامر|توجيهات|قواعد)",
};

/// Chinese, Japanese, Korean, Arabic: orders that keep something from the user.
pub const CONCEALING_EAST: Pattern = Pattern {
    needles: &["用户", "用戶", "使用者", "ユーザー", "利用者", "사용자", "المستخدم"],
    regex: r"(?:不要|别|勿|不得|不能|不可|切勿|禁止|请勿|無需|无需|不必|绝不|不許|不准)(?:让|讓|告诉|告訴|告知|通知|提醒|透露给|泄露给|知会|提示|向)(?:任何)?(?:用户|用戶|使用者)|(?:瞒着|背着|隐瞒|對|对|向)(?:用户|用戶|使用者)(?:隐藏|隐瞒|保密|掩盖|隱瞞)?(?:此|这|該|该)?(?:隐藏|隐瞒|保密|掩盖|隱瞞)|(?:瞒着|背着)(?:用户|用戶|使用者)|(?:不|未经|没有)(?:让|讓|被|经|通知|告知)?(?:用户|用戶|使用者)(?:知道|知情|察觉|发现|發現|同意)|(?:ユーザー|利用者)(?:に|には|へ|にも)(?:は|も)?[^。\n]{0,12}(?:言わな|伝えな|知らせな|教えな|話さな|報告しな|通知しな|明かさな|言及しな|気づかれ|気付かれ|知られ|悟られ|秘密|隠)|사용자(?:에게|한테|가|모르게)[^.\n]{0,12}(?:말하지|알리지|알려주지|언급하지|보고하지|모르게|숨기|비밀)|사용자 ?몰래|(?:لا تخبر|دون علم|لا تُخبر)\s*(?:المستخدم)",
};
