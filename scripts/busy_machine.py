#!/usr/bin/env python3
"""How a run fares beside other programs: quiet, and with a busy loop on every core, in turn. scripts/busy_machine.py [REPEATS [PROGRAM]]

Prints seconds, and how many times longer the busy runs take. Results must be the same to the last bit: their records are compared.
Needs MNIST (elmx data fetch mnist)."""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

REPEATS = int(sys.argv[1]) if len(sys.argv) > 1 else 3
PROGRAM = sys.argv[2] if len(sys.argv) > 2 else "build/elmx"
LAYER = {
    "name": "layer", "seed": 1, "data": {"set": "mnist"}, "split": {"kind": "fixed", "train_samples": 20000, "test_samples": 1000},
    "preprocess": {"inputs": "byte"},
    "model": {"family": "rls", "algorithms": ["rls", "adam"], "layers": [{"kind": "dense", "nodes": 64, "activation": "relu"}],
              "epochs": 3, "batch": 128, "k": 0.1, "eta": 1},
}
LIMITS = {"quickstart": 3, "layer of 64": 4}


class BusyCores:
    def __enter__(self):
        self.loops = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in os.sched_getaffinity(0)]

    def __exit__(self, *error):
        for loop in self.loops:
            loop.kill()
            loop.wait()


def run(config, folder):
    """Seconds, and what the records say but for the times."""
    begin = time.monotonic()
    subprocess.run([PROGRAM, "run", config, "-o", folder, "--force"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    seconds = time.monotonic() - begin
    records = [json.loads(line) for line in (folder / "records.jsonl").read_text().splitlines()]
    for record in records:
        del record["timing"]
    return seconds, sorted(records, key=lambda record: record["key"])


with tempfile.TemporaryDirectory() as scratch:
    layer = pathlib.Path(scratch) / "layer.json"
    layer.write_text(json.dumps(LAYER))
    for name, config in (("quickstart", "configs/quickstart.json"), ("layer of 64", layer)):
        quiet, busy, results = [], [], []
        for _ in range(REPEATS):
            seconds, records = run(config, pathlib.Path(scratch) / "out")
            quiet.append(seconds)
            results.append(records)
            with BusyCores():
                seconds, records = run(config, pathlib.Path(scratch) / "out")
            busy.append(seconds)
            results.append(records)
        ratio = statistics.median(busy) / statistics.median(quiet)
        print(f"{name}: quiet {statistics.median(quiet):.2f} s, busy {statistics.median(busy):.2f} s, {ratio:.2f} times as long (limit {LIMITS[name]}); "
              f"results {'the same' if all(r == results[0] for r in results) else 'DIFFER'}", flush=True)
