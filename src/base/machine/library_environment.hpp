#pragma once

namespace elmx {

// OpenBLAS and OpenMP read their environment when they are loaded, before main: what is to be set there takes
// another execution of the program (some 20 ms). Each function returns where there is nothing to set, or
// where the program cannot be executed anew. What the user has set stays as it is.

/// Executes the program anew with OPENBLAS_CORETYPE set, where a better kernel set exists; with
/// OPENBLAS_NUM_THREADS=1 where the address space is limited, for each thread of the library takes 128 MiB of
/// it and waits for ever where there is no room. Call it first in main.
void prepare_blas_library(char** argv);

/// Executes the program anew with GOMP_SPINCOUNT set, so that a thread that waits for others sleeps after
/// some 0.1 ms and leaves its core to other programs. Call it before long work is begun.
void let_waiting_threads_sleep(char** argv);

}  // namespace elmx
