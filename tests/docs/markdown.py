"""What a Markdown file of this repository holds, as far as its tests look at it: links, headings, code in backticks, fenced blocks."""

import re
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Block:
    """A fenced block. `line` is that of its first line of text."""

    language: str
    line: int
    lines: list = field(default_factory=list)

    def commands(self):
        """(line, command) of each command, lines that end with a backslash joined, comments taken off."""
        number, pending = self.line, ""
        for offset, text in enumerate(self.lines):
            if not pending:
                number = self.line + offset
            if text.rstrip().endswith("\\"):
                pending += text.rstrip()[:-1]
                continue
            command, pending = pending + text, ""
            command = re.sub(r"(^|\s+)#.*$", "", command)
            for part in re.split(r"&&|\|\||;|\|", command) if "'" not in command else [command]:
                if part.strip():
                    yield number, part.strip()


@dataclass
class Document:
    path: Path
    links: list = field(default_factory=list)  # (line, target)
    code: list = field(default_factory=list)  # (line, text between backticks)
    anchors: set = field(default_factory=set)
    blocks: list = field(default_factory=list)


def anchor_of(heading):
    """GitHub's name for a heading: what stands in links after '#'."""
    words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading.strip()).lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def _read_line(document, number, line):
    if match := re.match(r"#{1,6} (.*)", line):
        document.anchors.add(anchor_of(match[1]))
    document.code += [(number, text) for text in re.findall(r"(?<!`)`([^`]+)`(?!`)", line)]
    without_code = re.sub(r"`[^`]*`", "x", line)
    document.links += [(number, target) for target in re.findall(r"\]\(([^)\s]+)\)", without_code)]


def read(path):
    document, block = Document(path), None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        fence = re.match(r"\s*```\s*(\w*)", line)
        if fence and block is None:
            block = Block(fence[1], number + 1)
        elif fence:
            document.blocks.append(block)
            block = None
        elif block is not None:
            block.lines.append(line)
        else:
            _read_line(document, number, line)
    return document
