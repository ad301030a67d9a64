#!/usr/bin/env python3
"""results_test.py ELMX: published results agree with the pages that are made of them, and the check of it can fail."""
import fcntl
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from publishing.pages import PICTURED, about_pictures, pictures_of  # noqa: E402
from publishing.tables import FAMILIES, config_of, judge, read_published  # noqa: E402
from publishing.take_over import put_aside, swap  # noqa: E402
from publishing.thinned import metrics_of, publishable, thinned  # noqa: E402

ELMX = ""
MOST_BYTES = 12_000_000
PARTS = ["scripts/publish_results.py", "scripts/publishing", "README.md", "docs/explanation/reproductions.md", "results",
         "configs/paper", "data/paper"]
FEW = ("rls-table2", "elm-table1", "bls-table1")  # runs that are enough where the script itself is tried


def publish(root, *arguments, path=os.environ["PATH"]):
    """Exit code and lines of the script in a copy of the project."""
    done = subprocess.run([sys.executable, root / "scripts" / "publish_results.py", *arguments], capture_output=True, text=True,
                          env={**os.environ, "PATH": path})
    return done.returncode, (done.stdout + done.stderr).splitlines()


class ThinnedRecords(unittest.TestCase):
    def test_have_the_metrics_of_the_tables_to_the_last_digit_and_all_else(self):
        step = {"nodes": 5, "metrics": {"test_acc": 0.8383838383838383, "test_mcc": 0.5}, "notes": {"test_mcc": "0 / 0"},
                "parameters": {"sigma": 0.0009765625}}
        timing = {"features": 0.12345678, "machine": "AMD EPYC, kernel Zen, 1 thread", "steps": [{"total": 2.3456789, "rounds": [0.123456]}]}
        record = {"key": "1", "steps": [step], "timing": timing}
        kept = {"metrics": {"test_acc": 0.8383838383838383}, "notes": {}}
        self.assertEqual(thinned(record, {"test_acc"}), {
            "key": "1", "steps": [{**step, **kept}],
            "timing": {"features": 0.1235, "machine": "AMD EPYC, kernel Zen, 1 thread", "steps": [{"total": 2.346, "rounds": [0.1235]}]}})

    def test_of_a_grid_have_the_best_points_with_their_times(self):
        def run(repeat):
            steps = [{"nodes": 9, "metrics": {"test_acc": 1 / (1 + abs(point - 30)) + repeat * (point % 2), "nodes_kept": point},
                      "parameters": {"gamma": point}} for point in range(100)]
            steps.append({"nodes": 9, "metrics": {"test_acc": 0, "nodes_kept": 7}, "parameters": {"gamma": 7}, "chosen": "by loo_acc"})
            times = [{"total": point} for point in range(101)]
            return {"key": str(repeat), "case": "orl", "dataset": "orl", "algorithm": "elm", "point": {}, "repeat": repeat,
                    "steps": steps, "timing": {"features": 0, "steps": times}}
        whole = "".join(json.dumps(run(repeat)) + "\n" for repeat in (0, 1, -1)).encode()
        small = publishable(whole, ["s3elm-faces"], large=0)
        self.assertEqual(publishable(small, ["s3elm-faces"], large=0), small)
        for record in map(json.loads, small.splitlines()):
            chosen = [step["parameters"]["gamma"] for step in record["steps"]]
            self.assertIn(30, chosen[:-1])  # the best by the mean over the runs
            self.assertLess(len(chosen), 10)
            self.assertEqual(record["steps"][-1]["chosen"], "by loo_acc")
            self.assertEqual([time["total"] for time in record["timing"]["steps"]], [*chosen[:-1], 100])
        self.assertEqual(publishable(whole, ["s3elm-faces"], large=10**9), whole)

    def test_metrics_are_those_that_the_published_rows_name(self):
        self.assertEqual(metrics_of("s3elm-selm"), {"test_acc", "unlabelled_acc"})
        self.assertLess({"train_sn", "test_mcc"}, metrics_of("elm-table4"))


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.published = read_published()

    def test_counts_each_cell_that_has_a_rule_once(self):
        for table in self.published:
            shown = sum(row["verdict"] == "shown" for row in table.table["rows"])
            counted = sum(table.counts.values()) + table.not_counted + table.not_yet
            self.assertEqual(counted + shown, len(table.table["rows"]), table.id)
            self.assertTrue(table.unfinished or table.not_yet == 0, table.id)

    def test_begins_with_one_answer_a_paper(self):
        page = (ROOT / "docs" / "explanation" / "reproductions.md").read_text()
        parts = page.split("## Do the claims hold?\n\n")[1].split("\n\n## ")[0].split("\n\n")
        answers = [part for part in parts if not part.startswith("|")]  # a table of claims stands below each
        self.assertEqual([answer.split("]")[0] for answer in answers], [f"**[{name}" for name in FAMILIES.values()])
        self.assertEqual(len(parts), 2 * len(answers))

    def test_every_figure_that_was_run_has_a_picture_and_its_number(self):
        for table in self.published:
            if figure := re.search(r"-figure(\d+)", table.id):
                self.assertIn(table.id.split("-")[0], PICTURED)
                self.assertRegex(about_pictures(table, pictures_of(table)), rf"\bFigure {figure[1]}\b", table.id)

    def test_what_is_drawn_beside_published_values_comes_first(self):
        for table in self.published:
            if config_of(table.id)["paper"].get("plot_against"):
                self.assertTrue(pictures_of(table)[0].stem.endswith("_published"), table.id)


def reproduce(root, *arguments):
    """scripts/reproduce.sh in a copy of the project, with the program of the test in place of a build."""
    return subprocess.run([root / "scripts" / "reproduce.sh", *arguments], capture_output=True, text=True)


class PublishedResults(unittest.TestCase):
    """Each test has a copy of the project with a few runs, before or after scripts/reproduce.sh has taken them over."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.few, cls.reproduced = (Path(folder.name) / name for name in ("few", "reproduced"))
        for part in PARTS:
            (cls.few / part).parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / part).is_dir():
                shutil.copytree(ROOT / part, cls.few / part, ignore=cls.other_runs)
            else:
                shutil.copy(ROOT / part, cls.few / part)
        cls.replace_build(cls.few)
        assert publish(cls.few, "--pages") == (0, [])
        shutil.copytree(cls.few, cls.reproduced, symlinks=True)
        done = reproduce(cls.reproduced, "--full", "elm-table1")
        assert done.returncode == 0, done.stderr

    @staticmethod
    def other_runs(folder, names):
        return [name for name in names if name not in FEW and (Path(folder) / name / "tables").exists()]

    @staticmethod
    def replace_build(root):
        shutil.copy(ROOT / "scripts" / "reproduce.sh", root / "scripts")
        setup = root / "scripts" / "setup.sh"
        setup.write_text("#!/bin/sh\n")
        setup.chmod(0o755)
        (root / "build").mkdir()
        (root / "build" / "elmx").symlink_to(ELMX)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name) / "project"

    def begin_with(self, project):
        shutil.copytree(project, self.root, symlinks=True)

    def test_records_tables_and_pages_agree(self):
        self.assertEqual(publish(ROOT, ELMX, "--check"), (0, []))

    def test_what_was_changed_is_found(self):
        self.begin_with(self.few)
        file = self.root / "results" / "rls-table2" / "records.jsonl.gz"
        lines = gzip.decompress(file.read_bytes()).splitlines(keepends=True)
        file.write_bytes(gzip.compress(b"".join(lines[:-1]), mtime=0))
        pages = ["docs/explanation/reproductions.md", "README.md", "results/elm-table1/README.md"]
        for name in pages:
            file = self.root / name
            file.write_text(re.sub(r"\d+(?=\s+cells\s+are\s+not\s+counted| \|)", lambda number: str(int(number[0]) + 1), file.read_text(), count=1))
        code, found = publish(self.root, ELMX, "--check")
        self.assertEqual(code, 1)
        places = [line.split(": ")[0] for line in found]
        self.assertEqual(places[0], "results/rls-table2/tables/rls-table2.json")
        self.assertLessEqual(set(pages), set(places))

    def test_a_table_that_is_lacking_is_found(self):
        self.begin_with(self.few)
        for file in (self.root / "results" / "rls-table2" / "tables").iterdir():
            file.unlink()
        publish(self.root, "--pages")
        code, found = publish(self.root, ELMX, "--check")
        self.assertEqual((code, [line.split(": ")[0] for line in found]),
                         (1, [f"results/rls-table2/tables/rls-table2{end}" for end in (".json", ".md")]))

    def test_from_a_run_to_the_page(self):
        self.begin_with(self.few)
        out = self.root / "out" / "full"
        shutil.rmtree(self.root / "results" / "elm-table1")
        subprocess.run([ELMX, "reproduce", "elm-table1", "--full", "-o", out], check=True, capture_output=True)
        self.assertEqual(publish(self.root, ELMX), (0, []))
        self.assertIn("elm-table1", (self.root / "docs/explanation/reproductions.md").read_text())
        self.assertEqual(publish(self.root, ELMX, "--check"), (0, []))

    def test_full_scale_goes_on_with_what_is_published(self):
        self.begin_with(self.few)
        done = reproduce(self.root, "--full", "ELM-table1", "bls-table1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("| bls-table1 |", re.sub(" +", " ", done.stdout))
        for packed in (self.root / "results").glob("*/records.jsonl.gz"):
            run = self.root / "out" / "full" / packed.parent.name
            self.assertEqual((run / "records.jsonl").read_bytes(), gzip.decompress(packed.read_bytes()))
            self.assertTrue((run / "experiment.json").exists())
        self.assertEqual(publish(self.root, ELMX), (0, []))
        self.assertEqual(publish(self.root, ELMX, "--check"), (0, []))

        refused = reproduce(self.root, "--full", "elm-tabel1")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("reproduce: elm-tabel1: ", refused.stderr)

    def test_published_trials_are_never_lost(self):
        self.begin_with(self.reproduced)
        file = self.root / "out" / "full" / "rls-table2" / "records.jsonl"
        file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:-1]))
        before = (self.root / "results" / "rls-table2" / "records.jsonl.gz").read_bytes()
        code, lines = publish(self.root, ELMX)
        self.assertEqual(code, 1)
        self.assertIn("rls-table2: 1 of the trials", lines[-1])
        self.assertEqual((self.root / "results" / "rls-table2" / "records.jsonl.gz").read_bytes(), before)
        with file.open("ab") as records:
            records.write(b'{"key":"torn')
        self.assertEqual(reproduce(self.root, "--full", "elm-table1").returncode, 0)
        self.assertEqual({json.loads(line)["key"] for line in file.read_bytes().splitlines()},
                         {json.loads(line)["key"] for line in gzip.decompress(before).splitlines()})
        self.assertEqual(publish(self.root, ELMX), (0, []))

    def test_who_made_published_trials_stays_named(self):
        self.begin_with(self.reproduced)
        here, published = (self.root / folder / "rls-table2" / "experiment.json" for folder in ("out/full", "results"))
        earlier = json.loads(published.read_text())
        here.write_text(json.dumps({**earlier, "before": [], "begun": "2100-01-01T00:00:00Z", "machine": {"cpu": "another"}}))
        for _ in range(2):
            self.assertEqual(publish(self.root, ELMX), (0, []))
            now = json.loads(published.read_text())
            self.assertEqual(now["machine"], {"cpu": "another"})
            self.assertEqual(now["before"], [*earlier.get("before", []),
                                             {name: earlier[name] for name in ("begun", "elmx", "machine")}])

    def test_a_trial_that_failed_here_does_not_replace_a_published_one(self):
        self.begin_with(self.reproduced)
        file = self.root / "out" / "full" / "rls-table2" / "records.jsonl"
        whole = file.read_bytes()
        file.write_bytes(whole.replace(b'"status":"ok","steps"', b'"status":"crashed","steps"', 1))
        code, lines = publish(self.root, ELMX)
        self.assertEqual(code, 1)
        self.assertIn("rls-table2: 1 of the trials", lines[-1])
        self.assertEqual(reproduce(self.root, "--full", "elm-table1").returncode, 0)
        self.assertEqual(file.read_bytes().splitlines()[-1], whole.splitlines()[0])
        self.assertEqual(publish(self.root, ELMX), (0, []))

    def test_published_trials_that_a_config_no_longer_counts_are_not_dropped_silently(self):
        self.begin_with(self.reproduced)
        file = self.root / "out" / "full" / "rls-table2" / "experiment.json"
        experiment = json.loads(file.read_text())
        experiment["resolved"][0]["trials"].pop()
        file.write_text(json.dumps(experiment))
        code, lines = publish(self.root, ELMX)
        self.assertEqual(code, 1)
        self.assertIn("rls-table2: 1 of the trials", lines[-1])

    def test_a_run_that_is_being_written_to_is_left_alone(self):
        self.begin_with(self.reproduced)
        file = self.root / "out" / "full" / "rls-table2" / "records.jsonl"
        less = b"".join(file.read_bytes().splitlines(keepends=True)[:-1])
        file.write_bytes(less)
        folder = os.open(file.parent, os.O_RDONLY)
        fcntl.flock(folder, fcntl.LOCK_EX)
        self.assertIn("reproduce: out/full/rls-table2: ", reproduce(self.root, "--full", "elm-table1").stderr)
        self.assertEqual(file.read_bytes(), less)
        os.close(folder)

    def test_a_copy_that_was_stopped_loses_nothing(self):
        self.begin_with(self.reproduced)
        published = self.root / "results" / "rls-table2"
        published.rename(put_aside(published))
        self.assertEqual(publish(self.root, ELMX), (0, []))
        self.assertTrue((published / "records.jsonl.gz").exists())
        self.assertFalse(put_aside(published).exists())
        with self.assertRaises(FileNotFoundError):
            swap(published, published.with_name("none"))
        self.assertTrue((published / "records.jsonl.gz").exists())

    def test_a_run_that_has_just_begun_is_published(self):
        self.begin_with(self.few)
        run, published = self.root / "out" / "full" / "bls-norb", ROOT / "results" / "bls-norb"
        run.mkdir(parents=True)
        shutil.copy(published / "experiment.json", run)
        records = gzip.decompress((published / "records.jsonl.gz").read_bytes())
        (run / "records.jsonl").write_bytes(records.splitlines(keepends=True)[0])
        self.assertEqual(publish(self.root, ELMX), (0, []))
        self.assertIn("bls-table4", (self.root / "docs/explanation/reproductions.md").read_text())

    def test_what_was_not_made_anew_stays(self):
        self.begin_with(self.reproduced)
        published = self.root / "results" / "rls-table2"
        (published / "plots").mkdir(exist_ok=True)
        (published / "plots" / "one.svg").write_text("<svg/>")
        left = self.root / "results" / ".rls-table2.new"  # of a copy that was killed
        shutil.copytree(published, left)
        code, lines = publish(self.root, ELMX, path="")
        self.assertEqual((code, len(lines)), (0, 1), lines)
        self.assertRegex(lines[0], "rls-table2: .*gnuplot")
        self.assertTrue((published / "plots" / "one.svg").exists())
        self.assertFalse(left.exists())

    def test_a_picture_that_is_no_longer_drawn_goes(self):
        self.begin_with(self.reproduced)
        plots = self.root / "results" / "rls-table2" / "plots"
        plots.mkdir(exist_ok=True)
        (plots / "one.svg").write_text("<svg/>")
        self.assertEqual(publish(self.root, ELMX), (0, []))
        self.assertFalse(plots.exists())

    def test_nothing_to_publish_is_one_line(self):
        self.begin_with(self.few)
        code, lines = publish(self.root, ELMX, "--from", self.root / "none")
        self.assertEqual(code, 2)
        self.assertIn("--from", lines[-1])

    def test_they_are_small_and_name_no_folder_of_a_machine(self):
        files = [file for file in (ROOT / "results").rglob("*") if file.is_file()]
        self.assertLess(sum(file.stat().st_size for file in files), MOST_BYTES)
        for file in (ROOT / "results").glob("*/experiment.json"):
            command = file.read_text().split('"command"')[1].split("}")[0]
            self.assertNotIn("folder", command, file)
            self.assertNotRegex(command, r'[" =]/', file)


if __name__ == "__main__":
    ELMX = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
