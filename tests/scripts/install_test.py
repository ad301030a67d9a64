#!/usr/bin/env python3
"""An installed program that was moved: install_test.py BUILD_FOLDER. Works in a temporary folder."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BUILD = Path(sys.argv.pop(1)).resolve()


def run(*command, folder, **more):
    environment = {key: value for key, value in os.environ.items() if key != "ELMX_HOME"}
    return subprocess.run([str(word) for word in command], cwd=folder, env=environment, capture_output=True, text=True, **more)


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.home = Path(cls.folder.name)
        done = run("cmake", "--install", BUILD, "--prefix", cls.home / "first", folder=cls.home)
        assert done.returncode == 0, done.stderr
        cls.prefix = (cls.home / "first").rename(cls.home / "second")
        cls.elmx = cls.prefix / "bin/elmx"
        cls.share = cls.prefix / "share/elmx"

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_runs_a_config_that_came_with_it(self):
        done = run(self.elmx, "run", self.share / "configs/fourier.json", "-o", "out", folder=self.home)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.home / "out/records.jsonl").exists())

    def test_reads_what_lies_beside_it_and_not_the_source_tree(self):
        catalogue = self.share / "data/catalogue.json"
        text = catalogue.read_text()
        sets = json.loads(text)
        sets["sets"] = sets["sets"][:1]
        try:
            catalogue.write_text(json.dumps(sets))
            done = run(self.elmx, "list", "datasets", folder=self.home)
        finally:
            catalogue.write_text(text)
        self.assertIn(sets["sets"][0]["name"], done.stdout)
        self.assertNotIn("mnist", done.stdout)

    def test_has_the_published_tables(self):
        done = run(self.elmx, "plan", self.share / "configs/paper/elm-table2.json", "--data", "nowhere", folder=self.home)
        self.assertIn("nowhere", done.stderr, "the config is found, the data are not")
        self.assertTrue(any((self.share / "data/paper").iterdir()))

    def test_has_a_manual_page_a_command_and_completions(self):
        pages = {page.name for page in (self.prefix / "share/man/man1").iterdir()}
        self.assertLessEqual({"elmx.1", "elmx-run.1", "elmx-data-fetch.1", "elmx-init.1"}, pages)
        checked = run("bash", "-n", self.prefix / "share/bash-completion/completions/elmx", folder=self.home)
        self.assertEqual(checked.returncode, 0, checked.stderr)
        for file in ("zsh/vendor-completions/_elmx", "fish/vendor_completions.d/elmx.fish"):
            self.assertIn("reproduce", (self.prefix / "share" / file).read_text())

    def test_the_package_depends_on_the_libraries_of_the_program(self):
        done = run("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", self.home / "package", folder=self.home)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        package = next((self.home / "package").glob("elmx_*.deb"))
        depends = run("dpkg-deb", "--field", package, "Depends", folder=self.home).stdout
        for library in ("libhdf5", "libarchive", "libcurl", "libopenblas"):
            self.assertIn(library, depends)
        content = run("dpkg-deb", "--contents", package, folder=self.home).stdout
        for file in ("./usr/bin/elmx", "./usr/share/elmx/data/catalogue.json", "./usr/share/man/man1/elmx.1"):
            self.assertIn(file, content)


if __name__ == "__main__":
    unittest.main()
