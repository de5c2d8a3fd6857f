#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What a core dump of a host shows that is taken in the middle of a hash: not
the block memory. Each host is stopped once its memory has the first blocks, of
which its core dump must have nothing; that the password, which it has to have
then, is in both shows that either was looked at."""

import atexit
import base64
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../integration/pam"))
from wire import VERIFY, request  # noqa: E402

import pghost  # noqa: E402
from grind import BUILD, LONG, tap  # noqa: E402
from pgclient import Client  # noqa: E402
from search import Hash, fresh  # noqa: E402

PARAMS, SALT, PASSWORD = "m=131072,t=1,p=1", "some salt of ours", fresh()
looked_for = Hash(PARAMS, SALT, PASSWORD)
work = tempfile.mkdtemp(prefix="a2f-dumps-")
atexit.register(shutil.rmtree, work, ignore_errors=True)


def unpadded(data):
    return base64.b64encode(data).rstrip(b"=").decode()


# Nobody's tag: it takes a hash to find that out.
TEXT = f"$argon2id$v=19${PARAMS}${unpadded(SALT.encode())}${unpadded(bytes(range(32)))}"


def begin(command, typed=None, env=None, **more):
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               cwd=work, env={**os.environ, **(env or {})}, **more)
    process.stdin.write((typed or b""))
    process.stdin.close()
    return process.pid, process


def resident(pid):
    """MiB of a process; 0 when it has gone."""
    try:
        with open(f"/proc/{pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20
    except (OSError, IndexError):
        return 0


def stopped_in_a_hash(start):
    """Starts until a process is stopped with first blocks in its memory: once
    some of the block memory, but not all of it, is present."""
    for _ in range(50):
        pid, ends = start()
        deadline = time.monotonic() + 10
        while resident(pid) < 48 and time.monotonic() < deadline and running(ends):
            time.sleep(0.0005)
        counts = {}
        if running(ends):
            os.kill(pid, signal.SIGSTOP)
            counts = looked_for.scan("start", pid)[2][0][2]
        if counts.get("first block", 0) >= 256:
            return pid, ends, counts
        if running(ends):
            os.kill(pid, signal.SIGCONT)
        end(ends)
    return None, None, {}


def running(ends):
    return ends.is_alive() if isinstance(ends, threading.Thread) else ends.poll() is None


def end(ends):
    if isinstance(ends, subprocess.Popen):
        ends.kill()
        ends.wait()
    else:
        ends.join()


def check(name, start):
    pid, ends, counts = stopped_in_a_hash(start)
    tap.ok(f"{name}: stopped in a hash, with its password and first blocks in memory", counts.get("password"), counts)
    if pid is None:
        return
    subprocess.run(["gcore", "-o", work + "/core", str(pid)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=False)
    _, _, found = looked_for.scan("file", f"{work}/core.{pid}")
    _, kib, counts, text = found[0]
    tap.ok(f"{name}: its core dump, {kib} KiB, has the password", counts.get("password"), text)
    # The registers may have some: it was stopped in the middle of something.
    tap.ok(f"{name}: and no block", counts.get("first block", 0) < 64, text)
    if os.path.exists(f"{work}/core.{pid}"):
        os.unlink(f"{work}/core.{pid}")
    os.kill(pid, signal.SIGCONT)
    end(ends)


def check_kernels_own(start):
    """The dump that the kernel makes, where it makes a file of it."""
    with open("/proc/sys/kernel/core_pattern") as file:
        if file.read().strip() != "core":
            print("# this kernel gives core dumps to a program")
            return
    pid, ends, counts = stopped_in_a_hash(start)
    os.kill(pid, signal.SIGSEGV)
    os.kill(pid, signal.SIGCONT)
    ends.wait()
    names = [name for name in os.listdir(work) if name.startswith("core")]
    _, _, found = looked_for.scan("file", *(f"{work}/{name}" for name in names))
    tap.ok("the kernel's own core dump has the password", found and found[0][2].get("password"), names, found)
    tap.ok("and no block", found and found[0][2].get("first block", 0) < 64, found)


# ---- the hosts ----

def start_command():
    return begin([BUILD + "/argon2fast", "verify", TEXT], PASSWORD.encode() + b"\n")


def start_sqlite():
    return begin(["sqlite3", "-batch", "-init", "/dev/null", "-cmd", f".load {BUILD}/sqlite_argon2", ":memory:"],
                 f"SELECT argon2_verify('{PASSWORD}', '{TEXT}');\n".encode(),
                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2))


def start_openssl():
    return begin(["openssl", "kdf", "-provider", "argon2fast", "-provider", "default", "-keylen", "32",
                  "-kdfopt", "pass:" + PASSWORD, "-kdfopt", "salt:" + SALT, "-kdfopt", "iter:1", "-kdfopt", "lanes:1",
                  "-kdfopt", "memcost:131072", "ARGON2ID"],
                 env={"OPENSSL_MODULES": BUILD + "/ossl-modules", "OPENSSL_CONF": "/dev/null"})


def start_helper():
    for name, text in (("file", f"eve:{TEXT}\n"), ("conf", "slots = no\n")):
        with open(os.path.join(work, name), "w") as file:
            file.write(text)
    return begin([BUILD + "/argon2fast_chkpwd"], request(VERIFY, user="eve", password=PASSWORD, database=work + "/file",
                                                         conf=work + "/conf"))


def start_backend():
    client = Client(pghost.data)
    thread = threading.Thread(target=client.run, args=("SELECT argon2_verify($1, $2)", PASSWORD, TEXT))
    thread.start()
    return client.pid, thread


check("sqlite", start_sqlite)
check_kernels_own(start_sqlite)
if LONG:
    check("argon2fast", start_command)
    check("openssl", start_openssl)
    check("argon2fast_chkpwd", start_helper)
    pghost.start()
    check("postgres", start_backend)
tap.end()
