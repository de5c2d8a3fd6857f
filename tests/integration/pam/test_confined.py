#!/usr/bin/python3 -Wignore
# SPDX-License-Identifier: MIT
"""The snippets for other programs, held against what the helpers really do:
AppArmor's profiles, the SELinux module, authselect's profile, tmpfiles.d, the
drop-in for polkit's agent helper. No kernel has to enforce anything here."""

import os
import re
import stat
import subprocess

from wire import CHANGE, LOOKUP, REHASH, VERIFY, ask, request
from world import CHKPWD, UPDATE, World, argon2id, foreign, read, sh, shadow, talk, tap

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))
PACKAGING = os.path.join(ROOT, "packaging/pam")
OK = ["prompt: Password: ", "authenticate: SUCCESS"]

world = World()
with open("/etc/security/argon2fast.keys", "w") as file:
    file.write("one " + "A" * 43 + "=\ncurrent one\n")
os.chmod("/etc/security/argon2fast.keys", 0o640)
sh("chgrp", "shadow", "/etc/security/argon2fast.keys")
world.conf("params = m=64,t=1,p=1\nsecret_file = /etc/security/argon2fast.keys\nmigrate_include = users\n")
ann = world.user("ann", argon2id("right"))
world.user("six", foreign("right"))
world.stack("login", "auth required pam_argon2fast.so nodelay migrate\npassword required pam_argon2fast.so remember=3")


# ---- AppArmor: each file that a helper opens is in its profile ----
def expand(text, variables):
    """A pattern of AppArmor's as regular expressions, one for each value of its variables."""
    match = re.search(r"@\{([^}]+)\}", text)
    if match:
        return [one for value in variables[match.group(1)]
                for one in expand(text.replace(match.group(), value, 1), variables)]
    out, depth = "", 0
    for token in re.findall(r"\*\*|\[[^]]*\]|.", re.sub("/+", "/", text)):
        depth += (token == "{") - (token == "}")
        out += {"**": ".*", "*": "[^/]*", "?": "[^/]", "{": "(?:", "}": ")",
                ",": "|" if depth else ","}.get(token, token if token[0] == "[" else re.escape(token))
    return [re.compile(out)]


def profile(path):
    """Pairs of a regular expression and what may be done to files that match."""
    flat = subprocess.run(["apparmor_parser", "-p", path], text=True, capture_output=True).stdout
    variables, rules = {}, []
    for line in flat.splitlines():
        line = line.split("#")[0].strip()
        if match := re.fullmatch(r"@\{([^}]+)\}\s*\+?=\s*(.*)", line):
            variables.setdefault(match.group(1), []).extend(match.group(2).split())
        elif match := re.fullmatch(r"(?:owner\s+)?([/@]\S*)\s+([a-zA-Z]+),", line):
            rules += [(pattern, match.group(2)) for pattern in expand(match.group(1), variables)]
    return rules


def needs(trace, program):
    """What a helper, once it runs, has done to which files: r, w, k, l."""
    began, found, files = set(), set(), {}
    for line in trace.splitlines():
        pid, _, call = line.partition(" ")
        call = call.strip()
        if call.startswith("execve(") and f'"{program}"' in call and call.endswith("= 0"):
            began.add(pid)
        # What is opened as a mere path is not asked about.
        if pid not in began or "O_PATH" in call or not re.search(r"= \d+(<.*>)?$", call):
            continue
        path = r'(?:(?:AT_FDCWD|\d+)(?:<([^>]*)>)?, )?"([^"]*)"'
        if match := re.match(rf"(open(?:at)?|mkdir(?:at)?|unlink(?:at)?)\({path}(?:, ([A-Z_|]+))?", call):
            name, base, file, flags = match.groups()
            whole = os.path.normpath(os.path.join(base or "/", file))
            if name.startswith("mkdir") or (flags and "O_DIRECTORY" in flags):
                whole += "/"
            writes = not name.startswith("open") or (flags and re.search("O_WRONLY|O_RDWR|O_CREAT", flags))
            reads = name.startswith("open") and not (flags and "O_WRONLY" in flags)
            found |= {(whole, "w")} if writes else set()
            found |= {(whole, "r")} if reads else set()
        elif match := re.match(rf"(?:rename(?:at2?)?|link(?:at)?)\({path}, {path}", call):
            for base, file in (match.groups()[:2], match.groups()[2:]):
                found.add((os.path.normpath(os.path.join(base or "/", file)), "l" if "link" in call else "w"))
        elif match := re.match(r"fcntl\(\d+<([^>]*)>, F_(?:OFD_)?SETLKW?,", call):
            found.add((match.group(1), "k"))
    return found


def traced(program, *command, **more):
    subprocess.run(["strace", "-f", "-y", "-s", "1000", "-e", "trace=%file,fcntl", "-o", "/run/trace", *command], stdout=subprocess.DEVNULL, **more)
    return needs(read("/run/trace"), program)


def permitted(rules, path, what):
    path = re.sub(r"^/proc/(self|\d+)/", "/proc/1234/", path).replace("/proc/thread-self/", "/proc/1234/task/1234/")
    path = re.sub(r"/task/\d+/", "/task/1234/", path)
    # A link to a new name needs l for the new one; the old one's rights come along.
    return any(pattern.fullmatch(path) and what in modes for pattern, modes in rules)


stamps = {name: ask(CHKPWD, LOOKUP, user=name)["stamp"] for name in ("ann", "six")}
sh("rm", "-rf", "/run/argon2fast")
runs = {
    CHKPWD: (([CHKPWD], request(VERIFY, user="ann", password="right")),
             ([CHKPWD], request(VERIFY, user="six", password="right", flags=2 | 4)),
             (["setpriv", f"--reuid={ann}", f"--regid={ann}", "--clear-groups", CHKPWD], request(VERIFY, user="ann", password="right")),
             ([CHKPWD], request(3, user="ann", password="another", remember=3))),
    UPDATE: (([UPDATE], request(CHANGE, user="ann", hash=argon2id("new"), stamp=stamps["ann"], remember=3)),
             ([UPDATE], request(REHASH, user="six", hash=argon2id("right"), stamp=stamps["six"])),
             ([UPDATE], request(4, user="ann"))),
}
expected = {CHKPWD: {("/etc/shadow", "r"), ("/etc/security/argon2fast.keys", "r"), ("/run/argon2fast/slots", "k")},
            UPDATE: {("/etc/shadow.argon2fast", "w"), ("/etc/.pwd.lock", "k"), ("/etc/security/argon2fast.backup", "w")}}
for program, requests in runs.items():
    name = os.path.basename(program)
    path = os.path.join(PACKAGING, "apparmor-" + name)
    done = subprocess.run(["apparmor_parser", "-Q", "-K", "-d", path], text=True, capture_output=True)
    tap.same(f"AppArmor reads the profile of {name}", done.returncode, 0)
    seen = set()
    for command, data in requests:
        seen |= traced(program, *command, input=data)
    tap.ok(f"{name}: what it does has been seen", expected[program] <= seen, sorted(seen))
    rules = profile(path)
    missing = [one for one in sorted(seen) if not permitted(rules, *one)]
    tap.same(f"AppArmor: the profile of {name} permits all of it", missing, [])
    tap.ok(f"AppArmor: and no more of /etc than that", not permitted(rules, "/etc/sudoers", "r") and
           not permitted(rules, "/etc/gshadow", "w") and (program == UPDATE or not permitted(rules, "/etc/shadow", "w")))

# ---- SELinux: the module compiles; there is no policy here to load it into ----
os.makedirs("/run/selinux")
done = subprocess.run("checkmodule -M -m -o /run/selinux/argon2fast.mod argon2fast.te && semodule_package -o "
                      "/run/selinux/argon2fast.pp -m /run/selinux/argon2fast.mod -f argon2fast.fc",
                      shell=True, cwd=PACKAGING, text=True, capture_output=True)
tap.ok("the SELinux module compiles", done.returncode == 0, done.stderr)
labels = [line.split() for line in read(os.path.join(PACKAGING, "argon2fast.fc")).splitlines() if line and line[0] != "#"]
for path, wanted in ((CHKPWD, "chkpwd_exec_t"), (UPDATE, "updpwd_exec_t"), ("/etc/security/argon2fast.keys", "shadow_t"),
                     ("/etc/security/argon2fast.history", "shadow_t"), ("/etc/security/argon2fast.backup", "shadow_t"),
                     ("/etc/security/argon2fast.conf", None), ("/run/argon2fast/slots", "argon2fast_run_t")):
    got = [label[-1].split(":")[2] for label in labels if re.fullmatch(label[0], path)]
    tap.same(f"SELinux: the type of {path}", got, [wanted] if wanted else [])


# ---- authselect's profile, with its templates filled in as authselect(8) has it ----
def fill(text, features):
    for implied, by in re.findall(r'\{imply "([^"]+)" if "([^"]+)"\}\n', text):
        features = features | ({implied} if by in features else set())
    text = re.sub(r"\{imply [^}]*\}\n", "", text)
    lines = []
    for line in text.splitlines():
        match = re.search(r'\{include if "([^"]+)"\}', line)
        if match and match.group(1) not in features:
            continue
        line = line.replace(match.group(), "") if match else line
        lines.append(re.sub(r'\{if (not )?"([^"]+)":([^}]*)\}',
                            lambda m: m.group(3) if (m.group(2) in features) != bool(m.group(1)) else "", line).rstrip())
    return "\n".join(lines) + "\n"


AUTHSELECT = os.path.join(PACKAGING, "authselect")
about = read(os.path.join(AUTHSELECT, "README")) + read(os.path.join(AUTHSELECT, "REQUIREMENTS"))
world.conf()
world.user("bea", argon2id("right"))
for name in ("system-auth", "password-auth"):
    template = read(os.path.join(AUTHSELECT, name))
    named = set(re.findall(r'"(with[^"]*)"', template))
    tap.same(f"authselect, {name}: its features are explained", sorted(named - set(re.findall(r"with(?:out)?-[a-z0-9-]+", about))), [])
    for features in (set(), {"with-argon2fast"}, {"with-argon2fast-migrate", "without-nullok"}):
        text = fill(template, features)
        world.stack("filled", text.replace("delay=2000000", "delay=0"))
        title = f"authselect, {name}, {' '.join(sorted(features)) or 'nothing'}"
        tap.ok(f"{title}: each line is one of PAM's", "{" not in text and all(
            re.fullmatch(r"(-?(auth|account|password|session)\s+(required|requisite|sufficient|optional|\[.*\])\s+pam_\w+\.so.*)?", line)
            for line in text.splitlines()), text)
        tap.same(f"{title}: ours is there", "pam_argon2fast" in text, bool(features))
        tap.same(f"{title}: nullok", "nullok" in text, "without-nullok" not in features)
        world.user(f"{name}{len(features)}", foreign("right", "$6$"))
        tap.same(f"{title}: a user with a foreign hash", talk("filled", f"{name}{len(features)}", ["authenticate"], ["right"])[-1], OK[-1])
        tap.same(f"{title}: who is migrated", shadow(f"{name}{len(features)}")[0].startswith("$argon2id$"), "with-argon2fast-migrate" in features)
        tap.same(f"{title}: a user with an Argon2 hash", talk("filled", "bea", ["authenticate"], ["right"])[-1] == OK[-1], bool(features))
        tap.ok(f"{title}: a wrong password", talk("filled", "bea", ["authenticate"], ["wrong"])[-1] != OK[-1])
        got = talk("filled", "bea", ["chauthtok"], ["right"] * 2)
        tap.ok(f"{title}: a new password", got[-1] == "chauthtok: SUCCESS" and shadow("bea")[0].startswith("$argon2id$" if features else "$y$"), got)
        sh("usermod", "-p", argon2id("right"), "bea")

# ---- tmpfiles.d ----
sh("rm", "-rf", "/run/argon2fast")
done = subprocess.run(["systemd-tmpfiles", "--create", os.path.join(PACKAGING, "tmpfiles-argon2fast.conf")], text=True, capture_output=True)
made = [(path, stat.S_IMODE(os.stat(path).st_mode), os.stat(path).st_gid) for path in ("/run/argon2fast", "/run/argon2fast/slots")]
group = os.stat("/etc/shadow").st_gid
tap.same("tmpfiles.d makes what a login would", (done.stderr, made),
         ("", [("/run/argon2fast", 0o750, group), ("/run/argon2fast/slots", 0o660, group)]))

# ---- polkit's agent helper: a system that is read-only but for the drop-in's path ----
os.makedirs("/run/units/polkit-agent-helper@.service.d")
with open("/run/units/polkit-agent-helper@.service", "w") as file:
    file.write("[Service]\nExecStart=/bin/true\nProtectSystem=strict\n")
sh("cp", os.path.join(PACKAGING, "polkit-agent-helper-argon2fast.conf"), "/run/units/polkit-agent-helper@.service.d/argon2fast.conf")
done = subprocess.run(["systemd-analyze", "verify", "/run/units/polkit-agent-helper@1.service"], text=True, capture_output=True,
                      env={**os.environ, "SYSTEMD_UNIT_PATH": "/run/units:"})
about = [line for line in (done.stdout + done.stderr).splitlines() if "polkit" in line or "argon2fast" in line]
tap.ok("systemd accepts the drop-in", done.returncode == 0 and not about, done.returncode, *about)
path = re.search(r"ReadWritePaths=-(\S+)", read(os.path.join(PACKAGING, "polkit-agent-helper-argon2fast.conf"))).group(1)
world.log.take()
sh("mount", "--bind", "/run", "/run")
sh("mount", "-o", "remount,bind,ro", "/run")
tap.same("read-only: a login", talk("login", "bea", ["authenticate"], ["right"]), OK)
log = world.log.take()
tap.ok("works without slots and says so", any("no slots" in line for line in log), *log)
sh("mount", "--bind", path, path)
sh("mount", "-o", "remount,bind,rw", path)
tap.same("with the drop-in's path: a login", talk("login", "bea", ["authenticate"], ["right"]), OK)
log = world.log.take()
tap.ok("has them", not [line for line in log if "no slots" in line], *log)
tap.end()
