#pragma once

namespace elmx {

/// Reserves the buffers of OpenBLAS if the address space is limited (ulimit -v, -d). OpenBLAS takes 128 MiB
/// of address space for each thread inside the library, and retries for ever if it cannot have them. This
/// function makes the library take buffers now, as many as leave half of the room to the data, and lowers
/// threads() to their number. Throws ConfigError if there is no room for a single buffer.
void provide_blas_buffers();

/// Returns how many threads may be in the library at one time: any number, unless provide_blas_buffers has
/// counted the buffers.
int most_blas_callers();

}  // namespace elmx
