#!/usr/bin/env python3
"""Adds measured ratios to the history of the performance: scripts/bench_history.py RATIOS.jsonl [--elmx build/elmx] [--folder DIR]

RATIOS.jsonl has lines {"family", "name", "ratio"}; larger is better. The history, results/bench/history.jsonl, has a line for each
ratio, with the day, the commit and the kind of machine: processor, threads, BLAS and its kernel. Writes README.md, a table of the
last entry of each ratio beside the one before, and history.svg, if gnuplot is installed. Exit 1 if a ratio is more than 10 % below
the last entry of the same kind of machine.
"""
import argparse
import datetime
import json
import math
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LARGEST_FALL = 0.1
MACHINE = ("cpu", "threads", "blas")


def machine_of(elmx):
    """The kind of machine and the commit, as `elmx info` prints them."""
    lines = subprocess.run([elmx, "info"], check=True, capture_output=True, text=True).stdout.splitlines()
    info = dict(line.split(maxsplit=1) for line in lines if line.strip())
    commit = info["elmx"].split("(")[1].split(")")[0]
    return {key: info[key] for key in MACHINE}, commit


def of_machine(history, machine):
    """The ratios of a kind of machine: {(family, name): entries, oldest first}."""
    courses = {}
    for entry in history:
        if all(entry[key] == machine[key] for key in MACHINE):
            courses.setdefault((entry["family"], entry["name"]), []).append(entry)
    return courses


def page(history, added):
    """The table of the machine that was measured last, and how many entries there are of others."""
    lines = ["# Speed of elmx over time", "",
             "`scripts/bench.sh` measures ratios, each in one run on one machine: the speed of elmx over that of another",
             "program, or over the rate of the machine. Larger is better. `history.jsonl` has every entry.", "",
             f"Last entry: {added[0]['day']}, commit {added[0]['commit']}, {added[0]['cpu']}, {added[0]['threads']} threads, "
             f"{added[0]['blas']}.", "",
             "![Course of the ratios](history.svg)", "",
             "| family | ratio | last | before | entries |", "|:--|:--|--:|--:|--:|"]
    for (family, name), course in sorted(of_machine(history, added[0]).items()):
        before = f"{course[-2]['ratio']:.2f}" if len(course) > 1 else ""
        lines.append(f"| {family} | {name} | {course[-1]['ratio']:.2f} | {before} | {len(course)} |")
    return "\n".join(lines) + "\n"


def draw(history, machine, path):
    """The course of each family's geometric mean, relative to its first entry, by gnuplot."""
    families = {}
    for (family, _), course in of_machine(history, machine).items():
        for entry in course:
            families.setdefault(family, {}).setdefault(entry["day"], []).append(math.log(entry["ratio"] / course[0]["ratio"]))
    blocks, plots = [], []
    for i, (family, days) in enumerate(sorted(families.items())):
        points = [f"{day} {math.exp(sum(logs) / len(logs))}" for day, logs in sorted(days.items())]
        blocks.append(f"$f{i} << END\n" + "\n".join(points) + "\nEND\n")
        plots.append(f'$f{i} using 1:2 with linespoints pointtype 7 title "{family}"')
    script = "".join(blocks) + (
        f'set terminal svg size 760,420 background "white"\nset output "{path}"\nset xdata time\nset timefmt "%Y-%m-%d"\n'
        'set format x "%Y-%m-%d"\nset xtics rotate by -30\nset key outside right\nset grid ytics\n'
        'set ylabel "speed relative to the first entry"\nset yrange [0.5:1.5]\nset offsets 86400,86400,0,0\n'
        "plot " + ", \\\n".join(plots) + "\n")
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ratios", type=Path)
    parser.add_argument("--elmx", default=str(ROOT / "build/elmx"))
    parser.add_argument("--folder", type=Path, default=ROOT / "results/bench")
    given = parser.parse_args()
    machine, commit = machine_of(given.elmx)
    path = given.folder / "history.jsonl"
    history = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    last = {which: course[-1]["ratio"] for which, course in of_machine(history, machine).items()}
    stamp = {"day": datetime.date.today().isoformat(), "commit": commit, **machine}
    added = [{**stamp, **json.loads(line)} for line in given.ratios.read_text().splitlines()]
    if not added:
        sys.exit(f"{given.ratios}: no ratios")
    history += added
    given.folder.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(entry) + "\n" for entry in history))
    (given.folder / "README.md").write_text(page(history, added))
    if shutil.which("gnuplot"):
        draw(history, machine, given.folder / "history.svg")
    fallen = [f"{one['family']}: {one['name']}: {before:.2f} -> {one['ratio']:.2f}" for one in added
              if (before := last.get((one["family"], one["name"]))) and one["ratio"] < (1 - LARGEST_FALL) * before]
    print(f"{len(added)} ratios added to {path}")
    if fallen:
        sys.exit(f"{len(fallen)} ratios fell by more than 10 %:\n" + "\n".join(fallen))


if __name__ == "__main__":
    main()
