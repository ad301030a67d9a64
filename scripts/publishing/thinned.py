"""Large runs, small enough to be published: their records with the metrics that the tables of the paper have, and of the grid of
an algorithm the points that can be the best."""
import collections
import csv
import gzip
import itertools
import json

from publishing.tables import ROOT, config_of

LARGE = 100_000  # bytes of packed records from which on a run is thinned
MOST_POINTS = 2  # of a grid, for each metric: the best by the mean over the runs
OF_CHOICE = {"test_acc", "test_rmse", "loo_mse", "gcv", "loo_acc", "loo_bac"}  # by which a point of a grid is best


def packed(records):
    """The same of the same records: the header has no name and no time."""
    return gzip.compress(records, 9, mtime=0)


def rounded(value, digits):
    """A number to so many significant digits, and each of a list; what is no fraction stays as it is."""
    if isinstance(value, list):
        return [rounded(one, digits) for one in value]
    return float(f"{value:.{digits}g}") if isinstance(value, float) else value


def rounded_times(timing):
    return {**timing, "features": rounded(timing["features"], 4),
            "steps": [{key: rounded(value, 4) for key, value in time.items()} for time in timing["steps"]]}


def metrics_of(id):
    """What the records have for the cells of a table: paper.metric, filled in with each published row."""
    paper = config_of(id)["paper"]
    ours = {name.lower(): metric.lower() for name, metric in paper.get("metric_names", {}).items()}
    files = paper["published"] if isinstance(paper["published"], list) else [paper["published"]]
    published = set()
    for name in files:
        with open(ROOT / "data" / "paper" / name, encoding="utf-8", newline="") as file:
            published |= {paper.get("metric", "{metric}").format_map(row).lower() for row in csv.DictReader(file)}
    return {ours.get(name, name) for name in published}


def thinned(record, metrics):
    """The record with these metrics alone, without the counts of confusion, times to four digits and traces to six. Metrics
    keep theirs: which point of a grid is best may hang on the last one."""
    steps = [{**{name: value for name, value in step.items() if name != "confusion"},
              **{part: {name: value for name, value in step[part].items() if name in metrics}
                 for part in ("metrics", "notes") if part in step},
              **({"trace": {name: rounded(values, 6) for name, values in step["trace"].items()}} if "trace" in step else {})}
             for step in record["steps"]]
    return {**record, "steps": steps, "timing": rounded_times(record["timing"])}


def is_grid_point(step):
    """A step of one of many points, not the one that the trial has chosen."""
    return bool(step.get("parameters")) and not step.get("chosen")


def point_of(record, step):
    """A point of the grid of an algorithm in one setting of a run; repeats and folds have it in common."""
    setting = json.dumps([record["case"], record["dataset"], record["algorithm"], record["point"]], sort_keys=True)
    return setting, json.dumps([step["nodes"], step.get("iterations"), step["parameters"]], sort_keys=True)


def best_points(records):
    """The points that are among the best of their setting by the mean of a metric of OF_CHOICE or of the unlabelled part."""
    values = collections.defaultdict(lambda: collections.defaultdict(list))  # (setting, metric) -> point -> values
    for record in records:
        for step in filter(is_grid_point, record["steps"]):
            setting, point = point_of(record, step)
            for name in (OF_CHOICE | {"unlabelled_acc"}) & set(step.get("metrics", {})):
                values[setting, name][point].append(step["metrics"][name])
    best = set()
    for (setting, name), points in values.items():
        sign = 1 if name.endswith(("mse", "gcv")) else -1
        mean = {point: sign * sum(of) / len(of) for point, of in points.items()}
        best.update((setting, point) for point in sorted(mean, key=mean.get)[:MOST_POINTS])
    return best


def with_points(record, best):
    """The record without the grid points that are not in `best`; the times of its steps are in their order."""
    kept = [not is_grid_point(step) or point_of(record, step) in best for step in record["steps"]]
    return {**record, "steps": list(itertools.compress(record["steps"], kept)),
            "timing": {**record["timing"], "steps": list(itertools.compress(record["timing"]["steps"], kept))}}


def publishable(records, ids, large=LARGE):
    """The lines of records.jsonl as they are published beside the tables `ids`."""
    if len(packed(records)) < large:
        return records
    metrics = OF_CHOICE.union(*map(metrics_of, ids))
    known = [thinned(json.loads(line), metrics) for line in records.splitlines()]
    best = best_points(known)
    lines = [json.dumps(with_points(record, best), separators=(",", ":"), ensure_ascii=False) for record in known]
    return ("\n".join(lines) + "\n").encode()
