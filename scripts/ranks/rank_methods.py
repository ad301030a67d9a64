#!/usr/bin/env python3
"""Writes results/beyond/README.md and ranks.svg from the packed records beside them.

    scripts/ranks/rank_methods.py [FOLDER]     default: results/beyond

Per data set: the mean test score of each method over the outer folds, each with the point that it chose inside the training part of
the fold. Over the data sets: mean ranks, the test of Friedman (Iman and Davenport), the critical difference of Nemenyi.
"""
import json
import math
import statistics
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from answer_of_ranks import PAGE, wrapped
from mean_ranks import critical_difference, friedman, mean_ranks, ranks, sign_test
from nested_choice import chosen, cost, points_of, search_seconds, test_parts_of
from rank_diagram import diagram

METHODS = ["elm", "rvfl", "bls", "relm", "dec", "rls", "adam"]
BASELINE = "linear"
LEAVE_ONE_OUT = {"elm", "rvfl", "bls", BASELINE}


class Task(NamedTuple):
    name: str
    score: str       # of the test part
    loo: str         # of the training part


TASKS = [Task("regression", "test_rmse", "loo_mse"), Task("classification", "test_acc", "loo_acc")]


class Results(NamedTuple):
    """Of one task, all by (data set, method). Costs: RMSE, or the share of errors."""
    sizes: dict          # data set -> (samples, inputs), in the order of the config
    cost: dict           # mean over the folds, by the choice that the method offers
    cost_validated: dict # the same, every method choosing on the validation part
    seconds: dict        # of training the chosen network, mean over the folds
    search: dict         # of training all points of the grid on four fifths of the training part, mean over the folds
    choices: dict        # method -> Counter of (parameter, value)
    folds: int

    @property
    def datasets(self):
        return list(self.sizes)


def results_of(folder, task):
    choosing, tested = (points_of(folder / (task.name + ending)) for ending in ("-choosing", ""))
    if choosing.keys() != tested.keys():
        raise SystemExit(f"{folder}: the two runs of {task.name} have different trials")
    for run in ("-choosing", ""):
        for (dataset, repeat, fold), parts in test_parts_of(folder / (task.name + run)).items():
            if len(parts) != 1:
                raise SystemExit(f"{folder}: {dataset}, repeat {repeat}, fold {fold}: methods with different test parts")
    of_folds = {}
    choices = {}
    for trial, points in tested.items():
        on_validation = chosen(choosing[trial], task.score)
        choice = chosen(points, task.loo) if trial.method in LEAVE_ONE_OUT else on_validation
        values = [cost_of(points, point, task) for point in (choice, on_validation)]
        of_folds.setdefault((trial.dataset, trial.method), []).append(
            (*values, points[choice].seconds, search_seconds(choosing[trial])))
        note_choice(choices.setdefault(trial.method, Counter()), points[choice])
    means = {pair: [statistics.fmean(values) for values in zip(*rows)] for pair, rows in of_folds.items()}
    columns = [{pair: row[i] for pair, row in means.items()} for i in range(4)]
    described = json.loads((folder / task.name / "experiment.json").read_text())["data"]
    sizes = {name: (data["samples"], data["inputs"]) for name, data in described.items()}
    return Results(sizes, *columns, choices, len(next(iter(of_folds.values()))))


def cost_of(points, point, task):
    """Test cost of the chosen point: an infinite one where its training failed. Accuracies become shares of errors."""
    value = None if point is None else cost(points[point].metrics, task.score)
    if value is None:
        return math.inf
    return value if task.name == "regression" else 1 + value


def note_choice(counter, outcome):
    for place, value in outcome.parameters.items():
        counter[place.rsplit("/", 1)[-1], shown_parameter(place, value)] += 1
    if "/model/nodes" not in outcome.parameters and "/model/layers" not in outcome.parameters and outcome.nodes:
        counter["nodes", str(outcome.nodes)] += 1
    if outcome.iterations > 1:
        counter["steps or epochs", str(outcome.iterations)] += 1


def shown_parameter(place, value):
    if place.endswith("/layers"):
        return str(len(value))
    if place.endswith("/weights"):
        return f"±{value[1]:g}"
    return f"{value:g}"


def comparable(cost):
    """Costs are tied where they agree to five digits and five decimals: errors and accuracies in the records have six."""
    return round(float(f"{cost:.5g}"), 5)


def rank_table(results, costs="cost"):
    """Rows of costs of all data sets."""
    return [row for _, row in rows_of_sets(results, costs)]


def rows_of_sets(results, costs="cost"):
    return [(dataset, [comparable(getattr(task, costs)[dataset, method]) for method in METHODS])
            for task in results for dataset in task.datasets]


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|:--" + "|--:" * (len(header) - 1) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def shown_score(cost_value, task):
    if math.isinf(cost_value):
        return "failed"
    value = cost_value if task.name == "regression" else 1 - cost_value
    return f"{value:.3f}" if value < 10 else f"{value:.2f}"


def score_table(results, task):
    rows = []
    for dataset in results.datasets:
        cells = {method: shown_score(results.cost[dataset, method], task) for method in [*METHODS, BASELINE]}
        best = shown_score(min(results.cost[dataset, method] for method in METHODS), task)
        rows.append([dataset, *map(str, results.sizes[dataset]), *(f"**{cells[m]}**" if cells[m] == best else cells[m] for m in METHODS), cells[BASELINE]])
    return table(["data set", "samples", "inputs", *METHODS, BASELINE], rows)


def rank_rows(regression, classification):
    """One row for each method, best first."""
    overall, by_validation = (mean_ranks(rank_table([regression, classification], costs)) for costs in ("cost", "cost_validated"))
    of_task = [mean_ranks(rank_table([task])) for task in (regression, classification)]
    rows = []
    for j in sorted(range(len(METHODS)), key=lambda j: overall[j]):
        method = METHODS[j]
        first = sum(min(ranks(row)) == ranks(row)[j] for row in rank_table([regression, classification]))
        behind = [regression.cost[d, method] / min(regression.cost[d, m] for m in METHODS) for d in regression.datasets]
        points = [100 * (classification.cost[d, method] - min(classification.cost[d, m] for m in METHODS))
                  for d in classification.datasets]
        above = sum(comparable(task.cost[d, method]) < comparable(task.cost[d, BASELINE]) for task in (regression, classification) for d in task.datasets)
        rows.append([method, f"{overall[j]:.2f}", f"{of_task[0][j]:.2f}", f"{of_task[1][j]:.2f}", f"{by_validation[j]:.2f}", str(first),
                     f"{statistics.median(behind):.2f}", f"{statistics.fmean(points):.1f}", str(above)])
    return rows


def time_rows(tasks):
    """Ratios to elm of the same data set: geometric mean and range over the data sets."""
    rows = []
    for method in METHODS:
        cells = [method]
        for measured in ("seconds", "search"):
            ratios = [getattr(task, measured)[d, method] / getattr(task, measured)[d, "elm"] for task in tasks for d in task.datasets]
            cells += [f"{statistics.geometric_mean(ratios):.2g}", f"{min(ratios):.2g} to {max(ratios):.2g}"]
        rows.append([cell if j == 0 else plain(cell) for j, cell in enumerate(cells)])
    return rows


def plain(cell):
    """2.1e+02 -> 210."""
    return " ".join(f"{float(word):.0f}" if "e" in word else word for word in cell.split(" "))


def choice_rows(tasks):
    """What was chosen most often, and in how many of the folds."""
    rows = []
    for method in METHODS:
        cells = []
        for task in tasks:
            counts = task.choices[method]
            names = list(dict.fromkeys(name for name, _ in counts))
            best = {name: max((count, value) for (n, value), count in counts.items() if n == name) for name in names}
            cells.append("; ".join(f"{name} {value} ({count})" for name, (count, value) in best.items()))
        rows.append([method, *cells])
    return rows


def apart(names, R, difference):
    """Which mean ranks are at least the difference apart, in words."""
    order = sorted(range(len(R)), key=lambda j: R[j])
    sentences = []
    for first in order:
        behind = [names[j] for j in order if R[j] - R[first] >= difference]
        if behind:
            sentences.append(f"{names[first]} is ahead of {' and '.join(behind)}")
    return ", ".join(sentences) or "no two are"


def shown_p(p):
    return f"= {p:.1g}" if p >= 1e-4 else "< 0.0001"


def of_methods(values, digits):
    return {method: f"{value:.{digits}f}" for method, value in zip(METHODS, values)}


def p_validated(task):
    """Friedman's p of one task alone, every method choosing on the validation part."""
    return shown_p(friedman(rank_table([task], "cost_validated"))[1])


def in_fold(folder, dataset, fold):
    """Test RMSE of each method in one fold of a regression problem, by the choice that it offers."""
    task = TASKS[0]
    choosing, tested = (points_of(folder / (task.name + ending)) for ending in ("-choosing", ""))
    found = {}
    for trial, points in tested.items():
        if (trial.dataset, trial.fold) == (dataset, fold):
            loo = trial.method in LEAVE_ONE_OUT
            point = chosen(points if loo else choosing[trial], task.loo if loo else task.score)
            found[trial.method] = cost_of(points, point, task)
    return found


def numbers(folder, regression, classification):
    """What the words of the page need."""
    tasks = [regression, classification]
    both = [(results, task) for results, task in zip(tasks, TASKS)]
    rows, validated = rank_table(tasks), rank_table(tasks, "cost_validated")
    R, of_validated = mean_ranks(rows), mean_ranks(validated)
    k, N = len(METHODS), len(rows)
    difference = critical_difference(k, N)
    F, p = friedman(rows)
    at = METHODS.index
    loo = {m: sum(a[at(m)] < b[at(m)] for a, b in zip(rows, validated)) for m in METHODS if m in LEAVE_ONE_OUT}
    sizes = [samples for results in tasks for samples, _ in results.sizes.values()]
    times = time_rows(tasks)
    fifth = {method: value for method, value in in_fold(folder, "abalone", 4).items() if method != BASELINE}
    usual = [value for method, value in fifth.items() if method not in ("rvfl", "rls")]
    folds = regression.folds
    others = [comparable((folds * regression.cost["abalone", m] - fifth[m]) / (folds - 1)) for m in METHODS]
    without_fifth = mean_ranks([others if dataset == "abalone" else row for dataset, row in rows_of_sets(tasks)])
    without_planning = mean_ranks([row for dataset, row in rows_of_sets(tasks) if dataset != "planning_relax"])
    return dict(
        sets=N, regressions=len(regression.datasets), classifications=len(classification.datasets), fewest=min(sizes), most=max(sizes),
        alike=f"Friedman's test {'refutes' if p < 0.05 else 'does not refute'} that all seven are alike (p {shown_p(p)}).",
        spread=f"{max(R) - min(R):.2f}", difference=f"{difference:.2f}", apart=apart(METHODS, R, difference), F=f"{F:.1f}", p=shown_p(p),
        difference_regression=f"{critical_difference(k, len(regression.datasets)):.2f}",
        difference_classification=f"{critical_difference(k, len(classification.datasets)):.2f}",
        p_validated=shown_p(friedman(validated)[1]), p_validated_regression=p_validated(regression),
        p_validated_classification=p_validated(classification),
        rank_without_fifth=of_methods(without_fifth, 2), rank_without_planning=of_methods(without_planning, 2),
        apart_validated=apart(METHODS, of_validated, difference),
        rank=of_methods(R, 2), rank_validated=of_methods(of_validated, 2),
        rank_classification=of_methods(mean_ranks(rank_table([classification])), 2),
        points={row[0]: row[7] for row in rank_rows(regression, classification)},
        time={row[0]: row[1] for row in times}, search={row[0]: row[3] for row in times},
        score={d: {m: shown_score(results.cost[d, m], task) for m in [*METHODS, BASELINE]} for results, task in both for d in results.datasets},
        random={d: shown_score(min(results.cost[d, m] for m in ("elm", "rvfl", "bls")), task) for results, task in both for d in results.datasets},
        rls_ahead=sum(row[at("rls")] < row[at("adam")] for row in rows), rls_behind=sum(row[at("rls")] > row[at("adam")] for row in rows),
        loo_better=loo, loo_p={m: f"{sign_test(ahead, N - ahead):.1g}" for m, ahead in loo.items()},
        fifth={m: f"{value:.1f}" for m, value in fifth.items()}, fifth_least=f"{min(usual):.1f}", fifth_most=f"{max(usual):.1f}",
        folds=regression.folds * len(regression.datasets), folds_classification=classification.folds * len(classification.datasets))


def page(folder, regression, classification):
    tasks = [regression, classification]
    tables = dict(
        rank_table=table(["method", "mean rank", "regression", "classification", "all by validation", "best on",
                          "RMSE / best", "points behind", "ahead of linear"], rank_rows(regression, classification)),
        regression_table=score_table(regression, TASKS[0]), classification_table=score_table(classification, TASKS[1]),
        time_table=table(["method", "chosen network", "range", "whole grid", "range"], time_rows(tasks)),
        choice_table=table(["method", "regression", "classification"], choice_rows(tasks)).replace("--:|--:", ":--|:--"))
    return wrapped(PAGE.format(**numbers(folder, regression, classification), **tables))


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2] / "results" / "beyond"
    results = [results_of(folder, task) for task in TASKS]
    rows = rank_table(results)
    picture = diagram(METHODS, mean_ranks(rows), critical_difference(len(METHODS), len(rows)),
                      f"Mean ranks on {len(rows)} data sets (1 is best)")
    (folder / "ranks.svg").write_text(picture, encoding="utf-8")
    (folder / "README.md").write_text(page(folder, *results), encoding="utf-8")


if __name__ == "__main__":
    main()
