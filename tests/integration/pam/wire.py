# SPDX-License-Identifier: MIT
"""The helpers' protocol, written once more: requests and replies as bytes."""

import struct
import subprocess

VERIFY, LOOKUP, RENEW, PROBE, CHANGE, REHASH, REVERT = range(1, 8)
NULLOK, FOREIGN, MIGRATE, UPGRADE, CONSOLE = 1, 2, 4, 8, 16
TAGS = {"flags": 1, "origin": 2, "remember": 3, "user": 4, "password": 5, "database": 6,
        "params": 7, "conf": 8, "hash": 9, "stamp": 10}


def field(tag, data):
    return struct.pack("<BH", tag, len(data)) + data


def message(kind, body, letter=b"Q", version=1):
    return b"A2F" + letter + struct.pack("<BBH", version, kind, 8 + len(body)) + body


def request(kind, **fields):
    body = b""
    for name, value in fields.items():
        if isinstance(value, int):
            value = struct.pack("<I", value)
        elif isinstance(value, str):
            value = value.encode() + b"\0"
        body += field(TAGS[name], value)
    return message(kind, body)


def parse(data):
    """A reply's fields by tag, and its verdict; None when it is no reply."""
    if len(data) < 8 or data[:4] != b"A2FR" or data[4] != 1:
        return None
    verdict, length = struct.unpack("<BH", data[5:8])
    if length != len(data):
        return None
    reply, at = {"verdict": chr(verdict)}, 8
    while at < length:
        tag, size = struct.unpack("<BH", data[at:at + 3])
        value = data[at + 3:at + 3 + size]
        at += 3 + size
        name = {0x81: "scheme", 0x82: "ageing", 3: "dry_run", 0x84: "note", 5: "hash", 6: "stamp"}[tag]
        if name in ("scheme", "ageing", "dry_run"):
            value = struct.unpack("<I", value)[0]
        elif name in ("note", "hash"):
            value = value[:-1].decode()
        reply[name] = value
    return reply


def ask(helper, kind, **fields):
    done = subprocess.run([helper], input=request(kind, **fields), stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, timeout=60)
    return parse(done.stdout)
