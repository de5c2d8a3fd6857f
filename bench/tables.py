#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tables.py RESULTS.json PAGE.md: writes the tables into a page, each between
<!-- table NAME --> and <!-- end -->. No figure there is typed by hand."""

import re
import sys

from results import Results, limits


def table(heads, rows):
    """Markdown; the first column is text, the others are numbers."""
    lines = ["| " + " | ".join(heads) + " |",
             "| --- |" + " ---: |" * (len(heads) - 1)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def unique(items):
    return list(dict.fromkeys(items))


def peers(races):
    """Libraries that are not ours, with whether on one thread."""
    return unique((c.maker, c.threads == 1) for r in races
                  for c in r.contenders if not c.kernel)


def cell(race, library, alone):
    """Milliseconds, and how many times those of ours on as many threads."""
    c = next((c for c in race.contenders if c.maker == library
              and (c.threads == 1) == alone), None)
    if c is None:
        return ""
    ours = race.ours if alone else threaded(race)
    return f"{c.ms:.1f}" + (f" ({c.slower_than(ours):.2f}×)" if ours else "")


def threaded(race):
    return next((c for c in race.contenders if c.kernel and c.threads > 1),
                None)


def grid(results, mode):
    races = results.section("grid", mode)
    columns = peers(races)
    heads = ["cost", "argon2fast",
             f"on {results.machine['cores']} threads"]
    heads += [name + ("" if alone else ", a thread a lane")
              for name, alone in columns]
    rows = []
    for race in races:
        many = threaded(race)
        rows.append([f"`{race.row}`", f"{race.ours.ms:.1f}",
                     f"{many.ms:.1f}" if many else ""] +
                    [cell(race, *column) for column in columns])
    return table(heads, rows)


def kernels(results):
    races = results.section("grid", "warm")
    names = unique(c.kernel for r in races for c in r.contenders if c.kernel)
    rows = []
    for race in races:
        mine = {c.kernel: c for c in race.contenders
                if c.kernel and c.threads == 1}
        rows.append([f"`{race.row}`"] +
                    [f"{mine[n].ms:.1f}" if n in mine else "" for n in names])
    return table(["cost"] + names, rows)


def cache(results):
    rows = []
    for race in results.section("cache"):
        for c in race.contenders:
            to = race.find(c.versus)
            rows.append([c.maker, f"{c.ns:.0f}", f"{c.slower_than(to):.2f}",
                         to.maker])
    return table(["who", "ns a block", "times", "of"], rows)


def roofline(results):
    rows = []
    for race in results.section("roofline"):
        plain, limit = limits(race)
        whole, block, anywhere, wait = (c.ns for c in race.contenders[:4])
        rows.append([f"`{race.row}`", f"{whole:.0f}", f"{block:.0f}",
                     f"{anywhere:.0f}", f"{wait:.0f}",
                     f"{plain:.0f} ({whole / plain:.2f})",
                     f"{limit:.0f} ({whole / limit:.2f})"])
    return table(["cost", "hash", "block", "read anywhere", "Argon2's read",
                  "sum or larger", "limit"], rows)


def versus_first(results, section, heads):
    """Milliseconds of all, and how many times those of the first."""
    rows = []
    for race in results.section(section):
        others = race.contenders[1:]
        rows.append([f"`{race.row}`", f"{race.ours.ms:.1f}"] +
                    [f"{c.ms:.1f} ({c.slower_than(race.ours):.2f})"
                     for c in others])
    return table(heads, rows)


def lockstep(results):
    return versus_first(results, "lockstep", [
        "cost", "lanes in lockstep", "one after another",
        "one lane of that size"])


def population(results):
    return versus_first(results, "population", [
        "cost", "cold hash", "its memory alone", "touched page by page"])


def batch(results):
    rows = []
    for race in results.section("batch"):
        single = race.find("one by one, 1 thread")
        row = [f"`{race.row}`", f"{1e9 / single.ns:.1f}"]
        for threads in unique(c.threads for c in race.contenders):
            c = race.find(f"side by side, {threads} thread")
            row.append(f"{1e9 / c.ns / threads:.1f} "
                       f"({single.slower_than(c) / threads:.2f}×)")
        rows.append(row)
    threads = unique(c.threads for r in results.section("batch")
                     for c in r.contenders)
    return table(["cost", "one by one"] +
                 [f"side by side, {n} thread{'s' * (n > 1)}"
                  for n in threads], rows)


def context(results):
    rows = [[c.name, f"{c.ms:.1f}"] for race in results.section("context")
            for c in race.contenders]
    return table(["method", "ms"], rows)


def machine(results):
    m = results.machine
    huge = re.search(r"\[(\w+)\]", m["huge_pages"])
    lines = [f"{m['cpu']}, {m['cores']} cores, {m['memory_mib']} MiB",
             f"{m['system'].strip()}, Linux {m['kernel']}, transparent huge "
             f"pages: {huge.group(1) if huge else 'none'}",
             f"{m['compiler']}; argon2fast {m['version']}; "
             f"{m['date']}",
             f"{m.get('copies', 1)} copies of the program; load average "
             f"{m['load_before'].split()[0]} before, "
             f"{m.get('load_after', '?').split()[0]} after"]
    return "\n".join("- " + line for line in lines)


def claim(text, value, unit="×"):
    return [text, f"{value:.2f}{unit}"]


def grid_claim(results, row, mode, library, text):
    race = results.race("grid", row, mode)
    c = race and next((c for c in race.contenders if c.maker == library
                       and c.threads == 1), None)
    return [claim(text, c.slower_than(race.ours))] if c else []


def short(results):
    rows = []
    for library in unique(name for name, _ in
                          peers(results.section("grid"))):
        for row, mode in (("m=19456,t=2,p=1", "warm"),
                          ("m=65536,t=1,p=1", "cold"),
                          ("m=65536,t=3,p=1", "cold"),
                          ("m=65536,t=3,p=4", "cold")):
            rows += grid_claim(results, row, mode, library,
                               f"`{row}`, {mode}, one thread: {library}'s "
                               "time over ours")
    race = results.race("lockstep", "m=65536,t=3,p=4")
    if race:
        rows.append(claim(f"`{race.row}`, one thread: lanes one after another "
                          "over lockstep",
                          race.contenders[1].slower_than(race.ours)))
    for race in results.section("cache"):
        for c in race.contenders:
            if c.maker.startswith("libargon2 for"):
                rows.append(claim(f"compression alone: {c.maker} over ours", c.slower_than(race.find(c.versus))))
    race = results.race("population", "m=65536,t=1,p=1")
    if race:
        share = 100 * race.contenders[1].slower_than(race.ours)
        rows.append(claim(f"`{race.row}`, cold: memory's part of the hash",
                          share, " %"))
    race = results.race("batch", "m=65536,t=3,p=1")
    if race:
        rows.append(claim(f"`{race.row}`: passwords a second and core, side by "
                          "side over one by one",
                          race.ours.slower_than(
                              race.find("side by side, 1 thread"))))
    race = results.race("roofline", "m=65536,t=3,p=1")
    if race:
        plain, limit = limits(race)
        rows.append(claim(f"`{race.row}`: our time over block plus read",
                          race.ours.ns / plain))
        rows.append(claim(f"`{race.row}`: our time over the limit",
                          race.ours.ns / limit))
    return table(["what", "measured"], rows)


TABLES = {"machine": machine, "short": short,
          "cold": lambda r: grid(r, "cold"), "warm": lambda r: grid(r, "warm"),
          "kernels": kernels, "cache": cache, "roofline": roofline,
          "lockstep": lockstep, "population": population, "batch": batch,
          "context": context}


def main(results_path, page_path):
    results = Results(results_path)
    with open(page_path, encoding="utf-8") as file:
        page = file.read()
    for name in re.findall(r"<!-- table (\w+) -->", page):
        text = TABLES[name](results)
        page = re.sub(rf"(<!-- table {name} -->\n).*?(<!-- end -->)",
                      lambda m, text=text: m[1] + text + "\n" + m[2], page,
                      flags=re.S)
    with open(page_path, "w", encoding="utf-8") as file:
        file.write(page)


if len(sys.argv) != 3:
    sys.exit(__doc__)
main(*sys.argv[1:])
