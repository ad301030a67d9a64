"""Large runs, small enough to be published: their records with the metrics that the tables of the paper have."""
import csv
import gzip
import json

from publishing.tables import ROOT, config_of

LARGE = 4_000_000  # bytes of packed records from which on a run is thinned


def packed(records):
    """The same of the same records: the header has no name and no time."""
    return gzip.compress(records, 9, mtime=0)


def rounded(value, digits):
    return float(f"{value:.{digits}g}") if isinstance(value, float) else value


def rounded_times(timing):
    return {"features": rounded(timing["features"], 4),
            "steps": [{key: rounded(value, 4) for key, value in time.items()} for time in timing["steps"]]}


def metrics_of(id):
    """The metrics of the records that the cells of the table are of, as paper.metric names them by the published rows."""
    paper = config_of(id)["paper"]
    with open(ROOT / "data" / "paper" / paper["published"], encoding="utf-8", newline="") as file:
        published = {paper.get("metric", "{metric}").format_map(row) for row in csv.DictReader(file)}
    return {paper.get("metric_names", {}).get(name, name).lower() for name in published}


def thinned(record, metrics):
    """The record with these metrics alone, and times to four digits. Metrics keep theirs: which point of a grid is best
    may hang on the last one."""
    steps = [{**step, **{part: {name: value for name, value in step[part].items() if name in metrics}
                         for part in ("metrics", "notes") if part in step}}
             for step in record["steps"]]
    return {**record, "steps": steps, "timing": rounded_times(record["timing"])}


def publishable(records, ids):
    """The lines of records.jsonl as they are published beside the tables `ids`."""
    if len(packed(records)) < LARGE:
        return records
    metrics = set().union(*map(metrics_of, ids))
    lines = [json.dumps(thinned(json.loads(line), metrics), separators=(",", ":"), ensure_ascii=False)
             for line in records.splitlines()]
    return ("\n".join(lines) + "\n").encode()
