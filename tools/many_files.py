#!/usr/bin/env python3
"""Writes 20 skills with many files each, for corpus_report.py. Every run writes the same bytes.

  many_files.py OUT

Between them they hold what real skills hold and one-file corpora lack: nested references, names with
blanks, umlauts and Chinese, CRLF and CR-free files, byte order marks, text, code and binary files, hidden
files, files that are no UTF-8, a folder called x.md, and front matter in every style of YAML.
"""
import os, random, sys

WORDS = ("anchor batch cache digest event field graph header index journal kernel ledger mirror node offset "
         "parser queue record schema token update vector window yield zone").split()
CHINESE = "技能由来源编译成索引，代理按章节阅读内容。检索词在句子中间也能找到。"
REFERENCES = ["references/guide.md", "references/deep/er/still/notes.md", "references/with blanks in it.md",
              "references/Übersicht für Größe.md", "references/中文参考.md", "references/日本語.md",
              "references/no-heading.md", "docs/a-b_c.d.md", "docs/UPPER.MD", "docs/émoji 🎉.md"]
LONG = ("Guides an agent through a long procedure, step by step. " * 20)[:1020]

# (folder, front matter without its fences). In each, `name` and `description` are what a YAML 1.1 and a
# YAML 1.2 parser agree on.
SKILLS = [
    ("plain", "name: plain\ndescription: A plain scalar. Use when nothing is special."),
    ("single-quoted", "name: 'single-quoted'\ndescription: 'It''s quoted: once, and # no comment.'"),
    ("double-quoted", 'name: "double-quoted"\ndescription: "Tab\\tquote \\" backslash \\\\ and \\u00fc, \\x41."'),
    ("literal", "name: literal\ndescription: |\n  First line: with a colon.\n    indented second\n\n  after a blank"),
    ("literal-strip", "name: literal-strip\ndescription: |-\n  No newline at the end.\n  Two lines."),
    ("literal-keep", "name: literal-keep\ndescription: |+\n  Newlines at the end.\n\n"),
    ("folded", "name: folded\ndescription: >\n  Folded into\n  one line.\n\n  And a second paragraph."),
    ("folded-strip", "name: folded-strip\ndescription: >-\n  Use when folding: colons,\n  'quotes' and \"more\" stay."),
    ("multi-line", "name: multi-line\ndescription: a plain scalar\n  that goes on\n  over three lines"),
    ("tool-list", "name: tool-list\ndescription: Tools as a list.\nallowed-tools:\n  - Read\n  - Bash(git:*)\n"
                  "license: MIT"),
    ("flow", "{name: flow, description: 'Everything in one flow map.', allowed-tools: [Read, Write],\n"
             " metadata: {author: me, tags: [a, b]}}"),
    ("nested", "name: nested\ndescription: Maps in maps.\nmetadata:\n  version: \"1.10\"\n  owner:\n    team: x\n"
               "  list: [1, 2.5, true, null, 2026-01-01]\ncompatibility: any"),
    ("non-ascii", "name: non-ascii\ndescription: Größe prüfen – „Anführung“, 中文说明, emoji 🎉 und ein\u00a0Leerzeichen."),
    ("comments", "# first a comment\nname: comments   # trailing\n\ndescription: Kept#this but not # this\n# last"),
    ("named-otherwise", "name: another-name\ndescription: The folder has another name."),
    ("anchors", "name: anchors\ndescription: &d Said once, used twice.\nmetadata:\n  summary: *d"),
    ("looks-typed", "name: \"1.10\"\ndescription: 'yes'"),
    ("Blanks and Ümlaute", "name: blanks\ndescription: 'The folder has blanks: and an umlaut.'"),
    ("技能中文", "name: chinese\ndescription: 文件夹的名字是中文。用于测试：冒号和“引号”。"),
    ("long-text", "name: long-text\ndescription: >-\n  " + LONG.strip() + "\nunknown-key: kept\nversion: 3"),
]


def prose(rng, count):
    return " ".join(rng.choice(WORDS) for _ in range(count)).capitalize() + ".\n"


def markdown(rng, title):
    """Headings of every level and kind, and things that only look like headings."""
    parts = ["# %s\n" % title, prose(rng, 30)]
    for number in range(rng.randint(3, 18)):
        level = rng.choice([2, 2, 2, 3, 3, 4, 5, 6])
        name = "%s %s %d" % (rng.choice(WORDS).capitalize(), rng.choice(WORDS), number)
        style = number % 6
        if style == 1:
            parts.append("%s\n%s\n" % (name, "-" * len(name)))
        elif style == 2:
            parts.append("%s `code` and *stress* in %s ##\n" % ("#" * level, name))
        elif style == 3:
            parts.append("%s %s — with a dash\n" % ("#" * level, name))
        elif style == 4:
            parts.append("%s 第%d章 %s\n" % ("#" * level, number, name))
        else:
            parts.append("%s %s\n" % ("#" * level, name))
        parts.append(prose(rng, 60))
        if style == 0:
            parts.append("```sh\n# a comment, no heading\nskc --version\n```\n")
        if style == 5:
            parts.append("<!--\n# hidden\n-->\n\n> # quoted\n\n" + CHINESE + "\n")
    return "\n".join(parts)


def reference(rng, path, number):
    """The text of one reference file. Some have front matter, and one has no heading."""
    if "no-heading" in path:
        return prose(rng, 80)
    front = {0: "---\ndescription: \"Part %d: what it is for\"\n---\n" % number,
             1: "---\ndescription: >-\n  " + "A long description that must be cut. " * 6 + "\n---\n"}
    return front.get(number % 4, "") + markdown(rng, "Reference %d of %s" % (number, os.path.basename(path)))


def encode(text, kind):
    """Encodes a text with the skill's line ends and byte order mark."""
    if "crlf" in kind:
        text = text.replace("\n", "\r\n")
    return (b"\xef\xbb\xbf" if "bom" in kind else b"") + text.encode()


def put(root, path, content):
    place = os.path.join(root, path)
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(place, "wb") as file:
        file.write(content)


def make(root, position, folder, front):
    rng = random.Random("many files/%d" % position)
    kind = ("", "crlf", "bom", "crlf bom")[position % 4]
    skill = os.path.join(root, folder)
    put(skill, "SKILL.md", encode("---\n%s\n---\n\n%s" % (front, markdown(rng, "The skill " + folder)), kind))
    for number in range(30 + position):
        base = REFERENCES[number % len(REFERENCES)]
        stem, extension = os.path.splitext(base)
        path = base if number < len(REFERENCES) else "%s-%02d%s" % (stem, number, extension)
        put(skill, path, encode(reference(rng, path, number), kind if number % 3 else ""))
    for number in range(5):
        put(skill, "notes/note %d.txt" % number, encode(prose(rng, 200) + CHINESE + "\n", kind))
    put(skill, "scripts/run.py", b"# not a heading\nprint('run')\n")
    put(skill, "scripts/lib/helper.sh", b"#!/bin/sh\n# not a heading\necho help\n")
    put(skill, "assets/image.png", b"\x89PNG\r\n\x1a\n" + rng.randbytes(3000))
    put(skill, "data/table.csv", b"a,b\n1,2\n")
    put(skill, ".hidden/secret.md", b"# Hidden\n")
    put(skill, "empty.md", b"")
    odd_ones(skill, position)


def odd_ones(skill, position):
    """Files that a careless author leaves behind. None of them stops a build."""
    if position % 5 == 0:
        put(skill, "notes/latin1.txt", "Gr\u00f6\u00dfe in Latin-1\n".encode("latin-1"))
    if position % 5 == 1:
        os.makedirs(os.path.join(skill, "folder.md", "inner"), exist_ok=True)
        put(skill, "folder.md/inside.md", b"# Inside a folder called like a file\n")
    if position % 5 == 2:
        put(skill, "docs/one-line.md", b"# Only a heading, no newline")
    if position % 5 == 3:
        put(skill, "docs/old-mac.md", b"# Carriage returns\r\rOnly.\r## Two\rtext\r")
    if position % 5 == 4:
        os.symlink("guide.md", os.path.join(skill, "references", "linked.md"))


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    out = sys.argv[1]
    if os.path.isdir(out) and os.listdir(out):
        sys.exit("%s is not empty" % out)
    for position, (folder, front) in enumerate(SKILLS):
        make(out, position, folder, front)
    print(len(SKILLS), "skills of", sum(len(files) for _, _, files in os.walk(out)), "files in", out)


if __name__ == "__main__":
    main()
