#!/bin/bash
# Prints which lines and branches of src/ the tests run, by stage: scripts/coverage.sh [arguments of ctest]
# Lines and branches that no test runs are listed in build-coverage/uncovered.txt. Tests that fail, because the instrumented program is
# slower and larger, are named and do not stop the script. The counters are shared memory in the files build-coverage/profiles, so they
# also count in processes that are killed. Code after a call that throws counts as run; scripts/test.sh shows whether it is right.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

FOLDER=$PWD/build-coverage
LLVM_PROFILE_FILE=/dev/null scripts/setup.sh coverage

rm -rf "$FOLDER/profiles"
export LLVM_PROFILE_FILE=$FOLDER/profiles/%m%c.profraw
export GOMP_SPINCOUNT=${GOMP_SPINCOUNT:-4000}  # as scripts/test.sh
ctest --preset coverage --parallel "$((4 * $(nproc) + 3))" "$@" || echo "coverage: the tests above failed"

"$(clang++ -print-prog-name=llvm-profdata)" merge -sparse "$FOLDER"/profiles/*.profraw -o "$FOLDER/profile"
mapfile -t OBJECTS < <(find "$FOLDER/tests" -name 'test_*' -type f -executable -printf '-object\n%p\n')
"$(clang++ -print-prog-name=llvm-cov)" show "$FOLDER/elmx" "${OBJECTS[@]}" -instr-profile="$FOLDER/profile" \
  -show-branches=count -show-instantiations=false src apps > "$FOLDER/annotated.txt"

python3 - "$FOLDER" << 'END'
import collections, re, sys

folder = sys.argv[1]
lines, branches, code = (collections.defaultdict(dict) for _ in range(3))  # by file, then by place
for row in open(folder + "/annotated.txt", encoding="utf-8", errors="replace"):
    if heading := re.fullmatch(r".*?/((?:src|apps)/[^|:]+):\n", row):
        file = heading[1]
    elif line := re.match(r" *(\d+)\| *([\d.kMGTPE]*)\|(.*)", row):
        number = int(line[1])
        code[file][number] = line[3].strip()
        if line[2]:
            lines[file][number] = lines[file].get(number, False) or line[2] != "0"
    elif branch := re.match(r"[ |]*Branch \((\d+):(\d+)\): \[True: (\S+), False: (\S+)\]", row):
        for way, count in enumerate(branch.groups()[2:]):  # once for each instance of a template
            place = (int(branch[1]), int(branch[2]), ("true", "false")[way])
            branches[file][place] = branches[file].get(place, False) or count != "0"

with open(folder + "/uncovered.txt", "w") as uncovered:
    for file in sorted(lines):
        for number, taken in sorted(lines[file].items()):
            if not taken:
                print(f"{file}:{number}: never run: {code[file][number]}", file=uncovered)
        for (number, column, way), taken in sorted(branches[file].items()):
            if not taken and lines[file].get(number):
                print(f"{file}:{number}:{column}: never {way}: {code[file][number]}", file=uncovered)

print(f"{'stage':12}{'lines':>8}{'not run':>8}{'run':>9}{'branches':>10}{'not taken':>10}{'taken':>9}")
stages = collections.defaultdict(list)
for file in sorted(lines):
    top, stage = file.split("/")[:2]
    for name in [stage, "src"] if top == "src" else ["apps"]:
        stages[name].append(file)
for name in sorted(stages, key=lambda name: (name in ("src", "apps"), name)):
    sums = [[taken for file in stages[name] for taken in table[file].values()] for table in (lines, branches)]
    (n, run), (m, taken) = [(len(s), sum(s)) for s in sums]
    print(f"{name:12}{n:8}{n - run:8}{100 * run / n:8.1f}%{m:10}{m - taken:10}{100 * taken / max(m, 1):8.1f}%")
END
