# SPDX-License-Identifier: MIT
"""As much of PostgreSQL's protocol (version 3) as binding parameters takes: so
that a password reaches a backend as a value and not in a statement."""

import socket
import struct


class Client:
    def __init__(self, directory, user="postgres", port=5432):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(f"{directory}/.s.PGSQL.{port}")
        self.file = self.socket.makefile("rb")
        self.pid = None
        startup = struct.pack("!I", 196608) + f"user\0{user}\0database\0postgres\0\0".encode()
        self.socket.sendall(struct.pack("!I", len(startup) + 4) + startup)
        self.answer()

    def answer(self):
        """The rows of first columns, and the SQLSTATE of an error, or None."""
        rows, error = [], None
        while True:
            kind = self.file.read(1)
            if not kind:
                return rows, error or "closed"
            body = self.file.read(struct.unpack("!I", self.file.read(4))[0] - 4)
            if kind == b"K":
                self.pid = struct.unpack("!I", body[:4])[0]
            elif kind == b"D":
                length = struct.unpack("!i", body[2:6])[0]
                rows.append(body[6:6 + length].decode() if length >= 0 else None)
            elif kind == b"E":
                fields = {field[:1]: field[1:] for field in body.split(b"\0") if field}
                error = fields[b"C"].decode()
            elif kind == b"Z":
                return rows, error

    def send(self, *messages):
        self.socket.sendall(b"".join(kind + struct.pack("!I", len(body) + 4) + body for kind, body in messages))

    def run(self, sql, *values):
        """One statement with values as text."""
        bind = b"".join(struct.pack("!I", len(value)) + value.encode() for value in values)
        self.send((b"P", b"\0" + sql.encode() + b"\0\0\0"),
                  (b"B", b"\0\0\0\0" + struct.pack("!H", len(values)) + bind + b"\0\0"),
                  (b"E", b"\0\0\0\0\0"), (b"S", b""))
        return self.answer()

    def close(self):
        self.send((b"X", b""))
        self.file.close()
        self.socket.close()
