# SPDX-License-Identifier: MIT
"""The examples in the pages: every fenced or indented block, what it is to be
run as, and what the page shows of its output."""

import re

FENCE = re.compile(r"^(\s*)```\s*(.*?)\s*$")
# The words by which a page tells its readers, too, that a block is not run.
MARK = re.compile(r"^\W*Not run by the tests: (.+?)\W*$")
PROMPTS = [("shell", re.compile(r"^[$#] ")), ("sqlite", re.compile(r"^sqlite> ")),
           ("psql", re.compile(r"^\w+=[#>] "))]
MORE = {"shell": re.compile(r"^> "), "sqlite": re.compile(r"^ *\.\.\.> "),
        "psql": re.compile(r"^\w+[-($'][#>] ")}
TYPED = re.compile(r"^(.*?) ?\(typed: (.*)\)$")


class Block:
    def __init__(self, page, line, info, reason):
        self.page, self.line, self.reason = page, line, reason
        self.language, _, self.argument = info.partition(" ")
        self.lines = []

    def __str__(self):
        return f"{self.page}:{self.line}"

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"

    @property
    def gives(self):
        """What the block itself says its output is, in comments."""
        return [found.group(1) for found in
                (re.match(r"^(?:--|#) gives: (.*)$", line) for line in self.lines) if found]


def blocks(page, text):
    """The blocks of a page, in order."""
    found, fence, before, blank = [], None, "", True
    for number, line in enumerate(text.splitlines(), 1):
        edge = FENCE.match(line)
        if fence is not None:
            if edge and not edge.group(2):
                fence = None
            else:
                found[-1].lines.append(line[fence:] if not line[:fence].strip() else line)
        elif edge:
            mark = MARK.match(before)
            found.append(Block(page, number, edge.group(2), mark and mark.group(1)))
            fence = len(edge.group(1))
        elif line.startswith("    ") and blank:
            found.append(Block(page, number, "indented", None))
        blank = not line.strip()
        if not blank and not edge:
            before = line
    if fence is not None:
        raise ValueError(f"{page}: a fence without end")
    return found


class Step:
    """One command of a transcript, and the lines shown under it."""

    def __init__(self, kind, line):
        self.kind, self.command, self.shown = kind, [line], []


def steps(block):
    """The commands of a console block."""
    found = []
    for line in block.lines:
        for kind, prompt in PROMPTS:
            if prompt.match(line):
                found.append(Step(kind, prompt.sub("", line, count=1)))
                break
        else:
            if not found:
                raise ValueError(f"{block}: output before a command: {line}")
            last = found[-1]
            more = MORE[last.kind].match(line)
            if not last.shown and (more or last.kind == "shell" and last.command[-1].endswith("\\")):
                last.command.append(line[more.end():] if more else line)
            else:
                last.shown.append(line)
    return found


def matches(shown, got):
    """Whether output is as shown: ... stands for anything within a line, and
    alone on a line for any lines."""
    pattern = ""
    for line in shown:
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*".join(re.escape(part) for part in line.rstrip().split("...")) + r"\s*\n"
    return re.fullmatch(pattern + r"\s*", "".join(line.rstrip() + "\n" for line in got)) is not None
