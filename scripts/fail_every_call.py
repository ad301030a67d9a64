#!/usr/bin/env python3
"""Lets every fallible call of elmx fail once: scripts/fail_every_call.py [--journeys run,update] [--kinds read,memory]

Each journey is a command on tiny data. A library that is loaded before the program (tests/support/fault_server.cpp) counts its calls
of each kind: open, read, write, sync, rename, folder (mkdir), remove, map (mmap), thread, process (fork, spawn, pipe) and memory.
Then the command runs once for each call, from a fresh copy of the prepared folder, and this call fails. Allocations are told apart by
their call stacks (--depth return addresses): the first allocation of each stack fails, in the first journey that has it. Calls
before main() do not count. The file system is one in memory, /dev/shm, unless TMPDIR is set. After each run:

- The exit code is documented: 2 to 6, or 0 if the program does without the call. Then all results are those of an undisturbed run.
- There is at most one line on stderr beside those of an undisturbed run.
- Each file that existed has its old or its new content.
- The same command without a fault succeeds, and leaves the files of an undisturbed run: the same names (no temporary files) with the
  same content, apart from times.

Prints a table of the calls, and each violation with the arguments that repeat it. Exit code 1: there are violations."""

import argparse
import collections
import concurrent.futures
import csv
import dataclasses
import gzip
import itertools
import json
import lzma
import math
import os
import pathlib
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINDS = ["open", "read", "write", "sync", "rename", "folder", "remove", "map", "thread", "process", "memory"]
DOCUMENTED = {2, 3, 4, 5, 6}
FAILED_TRIALS = 4  # a line for the trial, and one that counts
GROWING = {"records.jsonl", "experiment.json", "log.txt", ".elmx-files"}  # during a run
WITHOUT_MODEL = "the saved model cannot be read"  # in the place of the headline above the tables


@dataclasses.dataclass
class Journey:
    """A command, those that prepare its folder, and what differs in the command that repeats it after a failure."""
    name: str
    command: str
    prepare: list
    again: str = ""
    kinds: tuple = tuple(KINDS)


COMMON = " --fake-clock --threads 1"
RUN = f"run c.json -o o{COMMON}"
SAVING = f"run saved.json -o o{COMMON}"
PIVOT = "--metric test_rmse --rows nodes --cols algorithm -o t.csv"


def kill_in_third_trial(folder):
    """Leaves a folder as a run that was killed in its third trial."""
    records = folder / "o/records.jsonl"
    lines = records.read_text().splitlines(keepends=True)
    records.write_text("".join(lines[:2]) + lines[2][:50])
    shutil.rmtree(folder / "o/tables")


def predict_folds(folder):
    """Writes predictions of another method for the folds of a run."""
    with open(folder / "folds.csv", newline="") as file, open(folder / "own.csv", "w", newline="") as own:
        writer = csv.writer(own)
        writer.writerow(["row", "repeat", "fold", "prediction"])
        writer.writerows([row["row"], row["repeat"], row["fold"], 3] for row in csv.DictReader(file) if row["part"] == "test")


JOURNEYS = [
    Journey("run", RUN, [], again=" --retry-failed"),
    Journey("resume", f"{RUN} --resume", [RUN, kill_in_third_trial], again=" --retry-failed"),
    Journey("save", SAVING, [], again=" --retry-failed"),
    Journey("threads", "run c.json -o o --fake-clock --threads 3", [], again=" --retry-failed", kinds=("thread", "memory")),
    Journey("shard", f"{RUN} --shard 1/2", [], again=" --retry-failed"),
    Journey("merge", "merge o --threads 1", [f"{RUN} --shard 1/2", f"{RUN} --shard 2/2"]),
    Journey("predict", "predict o more.csv --interval 0.8 -o p.csv --threads 1", [SAVING]),
    Journey("report", "report o --threads 1", [SAVING]),
    Journey("update", "update o more.csv --threads 1", [SAVING]),
    Journey("forget", "forget o first.csv -o less.h5 --threads 1", [SAVING]),
    Journey("table", "table o --threads 1", [SAVING]),
    Journey("pivot", f"table o {PIVOT} --threads 1", [RUN]),
    Journey("compare", "compare o --threads 1", [RUN]),
    Journey("plot", "plot o nodes --threads 1", [RUN]),
    Journey("import", "import o own.csv --as mine --threads 1", [RUN, "folds c.json -o folds.csv", predict_folds]),
    Journey("init", "init d.csv --target y -o new.json --threads 1", []),
    Journey("convert", "data convert d.csv -o d.npy --target y --threads 1", []),
    Journey("gzip", "data convert d.csv.gz -o d.npy --target y --threads 1", []),
    Journey("archive", "data convert d.csv.xz -o d.npy --target y --threads 1", []),
]


def write_inputs(folder):
    def table(name, rows):
        with open(folder / name, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["a", "b", "y"])
            writer.writerows([i % 7, i * i % 11 / 10, f"{math.sin(i) + i % 7:.4f}"] for i in rows)

    table("d.csv", range(40))
    table("first.csv", range(3))
    table("more.csv", range(40, 46))
    (folder / "d.csv.gz").write_bytes(gzip.compress((folder / "d.csv").read_bytes()))
    (folder / "d.csv.xz").write_bytes(lzma.compress((folder / "d.csv").read_bytes()))
    config = {"seed": 3, "data": {"path": "d.csv", "target": ["y"]}, "split": {"kind": "k_fold", "folds": 2},
              "preprocess": {"inputs": "standard"},
              "model": {"family": "elm", "algorithms": ["standard", "alg2"], "ridge": 0.1, "nodes": {"start": 2, "stop": 6}}}
    (folder / "c.json").write_text(json.dumps(config))
    config["model"]["algorithms"].pop()
    (folder / "saved.json").write_text(json.dumps(config | {"save_model": "updatable"}))


class Server:
    """A preloaded program that runs commands in `folder`, with a temporary folder beside it."""

    def __init__(self, elmx, library, depth, under, place):
        self.folder, self.temporary = place / "work", place / "tmp"
        self.temporary.mkdir(parents=True)
        variables = {"FAULT_SERVER": elmx, "LD_PRELOAD": str(library), "TMPDIR": str(self.temporary), "PATH": os.environ["PATH"],
                     "HOME": str(place), "FAULT_TRACE": f"{place}/trace",
                     "FAULT_DEPTH": str(depth), "OPENBLAS_NUM_THREADS": "1", "GOMP_SPINCOUNT": "4000"}
        if kernel := os.environ.get("OPENBLAS_CORETYPE") or blas_kernel(elmx):
            variables["OPENBLAS_CORETYPE"] = kernel
        variables.update({name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")})
        self.process = subprocess.Popen([*under.split(), elmx], env=variables, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, command, kind="none", which=""):
        """Returns the exit code (negative: a signal), whether the call was made, stdout, stderr, and the counted calls."""
        self.process.stdin.write("\t".join([str(self.folder), kind, which, *command.split()]) + "\n")
        self.process.stdin.flush()
        status, hit = map(int, self.process.stdout.readline().split())
        calls = []
        if kind != "none" and not which:
            while line := self.process.stdout.readline().split():
                calls.append(line)
        texts = [pathlib.Path(f"{self.folder}.{end}").read_text(errors="replace") for end in ("out", "err")]
        return Outcome(os.waitstatus_to_exitcode(status), hit == 1, *texts, calls)

    def reset(self, prepared):
        for place in (self.folder, self.temporary):
            shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(prepared, self.folder)
        self.temporary.mkdir()

    def files(self):
        """Everything below the folder by its name, and the temporary files."""
        found = {}
        for place, prefix in ((self.folder, ""), (self.temporary, "$TMPDIR/")):
            for path in place.rglob("*"):
                found[prefix + str(path.relative_to(place))] = plain(path, self.folder.parent.parent) if path.is_file() else b""
        return found


Outcome = collections.namedtuple("Outcome", "code hit out err calls")


def blas_kernel(elmx):
    """The kernel that the program would choose, which spares it a start of its own."""
    info = subprocess.run([elmx, "info"], capture_output=True, text=True).stdout
    found = re.search(r"kernel (\w+)", info)
    return found[1].upper() if found else ""


def plain(path, place):
    """The content of a file without its dates, and without what depends on the command and not on its results."""
    content = re.sub(re.escape(str(place).encode()) + rb"/job\d+", b"PLACE", path.read_bytes())
    content = re.sub(rb"\d{4}-\d\d-\d\d[T ][\d:]+(Z|\+00:00)?", b"TIME", content)
    if path.name == ".elmx-files":  # a list in any order, which may have names of files that are gone
        return "\n".join(sorted({name for name in content.decode().splitlines() if (path.parent / name).is_file()})).encode()
    if path.name == "log.txt":
        return b"log"
    if path.name == "experiment.json":
        return re.sub(rb'"(line|cpu)": ".*"|"threads": \d+', b"", content)
    return content


def masked(text):
    """A text without its numbers, and without the spaces and rules whose lengths depend on numbers."""
    return re.sub(r"[-\s]+", " ", re.sub(r"\d[\d.]*(e[-+]?\d+)?", "#", text))


def first_difference(expected, found):
    """The first lines that differ, shortened."""
    pairs = itertools.zip_longest(expected.splitlines(), found.splitlines(), fillvalue=b"")
    return next((f"{b[:60]!r}, expected {a[:60]!r}" for a, b in pairs if a != b), "the ends of lines")


def new_lines(text, usual):
    known = {masked(line) for line in usual.splitlines()}
    return [line for line in text.splitlines() if line and masked(line) not in known]


def records_of(files):
    return sorted((name, line) for name, content in files.items() if name.endswith("records.jsonl") for line in content.splitlines())


class Case:
    """The runs of one journey."""

    def __init__(self, journey, server, place):
        self.journey, self.prepared = journey, place / journey.name
        folder = self.prepared
        folder.mkdir()
        write_inputs(folder)
        server.reset(folder)
        for command in journey.prepare:
            if callable(command):
                command(server.folder)
                continue
            outcome = server.run(command)
            if outcome.code != 0:
                sys.exit(f"{journey.name}: {command}: exit code {outcome.code}\n{outcome.err}")
        shutil.rmtree(folder)
        shutil.copytree(server.folder, folder)
        self.before = self.fresh(server)
        self.right = [self.undisturbed(server) for _ in range(3)]
        self.outcome, self.after = self.right[0]
        self.again = {}
        self.lock = threading.Lock()

    def fresh(self, server):
        server.reset(self.prepared)
        return server.files()

    def undisturbed(self, server):
        self.fresh(server)
        outcome = server.run(self.journey.command)
        if outcome.code != 0:
            sys.exit(f"{self.journey.name}: exit code {outcome.code} without a fault\n{outcome.err}")
        return outcome, server.files()

    def count(self, server):
        self.fresh(server)
        return server.run(self.journey.command, "all").calls

    def is_stable(self, name):
        return all(files.get(name) == self.after[name] for _, files in self.right)

    def differences(self, files):
        """What is not as after an undisturbed run."""
        for name in sorted(self.after.keys() | files.keys()):
            if name not in files:
                yield f"{name} is missing"
            elif name not in self.after:
                yield f"{name} is left"
            elif self.is_stable(name) and files[name] != self.after[name]:
                yield f"{name} differs: {first_difference(self.after[name], files[name])}"

    def lost(self, files):
        for name, content in self.before.items():
            now = files.get(name)
            if name not in files:
                if name in self.after:
                    yield f"{name} is lost"
            elif content == now or (self.is_stable(name) and now == self.after.get(name)):
                continue
            elif not now or (self.is_stable(name) and pathlib.Path(name).name not in GROWING):
                yield f"{name} is neither the old nor the new file"
        if missing := set(records_of(self.before)) & set(records_of(self.after)) - set(records_of(files)):
            yield f"{len(missing)} records are lost"

    def key(self, files):
        return hash(tuple(sorted((name, content if name not in self.after or self.is_stable(name) else masked(content.decode()))
                                 for name, content in files.items())))

    def violations(self, server, kind, which):
        """Runs the command with one failing call. Returns the outcome and what is wrong."""
        self.fresh(server)
        outcome = server.run(self.journey.command, kind, which)
        files = server.files()
        wrong = []
        if outcome.code not in DOCUMENTED | {0}:
            wrong.append(f"exit code {outcome.code}")
        if len(new_lines(outcome.err, self.outcome.err)) > (2 if outcome.code == FAILED_TRIALS else 1):
            wrong.append("more than one line on stderr")
        without_model = WITHOUT_MODEL in outcome.out + files.get("o/report.html", b"").decode()
        if outcome.code == 0 and not without_model:
            # The next command removes temporary files that cannot be removed.
            wrong += [difference for difference in self.differences(files) if not difference.startswith("$TMPDIR")]
            if masked(outcome.out) != masked(self.outcome.out):
                wrong.append("another output")
        elif not without_model and kind != "write" and not new_lines(outcome.err, self.outcome.err):
            wrong.append("nothing on stderr")
        wrong += self.lost(files)
        with self.lock:
            key = self.key(files)
            known = self.again.get(key)
        if known is None:
            known = list(self.repeat(server, files))
            with self.lock:
                self.again[key] = known
        return outcome, wrong + known

    def repeat(self, server, files):
        """What is wrong after the command has been repeated without a fault."""
        if not list(self.differences(files)):
            return
        again = server.run(self.journey.command + self.journey.again)
        if again.code != 0:
            yield f"again: exit code {again.code}: {again.err.strip()}"
        for difference in self.differences(server.files()):
            yield f"again: {difference}"


def calls_to(trace):
    """The functions on the call stack of the failing call, innermost first, without those of libraries."""
    names = []
    for line in trace.read_text().splitlines() if trace.exists() else []:
        found = re.fullmatch(r"(.*/elmx)\(\+(0x[0-9a-f]+)\) ?\[.*", line)
        if found:
            text = subprocess.run(["addr2line", "-Cfe", found[1], found[2]], capture_output=True, text=True).stdout
            names.append(re.sub(r"\(anonymous namespace\)::|\[abi:cxx11\]|elmx::|\(.*|<.*", "", text.splitlines()[0]))
    return names


def run_journey(journey, kinds, servers, place, stacks, every, one):
    """Returns the number of calls of each kind, and the outcomes. Stacks that were there before are left out."""
    first = servers.get()
    case = Case(journey, first, place)
    calls = case.count(first)
    servers.put(first)
    counted = collections.Counter()
    work = []
    for line in calls:
        if line[0] == "stack":
            process, number, stack = map(int, line[1:])
            if stack not in stacks:
                work.append(("memory", f"{process}:{max(1, number - 100 - number // 50)}:{stack}"))
            stacks.add(stack)
        else:
            kind, process, count = line[0], int(line[1]), int(line[2])
            counted[kind] += count
            if kind != "memory":
                work += [(kind, f"{process}:{n}") for n in range(1, count + 1)]
    work = [(kind, which) for kind, which in work if kind in kinds and kind in journey.kinds]
    work = [tuple(one)] if one else work[::every]

    def run(item):
        server = servers.get()
        try:
            outcome, wrong = case.violations(server, *item)
            return item, outcome, wrong, calls_to(server.folder.parent / "trace") if wrong else []
        finally:
            servers.put(server)

    results = []
    with concurrent.futures.ThreadPoolExecutor(servers.qsize()) as pool:
        for (kind, which), outcome, wrong, stack in pool.map(run, work):
            results.append((kind, outcome, wrong))
            if one:
                print(*calls_to(servers.queue[0].folder.parent / "trace"), outcome.err, sep="\n    ", file=sys.stderr)
            if wrong:
                print(f"{journey.name} {kind} {which}: exit code {outcome.code}: {'; '.join(wrong)}\n    {outcome.err.strip()[-300:]}\n"
                      f"    in {' < '.join(stack[:8])}",
                      file=sys.stderr)
    return counted, results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--elmx", type=pathlib.Path, default=ROOT / "build/elmx")
    parser.add_argument("--library", type=pathlib.Path, default=ROOT / "build/tests/support/libfaults.so")
    parser.add_argument("--journeys", default=",".join(journey.name for journey in JOURNEYS))
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--depth", type=int, default=16, help="return addresses by which allocations are told apart")
    parser.add_argument("--under", default="", help="command that runs the program, for example valgrind with its options")
    parser.add_argument("--every", type=int, default=1, help="only every n-th call")
    parser.add_argument("--one", nargs=2, metavar=("KIND", "WHICH"), help="only this call, as a violation names it")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    arguments = parser.parse_args()
    if arguments.one:
        arguments.jobs = 1

    violations, kinds = 0, [kind for kind in KINDS if kind in arguments.kinds.split(",")]
    print("| journey |", *(f"{kind} |" for kind in kinds), "exit codes |\n|---|" + "---:|" * len(kinds) + "---|", flush=True)
    memory = pathlib.Path("/dev/shm")  # a sync takes no time there
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() and "TMPDIR" not in os.environ else None) as scratch:
        servers, stacks = queue.Queue(), set()
        for job in range(arguments.jobs):
            servers.put(Server(str(arguments.elmx.resolve()), arguments.library.resolve(), arguments.depth, arguments.under,
                               pathlib.Path(scratch) / f"job{job}"))
        for journey in JOURNEYS:
            if journey.name not in arguments.journeys.split(","):
                continue
            counted, results = run_journey(journey, kinds, servers, pathlib.Path(scratch), stacks, arguments.every, arguments.one)
            failed = collections.Counter(kind for kind, outcome, _ in results if outcome.hit)
            failed["memory"] = f"{failed['memory']} of {counted['memory']}"
            codes = collections.Counter(outcome.code for _, outcome, _ in results)
            print(f"| `{journey.name}` |", *(f"{failed[kind]} |" for kind in kinds),
                  ", ".join(f"{code}: {count}" for code, count in sorted(codes.items())), "|", flush=True)
            if missed := sum(not outcome.hit for _, outcome, _ in results):
                print(f"{journey.name}: {missed} calls were not made again", file=sys.stderr)
            violations += sum(bool(wrong) for _, _, wrong in results)
    print(f"{violations} violations", file=sys.stderr)
    sys.exit(1 if violations else 0)


if __name__ == "__main__":
    main()
