#include "linalg/blas.hpp"

#include <omp.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "linalg/blas_kernels.hpp"

namespace elmx {
namespace {

// Tile edges. They are large enough that packing both operands costs a few per cent of the flops of a tile.
constexpr uword kTile = 512;
constexpr uword kTallTile = 4096;
// Columns per call of a matrix-vector product: few, so that A is read at the full bandwidth.
constexpr uword kGemvColumns = 4;
constexpr uword kGemvRows = 2048;
// With fewer entries to read (about 50 microseconds) threads cost more than they gain. A product of matrices
// does several multiplications in the time of one read.
constexpr uword kSerialWork = 1u << 18;
constexpr uword kProductsPerRead = 4;

// A small result of a long sum (few tiles, many samples) is cut along the sum instead, into a fixed number of
// parts that are added in order.
constexpr uword kParts = 8;
bool small_but_long(uword rows, uword cols, uword k) { return rows <= kTile && cols <= kTile && k >= kTallTile; }

// Every tile of a triangular product packs the whole triangle, so a product has four wide tiles if possible.
uword triangular_tile(uword extent) { return std::clamp<uword>((extent + 3) / 4, 256, 2 * kTile); }

struct Tile {
  uword row, col, rows, cols;
};

std::vector<Tile> tiles_of(uword rows, uword cols, uword tile_rows, uword tile_cols) {
  std::vector<Tile> tiles;
  for (uword j = 0; j < cols; j += tile_cols) {
    for (uword i = 0; i < rows; i += tile_rows) {
      tiles.push_back({i, j, std::min(tile_rows, rows - i), std::min(tile_cols, cols - j)});
    }
  }
  return tiles;
}

/// The edges of the tiles of a product. A result of fewer than kFewTiles tiles (a batch of samples in a
/// network) is cut into smaller tiles, so that several threads have work.
struct TileEdges {
  uword rows, cols;
};
TileEdges tile_edges(uword rows, uword cols, uword tile_rows) {
  constexpr uword kFewTiles = 4, kSmallTile = 128;
  TileEdges edge{std::max<uword>(1, std::min(tile_rows, rows)), std::max<uword>(1, std::min(kTile, cols))};
  const auto count = [&] { return ((rows + edge.rows - 1) / edge.rows) * ((cols + edge.cols - 1) / edge.cols); };
  while (count() < kFewTiles && std::max(edge.rows, edge.cols) > kSmallTile) {
    uword& larger = edge.rows > edge.cols ? edge.rows : edge.cols;
    larger = (larger + 1) / 2;
  }
  return edge;
}

/// Returns the tiles on and above the diagonal. The cheaper diagonal tiles come last to even out the threads.
std::vector<Tile> triangle_of_tiles(uword n) {
  std::vector<Tile> tiles = tiles_of(n, n, kTile, kTile);
  std::erase_if(tiles, [](const Tile& t) { return t.row > t.col; });
  std::stable_partition(tiles.begin(), tiles.end(), [](const Tile& t) { return t.row < t.col; });
  return tiles;
}

/// Calls body(tile) for every tile, in parallel if `work` is large enough. No region has one thread only,
/// since libgomp makes a system call at the end of every region.
template <class Body>
void for_each_tile(const std::vector<Tile>& tiles, uword work, const Body& body) {
  if (work <= kSerialWork || tiles.size() < 2 || omp_in_parallel()) {
    for (const Tile& tile : tiles) body(tile);
    return;
  }
  const auto count = static_cast<long>(tiles.size());
#pragma omp parallel for schedule(dynamic, 1)
  for (long t = 0; t < count; ++t) body(tiles[static_cast<std::size_t>(t)]);
}

/// Calls body(j) for every column j, in parallel if `work` is large enough.
template <class Body>
void for_each_column_of(uword columns, uword work, const Body& body) {
  for_each_tile(tiles_of(1, columns, 1, 16), work, [&](const Tile& t) {
    for (uword j = t.col; j < t.col + t.cols; ++j) body(j);
  });
}

/// Computes C = beta C + sum over the parts of part(first, count, P); if `upper`, on and above the diagonal.
template <class T, class Part>
void sum_of_parts(uword k, bool upper, T beta, View<T> C, const Part& part) {
  std::vector<arma::Mat<T>> parts(kParts, arma::Mat<T>(C.rows, C.cols, arma::fill::none));
  const uword chunk = (k + kParts - 1) / kParts;
#pragma omp parallel for schedule(dynamic, 1)
  for (uword i = 0; i < kParts; ++i) {
    const uword first = std::min(i * chunk, k);
    part(first, std::min(chunk, k - first), parts[i].memptr());
  }
  for (uword j = 0; j < C.cols; ++j) {
    for (uword i = 0; i < (upper ? j + 1 : C.rows); ++i) {
      T sum = beta == T(0) ? T(0) : beta * C(i, j);
      for (const arma::Mat<T>& P : parts) sum += P(i, j);
      C(i, j) = sum;
    }
  }
}

}  // namespace

template <class T>
void gemm(Op op_a, Op op_b, T alpha, View<const std::type_identity_t<T>> A, View<const std::type_identity_t<T>> B,
          T beta, View<T> C) {
  const uword k = op_a == Op::none ? A.cols : A.rows;
  expects((op_a == Op::none ? A.rows : A.cols) == C.rows, "gemm: op(A) is m x k");
  expects((op_b == Op::none ? B.rows : B.cols) == k && (op_b == Op::none ? B.cols : B.rows) == C.cols,
          "gemm: op(B) is k x n");
  if (op_a == Op::transpose && op_b == Op::none && small_but_long(C.rows, C.cols, k)) {
    return sum_of_parts(k, false, beta, C, [&](uword first, uword count, T* P) {
      kernel_gemm(op_a, op_b, C.rows, C.cols, count, alpha, A.data + first, A.ld, B.data + first, B.ld, T(0), P,
                  C.rows);
    });
  }
  // A tall, narrow result (outputs of all samples) is cut by rows only.
  const uword tile_rows = C.cols < kTile / 2 ? (k > kTallTile ? kTile / 4 : kTallTile) : kTile;
  const TileEdges edge = tile_edges(C.rows, C.cols, tile_rows);
  for_each_tile(
      tiles_of(C.rows, C.cols, edge.rows, edge.cols), C.rows * C.cols * k / kProductsPerRead, [&](const Tile& t) {
        const T* a = op_a == Op::none ? A.data + t.row : A.data + t.row * A.ld;
        const T* b = op_b == Op::none ? B.data + t.col * B.ld : B.data + t.col;
        kernel_gemm(op_a, op_b, t.rows, t.cols, k, alpha, a, A.ld, b, B.ld, beta, C.data + t.row + t.col * C.ld, C.ld);
      });
}

template <class T>
void syrk(T alpha, View<const std::type_identity_t<T>> A, T beta, View<T> G) {
  expects(G.rows == A.cols && G.cols == A.cols, "syrk: G is n x n");
  if (small_but_long(G.rows, G.cols, A.rows)) {
    return sum_of_parts(A.rows, true, beta, G, [&](uword first, uword count, T* P) {
      kernel_syrk(G.rows, count, alpha, A.data + first, A.ld, T(0), P, G.rows);
    });
  }
  for_each_tile(triangle_of_tiles(G.cols), A.rows * G.rows * G.cols / kProductsPerRead, [&](const Tile& t) {
    T* g = G.data + t.row + t.col * G.ld;
    const T* a = A.data + t.row * A.ld;
    if (t.row == t.col) {
      kernel_syrk(t.cols, A.rows, alpha, a, A.ld, beta, g, G.ld);
    } else {
      kernel_gemm(Op::transpose, Op::none, t.rows, t.cols, A.rows, alpha, a, A.ld, A.data + t.col * A.ld, A.ld, beta, g,
                  G.ld);
    }
  });
}

namespace {

/// Computes W = alpha diag(w) A.
template <class T>
void weigh(T alpha, const T* w, View<const T> A, T* W) {
  for (uword j = 0; j < A.cols; ++j) {
    for (uword i = 0; i < A.rows; ++i) W[i + j * A.rows] = alpha * w[i] * A(i, j);
  }
}

/// Computes C = A' (alpha diag(w) B) + beta C, in parts of the sum, so that the weighted rows stay in the
/// cache.
template <class T>
void weighted_product(T alpha, View<const T> A, const T* w, View<const T> B, T beta, View<T> C) {
  std::vector<T> W(std::min(kTile, A.rows) * B.cols);
  for (uword k = 0; k < A.rows; k += kTile) {
    const uword count = std::min(kTile, A.rows - k);
    weigh(alpha, w + k, B.block(k, 0, count, B.cols), W.data());
    kernel_gemm(Op::transpose, Op::none, C.rows, C.cols, count, T(1), A.data + k, A.ld, W.data(), count,
                k == 0 ? beta : T(1), C.data, C.ld);
  }
}

/// Computes the upper triangle of G = A' (alpha diag(w) A) + beta G. Each strip of columns is computed in a
/// buffer down to its last diagonal entry.
template <class T>
void weighted_square(T alpha, View<const T> A, const T* w, T beta, View<T> G) {
  constexpr uword kStrip = 128;
  std::vector<T> strip(G.rows * std::min(kStrip, G.cols));
  for (uword j = 0; j < G.cols; j += kStrip) {
    const uword cols = std::min(kStrip, G.cols - j), rows = j + cols;
    const View<T> C(strip.data(), rows, cols, rows);
    weighted_product(alpha, A.head_cols(rows), w, A.block(0, j, A.rows, cols), T(0), C);
    for (uword c = 0; c < cols; ++c) {
      for (uword i = 0; i <= j + c; ++i) G(i, j + c) = (beta == T(0) ? T(0) : beta * G(i, j + c)) + C(i, c);
    }
  }
}

}  // namespace

template <class T>
void syrk(T alpha, View<const std::type_identity_t<T>> A, const T* w, T beta, View<T> G) {
  expects(G.rows == A.cols && G.cols == A.cols, "syrk: G is n x n");
  expects(A.rows > 0, "syrk: A has rows");
  for_each_tile(triangle_of_tiles(G.cols), A.rows * G.rows * G.cols / kProductsPerRead, [&](const Tile& t) {
    const View<const T> left = A.block(0, t.row, A.rows, t.rows), right = A.block(0, t.col, A.rows, t.cols);
    const View<T> C = G.block(t.row, t.col, t.rows, t.cols);
    t.row == t.col ? weighted_square(alpha, left, w, beta, C) : weighted_product(alpha, left, w, right, beta, C);
  });
}

template <class T>
void gemv(Op op, T alpha, View<const std::type_identity_t<T>> A, const T* x, T beta, T* y) {
  const uword work = A.rows * A.cols;
  if (work == 0) {  // BLAS would return early without changing y
    const uword length = op == Op::transpose ? A.cols : A.rows;
    for (uword i = 0; i < length; ++i) y[i] = beta == T(0) ? T(0) : beta * y[i];
  } else if (op == Op::transpose) {
    for_each_tile(tiles_of(1, A.cols, 1, work > kSerialWork ? kGemvColumns * 4 : A.cols), work, [&](const Tile& t) {
      for (uword j = t.col; j < t.col + t.cols; j += kGemvColumns) {
        const uword n = std::min(kGemvColumns, t.col + t.cols - j);
        kernel_gemv(op, A.rows, n, alpha, A.data + j * A.ld, A.ld, x, beta, y + j);
      }
    });
  } else {
    for_each_tile(tiles_of(A.rows, 1, kGemvRows, 1), work, [&](const Tile& t) {
      kernel_gemv(op, t.rows, A.cols, alpha, A.data + t.row, A.ld, x, beta, y + t.row);
    });
  }
}

template <class T>
void ger(T alpha, const T* x, const T* y, View<T> A) {
  for_each_column_of(A.cols, A.rows * A.cols, [&](uword j) { axpy(A.rows, alpha * y[j], x, A.data + j * A.ld); });
}

template <class T>
void symv(View<const std::type_identity_t<T>> Q, const T* x, T* y) {
  expects(Q.rows == Q.cols, "symv: Q is n x n");
  kernel_symv(Q.rows, Q.data, Q.ld, x, y);
}

template <class T>
void syr(T alpha, const T* x, View<T> Q) {
  expects(Q.rows == Q.cols, "syr: Q is n x n");
  for_each_column_of(Q.cols, Q.rows * Q.cols / 2, [&](uword j) { axpy(j + 1, alpha * x[j], x, Q.data + j * Q.ld); });
}

template <class T>
void add(T alpha, View<const std::type_identity_t<T>> A, View<T> B) {
  expects(A.rows == B.rows && A.cols == B.cols, "add: A and B are m x n");
  for_each_column_of(B.cols, B.rows * B.cols,
                     [&](uword j) { axpy(B.rows, alpha, A.data + j * A.ld, B.data + j * B.ld); });
}

template <class T>
void trsm(Op op, View<const std::type_identity_t<T>> R, View<T> B) {
  expects(R.rows == R.cols && B.rows == R.rows, "trsm: R is n x n, B is n x k");
  for_each_tile(tiles_of(B.rows, B.cols, B.rows, 128), R.rows * B.rows * B.cols / kProductsPerRead,
                [&](const Tile& t) { kernel_trsm(op, B.rows, t.cols, R.data, R.ld, B.data + t.col * B.ld, B.ld); });
}

template <class T>
void trmm(Op op, View<const std::type_identity_t<T>> R, View<T> B, std::type_identity_t<T> alpha, bool unit_diagonal) {
  expects(R.rows == R.cols && B.rows == R.rows, "trmm: R is n x n, B is n x k");
  for_each_tile(tiles_of(B.rows, B.cols, B.rows, triangular_tile(B.cols)), R.rows * B.rows * B.cols / kProductsPerRead,
                [&](const Tile& t) {
                  kernel_trmm(CblasLeft, op, unit_diagonal, B.rows, t.cols, alpha, R.data, R.ld, B.data + t.col * B.ld,
                              B.ld);
                });
}

template <class T>
void trmm_right(Op op, View<const std::type_identity_t<T>> R, View<T> B, std::type_identity_t<T> alpha,
                bool unit_diagonal) {
  expects(R.rows == R.cols && B.cols == R.rows, "trmm_right: R is n x n, B is k x n");
  for_each_tile(tiles_of(B.rows, B.cols, triangular_tile(B.rows), B.cols), R.rows * B.rows * B.cols / kProductsPerRead,
                [&](const Tile& t) {
                  kernel_trmm(CblasRight, op, unit_diagonal, t.rows, B.cols, alpha, R.data, R.ld, B.data + t.row, B.ld);
                });
}

template <class T>
void scale_rows(const T* w, View<T> B) {
  for_each_column_of(B.cols, B.rows * B.cols, [&](uword j) {
    for (uword i = 0; i < B.rows; ++i) B(i, j) *= w[i];
  });
}

template <class T>
void trmv(Op op, bool unit_diagonal, View<const std::type_identity_t<T>> R, T* x) {
  expects(R.rows == R.cols, "trmv: R is n x n");
  kernel_trmv(op, unit_diagonal, R.rows, R.data, R.ld, x);
}

template <class T>
T dot(uword n, const T* x, const T* y) {
  return in_type<T>(cblas_ddot, cblas_sdot)(in(n), x, 1, y, 1);
}

template <class T>
void axpy(uword n, T alpha, const T* x, T* y) {
  in_type<T>(cblas_daxpy, cblas_saxpy)(in(n), alpha, x, 1, y, 1);
}

void set_threads(int threads) {
  openblas_set_num_threads(1);
  omp_set_num_threads(threads > 0 ? threads : omp_get_num_procs());
}

int threads() { return omp_get_max_threads(); }

template void gemm(Op, Op, double, View<const double>, View<const double>, double, View<double>);
template void gemm(Op, Op, float, View<const float>, View<const float>, float, View<float>);
template void syrk(double, View<const double>, double, View<double>);
template void syrk(double, View<const double>, const double*, double, View<double>);
template void syrk(float, View<const float>, float, View<float>);
template void syrk(float, View<const float>, const float*, float, View<float>);
template void gemv(Op, double, View<const double>, const double*, double, double*);
template void gemv(Op, float, View<const float>, const float*, float, float*);
template void ger(double, const double*, const double*, View<double>);
template void ger(float, const float*, const float*, View<float>);
template void symv(View<const double>, const double*, double*);
template void symv(View<const float>, const float*, float*);
template void syr(double, const double*, View<double>);
template void syr(float, const float*, View<float>);
template void add(double, View<const double>, View<double>);
template void add(float, View<const float>, View<float>);
template void trsm(Op, View<const double>, View<double>);
template void trsm(Op, View<const float>, View<float>);
template void trmm(Op, View<const double>, View<double>, double, bool);
template void trmm(Op, View<const float>, View<float>, float, bool);
template void trmm_right(Op, View<const double>, View<double>, double, bool);
template void scale_rows(const double*, View<double>);
template void trmm_right(Op, View<const float>, View<float>, float, bool);
template void scale_rows(const float*, View<float>);
template void trmv(Op, bool, View<const double>, double*);
template void trmv(Op, bool, View<const float>, float*);
template double dot(uword, const double*, const double*);
template float dot(uword, const float*, const float*);
template void axpy(uword, double, const double*, double*);
template void axpy(uword, float, const float*, float*);

}  // namespace elmx
