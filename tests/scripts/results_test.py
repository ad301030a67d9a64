#!/usr/bin/env python3
"""results_test.py ELMX: published results agree with the pages that are made of them, and the check of it can fail."""
import gzip
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ELMX = ""
MOST_BYTES = 20_000_000
PARTS = ["scripts/publish_results.py", "README.md", "docs/explanation/reproductions.md", "results", "configs/paper"]


def publish(root, *arguments):
    """Exit code and lines of the script in a copy of the project."""
    done = subprocess.run([sys.executable, root / "scripts" / "publish_results.py", *arguments], capture_output=True, text=True)
    return done.returncode, (done.stdout + done.stderr).splitlines()


class PublishedResults(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)
        for part in PARTS:
            (self.root / part).parent.mkdir(parents=True, exist_ok=True)
            copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
            copy(ROOT / part, self.root / part)

    def test_records_tables_and_pages_agree(self):
        self.assertEqual(publish(self.root, ELMX, "--check"), (0, []))

    def test_what_was_changed_is_found(self):
        file = self.root / "results" / "rls-table2" / "records.jsonl.gz"
        lines = gzip.decompress(file.read_bytes()).splitlines(keepends=True)
        file.write_bytes(gzip.compress(b"".join(lines[:-1]), mtime=0))
        pages = ["docs/explanation/reproductions.md", "README.md", "results/elm-table1/README.md"]
        for name in pages:
            file = self.root / name
            file.write_text(re.sub(r"\d+(?= agree| \|)", lambda number: str(int(number[0]) + 1), file.read_text(), count=1))
        code, found = publish(self.root, ELMX, "--check")
        self.assertEqual(code, 1)
        self.assertEqual(found[0], "results/rls-table2/tables/rls-table2.json: is not what its records give")
        for name in pages:
            self.assertIn(f"{name}: is not what results/ gives", found)

    def test_from_a_run_to_the_page(self):
        out = self.root / "out" / "full"
        shutil.rmtree(self.root / "results" / "elm-table1")
        subprocess.run([ELMX, "reproduce", "elm-table1", "--full", "-o", out], check=True, capture_output=True)
        self.assertEqual(publish(self.root, ELMX), (0, []))
        self.assertIn("elm-table1", (self.root / "docs/explanation/reproductions.md").read_text())
        self.assertEqual(publish(self.root, ELMX, "--check"), (0, []))

    def test_nothing_to_publish_is_one_line(self):
        code, lines = publish(self.root, ELMX, "--from", self.root / "none")
        self.assertEqual(code, 2)
        self.assertIn("there is no such folder", lines[-1])

    def test_one_page_shows_all_of_them(self):
        page = self.root / "page.html"
        subprocess.run([ELMX, "report", self.root / "results", "-o", page], check=True, capture_output=True)
        text = page.read_text()
        for run in (self.root / "results").glob("*/tables"):
            self.assertIn(f'id="{run.parent.name}"', text)

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
