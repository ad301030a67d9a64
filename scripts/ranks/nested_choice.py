"""What each trial chooses inside its training part, and what that choice scores on the test part it has not seen.

A comparison of two runs on the same outer folds: in the first one every test part is put aside, and a fifth of the training part
stands in for it ("split": {"validate": true}); the second one trains on the whole training part. A point is a sweep point with
the reported number of nodes and of steps or epochs.
"""
import gzip
import json
from collections import defaultdict
from typing import NamedTuple

PENALTIES = ("/model/ridge", "/model/tau_lambda", "/model/tau_w")


class Trial(NamedTuple):
    dataset: str
    method: str
    repeat: int
    fold: int


class Outcome(NamedTuple):
    parameters: dict
    nodes: int
    iterations: int
    metrics: dict
    seconds: float


def points_of(folder):
    """{trial: {point: outcome}} of a results folder."""
    trials = defaultdict(dict)
    with gzip.open(folder / "records.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            trial = Trial(record["dataset"], record["case"], record["repeat"], record["fold"])
            for step, time in zip(record["steps"], record["timing"]["steps"]):
                nodes, iterations = step["nodes"], step.get("iterations", 0)
                point = json.dumps([record["point"], nodes, iterations])
                trials[trial][point] = Outcome(record["point"], nodes, iterations, step.get("metrics", {}),
                                               record["timing"]["features"] + time["total"])
    return dict(trials)


def test_parts_of(folder):
    """{(dataset, repeat, fold): digests of the test parts of all methods}."""
    parts = defaultdict(set)
    with gzip.open(folder / "records.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            parts[record["dataset"], record["repeat"], record["fold"]].add(record["samples"]["test"])
    return parts


def cost(metrics, name):
    """Lower is better; None where a metric is not available."""
    value = metrics.get(name)
    return value if value is None or name.endswith(("mse", "rmse")) else -value


def chosen(points, criterion):
    """The point with the best criterion; of equals the one with fewest nodes, then fewest steps, then the largest penalties."""
    def order(item):
        _, outcome = item
        penalties = [-outcome.parameters.get(name, 0) for name in PENALTIES]
        return cost(outcome.metrics, criterion), outcome.nodes, outcome.iterations, penalties

    able = [item for item in points.items() if cost(item[1].metrics, criterion) is not None]
    return min(able, key=order)[0] if able else None


def search_seconds(points):
    """Time of training all points once: of a network that grows or goes on, the time of its last report."""
    trainings = {}
    for outcome in points.values():
        each_size_anew = "/model/tau_lambda" in outcome.parameters
        key = json.dumps([outcome.parameters, outcome.nodes if each_size_anew else 0])
        trainings[key] = max(trainings.get(key, 0), outcome.seconds)
    return sum(trainings.values())
