#!/usr/bin/python3
"""The values of tests/*/golden/*.json, from their inputs by the formulas of the papers, in 80-bit arithmetic. It shares
nothing with elmx: plain matrices, no algorithm that saves work. The exact results of `elmx selftest` are in fractions.

    scripts/golden_values.py             # says how far the files are from what it finds; exit 1 beyond 1e-12
    scripts/golden_values.py --write     # writes them anew

Needs python3-numpy of Debian, whose Python it asks for by name.
"""
import argparse
import json
import pathlib
import sys

try:
    import numpy as np
except ImportError:
    print("golden_values: NumPy is not installed (Debian: python3-numpy)")
    sys.exit(77)

from golden import dec, exact, rls, s3elm

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILES = {**dec.FILES, **s3elm.FILES, **rls.FILES}
ALLOWED = 1e-12


def plain(value):
    """NumPy's numbers and arrays as those of JSON."""
    if isinstance(value, dict):
        return {key: plain(entry) for key, entry in value.items()}
    if isinstance(value, np.ndarray) and value.ndim == 0 or isinstance(value, np.floating):
        return float(value)
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(entry) for entry in value]
    return int(value) if isinstance(value, np.integer) else value


def text(value, indent=0):
    """JSON with a line for every row of numbers."""
    if not isinstance(value, (dict, list)) or not value:
        return json.dumps(value)
    if isinstance(value, list) and not any(isinstance(entry, (dict, list)) for entry in value):
        return json.dumps(value)
    pad = " " * (indent + 1)
    brackets = "{}" if isinstance(value, dict) else "[]"
    entries = [json.dumps(key) + ": " + text(entry, indent + 1) for key, entry in value.items()] if isinstance(
        value, dict) else [text(entry, indent + 1) for entry in value]
    return brackets[0] + "\n" + ",\n".join(pad + entry for entry in entries) + "\n" + " " * indent + brackets[1]


def numeric(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_array(value):
    return isinstance(value, list) and all(numeric(entry) or is_array(entry) for entry in value)


def distance(stored, found, place=""):
    """The largest |stored - found| / (1 + max |found|) of any array or number, and where; infinite where they do not
    have the same members."""
    if numeric(stored) and numeric(found) or is_array(stored) and is_array(found):
        a, b = np.array(stored, dtype=float), np.array(found, dtype=float)
        if a.shape != b.shape:
            return float("inf"), place
        return (float(np.max(abs(a - b)) / (1 + np.max(abs(b)))) if a.size else 0.0), place
    if isinstance(stored, dict) and isinstance(found, dict) and stored.keys() == found.keys():
        return max((distance(stored[key], found[key], f"{place}/{key}") for key in stored), default=(0.0, place))
    if isinstance(stored, list) and isinstance(found, list) and len(stored) == len(found):
        return max((distance(a, b, f"{place}/{i}") for i, (a, b) in enumerate(zip(stored, found))), default=(0.0, place))
    return (0.0 if stored == found else float("inf")), place


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    write = parser.parse_args().write
    failed = False
    for path in sorted(ROOT.glob("tests/*/golden/*.json")):
        content = json.loads(path.read_text())
        name = f"{path.parent.parent.name}/{path.stem}"
        if name not in FILES:
            print(f"{name:36} by another program: {content.get('made_by', 'unknown')}")
            continue
        found = plain(FILES[name](content["input"]))
        off, place = distance(content["expected"], found)
        failed = failed or not off <= ALLOWED
        print(f"{name:36} {off:8.1e}  {place}")
        if write:
            rest = {key: value for key, value in content.items() if key not in ("description", "made_by")}
            path.write_text(text({"description": content["description"], "made_by": "scripts/golden_values.py", **rest,
                                  "expected": found}) + "\n")
    header, content = ROOT / exact.FILE, exact.text()
    if write:
        header.write_text(content)
    same = header.read_text() == content
    print(f"{header.parent.name + '/' + header.stem:36} {'the same' if same else 'differs'}")
    return 1 if failed or not same else 0


if __name__ == "__main__":
    sys.exit(main())
