#!/usr/bin/env python3
"""Publishes what `scripts/reproduce.sh --full` has found, in results/, and writes the pages that are made of it.

    scripts/publish_results.py ELMX [--from out/full]     judge the finished trials, take them over, write the pages
    scripts/publish_results.py ELMX --check               do records, tables and pages in results/ agree? (exit 1: no)
    scripts/publish_results.py --pages                    the pages alone, where a text in results/findings has changed

results/RUN/ holds records.jsonl.gz, experiment.json, tables/TABLE.{md,json}, plots/*.svg and README.md with the section
of each table. Pages: docs/explanation/reproductions.md, and the table in README.md. Standard library only.
"""
import argparse
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "results"
PAGE = ROOT / "docs" / "explanation" / "reproductions.md"
FAMILIES = {"elm": "ELM", "bls": "BLS", "dec": "DEC", "s3elm": "S3ELM", "rls": "RLS"}
COUNTED = {"agrees": "agree", "disagrees": "disagree", "undecided": "undecided", "NA": "not available", "tie": "tied"}
MOST_CELLS = 20  # of those that disagree, in a section
PICTURED = ["bls", "rls"]  # papers whose claims are about curves: their pictures are on the page of all
BEGIN, END = "<!-- made by scripts/publish_results.py: begin -->", "<!-- made by scripts/publish_results.py: end -->"

LEAD = f"""# Published tables beside ours

This page is made from [`results/`](../../results) by `scripts/publish_results.py`. A cell agrees or disagrees
only where the runs can tell: [what a verdict means](verdicts.md). Cells that disagree are shown with the
reason, where one is known. Every number, with its interval, is in the table that each section links to;
`elmx report results` shows all of them on one page.

The scale is that of `--full`: what decides the claims of a table on one machine. Each config in
`configs/paper/` says what the paper has beyond it. `scripts/reproduce.sh --full` runs what is not finished,
cheapest first, and goes on with the trials in `results/`. The experiments behind the findings below are in
`configs/hunts/`.
"""


class Refused(Exception):
    """One line for the user."""


class Published(NamedTuple):
    """One table: the folder of its run, its comparison, and how much of the run is finished."""
    id: str
    folder: Path
    table: dict
    finished: int
    planned: int

    @property
    def unfinished(self):
        return self.finished < self.planned

    @property
    def rows(self):
        """The cells; those of an unfinished run that have no number yet are left out."""
        return [row for row in self.table["rows"] if not (self.unfinished and row["verdict"].startswith("NA"))]

    @property
    def counts(self):
        verdicts = [row["verdict"].split(",")[0].split(" ")[0] for row in self.rows]
        return {name: verdicts.count(name) for name in COUNTED}


def natural(text):
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", text)]


def all_ids():
    return sorted((file.stem for file in (ROOT / "configs" / "paper").glob("*.json")), key=natural)


def in_papers_order(published):
    return list(FAMILIES).index(published.id.split("-")[0]), natural(published.id)


# --- what a run has left

def judge(elmx, id, folder, draw=True):
    """Makes FOLDER/RUN/tables/ID.json anew from the records that are there; without gnuplot nothing is drawn."""
    done = subprocess.run([elmx, "reproduce", id, "--full", "--judge", "-o", folder], capture_output=True, text=True,
                          env=os.environ if draw else {**os.environ, "PATH": ""})
    if done.returncode not in (0, 5):
        raise Refused(f"{id}: {done.stderr.strip()}")


def run_of(id, folder):
    """The folder of the run that the table is of, or None."""
    return next((run for run in sorted(folder.iterdir()) if (run / "tables" / f"{id}.json").exists()), None)


def run_name(id):
    """The folder that `elmx reproduce` gives the run of a table."""
    text = lambda file: re.sub(r"^\s*//.*$", "", file.read_text(), flags=re.MULTILINE)
    config = json.loads(text(ROOT / "configs" / "paper" / f"{id}.json"))
    run = config.get("paper", {}).get("run")
    shared = json.loads(text(ROOT / "configs" / "paper" / "runs" / f"{run}.json")) if run else {}
    return config.get("name", shared.get("name", id))


def portable(experiment):
    """experiment.json without the folders of the machine."""
    command = experiment.get("command", {})
    command.pop("folder", None)
    command.pop("data", None)
    if "line" in command:
        command["line"] = re.sub(r"(^|\s)/\S*/", r"\1", command["line"])
    return experiment


def packed(records):
    return gzip.compress(records, 9, mtime=0)


def keys_in(lines):
    return {json.loads(line)["key"] for line in lines if line.strip()}


def lost_by(run):
    """How many published trials the run lacks."""
    published = RESULTS / run.name / "records.jsonl.gz"
    if not published.exists():
        return 0
    here = (run / "records.jsonl").read_bytes().splitlines() if (run / "records.jsonl").exists() else []
    return len(keys_in(gzip.open(published)) - keys_in(here))


def take_over(run, ids):
    """Copies a run into results/: the tables `ids` of it, and its pictures. What is there stays until all is copied."""
    if lost := lost_by(run):
        raise Refused(f"{run.name}: lacks {lost} of the trials in results/{run.name}; allowed: scripts/reproduce.sh --full, which "
                      "begins with them")
    made, target = RESULTS / f".{run.name}.new", RESULTS / run.name
    shutil.rmtree(made, ignore_errors=True)
    copy_run(run, ids, made)
    shutil.rmtree(target, ignore_errors=True)
    made.rename(target)


def copy_run(run, ids, target):
    (target / "tables").mkdir(parents=True)
    if (run / "records.jsonl").exists():
        (target / "records.jsonl.gz").write_bytes(packed((run / "records.jsonl").read_bytes()))
        experiment = portable(json.loads((run / "experiment.json").read_text()))
        (target / "experiment.json").write_text(json.dumps(experiment, indent=1) + "\n")
    for id in ids:
        for end in ("json", "md"):
            shutil.copy(run / "tables" / f"{id}.{end}", target / "tables")
    pictures = sorted((run / "plots").glob("*.svg")) if (run / "plots").exists() else []
    if pictures:
        (target / "plots").mkdir()
        for picture in pictures:
            shutil.copy(picture, target / "plots")


def snapshot(run, folder):
    """What the run has finished by now: it may still go on."""
    copy = folder / run.name
    copy.mkdir()
    if (run / "records.jsonl").exists():
        records = (run / "records.jsonl").read_bytes()
        (copy / "records.jsonl").write_bytes(records[:records.rfind(b"\n") + 1])
        shutil.copy(run / "experiment.json", copy)
    elif (run / "tables").exists():
        shutil.copytree(run / "tables", copy / "tables")
    return copy


def publish(elmx, source):
    ids_of = {}
    for id in all_ids():
        if (source / run_name(id)).is_dir():
            ids_of.setdefault(run_name(id), []).append(id)
    with tempfile.TemporaryDirectory() as folder:
        for name, ids in ids_of.items():
            run = snapshot(source / name, Path(folder))
            if made := [id for id in ids if has_table(elmx, id, run)]:
                take_over(run, made)


def has_table(elmx, id, run):
    """Judges the trials of the run; false where there is nothing to judge."""
    records = run / "records.jsonl"
    if not records.exists():
        return (run / "tables" / f"{id}.json").exists()
    if records.stat().st_size == 0:
        return False
    try:
        judge(elmx, id, run.parent)
    except Refused as refusal:  # no trial of its present config; what is published stays
        print(f"publish: left out: {refusal}", file=sys.stderr)
        return False
    if id.split("-")[0] == "bls":  # accuracy against the size, that is the updates, and against lambda
        subprocess.run([elmx, "plot", run, "nodes", "ridge", "-o", run], capture_output=True, check=True)
    return True


# --- the pages

def read_published():
    found = []
    for id in all_ids():
        run = run_of(id, RESULTS)
        if run is None:
            continue
        table = json.loads((run / "tables" / f"{id}.json").read_text())
        finished = planned = 0
        if (run / "experiment.json").exists():
            keys = {key for one in json.loads((run / "experiment.json").read_text())["resolved"] for key in one["trials"]}
            done = keys_in(gzip.open(run / "records.jsonl.gz"))
            finished, planned = len(keys & done), len(keys)
        found.append(Published(id, run, table, finished, planned))
    return found


def shown(value):
    if value is None:
        return "NA"
    if isinstance(value, str):
        return value
    return f"{value:.0f}" if value == round(value) and abs(value) < 1e9 else f"{value:.4g}"


def markdown_table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "|".join("---" for _ in header) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def disagreeing(published):
    """Those cells with what was measured, and the reasons below; "" where there are none."""
    table = published.table
    names = [column["name"] for column in table["columns"]]
    keys = names[:names.index("published")]
    cells = [row for row in published.rows if row["verdict"].startswith("disagrees") or row["verdict"].startswith("NA")]
    if not cells:
        return ""
    varying = [key for key in keys if len({str(row[key]) for row in table["rows"]}) > 1]
    reasons, rows = [], []
    for row in cells[:MOST_CELLS]:
        note = row.get("notes", {}).get("verdict")
        if note and note not in reasons:
            reasons.append(note)
        mark = f" [{reasons.index(note) + 1}]" if note else ""
        interval = "" if row["low"] is None else f"{shown(row['low'])} to {shown(row['high'])}"
        rows.append([shown(row[key]) for key in varying] +
                    [shown(row["published"]), shown(row["measured"]), interval, row["rule"], row["verdict"] + mark])
    text = markdown_table(varying + ["published", "measured", "95 %", "rule", "verdict"], rows)
    if len(cells) > MOST_CELLS:
        text += f"\n\nThe first {MOST_CELLS} of {len(cells)} cells that disagree or are not available."
    for number, note in enumerate(reasons, 1):
        text += f"\n\n[{number}] {table['footnotes'][note - 1]}"
    return text + "\n"


def wrapped(text, width=110):
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return "\n".join(lines + [line])


def pictures_of(published):
    """Those of the table; those of the whole run are at its first table."""
    pictures = sorted((published.folder / "plots").glob("*.svg"), key=lambda picture: natural(picture.stem))
    tables = [file.stem for file in (published.folder / "tables").glob("*.json")]
    first = published.id == min(tables, key=natural)
    of_table = lambda picture, id: picture.name.startswith(f"{id}_")
    return [picture for picture in pictures
            if of_table(picture, published.id) or first and not any(of_table(picture, id) for id in tables)]


def section(published, base, pictures=True):
    """The section of one table; links begin at the folder `base`."""
    link = lambda path: Path(*[".."] * len(base.relative_to(ROOT).parts)) / path.relative_to(ROOT)
    title = published.table["title"].removesuffix(": published and measured")
    counts = ", ".join(f"{number} {COUNTED[verdict]}" for verdict, number in published.counts.items() if number)
    not_yet = len(published.table["rows"]) - len(published.rows)
    of_run = f" {published.finished} of {published.planned} trials are finished." if published.planned else ""
    of_run += f" {not_yet} cells have no number yet." if not_yet else ""
    text = f"### `{published.id}`\n\n"
    text += wrapped(f"{title}: {counts or 'no cell is judged'}.{of_run} "
                    f"[Every cell]({link(published.folder / 'tables' / (published.id + '.md'))}).") + "\n\n"
    for remark in published.table["remarks"][1:]:  # the first one is the count
        if "0 of 0 cells" in remark or published.unfinished and remark.startswith("with "):
            continue
        text += wrapped(f"{remark[0].upper()}{remark[1:]}.") + "\n\n"
    cells = disagreeing(published)
    text += "\n".join(line if line.startswith("|") else wrapped(line) for line in cells.split("\n")) + "\n" if cells else ""
    for picture in pictures_of(published) if pictures else []:
        text += f"![{picture.stem}]({link(picture)})\n\n"
    return text


def totals(tables):
    sums = {name: sum(table.counts[name] for table in tables) for name in COUNTED}
    return [str(number) for number in sums.values()]


def family_rows(found, with_links):
    rows = []
    for family, name in FAMILIES.items():
        of_family = [table for table in found if table.id.split("-")[0] == family]
        known = sum(id.split("-")[0] == family for id in all_ids())
        heading = f"[{name}](docs/explanation/reproductions.md#{family})" if with_links else f"[{name}](#{family})"
        unfinished = sum(table.unfinished for table in of_family)
        run = f"{len(of_family)} of {known}" + (f" ({unfinished} not finished)" if unfinished else "")
        rows.append([heading, run, *totals(of_family)])
    return rows


HEADER = ["paper", "tables run", *COUNTED.values()]


def page_of(found):
    text = LEAD + "\n" + markdown_table(HEADER, family_rows(found, False)) + "\n"
    for family, name in FAMILIES.items():
        text += f"\n## {name}\n\n"
        findings = RESULTS / "findings" / f"{family}.md"
        if findings.exists():
            text += findings.read_text().strip() + "\n\n"
        for table in found:
            if table.id.split("-")[0] == family:
                text += section(table, PAGE.parent, family in PICTURED)
        missing = [f"`{id}`" for id in all_ids() if id.split("-")[0] == family and id not in {t.id for t in found}]
        if missing:
            text += wrapped("Not run at this scale yet: " + ", ".join(missing) + ".") + "\n"
    return text.rstrip() + "\n"


def readme_with(found):
    readme = (ROOT / "README.md").read_text()
    before, rest = readme.split(BEGIN)
    return before + BEGIN + "\n" + markdown_table(HEADER, family_rows(found, True)) + "\n" + END + rest.split(END)[1]


def pages():
    """Every file that is made of results/: path -> text."""
    found = sorted(read_published(), key=in_papers_order)
    files = {PAGE: page_of(found), ROOT / "README.md": readme_with(found)}
    for folder in sorted({table.folder for table in found}):
        files[folder / "README.md"] = "".join(section(t, folder) for t in found if t.folder == folder).rstrip() + "\n"
    return files


def write_pages():
    for file, text in pages().items():
        file.write_text(text)


# --- the check

def differences(elmx):
    """What does not agree: tables made anew from the records, and pages made anew from the tables."""
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for tables in sorted(RESULTS.glob("*/tables")):
            run, copy = tables.parent, Path(folder) / tables.parent.name
            copy.mkdir()
            for name in ("records.jsonl.gz", "experiment.json"):
                if (run / name).exists():
                    shutil.copy(run / name, copy)
            for file in sorted(tables.glob("*.json")):
                if not (run / "records.jsonl.gz").exists() and not made_without_data(file.stem):
                    continue
                judge(elmx, file.stem, Path(folder), draw=False)
                lines += [f"{(tables / made.name).relative_to(ROOT)}: is not what its records give"
                          for made in (copy / "tables" / f"{file.stem}{end}" for end in (".json", ".md"))
                          if made.read_text() != (tables / made.name).read_text()]
    lines += [f"{file.relative_to(ROOT)}: is not what results/ gives" for file, text in pages().items()
              if not file.exists() or file.read_text() != text]
    return lines


def made_without_data(id):
    """Tables of formulas; those of the sizes of data sets need the sets."""
    return '"cases"' not in (ROOT / "configs" / "paper" / f"{id}.json").read_text()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("elmx", nargs="?")
    parser.add_argument("--from", dest="source", type=Path, default=ROOT / "out" / "full")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--pages", action="store_true")
    arguments = parser.parse_args()
    try:
        return run(parser, arguments)
    except (Refused, OSError, EOFError, KeyError, ValueError, subprocess.CalledProcessError) as error:
        sys.exit(f"publish: {error if isinstance(error, Refused) else f'{type(error).__name__}: {error}'}")


def run(parser, arguments):
    if arguments.pages:
        return write_pages()
    if arguments.elmx is None:
        parser.error("ELMX: which program? allowed: build/elmx, or --pages")
    elmx = str(Path(arguments.elmx).resolve())
    if arguments.check:
        lines = differences(elmx)
        print("\n".join(lines), end="\n" if lines else "")
        return sys.exit(1 if lines else 0)
    if not arguments.source.is_dir():
        parser.error(f"--from {arguments.source}: there is no such folder; allowed: what scripts/reproduce.sh --full has made")
    publish(elmx, arguments.source)
    write_pages()


if __name__ == "__main__":
    main()
