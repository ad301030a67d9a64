#!/usr/bin/env python3
"""The history of the performance: what is appended, and when scripts/bench_history.py fails.

    tests/scripts/bench_history_test.py ELMX
"""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ELMX = sys.argv.pop(1) if len(sys.argv) > 1 else None


class History(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.history = self.folder / "history.jsonl"

    def add(self, **ratios):
        """Adds ratios of one family; returns the outcome of the script."""
        lines = [json.dumps({"family": "f", "name": name, "ratio": ratio}) for name, ratio in ratios.items()]
        (self.folder / "ratios").write_text("\n".join(lines))
        return subprocess.run([sys.executable, ROOT / "scripts/bench_history.py", self.folder / "ratios", "--elmx", ELMX,
                               "--folder", self.folder], capture_output=True, text=True)

    def entries(self):
        return [json.loads(line) for line in self.history.read_text().splitlines()]

    def test_every_ratio_is_kept_with_machine_and_commit(self):
        self.assertEqual(self.add(a=2.0, b=0.5).returncode, 0)
        self.assertEqual(self.add(a=1.9).returncode, 0)
        self.assertEqual([(one["name"], one["ratio"]) for one in self.entries()], [("a", 2.0), ("b", 0.5), ("a", 1.9)])
        for entry in self.entries():
            self.assertTrue(entry["cpu"] and entry["commit"] and entry["threads"] and entry["blas"])
        self.assertIn("| f | a | 1.90 | 2.00 | 2 |", (self.folder / "README.md").read_text())

    def test_a_fall_by_more_than_a_tenth_fails(self):
        self.add(a=2.0, b=1.0)
        self.assertEqual(self.add(a=1.81, b=0.91).returncode, 0)
        fallen = self.add(a=1.82, b=0.8)
        self.assertEqual(fallen.returncode, 1)
        self.assertIn("f: b: 0.91 -> 0.80", fallen.stderr)
        self.assertNotIn("f: a", fallen.stderr)
        self.assertEqual(len(self.entries()), 6)

    def test_other_machines_are_not_compared(self):
        self.add(a=2.0)
        self.history.write_text(json.dumps({**self.entries()[0], "cpu": "another"}) + "\n")
        self.assertEqual(self.add(a=1.0).returncode, 0)


if __name__ == "__main__":
    unittest.main()
