#!/usr/bin/env python3
"""Reads Markdown with markdown-it-py, for tests that compare skc's parser with another one.

  read_markdown.py < texts.json

Standard input is a JSON list of texts without front matter; standard output a list of what each holds: its sections in order, each as
[level, line, line behind its end, heading, GitHub's anchor]. Lines count from 1. A section ends where the next heading of its level or
above begins. The anchor is that of github-slugger: lower case, without all but letters, marks, digits (no ² or ½), connecting punctuation, hyphens
and blanks, blanks to hyphens, and numbered where it was given already.
"""
import json, sys, unicodedata

from markdown_it import MarkdownIt

READER = MarkdownIt("commonmark").enable("table")


def shown(tokens):
    """The text of inline tokens, as rendered."""
    parts = []
    for token in tokens or []:
        if token.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        elif token.type == "image":
            parts.append(shown(token.children))
        elif token.type in ("text", "code_inline", "text_special"):
            parts.append(token.content)
    return "".join(parts)


def headings(text):
    tokens = READER.parse(text)
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            yield int(token.tag[1]), token.map[0] + 1, shown(tokens[at + 1].children).strip()


def lines(text):
    ends = text.replace("\r\n", "\n").replace("\r", "\n")
    return ends.count("\n") + (0 if ends.endswith("\n") or not ends else 1)


def slug(heading):
    keeps = lambda c: c in " -" or unicodedata.category(c)[0] in "LM" or unicodedata.category(c) in ("Nd", "Nl", "Pc")
    return "".join(c for c in heading.lower() if keeps(c)).replace(" ", "-")


def anchors(found):
    given = {}
    for heading in found:
        plain = anchor = slug(heading)
        while anchor in given:
            given[plain] += 1
            anchor = f"{plain}-{given[plain]}"
        given[anchor] = 0
        yield anchor


def sections(text):
    found = list(headings(text))
    names = list(anchors([heading for _, _, heading in found]))
    answer = []
    for at, (level, line, heading) in enumerate(found):
        end = next((next_line for below, next_line, _ in found[at + 1:] if below <= level), lines(text) + 1)
        answer.append([level, line, end, heading, names[at]])
    return answer


json.dump([sections(text) for text in json.load(sys.stdin)], sys.stdout)
