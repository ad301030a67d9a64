#!/usr/bin/env python3
"""The script of `elmx slurm` takes names for text, whatever they hold: slurm_script_test.py ELMX.

Each text below names the config, the run, the results, the data folder, the working folder, the partition and the program.
Stubs replace Slurm and elmx: sbatch runs the job that it is given, and elmx writes down its arguments. They have to be the
intended ones, and nothing else may have run. ShellCheck reads the scripts, if it is installed."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TEXTS = ["plain", "$(touch PWNED)", "`touch PWNED`", "; touch PWNED", "& touch PWNED", "' ; touch PWNED; '",
         '" ; touch PWNED; "', "')\ntouch PWNED\n('", "\ntouch PWNED\n", "\n#SBATCH --partition=other\n",
         "\nEND\ntouch PWNED\n", "a\tb", "-x", "--help", "%a%%j", "!", "!!", "two  spaces ", "*", "?", "~", "~root",
         "${HOME}", "a=b", "[0]=x", "(", "{a,b}", "#", "\x01\x7f", "\u00e9", "END"]
BACKSLASHES = ["\\", "\\n'"]  # Slurm cannot write logs into folders of such names

# Runs the job as Slurm would, once for each task of an array, and writes down its arguments and the file of its script.
SBATCH = r"""#!/bin/bash
script=$(mktemp "$SUBMITTED.XXXXXX")
cat >"$script"
printf '%s\0' "$(($# + 1))" "$script" "$@" >>"$SUBMITTED"
tasks=("")
! grep -q SLURM_ARRAY_TASK_ID "$script" || tasks=(1 2)
export SLURM_ARRAY_JOB_ID=7 SLURM_CPUS_PER_TASK=3
for task in "${tasks[@]}"; do
  SLURM_ARRAY_TASK_ID=$task bash -s <"$script" >&2
done
echo "7;cluster"
"""
# A shard finishes a trial, is told that its time is over, and fails: the job has to be queued again.
ELMX = r"""#!/bin/bash
printf '%s\0' "$(($# + 1))" "$PWD" "$@" >>"$CALLS"
[[ " $* " == *" --shard "* ]] || exit 0
shard=$FOLDER/shard-$SLURM_ARRAY_TASK_ID-of-2
mkdir "$shard"
echo >"$shard/records.jsonl"
kill -TERM $PPID
exit 1
"""
STUBS = {"sbatch": SBATCH, "squeue": "#!/bin/sh\necho RUNNING\n", "sleep": "#!/bin/sh\n",
         "scontrol": '#!/bin/sh\necho "$@" >>"$REQUEUED"\n'}


def write_program(path, text):
    path.unlink(missing_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def calls_in(file):
    """The words of each call that a stub has written down: how many they are, and the words."""
    words, calls = file.read_bytes().decode().split("\0")[:-1], []
    while words:
        end = 1 + int(words[0])
        calls.append(words[1:end])
        del words[:end]
    return calls


def expect_equal(found, expected, what, text):
    if found != expected:
        raise AssertionError(f"{what} with {text!r}:\n  {found}\nexpected\n  {expected}")


def check(program, base, text, output):
    """output: the argument of -o. None: the config names the run, and by this the folder out/NAME; nothing else does."""
    work, elmx, stubs, script = base / text, base / f"{text}.elmx", base / "stubs", base / "script"
    for folder in (work, stubs, work / f"{text}data"):
        folder.mkdir(parents=True)
    config, named = f"{text}.json", [] if output is None else ["--set", f"name={text}"]
    (work / config).write_text(json.dumps({"name": "run" if named else text, "data": {"set": "friedman1", "samples": 50},
                                           "split": {"folds": 2}, "save_model": bool(named), "model": {"nodes": 5}}))
    os.link(program, elmx)
    into = [] if output is None else [f"--output={output}"]
    script.write_bytes(subprocess.run([elmx, "slurm", "--shards", "2", f"--data={text}data", "--partition", text, *named, *into,
                                       "--", config], cwd=work, stdout=subprocess.PIPE, check=True).stdout)
    write_program(elmx, ELMX)
    for stub, content in STUBS.items():
        write_program(stubs / stub, content)
    folder = str(work / (output or f"out/{text}"))
    logs = {name: base / name.lower() for name in ("CALLS", "SUBMITTED", "REQUEUED")}
    done = subprocess.run(["bash", script], cwd=base, capture_output=True, check=False, env={
        **os.environ, **logs, "PATH": f"{stubs}:{os.environ['PATH']}", "HOME": str(base), "FOLDER": folder})
    expect_equal([str(file) for file in base.rglob("PWNED*")], [], "files of commands in names", text)
    expect_equal(done.returncode, 0, f"exit of the script: {done.stderr}", text)

    run = ["run", f"./{config}" if text.startswith("-") else config, *named, "--data", str(work / f"{text}data"), "-o", folder]
    expected = [[*run, "--shard", f"{shard}/2", "--threads", "3"] for shard in (1, 2)]
    expected += [["merge", folder], [*run, "--threads", "3"] if named else ["table", folder], ["report", folder]]
    expect_equal(calls_in(logs["CALLS"]), [[str(work), *words] for words in expected], "calls of elmx", text)
    expect_equal(logs["REQUEUED"].read_text(), "requeue 7_1\nrequeue 7_2\n", "jobs that are queued again", text)
    for (job, *options), log in zip(calls_in(logs["SUBMITTED"]), ("shard-%a.log", "merge.log"), strict=True):
        expected = {f"--output={folder.replace('%', '%%')}/slurm/{log}", f"--partition={text}"}
        expect_equal(expected - set(options), set(), "options that lack", text)
        expect_equal(Path(job).read_text().splitlines()[1][:8], "declare ", "what ends the directives of a job", text)


def main():
    with tempfile.TemporaryDirectory(prefix="elmx_slurm_script_") as scratch:
        scratch = Path(scratch).resolve()
        program = Path(shutil.copy(sys.argv[1], scratch))
        # Every other text names the results folder by the config.
        outputs = [("plain", None), *((text, (text, None)[number % 2]) for number, text in enumerate(TEXTS))]
        outputs += [(text, str(scratch / f"results-{len(text)}")) for text in BACKSLASHES]
        for number, (text, output) in enumerate(outputs):
            check(program, scratch / str(number), text, output)
        if shutil.which("shellcheck") is None:
            print("shellcheck is not installed")
            return
        subprocess.run(["shellcheck", scratch / "0/script"], check=True)
        # These say that $, ~, quotes and backslashes in the values above stay text, as they should.
        subprocess.run(["shellcheck", "--exclude=SC1003,SC2016,SC2088,SC2089,SC2090", *scratch.glob("*/script")], check=True)


if __name__ == "__main__":
    main()
