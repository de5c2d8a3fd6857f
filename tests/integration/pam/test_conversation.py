#!/usr/bin/python3 -Wignore
# SPDX-License-Identifier: MIT
"""Conversations as data: a stack, a user, what is typed; and what the user
sees, what the application is told, what the log says."""

from world import World, argon2id, append, foreign, shadow, talk, tap, verifies

AUTH = "auth required pam_argon2fast.so nodelay"
BOTH = AUTH + " migrate\npassword required pam_argon2fast.so"
FAILURE = "authentication failure; logname= uid=0 euid=0 tty= ruser= rhost="

world = World()
world.conf()
right = argon2id("right")
world.user("ann", right)
world.user("owl", argon2id("right", m=1024, t=2, p=4))
world.user("old", argon2id("right", version=16))
world.user("six", foreign("right", "$6$"))
world.user("yes", foreign("right", "$y$"))
world.user("blank", "")
world.user("locked", "!" + right)
world.user("star", "*")
world.user("two", "!!")
world.user("huge", right.replace("m=64", "m=4294967295"))
world.user("lanes", right.replace("p=1", "p=16777215"))
world.user("above", argon2id("right", m=8).replace("m=8,", "m=4194304,"))
world.user("notag", right.rsplit("$", 1)[0])
world.user("junk", "$argon2id$")
world.user("long", "$argon2id$" + "A" * 1500)
world.user("longer", "$argon2id$" + "A" * 9000)
append("/etc/shadow", "short\nnul:$argon2id$\0v=19:19000:0:99999:7:::\n")
append("/etc/shadow", f"ann:{argon2id('second')}:19000:0:99999:7:::\n")
world.user("last", right)

# stack, user, words, answers, what is printed, what is logged (beginnings)
PASSWORD = "prompt: Password: "
CASES = [
    ("the right password", AUTH, "ann", ["authenticate", "setcred"], ["right"],
     [PASSWORD, "authenticate: SUCCESS", "setcred: SUCCESS"], []),
    ("a wrong one", AUTH, "ann", ["authenticate"], ["wrong"],
     [PASSWORD, "authenticate: AUTH_ERR"], [FAILURE + "  user=ann"]),
    ("an empty one", AUTH, "ann", ["authenticate"], [""],
     [PASSWORD, "authenticate: AUTH_ERR"], [FAILURE + "  user=ann"]),
    ("the first of two lines for a user counts", AUTH, "ann", ["authenticate"], ["second"],
     [PASSWORD, "authenticate: AUTH_ERR"], [FAILURE]),
    ("the user behind hostile lines", AUTH, "last", ["authenticate"], ["right"],
     [PASSWORD, "authenticate: SUCCESS"], []),
    ("more memory, passes and lanes", AUTH, "owl", ["authenticate"], ["right"],
     [PASSWORD, "authenticate: SUCCESS"], []),
    ("version 0x10", AUTH, "old", ["authenticate"], ["right"],
     [PASSWORD, "authenticate: SUCCESS"], []),
    ("an unknown user, who is not named", AUTH, "nobody-here", ["authenticate"], ["right"],
     [PASSWORD, "authenticate: USER_UNKNOWN"], ["check pass; user unknown", FAILURE]),
    ("named with audit", AUTH + " audit", "nobody-here", ["authenticate"], ["right"],
     [PASSWORD, "authenticate: USER_UNKNOWN"],
     ["check pass; user unknown", FAILURE + "  user=nobody-here"]),
    ("the user of a line without colon", AUTH, "short", ["authenticate"], ["right"],
     [PASSWORD, "authenticate: USER_UNKNOWN"], ["check pass", FAILURE]),
    ("no user can have a colon", AUTH, "ann:x", ["authenticate"], ["right"],
     [PASSWORD, "authenticate: USER_UNKNOWN"], ["check pass", FAILURE]),
    ("nor such a long name", AUTH, "a" * 600, ["authenticate"], ["right"],
     [PASSWORD, "authenticate: USER_UNKNOWN"], ["check pass", FAILURE]),
    ("a password longer than any", AUTH, "ann", ["authenticate"], ["x" * 513],
     [PASSWORD, "authenticate: AUTH_ERR"], [FAILURE]),
    ("a locked entry", AUTH, "locked", ["authenticate"], ["right"],
     [PASSWORD, "authenticate: AUTH_ERR"], [FAILURE]),
    ("a star", AUTH, "star", ["authenticate"], ["*"],
     [PASSWORD, "authenticate: AUTH_ERR"], [FAILURE]),
    ("two exclamation marks", AUTH, "two", ["authenticate"], ["!!"],
     [PASSWORD, "authenticate: AUTH_ERR"], [FAILURE]),
    ("an empty field without nullok", AUTH, "blank", ["authenticate"], [""],
     [PASSWORD, "authenticate: AUTH_ERR"], [FAILURE]),
    ("an empty field with nullok asks nothing", AUTH + " nullok", "blank", ["authenticate"], [],
     ["authenticate: SUCCESS"], []),
    ("unless the application forbids it", AUTH + " nullok", "blank", ["authenticate-nonull"], [""],
     [PASSWORD, "authenticate-nonull: AUTH_ERR"], [FAILURE]),
    ("nullok changes nothing for others", AUTH + " nullok", "ann", ["authenticate"], [""],
     [PASSWORD, "authenticate: AUTH_ERR"], [FAILURE]),
    ("nullok opens no locked entry", AUTH + " nullok", "two", ["authenticate"], [""],
     [PASSWORD, "authenticate: AUTH_ERR"], [FAILURE]),
    ("m = 2^32-1", AUTH, "huge", ["authenticate"], ["right"],
     [PASSWORD, "authenticate: AUTHINFO_UNAVAIL"], ["user [huge]: "]),
    ("p = 2^24-1", AUTH, "lanes", ["authenticate"], ["right"],
     [PASSWORD, "authenticate: AUTH_ERR"], ["user [lanes]: the entry's hash: ", FAILURE]),
    ("a cost above the ceiling", AUTH, "above", ["authenticate"], ["right"],
     [PASSWORD, "authenticate: AUTHINFO_UNAVAIL"], ["user [above]: "]),
    ("a hash without its tag", AUTH, "notag", ["authenticate"], ["right"],
     [PASSWORD, "authenticate: AUTH_ERR"], ["user [notag]: the entry's hash: ", FAILURE]),
    ("a prefix and nothing more", AUTH, "junk", ["authenticate"], ["right"],
     [PASSWORD, "authenticate: AUTH_ERR"], ["user [junk]: the entry's hash: ", FAILURE]),
    ("a field of 1500 bytes", AUTH, "long", ["authenticate"], ["right"],
     [PASSWORD, "authenticate: AUTH_ERR"], [FAILURE]),
    ("a line of 9000 bytes", AUTH, "longer", ["authenticate"], ["right"],
     [PASSWORD, "authenticate: AUTH_ERR"], [FAILURE]),
    ("a NUL in the line", AUTH, "nul", ["authenticate"], ["right"],
     [PASSWORD, "authenticate: AUTH_ERR"], [FAILURE]),
    ("a foreign hash is declined", AUTH, "six", ["authenticate"], ["right"],
     [PASSWORD, "authenticate: USER_UNKNOWN"], []),
    ("and the next module has the password",
     "auth sufficient pam_argon2fast.so nodelay\nauth required pam_unix.so nodelay use_first_pass",
     "six", ["authenticate"], ["right"], [PASSWORD, "authenticate: SUCCESS"], []),
    ("the password of the module before", "auth optional pam_unix.so nodelay\n" + AUTH + " use_first_pass",
     "ann", ["authenticate"], ["right"], [PASSWORD, "authenticate: SUCCESS"], []),
    ("use_first_pass never asks", AUTH + " use_first_pass", "ann", ["authenticate"], [],
     ["authenticate: AUTH_ERR"], []),
    ("the third try is the last", AUTH, "ann", ["authenticate"] * 3, ["a", "b", "c"],
     [PASSWORD, "authenticate: AUTH_ERR", PASSWORD, "authenticate: AUTH_ERR",
      PASSWORD, "authenticate: MAXTRIES"],
     [FAILURE + "  user=ann", "talk: PAM 2 more authentication failures; logname= uid=0",
      "talk: PAM 3 failures"]),
    ("two failures", AUTH, "ann", ["authenticate"] * 2, ["a", "b"],
     [PASSWORD, "authenticate: AUTH_ERR", PASSWORD, "authenticate: AUTH_ERR"],
     [FAILURE + "  user=ann", "talk: PAM 1 more authentication failure; "]),
    ("items in the log", AUTH, "ann",
     ["rhost=192.0.2.7", "tty=ssh", "ruser=eve", "ruid=12345", "authenticate"], ["wrong"],
     [PASSWORD, "authenticate: AUTH_ERR"],
     ["authentication failure; logname= uid=12345 euid=0 tty=ssh ruser=eve rhost=192.0.2.7  user=ann"]),
    ("a conversation that is not ready", AUTH, "ann", ["authenticate", "authenticate"],
     ["<again>", "right"],
     [PASSWORD, "authenticate: INCOMPLETE", PASSWORD, "authenticate: SUCCESS"], ["conversation failed"]),
    ("nor for the name", AUTH, "", ["authenticate"], ["<again>"],
     ["prompt: login:", "authenticate: INCOMPLETE"], []),
    ("a name that is asked for", AUTH, "", ["authenticate"], ["ann", "right"],
     ["prompt: login:", PASSWORD, "authenticate: SUCCESS"], []),
    ("an unknown option is passed over", AUTH + " frobnicate", "ann", ["authenticate"], ["right"],
     [PASSWORD, "authenticate: SUCCESS"], ["unrecognized option [frobnicate]"]),
    ("a bad value is not", AUTH + " helper=perhaps", "ann", ["authenticate"], ["right"],
     ["authenticate: AUTHINFO_UNAVAIL"], ["the value of helper= is not valid"]),
    ("nor a relative path", AUTH + " conf=argon2fast.conf", "ann", ["authenticate"], ["right"],
     ["authenticate: AUTHINFO_UNAVAIL"], ["the value of conf= is not valid"]),
    ("params= that are none", AUTH + " params=m=1", "ann", ["authenticate"], ["right"],
     [PASSWORD, "authenticate: AUTHINFO_UNAVAIL"], ["/etc/security/argon2fast.conf: the module's option params="]),
    ("a missing conf= fails closed", AUTH + " conf=/etc/security/none.conf", "ann",
     ["authenticate"], ["right"], [PASSWORD, "authenticate: AUTHINFO_UNAVAIL"],
     ["/etc/security/none.conf: No such file"]),
    ("helper=never", AUTH + " helper=never", "ann", ["authenticate", "tasks"], ["right"],
     [PASSWORD, "authenticate: SUCCESS", "tasks: 1"], []),
    ("helper=never, wrong", AUTH + " helper=never", "ann", ["authenticate"], ["wrong"],
     [PASSWORD, "authenticate: AUTH_ERR"], [FAILURE]),
    ("migrate checks a foreign hash", BOTH, "six", ["authenticate"], ["wrong"],
     [PASSWORD, "authenticate: AUTH_ERR"], [FAILURE]),
    ("and rewrites it", BOTH, "six", ["authenticate"], ["right"],
     [PASSWORD, "authenticate: SUCCESS"], ["rewrote the password hash of six, was sha512crypt"]),
    ("once", BOTH, "six", ["authenticate"], ["right"], [PASSWORD, "authenticate: SUCCESS"], []),
    ("quietly with quiet", BOTH.replace("migrate", "migrate quiet"), "yes", ["authenticate"], ["right"],
     [PASSWORD, "authenticate: SUCCESS"], []),
]


def run(number, case):
    name, stack, user, words, answers, printed, logged = case
    service = f"case{number}"
    world.stack(service, stack + "\n")
    got = talk(service, user, words, answers)
    # The module's lines; the other modules in a stack have their own.
    lines = [line.split("): ", 1)[-1] for line in world.log.take() if "pam_argon2fast(" in line or "PAM " in line]
    tap.same(name, got, printed)
    tap.ok(name + ": the log", len(lines) == len(logged) and
           all(line.startswith(wanted) for line, wanted in zip(lines, logged)), *lines)
    secret = [line for line in lines if "right" in line.replace("copyright", "") or "$" in line]
    tap.ok(name + ": no secret in the log", not secret, *secret)


for number, case in enumerate(CASES):
    run(number, case)
tap.ok("the migrated hash is right to others too", verifies(shadow("six")[0], "right"))
tap.ok("and the quiet one", shadow("yes")[0].startswith("$argon2id$v=19$m=64,t=1,p=1$") and
       verifies(shadow("yes")[0], "right"))
tap.same("migration leaves the ageing fields alone", shadow("six")[1:],
         ["19000", "0", "99999", "7", "", "", ""])
tap.end()
