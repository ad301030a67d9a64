"""Kernels and solvers of elmx against the matrix products and the memory bandwidth of the machine: build/tests/*_bench, medians.

Each bench measures the rate of the machine in its own run, and checks its result before its figures count."""

import json
import subprocess
import sys

import ratios

BENCHES = ("cholesky", "inverse_cholesky", "hidden_nodes", "standard", "growth", "dec")
SHARES = {"of_gemm": "of the gemm rate", "of_stream": "of the memory bandwidth"}


def main(repeats):
    for bench in BENCHES:
        command = [f"build/tests/{bench}_bench", f"--benchmark_repetitions={repeats}",
                   "--benchmark_report_aggregates_only=true", "--benchmark_format=json"]
        rows = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["benchmarks"]
        for row in rows:
            if "error_message" in row:
                sys.exit(f"bench: {row['name']}: {row['error_message']}")
            for share, words in SHARES.items():
                if share in row and row.get("aggregate_name", "median") == "median":
                    name = row["run_name"].split("/iterations:")[0]
                    print(f"{bench} {name}: {row[share]:.2f} {words}", flush=True)
                    ratios.note("machine", f"{bench} {name} {words}", row[share])


main(int(sys.argv[1]))
