# SPDX-License-Identifier: MIT
"""The benchmark's JSON: races, contenders, and what is computed from times."""

import json
from statistics import median


class Contender:
    def __init__(self, race, data):
        self.race = race
        self.name = data["name"]
        self.kernel = data["kernel"]
        self.threads = data["threads"]
        self.units = data["units"]
        self.versus = data["versus"]
        self.times = [ns / data["units"] for ns in data["ns"]]
        self.ns = median(self.times)
        self.ms = self.ns / 1e6

    @property
    def maker(self):
        """The name without the number of threads."""
        return self.name.split(",")[0]

    def slower_than(self, other):
        """How many times as long it takes, round by round: drift of the
        machine and neighbours' noise meet both."""
        return median(a / b for a, b in zip(self.times, other.times))


class Race:
    def __init__(self, data):
        self.data = data
        self.section, self.mode = data["section"], data["mode"]
        self.row, self.lanes = data["row"], data["lanes"]
        self.passes = data["passes"]
        self.contenders = [Contender(self, c) for c in data["contenders"]]

    @property
    def ours(self):
        return self.contenders[0]

    def find(self, name):
        """The first whose name begins so, or None."""
        return next((c for c in self.contenders if c.name.startswith(name)),
                    None)


class Results:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        self.machine = data["machine"]
        self.races = [Race(race) for race in data["races"]]

    def section(self, name, mode=None):
        return [r for r in self.races
                if r.section == name and mode in (None, r.mode)]

    def race(self, name, row, mode=None):
        return next((r for r in self.section(name, mode) if r.row == row),
                    None)


def limits(race):
    """Of a roofline race, in ns a block: block and read added (one lane), or
    the larger of them (several); and the limit that performance.md defines,
    as bench/roofline.c computes it."""
    block = race.contenders[1].ns
    anywhere = race.contenders[2].ns
    wait = race.contenders[3].ns
    plain = block + anywhere if race.lanes == 1 else max(block, anywhere)
    known = 0.5 / race.passes
    return plain, max(block, (block + wait * (1 - known)) / race.lanes)
