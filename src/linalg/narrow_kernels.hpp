#pragma once

#include "linalg/view.hpp"

namespace elmx {

// Products, in double, of a tile of singles with four columns of doubles: A is widened in registers. A tile
// is stored column by column, kNarrowStride numbers each; unused rows of its kNarrowRows rows are zero.

inline constexpr uword kNarrowRows = 256, kNarrowStride = kNarrowRows + 16, kNarrowOutputs = 4;

/// Computes Z += A X.   A: kNarrowRows x k, X: k x 4 by rows, Z: kNarrowRows x 4 by columns.
void add_narrow_product(const float* A, uword k, const double* X, double* Z);

/// Computes C += A'E.   A: kNarrowRows x k, k a multiple of 4, E: kNarrowRows x 4 by columns, C: k x 4 by
/// rows.
void add_narrow_cross(const float* A, uword k, const double* E, double* C);

}  // namespace elmx
