"""Large runs, small enough to be published: their records with the metrics that the tables of the paper have."""
import csv
import gzip
import json

from publishing.tables import ROOT, config_of

LARGE = 4_000_000  # bytes of packed records from which on a run is thinned
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
    with open(ROOT / "data" / "paper" / paper["published"], encoding="utf-8", newline="") as file:
        published = {paper.get("metric", "{metric}").format_map(row).lower() for row in csv.DictReader(file)}
    return {ours.get(name, name) for name in published}


def thinned(record, metrics):
    """The record with these metrics alone, without the counts of confusion, and times to four digits. Metrics keep theirs:
    which point of a grid is best may hang on the last one."""
    steps = [{**{name: value for name, value in step.items() if name != "confusion"},
              **{part: {name: value for name, value in step[part].items() if name in metrics}
                 for part in ("metrics", "notes") if part in step}}
             for step in record["steps"]]
    return {**record, "steps": steps, "timing": rounded_times(record["timing"])}


def publishable(records, ids, large=LARGE):
    """The lines of records.jsonl as they are published beside the tables `ids`."""
    if len(packed(records)) < large:
        return records
    metrics = OF_CHOICE.union(*map(metrics_of, ids))
    lines = [json.dumps(thinned(json.loads(line), metrics), separators=(",", ":"), ensure_ascii=False)
             for line in records.splitlines()]
    return ("\n".join(lines) + "\n").encode()
