#!/usr/bin/env python3
"""The script of mutants runs on a project with two mutants: one that its test finds, and one that it does not."""
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILES = {
    "CMakeLists.txt": """
        cmake_minimum_required(VERSION 3.25)
        project(tiny CXX)
        find_package(GTest REQUIRED)
        add_library(elmx_core STATIC src/statistics/tiny.cpp src/statistics/other.cpp)
        set_target_properties(elmx_core PROPERTIES UNITY_BUILD ON)
        add_subdirectory(tests)""",
    "tests/CMakeLists.txt": """
        add_executable(test_statistics statistics/tiny_test.cpp)
        target_link_libraries(test_statistics PRIVATE elmx_core GTest::gtest_main)""",
    "src/statistics/other.cpp": "int other() { return 5; }",
    "src/statistics/tiny.cpp": """#include <stdexcept>
        // a comment: 1 + 1 < 3
        int sum(int a, int b) { return a + b; }
        bool below(int a, int b) { return a < b; }
        void refuse() { throw std::invalid_argument("1 + 1 < 3"); }""",
    "tests/statistics/tiny_test.cpp": """
        #include <gtest/gtest.h>
        int sum(int, int);
        int other();
        bool below(int, int);
        TEST(Tiny, Adds) { EXPECT_EQ(sum(2, 3), other()); }
        TEST(Tiny, Compares) { EXPECT_TRUE(below(2, 3)); }""",
}


def main():
    if not shutil.which("ninja") or not shutil.which("cmake"):
        return 77
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        for name, text in FILES.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text + "\n", encoding="utf-8")
        (root / "scripts").mkdir()
        shutil.copy(ROOT / "scripts/mutants.py", root / "scripts")
        before = (root / "src/statistics/tiny.cpp").read_bytes()
        subprocess.run(["cmake", "-S", root, "-B", root / "build", "-G", "Ninja"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["ninja", "-C", root / "build"], check=True, stdout=subprocess.DEVNULL)
        command = [sys.executable, root / "scripts/mutants.py", root / "src/statistics/tiny.cpp", "--scratch", root / "scratch"]
        for _ in range(2):  # the second time, all mutants are in the log
            subprocess.run(command, check=True)
        log = [json.loads(line) for line in (root / "scratch/log.jsonl").read_text().splitlines()]
        subprocess.run(command + ["--again"], check=True)
        assert len((root / "scratch/log.jsonl").read_text().splitlines()) == 3  # the survivor once more
        found = {(one["line"], one["old"].strip(), one["new"].strip(), one["outcome"], one["test"]) for one in log}
        assert len(log) == 2 and found == {(3, "+", "-", "killed", "Tiny.Adds"), (4, "<", "<=", "survived", None)}, log
        assert (root / "src/statistics/tiny.cpp").read_bytes() == before
    return 0


if __name__ == "__main__":
    sys.exit(main())
