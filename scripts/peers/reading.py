#!/usr/bin/env python3
"""Times how long a large CSV takes to read: elmx, pandas (if it is installed) and wc -l, in turns, each a whole process.

    scripts/peers/reading.py [--mib 1024] [--columns 20] [--rounds 3] [--elmx build/elmx]

Prints seconds, MB/s and peak memory (medians), and the size of the table in doubles.
"""
import argparse
import importlib.util
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PANDAS = "import pandas, sys; print(pandas.read_csv(sys.argv[1]).shape)"


def write_csv(path, mib, columns):
    """Random numbers of six digits; a block of 16 MiB that is repeated. Returns the number of rows."""
    rng = random.Random(1)
    block, size = [], 0
    while size < min(mib, 16) << 20:
        block.append(",".join(f"{rng.gauss(0, 1):.6g}" for _ in range(columns)))
        size += len(block[-1]) + 1
    text, rows = "\n".join(block) + "\n", 0
    with open(path, "w", encoding="ascii") as file:
        file.write(",".join(f"c{j}" for j in range(columns - 1)) + ",y\n")
        while file.tell() < mib << 20:
            file.write(text)
            rows += len(block)
    return rows


def timed(command):
    """Seconds and peak memory in MiB of one process."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{command[0]} failed with status {status}")
    return time.monotonic() - begin, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mib", type=int, default=1024)
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--elmx", default=str(Path(__file__).resolve().parents[2] / "build" / "elmx"))
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "numbers.csv")
        rows = write_csv(path, given.mib, given.columns)
        megabytes = os.path.getsize(path) / 1e6
        commands = {"elmx data info": [given.elmx, "data", "info", path], "wc -l": ["wc", "-l", path]}
        if importlib.util.find_spec("pandas"):
            commands["pandas.read_csv"] = [sys.executable, "-c", PANDAS, path]
        else:
            print("pandas is not installed: left out")
        taken = {name: [] for name in commands}
        for _ in range(given.rounds):
            for name, command in commands.items():
                taken[name].append(timed(command))
        print(f"{megabytes:.0f} MB, {rows} rows x {given.columns} columns, {rows * given.columns * 8 / 2**20:.0f} MiB in doubles")
        for name, runs in taken.items():
            seconds = statistics.median(run[0] for run in runs)
            peak = statistics.median(run[1] for run in runs)
            print(f"{name:16} {seconds:7.2f} s  {megabytes / seconds:6.0f} MB/s  {peak:6.0f} MiB")


if __name__ == "__main__":
    main()
