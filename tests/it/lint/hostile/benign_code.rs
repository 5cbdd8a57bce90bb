//! Harmless skills with code, numbers and addresses.

use super::{Benign, benign, md, text};

/// Ordinary code that looks like bad code.
pub const CODE: &[Benign] = &[
benign("local-server", &[md("---
name: local-server
description: Serves a folder for a look in the browser. Use when a page is to be shown.
---

# Local server

```sh
python3 -m http.server 8000 --bind 127.0.0.1
curl -s http://localhost:8000/index.html | head
curl http://127.0.0.1:8000/health | jq .status
```

- In containers the host is `http://host.docker.internal:8000`.
- In the office try `http://192.168.1.20:8000`; examples use 10.0.0.5, 172.16.4.1 and 203.0.113.7.
- Never bind to 0.0.0.0 on a shared machine.
")]),
benign("xml-names", &[md(r#"---
name: xml-names
description: Explains namespaces of XML. Use when an XML file has prefixes.
---

# XML names

```xml
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">
  <path d="M0 0h24v24H0z"/>
</svg>
```

- `http://www.w3.org/2001/XMLSchema` names types.
- `http://schemas.openxmlformats.org/wordprocessingml/2006/main` names Word.
- `http://json-schema.org/draft-07/schema#` names a schema. None of them is fetched.
"#)]),
benign("versions", &[md("---
name: versions
description: Compares version numbers. Use when a dependency is chosen.
---

# Versions

- 1.2.3.4 is newer than 1.2.3 in Windows files.
- Sections such as 4.2.1.3 are no addresses.
- `v2026.03.01` is a date.
- `>=1.2.0,<2` is a range, and `~=1.4.2` a narrow one.
- OID 1.3.6.1.4.1.311.21.20 names a certificate's use.
")]),
benign("inline-picture", &[md("---
name: inline-picture
description: Embeds small pictures in pages. Use when a page must be one file.
---

# Inline picture

A red dot:

![dot](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==)

- Below 4 KiB only.
- Fonts as files, not inline.
- Compare: `data:image/svg+xml;utf8,<svg .../>` is often shorter.
")]),
benign("check-sums", &[md("---
name: check-sums
description: Verifies downloads by their sums. Use when a file comes from a mirror.
---

# Check sums

Sums are in [the list](assets/SHA256SUMS).

```sh
curl -fLo jq https://github.com/jqlang/jq/releases/download/jq-1.7.1/jq-linux-amd64
sha256sum -c SHA256SUMS && chmod +x jq
```

- SHA-1 `da39a3ee5e6b4b0d3255bfef95601890afd80709` is that of nothing.
- Git names commits so: `8f3c2a1d9e7b6c5a4f3e2d1c0b9a8f7e6d5c4b3a`.
- A UUID looks so: `3f2504e0-4f89-41d3-9a0c-0305e82c3301`.
"), text("assets/SHA256SUMS", "5942c9b0934e510ee61eb3e30273f1b3fe2590df93933a93d7c58b81d19c8ff5  jq
e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  empty
")]),
benign("lock-file", &[md("---
name: lock-file
description: Explains lock files. Use when a lock file changed without a reason.
---

# Lock file

An example is in [the assets](assets/package-lock.json). Install with `npm ci`.

- `integrity` is the hash of the archive.
- `resolved` is where it came from.
- A change of the hash at the same version is an alarm.
"), text("assets/package-lock.json", r#"{
  "name": "demo",
  "lockfileVersion": 3,
  "packages": {
    "node_modules/left-pad": {
      "version": "1.3.0",
      "resolved": "https://registry.npmjs.org/left-pad/-/left-pad-1.3.0.tgz",
      "integrity":
      "sha512-XI5MPzVNApjAyhQzphX8BkmKsKUxD4LdyK24iZeQGinBN9yTQT3bFlCBy/aVx2HrNcqQGsdot8ghrjyrvMCoEA=="
    }
  }
}
"#)]),
benign("git-tools", &[md("---
name: git-tools
description: Works with git history. Use when commits are to be found or undone.
allowed-tools: Bash(git:*) Bash(jq:*) Read Grep
---

# Git tools

```sh
git log --oneline -20
git revert HEAD
git clean -nd
```

- Undo a commit that was pushed by a new one.
- Look at `git stash list` before anything is thrown away.
- `git push --force-with-lease` only on branches of your own.
")]),
benign("pinned-install", &[md("---
name: pinned-install
description: Installs tools at fixed versions. Use when a project is set up.
---

# Pinned install

```sh
npx prettier@3.3.3 --check .
pip install requests==2.32.3
pip install -r requirements.txt
uvx ruff@0.6.4 check
cargo install ripgrep --version 14.1.0 --locked
npm ci
```

- Versions stand in [the list](assets/requirements.txt).
- Raise them one at a time.
"), text("assets/requirements.txt", "requests==2.32.3
python-dateutil==2.9.0
beautifulsoup4==4.12.3
")]),
benign("clean-build", &[md("---
name: clean-build
description: Builds from a clean state. Use when a build behaves oddly.
---

# Clean build

Run `bash scripts/clean.sh`, then build.

- Only what is built is removed.
- Caches of the package manager stay.
- The exit status is that of the build.
"), text("scripts/clean.sh", r#"#!/usr/bin/env bash
set -euo pipefail

cd "$(dirname "$0")/.."
rm -rf ./build dist node_modules/.cache
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 bin/run
chmod +x bin/*.sh
find . -name '*.pyc' -delete
rm -f "$HOME/.cache/demo/lock"
"#)]),
benign("plain-script", &[md("---
name: plain-script
description: Counts lines of code by language. Use when the size of a project is asked.
---

# Plain script

Run `python scripts/lines.py FOLDER` or `node scripts/lines.js FOLDER`.

- Blank lines do not count.
- Files of vendors do not count.
- Round to hundreds.
"), text("scripts/lines.py", r#""""Counts lines by suffix."""

import collections
import os
import re
import subprocess
import sys

PATTERN = re.compile(r"^\s*$")
counts = collections.Counter()
names = subprocess.run(["git", "ls-files", sys.argv[1]], capture_output=True, text=True, check=True)
for name in names.stdout.splitlines():
    with open(name, encoding="utf-8", errors="replace") as text:
        counts[os.path.splitext(name)[1]] += sum(not PATTERN.match(line) for line in text)
print(counts.most_common(10))
"#), text("scripts/lines.js", r#"const fs = require("fs");
const pattern = /\S/g;
let match;
while ((match = pattern.exec(fs.readFileSync(process.argv[2], "utf8")))) console.log(match.index);
"#)]),
benign("web-request", &[md(r#"---
name: web-request
description: Queries public web services. Use when data of a public service is needed.
---

# Web request

```sh
curl -s https://api.github.com/repos/rust-lang/rust | jq .stargazers_count
curl -X POST https://api.example.com/v1/items -H 'Content-Type: application/json' -d '{"name": "x"}'
curl -H "Authorization: Bearer $TOKEN" https://api.example.com/v1/me
wget https://example.com/data.csv
```

- Set a timeout.
- Read the documentation at https://docs.github.com/rest?apiVersion=2022-11-28 first.
- ![build](https://img.shields.io/github/actions/workflow/status/rust-lang/rust/ci.yml?branch=master) is
  a badge.
"#)]),
benign("container", &[md(r#"---
name: container
description: Writes container files. Use when an application is packed into an image.
---

# Container

```dockerfile
FROM debian:12.5-slim
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates=20230311
USER 10001
COPY app /app
ENTRYPOINT ["/app"]
```

- Run with `docker run --rm -p 127.0.0.1:8080:8080 app`.
- Secrets are mounted, not copied.
- Scripts are called as `exec "$@"` at their end.
"#)]),
];
