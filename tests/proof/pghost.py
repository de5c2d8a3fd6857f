# SPDX-License-Identifier: MIT
"""A PostgreSQL installation with the extension and a cluster, in a directory of
the test's own, and the user that may run it."""

import atexit
import glob
import os
import pwd
import shutil
import subprocess
import tempfile
import time

import pgclient

BUILD = os.environ["BUILD"]
HERE = os.path.dirname(os.path.abspath(__file__))
PG_CONFIG = os.environ.get("PG_CONFIG", "pg_config")

work = tempfile.mkdtemp(prefix="a2f-pg-")
atexit.register(shutil.rmtree, work, ignore_errors=True)
os.chmod(work, 0o755)
data = os.path.join(work, "data")


def user():
    """A command that goes before the server's: it refuses to run as root."""
    if os.geteuid() != 0:
        return []
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = names.get("postgres") or names["nobody"]
    return ["setpriv", f"--reuid={entry.pw_uid}", f"--regid={entry.pw_gid}", "--clear-groups"]


def install(settings=""):
    """The directory of programs; the cluster is made and not started."""
    stages = glob.glob(os.path.join(BUILD, "pg/*/stage"))
    major = subprocess.run([PG_CONFIG, "--version"], check=True, capture_output=True, text=True).stdout
    stage = next(s for s in stages if s.split("/")[-2] in major)
    programs = subprocess.run([os.path.join(HERE, "../../modules/pg_argon2/stage.sh"), PG_CONFIG, stage, work + "/root"],
                              check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    os.mkdir(data)
    if os.geteuid() == 0:
        shutil.chown(data, int(user()[1].split("=")[1]))
    subprocess.run([*user(), programs + "/initdb", "-D", data, "-A", "trust", "-U", "postgres", "--encoding=UTF8",
                    "--locale=C", "--no-sync"], check=True, stdout=subprocess.DEVNULL, cwd="/")
    with open(data + "/postgresql.conf", "a") as file:
        file.write(f"listen_addresses = ''\nunix_socket_directories = '{work}/data'\nshared_buffers = '1MB'\nfsync = off\n"
                   f"autovacuum = off\njit = off\nmax_wal_senders = 0\nwal_level = minimal\n{settings}\n")
    return programs


def start():
    """A server with the extension in it, and a client of it."""
    programs = install("shared_preload_libraries = 'pg_argon2'\npg_argon2.total_memory = '512MB'\n")
    server = subprocess.Popen([*user(), programs + "/postgres", "-D", data], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, cwd="/")

    def stop():
        server.terminate()
        server.wait()

    atexit.register(stop)
    for _ in range(200):
        time.sleep(0.05)
        try:
            client = pgclient.Client(data)
        except OSError:
            continue
        if client.pid is not None and client.run("CREATE EXTENSION pg_argon2")[1] is None:
            return client
    raise SystemExit("Bail out! no server")
