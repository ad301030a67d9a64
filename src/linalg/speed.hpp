#pragma once

#include "linalg/view.hpp"

namespace elmx {

/// Returns the flops per second of an n x n x n matrix product on the threads in use: the best of five or
/// more runs after a warm-up.
template <class T>
double gemm_rate(uword n);

/// Returns the bytes per second at which all threads read `bytes` of memory once (sum of a vector): the best
/// of five or more runs.
double read_bandwidth(double bytes);

}  // namespace elmx
