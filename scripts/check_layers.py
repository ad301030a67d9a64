#!/usr/bin/env python3
"""Data flows one way: a file of src/ or apps/ includes only its own or an earlier stage, and only apps/ prints. A name that the linker
sees means one thing: two classes of one name in one namespace are undefined behaviour that no compiler finds.

    scripts/check_layers.py [ROOT]     one line a finding, exit 1 if there are any
"""
import re
import sys
from pathlib import Path

STAGES = ["base", "data", "preprocess", "linalg", "features", "graph", "solvers", "nets", "models", "metrics", "statistics",
          "experiment", "table_formats", "results", "tables", "external_predictions", "final_models", "plots", "page", "published", "apps"]
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
            findings.append(f"{shown}:1: is in no stage; move it to one of: {', '.join(STAGES)}")
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
                    findings.append(f'{shown}:{line}: includes "{target}", which is in no stage; use a path from src/, or <...>')
                continue
            if not quoted and not (root / "src" / target).exists():
                continue
            if STAGES.index(other) > STAGES.index(stage):
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
                findings.append(f"{shown}:{line}: defines {name}, which is already defined in {first[name]}")
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


FOLDERS_IN_ORDER = ("data",)  # stages whose folders do not include each other; the others follow


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


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
    findings, graph = check_includes(root)
    if not graph:
        findings.append(f"{root}: no C++ files in src/ or apps/")
    findings += check_circles(graph) + check_folders(graph) + check_types(root)
    print(*findings, sep="\n", end="\n" if findings else "")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
