#include "linalg/tall_matrix.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/machine/machine.hpp"

namespace elmx {
namespace {

// Products, in double, of a tile of singles with four columns of doubles: A is widened in registers. A tile
// is stored column by column, kNarrowStride numbers each; unused rows of its kNarrowRows rows are zero.

constexpr uword kNarrowRows = 256, kNarrowStride = kNarrowRows + 16, kNarrowOutputs = 4;
constexpr uword kLanes = 8;
using Singles [[gnu::vector_size(kLanes * sizeof(float))]] = float;
using Doubles [[gnu::vector_size(kLanes * sizeof(double))]] = double;

[[gnu::always_inline]] inline void load(const float* from, Doubles& to) {
  Singles narrow;
  std::memcpy(&narrow, from, sizeof narrow);
  to = __builtin_convertvector(narrow, Doubles);
}
[[gnu::always_inline]] inline void load(const double* from, Doubles& to) { std::memcpy(&to, from, sizeof to); }
[[gnu::always_inline]] inline void store(const Doubles& from, double* to) { std::memcpy(to, &from, sizeof from); }

/// Computes Z += A X.   A: kNarrowRows x k, X: k x 4 by rows, Z: kNarrowRows x 4 by columns.
ELMX_CPU_CLONES void add_narrow_product(const float* A, uword k, const double* X, double* Z) {
  for (uword i = 0; i < kNarrowRows; i += 2 * kLanes) {
    Doubles sum[kNarrowOutputs][2];
    for (uword q = 0; q < kNarrowOutputs; ++q) {
      load(Z + q * kNarrowRows + i, sum[q][0]);
      load(Z + q * kNarrowRows + i + kLanes, sum[q][1]);
    }
    const float* a = A + i;
    const double* x = X;
    for (uword j = 0; j < k; ++j, a += kNarrowStride, x += kNarrowOutputs) {
      Doubles upper, lower;
      load(a, upper);
      load(a + kLanes, lower);
      for (uword q = 0; q < kNarrowOutputs; ++q) {
        sum[q][0] += upper * x[q];
        sum[q][1] += lower * x[q];
      }
    }
    for (uword q = 0; q < kNarrowOutputs; ++q) {
      store(sum[q][0], Z + q * kNarrowRows + i);
      store(sum[q][1], Z + q * kNarrowRows + i + kLanes);
    }
  }
}

/// Computes C += A'E.   A: kNarrowRows x k, k a multiple of 4, E: kNarrowRows x 4 by columns, C: k x 4 by
/// rows.
ELMX_CPU_CLONES void add_narrow_cross(const float* A, uword k, const double* E, double* C) {
  constexpr uword kColumns = 4;
  for (uword j = 0; j < k; j += kColumns) {
    Doubles sum[kColumns][kNarrowOutputs] = {};
    const float* a = A + j * kNarrowStride;
    for (uword i = 0; i < kNarrowRows; i += kLanes) {
      Doubles e[kNarrowOutputs];
      for (uword q = 0; q < kNarrowOutputs; ++q) load(E + q * kNarrowRows + i, e[q]);
      for (uword p = 0; p < kColumns; ++p) {
        Doubles column;
        load(a + p * kNarrowStride + i, column);
        for (uword q = 0; q < kNarrowOutputs; ++q) sum[p][q] += column * e[q];
      }
    }
    for (uword p = 0; p < kColumns; ++p) {
      for (uword q = 0; q < kNarrowOutputs; ++q) {
        double total = 0;
        for (uword lane = 0; lane < kLanes; ++lane) total += sum[p][q][lane];
        C[(j + p) * kNarrowOutputs + q] += total;
      }
    }
  }
}

constexpr uword kWideColumns = 256;  // columns of a tile
// least columns of a tile of A'X, so that several threads have a tile
constexpr uword kLeastTile = 32;
constexpr uword kWideRows = 4096;          // rows of a matrix that are widened at once
constexpr uword kSerialNumbers = 1 << 16;  // below this many numbers threads cost more than they gain

uword groups_of(uword outputs) { return (outputs + kNarrowOutputs - 1) / kNarrowOutputs; }

/// A tile of singles in the layout of the kernels.
class NarrowTile {
 public:
  NarrowTile() : numbers_(kNarrowStride * kWideColumns) {}

  /// Copies A and pads it with zero columns to a multiple of four.
  void set(View<const float> A) {
    columns_ = (A.cols + 3) / 4 * 4;
    for (uword j = 0; j < columns_; ++j) {
      float* column = numbers_.data() + j * kNarrowStride;
      const uword rows = j < A.cols ? A.rows : 0;
      if (rows > 0) std::copy_n(&A(0, j), rows, column);
      std::fill(column + rows, column + kNarrowRows, 0.0f);
    }
  }
  const float* data() const { return numbers_.data(); }
  uword columns() const { return columns_; }

 private:
  std::vector<float> numbers_;
  uword columns_ = 0;
};

/// Copies the rows first .. first + rows - 1 of X in groups of four columns, each `height` x 4 and padded
/// with zeros; row by row if by_rows, else column by column.
void group(View<const double> X, uword first, uword rows, uword height, bool by_rows, double* out) {
  std::fill_n(out, groups_of(X.cols) * height * kNarrowOutputs, 0.0);
  for (uword q = 0; q < X.cols; ++q) {
    double* of_group = out + q / kNarrowOutputs * height * kNarrowOutputs;
    const uword column = q % kNarrowOutputs;
    for (uword i = 0; i < rows; ++i)
      of_group[by_rows ? i * kNarrowOutputs + column : column * height + i] = X(first + i, q);
  }
}

/// Computes Z = alpha S + beta Z for the rows first .. first + rows - 1, with S in such groups.
void ungroup(const double* S, double alpha, double beta, uword first, uword rows, uword height, bool by_rows,
             View<double> Z) {
  for (uword q = 0; q < Z.cols; ++q) {
    const double* of_group = S + q / kNarrowOutputs * height * kNarrowOutputs;
    const uword column = q % kNarrowOutputs;
    for (uword i = 0; i < rows; ++i) {
      double& z = Z(first + i, q);
      z = alpha * of_group[by_rows ? i * kNarrowOutputs + column : column * height + i] + (beta == 0 ? 0 : beta * z);
    }
  }
}

/// Computes Z = alpha A X + beta Z, by tiles of rows.
void wide_product(double alpha, View<const float> A, View<const double> X, double beta, View<double> Z) {
  const uword groups = groups_of(X.cols), k = A.cols, height = k + 4;
  std::vector<double> x(groups * height * kNarrowOutputs);
  group(X, 0, k, height, true, x.data());
#pragma omp parallel if (A.rows * k > kSerialNumbers && A.rows > kNarrowRows)
  {
    NarrowTile tile;
    std::vector<double> sum(groups * kNarrowRows * kNarrowOutputs);
#pragma omp for schedule(dynamic, 1)
    for (uword i = 0; i < A.rows; i += kNarrowRows) {
      const uword rows = std::min(kNarrowRows, A.rows - i);
      std::fill(sum.begin(), sum.end(), 0.0);
      for (uword j = 0; j < k; j += kWideColumns) {
        tile.set(A.block(i, j, rows, std::min(kWideColumns, k - j)));
        for (uword g = 0; g < groups; ++g) {
          add_narrow_product(tile.data(), tile.columns(), x.data() + (g * height + j) * kNarrowOutputs,
                             sum.data() + g * kNarrowRows * kNarrowOutputs);
        }
      }
      ungroup(sum.data(), alpha, beta, i, rows, kNarrowRows, false, Z);
    }
  }
}

/// Computes Z = alpha A'X + beta Z, by tiles of columns.
void wide_cross(double alpha, View<const float> A, View<const double> X, double beta, View<double> Z) {
  const uword groups = groups_of(X.cols), edge = std::clamp((A.cols + 3) / 4, kLeastTile, kWideColumns);
#pragma omp parallel if (A.rows * A.cols > kSerialNumbers && A.cols > edge)
  {
    NarrowTile tile;
    std::vector<double> x(groups * kNarrowRows * kNarrowOutputs), sum(groups * (edge + 4) * kNarrowOutputs);
#pragma omp for schedule(dynamic, 1)
    for (uword j = 0; j < A.cols; j += edge) {
      const uword columns = std::min(edge, A.cols - j);
      std::fill(sum.begin(), sum.end(), 0.0);
      for (uword i = 0; i < A.rows; i += kNarrowRows) {
        const uword rows = std::min(kNarrowRows, A.rows - i);
        tile.set(A.block(i, j, rows, columns));
        group(X, i, rows, kNarrowRows, false, x.data());
        for (uword g = 0; g < groups; ++g) {
          add_narrow_cross(tile.data(), tile.columns(), x.data() + g * kNarrowRows * kNarrowOutputs,
                           sum.data() + g * (edge + 4) * kNarrowOutputs);
        }
      }
      ungroup(sum.data(), alpha, beta, j, columns, edge + 4, true, Z);
    }
  }
}

}  // namespace

void wide_gemm(Op op, double alpha, View<const float> A, View<const double> X, double beta, View<double> Z) {
  const uword m = Z.rows, k = X.rows;
  expects(op == Op::none ? A.rows == m && A.cols == k : A.rows == k && A.cols == m, "wide_gemm: op(A) is m x k");
  expects(X.cols == Z.cols, "wide_gemm: X is k x c");
  op == Op::none ? wide_product(alpha, A, X, beta, Z) : wide_cross(alpha, A, X, beta, Z);
}

void WidenedMatrix::for_each_block(uword k, const Visit& visit) const {
  arma::mat wide(std::min(kWideRows, A_.rows()), k, arma::fill::none);
  A_.for_each_part(k, kWideRows, [&](uword first, View<const float> some) {
#pragma omp parallel for schedule(static)
    for (uword j = 0; j < k; ++j) std::copy_n(&some(0, j), some.rows, wide.colptr(j));
    visit(first, View<const double>(wide.memptr(), some.rows, k, wide.n_rows));
  });
}

std::unique_ptr<TallMatrix<double>> WidenedMatrix::leading(uword rows, uword cols) const {
  return std::make_unique<WidenedMatrix>(A_.leading(rows, cols));
}

}  // namespace elmx
