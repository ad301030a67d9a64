#!/usr/bin/env python3
"""What the documents say is so: links lead somewhere, prose lines are short, and every command runs.

    tests/scripts/docs_test.py ELMX

A block has a language, which says what becomes of it:

    sh, python   it is run; where a library of Python is lacking, the rest of the page is skipped, with a message
    json         the file whose name stands last before it; a part of a config is laid over first.json and must be valid
    matlab       it is not run, and must say so
    text         what a program prints: no line of it may begin with a command

Directly before a block that is not to be run stands its reason, <!-- not run: it takes hours -->. The commands of such
a block, and those in the prose, are checked as command lines (command_lines.py).

The blocks of README.md run first, in a scratch folder without data; the other pages see the files that they leave.
Each tutorial has a folder of its own. No data set of the catalogue is there. The tables in LaTeX that pages write are
typeset, where pdflatex is installed.
"""
import ast
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from command_lines import CommandLines

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^(?:<!-- not run: ([^\n]+) -->\n)?```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STRAY_FENCE = re.compile(r"^[ \t]*(?:```|~~~).*$|^<!-- not run.*$", re.MULTILINE)
COMMAND_IN_PROSE = re.compile(r"`((?:elmx|scripts/[^`\s]+)(?:\s[^`]*)?)`")
COMMAND_IN_TEXT = re.compile(r"^(?:\$ .*|(?:elmx|scripts/\S+)(?:\s.*)?)$", re.MULTILINE)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
LONGEST_LINE = 110
LONGEST_README = 100
SECONDS_OF_A_BLOCK = 300


class Block(NamedTuple):
    reason: str
    language: str
    content: str
    before: str


class Outcome(NamedTuple):
    """Of a block or a page: what is wrong, how many blocks ran, how many were only checked, and what was skipped."""
    findings: list
    ran: int = 0
    checked: int = 0
    skipped: list = []

    def __add__(self, other):
        return Outcome(*(mine + others for mine, others in zip(self, other)))


def documents():
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")),
            *sorted((ROOT / "results").rglob("README.md"))]


def blocks_of(text):
    return [Block(*block.groups(default=""), text[:block.start()]) for block in BLOCK.finditer(text)]


def check_text(document):
    """Findings of links and lengths of lines; tables and blocks may be wider."""
    text = document.read_text(encoding="utf-8")
    name = document.relative_to(ROOT)
    findings = [f"{name}: {target}: no such file" for target in LINK.findall(text)
                if not (document.parent / target.split()[0]).exists()]
    prose = BLOCK.sub("", text)
    findings += [f"{name}: expected lines of at most {LONGEST_LINE} characters, found {len(line)}: {line[:60]}"
                 for line in prose.splitlines() if len(line) > LONGEST_LINE and not line.startswith(("|", "!["))]
    findings += [f"{name}: no block of this test: {line}" for line in STRAY_FENCE.findall(prose)]
    if document == ROOT / "README.md" and text.count("\n") > LONGEST_README:
        findings.append(f"{name}: expected at most {LONGEST_README} lines, found {text.count(chr(10))}")
    return findings


def missing_libraries(code):
    modules = {alias.name for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Import) for alias in node.names}
    modules |= {node.module for node in ast.walk(ast.parse(code)) if isinstance(node, ast.ImportFrom)}
    return sorted(module for module in {name.split(".")[0] for name in modules} if not importlib.util.find_spec(module))


class Pages:
    """Runs the blocks of pages in their folders."""

    def __init__(self, program, environment):
        self.program, self.environment = program, environment
        self.command_lines = CommandLines(program, ROOT, environment)

    def run_page(self, document, folder):
        text = document.read_text(encoding="utf-8")
        outcome = Outcome([])
        for block in blocks_of(text):
            outcome += self.check_block(block, folder) if block.reason else self.run_block(block, folder)
            if outcome.findings or outcome.skipped:
                break
        in_prose = [" ".join(command.split()) for command in COMMAND_IN_PROSE.findall(BLOCK.sub("", text))]
        findings = outcome.findings + self.command_lines.findings("\n".join(in_prose))
        name = document.relative_to(ROOT)
        return Outcome([f"{name}: {finding}" for finding in findings], outcome.ran, outcome.checked,
                       [f"{name}: {message}" for message in outcome.skipped])

    def run_block(self, block, folder):
        if block.language == "sh":
            return self.run(["bash", "-euo", "pipefail", "-c", block.content], folder, block)
        if block.language == "python":
            return self.run_python(block, folder)
        if block.language == "json":
            return self.use_json(block, folder)
        if block.language == "text":
            return Outcome([f"a command in a block of text: {line}" for line in COMMAND_IN_TEXT.findall(block.content)])
        return Outcome([f"a block ```{block.language} without <!-- not run: REASON -->:\n{block.content}"])

    def check_block(self, block, folder):
        if block.language == "sh":
            syntax = self.run(["bash", "-n", "-c", block.content], folder, block)
            return Outcome(syntax.findings + self.command_lines.findings(block.content), checked=1)
        if block.language == "python":
            syntax = self.run([sys.executable, "-c", f"compile({block.content!r}, 'block', 'exec')"], folder, block)
            return Outcome(syntax.findings, checked=1)
        if block.language == "matlab":
            return Outcome([], checked=1)
        return Outcome([f"a block ```{block.language} is never run; it needs no reason why not:\n{block.content}"])

    def run_python(self, block, folder):
        missing = missing_libraries(block.content)
        if missing:
            return Outcome([], skipped=[f"from the first block of Python that needs {', '.join(missing)}"])
        return self.run([sys.executable, "-c", block.content], folder, block)

    def use_json(self, block, folder):
        if block.content.startswith("{"):
            names = re.findall(r"`([\w.-]+\.json)`", block.before)
            if not names:
                return Outcome([f"a block ```json of which no name stands before it:\n{block.content}"])
            (folder / names[-1]).write_text(block.content, encoding="utf-8")
            return Outcome([])
        (folder / "part.json").write_text(f"{{{block.content}}}", encoding="utf-8")
        return self.run([self.program, "validate", "first.json", "part.json"], folder, block)

    def run(self, command, folder, block):
        run = subprocess.run(command, cwd=folder, env=self.environment, text=True, capture_output=True, check=False,
                             timeout=SECONDS_OF_A_BLOCK)
        if run.returncode != 0:
            return Outcome([f"exit {run.returncode} of\n{block.content}{run.stdout[-500:]}{run.stderr}"])
        return Outcome([], ran=1)


def make_folder(folder):
    """With the configs and the published results of the source beside it, as some pages take for granted."""
    folder.mkdir()
    for name in ("configs", "results"):
        (folder / name).symlink_to(ROOT / name)
    return folder


def check_keys(program):
    keys = subprocess.run([program, "schema", "--markdown"], capture_output=True, text=True, check=True).stdout
    if keys != (ROOT / "docs/reference/config.md").read_text(encoding="utf-8"):
        return ["docs/reference/config.md: does not match elmx schema --markdown"]
    return []


def check_latex(folder):
    """Findings of the tables in LaTeX that the pages have written: all of them fit a page of two columns."""
    if not shutil.which("pdflatex"):
        return Outcome([], skipped=["tables in LaTeX: pdflatex is not installed"])
    tables = "".join(f"\\input{{{table.name}}}\\clearpage\n" for table in sorted(folder.glob("*.tex")))
    (folder / "all.tex").write_text("\\documentclass[twocolumn]{article}\n\\usepackage{booktabs}\n"
                                    "\\setlength{\\textwidth}{7.16in}\\setlength{\\columnsep}{0.16in}\n"
                                    f"\\begin{{document}}\n{tables}\\end{{document}}\n", encoding="utf-8")
    run = subprocess.run(["pdflatex", "-halt-on-error", "all.tex"], cwd=folder, capture_output=True, check=False)
    log = run.stdout.decode(errors="replace")
    wrong = [line for line in log.splitlines() if re.match(r"!|Overfull|LaTeX Warning: Label .* multiply", line)]
    return Outcome([f"tables in LaTeX: {line}" for line in wrong or [log[-500:]] * (run.returncode != 0)], ran=1)


def main():
    program = Path(sys.argv[1]).resolve()
    outcome = Outcome([finding for document in documents() for finding in check_text(document)] + check_keys(program))
    with tempfile.TemporaryDirectory() as scratch:
        commands, data = Path(scratch) / "bin", Path(scratch) / "data"
        commands.mkdir()
        data.mkdir()
        (commands / "elmx").symlink_to(program)
        pages = Pages(program, dict(os.environ, PATH=f"{commands}:{os.environ['PATH']}", ELMX_HOME=str(ROOT),
                                    ELMX_DATA=str(data)))
        of_readme = make_folder(Path(scratch) / "readme")
        for document in documents():
            has_own_folder = document.parent.name == "tutorials"
            folder = make_folder(Path(scratch) / document.stem) if has_own_folder else of_readme
            outcome += pages.run_page(document, folder)
        outcome += check_latex(of_readme)
    for line in [*outcome.findings, *(f"skipped: {message}" for message in outcome.skipped)]:
        print(line)
    print(f"{len(documents())} documents, {outcome.ran} blocks run, {outcome.checked} blocks checked without a run")
    return 1 if outcome.findings or outcome.ran == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
