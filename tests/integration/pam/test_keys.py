#!/usr/bin/python3 -Wignore
# SPDX-License-Identifier: MIT
"""Pepper keys that rotate, as the manual walks through it: a key is added,
entries follow at login, it is replaced and retired, and what a missing key
says. And common passwords, which deny_common refuses."""

import base64
import os
import subprocess

from argon2.low_level import Type, core, ffi, lib

from world import BUILD, CHEAP, World, append, argon2id, foreign, read, sh, shadow, talk, tap, verifies

KEYS = "/etc/security/argon2fast.keys"
SECRETS = {name: (name * 16).encode()[:16] + os.urandom(16) for name in ("k1", "k2", "old")}
OK = ["prompt: Password: ", "authenticate: SUCCESS"]
GONE = ["prompt: Password: ", "authenticate: AUTHINFO_UNAVAIL"]
MISSING = "the hash needs a key that is not available"

world = World()
world.stack("login", "auth required pam_argon2fast.so nodelay migrate rehash\npassword required pam_argon2fast.so remember=3")
world.stack("plain", "auth required pam_argon2fast.so nodelay")
world.stack("deny", "password required pam_argon2fast.so deny_common")
logged = []


def base(data):
    return base64.b64encode(data).decode().rstrip("=")


def keys(*ids, current=None, mode=0o640, group="shadow", path=KEYS):
    with open(path, "w") as file:
        os.chmod(path, mode)
        file.write("# keys of the test\n" + "".join(f"{name} {base64.b64encode(SECRETS[name]).decode()}\n" for name in ids) +
                   (f"current {current}\n" if current else ""))
    sh("chgrp", group, path)


def tag(password, salt, secret, m=64, t=1, p=1):
    """Argon2id with a secret, by an implementation that is not ours."""
    room = ffi.new("uint8_t[32]")
    parts = [ffi.from_buffer("uint8_t[]", data) for data in (password.encode(), salt, secret)]
    context = ffi.new("argon2_context *", dict(
        version=19, out=room, outlen=32, pwd=parts[0], pwdlen=len(password), salt=parts[1], saltlen=len(salt),
        secret=parts[2], secretlen=len(secret), t_cost=t, m_cost=m, lanes=p, threads=1, flags=lib.ARGON2_DEFAULT_FLAGS))
    assert core(context, Type.ID.value) == 0
    return bytes(ffi.buffer(room))


def keyed(password, name):
    salt = os.urandom(16)
    return f"$argon2id$v=19$m=64,t=1,p=1,keyid={base(name.encode())}${base(salt)}${base(tag(password, salt, SECRETS[name]))}"


def has_key(user, name, password):
    """Whether the user's entry is a hash of the password under that key."""
    field = shadow(user)[0].split("$")
    salt, there = (base64.b64decode(text + "=" * (-len(text) % 4)) for text in field[4:6])
    return field[3] == f"m=64,t=1,p=1,keyid={base(name.encode())}" and there == tag(password, salt, SECRETS[name])


def login(user, password="password", service="login", *words):
    return talk(service, user, [*words, "authenticate"], [password])


def take():
    logged.extend(lines := world.log.take())
    return lines


def audit():
    return subprocess.run([os.path.join(BUILD, "argon2fast"), "shadow", "audit"], text=True, capture_output=True).stdout


with open("/etc/shadow") as file:
    clean = [line.split(":")[0] + ":*:19000::::::\n" for line in file]
with open("/etc/shadow", "w") as file:
    file.writelines(clean)

# ---- the first key ----
world.conf(f"params = {CHEAP}\nsecret_file = {KEYS}\n")
keys("k1", current="k1")
uid = world.user("ann", argon2id("password"))
for name in ("bob", "cat"):
    world.user(name, argon2id("password"))
world.user("six", foreign("password"))
tap.same("a hash without a key still verifies", login("ann", service="plain"), OK)
tap.same("and is left without rehash", verifies(shadow("ann")[0], "password"), True)
for name in ("ann", "bob", "six"):
    tap.same(f"{name}: a wrong password", login(name, "wrong")[-1], "authenticate: AUTH_ERR")
    tap.same(f"{name}: the right one", login(name), OK)
    tap.ok(f"{name}: has the key then", has_key(name, "k1", "password"), shadow(name)[0].split("$")[3])
    tap.same(f"{name}: a wrong password", login(name, "wrong")[-1], "authenticate: AUTH_ERR")
before = shadow("ann")[0]
tap.same("the next login", login("ann"), OK)
tap.same("rewrites nothing", shadow("ann")[0], before)
tap.same("passwd", talk("login", "bob", ["chauthtok"], ["other-password"] * 2)[-1], "chauthtok: SUCCESS")
tap.ok("has the key, too", has_key("bob", "k1", "other-password"))
tap.same("an unknown user", login("nobody-here")[-1], "authenticate: USER_UNKNOWN")
take()

# ---- the second: both are there, for as long as entries with the first are ----
keys("k1", "k2", current="k2")
tap.ok("audit counts who has another", "4 of another cost or key than a new one\n" in audit(), audit())
tap.same("a login", login("ann"), OK)
tap.ok("brings the second key", has_key("ann", "k2", "password"))
tap.ok("one fewer", "3 of another cost or key than a new one\n" in audit(), audit())
tap.same("another user's old key still verifies", login("bob", "other-password", "plain"), OK)
tap.ok("the log has rewritten entries, and no more", [line.split("): ")[1] for line in take()] ==
       ["rewrote the password hash of ann, was argon2"], logged[-3:])

# ---- the first retires ----
keys("k2", current="k2")
for password in ("other-password", "wrong"):
    tap.same(f"a missing key is no mismatch, {password}", login("bob", password), GONE)
    lines = take()
    tap.ok("and the log says what it is", len(lines) == 1 and MISSING in lines[0] and "user [bob]" in lines[0], *lines)
tap.same("a user whose key is there", login("ann"), OK)
tap.same("helper=never says the same", (world.stack("never", "auth required pam_argon2fast.so nodelay helper=never"),
                                       login("bob", "other-password", "never"))[1], GONE)
tap.same("a change by the user", talk("login", "bob", [f"ruid={uid}", "chauthtok"], ["other-password"])[-1], "chauthtok: TRY_AGAIN")
tap.same("root sets a new one", talk("login", "bob", ["chauthtok"], ["third-password"] * 2)[-1], "chauthtok: SUCCESS")
tap.ok("with the second key", has_key("bob", "k2", "third-password"))
got = talk("login", "bob", [f"ruid={uid}", "chauthtok"], ["third-password", "fourth-password", "fourth-password"])
tap.same("old passwords of a retired key stand in nobody's way", got[-1], "chauthtok: SUCCESS")
tap.ok("the new one has the key", has_key("bob", "k2", "fourth-password"))
take()

# ---- without a current one: they verify, and nothing new is made with them ----
keys("k1", "k2")
world.user("dan", keyed("password", "k1"))
before = shadow("dan")[0]
tap.same("a key that only verifies", login("dan"), OK)
tap.same("stays", shadow("dan")[0], before)
take()

# ---- a key file that is of no use: root's programs stop at it ----
faults = (("is missing", lambda: os.unlink(KEYS), "cannot be opened"), ("others may read", lambda: keys("k1", mode=0o644), "owner or mode"),
          ("has a bad line", lambda: append(KEYS, "broken\n"), "line 5"))
for what, spoil, words in faults:
    spoil()
    for name in ("dan", "cat"):
        before = shadow(name)[0]
        tap.same(f"a key file that {what}: {name}", login(name), GONE)
        tap.same(f"a key file that {what}: nothing is written without it", shadow(name)[0], before)
    lines = take()
    tap.ok(f"a key file that {what}: the log", len(lines) == 2 and all(KEYS in line and words in line for line in lines), *lines)
    report = subprocess.run([os.path.join(BUILD, "argon2fast"), "doctor"], text=True, capture_output=True).stdout
    tap.ok(f"a key file that {what}: doctor", any(KEYS in line and words in line for line in report.splitlines()), report)
    keys("k1", "k2", current="k2")
world.conf(f"params = {CHEAP}\nsecret_file = argon2fast.keys\n")
tap.same("a relative path", login("ann"), GONE)
lines = take()
tap.ok("names its line", any("line 2: not an absolute path" in line for line in lines), *lines)
world.conf(f"params = {CHEAP}\nsecret_file = {KEYS}\n")

# ---- programs that are not root's ----
tap.same("a user's program, by the helper's group", login("ann", "password", "plain", f"uid={uid}"), OK)
keys("k2", current="k2", mode=0o600)
tap.same("a file for root alone keeps it from the key", login("ann", "password", "plain", f"uid={uid}"), GONE)
lines = take()
tap.ok("and the log says so", any(MISSING in line and "secret_file" in line for line in lines), *lines)
own = world.user("own", argon2id("password"))
tap.same("but not from a hash that needs none", login("own", "password", "plain", f"uid={own}"), OK)
os.makedirs("/run/virtual")
for path, text in (("/run/virtual/users", f"vic:{keyed('virtual', 'k1')}\nval:{argon2id('virtual')}\n"),
                   ("/run/virtual/conf", f"params = {CHEAP}\nsecret_file = /run/virtual/keys\n")):
    append(path, text)
keys("k1", path="/run/virtual/keys", mode=0o600, group="root")
sh("chown", "-R", f"{own}:{own}", "/run/virtual")
world.stack("virtual", "auth required pam_argon2fast.so nodelay pwdfile=/run/virtual/users conf=/run/virtual/conf")
tap.same("a server of virtual users with keys of its own", login("vic", "virtual", "virtual", f"uid={own}"), OK)
tap.same("wrong there", login("vic", "wrong", "virtual", f"uid={own}")[-1], "authenticate: AUTH_ERR")
os.chmod("/run/virtual/keys", 0o640)
tap.same("which nobody else may read", login("vic", "virtual", "virtual", f"uid={own}"), GONE)
tap.same("users without a key do not need it", login("val", "virtual", "virtual", f"uid={own}"), OK)
take()
text = "\n".join(logged)
tap.ok("no key, password or hash in the log", len(logged) > 10 and "$" not in text and "password\n" not in text and
       not [name for name, secret in SECRETS.items() if base(secret) in text])

# ---- common passwords ----
world.user("com", argon2id("qwerty123"))
before = shadow("com")[0]
tap.same("verification never asks whether it is common", login("com", "qwerty123", "plain"), OK)
got = talk("deny", "com", [f"ruid={uid}", "chauthtok"], ["qwerty123", "password1", "password1", "PassWord", "PassWord",
                                                         "Mn5#kq-vv2Lp", "Mn5#kq-vv2Lp"])
tap.same("deny_common: two are refused, the third is taken",
         ([line for line in got if line.startswith("error")], got[-1]),
         (["error: The password is one of the most common."] * 2, "chauthtok: SUCCESS"))
tap.ok("and written", has_key("com", "k2", "Mn5#kq-vv2Lp"))
tap.same("root may", talk("deny", "com", ["chauthtok"], ["password1"] * 2)[-1], "chauthtok: SUCCESS")
tap.same("without the option anybody may",
         talk("login", "com", [f"ruid={uid}", "chauthtok"], ["password1", "football", "football"])[-1], "chauthtok: SUCCESS")
tap.end()
