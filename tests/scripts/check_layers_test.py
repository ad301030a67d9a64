#!/usr/bin/env python3
"""The layer check is itself tried: on small trees, right and wrong in every way it knows."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECK = Path(__file__).resolve().parents[2] / "scripts" / "check_layers.py"
sys.path.insert(0, str(CHECK.parent))
from check_layers import BEGIN, END, STAGES  # noqa: E402

RIGHT = {
    "src/base/error.hpp": "#pragma once\n#include <string>\n",
    "src/base/version.hpp.in": "#pragma once\n",
    "src/base/json.cpp": '#include "base/error.hpp"\n#include <data/not_ours.h>\n'
                         '// std::cout << 1; #include "apps/run.hpp"\n'
                         'const char* text = "std::cerr"; const char* raw = R"x(printf("1") stdout)x";\n'
                         "int n = std::snprintf(buffer, 1'000, text) + fprintf(file, text);\n",
    "src/data/dataset.hpp": '#pragma once\n#include "base/error.hpp"\n',
    "src/experiment/trial.cpp": '#include "models/elm.hpp"\n',
    "src/report/table.cpp": '#include "experiment/trial.hpp"\n#include "metrics/mse.hpp"\n',
    "apps/run.hpp": "#pragma once\n",
    "apps/run.cpp": '#include "run.hpp"\n#include <CLI/CLI.hpp>\n#include <spdlog/spdlog.h>\n'
                    '#include "report/table.hpp"\nvoid run() { std::cout << 1; }\n',
}


def check(changes, *options):
    """Exit code and lines of the check on the right tree with the given files added or replaced."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {**RIGHT, **changes}.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        result = subprocess.run([sys.executable, CHECK, folder, *options], capture_output=True, text=True, check=False)
        lines = result.stdout.splitlines()
        return result.returncode, lines if options == ("--draw",) else lines[:-1], result.stderr  # the last line counts arrows


class CheckLayers(unittest.TestCase):
    def refuses(self, changes, *lines):
        self.assertEqual(check(changes), (1, list(lines), ""))

    def test_passes_a_right_tree(self):
        self.assertEqual(check({}), (0, [], ""))

    def test_refuses_a_later_stage(self):
        self.refuses({"src/models/elm.cpp": '#include "models/elm.hpp"\n\n#include "metrics/mse.hpp"\n'},
                     'src/models/elm.cpp:3: includes "metrics/mse.hpp" of a later stage (models > metrics)')

    def test_refuses_experiment_in_metrics_and_apps_in_tables(self):
        self.refuses({"src/metrics/mse.cpp": '# include "experiment/trial.hpp"\n',
                      "src/report/plot.hpp": '#include "apps/run.hpp"\n'},
                     'src/metrics/mse.cpp:1: includes "experiment/trial.hpp" of a later stage (metrics > experiment)',
                     'src/report/plot.hpp:1: includes "apps/run.hpp" of a later stage (report > apps)')

    def test_refuses_folders_that_include_each_other(self):
        self.refuses({"src/data/csv/a.hpp": '#include "data/table/b.hpp"\n',
                      "src/data/table/b.hpp": "#pragma once\n",
                      "src/data/table/c.cpp": '#include "data/rows/d.hpp"\n',
                      "src/data/rows/d.hpp": '\n#include "data/csv/e.hpp"\n',
                      "src/data/csv/e.hpp": "#pragma once\n"},
                     "src/data/csv/a.hpp:1: data/csv includes data/table, which includes data/csv",
                     "src/data/rows/d.hpp:2: data/rows includes data/csv, which includes data/rows",
                     "src/data/table/c.cpp:1: data/table includes data/rows, which includes data/table")

    def test_passes_folders_in_one_direction(self):
        self.assertEqual(check({"src/data/csv/a.hpp": '#include "data/table/b.hpp"\n',
                                "src/data/table/b.hpp": "#pragma once\n",
                                "src/data/load.cpp": '#include "data/csv/a.hpp"\n'})[0], 0)

    def test_refuses_a_later_stage_in_angle_brackets(self):
        self.refuses({"src/base/rng.cpp": "#include <data/dataset.hpp>\n"},
                     'src/base/rng.cpp:1: includes "data/dataset.hpp" of a later stage (base > data)')

    def test_refuses_command_line_and_log_in_the_library(self):
        self.refuses({"src/base/log.cpp": "#include <spdlog/spdlog.h>\n#include <CLI/App.hpp>\n"},
                     "src/base/log.cpp:1: includes <spdlog/spdlog.h>, which only apps/ may include",
                     "src/base/log.cpp:2: includes <CLI/App.hpp>, which only apps/ may include")

    def test_refuses_printing_in_the_library(self):
        self.refuses({"src/solvers/a.cpp": 'void f() {\n  /* two\n  lines */ std::cout << "// x";\n}\n',
                      "src/solvers/b.cpp": 'void g() { printf("x"); }\nvoid h() { fputs("x", stderr); }\n'},
                     "src/solvers/a.cpp:3: prints (std::cout), which only apps/ may do",
                     "src/solvers/b.cpp:1: prints (printf), which only apps/ may do",
                     "src/solvers/b.cpp:2: prints (stderr), which only apps/ may do")

    def test_refuses_circles_within_a_stage(self):
        self.refuses({"src/linalg/a.hpp": '#include "linalg/b.hpp"\n', "src/linalg/b.hpp": '#include "c.hpp"\n',
                      "src/linalg/c.hpp": '\n#include "linalg/a.hpp"\n'},
                     'src/linalg/c.hpp:2: includes "linalg/a.hpp" in a circle '
                     '(linalg/a.hpp > linalg/b.hpp > linalg/c.hpp > linalg/a.hpp)')

    def test_refuses_a_file_that_includes_itself(self):
        self.refuses({"apps/self.hpp": '#include "self.hpp"\n'},
                     'apps/self.hpp:1: includes "apps/self.hpp" in a circle (apps/self.hpp > apps/self.hpp)')

    def test_refuses_files_and_includes_of_no_stage(self):
        self.refuses({"src/base/a.cpp": '#include "../data/dataset.hpp"\n', "src/loose.cpp": "\n", "src/utils/x.cpp": "\n"},
                     'src/base/a.cpp:1: includes "../data/dataset.hpp" of no stage (use a path from src/, or <...>)',
                     *(f"src/{name}:1: is in no stage (expected one of {', '.join(STAGES)})" for name in ("loose.cpp", "utils/x.cpp")))

    def test_refuses_two_classes_of_one_name(self):
        one = "namespace elmx {\nclass Comparison {\n public:\n  virtual ~Comparison() = default;\n};\n}  // namespace elmx\n"
        other = "#pragma once\nnamespace elmx {\n\n/// struct Other {\nstruct Comparison {\n  struct Side { int n; };\n};\n}\n"
        self.refuses({"src/models/comparison.hpp": one, "src/report/data_set_tables.hpp": other},
                     "src/report/data_set_tables.hpp:5: defines elmx::Comparison, which "
                     "src/models/comparison.hpp:2 defines already")

    def test_allows_names_of_other_scopes(self):
        self.assertEqual(check({"src/models/a.cpp": "namespace elmx {\nnamespace {\nstruct Run { enum class Kind { a }; };\n}\nclass B;\n}\n",
                                "src/models/b.cpp": "namespace elmx {\nnamespace {\nclass Run final : public Base {};\n}\nclass B {};\n}\n",
                                "src/models/c.hpp": "#pragma once\nnamespace elmx::fuzz {\nstruct Run {};\n}\nnamespace elmx {\n"
                                                    "template <class T>\nstruct Run {};\ninline void f() { struct B {}; }\n}\n"}), (0, [], ""))

    def test_refuses_too_many_arrows(self):
        stages = list(STAGES)[:-1]
        headers = {f"src/{stage}/own.hpp": "#pragma once\n" for stage in stages}
        for uses, code in ((4, 0), (5, 1)):  # 43 and 51 arrows
            users = {f"src/{stage}/own.cpp": "".join(f'#include "{other}/own.hpp"\n' for other in stages[max(0, k - uses):k])
                     for k, stage in enumerate(stages)}
            self.assertEqual(check({**headers, **users})[:2], (code, []), uses)

    def test_draws_the_nearest_stages_only(self):
        _, lines, _ = check({"apps/main.cpp": '#include "report/table.hpp"\n#include "experiment/trial.hpp"\n'}, "--draw")
        self.assertEqual([" ".join(line.split("  ")[:3]).rstrip() for line in lines[1:-3]],
                         [" 2 apps", " 1 data", " 1 report", " 0 base", " 0 experiment"])
        self.assertRegex(lines[1], f"^ 2  apps +<- report +{STAGES['apps']}$")
        self.assertRegex(lines[4], f"^ 0  base +{STAGES['base']}$")

    def test_refuses_a_drawing_that_is_out_of_date(self):
        drawn = "\n".join(check({}, "--draw")[1]) + "\n"
        for text, code in ((BEGIN + drawn + END, 0), (BEGIN + drawn.replace("apps", "app", 1) + END, 1), ("", 1)):
            self.assertEqual(check({"CONTRIBUTING.md": f"Above.\n{text}Below.\n"})[0], code, text)

    def test_renews_a_drawing(self):
        stale = {"CONTRIBUTING.md": f"Above.\n{BEGIN}old\n{END}Below.\n"}
        self.assertEqual(check(stale, "--renew"), (0, [], ""))
        self.refuses(stale, "CONTRIBUTING.md: the drawing of the source is out of date (run scripts/check_layers.py --renew)")

    def test_refuses_an_empty_tree(self):
        with tempfile.TemporaryDirectory() as folder:
            result = subprocess.run([sys.executable, CHECK, folder], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 1)


if __name__ == "__main__":
    unittest.main()
