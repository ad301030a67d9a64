#!/usr/bin/env python3
"""The published page of ranks is what elmx compare --ranks finds in the records beside it.

    tests/scripts/beyond_test.py ELMX
"""
import csv
import gzip
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PUBLISHED = ROOT / "results" / "beyond"
ELMX = sys.argv.pop(1) if len(sys.argv) > 1 else None
sys.path.insert(0, str(ROOT / "scripts"))
from publish_beyond import METHODS, write_chosen  # noqa: E402


def ranks(folder, tasks):
    """{method: row} of the first table that the commands on the page print. The folder is that of write_chosen."""
    done = subprocess.run([ELMX, "compare", *(f"{folder}/{task}" for task in tasks), "--ranks", "--by", f"case={','.join(METHODS)}",
                           "--digits", "5", "-o", "/dev/null", "--format", "csv"], check=True, capture_output=True, text=True)
    return {row["method"]: row for row in csv.DictReader(done.stdout.split("\n\n")[0].splitlines())}


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
    def setUp(self):
        lines = re.findall(r"^\| (\w+) \| ([0-9.]+ \|.*) \|$", (PUBLISHED / "README.md").read_text(), re.MULTILINE)
        self.page = {method: cells.split(" | ") for method, cells in lines if len(cells.split(" | ")) == 8}
        self.assertEqual(set(self.page), set(METHODS))

    @unittest.skipUnless(ELMX, "without elmx")
    def test_ranks_are_those_of_the_page(self):
        both = ["regression", "classification"]
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as validated:
            write_chosen(Path(folder), False)
            write_chosen(Path(validated), True)
            columns = [ranks(folder, both), ranks(folder, both[:1]), ranks(folder, both[1:]), ranks(validated, both)]
        for column, found in enumerate(columns):
            self.assertEqual({method: f"{float(row['mean_rank']):.2f}" for method, row in found.items()},
                             {method: cells[column] for method, cells in self.page.items()}, column)
        self.assertEqual({method: row["best_on"] for method, row in columns[0].items()},
                         {method: cells[4] for method, cells in self.page.items()})

    def test_nothing_published_names_a_folder_of_a_machine(self):
        for path in PUBLISHED.rglob("*"):
            if path.is_file():
                content = path.read_bytes()
                text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
                for place in ("/home/", "/tmp/", "/work/", "/root/"):
                    self.assertNotIn(place, text, path.name)


if __name__ == "__main__":
    unittest.main()
