# SPDX-License-Identifier: MIT
"""Where the pages are followed: the private machine of the PAM tests, with a
copy of this repository for the reader to sit in, and servers where a page
takes them for granted."""

import os
import pwd
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "tests/integration/pam"))

from world import BUILD, CHKPWD, MODULE, UPDATE, Sshd, World, append, security_directory, sh, tap  # noqa: E402

from terminal import PSQLRC, SQLITERC  # noqa: E402

# Of the build directory: what `make` needs to see that nothing is to be done.
BUILT = ("libcore", "cli", "modules", "ossl-modules", "pg")
# The reader is root, at home in a directory that covers the real one.
HOME = pwd.getpwnam("root").pw_dir
POSTGRES = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"]


def answer(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


class Machine:
    def __init__(self):
        self.world = World()
        # Nothing of ours is there before a page installs it.
        os.unlink(os.path.join(security_directory(), os.path.basename(MODULE)))
        for helper in (CHKPWD, UPDATE):
            os.unlink(helper)
        for path in ("/usr/local", HOME):
            self.world.cover(path)
        for path in ("/usr/share/pam-configs", "/var/lib/pam", "/var/cache/debconf",
                     answer("pkg-config", "--variable=modulesdir", "libcrypto")):
            if os.path.isdir(path):
                self.world.copy(path)
        # The stack of a fresh Debian, whatever else this machine has.
        for profile in os.listdir("/usr/share/pam-configs"):
            if profile != "unix":
                os.unlink("/usr/share/pam-configs/" + profile)
        sh("pam-auth-update", "--package", env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})
        self.directory = os.path.join(self.world.root, "argon2fast")
        self.copy_repository()
        os.makedirs(os.path.join(HOME, ".ssh"), 0o700)
        for name, text in ((".sqliterc", SQLITERC), (".psqlrc", PSQLRC),
                           (".inputrc", "set enable-bracketed-paste off\n"),
                           (".ssh/config", "StrictHostKeyChecking no\nLogLevel ERROR\n"
                            "PreferredAuthentications password\n")):
            append(os.path.join(HOME, name), text)
        path = f"{self.directory}/build:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        self.environment = {"PATH": path, "HOME": HOME, "LC_ALL": "C.UTF-8", "USER": "root",
                            "CC": os.environ.get("CC", "cc"), "DEBIAN_FRONTEND": "noninteractive"}
        os.chmod("/dev/shm", 0o1777)
        self.cluster = self.sshd = None

    def copy_repository(self):
        os.mkdir(self.directory)
        for name in os.listdir(ROOT):
            if name not in (".git", "build") and not name.startswith("build-"):
                sh("cp", "-a", os.path.join(ROOT, name), self.directory)
        build = os.path.join(self.directory, "build")
        os.mkdir(build)
        for name in os.listdir(BUILD):
            path = os.path.join(BUILD, name)
            if os.path.isfile(path) or name in BUILT:
                sh("cp", "-a", path, build)

    def start_sshd(self):
        if not self.sshd:
            self.sshd = Sshd("LogLevel ERROR")

    def start_postgres(self, bare):
        """A cluster with a database app, where psql looks for one; unless bare,
        with the extension installed, as its page says."""
        if not self.cluster:
            self.make_cluster()
        self.postgres_settings("")
        for command in (["dropdb", "--if-exists", "--force"], ["createdb"]):
            sh(*POSTGRES, f"{self.bindir}/{command[0]}", *command[1:], "-h", "/run/postgresql", "app",
               stderr=subprocess.DEVNULL)
        if not bare:
            sh("make", "-s", "install-pg", cwd=self.directory, stdout=subprocess.DEVNULL)

    def make_cluster(self):
        for option in ("--pkglibdir", "--sharedir"):
            self.world.copy(answer("pg_config", option))
        self.cluster = "/run/postgresql/data"
        os.mkdir("/run/postgresql")
        shutil.chown("/run/postgresql", "postgres", "postgres")
        self.bindir = answer("pg_config", "--bindir")
        sh(*POSTGRES, f"{self.bindir}/initdb", "-D", self.cluster, "-A", "trust", "-U", "postgres",
           "-E", "UTF8", "--locale", "C.UTF-8", "--no-sync", stdout=subprocess.DEVNULL)
        append(self.cluster + "/postgresql.conf",
               "listen_addresses = ''\nunix_socket_directories = '/run/postgresql'\n"
               "fsync = off\njit = off\nautovacuum = off\ninclude '/run/postgresql/page.conf'\n")
        self.environment.update(PGHOST="/run/postgresql", PGUSER="postgres",
                                PATH=self.environment["PATH"] + ":" + self.bindir)

    def postgres_settings(self, text):
        """(Re)starts the server with what a page adds to the configuration; with
        nothing, at the beginning of a page."""
        with open("/run/postgresql/page.conf", "a" if text else "w") as file:
            file.write(text)
        verb = "restart" if os.path.exists(self.cluster + "/postmaster.pid") else "start"
        sh(*POSTGRES, f"{self.bindir}/pg_ctl", "-D", self.cluster, "-l", "/run/postgresql/log", "-s",
           "-w", "-m", "fast", verb)

    def start_pgbouncer(self, path):
        """With the file of the page, and where to listen."""
        append("/run/postgresql/userlist", '"postgres" ""\n')
        append(path, "unix_socket_dir = /run/postgresql\nlisten_port = 6432\nauth_type = trust\n"
               "auth_file = /run/postgresql/userlist\n")
        shutil.copy(path, "/run/postgresql/pgbouncer.ini")
        subprocess.Popen([*POSTGRES, "pgbouncer", "-q", "/run/postgresql/pgbouncer.ini"],
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(3000):
            if os.path.exists("/run/postgresql/.s.PGSQL.6432"):
                return
            time.sleep(0.02)
        raise RuntimeError("pgbouncer does not listen")
