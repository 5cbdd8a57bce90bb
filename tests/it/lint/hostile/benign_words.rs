//! Harmless skills with unusual characters and in other scripts.

use super::{Benign, benign, md};

/// Languages, emoji and marks.
pub const WORDS: &[Benign] = &[
    benign(
        "emoji-families",
        &[md("---
name: emoji-families
description: Chooses emoji for messages 👨\u{200D}👩\u{200D}👧\u{200D}👦. Use when a message needs an emoji.
---

# Emoji families 👩\u{200D}💻

- Family: 👨\u{200D}👩\u{200D}👧\u{200D}👦, 👩\u{200D}👩\u{200D}👦, 👨\u{200D}👧.
- Work: 👩🏽\u{200D}🚀 👨🏻\u{200D}🍳 🧑🏿\u{200D}🏫 🕵🏼\u{200D}♀\u{FE0F}.
- Hearts: ❤\u{FE0F}\u{200D}🔥 ❤\u{FE0F}\u{200D}🩹, couple 👩\u{200D}❤\u{FE0F}\u{200D}💋\u{200D}👨.
- Animals: 🐻\u{200D}❄\u{FE0F} 🐕\u{200D}🦺 🐦\u{200D}⬛.
- One emoji for each message is enough.
")],
    ),
    benign(
        "skin-tones",
        &[md("---
name: skin-tones
description: Picks the tone of hands in emoji. Use when the user asks for a wave or a thumb.
---

# Skin tones

| tone | wave | thumb |
|---|---|---|
| light | 👋🏻 | 👍🏻 |
| medium | 👋🏽 | 👍🏽 |
| dark | 👋🏿 | 👍🏿 |

Signs with a text form: ☝\u{FE0E} and ☝\u{FE0F}, ✔\u{FE0E} and ✔\u{FE0F}, ⚠\u{FE0F}, ℹ\u{FE0F}, ▶\u{FE0F}.
")],
    ),
    benign(
        "flags",
        &[md("---
name: flags
description: Shows flags beside names of countries. Use when a list of places is written.
---

# Flags

- 🇩🇪 Germany, 🇫🇷 France, 🇯🇵 Japan, 🇧🇷 Brazil.
- 🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} England.
- 🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F} Scotland.
- 🏴\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F} Wales.
- 🏳\u{FE0F}\u{200D}🌈 🏳\u{FE0F}\u{200D}⚧\u{FE0F} 🏴\u{200D}☠\u{FE0F} for other uses.
")],
    ),
    benign(
        "keycaps",
        &[md("---
name: keycaps
description: Numbers steps with keycaps. Use when a short list of steps is shown in a chat.
---

# Keycaps

1\u{FE0F}\u{20E3} Say what is done.

2\u{FE0F}\u{20E3} Say how.

#\u{FE0F}\u{20E3} and *\u{FE0F}\u{20E3} stand for other keys. © and ™ may carry a mark: ©\u{FE0F} ™\u{FE0F}.
")],
    ),
    benign(
        "byte-order-mark",
        &[md("\u{FEFF}---
name: byte-order-mark
description: Shows a file that begins with a byte order mark. Use when encodings are discussed.
---

# Byte order mark

Some editors write one at the start of each file.

- It is U+FEFF, three bytes in UTF-8.
- Readers skip it.
")],
    ),
    benign(
        "persian",
        &[md("---
name: persian
description: نوشته\u{200C}های فارسی را ویرایش می\u{200C}کند. Use when a text is in Persian.
---

# Persian — ویرایش فارسی

- نیم\u{200C}فاصله را در «می\u{200C}شود» و «کتاب\u{200C}ها» نگه دارید.
- جمله\u{200C}ها را کوتاه بنویسید.
- از واژه\u{200C}های ساده استفاده کنید.
- پیش از پایان، متن را یک\u{200C}بار دیگر بخوانید.
")],
    ),
    benign(
        "hindi",
        &[md("---
name: hindi
description: हिन्दी पाठ को सरल बनाता है। Use when a text is in Hindi, Marathi or Bengali.
---

# Hindi — हिन्दी

- क्\u{200D}ष और र्\u{200D}य जैसे रूप बने रहें।
- श्री\u{200C}मान में विराम रखें।
- वाक्य छोटे हों।
- বাংলা: র‌্যাব (র\u{200D}্যাব) এবং খণ্ড ত (ত্\u{200D})।
- സാധാരണ മലയാളം: അവന്\u{200D}, പാല്\u{200D}.
")],
    ),
    benign(
        "hebrew",
        &[md("---
name: hebrew
description: עורך טקסטים בעברית. Use when a text is in Hebrew.
---

# Hebrew — עריכה

- המשפט הראשון אומר את העיקר.
- מספרים נכתבים כך: 12 קבצים, גרסה 3.4.
- מילים באנגלית כמו GitHub נשארות באותיות לטיניות.\u{200F}
- הפקודה `git status` מראה מה השתנה.
")],
    ),
    benign(
        "arabic",
        &[md("---
name: arabic
description: يلخص النصوص العربية. Use when a text is in Arabic.
---

# Arabic — تلخيص

- اكتب جملة واحدة عن كل فقرة.
- اترك الأسماء كما هي، مثل OpenAI وPython.
- الأرقام: ١٢٣ أو 123.\u{200F}
- راجع النص قبل الإرسال.
")],
    ),
    benign(
        "thai",
        &[md("---
name: thai
description: สรุปบทความภาษาไทย Use when a text is in Thai or Khmer.
---

# Thai — ภาษาไทย

- สรุป\u{200B}บทความ\u{200B}เป็น\u{200B}สาม\u{200B}ประโยค
- รักษา\u{200B}ชื่อ\u{200B}เฉพาะ\u{200B}ไว้
- ខ្មែរ៖ សូម\u{200B}សរសេរ\u{200B}ឲ្យ\u{200B}ខ្លី
- ใช้ตัวเลขอารบิก
")],
    ),
    benign(
        "cjk",
        &[md("---
name: cjk
description: 日本語・中文・한국어の文章を校正する。Use when a text is in Japanese, Chinese or Korean.
---

# CJK 校正

- 一文は六十字まで。\u{3000}段落の初めは全角で一字下げる。
- 标点使用全角，数字使用半角，例如 Python 3.12、GitHub。
- 한국어는 띄어쓰기를 확인한다. 영문 API 이름은 그대로 둔다.
- 葛\u{E0100}城市と葛\u{E0101}飾区のように、異体字は原文のまま残す。
")],
    ),
    benign(
        "european",
        &[md("---
name: european
description: Prüft Texte auf Deutsch, français et español. Use when a text is in one of these.
---

# European

- Deutsch: Größe, Straße, „Anführung“, z.\u{A0}B. mit geschütztem Leerzeichen; Donau\u{AD}dampf\u{AD}schiff.
- Français\u{202F}: « guillemets\u{A0}», œuvre, naïf\u{202F}; vérifier avant d’envoyer\u{202F}!
- Español: ¿Cuándo?, ¡Siempre!, niño, pingüino.
- Polski: zażółć gęślą jaźń. Türkçe: İstanbul, ışık.
")],
    ),
    benign(
        "russian",
        &[md("---
name: russian
description: Редактирует тексты на русском, например для GitHub и VS Code. Use when a text is in Russian.
---

# Russian — правка

- Одна мысль в предложении.
- Файл README.md пишем по-русски, имена API не переводим: git-репозиторий, HTTP-запрос, SQL-скрипт.
- Греческие буквы в формулах: α + β = γ, Δx, 10 µs, 5 Ω.
- Тире — длинное, кавычки — «ёлочки».
")],
    ),
    benign(
        "mathematics",
        &[md("---
name: mathematics
description: Writes mathematics in plain text, such as ∀x∈ℝ. Use when a formula is needed.
---

# Mathematics

- 𝑥² + 𝑦² ≤ 𝑟², ∑ᵢ aᵢ, √2 ≈ 1.414, λ-calculus, σ-algebra, π-day.
- Arrows: → ⇒ ↔. Sets: ℕ ⊂ ℤ ⊂ ℚ.
- Box: ┌─┐ │ └─┘ and ✓ ✗ ★.
")],
    ),
];
