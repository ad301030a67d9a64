#pragma once

namespace elmx {

// OpenBLAS and OpenMP read their environment variables when they are loaded, before main. To set a variable,
// the program must execute itself again (some 20 ms). Each function returns if there is nothing to set, or if
// the program cannot be executed again. Variables that the user has set are kept.

/// Executes the program again with OPENBLAS_CORETYPE if a better kernel set exists, and with
/// OPENBLAS_NUM_THREADS=1 if the address space is limited, because each thread of the library takes 128 MiB
/// and waits forever if there is no room. Call it first in main.
void prepare_blas_library(char** argv);

/// Executes the program again with GOMP_SPINCOUNT set, so that a waiting thread sleeps after some 0.1 ms and
/// leaves its core to other programs. Call it before long work starts.
void let_waiting_threads_sleep(char** argv);

}  // namespace elmx
