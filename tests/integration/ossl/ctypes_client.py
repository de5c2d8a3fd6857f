# SPDX-License-Identifier: MIT
"""OpenSSL through ctypes, as scripts on OpenSSL 3.0 use it. Prints TAP.

ctypes_client.py MODULES: the directory with argon2fast.so. python3-argon2,
which wraps libargon2, says what is right.
"""
import ctypes
import os
import sys
import threading

import argon2.low_level as libargon2

crypto = ctypes.CDLL("libcrypto.so.3")
pointer, size = ctypes.c_void_p, ctypes.c_size_t
for name, result, arguments in [
    ("OSSL_PROVIDER_set_default_search_path", ctypes.c_int,
     [pointer, ctypes.c_char_p]),
    ("OSSL_PROVIDER_load", pointer, [pointer, ctypes.c_char_p]),
    ("OSSL_PROVIDER_unload", ctypes.c_int, [pointer]),
    ("OSSL_PROVIDER_get0_name", ctypes.c_char_p, [pointer]),
    ("EVP_KDF_fetch", pointer, [pointer, ctypes.c_char_p, ctypes.c_char_p]),
    ("EVP_KDF_get0_provider", pointer, [pointer]),
    ("EVP_KDF_free", None, [pointer]),
    ("EVP_KDF_CTX_new", pointer, [pointer]),
    ("EVP_KDF_CTX_free", None, [pointer]),
    ("EVP_KDF_derive", ctypes.c_int, [pointer, pointer, size, pointer]),
    ("ERR_get_error", ctypes.c_ulong, []),
]:
    function = getattr(crypto, name)
    function.restype, function.argtypes = result, arguments


class Param(ctypes.Structure):
    """OSSL_PARAM"""
    _fields_ = [("key", ctypes.c_char_p), ("data_type", ctypes.c_uint),
                ("data", pointer), ("data_size", size), ("return_size", size)]


INTEGER, UNSIGNED, OCTETS = 1, 2, 5


def params(values):
    """OSSL_PARAMs of a dictionary: bytes, a Python int (a C int), or a ctypes
    number; and what must stay alive as long."""
    made, alive = [], []
    for key, value in values.items():
        if isinstance(value, bytes):
            kind, value = OCTETS, ctypes.create_string_buffer(value,
                                                              len(value))
        elif isinstance(value, int):
            kind, value = INTEGER, ctypes.c_int(value)
        else:
            kind = UNSIGNED
        alive.append(value)
        made.append(Param(key.encode(), kind,
                          ctypes.cast(ctypes.pointer(value), pointer),
                          ctypes.sizeof(value), 0))
    made.append(Param(None, 0, None, 0, 0))
    return (Param * len(made))(*made), alive


def derive(kdf, length, **values):
    """The tag, or the reason number of the first error."""
    context = crypto.EVP_KDF_CTX_new(kdf)
    tag = ctypes.create_string_buffer(length)
    array, _alive = params(values)
    good = crypto.EVP_KDF_derive(context, tag, length, array)
    crypto.EVP_KDF_CTX_free(context)
    return tag.raw if good == 1 else crypto.ERR_get_error() & 0x7FFFFF


count = failed = 0


def check(name, got, wanted):
    """One TAP line."""
    global count, failed
    count += 1
    if got == wanted:
        print(f"ok {count} - {name}")
    else:
        failed += 1
        print(f"not ok {count} - {name}\n# got {got!r}, wanted {wanted!r}")


def main():
    """The tests."""
    path = os.fsencode(sys.argv[1])
    crypto.OSSL_PROVIDER_set_default_search_path(None, path)
    provider = crypto.OSSL_PROVIDER_load(None, b"argon2fast")
    kdf = crypto.EVP_KDF_fetch(None, b"ARGON2ID", b"provider=argon2fast")
    check("served by", crypto.OSSL_PROVIDER_get0_name(
        crypto.EVP_KDF_get0_provider(kdf)), b"argon2fast")

    for memory, passes, lanes in [(8, 1, 1), (65536, 3, 4), (19456, 2, 1)]:
        wanted = libargon2.hash_secret_raw(
            b"pass\0word", b"\xff" * 16, passes, memory, lanes, 32,
            libargon2.Type.ID)
        common = {"pass": b"pass\0word", "salt": b"\xff" * 16}
        check(f"m={memory}, t={passes}, p={lanes}, C ints",
              derive(kdf, 32, memcost=memory, iter=passes, lanes=lanes,
                     **common), wanted)
        check("the same with size_t and threads",
              derive(kdf, 32, memcost=ctypes.c_size_t(memory),
                     iter=ctypes.c_uint64(passes), lanes=ctypes.c_uint8(lanes),
                     threads=ctypes.c_uint16(lanes), **common), wanted)
    check("a missing salt", derive(kdf, 32), 131)
    check("too few lanes", derive(kdf, 32, salt=b"somesalt", threads=2), 234)

    # ctypes lets go of the interpreter's lock: these run side by side.
    tags = [None] * 16

    def work(i):
        tags[i] = derive(kdf, 32, salt=b"somesalt", memcost=4096, lanes=4,
                         threads=4)
    workers = [threading.Thread(target=work, args=(i,)) for i in range(16)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    check("sixteen threads", set(tags), {libargon2.hash_secret_raw(
        b"", b"somesalt", 3, 4096, 4, 32, libargon2.Type.ID)})

    crypto.EVP_KDF_free(kdf)
    check("unloaded", crypto.OSSL_PROVIDER_unload(provider), 1)
    print(f"1..{count}")
    sys.exit(failed > 0)


main()
