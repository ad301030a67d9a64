#!/usr/bin/env python3
"""What the documents say is so: links lead somewhere, prose lines are short, and every command of a block ```sh runs.

    tests/scripts/docs_test.py ELMX

The blocks of README.md run first, in a scratch folder; those of docs/how_to see the results that they leave. Each
tutorial has a folder of its own. A block ```json is the file whose name stands last before it.
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
LONGEST_LINE = 110
LONGEST_README = 100


def documents():
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def check_text(document):
    """Findings of links and lengths of lines; tables and blocks may be wider."""
    text = document.read_text(encoding="utf-8")
    name = document.relative_to(ROOT)
    findings = [f"{name}: {target}: no such file" for target in LINK.findall(text)
                if not (document.parent / target.split()[0]).exists()]
    prose = BLOCK.sub("", text)
    findings += [f"{name}: a line of {len(line)} characters; allowed: {LONGEST_LINE}: {line[:60]}"
                 for line in prose.splitlines() if len(line) > LONGEST_LINE and not line.startswith("|")]
    if name.name == "README.md" and text.count("\n") > LONGEST_README:
        findings.append(f"{name}: {text.count(chr(10))} lines; allowed: {LONGEST_README}")
    return findings


def run_blocks(document, folder, environment):
    """Runs the blocks in order, and says which of them fails."""
    text = document.read_text(encoding="utf-8")
    for block in BLOCK.finditer(text):
        language, content = block.groups()
        if language == "json":
            (folder / re.findall(r"`([\w.-]+\.json)`", text[:block.start()])[-1]).write_text(content, encoding="utf-8")
        if language != "sh":
            continue
        run = subprocess.run(["bash", "-euo", "pipefail", "-c", content], cwd=folder, env=environment, text=True,
                             capture_output=True, check=False)
        if run.returncode != 0:
            return [f"{document.relative_to(ROOT)}: exit {run.returncode} of\n{content}{run.stdout[-500:]}{run.stderr}"]
    return []


def write_own_data(folder):
    """yacht.csv and new.csv, which the README takes for granted."""
    rows = [(i % 7 - 3, i % 11 / 10, i * 5 % 13 / 4) for i in range(120)]
    (folder / "yacht.csv").write_text("centre,prism,froude,resistance\n" + "".join(
        f"{a},{b},{c},{c ** 3 + a * b}\n" for a, b, c in rows), encoding="utf-8")
    (folder / "new.csv").write_text("froude,prism,centre\n1.5,0.4,2\n", encoding="utf-8")


def main():
    program = Path(sys.argv[1]).resolve()
    findings = [finding for document in documents() for finding in check_text(document)]
    ran = 0
    with tempfile.TemporaryDirectory() as scratch:
        (Path(scratch) / "bin").mkdir()
        (Path(scratch) / "bin" / "elmx").symlink_to(program)
        environment = dict(os.environ, PATH=f"{scratch}/bin:{os.environ['PATH']}", ELMX_HOME=str(ROOT))
        of_readme = Path(scratch) / "readme"
        of_readme.mkdir()
        write_own_data(of_readme)
        keys = subprocess.run([program, "schema", "--markdown"], capture_output=True, text=True, check=True).stdout
        if keys != (ROOT / "docs/reference/config.md").read_text(encoding="utf-8"):
            findings.append("docs/reference/config.md: not what elmx schema --markdown writes")
        for document in documents():
            folder = of_readme
            if document.parent.name == "tutorials":
                folder = Path(scratch) / document.stem
                folder.mkdir()
            blocks = [block for block in BLOCK.findall(document.read_text(encoding="utf-8")) if block[0] == "sh"]
            ran += len(blocks)
            findings += run_blocks(document, folder, environment)
    print("\n".join(findings) or f"{len(documents())} documents, {ran} blocks of commands")
    return 1 if findings or ran == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
