#!/usr/bin/env python3
"""A sweep by the script of `elmx slurm`, on a Slurm of this machine (scripts/slurm_here.sh): slurm_test.py ELMX.

One job is queued again by Slurm, another one is told that its time is over: both go on, and what the last job merges is
the run of one machine, byte for byte under the fake clock. A job that is cancelled stays so, and nothing is merged.
Exits with 77 where slurm-wlm and munge are not installed."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 120
SWEEP = {
    "name": "sweep", "seed": 5, "repeats": 50, "save_model": True,
    "data": {"set": "friedman1", "samples": 1500}, "split": {"folds": 3},
    "model": {"algorithms": ["standard", "panel"], "reference": "none", "nodes": {"stop": 300, "report": [100, 300]}},
}
TRIALS_OF_SHARD = 50 * 2  # 3 folds, 2 algorithms, 3 shards


class Test:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", GOMP_SPINCOUNT="4000")
        self.slurm = folder / "slurm_here"

    def run(self, *command, check=True):
        done = subprocess.run(list(map(str, command)), cwd=self.folder, env=self.environment, text=True,
                              capture_output=True, check=False, timeout=SECONDS)
        if check and done.returncode != 0:
            raise AssertionError(f"exit {done.returncode} of {command}: {done.stdout}{done.stderr}{self.logs()}")
        return done.stdout

    def logs(self):
        files = [*self.folder.glob("*/slurm/*.log"), *self.slurm.glob("*.log")]
        return "".join(f"\n--- {file}\n{file.read_text()[-3000:]}" for file in files)

    def __enter__(self):
        said = self.run(ROOT / "scripts/slurm_here.sh", "start", self.slurm)
        self.environment["SLURM_CONF"] = re.search("SLURM_CONF=(.*)", said)[1]
        return self

    def __exit__(self, *_):
        self.run(ROOT / "scripts/slurm_here.sh", "stop", self.slurm)

    def wait_until(self, what, holds):
        end = time.monotonic() + SECONDS
        while not holds():
            if time.monotonic() > end:
                raise AssertionError(f"{what}: not within {SECONDS} s; {self.run('squeue')}{self.logs()}")
            time.sleep(0.05)

    def submit(self, folder):
        """The ids of the array and of the job that merges it."""
        self.run(self.program, "slurm", "sweep.json", "--set", "seed=6", "--shards", 3, "--at-once", 2, "--threads", 1,
                 f"--output={folder}", "--fake-clock", "--script", "submit.sh")
        return re.search(r"shards: job (\d+); merge: job (\d+)", self.run("bash", "submit.sh")).groups()

    def finished(self, shard):
        """Trials of a shard that have a record."""
        records = self.folder / shard / "records.jsonl"
        return records.read_bytes().count(b"\n") if records.exists() else 0

    def state(self, job):
        return self.run("squeue", "--noheader", "--format=%T %r", f"--job={job}", check=False).strip()

    def wait_for_restart(self, job):
        """A job that is queued again waits for two minutes: this one need not. At once would be too early: Slurm revokes the
        credential of what it has ended for all of that second."""
        self.wait_until(f"{job} is queued again", lambda: self.state(job).startswith("PENDING BeginTime"))
        self.run("scontrol", "update", f"JobId={job}", "StartTime=now+3seconds")

    def expect(self, holds, what):
        if not holds:
            raise AssertionError(what + self.logs())


def resumed_trials(log):
    """How many trials each start of a shard has found."""
    return [int(number) for number in re.findall(r"trials, (\d+) finished before", log.read_text())]


def check_requeue(test):
    array, _ = test.submit("out")
    test.wait_until("trials of shard 2", lambda: test.finished("out/shard-2-of-3") >= 5)
    test.run("scancel", "--signal=TERM", "--batch", f"{array}_2")
    test.wait_until("trials of shard 1", lambda: test.finished("out/shard-1-of-3") >= 5)
    test.run("scontrol", "requeue", f"{array}_1")
    test.wait_for_restart(f"{array}_1")
    test.wait_for_restart(f"{array}_2")
    test.wait_until("the page of the merged run", (test.folder / "out/report.html").exists)
    for shard in (1, 2):
        found = resumed_trials(test.folder / f"out/slurm/shard-{shard}.log")
        test.expect(len(found) == 2 and found[0] == 0 and 5 <= found[1] < TRIALS_OF_SHARD, f"shard {shard} went on with {found}")
    for file in ("records.jsonl", "model.h5", "tables/regression.md"):
        same = (test.folder / "out" / file).read_bytes() == (test.folder / "whole" / file).read_bytes()
        test.expect(same, f"{file} is not that of one machine")


def check_cancel(test):
    folder = "-x %a%% '\"$(touch cancelled)\n\t"  # Slurm replaces neither its own patterns nor those of a shell
    array, merge = test.submit(folder)
    test.wait_until("trials of shard 1", lambda: test.finished(f"{folder}/shard-1-of-3") >= 1)
    test.expect((test.folder / folder / "slurm/shard-1.log").exists(), "the log is not in the folder")
    test.run("scancel", array)
    test.wait_until("the end of all jobs", lambda: not test.run("squeue", "--noheader"))
    for job in (f"{array}_1", merge):
        test.expect("JobState=CANCELLED" in test.run("scontrol", "show", "job", job), f"{job} is not cancelled")
    test.expect(not (test.folder / folder / "records.jsonl").exists(), "what was cancelled has been merged")


def main():
    if not all(shutil.which(program) for program in ("munged", "slurmctld", "slurmd", "sbatch")):
        print("skipped: slurm-wlm and munge are not installed")
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="elmx_slurm_") as scratch:
        test = Test(Path(sys.argv[1]).resolve(), Path(scratch))
        (test.folder / "sweep.json").write_text(json.dumps(SWEEP))
        test.run(test.program, "run", "sweep.json", "--seed", 6, "-o", "whole", "--fake-clock", "--threads", 1)
        with test:
            check_requeue(test)
            check_cancel(test)
        test.expect(not test.slurm.exists(), "slurm_here.sh stop leaves files")


if __name__ == "__main__":
    main()
