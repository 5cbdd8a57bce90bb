//! Harmless skills with bundled files.

use super::{Benign, benign, bytes, md, text};

/// Ordinary files that look like bad ones.
pub const FILES: &[Benign] = &[
benign("picture-assets", &[md("---
name: picture-assets
description: Places pictures and fonts on pages. Use when a page is designed.
---

# Picture assets

Use `assets/dot.png`, `assets/photo.jpg`, `assets/text.woff2` and `assets/paper.pdf`.

- Pictures have a text for those who do not see them.
- Photos are compressed.
- Fonts are cut to what is used.
"), bytes("assets/dot.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\nIDATx\x9cc\0"), bytes("assets/photo.jpg", b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xdb\0C\0\x08\x06\x06\x07\x06\x05\x08\xff\xd9"), bytes("assets/text.woff2", b"wOF2\0\x01\0\0\0\0\x02\x30\0\x0a\0\0\0\0\x05\x18\0\0\x01\xe8\0\x01\0\0\0\0\0\0"), bytes("assets/paper.pdf", b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\ntrailer\n<< /Root 1 0
R >>\n%%EOF\n")]),
benign("vector-art", &[md("---
name: vector-art
description: Draws icons as SVG. Use when an icon is needed.
---

# Vector art

Start from [the star](assets/star.svg).

- One path.
- No fixed colours.
- A title for readers.
"), text("assets/star.svg", r##"<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 24 24">
  <title>Star, as described in a script on drawing</title>
  <style>path { fill: currentColor }</style>
  <path id="p" d="M12 2l3 7h7l-5.5 4.5L18 21l-6-4-6 4 1.5-7.5L2 9h7z"/>
  <use xlink:href="#p" opacity=".2"/>
</svg>
"##)]),
benign("env-example", &[md("---
name: env-example
description: Sets up the environment of a service. Use when the service is started for the first time.
---

# Env example

1. Copy `.env.example` to `.env`.
2. Fill in the values from the team's vault.
3. Start with `docker compose up`.

The template is [here](assets/env.example).
"), text("assets/env.example", "# Copy to .env
PORT=8080
DATABASE_URL=postgres://postgres:postgres@localhost:5432/app
API_KEY=your-api-key-here
SESSION_SECRET=changeme
AWS_ACCESS_KEY_ID=
"), text(".env.example", "PORT=8080
")]),
benign("many-references", &[md("---
name: many-references
description: Holds notes on many subjects. Use when a subject is looked up.
---

# Many references

See [one](references/one.md), [two](references/deep/two.md) and [three](references/deep/three.md).

- Each note has a title.
- Notes link to each other.
"), text("references/one.md", "# One

Back to [the start](../SKILL.md), on to [two](deep/two.md).
"), text("references/deep/two.md", "# Two

Up to [one](../one.md#one), beside [three](./three.md), and [the start](../../SKILL.md).
"), text("references/deep/three.md", "# Three

The end. Paths such as `../src/main.rs` are those of the user's project.
")]),
benign("data-tables", &[md("---
name: data-tables
description: Answers questions from a table of elements. Use when chemistry is asked.
---

# Data tables

The table is [elements.csv](assets/elements.csv), its layout
[elements.schema.json](assets/elements.schema.json).

- Masses are in unified atomic units.
- Round to three digits.
"), text("assets/elements.csv", "number,symbol,mass
1,H,1.008
2,He,4.0026
"), text("assets/elements.schema.json", r#"{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": { "number": { "type": "integer" }, "symbol": { "type": "string" } }
}
"#)]),
benign("api-client", &[md("---
name: api-client
description: Calls the ticket system. Use when tickets are read or written.
---

# API client

Run `python scripts/tickets.py list`. The key comes from `TICKETS_KEY`.

- Show the number and the title.
- Ask before a ticket is closed.
"), text("scripts/tickets.py", r#""""Lists tickets."""

import json
import os
import sys
import urllib.request

BASE = os.environ.get("TICKETS_URL", "https://tickets.example.com")


def call(path, content=None):
    request = urllib.request.Request(
        f"{BASE}/api/{path}",
        data=json.dumps(content).encode() if content else None,
        headers={"Authorization": f"Bearer {os.environ['TICKETS_KEY']}"},
    )
    with urllib.request.urlopen(request, timeout=10) as reply:
        return json.load(reply)


if sys.argv[1:] == ["list"]:
    for ticket in call("tickets"):
        print(ticket["number"], ticket["title"])
"#)]),
benign("two-skills", &[md(r#"---
name: two-skills
description: Merges and splits PDF files. Use when the user wants one PDF from several.
license: MIT
compatibility: Needs Python 3.11
metadata:
  version: "1.2.0"
---

# Two skills

For forms, see the skill `pdf-forms` instead.

1. Ask for the order.
2. Run `qpdf --empty --pages a.pdf b.pdf -- out.pdf`.
3. Check the number of pages.
4. Leave the sources as they are.
"#)]),
];
