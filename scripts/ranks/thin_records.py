#!/usr/bin/env python3
"""Keeps of a results folder what a comparison of scores needs, small enough to be published.

    scripts/ranks/thin_records.py FROM TO --metric test_rmse,loo_mse

TO/records.jsonl.gz has every record of FROM with these metrics alone, to six digits, times to four, and without the traces of
trainings. TO/experiment.json is that of FROM without paths, and with every default for the first sweep point of each case alone. elmx reads both.
"""
import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from publishing.thinned import packed, rounded, rounded_times  # noqa: E402


def thinned(record, metrics):
    steps = [{**{key: step[key] for key in ("nodes", "iterations", "status") if key in step},
              "metrics": {name: rounded(value, 6) for name, value in step.get("metrics", {}).items() if name in metrics}}
             for step in record["steps"]]
    return {**record, "steps": steps, "timing": rounded_times(record["timing"])}


def without_paths(experiment):
    """The command as it is typed in the folder of the project, the data by name alone."""
    words = experiment["command"]["line"].split()
    typed = ["elmx", *(word[word.find("configs/"):] if "/configs/" in word else word for word in words[1:])]
    first = {}
    for point in experiment["resolved"]:
        first.setdefault(point["case"], {key: value for key, value in point.items() if key != "trials"})
    return {**experiment, "command": {"line": " ".join(typed)}, "resolved": list(first.values())}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("source", type=Path, metavar="FROM")
    parser.add_argument("target", type=Path, metavar="TO")
    parser.add_argument("--metric", required=True)
    arguments = parser.parse_args()
    metrics = arguments.metric.split(",")
    with open(arguments.source / "records.jsonl", encoding="utf-8") as file:
        lines = [json.dumps(thinned(json.loads(line), metrics), separators=(",", ":")) for line in file]
    arguments.target.mkdir(parents=True, exist_ok=True)
    (arguments.target / "records.jsonl.gz").write_bytes(packed(("\n".join(lines) + "\n").encode()))
    experiment = without_paths(json.loads((arguments.source / "experiment.json").read_text()))
    (arguments.target / "experiment.json").write_text(json.dumps(experiment, indent=1) + "\n")


if __name__ == "__main__":
    main()
