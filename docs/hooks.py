"""Assembles one book from the pages of this repository.

Every page is included from where it is, under its own path, so that links between files work in the repository and in the
book alike. A link to a file that is no page of the book must lead to an existing file; it is shown as the file's path.
"""

import os
import re

from mkdocs.structure.files import File, Files

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SKILL = "apps/cli/skill/using-skc"
# Chapter: the pages in it, or the folder whose pages are listed by name.
CHAPTERS = [
    ("Introduction", ["README.md"]),
    ("Guide", [
        f"{SKILL}/SKILL.md",
        f"{SKILL}/references/authoring.md",
        f"{SKILL}/references/building.md",
        f"{SKILL}/references/deploying.md",
        f"{SKILL}/references/reading.md",
        f"{SKILL}/references/searching.md",
        f"{SKILL}/references/linting.md",
        f"{SKILL}/references/measuring.md",
        f"{SKILL}/references/configuration.md",
        f"{SKILL}/references/troubleshooting.md",
    ]),
    ("Reference", ["docs/glossary.md", "tests/golden/cli.md", "CHANGELOG.md", "SECURITY.md"]),
    ("Development", ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/add-a-verb.md", "docs/add-a-rule.md", "tools/README.md"]),
    ("RFCs", "rfc"),
    ("Lint rules", "rfc/rules"),
    ("Decisions", "adr"),
]
# A link in Markdown outside code: its text and its relative destination.
LINK = re.compile(r"(?<!!)\[([^\]\n]*(?:\n[^\]\n]+)?)\]\(([^)\s#:]+)(#[^)\s]*)?\)")


def _pages(chapter):
    if isinstance(chapter, list):
        return chapter
    names = sorted(n for n in os.listdir(os.path.join(ROOT, chapter)) if n.endswith(".md"))
    names.sort(key=lambda name: name != "README.md")
    return [f"{chapter}/{name}" for name in names]


def _title(page):
    """The first heading. The front matter of a skill has a name for agents, not for readers."""
    with open(os.path.join(ROOT, page), encoding="utf-8") as text:
        return next((line[2:].strip() for line in text if line.startswith("# ")), page)


def on_config(config):
    config.nav = [
        {title: [{_title(page): page} for page in _pages(chapter)]} if len(_pages(chapter)) > 1
        else {title: _pages(chapter)[0]}
        for title, chapter in CHAPTERS
    ]
    return config


def on_files(files, config):
    pages = [page for _, chapter in CHAPTERS for page in _pages(chapter)]
    own = [file for file in files if file.src_dir == config.docs_dir]
    unlisted = [file.src_uri for file in own if file.is_documentation_page() and f"docs/{file.src_uri}" not in pages]
    if unlisted:
        raise SystemExit(f"pages of docs/ that no chapter of docs/hooks.py lists: {unlisted}")
    theme = [file for file in files if file not in own]
    pages += [f"docs/{file.src_uri}" for file in own if file.src_uri.endswith(".svg")]
    return Files(theme + [File.generated(config, page, abs_src_path=os.path.join(ROOT, page)) for page in pages])


def on_page_markdown(markdown, page, config, files):
    folder = os.path.dirname(page.file.src_uri)

    def shown(link):
        text, path, _ = link.groups()
        target = os.path.normpath(os.path.join(folder, path)).replace(os.sep, "/")
        if files.get_file_from_path(target) is None and os.path.exists(os.path.join(ROOT, target)):
            return f"{text} (`{target}`)" if target not in text else text
        return link.group(0)

    # Code stays as it is: fences first, then spans.
    parts = re.split(r"(^```.*?^```$|`[^`\n]+`(?!\]))", markdown, flags=re.S | re.M)
    return "".join(part if index % 2 else LINK.sub(shown, part) for index, part in enumerate(parts))
