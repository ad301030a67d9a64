#!/usr/bin/env python3
"""Ranks and the critical difference by hand, the choice inside the training part on a tiny run, and the published page.

    tests/scripts/rank_methods_test.py ELMX
"""
import csv
import gzip
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "ranks"))

import mean_ranks as ranking  # noqa: E402
import nested_choice  # noqa: E402
import rank_methods  # noqa: E402
import thin_records  # noqa: E402

PUBLISHED = ROOT / "results" / "beyond"
ELMX = sys.argv.pop(1) if len(sys.argv) > 1 else None
# Demsar 2006, table 5a: q of alpha 0.05 for 2 to 10 methods, three digits
DEMSAR = {2: 1.960, 3: 2.343, 4: 2.569, 5: 2.728, 6: 2.850, 7: 2.949, 8: 3.031, 9: 3.102, 10: 3.164}


class Ranks(unittest.TestCase):
    # four data sets, three methods: ranks (1 2 3), (1 2 3), (1 3 2), (2 1 3)
    TABLE = [[1.0, 2.0, 3.0], [0.1, 0.2, 0.3], [5.0, 7.0, 6.0], [2.0, 1.0, 9.0]]

    def test_equal_scores_share_the_mean_of_their_ranks(self):
        self.assertEqual(ranking.ranks([0.3, 0.1, 0.3]), [2.5, 1, 2.5])
        self.assertEqual(ranking.ranks([1, 1, 1, 0]), [3, 3, 3, 1])
        self.assertEqual(ranking.ranks([2.0, math.inf, 1.0]), [2, 3, 1])

    def test_mean_ranks_and_friedman_by_hand(self):
        self.assertEqual(ranking.mean_ranks(self.TABLE), [1.25, 2.0, 2.75])
        # chi2 = 12 4 / (3 4) (1.25^2 + 2^2 + 2.75^2 - 12) = 4.5,  F = 3 4.5 / (8 - 4.5)
        F, p = ranking.friedman(self.TABLE)
        self.assertAlmostEqual(F, 27 / 7, places=12)
        # of 2 and 6 degrees of freedom: (1 + 2 F / 6)^-3
        self.assertAlmostEqual(p, (1 + 9 / 7) ** -3, places=9)

    def test_the_same_order_everywhere_leaves_no_doubt(self):
        self.assertEqual(ranking.friedman([[1, 2, 3]] * 4), (math.inf, 0.0))

    def test_F_of_one_and_one_degrees_of_freedom_is_a_cauchy_variable_squared(self):
        for F in (0.2, 1.0, 30.0):
            self.assertAlmostEqual(ranking.above_F(F, 1, 1), 1 - 2 / math.pi * math.atan(math.sqrt(F)), places=9)

    def test_bounds_of_the_range_are_those_of_the_table(self):
        self.assertAlmostEqual(ranking.range_bound(2, 0.05) / math.sqrt(2), 1.959964, places=6)
        for k, q in DEMSAR.items():
            self.assertLess(abs(ranking.range_bound(k, 0.05) / math.sqrt(2) - q), 0.0011, k)

    def test_critical_difference_of_demsar_s_example(self):
        self.assertAlmostEqual(ranking.critical_difference(4, 14), 2.569 * math.sqrt(4 * 5 / (6 * 14)), places=3)

    def test_sign_test_counts_what_is_as_far_from_the_middle(self):
        self.assertAlmostEqual(ranking.sign_test(12, 3), 2 * (1 + 15 + 105 + 455) / 2 ** 15, places=15)
        self.assertEqual(ranking.sign_test(3, 12), ranking.sign_test(12, 3))
        self.assertEqual(ranking.sign_test(4, 4), 1)

    def test_groups_are_the_largest_without_a_difference(self):
        self.assertEqual(ranking.level_groups([1, 2, 3], 1.5), [[0, 1], [1, 2]])
        self.assertEqual(ranking.level_groups([3, 1, 2], 5), [[1, 2, 0]])
        self.assertEqual(ranking.level_groups([1, 5], 1), [])
        self.assertEqual(ranking.level_groups([1, 2], 1), [])  # as far apart as the difference: told apart
        self.assertEqual(ranking.level_groups([1, 1.5, 4, 4.2, 9], 1), [[0, 1], [2, 3]])


def outcome(parameters, nodes, iterations, **metrics):
    return nested_choice.Outcome(parameters, nodes, iterations, metrics, 1.0)


class Choice(unittest.TestCase):
    def test_least_error_or_largest_accuracy(self):
        points = {"a": outcome({}, 10, 0, test_rmse=2, test_acc=0.5), "b": outcome({}, 20, 0, test_rmse=1, test_acc=0.4)}
        self.assertEqual(nested_choice.chosen(points, "test_rmse"), "b")
        self.assertEqual(nested_choice.chosen(points, "test_acc"), "a")
        self.assertIsNone(nested_choice.chosen(points, "loo_mse"))

    def test_of_equals_fewest_nodes_then_steps_then_the_largest_penalty(self):
        points = {"a": outcome({"/model/ridge": 1}, 20, 10, test_acc=0.9), "b": outcome({"/model/ridge": 1}, 10, 30, test_acc=0.9),
                  "c": outcome({"/model/ridge": 1}, 10, 10, test_acc=0.9), "d": outcome({"/model/ridge": 2}, 10, 10, test_acc=0.9)}
        self.assertEqual(nested_choice.chosen(points, "test_acc"), "d")
        del points["d"], points["c"]
        self.assertEqual(nested_choice.chosen(points, "test_acc"), "b")


def write_run(folder, name, scores):
    """scores: {method: [(ridge, loo_mse, test_rmse)]} of one fold of the data set "tiny"."""
    lines = [json.dumps({"dataset": "tiny", "case": method, "repeat": 0, "fold": 0, "point": {"/model/ridge": ridge},
                         "steps": [{"nodes": 5, "metrics": {"loo_mse": loo, "test_rmse": rmse}}],
                         "timing": {"features": 0.25, "steps": [{"total": 0.5}]}, "samples": {"test": name}})
             for method, points in scores.items() for ridge, loo, rmse in points]
    (folder / name).mkdir()
    (folder / name / "records.jsonl.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    (folder / name / "experiment.json").write_text(json.dumps({"data": {"tiny": {"samples": 5, "inputs": 1}}}))


class NestedChoice(unittest.TestCase):
    """What is best on the test part is chosen by none: elm takes the least leave-one-out error, dec that of the first run."""

    def test_scores_are_those_of_points_chosen_inside_the_training_part(self):
        methods = [*rank_methods.METHODS, rank_methods.BASELINE]
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write_run(folder, "regression-choosing", {method: [(1, 9, 3), (2, 9, 2), (3, 9, 4)] for method in methods})
            write_run(folder, "regression", {method: [(1, 5, 10), (2, 6, 20), (3, 7, 1)] for method in methods})
            results = rank_methods.results_of(folder, rank_methods.TASKS[0])
        self.assertEqual(results.cost["tiny", "elm"], 10)
        self.assertEqual(results.cost_validated["tiny", "elm"], 20)
        self.assertEqual(results.cost["tiny", "dec"], 20)
        self.assertEqual(results.seconds["tiny", "dec"], 0.75)
        self.assertEqual(results.search["tiny", "dec"], 3 * 0.75)

    def test_methods_with_other_test_parts_are_refused(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for run in ("regression-choosing", "regression"):
                write_run(folder, run, {"elm": [(1, 5, 10)], "dec": [(1, 5, 10)]})
            path = folder / "regression" / "records.jsonl.gz"
            lines = gzip.decompress(path.read_bytes()).decode().splitlines()
            other = json.loads(lines[1]) | {"samples": {"test": "another"}}
            path.write_bytes(gzip.compress("\n".join([lines[0], json.dumps(other)]).encode()))
            with self.assertRaisesRegex(SystemExit, "tiny, repeat 0, fold 0: methods with different test parts"):
                rank_methods.results_of(folder, rank_methods.TASKS[0])


class Thinning(unittest.TestCase):
    def test_keeps_the_named_metrics_and_no_path(self):
        record = {"case": "dec", "timing": {"features": 0.0, "steps": [{"nodes": 5, "total": 0.123456}]},
                  "steps": [{"nodes": 5, "status": "ok", "metrics": {"test_rmse": 1.23456789, "train_rmse": 1.0}, "trace": {"loss": [1]}}]}
        self.assertEqual(thin_records.thinned(record, ["test_rmse"]),
                         {"case": "dec", "timing": {"features": 0.0, "steps": [{"nodes": 5, "total": 0.1235}]},
                          "steps": [{"nodes": 5, "status": "ok", "metrics": {"test_rmse": 1.23457}}]})
        experiment = {"command": {"line": "/a/elmx run /b/configs/x.json -o out", "folder": "/b", "data": "/c"},
                      "resolved": [{"case": "a", "trials": ["1"]}, {"case": "a"}, {"case": "b"}]}
        self.assertEqual(thin_records.without_paths(experiment),
                         {"command": {"line": "elmx run configs/x.json -o out"}, "resolved": [{"case": "a"}, {"case": "b"}]})


@unittest.skipUnless(ELMX and (Path(os.environ.get("ELMX_DATA", ROOT / "data")) / "yacht").exists(), "without elmx or its data sets")
class OuterFolds(unittest.TestCase):
    def rows(self, *configs):
        folder = ROOT / "configs" / "beyond"
        done = subprocess.run([ELMX, "folds", *(folder / f"{name}.json" for name in configs), "--set", "data.set=yacht"],
                              check=True, capture_output=True, text=True)
        parts = {}
        for row in csv.DictReader(done.stdout.splitlines()):
            parts.setdefault((row["fold"], row["part"]), set()).add(row["row"])
        return parts

    def test_the_choice_sees_the_training_part_alone_and_all_of_it(self):
        tested, choosing = self.rows("methods", "regression"), self.rows("methods", "regression", "choosing")
        for fold in "01234":
            self.assertEqual(choosing[fold, "train"] | choosing[fold, "test"], tested[fold, "train"])
            self.assertFalse(choosing[fold, "train"] & choosing[fold, "test"])
            self.assertFalse(tested[fold, "train"] & tested[fold, "test"])


class Published(unittest.TestCase):
    def written(self, change=None):
        """README.md and ranks.svg as the script writes them from the published records, changed where `change` is given."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name) / "beyond"
            shutil.copytree(PUBLISHED, folder, ignore=shutil.ignore_patterns("*.md", "*.svg"))
            if change:
                path = folder / "regression" / "records.jsonl.gz"
                path.write_bytes(gzip.compress(change(gzip.decompress(path.read_bytes()).decode()).encode(), 1))
            script = ROOT / "scripts" / "ranks" / "rank_methods.py"
            subprocess.run([sys.executable, script, folder], check=True)
            return [(folder / file).read_text(encoding="utf-8") for file in ("README.md", "ranks.svg")]

    def test_page_and_picture_are_those_of_the_records(self):
        published = [(PUBLISHED / file).read_text(encoding="utf-8") for file in ("README.md", "ranks.svg")]
        self.assertEqual(self.written(), published)
        twice = self.written(lambda records: records.replace('"test_rmse":0.', '"test_rmse":9.'))
        self.assertNotEqual(twice[0], published[0])
        self.assertNotEqual(twice[1], published[1])

    def test_nothing_published_names_a_folder_of_a_machine(self):
        for path in PUBLISHED.rglob("*"):
            if path.is_file():
                content = path.read_bytes()
                text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
                for place in ("/home/", "/tmp/", "/work/", "/root/"):
                    self.assertNotIn(place, text, path.name)

    @unittest.skipUnless(ELMX, "without elmx")
    def test_leave_one_out_choices_are_those_of_elmx(self):
        for task in rank_methods.TASKS:
            results = rank_methods.results_of(PUBLISHED, task)
            done = subprocess.run([ELMX, "table", PUBLISHED / task.name, "--metric", task.score, "--rows", "dataset", "--cols", "case",
                                   "--stat", "mean", "--format", "csv", "--where", f"chosen=by {task.loo}"],
                                  check=True, capture_output=True, text=True)
            rows = list(csv.DictReader(line for line in done.stdout.splitlines() if line))
            self.assertEqual({row["dataset"] for row in rows}, set(results.datasets))
            for row in rows:
                for method in rank_methods.LEAVE_ONE_OUT:
                    cell = next(value for name, value in row.items() if name.split("/")[0] == method)
                    cost = results.cost[row["dataset"], method]
                    self.assertAlmostEqual(float(cell), cost if task.name == "regression" else 1 - cost, places=5,
                                           msg=f"{row['dataset']} {method}")


if __name__ == "__main__":
    unittest.main()
