#!/usr/bin/env python3
"""Puts small errors (mutants) into numeric code, one at a time, and counts how many of them the tests find.

    scripts/mutants.py src/linalg src/solvers --count 200    runs 200 mutants of these folders
    scripts/mutants.py src/statistics/ties.cpp --list        lists the mutants of a file
    scripts/mutants.py --again --slow 20                     runs the survivors of the log with more tests
    scripts/mutants.py --summary                             prints the table and the survivors of the log

A mutant is one changed operator, constant, bound or statement. A changed copy of the source file is compiled
alone and linked in place of the original, so the working tree never changes. The build folder must be one of
Ninja, with its tests built. Mutants are compiled by clang without optimisation, which takes a third of the
time, and with the assertions of the debug preset; only tests that find nothing in the unchanged file compiled
like this are used. The tests in files that are named like the source file run first, then the others of its
stage, then those of a later stage that uses the code. A test that finds a mutant must find it twice.

Tests that take longer than --slow seconds, or a tenth of it if they are not named like the file, are left
out, so a survivor may still be found by a slow test. A survivor with the machine code of the original, as the
build folder compiles it with -O1, counts as equivalent. Results are appended to a log of JSON lines, and
mutants in the log are not run again.
"""
import argparse
import hashlib
import json
import re
import resource
import shlex
import shutil
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NUMERIC = ["linalg", "features", "solvers", "nets", "metrics/formulas.cpp", "statistics", "models/diagnostics.cpp",
           "models/calibration.cpp", "models/ensemble.cpp", "models/s3elm/affinity.cpp", "models/s3elm/laplacian.cpp",
           "models/s3elm/semi_supervised.cpp", "models/stack/stack_weights.cpp"]
FAST_LINKER = ["-fuse-ld=lld"] if shutil.which("ld.lld") else []
FAST_COMPILER = shutil.which("clang++")
LATER = {"linalg": "solvers"}  # a stage whose tests run last, because it uses the code

# What no mutant changes: comments, texts, directives, checks for errors of the programmer, errors, reserve().
SKIPPED = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<!\d)\'(?:\\.|[^\'\\\n])+\'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*'
    r'|\b(?:throw|static_assert|using)\b[^;]*|\b(?:expects|reserve|format|field)\([^;]*|\btemplate <[^\n]*>$',
    re.DOTALL | re.MULTILINE)
SWAPS = [
    ("arithmetic", " + ", " - "), ("arithmetic", " * ", " / "), ("arithmetic", " % ", " / "),
    ("arithmetic", " += ", " -= "), ("arithmetic", " *= ", " /= "),
    ("comparison", " < ", " <= "), ("comparison", " > ", " >= "), ("comparison", " == ", " != "),
    ("logic", " && ", " || "), ("logic", "true", "false"),
    ("name", "std::min", "std::max"), ("name", "n_rows", "n_cols"), ("name", ".front()", ".back()"),
    ("name", "Op::none", "Op::transpose")]
ONE_WAY = [  # (kind, pattern, what takes its place)
    ("name", r"std::(?:sqrt|abs|exp|log)\(", "("),
    ("name", r"\.t\(\)", ""),
    ("constant", r"(?<![\w.])(?<!\d[eE][-+])\d+(?![\w.'])", lambda m: str(int(m[0]) + 1)),
    ("constant", r"(?<![\w.])(?<!\d[eE][-+])1(?![\w.'])", "0"),
    ("constant", r"(?<![\w.])(?:\d+\.\d*(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+)(?![\w.])", lambda m: f"({m[0]} * 2 + 1e-3)"),
    ("sign", r"(?<=[\w)=,(\[] )-(?=[\w(])|(?<=[(\[{])-(?=[\w(])", ""),
    ("negation", r"(?<=[( ])!(?=[\w(])", ""),
    ("negation", r"\bif \((?!const |auto )((?:[^()\n;]|\((?:[^()\n]|\([^()\n]*\))*\))+)\)(?=\s)", r"if (!(\1))"),
    ("statement", r"^[ \t]*(?:\+\+|--)\w[\w.]*;$|\bcontinue;|\bbreak;", ";"),
    ("statement", r"^[ \t]*(?!return|delete|else|case|if|for|while)\*?[\w:]+(?:(?:\.|->)\w+|\[[^\]\n]*\]|\([^\n;=]*\))*"
                  r"(?: [-+*/%|&]?= [^\n;{}]*|\+\+|--|(?<=\)));$", ";"),
]


def rules():
    for kind, one, other in SWAPS:
        for old, new in ((one, other), (other, one)):
            if (old, new) != (" / ", " % "):
                yield kind, re.compile(rf"(?<!\w){re.escape(old)}(?!\w)" if old.strip() == old else re.escape(old)), new
    for kind, pattern, new in ONE_WAY:
        yield kind, re.compile(pattern, re.MULTILINE), new


def mutants_of(file):
    """All mutants of a source file: where, the text there, and the text that takes its place."""
    text = file.read_text(encoding="utf-8")
    code = SKIPPED.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)
    found = {}
    for kind, pattern, new in rules():
        for m in pattern.finditer(code):
            group = text[slice(*m.span(m.re.groups))]
            found[m.start(), text[m.start():m.end()], new(m) if callable(new) else new.replace(r"\1", group)] = kind
    return [{"file": file.relative_to(ROOT).as_posix(), "line": text.count("\n", 0, at) + 1, "kind": kind, "at": at,
             "old": old, "new": new, "of": hashlib.sha256(text.encode()).hexdigest()[:8]}
            for (at, old, new), kind in sorted(found.items())]


def key(mutant):
    return tuple(mutant[name] for name in ("file", "of", "at", "old", "new"))


def drawn(mutants, seed):
    """The mutants in an order that depends on the seed and on each of them alone: other files do not change it."""
    return sorted(mutants, key=lambda m: hashlib.sha256(repr((seed, key(m))).encode()).digest())


class Build:
    """Compiles changed files and links test programs, in a scratch folder, with the commands of a build folder."""

    def __init__(self, folder, scratch, files):
        self.folder, self.scratch, self.links = folder, scratch, {}
        self.commands, groups = {}, {}
        for entry in json.loads(subprocess.check_output(["ninja", "-C", folder, "--quiet", "-t", "compdb"], text=True)):
            if re.search(r"elmx_(?:core|showing)\.dir/.*[.](?:cpp|cxx)[.]o$", entry["output"]):
                file = folder / entry["file"]
                members = re.findall(r'#include "(.*)"', file.read_text()) if "Unity" in file.parts else [str(file)]
                words = shlex.split(entry["command"])
                for member in members:
                    self.commands[member], groups[member] = words[:words.index("-MD")], members
        # In the library a group of files is one object: all files of the groups concerned get their own.
        self.sources = sorted({member for file in files for member in groups[str(file)]})
        self.fast = {source: self.with_header(source, self.made_fast(self.commands[source])) for source in self.sources}
        self.exact = {source: self.with_header(source, self.commands[source] + ["-O1", "-w"]) for source in self.sources}

    @staticmethod
    def made_fast(command):
        """The same command for a compiler that takes a third of the time. OpenMP has no effect there."""
        if not FAST_COMPILER:
            return command + ["-O1", "-w"]
        at = next(i for i, word in enumerate(command) if re.search(r"(?:^|/)(?:c\+\+|g\+\+)[-\d]*$", word))
        return [FAST_COMPILER, *(word for word in command[at + 1:] if word not in ("-fopenmp", "-mno-recip")),
                "-O0", "-w", "-D_GLIBCXX_ASSERTIONS", "-Dtarget_clones(...)=unused"]

    def with_header(self, source, command):
        """The command with a precompiled header of its own. Numeric files need Armadillo alone, which is read in
        half the time."""
        if "-include" not in command:
            return command
        at = command.index("-include") + 1
        lines = [line for line in Path(command[at]).read_text().splitlines() if "/models/" in source or "json" not in line]
        options = command[:at - 1] + command[at + 1:]
        header = self.scratch / (hashlib.sha256(" ".join(options + lines).encode()).hexdigest()[:8] + ".hpp")
        if not header.exists():
            header.write_text("\n".join(lines))
            subprocess.run(options + ["-x", "c++-header", header, "-o", f"{header}.gch"], cwd=self.folder, check=True)
        return options + ["-include", str(header)]

    def compile(self, source, text, place, commands):
        """The object of a file with this text; None if it does not compile."""
        place.mkdir(parents=True, exist_ok=True)
        copy = place / Path(source).name
        copy.write_text(text, encoding="utf-8")
        done = subprocess.run(commands[source] + ["-iquote", Path(source).parent, "-o", copy.with_suffix(".o"), "-c", copy],
                              cwd=self.folder, capture_output=True)
        return copy.with_suffix(".o") if done.returncode == 0 else None

    def originals(self, jobs):
        """Compiles the originals alone, if that has not been done: the object of each."""
        def compiled(source):
            place = self.scratch / "original" / Path(source).relative_to(ROOT).parent
            done = place / (Path(source).stem + ".o")
            if done.exists() and done.stat().st_mtime > Path(source).stat().st_mtime:
                return done
            return self.compile(source, Path(source).read_text(), place, self.exact)
        with ThreadPoolExecutor(jobs) as pool:
            self.objects = dict(zip(self.sources, pool.map(compiled, self.sources)))

    def link(self, stage, output, source=None, changed=None):
        """Links the tests of a stage with the originals, one of them replaced. Returns whether this succeeds."""
        if stage not in self.links:
            commands = subprocess.check_output(["ninja", "-C", self.folder, "--quiet", "-t", "commands", "-s",
                                                f"tests/test_{stage}"], text=True).splitlines()
            line = next(part for part in commands[-1].split("&&") if f"-o tests/test_{stage}" in part)
            self.links[stage] = shlex.split(line)
        words = list(self.links[stage])
        place = words.index("-o")
        objects = [self.objects[one] for one in self.sources if one != source] + ([changed] if changed else [])
        words[place:place + 2] = objects + FAST_LINKER + ["-o", output]
        return subprocess.run(words, cwd=self.folder, capture_output=True).returncode == 0


def limit(seconds):
    """Limits the processor time, memory and files of a test program, which a mutant may let run away."""
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 28, 1 << 28))
    if seconds:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))


class Tests:
    """The test program of a stage: its tests, and how long each takes with the originals."""

    def __init__(self, build, stage, slow):
        self.build, self.stage, self.usable = build, stage, {}
        program, report = build.scratch / f"test_{stage}", build.scratch / f"test_{stage}.json"
        if not build.link(stage, program):
            sys.exit(f"mutants: test_{stage} cannot be linked with the objects of single files")
        if not report.exists() or report.stat().st_mtime < (build.folder / f"tests/test_{stage}").stat().st_mtime:
            subprocess.run([program, f"--gtest_output=json:{report}"], cwd=build.scratch, capture_output=True,
                           preexec_fn=lambda: limit(None))
        self.seconds = {f"{suite['name']}.{test['name']}": float(test["time"][:-1])
                        for suite in json.loads(report.read_text())["testsuites"] for test in suite["testsuite"]
                        if test["result"] == "COMPLETED" and "failures" not in test and float(test["time"][:-1]) <= slow}
        self.quick = [test for test, seconds in self.seconds.items() if seconds <= slow / 10]

    def usable_for(self, source, place):
        """The tests that succeed with the file as it is, compiled as a mutant."""
        if source not in self.usable:
            original = self.build.compile(source, Path(source).read_text(), place / "unchanged", self.build.fast)
            program = place / "unchanged" / "tests"
            self.build.link(self.stage, program, source, original)
            self.usable[source] = passing(program, set(self.quick) | set(self.like(source)), place)
        return self.usable[source]

    def like(self, source):
        """The tests in files that are named like the source file."""
        stem = Path(source).stem
        suites = {suite for file in (ROOT / "tests").rglob("*_test.cpp") if file.name.startswith(stem)
                  for suite in re.findall(r"TEST\w*\((\w+),", file.read_text())}
        return [test for test in self.seconds if suites & set(re.split(r"[./]", test))]


def passing(program, tests, scratch):
    """Runs tests. Returns those that succeed."""
    flags = scratch / "flags"  # the names can be too long for a command line
    flags.write_text("--gtest_filter=" + ":".join(tests))
    done = subprocess.run([program, f"--gtest_flagfile={flags}"], cwd=scratch, capture_output=True, errors="replace", text=True)
    return re.findall(r"^\[       OK \] ([\w./]+)", done.stdout, re.MULTILINE)


def found_by(program, tests, seconds, scratch):
    """Runs tests until one fails. Returns that test, or None, and whether it took too long (processor time)."""
    allowed = int(4 * sum(seconds[test] for test in tests) + 2)
    flags = scratch / "flags"
    flags.write_text("--gtest_fail_fast\n--gtest_filter=" + ":".join(tests))
    try:
        done = subprocess.run([program, f"--gtest_flagfile={flags}"], cwd=scratch,
                              preexec_fn=lambda: limit(allowed), stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, timeout=20 * allowed, errors="replace", text=True)
        code, output = done.returncode, done.stdout
    except subprocess.TimeoutExpired as expired:
        code, output = -9, (expired.stdout or b"").decode(errors="replace")
    failed = re.findall(r"^\[  FAILED  \] ([\w./]+)", output, re.MULTILINE)[:1]
    failed = failed or re.findall(r"^\[ RUN      \] ([\w./]+)", output, re.MULTILINE)[-1:] or ["the start"]
    return failed[0] if code else None, code in (-9, -24)


def run(mutant, build, stages, killers, place):
    """Compiles, links and tests a mutant; returns it with its outcome."""
    began = time.monotonic()

    def result(outcome, test=None):
        return mutant | {"outcome": outcome, "test": test, "seconds": round(time.monotonic() - began, 1)}

    source = str(ROOT / mutant["file"])
    text = Path(source).read_text(encoding="utf-8")
    end = mutant["at"] + len(mutant["old"])
    changed_text = text[:mutant["at"]] + mutant["new"] + text[end:]
    changed = build.compile(source, changed_text, place, build.fast)
    if not changed:
        return result("not compiled")
    program = place / "tests"
    for tests in stages:
        usable = tests.usable_for(source, place)
        if not build.link(tests.stage, program, source, changed):
            return result("not compiled")
        left = usable
        for some in (killers[mutant["file"]], tests.like(source), tests.quick):
            some = [test for test in left if test in some]
            left = [test for test in left if test not in some]
            test, late = found_by(program, some, tests.seconds, place) if some else (None, False)
            if late:
                return result("timed out", test)
            if test and (test not in tests.seconds or found_by(program, [test], tests.seconds, place)[0]):
                killers[mutant["file"]] = [test] + [one for one in killers[mutant["file"]] if one != test][:9]
                return result("killed", test)
    exact = build.compile(source, changed_text, place, build.exact)
    return result("equivalent" if exact and exact.read_bytes() == build.objects[source].read_bytes() else "survived")


def summary(log):
    """Prints the outcomes by folder, and the survivors."""
    counts = {}
    for one in log:
        counts.setdefault(str(Path(one["file"]).parent), Counter())[one["outcome"]] += 1
    counts["all"] = sum(counts.values(), Counter())
    names = ["killed", "timed out", "survived", "equivalent", "not compiled"]
    print(f"{'folder':24}" + "".join(f"{name:>14}" for name in names) + f"{'% found':>10}")
    for folder, count in sorted(counts.items()):
        dead = count["killed"] + count["timed out"]
        print(f"{folder:24}" + "".join(f"{count[name]:14}" for name in names) +
              (f"{100 * dead / (dead + count['survived']):10.1f}" if dead + count["survived"] else ""))
    for one in sorted((one for one in log if one["outcome"] == "survived"), key=lambda m: (m["file"], m["at"])):
        print(f"{one['file']}:{one['line']}: {one['old'].strip()!r} -> {one['new'].strip()!r}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("paths", nargs="*", help="folders and files of src/ (default: the numeric ones)")
    arguments.add_argument("--count", type=int, default=100, help="how many mutants of them are run (default: 100)")
    arguments.add_argument("--seed", type=int, default=1, help="draws other mutants (default: 1)")
    arguments.add_argument("--slow", type=float, default=2, help="leaves out tests that take more seconds (default: 2)")
    arguments.add_argument("--jobs", type=int, default=2, help="mutants at a time (default: 2)")
    arguments.add_argument("--build", type=Path, default=ROOT / "build", help="the build folder (default: build)")
    arguments.add_argument("--scratch", type=Path, default=Path("/tmp/mutants"), help="folder of copies, objects and log")
    arguments.add_argument("--list", action="store_true", help="only lists the mutants that would be run")
    arguments.add_argument("--again", action="store_true", help="runs the survivors of the log again, whatever --count")
    arguments.add_argument("--summary", action="store_true", help="only prints the table and the survivors of the log")
    options = arguments.parse_args()

    log_file = options.scratch / "log.jsonl"
    lines = log_file.read_text().splitlines() if log_file.exists() else []
    log = {key(one): one for one in map(json.loads, lines)}  # of a mutant that was run again, the last line counts
    if options.summary:
        return summary(log.values())

    files = sorted({file for path in map(Path, options.paths or [ROOT / "src" / name for name in NUMERIC])
                    for file in ([path.resolve()] if path.is_file() else path.resolve().rglob("*.cpp"))})
    mutants = drawn([mutant for file in files for mutant in mutants_of(file)], options.seed)
    if options.again:
        mutants = [one for one in mutants if key(one) in log and log[key(one)]["outcome"] == "survived"]
    else:
        mutants = mutants[:options.count]
    if options.list:
        for one in sorted(mutants, key=key):
            print(f"{one['file']}:{one['line']}: {one['kind']}: {one['old'].strip()!r} -> {one['new'].strip()!r}")
        return None
    waiting = [one for one in mutants if options.again or key(one) not in log]
    options.scratch.mkdir(parents=True, exist_ok=True)
    build = Build(options.build, options.scratch, [ROOT / one["file"] for one in waiting])
    build.originals(options.jobs)

    def stages_of(one):
        stage = Path(one["file"]).parts[1]
        return [stage, LATER[stage]] if stage in LATER else [stage]

    with ThreadPoolExecutor(options.jobs) as pool:
        names = sorted({stage for one in waiting for stage in stages_of(one)})
        tests = dict(zip(names, pool.map(lambda stage: Tests(build, stage, options.slow), names)))
    killers = {one["file"]: [] for one in waiting}
    places = [options.scratch / f"worker{job}" for job in range(options.jobs)]

    def work(one):
        place = places.pop()
        try:
            return run(one, build, [tests[stage] for stage in stages_of(one)], killers, place)
        finally:
            places.append(place)

    with ThreadPoolExecutor(options.jobs) as pool, open(log_file, "a", encoding="utf-8") as output:
        for one in pool.map(work, waiting):
            log[key(one)] = one
            output.write(json.dumps(one) + "\n")
            output.flush()
            print(f"{one['file']}:{one['line']}: {one['old'].strip()!r} -> {one['new'].strip()!r}: {one['outcome']} "
                  f"({one['test']}, {one['seconds']} s)", flush=True)
    return summary(log[key(one)] for one in mutants)


if __name__ == "__main__":
    main()
