#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Writes phc.txt: PHC strings and what verifying "password" has to say.

Good hashes are made by python3-argon2. The verdict on every other text is
stated here, beside the rule it breaks; no code of this project is run. Never
run by make: the file is checked in, and a change of it deserves a look.
"""

import base64
import itertools
import os

from argon2.low_level import Type, hash_secret_raw

TYPES = {"d": Type.D, "i": Type.I, "id": Type.ID}
PASSWORD = b"password"
CASES = []


def add(status, canonical, text):
    """canonical: 1 or 0; "-" when parsing alone already refuses."""
    CASES.append((status, canonical, text))


def bad(*texts):
    for text in texts:
        add("BAD_HASH", "-", text)


def b64(data):
    return base64.b64encode(data).decode().rstrip("=")


def padded(data):
    return base64.b64encode(data).decode()


def tag_of(kind, version, m, t, p, salt, length):
    return hash_secret_raw(PASSWORD, salt, t, m, p, length, TYPES[kind],
                           version)


def good(kind="id", version=19, m=64, t=2, p=1, salt=b"somesalt", length=32,
         encode=b64, order="mtp", name_version=True):
    tag = tag_of(kind, version, m, t, p, salt, length)
    cost = {"m": f"m={m}", "t": f"t={t}", "p": f"p={p}"}
    v = f"v={version}$" if name_version else ""
    return (f"$argon2{kind}${v}" + ",".join(cost[x] for x in order) +
            f"${encode(salt)}${encode(tag)}")


def good_ones():
    for kind in TYPES:
        for version in (16, 19):
            add("OK", 1, good(kind, version))
            add("OK", 1, good(kind, version, m=83, t=3, p=2, length=24))
    for length in (4, 5, 6, 16, 63, 64, 65, 128, 1024):
        add("OK", 1, good(length=length))
    for salt in (8, 9, 10, 11, 16, 64, 1024):
        add("OK", 1, good(salt=bytes(range(32)) * 32 if salt == 1024
                          else bytes(range(250 - salt, 250))))
    add("OK", 1, good(m=128, p=16))
    # The defaults of others, as they write them.
    add("OK", 1, good(m=65536, t=4, p=1, salt=b"php password_has"))
    add("OK", 1, good(m=65536, t=1, p=2, salt=b"go alexedwards/a"))
    add("OK", 1, good(m=16384, t=2, p=1, salt=b"java spring 16by"))
    add("OK", 1, good(m=65536, t=2, p=1, salt=b"libsodium intera"))
    add("OK", 1, good("i", m=32768, t=4, p=1, salt=b"libsodium argon2"))
    add("OK", 1, good("i", m=512, t=2, p=2, salt=b"passlib 1.7 defa",
                      length=16))
    add("OK", 1, good(m=65536, t=3, p=4, salt=b"node-argon2, pyt"))


def dialects():
    # Before v= was invented, and libraries that still leave it out.
    for kind in TYPES:
        add("OK", 0, good(kind, 16, name_version=False))
        add("OK", 0, good(kind, 16, p=2, name_version=False, encode=padded))
    for order in itertools.permutations("mtp"):
        order = "".join(order)
        add("OK", int(order == "mtp"), good(order=order))
        add("OK", 0, good(version=16, order=order, name_version=False))
    for salt in (8, 10, 16, 17):
        add("OK", 0, good(salt=b"S" * salt, encode=padded, length=32))
    # 12 and 24 bytes need no padding: with it or without, the same text.
    add("OK", 1, good(salt=b"twelve bytes", length=24, encode=padded))
    # One field padded, the other not.
    salt = b"somesalt"
    tag = tag_of("id", 19, 64, 2, 1, salt, 32)
    head = "$argon2id$v=19$m=64,t=2,p=1$"
    add("OK", 0, f"{head}{b64(salt)}${padded(tag)}")
    add("OK", 0, f"{head}{padded(salt)}${b64(tag)}")


def mismatches():
    text = good()
    add("MISMATCH", 1, text.replace("m=64", "m=65"))
    add("MISMATCH", 1, text.replace("t=2", "t=3"))
    add("MISMATCH", 1, good(p=2).replace("p=2", "p=1"))
    add("MISMATCH", 1, text.replace("2id", "2i"))
    add("MISMATCH", 1, text.replace("2id", "2d"))
    add("MISMATCH", 1, text.replace("v=19", "v=16"))
    add("MISMATCH", 0, text.replace("v=19$", ""))
    add("MISMATCH", 1, text.replace("c29tZ", "C29tZ"))
    add("MISMATCH", 1, text[:-43] + ("B" if text[-43] == "A" else "A") +
        text[-42:])
    # The last byte, and a tag cut short: a prefix of the right one.
    last = "E" if text[-1] != "E" else "I"
    add("MISMATCH", 1, text[:-1] + last)
    add("MISMATCH", 1, text[:-3])
    add("MISMATCH", 1, good(length=64)[:-43])
    add("MISMATCH", 1, "$argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAA$AAAAAA")


HEAD = "$argon2id$v=19$"
COST = "m=64,t=2,p=1"
SALT = "c29tZXNhbHQ"   # somesalt
TAG = "c29tZXRhZw"     # sometag
TEXT = f"{HEAD}{COST}${SALT}${TAG}"


def with_cost(cost):
    return f"{HEAD}{cost}${SALT}${TAG}"


def malformed_shape():
    bad("", "$", "$$", "$$$$$", "x", "password", "$argon2", "$argon2id",
        "$argon2id$", "$argon2id$v=19", "$argon2id$v=19$", HEAD + COST,
        f"{HEAD}{COST}$", f"{HEAD}{COST}${SALT}", f"{HEAD}{COST}${SALT}$")
    # Other schemes, and the wrappers some frameworks put around this one.
    bad("$1$salt$hash", "$2b$12$abcdefghijklmnopqrstuv", "$5$salt$hash",
        "$6$rounds=5000$salt$hash", "$y$j9T$salt$hash", "$7$C6..../....$x",
        "$scrypt$ln=16,r=8,p=1$aM15713r3Xsvxbi31lqr1Q$nFNh2CVHVjNldFVKDHDlm4",
        "$pbkdf2-sha256$1000$c2FsdA$aGFzaA", "argon2" + TEXT,
        "{ARGON2ID}" + TEXT, "{argon2}" + TEXT,
        "{argon2@SpringSecurity_v5_8}" + TEXT, TEXT[1:], "$" + TEXT)
    # The name.
    for name in ("argon2", "argon2x", "argon2ID", "argon2iD", "Argon2id",
                 "ARGON2ID", "argon2di", "argon2ids", "argon2idd", "argon2ii",
                 "argon2 id", "argon2id ", " argon2id", "argon3id", "argonid",
                 "argon2-id", "argon2\0id", "argon2id\0"):
        bad(TEXT.replace("argon2id", name))
    # Whitespace and line ends, anywhere.
    bad(" " + TEXT, TEXT + " ", TEXT + "\n", TEXT + "\r\n", "\n" + TEXT,
        TEXT + "\t", TEXT.replace("$m", "$ m"), TEXT.replace(",t", ", t"),
        TEXT.replace("m=", "m ="), TEXT.replace("m=", "m= "),
        TEXT.replace("64,", "64 ,"), TEXT.replace("$c2", "$ c2"),
        TEXT.replace("p=1$", "p=1 $"), TEXT.replace("v=19", "v= 19"),
        TEXT.replace("v=19", "v=19 "))
    # A zero byte ends nothing.
    bad(TEXT + "\0", "\0" + TEXT, TEXT + "\0x", TEXT.replace("$v", "\0$v"),
        TEXT.replace("64", "64\0"), TEXT.replace("c29tZXNhbHQ$", "c29tZ\0NhbHQ$"),
        TEXT.replace("v=19", "v=19\0"), TEXT[:-2] + "\0\0")
    # Too many fields, or empty ones.
    bad(TEXT + "$", TEXT + "$x", TEXT + "$$", TEXT + "$" + TAG,
        TEXT.replace("$v=19", "$v=19$v=19"), TEXT.replace("$v=19", "$v=19$"),
        TEXT.replace("$v=19", "$"), TEXT.replace("$m", "$$m"),
        f"{HEAD}${SALT}${TAG}", f"{HEAD}{COST}$${TAG}",
        f"{HEAD}{COST}${COST}${SALT}${TAG}", f"{HEAD}{COST}{SALT}${TAG}")


def malformed_version():
    for v in ("", "0", "1", "10", "13", "15", "17", "18", "20", "21", "019",
              "+19", "-19", "0x13", "1.9", "19x", "19,", "19,19", "x",
              "4294967315", "18446744073709551635", "190", "4294967295"):
        bad(TEXT.replace("v=19", f"v={v}"))
    bad(TEXT.replace("v=19", "V=19"), TEXT.replace("v=19", "v19"),
        TEXT.replace("v=19", "v==19"), TEXT.replace("v=19", "=19"),
        TEXT.replace("v=19", "19"), TEXT.replace("v=19$", "v=19,"),
        f"$argon2id${COST}$v=19${SALT}${TAG}",
        f"$argon2id${COST},v=19${SALT}${TAG}")


def malformed_cost():
    # Numbers: no sign, no leading zero, at least one digit, at most 2^32-1.
    for number in ("", "-1", "+64", "064", "0064", "0x40", "64.0", "6_4",
                   "64k", "k", "4294967296", "4294967360",
                   "18446744073709551680", "99999999999999999999999999999"):
        bad(with_cost(f"m={number},t=2,p=1"))
    for number in ("", "0", "00", "01", "-1", "+2", "02", "2.", "4294967296",
                   "18446744073709551618"):
        bad(with_cost(f"m=64,t={number},p=1"))
    for number in ("", "0", "00", "-1", "+1", "01", "1x", "4294967296",
                   "4294967297", "16777216"):
        bad(with_cost(f"m=64,t=2,p={number}"))
    # RFC 9106: p is at most 2^24-1, m at least 8 * p, t at least 1.
    bad(with_cost("m=4294967295,t=1,p=16777216"),
        with_cost("m=4294967295,t=1,p=4294967295"),
        with_cost("m=0,t=2,p=1"), with_cost("m=1,t=2,p=1"),
        with_cost("m=7,t=2,p=1"), with_cost("m=15,t=2,p=2"),
        with_cost("m=134217719,t=1,p=16777215"),
        # 8 * p does not wrap around
        with_cost("m=64,t=2,p=536870912"), with_cost("m=64,t=2,p=536870913"))
    # m, t and p, each of them once, and nothing that is not known.
    for cost in ("m=64", "m=64,t=2", "t=2,p=1", "m=64,p=1", "m=64,t=2,p=1,",
                 ",m=64,t=2,p=1", "m=64,,t=2,p=1", "m=64;t=2;p=1",
                 "m=64,t=2,p=1,m=64", "m=64,m=64,t=2,p=1", "m=64,t=2,t=2,p=1",
                 "m=64,t=2,p=1,p=1", "m=64,t=2,p=1,x=1", "m=64,t=2,p=1,l=32",
                 "M=64,T=2,P=1", "m=64,t=2,P=1", "m64,t2,p1", "m:64,t:2,p:1",
                 "64,2,1", "mem=64,t=2,p=1", "m=64,t=2,p=1,type=id",
                 "m=64,t=2,p=1,saltlen=8", "m=64,t=2,p=1,keyid",
                 "m=64,t=2,p=1,data", "m=64 t=2 p=1", "m==64,t=2,p=1",
                 "m=64,t=2,p=1,Keyid=AAAA", "m=64,t=2,p=1,keyId=AAAA"):
        bad(with_cost(cost))


def malformed_base64():
    def salt(text):
        return f"{HEAD}{COST}${text}${TAG}"

    def tag(text):
        return f"{HEAD}{COST}${SALT}${text}"

    # Too short: salts below 8 bytes, tags below 4.
    bad(salt("c29tZXNhbA"), salt("c29tZQ"), salt("cw"), salt("c2"), salt("c"),
        tag("c29t"), tag("c28"), tag("cw"), tag("c"), tag("AAAAA"),
        salt("c29tZXNhb"))
    # A length that no number of bytes has (4n + 1 characters).
    bad(salt("c29tZXNhbHQAA"), tag("c29tZXRhZ"), tag("c29tZXRhZwAAA"))
    # Bits after the last byte that are not zero.
    bad(salt("c29tZXNhbHR"), salt("c29tZXNhbHS"), salt("c29tZXNhbHRzbG"),
        tag("c29tZXRhZx"), tag("c29tZXRhZ3"), tag("c29tZXRhZ/"),
        tag("c29tZXRhZ2d"), tag("AAAAAAAAAAB"), tag("AAAAAAAAAP"))
    # Characters that are not base64: URL-safe, crypt's, others.
    for c in "-_.,:;*?%~@!\"'\\|()[]{}<>^`& \t\n\x7f\x80\xff":
        bad(salt(f"c29tZ{c}NhbHQ"))
    for c in "-_.,$=":
        bad(tag(f"c29tZ{c}RhZw"))
    # Padding: whole groups of four, only at the end, only where it belongs.
    bad(salt("c29tZXNhbHQ=="), salt("c29tZXNhbHQ==="), salt("=c29tZXNhbHQ"),
        salt("c29tZX=NhbHQ"), salt("="), salt("=="), salt("===="),
        salt("c29tZXNhbHRz===="), salt("c29tZXNhbHRz="), salt("c29tZXNhbHRz=="),
        tag("c29tZXRhZw="), tag("c29tZXRhZw==="), tag("c29tZXRhZw=A"),
        tag("c29tZXRhZx=="), tag("=" + TAG), tag("c29tZXRhZwA=="),
        tag("c29tZXRhZw===="))


def keyed():
    """keyid= names a key that is not here, which parsing need not know; data=
    is refused by either, after everything that makes a text malformed."""
    for extra in ("keyid=AAAA", "keyid=AA", "keyid=Hj5+dsK0",
                  "keyid=cGVwcGVyMQ", "keyid=AAAAAAAAAAA"):
        add("NO_KEY", 1, with_cost(f"{COST},{extra}"))
    add("NO_KEY", 0, with_cost("m=64,keyid=AAAA,t=2,p=1"))
    add("NO_KEY", 0, with_cost("keyid=AAAA,m=64,t=2,p=1"))
    for extra in ("data=c29tZQ", "keyid=Hj5+dsK0,data=c29tZQ"):
        add("NO_KEY", "-", with_cost(f"{COST},{extra}"))
    add("NO_KEY", "-", with_cost("m=4294967295,t=4294967295,p=1,data=AAAA"))
    add("OVER_LIMIT", 1, with_cost("m=4294967295,t=4294967295,p=1,keyid=AAAA"))
    for extra in ("keyid=", "data=", "keyid=A", "keyid=AB", "keyid=AA==",
                  "keyid=AAAAAAAAAAAA", "keyid=AA-A", "keyid=AAAA,",
                  "data=AAAA,keyid", "data=AAB"):
        bad(with_cost(f"{COST},{extra}"))
    bad(with_cost("m=64,t=0,p=1,keyid=AAAA"), with_cost("m=7,t=1,p=1,data=AA"),
        with_cost(f"{COST},keyid=AAAA,keyid=AAAA"),
        with_cost(f"{COST},data=AA!A"), with_cost(f"{COST},keyid=AA AA"),
        with_cost(f"{COST},keyid=AAAA") + "!",
        with_cost(f"{COST},keyid=AAAA") + "$x",
        TEXT.replace("v=19", "v=18").replace(COST, f"{COST},keyid=AAAA"))


def over_limit():
    """Well-formed, within RFC 9106, above the default ceilings."""
    add("OVER_LIMIT", 1, "$argon2id$v=19$m=4294967295,t=4294967295,p=16777215$"
        "AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA")
    for cost in ("m=262145,t=1,p=1", "m=64,t=65,p=1", "m=136,t=1,p=17",
                 "m=65537,t=64,p=1", "m=262144,t=17,p=1",
                 "m=4294967295,t=1,p=1", "m=64,t=4294967295,p=1",
                 "m=134217720,t=1,p=16777215"):
        add("OVER_LIMIT", 1, with_cost(cost))
    add("OVER_LIMIT", 0, with_cost("p=1,t=1,m=262145"))
    add("OVER_LIMIT", 0, with_cost("m=262145,t=1,p=1").replace("v=19$", ""))
    add("OVER_LIMIT", 1, f"{HEAD}{COST}${b64(bytes(1025))}${TAG}")
    add("OVER_LIMIT", 1, f"{HEAD}{COST}${SALT}${b64(bytes(1025))}")
    add("OVER_LIMIT", 0, f"{HEAD}{COST}${SALT}${padded(bytes(1025))}")
    # What is malformed is so however much it asks for.
    bad(with_cost("m=4294967295,t=4294967295,p=1") + "!",
        with_cost("m=4294967295,t=4294967295,p=1,x=1"),
        with_cost("m=4294967295,t=0,p=1"),
        f"{HEAD}m=4294967295,t=1,p=1$c29t${TAG}")
    # The length of the text comes first: 4095 characters are read, 4096 not.
    add("OVER_LIMIT", "-", "A" * 4096)
    add("OVER_LIMIT", "-", TEXT + "A" * 4096)
    bad("A" * 4095, TEXT + "!" * (4095 - len(TEXT)))


def escape(text):
    return "".join(c if " " < c <= "~" and c != "\\" else f"\\x{ord(c):02x}"
                   for c in text)


def main():
    good_ones()
    dialects()
    mismatches()
    malformed_shape()
    malformed_version()
    malformed_cost()
    malformed_base64()
    keyed()
    over_limit()
    seen = {}
    for status, canonical, text in CASES:
        if seen.setdefault(text, (status, canonical)) != (status, canonical):
            raise SystemExit(f"two verdicts: {text!r}")
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "phc.txt")
    with open(path, "w", encoding="ascii") as out:
        out.write('# PHC strings and what verifying "password" says under '
                  "default ceilings. Written\n# by generate_phc.py. Columns, "
                  "parted by tabs: status; whether canonical (-: parsing\n"
                  "# alone gives the same status); the text, with \\xHH for "
                  "other characters.\n")
        for text, (status, canonical) in seen.items():
            out.write(f"{status}\t{canonical}\t{escape(text)}\n")


if __name__ == "__main__":
    main()
