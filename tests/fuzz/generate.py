#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Writes the inputs that fuzzing begins with into tests/fuzz/corpus.

One file each, named after what is in it. Hashes are made by python3-argon2.
Files that fuzzing has found (found-..) are left alone. Run by hand, never by
make: the files are checked in.
"""

import base64
import os
import struct
import sys

from argon2.low_level import Type, hash_secret_raw

TYPES = {"d": Type.D, "i": Type.I, "id": Type.ID}
CORPUS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus")


def write(target, name, data):
    directory = os.path.join(CORPUS, target)
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, name), "wb") as out:
        out.write(data if isinstance(data, bytes) else data.encode())


def b64(data):
    return base64.b64encode(data).decode().rstrip("=")


def good(kind="id", version=19, m=8, t=1, p=1, salt=b"somesalt", length=16,
         password=b"password"):
    tag = hash_secret_raw(password, salt, t, m, p, length, TYPES[kind], version)
    return (f"$argon2{kind}$v={version}$m={m},t={t},p={p}"
            f"${b64(salt)}${b64(tag)}")


HASH = good()
TAG = HASH.rsplit("$", 1)[1]


def texts():
    """PHC texts; some of them differ only for one of the two readers."""
    cost = "$argon2id$v=19$m=8,t=1,p=1$"
    yield "id", HASH
    yield "i", good("i", t=3)
    yield "d-version-16", good("d", version=16)
    yield "four-lanes", good(m=64, t=2, p=4)
    yield "long-salt-and-tag", good(salt=bytes(range(64)), length=64)
    yield "wrong-password", good(password=b"another")
    yield "version-missing", good(version=16).replace("v=16$", "")
    yield "version-18", HASH.replace("v=19", "v=18")
    yield "version-empty", HASH.replace("v=19", "v=")
    yield "order-tpm", HASH.replace("m=8,t=1,p=1", "t=1,p=1,m=8")
    yield "repeated-m", HASH.replace("m=8,", "m=8,m=8,")
    yield "p-missing", HASH.replace(",p=1", "")
    yield "keyid-unknown", HASH.replace("p=1", "p=1,keyid=Zm9v")
    yield "keyid-old", HASH.replace("p=1", "p=1,keyid=b2xk")
    yield "keyid-current", HASH.replace("p=1", "p=1,keyid=bmV3")
    yield "keyid-first", HASH.replace("m=8", "keyid=bmV3,m=8")
    yield "keyid-empty", HASH.replace("p=1", "p=1,keyid=")
    yield "keyid-too-long", HASH.replace("p=1", "p=1,keyid=MTIzNDU2Nzg5")
    yield "data", HASH.replace("p=1", "p=1,data=Zm9v")
    yield "padded", cost + "c29tZXNhbHQ=$" + TAG + "=="
    yield "padded-wrongly", cost + "c29tZXNhbHQ==$" + TAG
    yield "stray-bits", cost + "c29tZXNhbHR$" + TAG
    yield "url-alphabet", cost + "c29t-XNhbH_$" + TAG
    yield "byte-above-ascii", cost.encode() + b"c29t\x9fXNhbHQ$" + TAG.encode()
    yield "nul", HASH.encode() + b"\0"
    yield "newline", HASH + "\n"
    yield "salt-short", cost + "c29tZXM$" + TAG
    yield "tag-short", cost + "c29tZXNhbHQ$AAAA"
    yield "tag-empty", cost + "c29tZXNhbHQ$"
    yield "tag-missing", cost + "c29tZXNhbHQ"
    yield "field-too-many", HASH + "$AAAA"
    yield "leading-zero", HASH.replace("m=8", "m=08")
    yield "m-too-small", HASH.replace("m=8", "m=7")
    yield "m-overflow", HASH.replace("m=8", "m=4294967304")
    yield "over-all-limits", HASH.replace(
        "m=8,t=1,p=1", "m=4294967295,t=4294967295,p=16777215")
    yield "type-unknown", HASH.replace("2id", "2x")
    yield "capitals", HASH.upper()
    yield "prefix", "$argon2"
    yield "longest", cost + "A" * 4047 + "$" + TAG
    yield "too-long", cost + "A" * 4052 + "$" + TAG


def params():
    for name in ("default", "rfc9106", "rfc9106-high", "owasp"):
        yield name, name
    yield "cheap", "m=8,t=1,p=1"
    yield "all-keys", "m=64,t=2,p=3,type=i,v=16,saltlen=9,len=33"
    yield "any-order", "len=4,p=1,type=d,saltlen=8,t=1,v=19,m=8"
    yield "largest", "m=4294967295,t=4294967295,p=16777215"
    yield "overflow", "m=4294967296,t=1,p=1"
    yield "repeated", "m=8,t=1,p=1,m=8"
    yield "missing", "m=8,t=1"
    yield "unknown", "m=8,t=1,p=1,k=2"
    yield "comma-at-end", "m=8,t=1,p=1,"
    yield "blank", "m=8, t=1,p=1"
    yield "leading-zero", "m=08,t=1,p=1"
    yield "sign", "m=+8,t=-1,p=1"
    yield "version-18", "m=8,t=1,p=1,v=18"
    yield "nul", b"m=8,t=1,p=1\0"
    yield "empty", ""


def key_files():
    """Key files: an id and a secret of 16 bytes or more in each line."""
    secret = b64(b"0123456789abcdef")
    yield "one", f"a {secret}\n"
    yield "two-and-current", f"# keys\ncurrent b\na {secret}\nb {secret}==\n"
    yield "current-last", f"a {secret}\n\tcurrent  a  "
    yield "current-unknown", f"a {secret}\ncurrent b\n"
    yield "current-twice", f"a {secret}\ncurrent a\ncurrent a\n"
    yield "current-as-id", f"current {secret}\n"
    yield "repeated-id", f"a {secret}\na {secret}\n"
    yield "id-longest", f"Az09._-x {secret}\n"
    yield "id-too-long", f"123456789 {secret}\n"
    yield "id-odd", f"a/b {secret}\n"
    yield "no-secret", "a\n"
    yield "three-words", f"a {secret} x\n"
    yield "secret-short", "a " + b64(bytes(15)) + "\n"
    yield "secret-longest", "a " + b64(bytes(1024)) + "\n"
    yield "secret-too-long", "a " + b64(bytes(1025)) + "\n"
    yield "not-base64", f"a {secret[:-1]}!\n"
    yield "stray-bits", f"a {secret[:-1]}x\n"
    yield "carriage-return", f"a {secret}\r\n"
    yield "nul", f"a {secret}\0\n"
    yield "empty", ""
    yield "most", "".join(f"{n} {secret}\n" for n in range(64))
    yield "too-many", "".join(f"{n} {secret}\n" for n in range(65))
    yield "too-large", "# " + "x" * 65534 + "\n"


def tags():
    """Bytes as tag_peer.c takes them: kernel, threads, lanes-1, type, version,
    memory, passes-1, tag-4, salt-8, secret, ad; salt, secret, ad, password."""
    def one(kernel=0, threads=0, lanes=1, kind=2, old=0, memory=0, passes=1,
            tag=32, salt=16, secret=0, ad=0, password=b"password"):
        head = bytes([kernel, threads, lanes - 1, kind, old, memory, passes - 1,
                      tag - 4, salt - 8, secret, ad])
        return head + bytes(range(salt + secret + ad)) + password
    for kernel in range(6):
        for kind in range(3):
            yield (f"kernel-{kernel}-type-{kind}",
                   one(kernel, kernel & 1, kernel % 5 + 1, kind, kind & 1,
                       memory=kernel * 9, passes=kind + 1))
    yield "secret-and-data", one(secret=8, ad=12)
    yield "tag-of-4", one(tag=4)
    yield "tag-of-64", one(tag=64)
    yield "tag-of-65", one(tag=65)
    yield "tag-of-259", one(tag=259)
    yield "salt-too-short", one(password=b"")[:14]
    yield "password-empty", one(password=b"")
    yield "password-of-a-block", one(password=b"x" * 128)
    yield "two-threads-five-lanes", one(threads=1, lanes=5, memory=63, passes=3)


def calls():
    """A letter for the function, and a typed argument a line: see sqlite.c."""
    cheap = "tm=8,t=1,p=1"
    yield "hash", "a\ntpassword"
    yield "hash-params", "b\ntpassword\n" + cheap
    yield "hash-too-much", "b\ntpassword\ntowasp"
    yield "verify", "c\ntpassword\nt" + HASH
    yield "verify-blobs", "c\nbpassword\nb" + HASH
    yield "verify-utf16", b"c\nw" + "password".encode("utf-16-le") + \
        b"\nt" + HASH.encode()
    yield "verify-swapped", f"c\nt{HASH}\ntpassword"
    yield "verify-malformed", "c\ntpassword\nt$argon2id$"
    yield "verify-null", "c\nn\nt" + HASH
    yield "verify-number", "c\ni12345\nt" + HASH
    yield "with-salt", "d\ntpassword\nbsomesalt\n" + cheap
    yield "with-no-salt", "d\ntpassword\nb\n" + cheap
    yield "raw", "e\ntpassword\nbsomesalt\n" + cheap + ",len=24"
    yield "raw-too-long", "e\ntpassword\nbsomesalt\n" + cheap + ",len=1025"
    yield "needs-rehash", "f\nt" + HASH
    yield "needs-rehash-params", f"g\nt{HASH}\n{cheap}"
    yield "is-valid", "h\nt" + HASH
    yield "is-valid-number", "h\nf1.5"
    yield "params", "i\nt" + HASH
    yield "info", "j\nt" + HASH
    yield "info-json", "k\nt" + HASH
    yield "dummy", "l"
    yield "version", "m"
    yield "config", "n\ntmax_memory"
    yield "config-lower", "o\ntmax_memory\ni32"
    yield "config-raise", "o\ntmax_memory\ni1000000"
    yield "config-default", "o\ntdefault_params\n" + cheap
    yield "config-unknown", "n\ntmax"
    yield "calibrate", "p\ni-5"
    yield "calibrate-text", "p\nt5"
    yield "upgrade", f"q\ntpassword\nt{HASH}"
    yield "upgrade-params", f"r\ntpassword\nt{HASH}\ntm=16,t=2,p=1"
    yield "upgrade-wrong", f"r\ntx\nt{HASH}\n{cheap}"
    yield "is-common", "s\ntPassword"
    yield "config-keys", "o\ntsecret_file\nt/keys"
    yield "config-no-keys", "o\ntsecret_file\nt"


KEYS = ("pass salt secret ad size iter threads lanes memcost version "
        "early_clean properties name status buildinfo").split()


def ossl():
    """Bytes as ossl.c takes them."""
    def param(key, kind, value):
        return bytes([5, KEYS.index(key), kind, len(value)]) + value

    def octets(key, value):
        return param(key, 5, value)

    def number(key, value, size=4):
        return param(key, 2, value.to_bytes(size, "little"))
    setting = bytes([0])
    get = bytes([4])

    def derive(length):
        return bytes([1, length])
    dup, reset = bytes([2]), bytes([3])

    def life(*ops, config=b"", option=0, fail=0, kdf=2):
        return config + b"\n" + bytes([option, fail, kdf]) + b"".join(ops)
    basic = (octets("pass", b"password"), octets("salt", b"somesalt"),
             number("iter", 1), number("memcost", 8))
    yield "set-and-derive", life(*basic, setting, derive(32))
    yield "derive-with-all", life(*basic, number("lanes", 2), number("memcost", 16),
                                  derive(16))
    yield "dup", life(*basic, setting, dup, derive(64))
    yield "reset", life(*basic, setting, reset, derive(32))
    yield "early-clean", life(*basic, number("early_clean", 1), setting,
                              derive(32), dup)
    yield "secret-and-data", life(*basic, octets("secret", b"pepper"),
                                  octets("ad", b"data"), setting, derive(32))
    yield "old-version", life(*basic, number("version", 16), setting, derive(32),
                              kdf=1)
    yield "widths", life(*basic[:2], number("iter", 1, 1), number("memcost", 8, 2),
                         number("lanes", 1, 8), number("threads", 1, 16),
                         setting, derive(32), kdf=0)
    yield "negative", life(*basic, param("lanes", 1, b"\xff" * 4), setting)
    yield "double", life(*basic, param("lanes", 3, struct.pack("<d", 2.0)), setting)
    yield "not-a-number", life(param("iter", 3, struct.pack("<d", float("nan"))),
                               setting)
    yield "wrong-type", life(param("pass", 4, b"password"), setting)
    yield "repeated", life(*basic, basic[0], setting)
    yield "size", life(*basic, number("size", 24), derive(24), derive(25))
    yield "threads-above-lanes", life(*basic, number("threads", 2), setting,
                                      derive(32), config=b"1", option=3)
    yield "null-octets", life(bytes([5, 0, 5, 255, 0]), bytes([5, 1, 5, 255, 9]),
                              setting)
    yield "properties", life(param("properties", 4, b"provider=x"), setting)
    yield "get-size", life(number("size", 0, 8), get)
    yield "get-name", life(param("name", 4, bytes(64)), param("status", 2, bytes(4)),
                           param("buildinfo", 4, b""), get)
    yield "config-keep", life(*basic, derive(32), config=b"64", option=1)
    yield "config-malformed", life(config=b"12x", option=2)
    yield "config-overflow", life(config=b"18446744073709551616")
    for n in range(1, 8):
        yield f"allocation-{n}-fails", life(*basic, setting, dup, derive(32),
                                            fail=n)


def confs():
    yield "empty", ""
    yield "comments", "# nothing\n\n   # here\n"
    yield "usual", ("params = m=65536,t=3,p=4\nmax_memory = 262144\n"
                    "max_passes = 64\nmax_lanes = 16\nthreads = 4\nslots = yes\n"
                    "budget = 0\nuser_budget = 0\nreserve = 0\n"
                    "queue_timeout = 30\n")
    yield "migration", ("migrate_root = no\nmigrate_dry_run = yes\n"
                        "migrate_include = staff, wheel\n"
                        "migrate_exclude = service\n")
    yield "no-newline", "threads=2"
    yield "carriage-return", "threads = 2\r\n"
    yield "unknown-key", "thread = 2\n"
    yield "repeated-key", "threads = 2\nthreads = 2\n"
    yield "no-value", "threads\n"
    yield "number-too-large", "threads = 65\n"
    yield "number-overflow", "budget = 18446744073709551617\n"
    yield "number-negative", "budget = -1\n"
    yield "bad-params", "params = m=1,t=1,p=1\n"
    yield "lifted-ceilings", "params = m=2097152,t=99,p=20\nmax_memory = 64\n"
    yield "switch", "slots = maybe\n"
    yield "nul", b"threads = 2\0\n"
    yield "groups-too-many", "migrate_include = " + "ab " * 120 + "\n"
    yield "line-too-long", "#" + "x" * 600 + "\n"
    yield "line-in-pieces", "#" + "x" * 5000 + "\nthreads = 2\n"


def options():
    yield "usual", "migrate\nrehash\nnullok"
    yield "password", "use_authtok\nremember=5\nminlen=12\nauthtok_type=new"
    yield "file", "pwdfile=/etc/users\nhelper=never\nparams=owasp\nquiet\ndebug"
    yield "file-relative", "pwdfile=users"
    yield "conf", "conf=/etc/argon2fast.conf\naudit\nnodelay\nnoreap"
    yield "remember-and-file", "remember=3\npwdfile=/x"
    yield "too-large", "remember=1000\nminlen=100000"
    yield "negative", "remember=-1"
    yield "unknown", "migrate=yes\nfoo"
    yield "helper-unknown", "helper=sometimes"
    yield "path-too-long", "conf=/" + "x" * 600
    yield "flag-with-more", "nullok_secure"
    yield "empty-lines", "\n\n"


def lines():
    """The name looked for, and the file."""
    shadow = ("root:*:19000:0:99999:7:::\n"
              f"ann:{HASH}:19000:0:99999:7:::\n"
              "bob:$6$salt$x:19000:1:99999:7:::\n")
    yield "ann", "ann\n" + shadow
    yield "root-locked", "root\n" + shadow
    yield "foreign", "bob\n" + shadow
    yield "nobody", "eve\n" + shadow
    yield "prefix-of-a-name", "an\n" + shadow
    yield "twice", "ann\nann::1:\nann:!:2:\n"
    yield "empty-field", "ann\nann::19000:0:99999:7:::\n"
    yield "no-more-fields", f"ann\nann:{HASH}\n"
    yield "no-newline", f"ann\nbob:x\nann:{HASH}"
    yield "no-colon", "ann\nann\n"
    yield "carriage-return", f"ann\nann:{HASH}\r\n"
    yield "nul", b"ann\nann:x\0y:1:\n"
    yield "min-age", "ann\nann:x:99999:5:::::\n"
    yield "expired", "ann\nann:x:1:2:3:4:5:6:7\n"
    yield "days-odd", "ann\nann:x:-1:+5: 7::9999999999:1x:\n"
    yield "plus", "+\n+:x\n"
    yield "empty-name", "\n:x\n"
    yield "hash-too-long", "ann\nann:" + "h" * 1024 + ":\n"
    yield "hash-longest", "ann\nann:" + "h" * 1023 + ":\n"
    for length in (4094, 4095, 4096, 4097):
        yield f"line-of-{length}", "ann\n" + ("ann:x:" + "y" * length)[:length] + "\n"
        yield f"line-of-{length}-last", "ann\n" + ("ann:x:" + "y" * length)[:length]
    yield "after-long-line", "ann\n" + "b" * 5000 + f"\nann:{HASH}:1:\n"
    yield "in-a-long-line", "ann\n" + "b" * 4096 + f"ann:{HASH}:1:\n"
    yield "empty-file", "ann\n"


def message(letter, first, *fields, version=1):
    body = b"".join(struct.pack("<BH", tag, len(value)) + value
                    for tag, value in fields)
    return (b"A2F" + letter + bytes([version, first]) +
            struct.pack("<H", 8 + len(body)) + body)


def number(value):
    return struct.pack("<I", value)


def text(value):
    return value.encode() + b"\0"


def request(kind=1, flags=0, origin=0, user="ann", password="password", params="",
            hash_="", more=()):
    return message(b"Q", kind, (1, number(flags)), (2, number(origin)),
                   (3, number(0)), (4, text(user)), (5, text(password)),
                   (6, text("/etc/users")), (7, text(params)), (8, text("")),
                   (9, text(hash_)), (10, bytes(48)), *more)


def messages():
    yield "request", request()
    yield "request-write", request(5, hash_=HASH)
    yield "request-minimal", message(b"Q", 1)
    yield "request-optional-field", request(more=[(0x90, b"later")])
    yield "request-unknown-field", request(more=[(0x50, b"later")])
    yield "request-repeated-field", request(more=[(4, text("eve"))])
    yield "request-later-version", message(b"Q", 1, version=2)
    yield "request-cut", request()[:-1]
    yield "request-and-more", request() + b"x"
    yield "string-without-nul", message(b"Q", 1, (4, b"ann"))
    yield "string-with-nuls", message(b"Q", 1, (4, b"a\0n\0"))
    yield "string-longest", message(b"Q", 1, (5, text("p" * 512)))
    yield "string-too-long", message(b"Q", 1, (5, text("p" * 513)))
    yield "number-short", message(b"Q", 1, (1, b"\0\0\0"))
    yield "stamp-long", message(b"Q", 1, (10, bytes(49)))
    yield "field-past-end", b"A2FQ\x01\x01\x0b\x00\x04\xff\xff"
    yield "length-small", b"A2FQ\x01\x01\x07\x00"
    yield "reply-pass", message(b"R", ord("P"), (0x81, number(3)), (0x82, number(0)),
                                (3, number(0)), (0x84, text("note")),
                                (5, text(HASH)), (6, bytes(48)))
    yield "reply-wrong", message(b"R", ord("W"), (0x84, text("")))
    yield "reply-minimal", message(b"R", ord("P"))


def answers():
    """A request, and the password file it is about."""
    database = (f"ann:{HASH}:1:\nbob:$6$salt$x\nempty::\nlocked:!{HASH}\n"
                f"dear:{HASH.replace('m=8', 'm=65536')}\n"
                "odd:$argon2id$\n").encode()
    for user in ("ann", "bob", "empty", "locked", "dear", "odd", "eve"):
        yield "verify-" + user, request(user=user) + database
    yield "verify-wrong", request(password="another") + database
    yield "verify-nullok", request(flags=1, user="empty", password="") + database
    yield "verify-no-nullok", request(user="empty", password="") + database
    yield "verify-not-root", request(origin=1001) + database
    yield "verify-upgrade", request(flags=8, params="m=8,t=1,p=1") + database
    yield "verify-migrate", request(flags=6, user="bob") + database
    yield "lookup", request(2) + database
    yield "lookup-not-root", request(2, origin=1001) + database
    yield "renew", request(3) + database
    yield "renew-not-root", request(3, origin=1001) + database
    yield "kind-unknown", request(77) + database
    yield "file-empty", request()


INPUTS = {"phc": texts, "phc_peer": texts, "params": params, "keys": key_files, "tag_peer": tags,
          "sqlite": calls, "ossl": ossl, "pam_conf": confs,
          "pam_options": options, "pam_entry": lines, "pam_change": lines,
          "pam_wire": messages, "pam_answer": answers}


def main():
    for target in sys.argv[1:] or INPUTS:
        for name, data in INPUTS[target]():
            write(target, name, data)


if __name__ == "__main__":
    main()
