#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The password prompt: no echo, asked twice for hash, and a terminal that is
as it was whatever happens."""

import os
import signal
import sys
import time

from support import CHEAP, COMMAND, Terminal, done, make_hash, ok, run

HASH = make_hash(b"hunter2")


def until(condition, seconds=30):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return False


def answer(terminal, prompt, password):
    ok(terminal.wait_for(prompt) is not None, f"asks: {prompt.decode()}",
       terminal.seen)
    ok(not terminal.echo(), "  without echo")
    terminal.type(password)


def hash_on_terminal():
    terminal = Terminal("hash", "--params", CHEAP, pipe=True)
    answer(terminal, b"Password: ", b"hunter2\n")
    answer(terminal, b"Password again: ", b"hunter2\n")
    text = terminal.output.read().decode().strip()
    echo = terminal.echo()
    status, shown = terminal.finish()
    ok(status == 0 and b"hunter2" not in shown, "hash", status, shown)
    ok(echo, "  echo is on again")
    ok(run("verify", text, stdin=b"hunter2").returncode == 0,
       "  of what was typed", text)

    terminal = Terminal("hash", "--params", CHEAP)
    answer(terminal, b"Password: ", b"hunter2\n")
    answer(terminal, b"Password again: ", b"hunter3\n")
    status, shown = terminal.finish()
    ok(status == 2 and b"the two passwords differ" in shown and
       b"$argon2" not in shown and b"hunter" not in shown,
       "two passwords that differ", status, shown)

    terminal = Terminal("hash", "--params", CHEAP)
    answer(terminal, b"Password: ", b"hunter2\n")
    answer(terminal, b"Password again: ", b"hunter23\n")
    ok(terminal.finish()[0] == 2, "one is the beginning of the other")


def verify_on_terminal():
    for password, expected, word in ((b"hunter2\n", 0, b"ok"),
                                     (b"hunter3\n", 1, b"mismatch"),
                                     (b"hunter\x7f2\n", 1, b"mismatch"),
                                     (b"hunterx\x7f2\n", 0, b"ok"),
                                     (b"hunter2\x04\x04", 0, b"ok"),
                                     (b"\n", 1, b"mismatch")):
        terminal = Terminal("verify", HASH)
        answer(terminal, b"Password: ", password)
        status, shown = terminal.finish()
        ok(status == expected and shown.split()[-1:] == [word] and
           b"hunter" not in shown and b"again" not in shown,
           f"verify {password!r}", status, shown)
    terminal = Terminal("verify", HASH)
    answer(terminal, b"Password: ", b"\x04")
    status, shown = terminal.finish()
    ok(status == 2 and b"no password was given" in shown,
       "end of file is no password", status, shown)
    terminal = Terminal("verify", "malformed")
    status, shown = terminal.finish()
    ok(status == 2 and b"Password" not in shown,
       "a malformed hash is refused before anybody types", status, shown)
    terminal = Terminal("verify", HASH + "x" * 5000)
    status, shown = terminal.finish()
    ok(status == 2 and b"Password" not in shown, "so is one too long")


def ended_by_signals():
    for key, number in ((b"\x03", signal.SIGINT), (b"\x1c", signal.SIGQUIT),
                        (None, signal.SIGTERM), (None, signal.SIGHUP)):
        for prompts in (1, 2):
            terminal = Terminal("hash", "--params", CHEAP)
            if prompts == 2:
                answer(terminal, b"Password: ", b"hunter2\n")
            answer(terminal, b": ", b"hun")
            if key:
                terminal.type(key)
            else:
                os.kill(terminal.pid, number)
            restored = until(terminal.echo)
            status, shown = terminal.finish()
            ok(status == 128 + number and b"hun" not in shown,
               f"{number.name} at prompt {prompts}", status, shown)
            ok(restored, "  restores the terminal")


def job_control():
    """A shell's part: the command in a process group of its own, stopped by
    the keyboard and continued."""
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    pid = os.fork()
    if pid == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execv(COMMAND, [COMMAND, "verify", HASH])
    while True:
        status = os.waitpid(pid, os.WUNTRACED)[1]
        if not os.WIFSTOPPED(status):
            return os.waitstatus_to_exitcode(status)
        os.tcsetpgrp(0, os.getpgrp())
        os.write(2, b"stopped by %d." % os.WSTOPSIG(status))
        sys.stdin.readline()
        os.tcsetpgrp(0, pid)
        os.kill(pid, signal.SIGCONT)


def suspended():
    terminal = Terminal(function=job_control)
    for _ in range(2):
        answer(terminal, b"Password: ", b"hun\x1a")
        shown = terminal.wait_for(b"stopped by %d." % signal.SIGTSTP)
        ok(shown is not None, "^Z stops it", terminal.seen)
        ok(terminal.echo(), "  with the terminal restored")
        terminal.type(b"go on\n")
    answer(terminal, b"Password: ", b"hunter2\n")
    status, shown = terminal.finish()
    ok(status == 0 and b"hun" not in shown, "continued, it asks afresh",
       status, shown)


def streams():
    def no_terminal():
        os.execvp("setsid", ["setsid", "-w", COMMAND, "verify", HASH])
    status, shown = Terminal(function=no_terminal).finish()
    ok(status == 2 and b"/dev/tty: " in shown,
       "a terminal that cannot be opened is an error", status, shown)

    def elsewhere():
        null = os.open("/dev/null", os.O_WRONLY)
        os.dup2(null, 2)
        os.execv(COMMAND, [COMMAND, "verify", HASH])
    terminal = Terminal(function=elsewhere, pipe=True)
    answer(terminal, b"Password: ", b"hunter2\n")
    ok(terminal.output.read() == b"ok\n" and terminal.finish()[0] == 0,
       "the prompt goes to the terminal, wherever output and errors go")


hash_on_terminal()
verify_on_terminal()
ended_by_signals()
suspended()
streams()
done()
