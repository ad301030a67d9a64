#!/usr/bin/env python3
"""Checks the structure of the source. Prints one line for each violation, and the number of arrows between folders. The exit
code is 1 if there is a violation or if there are too many arrows.

    scripts/check_layers.py [ROOT]
    scripts/check_layers.py --draw     prints the folders in layers, with arrows
    scripts/check_layers.py --renew    puts this drawing into CONTRIBUTING.md

Data flows in one direction: a file of src/ or apps/ includes only files of its own or an earlier stage, and only apps/
prints. No two classes of one namespace have the same name, which would be undefined behaviour that no compiler finds.
An arrow is a pair of a stage and another stage that it includes. The drawing in CONTRIBUTING.md agrees with the source.
"""
import argparse
import re
import sys
from pathlib import Path

STAGES = {  # folder -> its purpose; a folder uses only folders above it
    "base": "errors, options, JSON, random numbers, files, ranks",
    "data": "from a file to a data set: readers, column types, splits, transforms",
    "linalg": "tiled BLAS, Gram and kernel matrices, Cholesky and QR factors",
    "features": "feature maps: random nodes, direct links, layers",
    "solvers": "ridge algorithms, one class each",
    "cluster": "MPI and ScaLAPACK: one ridge problem over several ranks (optional)",
    "nets": "perceptrons and deep networks, with their optimisers",
    "models": "families of models: features, solver and growth; calibration",
    "metrics": "metrics of regression and classification",
    "statistics": "summaries, paired tests, ranks, ratios of times",
    "experiment": "config, plan, trials, records, shards, saved models",
    "report": "the frame of a run and its views: tables, diagrams, page, final models",
    "published": "published numbers beside measured ones, verdicts",
    "apps": "the command line, and the only code that prints",
}
ORDER = list(STAGES)
MOST_ARROWS = 45  # of 91 possible ones; with every new one, less of the source can be read by itself
APPS_ONLY = ("CLI/", "spdlog/")

COMMENT_OR_STRING = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"([^()\s\\]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)
PRINTING = re.compile(r"std::(?:wcout|wcerr|cout|cerr|clog)\b|\b(?:stdout|stderr)\b|(?<![\w.>])v?printf\s*\(|"
                      r"(?<![\w.>])(?:puts|putchar|perror)\s*\(|\bfmt::print\b")


def blanked(text, strings):
    """The text without comments (and, if asked, string literals); every line keeps its number."""
    def blank(match):
        if match[0][0] != "/" and not strings:
            return match[0]
        return " " + "\n" * match[0].count("\n")
    return COMMENT_OR_STRING.sub(blank, text)


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def sources(root):
    """(path as written in an include, stage, file) of every C++ file."""
    for base in (root / "src", root / "apps"):
        for file in sorted(base.rglob("*")):
            if file.suffix in (".hpp", ".cpp", ".h", ".in"):
                name = file.relative_to(root / "src" if base.name == "src" else root).as_posix()
                yield name, name.split("/")[0], file


def check_includes(root):
    """Findings of all files, and who includes whom: name -> [(line, name)]."""
    findings, graph = [], {}
    for name, stage, file in sources(root):
        shown = file.relative_to(root)
        text = file.read_text(encoding="utf-8")
        if stage not in STAGES or "/" not in name:
            findings.append(f"{shown}:1: is in no stage (expected one of {', '.join(STAGES)})")
            continue

        code = blanked(text, strings=False)
        graph[name] = []
        for match in INCLUDE.finditer(code):
            line = line_of(code, match.start())
            quoted, target = match[1] is not None, match[1] or match[2]
            if target.startswith(APPS_ONLY) and stage != "apps":
                findings.append(f'{shown}:{line}: includes <{target}>, which only apps/ may include')
                continue
            if quoted and "/" not in target:
                target = f"{name.rsplit('/', 1)[0]}/{target}"
            if quoted and stage == "apps" and (root / "apps" / target).exists():
                target = f"apps/{target}"
            other = target.split("/")[0]
            if other not in STAGES:
                if quoted:
                    findings.append(f'{shown}:{line}: includes "{target}" of no stage (use a path from src/, or <...>)')
                continue
            if not quoted and not (root / "src" / target).exists():
                continue
            if ORDER.index(other) > ORDER.index(stage):
                findings.append(f'{shown}:{line}: includes "{target}" of a later stage ({stage} > {other})')
            graph[name].append((line, target))

        if stage != "apps":
            code = blanked(text, strings=True)
            for match in PRINTING.finditer(code):
                findings.append(f"{shown}:{line_of(code, match.start())}: prints ({match[0].rstrip(' (')}), "
                                "which only apps/ may do")
    return findings, graph


TYPE = re.compile(r"\b(?:class|struct|union|enum(?:\s+class|\s+struct)?)\s+(?:\[\[[^]]*\]\]\s*|alignas\([^)]*\)\s*)*(\w+)\s*(?:final\s*)?(?:[:{])")
SCOPE = re.compile(r"\bnamespace\s*((?:\w+(?:::\w+)*)?)\s*\{|[{}]|" + TYPE.pattern)


def types_of(code):
    """(line, qualified name) of every type that is defined at the scope of a namespace with a name."""
    scopes = []  # names of namespaces; None: an unnamed one, or any other pair of braces
    for match in SCOPE.finditer(code):
        text = match[0]
        if text == "}":
            if scopes:
                scopes.pop()
            continue
        if text.startswith("namespace"):
            scopes.append(match[1] or None)
            continue
        if match[2]:
            template = code[:match.start()].rstrip().endswith("<")  # a parameter of a template
            if None not in scopes and not template:
                yield line_of(code, match.start()), "::".join(scopes + [match[2]])
            if text.endswith(":"):  # its base classes; the brace comes by itself
                continue
        scopes.append(None)


def check_types(root):
    """One finding for each type that is defined a second time."""
    findings, first = [], {}
    for _, _, file in sources(root):
        shown = file.relative_to(root)
        for line, name in types_of(blanked(file.read_text(encoding="utf-8"), strings=True)):
            if name in first:
                findings.append(f"{shown}:{line}: defines {name}, which {first[name]} defines already")
            first.setdefault(name, f"{shown}:{line}")
    return findings


def check_circles(graph):
    """One finding for each include that closes a circle."""
    findings, done = [], set()

    def visit(name, trail):
        for line, target in graph.get(name, []):
            if target in trail + [name]:
                circle = (trail + [name])[(trail + [name]).index(target):] + [target]
                shown = name if name.startswith("apps/") else f"src/{name}"
                findings.append(f'{shown}:{line}: includes "{target}" in a circle ({" > ".join(circle)})')
            elif target not in done:
                visit(target, trail + [name])
        done.add(name)

    for name in graph:
        if name not in done:
            visit(name, [])
    return findings


FOLDERS_IN_ORDER = ("base", "data")  # stages whose folders do not include each other; the others follow


def check_folders(graph):
    """One finding for each pair of folders of a stage that include each other, directly or through others."""
    findings = []
    for stage in FOLDERS_IN_ORDER:
        includes = {}  # folder -> folder -> "FILE:LINE" of one include
        for name, targets in graph.items():
            folder = name.rpartition("/")[0]
            for line, target in targets:
                other = target.rpartition("/")[0]
                if folder != other and {folder.split("/")[0], other.split("/")[0]} == {stage}:
                    includes.setdefault(folder, {}).setdefault(other, f"src/{name}:{line}")

        def reaches(start, end, seen):
            return any(other == end or (other not in seen and reaches(other, end, seen | {other}))
                       for other in includes.get(start, {}))

        for folder, others in sorted(includes.items()):
            for other, place in sorted(others.items()):
                if reaches(other, folder, {other}):
                    findings.append(f"{place}: {folder} includes {other}, which includes {folder}")
    return findings


BEGIN, END = "<!-- made by scripts/check_layers.py: begin -->\n", "<!-- made by scripts/check_layers.py: end -->\n"


def uses_of(graph):
    """Stage -> the other stages that its files include."""
    uses = {}
    for name, targets in graph.items():
        stage = name.split("/")[0]
        uses.setdefault(stage, set()).update(other for _, target in targets if (other := target.split("/")[0]) != stage)
    return uses


def count_of_arrows(graph):
    count = sum(map(len, uses_of(graph).values()))
    return count, f"There are {count} arrows between the folders, and at most {MOST_ARROWS} are allowed."


def drawing(graph):
    """The stages in layers, the last one first, and the number of arrows. An arrow that follows from others is left out."""
    uses = uses_of(graph)
    below, layer = {}, {}  # of each stage: all stages that it uses, directly or not, and its height above the first
    for stage in filter(uses.__contains__, ORDER):
        direct = uses[stage] & below.keys()
        below[stage] = direct.union(*(below[other] for other in direct))
        layer[stage] = max((layer[other] + 1 for other in direct), default=0)

    lines = []
    for stage in sorted(layer, key=lambda stage: (-layer[stage], ORDER.index(stage))):
        direct = sorted(uses[stage] & below.keys(), key=ORDER.index)
        nearest = [other for other in direct if not any(other in below[between] for between in direct)]
        arrow = "<- " + ", ".join(nearest) if nearest else ""
        lines.append(f"{layer[stage]:2}  {stage:20}  {arrow:30}  {STAGES[stage]}\n")
    return "```text\n" + "".join(lines) + "```\n\n" + count_of_arrows(graph)[1] + "\n"


def check_drawing(file, graph, renew):
    """A finding if the drawing in the file is out of date. If asked, it is renewed instead."""
    if not file.exists():
        return []
    before, _, rest = file.read_text(encoding="utf-8").partition(BEGIN)
    drawn, _, after = rest.partition(END)
    if renew and rest:
        file.write_text(before + BEGIN + drawing(graph) + END + after, encoding="utf-8")
    elif drawn != drawing(graph):
        return [f"{file.name}: the drawing of the source is out of date (run scripts/check_layers.py --renew)"]
    return []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--draw", action="store_true")
    parser.add_argument("--renew", action="store_true")
    options = parser.parse_args()
    findings, graph = check_includes(options.root)
    if options.draw:
        print(drawing(graph), end="")
        return 0
    if not graph:
        findings.append(f"{options.root}: no C++ files in src/ or apps/")
    findings += check_circles(graph) + check_folders(graph) + check_types(options.root)
    findings += check_drawing(options.root / "CONTRIBUTING.md", graph, options.renew)
    count, caption = count_of_arrows(graph)
    print(*findings, caption, sep="\n")
    return 1 if findings or count > MOST_ARROWS else 0


if __name__ == "__main__":
    sys.exit(main())
