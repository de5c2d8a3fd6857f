# SPDX-License-Identifier: MIT
"""A terminal with a shell, into which a page's transcripts are typed; also
what is then typed to sqlite3 and psql, and passwords where they are asked for.
All three are given prompts that no output contains."""

import os
import pty
import re
import select
import signal
import termios
import time

from blocks import TYPED, matches

# <<shell:STATUS>> asks for a command, <<shell+>> for the rest of one.
PROMPT = re.compile(r"<<(\w+)(?::(\d+)|(\+)|)>> ?$")
SQLITERC = '.prompt "<<sqlite>>" "<<sqlite+>>"\n'
PSQLRC = ("\\set QUIET on\n\\pset pager off\n\\unset QUIET\n\\set PROMPT1 '<<psql>>'\n\\set PROMPT2 '<<psql+>>'\n"
          "\\set PROMPT3 '<<psql+>>'\n")
WRONG = re.compile(r"(?m)^(psql:.*)?(ERROR|FATAL|Error|Parse error|Runtime error)\b")
# Line ends of a terminal's kind, and progress that has made way.
OVERWRITTEN = re.compile(r"\r(?=[\r\n])|[^\n]*\r(?=[^\r\n])|\x1b\[K")
PATIENCE = 180  # seconds without a prompt


class Terminal:
    def __init__(self, directory, environment):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(directory)
            # Without echo, and lines end as programs end them.
            mode = termios.tcgetattr(0)
            mode[1] &= ~termios.OPOST
            mode[3] &= ~termios.ECHO
            termios.tcsetattr(0, termios.TCSANOW, mode)
            termios.tcsetwinsize(0, (1000, 1000))
            os.execvpe("bash", ["bash", "--norc", "--noprofile", "--noediting"],
                       {**environment, "TERM": "dumb", "PS1": "<<shell:$?>>", "PS2": "<<shell+>>"})
        self.prompt = None
        self.wait(PROMPT)

    def close(self):
        os.kill(self.pid, signal.SIGHUP)
        os.close(self.fd)
        os.waitpid(self.pid, 0)

    def wait(self, ending):
        """Reads until the output ends so; what came before."""
        text, until = "", time.monotonic() + PATIENCE
        while True:
            ready = select.select([self.fd], [], [], max(0, until - time.monotonic()))[0]
            try:
                data = os.read(self.fd, 65536) if ready else b""
            except OSError:
                data = b""
            if not data:
                raise RuntimeError("no prompt came, but:\n" + text)
            text = OVERWRITTEN.sub("", text + data.decode(errors="replace"))
            found = ending.search(text)
            if found:
                if ending is PROMPT:
                    self.prompt = found
                return text[:found.start()]

    def send(self, line):
        os.write(self.fd, (line + "\n").encode())

    def leave(self):
        """Ends sqlite3 or psql."""
        os.write(self.fd, b"\4")
        self.wait(PROMPT)

    def output(self, step):
        """Types a command, and what is asked for under it; its output."""
        got = ""
        for number, line in enumerate(step.command, 1):
            self.send(line)
            if number < len(step.command):
                got += self.wait(PROMPT)
        for line in step.shown:
            asked = TYPED.match(line)
            if asked:
                before = self.wait(re.compile(re.escape(asked.group(1)) + r"\s*$"))
                got += before + line + "\n"
                self.send(asked.group(2))
        rest = self.wait(PROMPT)
        # The line end that a program adds after a password typed unseen.
        if got and rest.startswith("\n"):
            rest = rest[1:]
        return (got + rest).splitlines()

    def run(self, step):
        """None, or what is wrong."""
        if step.kind == "shell":
            while self.prompt.group(1) != "shell":
                self.leave()
        if self.prompt.group(1) != step.kind:
            return f"{step.kind} is not running"
        got = self.output(step)
        if self.prompt.group(3):
            return "more input is wanted after " + step.command[-1]
        if self.prompt.group(1) != step.kind:
            return None  # a program has started, and greeted
        if step.shown:
            if not matches(step.shown, got):
                return "\n".join([f"of {step.command[0]}", "shown:", *step.shown, "got:", *got])
        elif self.prompt.group(2) not in (None, "0") or WRONG.search("\n".join(got)):
            return "\n".join([f"{step.command[0]} fails", *got])
        return None
