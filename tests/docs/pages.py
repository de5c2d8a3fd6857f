#!/usr/bin/python3 -Wignore
# SPDX-License-Identifier: MIT
"""pages.py [PAGE..]: does what the pages tell a reader to do, block by block,
and compares what they show. A block that is not run must say so, and why, in
the line before it ("Not run by the tests: .."); those are counted.

    ```console           a transcript: $ and # shell, sqlite> and app=# prompts;
                         "Password: (typed: x)" answers; ... is anything
    ```sql ['a', 'b']    a script for psql, or sqlite3 on its own page; $1 and
                         ? are bound to these values
    ```python            a script
    ```LANGUAGE FILE     a file that a later command needs
    ```text              a picture

Scripts may end in comments "gives: OUTPUT"."""

import glob
import os
import re
import subprocess
import sys
import time

from machine import ROOT, Machine, tap
from blocks import blocks, matches, steps
from terminal import Terminal

# In the order of a reader: those that build on the pages of the hosts last.
ALL = ["README.md", *sorted(glob.glob("modules/*/README.md", root_dir=ROOT)),
       *sorted(glob.glob("docs/*.md", root_dir=ROOT), key=lambda name: ("migrating" in name, name))]


def statements(text):
    """An SQL script in statements, by semicolons at line ends outside of $$."""
    found, inside = [""], False
    for line in text.splitlines():
        if line.startswith("--"):
            continue
        found[-1] += line + "\n"
        inside ^= line.count("$$") % 2 == 1
        if not inside and re.search(r";\s*(--.*)?$", line):
            found.append("")
    return [s for s in found if s.strip()]


class Page:
    def __init__(self, machine, name):
        self.machine, self.name = machine, name
        with open(os.path.join(ROOT, name)) as file:
            self.blocks = blocks(name, file.read())
        text = "".join(b.text for b in self.blocks if not b.reason)
        if re.search(r"^\w+=[#>] ", text, re.M) or any(b.language == "sql" for b in self.blocks) \
                and not name.endswith("sqlite.md"):
            machine.start_postgres("install-pg" in text)
        if "ssh " in text:
            machine.start_sshd()
        self.terminal = Terminal(machine.directory, machine.environment)

    def script(self, text, *command):
        done = subprocess.run(command, input=text, text=True, cwd=self.machine.directory, timeout=120,
                              env=self.machine.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def psql(self, text, values):
        script = "\\set ON_ERROR_STOP 1\n"
        for statement in statements(text):
            most = max(map(int, re.findall(r"\$(\d)", statement)), default=0)
            if most and "$$" not in statement:
                bound = values[:most]
                script += f"PREPARE one AS {statement}EXECUTE one({', '.join(bound)});\nDEALLOCATE one;\n"
            else:
                script += statement
        return self.script(script, "psql", "-XAtq", "-d", "app")

    def sqlite(self, text, values):
        script = ".bail on\n.load build/sqlite_argon2\n"
        for number, value in enumerate(values, 1):
            script += f'.parameter set ?{number} "{value}"\n'
        return self.script(script + text, "sqlite3", "-batch", "-init", "/dev/null", "app.db")

    def run_script(self, block):
        values = [v.strip() for v in block.argument.split(",")] if block.argument else []
        if block.language == "python":
            code, output = self.script(block.text, "/usr/bin/python3", "-")
        elif self.name.endswith("sqlite.md"):
            code, output = self.sqlite(block.text, values)
        else:
            code, output = self.psql(block.text, values)
        if code != 0 or block.gives and not matches(block.gives, output.splitlines()):
            return f"exit status {code}, and:\n{output}"
        return None

    def run_console(self, block):
        commands = steps(block)
        if not commands:
            return "no command"
        for step in commands:
            wrong = self.terminal.run(step)
            if wrong:
                return wrong
        return None

    def write_file(self, block):
        path = os.path.join(self.machine.directory, block.argument)
        base = os.path.basename(path)
        if base == "postgresql.conf":
            self.machine.postgres_settings(block.text)
            return None
        with open(path, "w") as file:
            file.write(block.text)
        if base == "pgbouncer.ini":
            self.machine.start_pgbouncer(path)
            return None
        later = self.blocks[self.blocks.index(block) + 1:]
        uses = [b for b in later if b.language == "console" and not b.reason and base in b.text]
        if not uses and not path.startswith("/etc/pam.d/"):
            return f"no command uses {block.argument}"
        return None

    def run(self, block):
        if block.language == "console":
            return self.run_console(block)
        if block.language == "sql" or block.language == "python" and not block.argument:
            return self.run_script(block)
        if block.language == "text":
            return "a command in a picture" if re.search(r"^[$#] ", block.text, re.M) else None
        if block.argument:
            return self.write_file(block)
        return "neither run nor marked as not run"

    def outcome(self, block):
        """None, or what is wrong."""
        try:
            return self.run(block)
        except (RuntimeError, ValueError) as error:
            self.terminal.close()
            self.terminal = Terminal(self.machine.directory, self.machine.environment)
            return str(error)

    def follow(self):
        """Each block is a test; returned are those marked as not run."""
        marked = [b for b in self.blocks if b.reason]
        for block in marked:
            print(f"# {block} is not run: {block.reason}")
        for block in self.blocks:
            if block not in marked:
                start = time.monotonic()
                wrong = self.outcome(block)
                tap.ok(f"{block}, {time.monotonic() - start:.1f} s", wrong is None, wrong)
        self.terminal.close()
        return marked


os.chdir(ROOT)
machine = Machine()
names = [os.path.relpath(os.path.join(ROOT, name), ROOT) for name in sys.argv[1:]] or ALL
marked = [block for name in names for block in Page(machine, name).follow()]
print(f"# {tap.count} blocks are run; {len(marked)} say why they are not")
tap.ok("there are examples", tap.count > 0)

# A page on which everything is wrong: nothing of it may pass.
control = Page(machine, "tests/docs/wrong.md")
for block in control.blocks:
    wrong = control.outcome(block)
    tap.ok(f"{block} is found to be wrong", wrong is not None)
tap.ok("there is something wrong", len(control.blocks) > 0)
tap.end()
