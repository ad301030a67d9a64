#!/usr/bin/env python3
"""Publishes the runs of configs/beyond in results/beyond, and prints the tables of its page that elmx does not print.

    scripts/publish_beyond.py [--from out]     take over out/beyond-{regression,classification}[-choosing]
    scripts/publish_beyond.py --tables         distances to the best, times and choices, from what is published
    scripts/publish_beyond.py --chosen DIR     the chosen trials as results of methods without settings, DIR/{regression,classification},
                                               for elmx compare --ranks; with --by-validation all but kernel and stack choose by it

Standard library only.
"""
import argparse
import collections
import gzip
import json
import math
import statistics
from pathlib import Path

from publishing.take_over import portable
from publishing.tables import ROOT
from publishing.thinned import packed, rounded, rounded_times

PUBLISHED = ROOT / "results" / "beyond"
METHODS = ["elm", "rvfl", "bls", "kernel", "stack", "relm", "dec", "rls", "adam"]
BY_LEAVE_ONE_OUT = {"elm", "rvfl", "bls", "linear"}  # their points; those of kernel and stack are chosen in the trial
TASKS = {"regression": ("test_rmse", "loo_mse"), "classification": ("test_acc", "loo_acc")}
KEPT = ("key", "case", "dataset", "family", "algorithm", "point", "repeat", "fold", "status", "steps", "timing", "samples")
PENALTIES = ("/model/ridge", "/model/tau_lambda", "/model/tau_w")


def publish(source):
    for task, metrics in TASKS.items():
        kept = {*metrics, "loo_mse"}
        for name in (task, f"{task}-choosing"):
            run, target = source / f"beyond-{name}", PUBLISHED / name
            lines = []
            for line in (run / "records.jsonl").read_text().splitlines():
                record = json.loads(line)
                record["steps"] = [{key: value for key, value in step.items() if key in ("nodes", "iterations", "status")} |
                                   {"metrics": {key: rounded(value, 6) for key, value in step["metrics"].items() if key in kept}}
                                   for step in record["steps"]]
                record["timing"] = rounded_times(record["timing"])
                lines.append(json.dumps({key: value for key, value in record.items() if key in KEPT}))
            target.mkdir(parents=True, exist_ok=True)
            (target / "records.jsonl.gz").write_bytes(packed(("\n".join(lines) + "\n").encode()))
            experiment = portable(json.loads((run / "experiment.json").read_text()))
            cases = {one["case"]: one for one in reversed(experiment["resolved"])}  # one of each: the views need no more
            experiment["resolved"] = [{key: value for key, value in one.items() if key != "trials"} for one in reversed(cases.values())]
            (target / "experiment.json").write_text(json.dumps(experiment, indent=1) + "\n")


def read(name):
    """{(case, data set, fold): its points in the order of the grid, (place, step, timing, number of the step, record)}."""
    found = collections.defaultdict(list)
    with gzip.open(PUBLISHED / name / "records.jsonl.gz", "rt") as lines:
        for record in sorted(map(json.loads, lines), key=lambda one: json.dumps(one["point"])):
            for i, step in enumerate(record["steps"]):
                if step["status"] == "ok":
                    found[record["case"], record["dataset"], record["fold"]].append((record["point"], step, record["timing"], i, record))
    return found


def place(one):
    """By which points are the same in both runs, and ordered where they are equally good."""
    point, step = one[:2]
    number = lambda value: value if isinstance(value, (int, float)) else math.inf
    return (step.get("nodes", 0), step.get("iterations", 0), [-point.get(name, 0) for name in PENALTIES],
            [(name, number(value), json.dumps(value)) for name, value in sorted(point.items())])


def chosen(task, by_leave_one_out=BY_LEAVE_ONE_OUT):
    """{(case, data set): the chosen point of each fold, as in read}, and seconds of the whole grid."""
    tested, choosing = read(task), read(f"{task}-choosing")
    error = -1 if task == "classification" else 1
    test, loo = TASKS[task]
    taken, seconds = collections.defaultdict(list), collections.Counter()
    for (case, data, fold), points in tested.items():
        if case in by_leave_one_out:
            best = min(points, key=lambda one: (error * one[1]["metrics"][loo], place(one)))
        else:
            wanted = place(min(choosing[case, data, fold], key=lambda one: (error * one[1]["metrics"][test], place(one))))
            best = next(one for one in points if place(one) == wanted) if len(points) > 1 else points[0]
        taken[case, data].append(best)
        trials = {id(timing): timing for _, _, timing, _, _ in choosing[case, data, fold]}
        seconds[case, data] += sum(seconds_of_trial(case, timing) for timing in trials.values())
    return taken, seconds


def write_chosen(target, by_validation=False):
    """Writes the chosen trials as elmx import would: without the settings, in which the folds of a method differ."""
    for task in TASKS:
        lines = []
        for points in chosen(task, set() if by_validation else BY_LEAVE_ONE_OUT)[0].values():
            for _, step, timing, i, record in points:
                step = {"nodes": 0, "status": step["status"], "metrics": step["metrics"]}
                timing = timing | {"steps": [timing["steps"][i]]}
                lines.append(json.dumps(record | {"family": "imported", "point": {}, "steps": [step], "timing": timing}))
        (target / task).mkdir(parents=True, exist_ok=True)
        (target / task / "records.jsonl").write_text("\n".join(lines) + "\n")


def seconds_of_trial(case, timing):
    """A total counts from the beginning of its network: one network grows in elm, rvfl and bls; else each size is trained anew."""
    totals = {step.get("nodes"): step["total"] for step in timing["steps"]}
    return timing["features"] + (max if case in BY_LEAVE_ONE_OUT else sum)(totals.values())


def print_tables():
    spent, grids = collections.defaultdict(list), collections.defaultdict(list)
    for task, (test, _) in TASKS.items():
        taken, seconds = chosen(task)
        sets = list(dict.fromkeys(data for _, data in taken))
        score = {key: statistics.mean(one[1]["metrics"][test] for one in folds) for key, folds in taken.items()}
        print(f"\n{task}")
        for case in METHODS:
            if task == "regression":
                print(case, "RMSE / best", f"{statistics.median(score[case, d] / min(score[m, d] for m in METHODS) for d in sets):.2f}",
                      end="; ")
            else:
                behind = statistics.mean(max(score[m, d] for m in METHODS) - score[case, d] for d in sets)
                print(case, "points behind", f"{100 * behind:.1f}", end="; ")
            ahead = sum(score[case, d] < score["linear", d] if task == "regression" else score[case, d] > score["linear", d] for d in sets)
            print("ahead of linear on", ahead)
            values = collections.defaultdict(collections.Counter)
            for data in sets:
                for point, step, *_ in taken[case, data]:
                    for name, value in [*point.items(), *((key, step[key]) for key in ("nodes", "iterations") if key in step)]:
                        values[name][json.dumps(value)[:60]] += 1
            print("   ", "; ".join(f"{name} {value} ({n})" for name, counts in values.items() for value, n in counts.most_common(1)))
        for data in sets:
            for case in METHODS:
                one = lambda case: statistics.mean(t["features"] + t["steps"][i]["total"] for _, _, t, i, _ in taken[case, data])
                spent[case].append(one(case) / one("elm"))
                grids[case].append(seconds[case, data] / seconds["elm", data])
    print("\nseconds over those of elm: one chosen network, range, whole grid, range")
    for case in METHODS:
        print(f"| {case} | " + " | ".join(f"{math.exp(statistics.mean(map(math.log, ratios))):.2g} | {min(ratios):.2g} to {max(ratios):.2g}"
                                          for ratios in (spent[case], grids[case])) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--from", dest="source", type=Path, default=ROOT / "out")
    parser.add_argument("--tables", action="store_true")
    parser.add_argument("--chosen", type=Path)
    parser.add_argument("--by-validation", action="store_true")
    arguments = parser.parse_args()
    if arguments.chosen:
        return write_chosen(arguments.chosen, arguments.by_validation)
    if not arguments.tables:
        publish(arguments.source)
    print_tables()


if __name__ == "__main__":
    main()
