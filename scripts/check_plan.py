#!/usr/bin/env python3
"""What `elmx plan` says of time and memory beside what a run takes, for every config that has a model.

    scripts/check_plan.py                      # wall time; on a machine that does nothing else
    scripts/check_plan.py --cpu                # CPU time over threads, where other work goes on beside
    scripts/check_plan.py configs/rls.json     # these configs only

Configs that are planned to take longer than --limit seconds are made smaller: fewer repeats, then epochs, then folds.
"""

import argparse
import os
import pathlib
import re
import resource
import shutil
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SMALLER = [["repeats=1"], ["repeats=1", "model.epochs=1", "model.report=[1]"], ["repeats=1", 'split={"kind":"holdout"}'],
           ["repeats=1", 'split={"kind":"holdout","train_samples":2000}'],
           ["repeats=1", "model.epochs=1", "model.report=[1]", 'split={"kind":"fixed","train_samples":5000}'],
           ["repeats=1", 'split={"kind":"fixed","train_samples":2000,"test_samples":1000}']]
UNITS = {"s": 1, "min": 60, "h": 3600, "days": 86400, "years": 3.156e7, "B": 1 / 2**20, "KiB": 1 / 1024, "MiB": 1, "GiB": 1024, "TiB": 2**20}


def amount(text):
    """'3 min 5 s' -> 185, '1.5 GiB' -> 1536."""
    return sum(float(number) * UNITS[unit] for number, unit in re.findall(r"([\d.e+]+) (\w+)", text))


def plan(elmx, config, changes):
    done = subprocess.run([elmx, "plan", config, *changes], capture_output=True, text=True)
    found = re.search(r"trials; peak memory (.*?) of .* available; about (.*?); \d+ job", done.stdout)
    return (amount(found[2]), amount(found[1])) if found else None


def run(elmx, config, changes, folder, cpu):
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    command = ["/usr/bin/time", "-f", "%M", "-o", folder + ".rss", elmx, "run", config, *changes, "-o", folder]
    code = subprocess.run(command, capture_output=True).returncode
    wall, after = time.monotonic() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    rss = float(pathlib.Path(folder + ".rss").read_text().split()[-1]) / 1024
    return (used / os.cpu_count() if cpu else wall), rss, code


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("configs", nargs="*")
    parser.add_argument("--elmx", default=str(ROOT / "build" / "elmx"))
    parser.add_argument("--limit", type=float, default=60, help="longest run in seconds")
    parser.add_argument("--cpu", action="store_true", help="CPU time over threads in place of wall time")
    options = parser.parse_args()
    configs = options.configs or [str(path) for folder in ("configs", "configs/paper", "configs/paper/runs") for path in sorted((ROOT / folder).glob("*.json"))]
    runs = in_time = in_memory = 0
    print(f"{'config':38} {'planned s':>10} {'took s':>8} {'ratio':>6}   {'planned MiB':>11} {'took MiB':>9} {'ratio':>6}")
    for config in configs:
        changes, said = [], plan(options.elmx, config, [])
        for smaller in SMALLER:
            if said is None or said[0] <= options.limit:
                break
            tried = [word for change in smaller for word in ("--set", change)]
            changes, said = (tried, plan(options.elmx, config, tried) or said)
        name = str(pathlib.Path(config).resolve().relative_to(ROOT)) if ROOT in pathlib.Path(config).resolve().parents else config
        if said is None or said[0] > options.limit:
            print(f"{name:38} {'no model, no data, or too long' if said is None else f'too long: {said[0]:.0f} s'}")
            continue
        folder = tempfile.mkdtemp(prefix="check_plan_")
        seconds, rss, code = run(options.elmx, config, changes, folder, options.cpu)
        shutil.rmtree(folder)
        pathlib.Path(folder + ".rss").unlink()
        runs += 1
        in_time += 1 / 2 <= said[0] / max(seconds, 1e-3) <= 2
        in_memory += 1 / 1.3 <= said[1] / rss <= 1.3
        print(f"{name:38} {said[0]:10.1f} {seconds:8.1f} {seconds / said[0]:6.2f}   {said[1]:11.0f} {rss:9.0f} {rss / said[1]:6.2f}"
              f"   {'' if code == 0 else f'exit {code} '}{' '.join(changes[1::2])}", flush=True)
    print(f"of {runs} runs, {in_time} within 2 x of time, {in_memory} within 1.3 x of memory")


if __name__ == "__main__":
    main()
