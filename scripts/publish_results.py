#!/usr/bin/env python3
"""Publishes what `scripts/reproduce.sh --full` has found, in results/, and writes the pages that are made of it.

    scripts/publish_results.py ELMX [--from out/full]     judge the finished trials, take them over, write the pages
    scripts/publish_results.py ELMX --check               do records, tables and pages in results/ agree? (exit 1: no)
    scripts/publish_results.py --pages                    the pages alone, where a text in results/findings has changed

results/RUN/ holds records.jsonl.gz, experiment.json, tables/TABLE.{md,json}, plots/*.svg and README.md with the section
of each table. Pages: docs/explanation/reproductions.md, and the table in README.md. Standard library only.
"""
import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from publishing.pages import pages, write_pages
from publishing.tables import RESULTS, ROOT, Refused, all_ids, files_of, judge, natural, run_name, tables_in
from publishing.take_over import compact, publish


def differences(elmx):
    """What does not agree: tables made anew from the records, and pages made anew from the tables."""
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for tables in sorted(RESULTS.glob("[!.]*/tables")):
            run, copy = tables.parent, Path(folder) / tables.parent.name
            copy.mkdir()
            for name in ("records.jsonl.gz", "experiment.json"):
                if (run / name).exists():
                    shutil.copy(run / name, copy)
            for id in sorted(tables_in(tables) | ids_with_records(run), key=natural):
                if not (run / "records.jsonl.gz").exists() and not made_without_data(id):
                    continue
                try:
                    judge(elmx, id, Path(folder), draw=False)
                except Refused:
                    if (tables / f"{id}.json").exists():
                        raise
                    continue  # no trial of it
                lines += [f"{(tables / made.name).relative_to(ROOT)}: does not match its records"
                          for made in files_of(id, copy / "tables")
                          if not (tables / made.name).exists() or compact(made) != (tables / made.name).read_text()]
    lines += [f"{file.relative_to(ROOT)}: does not match results/" for file, text in pages().items()
              if not file.exists() or file.read_text() != text]
    return lines


def ids_with_records(run):
    return {id for id in all_ids() if run_name(id) == run.name} if (run / "records.jsonl.gz").exists() else set()


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
        parser.error("ELMX: expected the program, for example build/elmx, or --pages")
    elmx = str(Path(arguments.elmx).resolve())
    if arguments.check:
        lines = differences(elmx)
        print("\n".join(lines), end="\n" if lines else "")
        return sys.exit(1 if lines else 0)
    if not arguments.source.is_dir():
        parser.error(f"--from {arguments.source}: no such folder; run scripts/reproduce.sh --full first")
    publish(elmx, arguments.source)
    write_pages()


if __name__ == "__main__":
    main()
