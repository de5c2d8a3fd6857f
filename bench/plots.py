#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""plots.py RESULTS.json DIRECTORY: SVG plots of a run. The same results give
the same files, byte for byte."""

import os
import sys

import matplotlib

from results import Results, limits

matplotlib.use("svg")
matplotlib.rcParams.update({
    "svg.hashsalt": "argon2fast", "svg.fonttype": "none", "font.size": 9,
    "font.family": "sans-serif", "axes.spines.top": False,
    "axes.spines.right": False, "legend.frameon": False,
    "figure.constrained_layout.use": True})
from matplotlib import pyplot  # noqa: E402  after its settings

OURS, PEERS = "#1f6fb4", ["#c8773a", "#8a8a8a", "#5f9e6e", "#a05a8c"]


def save(figure, directory, name):
    figure.savefig(os.path.join(directory, name), format="svg",
                   metadata={"Date": None, "Creator": None})
    pyplot.close(figure)


def bars(results, mode, directory):
    """Whole hashes on one thread; a group of bars for each cost."""
    races = results.section("grid", mode)
    names = ["argon2fast"] + list(dict.fromkeys(
        c.maker for r in races for c in r.contenders if not c.kernel))
    figure, axes = pyplot.subplots(figsize=(9, 4.2))
    width = 0.8 / len(names)
    for n, name in enumerate(names):
        places, heights = [], []
        for i, race in enumerate(races):
            c = race.ours if n == 0 else next(
                (c for c in race.contenders
                 if c.maker == name and c.threads == 1), None)
            if c:
                places.append(i + (n - (len(names) - 1) / 2) * width)
                heights.append(c.ms)
        axes.bar(places, heights, width, label=name,
                 color=OURS if n == 0 else PEERS[(n - 1) % len(PEERS)])
    axes.set_xticks(range(len(races)), [r.row for r in races], rotation=40,
                    ha="right")
    axes.set_yscale("log")
    axes.set_ylim(top=3 * axes.get_ylim()[1])  # for the legend
    axes.set_ylabel("ms a hash, one thread")
    axes.set_title(f"{mode}: {results.machine['cpu']}")
    axes.legend(ncols=len(names))
    save(figure, directory, f"{mode}.svg")


def cache(results, directory):
    """Compression alone, fastest first."""
    for race in results.section("cache"):
        order = sorted(race.contenders, key=lambda c: -c.ns)
        figure, axes = pyplot.subplots(figsize=(7, 0.3 * len(order) + 1))
        axes.barh([c.maker for c in order], [c.ns for c in order],
                  color=[OURS if c.kernel else PEERS[1] for c in order])
        for i, c in enumerate(order):
            axes.text(c.ns, i, f" {c.ns:.0f}", va="center")
        axes.set_xlabel("ns a block, in the cache")
        axes.set_title(results.machine["cpu"])
        save(figure, directory, "cache.svg")


def roofline(results, directory):
    """The hash beside the limit, a block."""
    races = results.section("roofline")
    if not races:
        return
    figure, axes = pyplot.subplots(figsize=(8, 3.8))
    places = range(len(races))
    axes.bar([p - 0.2 for p in places], [r.ours.ns for r in races], 0.4,
             label="hash", color=OURS)
    axes.bar([p + 0.2 for p in places], [limits(r)[1] for r in races], 0.4,
             label="limit", color=PEERS[1])
    axes.set_xticks(places, [r.row for r in races], rotation=30, ha="right")
    axes.set_ylabel("ns a block, one thread")
    axes.set_title(results.machine["cpu"])
    axes.legend()
    save(figure, directory, "roofline.svg")


def context(results, directory):
    for race in results.section("context"):
        order = sorted(race.contenders, key=lambda c: -c.ns)
        figure, axes = pyplot.subplots(figsize=(7, 0.3 * len(order) + 1))
        axes.barh([c.name for c in order], [c.ms for c in order],
                  color=[OURS if c.name.startswith("argon2fast")
                         else PEERS[1] for c in order])
        for i, c in enumerate(order):
            axes.text(c.ms, i, f" {c.ms:.1f}", va="center")
        axes.set_xlabel("ms a login")
        axes.set_title(results.machine["cpu"])
        save(figure, directory, "logins.svg")


def main(results_path, directory):
    results = Results(results_path)
    os.makedirs(directory, exist_ok=True)
    for mode in ("cold", "warm"):
        if results.section("grid", mode):
            bars(results, mode, directory)
    cache(results, directory)
    roofline(results, directory)
    context(results, directory)


if len(sys.argv) != 3:
    sys.exit(__doc__)
main(*sys.argv[1:])
