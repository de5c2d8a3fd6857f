#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes table.inc, the 10,000 most common passwords as common.c looks them up.

    generate.py                     prints the table of passwords.txt
    generate.py list RANKED.json    prints passwords.txt from a ranked list

The table is an xor filter (Graf and Lemire, "Xor Filters: Faster and Smaller
Than Bloom and Cuckoo Filters", 2020): three slots belong to a password, one in
each third of the table, and are chosen so that their exclusive or is its
fingerprint. Everything comes from one BLAKE2b of a seed byte and the password.
"""

import hashlib
import json
import os
import sys

CUT = 10000         # ranks taken
BITS = 13           # of a fingerprint: wrong for one password in 8,192
LOAD = 1.23         # slots for a password, below which no order is found
WORDS_A_LINE = 6
HERE = os.path.dirname(os.path.abspath(__file__))


def fold(password):
    """ASCII letters to lower case, and nothing else."""
    return bytes(c + 32 if 65 <= c <= 90 else c for c in password)


def digest(seed, password):
    raw = hashlib.blake2b(bytes([seed]) + password, digest_size=16).digest()
    return [int.from_bytes(raw[i:i + 4], "little") for i in range(0, 16, 4)]


def slots_of(words, third):
    return [i * third + (words[i] * third >> 32) for i in range(3)]


def peel(places, slots):
    """Every password with a slot that no later one needs, last one first; None
    when there is no such order."""
    users = [set() for _ in range(slots)]
    for number, three in enumerate(places):
        for slot in three:
            users[slot].add(number)
    order = []
    alone = [slot for slot in range(slots) if len(users[slot]) == 1]
    while alone:
        slot = alone.pop()
        if len(users[slot]) != 1:
            continue
        (number,) = users[slot]
        order.append((number, slot))
        for other in places[number]:
            users[other].discard(number)
            if len(users[other]) == 1:
                alone.append(other)
    return order[::-1] if len(order) == len(places) else None


def build(passwords, third):
    """The first seed for which there is an order, and the slots."""
    for seed in range(256):
        words = [digest(seed, password) for password in passwords]
        places = [slots_of(w, third) for w in words]
        order = peel(places, 3 * third)
        if order is None:
            continue
        table = [0] * (3 * third)
        for number, own in order:
            value = words[number][3] & ((1 << BITS) - 1)
            for slot in places[number]:
                if slot != own:
                    value ^= table[slot]
            table[own] = value
        return seed, table
    raise SystemExit("no seed leads to a table")


def pack(table):
    """Slots of BITS bits, lowest bit first, in words of 32 bits and one more,
    so that two words can always be read."""
    bits = 0
    for number, value in enumerate(table):
        bits |= value << (number * BITS)
    count = (len(table) * BITS + 31) // 32 + 1
    return [bits >> (32 * i) & 0xFFFFFFFF for i in range(count)]


def print_table(passwords):
    folded = list(dict.fromkeys(fold(p) for p in passwords))
    if len(folded) != CUT:
        raise SystemExit(f"{len(folded)} different passwords, not {CUT}")
    third = int(LOAD * CUT / 3) + 1
    seed, table = build(folded, third)
    words = pack(table)
    print("/* SPDX-License-Identifier: MIT */")
    print("/* Made by common/generate.py; common/README.md says from what. */")
    print(f"enum {{ SEED = {seed}, THIRD = {third}, BITS = {BITS}, "
          f"LONGEST = {max(map(len, folded))} }};")
    print(f"static const uint32_t table[{len(words)}] = {{")
    for at in range(0, len(words), WORDS_A_LINE):
        print("    " + ", ".join(f"0x{w:08x}"
                                 for w in words[at:at + WORDS_A_LINE]) + ",")
    print("};")


def print_list(ranked):
    """The first CUT passwords that differ in more than case."""
    seen = {}
    for password in ranked:
        seen.setdefault(fold(password.encode()), password)
        if len(seen) == CUT:
            break
    for password in seen.values():
        print(password)


def main():
    if sys.argv[1:2] == ["list"]:
        with open(sys.argv[2], encoding="utf-8") as file:
            print_list(json.load(file))
        return
    with open(os.path.join(HERE, "passwords.txt"), "rb") as file:
        print_table(file.read().splitlines())


if __name__ == "__main__":
    main()
