#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Writes costs.txt, lengths.txt and blake2b.txt, and checks rfc9106.txt.

The tags come from an independent implementation, the distribution's
libargon2 (package libargon2-1), and for the cases it can do (no secret, no
associated data) python3-argon2 has to agree. The digests are Python's. Never
run by make: the files are checked in, and a change of them deserves a look.
"""

import ctypes
import hashlib
import os
import sys

from argon2.low_level import Type, hash_secret_raw

HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARY = ctypes.CDLL("libargon2.so.1")
TYPES = {"d": 0, "i": 1, "id": 2}
COLUMNS = "type version m t p password salt secret ad tag (hex; -: empty)"


class Context(ctypes.Structure):
    """argon2_context of argon2.h."""

    _fields_ = [
        ("out", ctypes.c_char_p), ("outlen", ctypes.c_uint32),
        ("pwd", ctypes.c_char_p), ("pwdlen", ctypes.c_uint32),
        ("salt", ctypes.c_char_p), ("saltlen", ctypes.c_uint32),
        ("secret", ctypes.c_char_p), ("secretlen", ctypes.c_uint32),
        ("ad", ctypes.c_char_p), ("adlen", ctypes.c_uint32),
        ("t_cost", ctypes.c_uint32), ("m_cost", ctypes.c_uint32),
        ("lanes", ctypes.c_uint32), ("threads", ctypes.c_uint32),
        ("version", ctypes.c_uint32),
        ("allocate", ctypes.c_void_p), ("free", ctypes.c_void_p),
        ("flags", ctypes.c_uint32),
    ]


def tag_of(kind, version, m, t, p, password, salt, secret, ad, length):
    out = ctypes.create_string_buffer(length)
    context = Context(
        ctypes.cast(out, ctypes.c_char_p), length, password, len(password),
        salt, len(salt), secret, len(secret), ad, len(ad), t, m, p, p, version)
    code = LIBRARY.argon2_ctx(ctypes.byref(context), TYPES[kind])
    if code != 0:
        sys.exit(f"libargon2: error {code}")
    if not secret and not ad:
        other = hash_secret_raw(password, salt, t, m, p, length,
                                Type(TYPES[kind]), version)
        if other != out.raw:
            sys.exit("python3-argon2 disagrees")
    return out.raw


def some_bytes(seed, length):
    """Every byte value, zero among them, in an order that differs by seed."""
    return bytes((seed * 37 + i * 11) & 0xFF for i in range(length))


def line(kind, version, m, t, p, password, salt, secret, ad, length):
    tag = tag_of(kind, version, m, t, p, password, salt, secret, ad, length)
    fields = [x.hex() or "-" for x in (password, salt, secret, ad, tag)]
    return f"{kind} {version:#x} {m} {t} {p} " + " ".join(fields) + "\n"


def cost_cases():
    """Every type and version over lanes, memory and passes."""
    shapes = []
    for p in range(1, 10):
        shapes += [(8 * p, 1, p), (8 * p + 1, 2, p), (12 * p - 1, 3, p)]
    # One more block of addresses: segments of 127 to 129, 255 to 257 columns.
    for p in (1, 2, 3):
        for columns in (127, 128, 129, 255, 256, 257):
            shapes.append((4 * p * columns, 2, p))
    # m that is no multiple of 4p
    shapes += [(1023, 1, 4), (4 * 7 * 130 + 27, 2, 7), (2047, 4, 16)]
    shapes += [(65, 50, 3)]
    for m, t, p in shapes:
        for kind in TYPES:
            for version in (0x10, 0x13):
                yield kind, version, m, t, p
    # More than one huge page; more than one piece of population.
    for kind, version, m, t, p in (("id", 0x13, 8192, 2, 4),
                                   ("d", 0x10, 5000, 1, 1),
                                   ("id", 0x13, 40000, 1, 2)):
        yield kind, version, m, t, p


def length_cases():
    """What lengths of inputs and outputs do; cost is small."""
    for kind in TYPES:
        for version in (0x10, 0x13):
            for length in (4, 5, 31, 32, 33, 63, 64, 65, 95, 96, 97, 128, 129,
                           1024, 1100):
                yield kind, version, 8, 8, 0, 0, length
            for password in (0, 1, 63, 64, 127, 128, 129, 255, 4096):
                yield kind, version, password, 16, 0, 0, 32
            for salt in (8, 9, 16, 64, 128, 1000):
                yield kind, version, 8, salt, 0, 0, 32
            for secret, ad in ((1, 0), (0, 1), (8, 12), (32, 255), (129, 1000)):
                yield kind, version, 8, 16, secret, ad, 32


def write(name, about, columns, lines):
    with open(os.path.join(HERE, name), "w", encoding="ascii") as out:
        out.write(f"# {about} Written by generate.py.\n# {columns}\n")
        out.writelines(lines)


def blake2b(length, data):
    return hashlib.blake2b(data, digest_size=length).digest()


def long_hash(length, data):
    """H' of RFC 9106 section 3.3."""
    data = length.to_bytes(4, "little") + data
    if length <= 64:
        return blake2b(length, data)
    out = b""
    part = blake2b(64, data)
    while length - len(out) > 64:
        out += part[:32]
        last = length - len(out)
        part = blake2b(min(last, 64), part)
    return out + part


def blake2b_lines():
    # RFC 7693 appendix A
    yield f"blake2b 64 {b'abc'.hex()} {blake2b(64, b'abc').hex()}\n"
    for length in (1, 20, 32, 48, 64):
        for size in (0, 1, 63, 64, 127, 128, 129, 255, 256, 257, 1000):
            data = some_bytes(length, size)
            yield (f"blake2b {length} {data.hex() or '-'} "
                   f"{blake2b(length, data).hex()}\n")
    for length in (1, 4, 32, 63, 64, 65, 95, 96, 97, 127, 128, 129, 1024,
                   1100):
        for size in (0, 72, 1024):
            data = some_bytes(length, size)
            yield (f"long {length} {data.hex() or '-'} "
                   f"{long_hash(length, data).hex()}\n")


def check_rfc():
    with open(os.path.join(HERE, "rfc9106.txt"), encoding="ascii") as lines:
        for text in lines:
            if text.startswith("#"):
                continue
            kind, version, m, t, p, *rest = text.split()
            password, salt, secret, ad, tag = map(bytes.fromhex, rest)
            found = tag_of(kind, int(version, 0), int(m), int(t), int(p),
                           password, salt, secret, ad, len(tag))
            if found != tag:
                sys.exit("rfc9106.txt: a typing error")


def main():
    check_rfc()
    write("costs.txt", "Types, versions, lanes, memory and passes.", COLUMNS,
          (line(kind, version, m, t, p, some_bytes(i, i % 40),
                some_bytes(i + 1, 8 + i % 24), b"", b"", 16 + i % 17)
           for i, (kind, version, m, t, p) in enumerate(cost_cases())))
    write("lengths.txt", "Lengths of password, salt, secret, ad and tag.",
          COLUMNS,
          (line(kind, version, 16 + 16 * (i % 2), 1 + i % 2, 1 + i % 2,
                some_bytes(i, password), some_bytes(i + 1, salt),
                some_bytes(i + 2, secret), some_bytes(i + 3, ad), tag)
           for i, (kind, version, password, salt, secret, ad, tag)
           in enumerate(length_cases())))
    write("blake2b.txt", "BLAKE2b and H', RFC 9106 section 3.3.",
          "function out_len input output (hex; -: empty)", blake2b_lines())


if __name__ == "__main__":
    main()
