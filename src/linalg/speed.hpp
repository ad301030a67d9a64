#pragma once

#include "linalg/view.hpp"

namespace elmx {

/// Flops per second of an n x n x n matrix product on the threads in use: the best of five or more after a
/// warm-up.
template <class T>
double gemm_rate(uword n);

/// Bytes per second at which `bytes` of memory are read once by all threads (sum of a vector): the best of
/// five or more.
double read_bandwidth(double bytes);

}  // namespace elmx
