"""The tables in results/: made from records, and read with how much of their runs is finished."""
import gzip
import json
import os
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "results"
FAMILIES = {"elm": "ELM", "bls": "BLS", "dec": "DEC", "s3elm": "S3ELM", "rls": "RLS"}
COUNTED = {"agrees": "agree", "level": "level", "consistent": "consistent", "contrary": "contrary", "disagrees": "disagree",
           "NA": "not available"}
NOT_COUNTED = "not counted: "  # in the verdict of a tautology, a duplicate or another reading
CLAIMS = "_claims"  # behind the name of a table: the claims of the text that it judges


class Refused(Exception):
    """One line for the user."""


class Published(NamedTuple):
    """One table: the folder of its run, its comparison, the claims that it judges, and how much of the run is finished."""
    id: str
    folder: Path
    table: dict
    claims: list
    finished: int
    planned: int

    @property
    def unfinished(self):
        return self.finished < self.planned

    @property
    def rows(self):
        """The cells; those that an unfinished run has not come to are left out, those where it failed are not."""
        failed = lambda row: "measured" in row.get("notes", {})
        return [row for row in self.table["rows"]
                if not (self.unfinished and row["verdict"].startswith("NA") and not failed(row))]

    @property
    def not_yet(self):
        return len(self.table["rows"]) - len(self.rows)

    @property
    def counts(self):
        verdicts = [row["verdict"].split(",")[0].split(" ")[0] for row in self.rows if NOT_COUNTED not in row["verdict"]]
        return {name: verdicts.count(name) for name in COUNTED}

    @property
    def not_counted(self):
        return sum(NOT_COUNTED in row["verdict"] for row in self.rows)


def tables_in(folder):
    """The names of the tables in RUN/tables, those of claims left out."""
    return {file.stem for file in folder.glob("*.json") if not file.stem.endswith(CLAIMS)}


def files_of(id, folder):
    """The files of a table and its claims, of those that are there."""
    return [file for name in (id, id + CLAIMS) for end in ("json", "md") if (file := folder / f"{name}.{end}").exists()]


def natural(text):
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", text)]


def config_of(id):
    """The config of a table, with the one of its run below it."""
    read = lambda file: json.loads(re.sub(r"^\s*//.*$", "", file.read_text(), flags=re.MULTILINE))
    config = read(ROOT / "configs" / "paper" / f"{id}.json")
    run = config.get("paper", {}).get("run")
    shared = read(ROOT / "configs" / "paper" / "runs" / f"{run}.json") if run else {}
    papers = [one.get("paper", {}) for one in (shared, config, shared.get("full", {}), config.get("full", {}))]
    return {**shared, **config, "paper": {name: value for paper in papers for name, value in paper.items()}}


def all_ids():
    return sorted((file.stem for file in (ROOT / "configs" / "paper").glob("*.json")), key=natural)


def in_papers_order(published):
    return list(FAMILIES).index(published.id.split("-")[0]), natural(published.id)


def judge(elmx, id, folder, draw=True):
    """Makes FOLDER/RUN/tables/ID.json anew from the records that are there; without gnuplot nothing is drawn."""
    done = subprocess.run([elmx, "reproduce", id, "--full", "--judge", "-o", folder], capture_output=True, text=True,
                          env=os.environ if draw else {**os.environ, "PATH": ""})
    if done.returncode not in (0, 5):
        raise Refused(f"{id}: {done.stderr.strip()}")


def run_name(id):
    """The folder that `elmx reproduce` gives the run of a table."""
    return config_of(id).get("name", id)


def keys_in(lines, ok=False):
    """Of trials; `ok`: of those that have not failed in the end."""
    last = {record["key"]: record["status"] for record in map(json.loads, filter(bytes.strip, lines))}
    return {key for key, status in last.items() if status == "ok" or not ok}


def planned_keys(experiment):
    return {key for one in json.loads(experiment.read_text())["resolved"] for key in one["trials"]}


def judged_keys(experiment, lines):
    """Of the trials that count: finished ones of the config at hand."""
    return planned_keys(experiment) & keys_in(lines)


def read_published():
    found = []
    for id in all_ids():
        run = RESULTS / run_name(id)
        if not (run / "tables" / f"{id}.json").exists():
            continue
        table = json.loads((run / "tables" / f"{id}.json").read_text())
        claims = run / "tables" / f"{id}{CLAIMS}.json"
        of_text = json.loads(claims.read_text())["rows"] if claims.exists() else []
        finished = planned = 0
        if (run / "experiment.json").exists():
            finished = len(judged_keys(run / "experiment.json", gzip.open(run / "records.jsonl.gz")))
            planned = len(planned_keys(run / "experiment.json"))
        found.append(Published(id, run, table, of_text, finished, planned))
    return found
