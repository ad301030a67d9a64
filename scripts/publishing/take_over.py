"""What a run has finished goes into results/; no trial that is published there is lost."""
import gzip
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from publishing.tables import RESULTS, Refused, all_ids, files_of, judge, judged_keys, keys_in, run_name
from publishing.thinned import metrics_of, packed, publishable


EMPTY_GROUP = re.compile(r"<g [^>]*>\s*</g>\n")  # gnuplot writes many


def compact(table):
    """The text of a file of a table, JSON without its blanks."""
    text = table.read_text()
    return json.dumps(json.loads(text), separators=(",", ":"), ensure_ascii=False) + "\n" if table.suffix == ".json" else text


def portable(experiment):
    """experiment.json without the folders of the machine."""
    command = experiment.get("command", {})
    command.pop("folder", None)
    command.pop("data", None)
    if "line" in command:
        command["line"] = re.sub(r"(^|\s)/\S*/", r"\1", command["line"])
    return experiment


def with_history(experiment, published):
    """Who made the trials that are published stays named, although another run goes on with them."""
    if not published.exists():
        return experiment
    earlier, before = json.loads(published.read_text()), experiment.get("before", [])
    known = {one.get("begun") for one in (experiment, *before)}
    made = [*earlier.get("before", []), {name: earlier.get(name) for name in ("begun", "elmx", "machine")}]
    lacking = [one for one in made if one["begun"] not in known]
    return {**experiment, "before": lacking + before} if lacking else experiment


def lost_by(run):
    """How many published trials the run lacks, has failed at where the published one has not, or counts no more."""
    published = RESULTS / run.name
    if not (published / "records.jsonl.gz").exists():
        return 0
    before = gzip.open(published / "records.jsonl.gz").read().splitlines()
    here = (run / "records.jsonl").read_bytes().splitlines() if (run / "records.jsonl").exists() else []
    lost = keys_in(before) - keys_in(here) | keys_in(before, ok=True) - keys_in(here, ok=True)
    if here:
        lost |= judged_keys(published / "experiment.json", before) - judged_keys(run / "experiment.json", here)
    return len(lost)


def take_over(runs):
    """Copies runs into results/: {folder of a run: its tables}. What is there stays until all of them are copied."""
    for run in runs:
        restore(RESULTS / run.name)
        if lost := lost_by(run):
            raise Refused(f"{run.name}: {lost} of the trials in results/{run.name} are missing here, have failed here or do not count "
                          f"in its config; add them with scripts/reproduce.sh --full, or remove results/{run.name} if its config has "
                          f"changed")
    beside = {run: RESULTS / f".{run.name}.new" for run in runs}
    try:
        for run, ids in runs.items():
            shutil.rmtree(beside[run], ignore_errors=True)
            copy_run(run, ids, beside[run])
            keep_the_others(RESULTS / run.name, ids, beside[run])
        for run, made in beside.items():
            swap(RESULTS / run.name, made)
    finally:
        for made in beside.values():
            shutil.rmtree(made, ignore_errors=True)


def put_aside(published):
    return published.with_name(f".{published.name}.old")


def restore(published):
    """After a copy that was stopped between the two renamings of swap()."""
    if put_aside(published).exists() and not published.exists():
        put_aside(published).rename(published)


def swap(published, made):
    """Puts `made` in the place of what is published. Stopped anywhere, one of the two is left."""
    shutil.rmtree(put_aside(published), ignore_errors=True)
    try:
        if published.exists():
            published.rename(put_aside(published))
        made.rename(published)
    finally:
        restore(published)
    shutil.rmtree(put_aside(published), ignore_errors=True)


def keep_the_others(published, ids, target):
    """What was published of the run and was not made anew: tables that were refused, pictures where gnuplot is missing."""
    for id in {id for id in all_ids() if run_name(id) == published.name} - set(ids):
        for file in files_of(id, published / "tables"):
            shutil.copy(file, target / "tables")
    if (published / "plots").exists() and not (target / "plots").exists() and not shutil.which("gnuplot"):
        shutil.copytree(published / "plots", target / "plots")
        print(f"publish: {published.name}: its pictures are not drawn again, because gnuplot is not installed", file=sys.stderr)


def copy_run(run, ids, target):
    (target / "tables").mkdir(parents=True)
    if (run / "records.jsonl").exists():
        (target / "records.jsonl.gz").write_bytes(packed((run / "records.jsonl").read_bytes()))
        experiment = with_history(portable(json.loads((run / "experiment.json").read_text())), RESULTS / run.name / "experiment.json")
        (target / "experiment.json").write_text(json.dumps(experiment, separators=(",", ":")) + "\n")
    for id in ids:
        for file in files_of(id, run / "tables"):
            (target / "tables" / file.name).write_text(compact(file))
    pictures = sorted((run / "plots").glob("*.svg")) if (run / "plots").exists() else []
    if pictures:
        (target / "plots").mkdir()
        for picture in pictures:
            (target / "plots" / picture.name).write_text(EMPTY_GROUP.sub("", picture.read_text()))


def snapshot(run, ids, folder):
    """What the run has finished by now, as it is published beside the tables `ids`: it may still go on."""
    copy = folder / run.name
    copy.mkdir()
    if (run / "records.jsonl").exists():
        records = (run / "records.jsonl").read_bytes()
        (copy / "records.jsonl").write_bytes(publishable(records[:records.rfind(b"\n") + 1], ids))
        shutil.copy(run / "experiment.json", copy)
    elif (run / "tables").exists():
        shutil.copytree(run / "tables", copy / "tables")
        shutil.copy(run / ".elmx-files", copy)  # elmx replaces only files that this list names
    return copy


def publish(elmx, source):
    ids_of = {}
    for id in all_ids():
        if (source / run_name(id)).is_dir():
            ids_of.setdefault(run_name(id), []).append(id)
    with tempfile.TemporaryDirectory() as folder:
        runs = {}
        for name, ids in ids_of.items():
            run = snapshot(source / name, ids, Path(folder))
            if made := [id for id in ids if has_table(elmx, id, run)]:
                draw_sweeps(elmx, run, made[0])
                runs[run] = made
        take_over(runs)


def has_table(elmx, id, run):
    """Makes the table anew, from the trials of the run where it is made of trials; false where there is nothing to judge."""
    records = run / "records.jsonl"
    if not (records.stat().st_size if records.exists() else (run / "tables" / f"{id}.json").exists()):
        return False
    try:
        judge(elmx, id, run.parent)
    except Refused as refusal:  # no trial of its present config, or no data set; what is published stays
        print(f"publish: skipped: {refusal}", file=sys.stderr)
        return False
    return True


def draw_sweeps(elmx, run, id):
    """BLS: accuracy against the size, that is the updates, and against the ridge parameter, for tables that have accuracies. Two
    dozen curves cannot be told apart: of more than four ridge parameters every other one, of more than three sizes the first, the
    middle and the last."""
    if id.split("-")[0] != "bls" or not (run / "records.jsonl").exists() or "test_acc" not in metrics_of(id):
        return
    records = [json.loads(line) for line in (run / "records.jsonl").read_text().splitlines()]
    ridge = sorted({record["point"]["/model/ridge"] for record in records if record["steps"]})
    sizes = sorted({step["nodes"] for record in records for step in record["steps"]})
    few_ridge = ridge[::2] if len(ridge) > 4 else ridge
    few_sizes = [sizes[0], sizes[len(sizes) // 2], sizes[-1]] if len(sizes) > 3 else sizes
    for kind, against, field, values in (("nodes", sizes, "ridge", few_ridge), ("ridge", ridge, "nodes", few_sizes)):
        if len(against) > 1:
            subprocess.run([elmx, "plot", run, kind, "--where", f"{field}={','.join(map(str, values))}", "-o", run],
                           capture_output=True, check=True)
