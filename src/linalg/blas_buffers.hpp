#pragma once

namespace elmx {

/// OpenBLAS takes a buffer of 128 MiB of address space for each thread that is in it at one time, and tries
/// for ever where it cannot have one. Where the address space is limited (ulimit -v, -d) this has it take
/// them at once, as many as leave half of the room to the data, and lowers threads() to their number. Throws
/// ConfigError where there is no room for a single one.
void provide_blas_buffers();

/// The number of threads that may be in the library at one time: any number, unless provide_blas_buffers has
/// counted them.
int most_blas_callers();

}  // namespace elmx
