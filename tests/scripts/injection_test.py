#!/usr/bin/env python3
"""Names are text wherever elmx writes them: injection_test.py ELMX.

A run has hostile names everywhere: of its file, columns, classes, categories, config, cases, methods and folders. Everything
that elmx makes of it is read by an independent parser of its kind, which must find the same names, or only text: HTML and
SVG, Markdown, CSV, JSON and LaTeX, scripts of gnuplot (which runs them) and of the shell (which runs them and the printed
commands), the terminal. A command in a name would leave a file PWNED. The judges are tried on wrong texts first."""
import csv
import html.parser
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata
import unittest
import xml.dom.minidom
from pathlib import Path

ELMX = ""
CANARY = "PWNED"

# Each text has a meaning somewhere. None has a "/" or a NUL, so that each can be the name of a file, too.
TEXTS = ["$(touch PWNED)", "`touch PWNED`", "; touch PWNED;", "' ; touch PWNED; '", '" ; touch PWNED; "', "\ntouch PWNED\n",
         "\r\ntouch PWNED\r\n", "'.system('touch PWNED').'", '".system("touch PWNED")."', "\n!touch PWNED\nprint 'x'\n",
         "@touch", "\\\\write18{touch PWNED}", "\\input{x}", "\\end{tabular}", "%", "#", "_", "^", "~", "{", "}", "$x$", "&",
         "<script>alert(1)<" + "\u2215script>", "<img src=x onerror=alert(1)>", "\" onload=\"alert(1)", "]]>", "<!--", "&lt;b&gt;",
         "a|b", "a\n\nb", "[x](javascript:alert(1))", "![x](y)", "**a**", "=cmd|' !A0", "+1+1", "-1-1", "@SUM(A1)", "\t=1+1",
         "-rf", "--help", "a,\"b\"", "a;b", "\x1b[31m", "\x1b]0;t\x07", "\x01\x08\x7f", "\x9b31m", "\u202egnp.exe", "\u2066a",
         "a\u2028b", "caf\u00e9 \u65e5\u672c", "\\", "a\\"]
# Not in JSON, which is UTF-8.
BYTES = [b"caf\xe9", b"\xff\xfe$(touch PWNED)", b"\xc0\xaf"]


def letters(text):
    """The text without what formats may replace or escape: blanks of any kind, and characters that do not print."""
    plain = re.sub(r"\\([nrt]|x[0-9a-f]{2}|u[0-9a-f]{4})", "", text)
    return "".join(c for c in plain if unicodedata.category(c)[0] not in "CZ" and c != "\ufffd")


class Elements(html.parser.HTMLParser):
    """The elements and attributes of a page, and its text."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes, self.text, self.others = set(), set(), "", []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.others += [value for name, value in attrs if name in ("href", "src") and not re.match(r"#|data:image/svg\+xml,", value or "")]

    def handle_data(self, data):
        self.text += data

    def handle_comment(self, data):
        self.others.append(data)


def judge_html(page, tags=frozenset(("p",)), attributes=frozenset(("class",))):
    """Elements and attributes that pages of harmless names do not have, links to elsewhere and comments."""
    found = Elements(page)
    return sorted(found.tags - tags) + sorted(found.attributes - attributes) + found.others


def judge_svg(text):
    """Elements that can run or load something."""
    document = xml.dom.minidom.parseString(text)
    wrong = []
    for element in document.getElementsByTagName("*"):
        if element.tagName in ("script", "foreignObject", "iframe", "image", "a", "animate", "set", "handler"):
            wrong.append(element.tagName)
        wrong += [name for name, value in element.attributes.items()
                  if name.startswith("on") or (name.endswith("href") and not value.startswith("#"))]
    return wrong


def judge_terminal(text):
    """Characters that steer a terminal or change the order of its text."""
    return sorted(hex(ord(c)) for c in set(text) - {"\n", "\t"} if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp"))


def words_of_tex(text):
    return set(re.findall(r"(?<!\\)(?:\\\\)*\\([a-zA-Z]+)", text))


def judge_tex(text, words=frozenset(("begin", "end", "textbf"))):
    """Control words that tables of harmless names do not have, apart from those of single characters, and what is not balanced."""
    wrong = sorted(word for word in words_of_tex(text) - words if not re.fullmatch(r"text(backslash|ascii\w+|less|greater|bar|quote\w+)|allowbreak", word))
    plain = re.sub(r"\\[\\%#_&${}~^,;! @-]", "", text)
    depth = 0
    for c in plain:
        depth += (c == "{") - (c == "}")
        if depth < 0:
            break
    environments = re.findall(r"\\(begin|end)\{(\w+\*?)\}", plain)
    opened = []
    for kind, name in environments:
        if kind == "begin":
            opened.append(name)
        elif not opened or opened.pop() != name:
            wrong.append("end of " + name)
    return wrong + opened + (["braces"] if depth else []) + [c for c in "#^~" if c in re.sub(r"(?m)^%.*|\$[^$\n]*\$", "", plain)]


def judge_markdown(text):
    """Rows of a table that have another number of cells than its heading, and markup beside it."""
    wrong, cells = [], 0
    for line in text.splitlines():
        plain = re.sub(r"\\.", "", line)
        if not plain.startswith("|"):
            cells = 0
        elif cells and plain.count("|") != cells:
            wrong.append(line)
        else:
            cells = plain.count("|")
        wrong += re.findall(r"<[a-zA-Z/!]|\]\(|`", plain)
    return wrong


def judge_csv(text):
    """Records of another length, and fields that a spreadsheet would run."""
    records = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    wrong = [record for record in records if len(record) != len(records[0])]
    return wrong + [field for record in records for field in record
                    if len(field) > 1 and field[0] in "=+-@\t\r" and not re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?|-?inf|nan", field)]


class Judges(unittest.TestCase):
    def test_find_what_they_are_for(self):
        for judge, wrong in ((judge_html, "<p onclick='x'>"), (judge_html, "<script>"), (judge_html, "<a href='javascript:x'>"),
                             (judge_svg, "<svg><script/></svg>"), (judge_svg, "<svg onload='x'/>"), (judge_terminal, "\x1b[m"),
                             (judge_terminal, "\u202ea"), (judge_tex, "\\input{x}"), (judge_tex, "a_b}"), (judge_tex, "\\\\\\input{x}"),
                             (judge_tex, "\\begin{tabular}"), (judge_tex, "a # b"), (judge_markdown, "| a |\n|---|\n| a | b |"),
                             (judge_markdown, "[a](b)"), (judge_csv, "a,b\n1\n"), (judge_csv, "a\n=1+1\n")):
            self.assertTrue(judge(wrong), (judge, wrong))
        for judge, right in ((judge_html, "<p class='a'>&lt;script&gt;</p>"), (judge_svg, "<svg><g id='a'/></svg>"),
                             (judge_terminal, "caf\u00e9\t\n"), (judge_tex, "\\textbf{a\\_b\\}} \\\\ 5\\%"),
                             (judge_markdown, "| a\\|b |\n|---|\n| \\*a |"), (judge_csv, "a,b\n-1,\"x,y\"\n")):
            self.assertEqual(judge(right), [])


class Names(unittest.TestCase):
    maxDiff = None

    tags = attributes = words = None

    def setUp(self):
        self.work = Path(tempfile.mkdtemp(prefix="elmx_injection_"))
        self.addCleanup(shutil.rmtree, self.work)

    def elmx(self, *arguments, code=0, stdin=None):
        environment = {key: value for key, value in os.environ.items() if not key.startswith("ELMX_")}
        done = subprocess.run([ELMX, *map(os.fsencode, arguments)], cwd=self.work, capture_output=True, check=False, input=stdin,
                              env={**environment, "HOME": str(self.work), "OPENBLAS_NUM_THREADS": "1"})
        said = (done.stdout + done.stderr).decode(errors="surrogateescape")
        if code is not None:
            self.assertEqual(done.returncode, code, f"{arguments}: {said}")
        self.assertNotIn("internal error", said)
        self.nothing_ran(arguments)
        self.assertEqual(judge_terminal(done.stderr.decode(errors="surrogateescape")), [], f"stderr of {arguments}")
        return done.stdout.decode(errors="surrogateescape"), done.stderr.decode(errors="surrogateescape")

    def nothing_ran(self, what):
        self.assertEqual([str(path) for path in self.work.rglob(CANARY + "*")], [], f"a name was run: {what}")

    def make_run(self, i, texts):
        """A run with the texts, from the i-th on, as names. Returns the name of its config and of its folder."""
        a, b, c, d, e, f = (texts[(i + k) % len(texts)] for k in range(6))
        columns = [f"{a} col", f"{b} cat", f"{c} y"]
        rows = io.StringIO(newline="")
        writer = csv.writer(rows, quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writerow(columns)
        for k in range(48):
            writer.writerow([k * 5 % 17, f"{d}{k % 3}" if k % 3 else f"{d} x", (f"{e} yes", f"{f} no")[k * 5 % 17 > 8 or k % 7 == 0]])
        data, config, folder = f"{a}.csv", f"{b}.json", f"{c} out"
        (self.work / data).write_text(rows.getvalue(), newline="")
        (self.work / config).write_text(json.dumps({
            "name": d, "split": {"folds": 2}, "save_model": True, "select": {"by": "loo_acc"},
            "data": {"path": data, "target": [columns[2]], "nominal": [columns[1]], "task": "classification"},
            "model": {"algorithms": ["panel", "standard"], "ridge": [0.1, 1], "nodes": [3, 6]},
            "cases": {e: {}, f"{f} 2": {"model": {"activation": "tanh"}}}}))
        return config, folder, {"input": columns[0], "category column": columns[1], "target": columns[2], "class": f"{e} yes",
                                "other class": f"{f} no", "case": e, "other case": f"{f} 2", "config": d, "file": data}

    def check_folder(self, folder):
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            if file.suffix == ".h5" or file.name in ("log.txt", ".elmx-files"):
                continue
            text = file.read_bytes().decode()  # UTF-8, whatever the names are
            judge = {".html": lambda page: judge_html(page, self.tags, self.attributes), ".svg": judge_svg, ".md": judge_markdown,
                     ".tex": lambda table: judge_tex(table, self.words)}.get(file.suffix)
            if file.suffix == ".csv" and file.parent.name == "tables":
                judge = judge_csv
            if judge:
                self.assertEqual(judge(text), [], file)
            if file.suffix in (".json", ".jsonl"):
                for part in [text] if file.suffix == ".json" else text.split("\n")[:-1]:
                    json.loads(part)
            else:
                self.assertEqual(judge_terminal(text) if file.parent.name in ("tables", "plots") else [], [], file)
            if file.suffix == ".gp" and shutil.which("gnuplot"):
                again = subprocess.run(["gnuplot", "--default-settings", file.name], cwd=file.parent, capture_output=True, check=False)
                self.assertEqual((again.returncode, again.stdout, b"x" in again.stderr.splitlines()), (0, b"", False), file)
                self.nothing_ran(file)

    def check_commands(self, said, arguments):
        """The commands that elmx prints in brackets or after "Next:" have these words as they are."""
        stub = self.work / "bin" / "elmx"
        stub.parent.mkdir(exist_ok=True)
        stub.write_text("#!/bin/sh\nprintf '%s\\0' \"$@\"\n")
        stub.chmod(0o755)
        for command in re.findall(r"\((elmx predict .*) DATA\)", said):
            done = subprocess.run(["bash", "-c", command], cwd=self.work, capture_output=True, check=True,
                                  env={**os.environ, "PATH": f"{stub.parent}:{os.environ['PATH']}"})
            self.assertEqual(done.stdout.decode().split("\0")[:-1], ["predict", *arguments])
            self.nothing_ran(command)

    def check_rows(self, folder, cases):
        """The cases head the rows of a table in every format; an independent reader finds their names."""
        pivot = ("table", "--metric=test_acc", "--rows=case", "--cols=algorithm", "--where", "chosen=best on the test part")
        wanted = sorted(map(letters, cases))
        found = {
            "json": [next(iter(row.values())) for row in json.loads(self.elmx(*pivot, "--format=json", "--", folder)[0])["rows"]],
            "csv": [re.sub("^'(?=[-=+@])", "", row[0]) for row in
                    list(csv.reader(io.StringIO(self.elmx(*pivot, "--format=csv", "--", folder)[0], newline="")))[1:]],
            "md": [re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", re.split(r"(?<!\\)(?:\\\\)*\|", line)[1]) for line in
                   self.elmx(*pivot, "--format=md", "--", folder)[0].splitlines() if line.startswith("|")][2:],
            "html": [Elements(cell).text for cell in re.findall(
                r"<tr>\s*<t[dh][^>]*>(.*?)</t[dh]>", self.elmx(*pivot, "--format=html", "--", folder)[0].split("<tbody>")[1], re.S)]}
        for kind, names in found.items():
            self.assertEqual(sorted(map(letters, names)), wanted, kind)
        self.assertEqual(judge_tex(self.elmx(*pivot, "--format=tex", "--", folder)[0], self.words), [])

    def write_table(self, data, name):
        rows = [b"%d,%s%d,%s\n" % (k * 5 % 17, name, k % 3, (b"yes" + name, b"no" + name)[k * 5 % 17 > 8]) for k in range(48)]
        (self.work / data).write_bytes(b"a%s,b%s,y%s\n" % (name, name, name) + b"".join(rows))

    def learn(self):
        """What the files of a run of harmless names have."""
        config, folder, _ = self.make_run(0, list("abcdefghijklmnopqrstuvwxyz"))
        self.write_table("harmless.csv", b"a")
        self.elmx("run", f"--output={folder}", "--", config)
        self.elmx("run", "--output=harmless", "--target=3", "harmless.csv")
        self.tags, self.attributes, self.words = set(), set(), set()
        for of_run in (folder, "harmless"):
            self.elmx("report", "--", of_run)
            page = Elements((self.work / of_run / "report.html").read_text())
            self.tags |= page.tags
            self.attributes |= page.attributes
            self.words |= set().union(*(words_of_tex(file.read_text()) for file in (self.work / of_run).rglob("*.tex")))

    def check_texts(self, texts):
        self.learn()
        for i in range(0, len(texts), 6):  # each text in one of the six places
            with self.subTest(text=texts[i]):
                config, folder, names = self.make_run(i, texts)
                self.elmx("validate", "--", config)
                said = self.elmx("run", f"--output={folder}", "--", config)
                for text in said:
                    self.assertEqual(judge_terminal(text), [])
                self.check_commands(said[1], [folder])
                for command in (("report",), ("table",), ("compare",)):
                    self.assertEqual(judge_terminal(self.elmx(*command, "--", folder)[0]), [])
                self.elmx("plot", "--", folder)
                self.check_folder(self.work / folder)
                self.check_rows(folder, [names["case"], names["other case"]])
                told = set()
                collect(json.loads((self.work / folder / "experiment.json").read_text()), told)
                collect(json.loads((self.work / folder / "data.json").read_text()), told)
                for what, name in names.items():
                    self.assertIn(letters(name), told, what)
                predicted = self.elmx("predict", "--", folder, names["file"])[0]
                rows = list(csv.DictReader(io.StringIO(predicted, newline=""), strict=True))
                self.assertLessEqual({letters(row["class"]) for row in rows}, {letters(names["class"]), letters(names["other class"])})
                self.assertEqual(judge_terminal(self.elmx("data", "info", "--", names["file"])[0]), [])
                shutil.rmtree(self.work / folder)

    def test_are_text_in_all_that_a_run_makes(self):
        self.check_texts(TEXTS)

    def test_that_are_no_utf8_are_text_too(self):
        self.learn()
        for i, name in enumerate(BYTES):
            with self.subTest(name=name):
                folder, data = name + b" out", f"{i}.csv"
                self.write_table(data, name)
                self.write_table(os.fsdecode(name + b".csv"), name)
                self.elmx("run", "--target=3", b"--", name + b".csv", code=2)  # no config can have this path
                for text in self.elmx("run", b"--output=" + folder, "--target=3", data):
                    self.assertEqual(judge_terminal(text), [])
                self.elmx("report", "--", folder)
                self.elmx("plot", "--", folder)
                self.check_folder(self.work / os.fsdecode(folder))


def collect(value, told):
    """The letters of all texts in a JSON value."""
    if isinstance(value, str):
        told.add(letters(value))
    for part in [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []:
        collect(part, told)


if __name__ == "__main__":
    ELMX = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
