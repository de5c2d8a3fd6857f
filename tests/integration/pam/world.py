# SPDX-License-Identifier: MIT
"""A machine of its own for a test: everything that would be changed is a copy
in private namespaces, so that the accounts, the configuration, the programs
and the ports of the machine the test runs on are never touched, and what a
test leaves running ends with it. Importing this module puts the test there."""

import atexit
import crypt
import fcntl
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

if not os.environ.get("A2F_IN_WORLD"):
    if os.geteuid() != 0:
        print("1..1\nnot ok 1 - these tests need root, to make a namespace")
        sys.exit(1)
    os.environ["A2F_IN_WORLD"] = "1"
    os.execvp("unshare", ["unshare", "--mount", "--propagation", "private", "--net", "--pid",
                          "--fork", "--kill-child", "--mount-proc", "--",
                          sys.executable, "-W", "ignore", *sys.argv])

import argon2.low_level  # noqa: E402  an implementation that is not ours

BUILD = os.environ["BUILD"]
HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
MODULE = os.path.join(BUILD, "pam_argon2fast.so")
TALK = os.path.join(BUILD, "tests/integration/pam/talk")
CHEAP = "m=64,t=1,p=1"


def sh(*command, **more):
    return subprocess.run(command, check=True, **more)


# ---- TAP ----

class Tap:
    count = failed = 0

    def ok(self, name, good, *remarks):
        self.count += 1
        if not good:
            self.failed += 1
        print(f"{'ok' if good else 'not ok'} {self.count} - {name}")
        if not good:
            for remark in remarks:
                for line in str(remark).splitlines():
                    print("#", line)
        sys.stdout.flush()
        return good

    def same(self, name, got, wanted):
        return self.ok(name, got == wanted, f"got:    {got!r}", f"wanted: {wanted!r}")

    def end(self):
        print(f"1..{self.count}")
        sys.exit(1 if self.failed else 0)


tap = Tap()


# ---- the file system ----

def paths_in_module():
    with open(MODULE, "rb") as file:
        data = file.read()
    found = [re.search(rb"/[\w./+-]*" + name, data) for name in
             (b"argon2fast_chkpwd", b"argon2fast_update")]
    return [match.group().decode() for match in found]


CHKPWD, UPDATE = paths_in_module()
SBIN = os.path.dirname(CHKPWD)


class World:
    def __init__(self):
        self.root = tempfile.mkdtemp(prefix="a2f-pam-")
        atexit.register(self.remove)
        sh("mount", "-t", "tmpfs", "-o", "mode=0755", "tmpfs", self.root)
        for path in ("/etc", SBIN, security_directory()):
            self.copy(path)
        loopback_up()
        for path in ("/run", "/var/log", "/home", "/var/mail"):
            if os.path.isdir(path):
                self.cover(path)
        self.make_dev()
        os.makedirs("/run/sshd", 0o755)
        shutil.copy(MODULE, security_directory())
        self.install_helpers()
        for leftover in ("argon2fast.conf", "argon2fast.history", "argon2fast.backup"):
            if os.path.exists("/etc/security/" + leftover):
                os.unlink("/etc/security/" + leftover)
        self.next_uid = 20000
        self.log = Log()

    def copy(self, path):
        there = os.path.join(self.root, path.strip("/").replace("/", "-"))
        sh("cp", "-a", path, there)
        sh("mount", "--bind", there, path)

    def cover(self, path):
        """An empty directory, but for what the tests themselves are in."""
        kept = [p for p in (TOP, BUILD) if p.startswith(path + "/")]
        for number, directory in enumerate(kept):
            there = os.path.join(self.root, f"kept{number}")
            os.mkdir(there)
            sh("mount", "--bind", directory, there)
        sh("mount", "-t", "tmpfs", "-o", "mode=0755", "tmpfs", path)
        for number, directory in enumerate(kept):
            os.makedirs(directory, exist_ok=True)
            sh("mount", "--move", os.path.join(self.root, f"kept{number}"), directory)
            os.rmdir(os.path.join(self.root, f"kept{number}"))

    def make_dev(self):
        dev = os.path.join(self.root, "dev")
        os.mkdir(dev)
        for name in ("null", "zero", "full", "random", "urandom", "tty"):
            if os.path.exists("/dev/" + name):
                open(os.path.join(dev, name), "w").close()
                sh("mount", "--bind", "/dev/" + name, os.path.join(dev, name))
        for name in ("pts", "shm"):
            os.mkdir(os.path.join(dev, name))
        sh("mount", "-t", "devpts", "-o", "newinstance,ptmxmode=0666,mode=0620", "devpts",
           os.path.join(dev, "pts"))
        os.symlink("pts/ptmx", os.path.join(dev, "ptmx"))
        for number, name in enumerate(("stdin", "stdout", "stderr")):
            os.symlink(f"/proc/self/fd/{number}", os.path.join(dev, name))
        os.symlink("/proc/self/fd", os.path.join(dev, "fd"))
        sh("mount", "--rbind", dev, "/dev")

    def install_helpers(self, build=BUILD):
        shutil.copy(os.path.join(build, "argon2fast_chkpwd"), CHKPWD)
        shutil.copy(os.path.join(build, "argon2fast_update"), UPDATE)
        shutil.chown(CHKPWD, "root", "shadow")
        os.chmod(CHKPWD, 0o2755)
        os.chmod(UPDATE, 0o700)

    def remove(self):
        # The mounts go with the namespace; only the empty directory is left.
        subprocess.run(["umount", "-l", self.root], check=False)
        try:
            os.rmdir(self.root)
        except OSError:
            pass

    # ---- users ----

    def user(self, name, field, ageing="19000:0:99999:7:::", uid=None, shell="/bin/sh"):
        if uid is None:
            self.next_uid += 1
            uid = self.next_uid
        append("/etc/passwd", f"{name}:x:{uid}:{uid}::/home/{name}:{shell}\n")
        append("/etc/group", f"{name}:x:{uid}:\n")
        append("/etc/shadow", f"{name}:{field}:{ageing}\n")
        home = f"/home/{name}"
        os.makedirs(home, exist_ok=True)
        os.chown(home, uid, uid)
        return uid

    def stack(self, service, text, directory="/etc/pam.d"):
        with open(os.path.join(directory, service), "w") as file:
            file.write(text)

    def conf(self, text="params = " + CHEAP + "\n"):
        with open("/etc/security/argon2fast.conf", "w") as file:
            file.write(text)


def loopback_up():
    with socket.socket() as any_socket:
        request = struct.pack("16sh14x", b"lo", 1 | 64)  # IFF_UP, IFF_RUNNING
        fcntl.ioctl(any_socket, 0x8914, request)  # SIOCSIFFLAGS


def security_directory():
    # Where this machine's libpam has its modules.
    for line in subprocess.run(["ldconfig", "-p"], capture_output=True, text=True).stdout.splitlines():
        if "libpam.so.0" in line:
            path = os.path.join(os.path.dirname(line.split("=> ")[1]), "security")
            if os.path.isdir(path):
                return os.path.realpath(path)
    return "/lib/security"


def append(path, text):
    with open(path, "a") as file:
        file.write(text)


def read(path):
    with open(path, errors="replace") as file:
        return file.read()


def shadow(name, path="/etc/shadow"):
    """The fields of a user's entry behind the name."""
    for line in read(path).splitlines():
        if line.startswith(name + ":"):
            return line.split(":")[1:]
    return None


# ---- hashes, made by others ----

def argon2id(password, m=64, t=1, p=1, kind=argon2.low_level.Type.ID, version=19):
    return argon2.low_level.hash_secret(password.encode(), os.urandom(16), t, m, p, 32,
                                        kind, version).decode()


def foreign(password, prefix="$6$"):
    setting = {"$6$": "$6$rounds=1000$" + os.urandom(6).hex(), "$5$": "$5$rounds=1000$" + os.urandom(6).hex(),
               "$1$": "$1$" + os.urandom(4).hex(), "$y$": "$y$j75$" + "abcdefghijklmnop",
               "$2b$": "$2b$04$" + os.urandom(11).hex()}[prefix]
    return crypt.crypt(password, setting)


def verifies(field, password):
    if field.startswith("$argon2"):
        try:
            return argon2.low_level.verify_secret(field.encode(), password.encode(),
                                                  argon2.low_level.Type.ID)
        except argon2.exceptions.VerifyMismatchError:
            return False
    return crypt.crypt(password, field) == field


# ---- the system log ----

class Log:
    def __init__(self):
        self.lines = []
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
        self.socket.bind("/dev/log")
        os.chmod("/dev/log", 0o666)
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            data = self.socket.recv(65536)
            # "<86>Nov 30 15:00:00 talk: .." without priority and time
            self.lines.append(re.sub(r"^<\d+>(\w+ +\d+ [\d:]+ )?", "", data.decode(errors="replace").rstrip("\0\n")))

    def take(self):
        """What has been logged since the last time."""
        mark = f"mark {time.monotonic_ns()}"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
            out.sendto(mark.encode(), "/dev/log")
        while mark not in self.lines:
            time.sleep(0.002)
        at = self.lines.index(mark)
        taken, self.lines = self.lines[:at], self.lines[at + 1:]
        return taken


# ---- conversations ----

def talk(service, user, words, answers=(), confdir="/etc/pam.d", by=(), **more):
    """Runs tests/integration/pam/talk, perhaps by another program; the lines it prints."""
    done = subprocess.run([*by, TALK, confdir, service, user, *words], text=True, timeout=120,
                          input="".join(a + "\n" for a in answers), errors="replace",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **more)
    lines = done.stdout.splitlines()
    if done.returncode != 0:
        lines.append(f"exit status {done.returncode}")
    return lines


# ---- real programs ----

def shipped(world, auth="", password=""):
    """The stack that the profile for pam-auth-update makes."""
    end = " pam_deny.so\n{0} required pam_permit.so\n"
    world.stack("common-auth",
                f"auth [success=2 default=ignore] pam_argon2fast.so nodelay {auth}\n"
                "auth [success=1 default=ignore] pam_unix.so nodelay try_first_pass\n"
                "auth requisite" + end.format("auth"))
    world.stack("common-password",
                f"password [success=2 default=ignore] pam_argon2fast.so {password}\n"
                "password [success=1 default=ignore] pam_unix.so use_authtok try_first_pass yescrypt\n"
                "password requisite" + end.format("password"))


def run_as(uid, *command, typed="", **more):
    """Exit status and output of a program started by a user, without terminal."""
    done = subprocess.run(["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", *command],
                          input=typed, text=True, stdout=subprocess.PIPE, timeout=60,
                          stderr=subprocess.STDOUT, start_new_session=True, **more)
    return done.returncode, done.stdout


def listens(port):
    """Waits for a server that has just been started."""
    for _ in range(3000):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return True
        except OSError:
            time.sleep(0.01)
    return False


class Sshd:
    def __init__(self, *options):
        config = os.path.join("/run", "sshd_config")
        with open(config, "w") as file:
            file.write("ListenAddress 127.0.0.1\nUsePAM yes\nKbdInteractiveAuthentication yes\n"
                       "PermitRootLogin yes\nMaxStartups 300\nHostKey /run/host_key\n"
                       "StrictModes no\nPrintMotd no\n" + "".join(o + "\n" for o in options))
        sh("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "/run/host_key")
        self.process = subprocess.Popen(["/usr/sbin/sshd", "-D", "-E", "/run/sshd.log", "-f", config])
        if not listens(22):
            raise RuntimeError("sshd does not listen: " + read("/run/sshd.log"))

    def login(self, user, password, method="password"):
        done = subprocess.run(
            ["sshpass", "-e", "ssh", "-F", "none", "-o", "StrictHostKeyChecking=no", "-o",
             "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR", "-o",
             "PreferredAuthentications=" + method, "-o", "NumberOfPasswordPrompts=1",
             user + "@127.0.0.1", "id -un"],
            env={**os.environ, "SSHPASS": password}, text=True, timeout=60,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return done.stdout.strip() if done.returncode == 0 else "refused"

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
