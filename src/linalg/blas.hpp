#pragma once

#include "linalg/view.hpp"

namespace elmx {

// The BLAS operations of the hot paths, for float and double. Each operation splits its result into tiles
// whose size does not depend on the number of threads, and calls a single-threaded OpenBLAS kernel for each
// tile, tiles in parallel (OpenMP). Results are therefore the same to the last bit for any number of threads.
// Inside a parallel region (jobs) the operations run on one thread.

enum class Op { none, transpose };

/// Computes C = alpha op(A) op(B) + beta C.   op(A): m x k, op(B): k x n, C: m x n.   2 m n k flops.
template <class T>
void gemm(Op op_a, Op op_b, T alpha, View<const std::type_identity_t<T>> A, View<const std::type_identity_t<T>> B,
          T beta, View<T> C);

/// Returns alpha op(A) op(B).
inline arma::mat gemm(Op op_a, Op op_b, double alpha, View<const double> A, View<const double> B) {
  arma::mat C(op_a == Op::none ? A.rows : A.cols, op_b == Op::none ? B.cols : B.rows);
  gemm(op_a, op_b, alpha, A, B, 0.0, View<double>(C));
  return C;
}

/// Computes the upper triangle of G = alpha A'A + beta G.   A: m x n, G: n x n.   m n^2 flops.
template <class T>
void syrk(T alpha, View<const std::type_identity_t<T>> A, T beta, View<T> G);

/// Computes the upper triangle of G = alpha A' diag(w) A + beta G.   A: m x n, w: m, G: n x n.   m n^2 flops.
template <class T>
void syrk(T alpha, View<const std::type_identity_t<T>> A, const T* w, T beta, View<T> G);

/// Computes y = alpha op(A) x + beta y.   2 m n flops; reads A once.
template <class T>
void gemv(Op op, T alpha, View<const std::type_identity_t<T>> A, const T* x, T beta, T* y);

/// Computes A += alpha x y'.   A: m x n.   2 m n flops.
template <class T>
void ger(T alpha, const T* x, const T* y, View<T> A);

/// Computes y = Q x for a symmetric Q whose upper triangle is stored.   Q: n x n.   2 n^2 flops, on one
/// thread.
template <class T>
void symv(View<const std::type_identity_t<T>> Q, const T* x, T* y);

/// Computes the upper triangle of Q += alpha x x'.   Q: n x n.   n^2 flops.
template <class T>
void syr(T alpha, const T* x, View<T> Q);

/// Computes B += alpha A.   A, B: m x n.
template <class T>
void add(T alpha, View<const std::type_identity_t<T>> A, View<T> B);

/// Computes B = op(R)^-1 B.   R: n x n upper triangular, B: n x k.   n^2 k flops.
template <class T>
void trsm(Op op, View<const std::type_identity_t<T>> R, View<T> B);

/// Computes B = alpha op(R) B.   R: n x n upper triangular, B: n x k; unit_diagonal: the diagonal of R counts
/// as ones.   n^2 k flops.
template <class T>
void trmm(Op op, View<const std::type_identity_t<T>> R, View<T> B, std::type_identity_t<T> alpha = 1,
          bool unit_diagonal = false);

/// Computes B = alpha B op(R).   R: n x n upper triangular, B: k x n; unit_diagonal as above.   n^2 k flops.
template <class T>
void trmm_right(Op op, View<const std::type_identity_t<T>> R, View<T> B, std::type_identity_t<T> alpha = 1,
                bool unit_diagonal = false);

/// Computes B = diag(w) B.   B: m x n, w: m.
template <class T>
void scale_rows(const T* w, View<T> B);

/// Computes x = op(R) x.   R: n x n upper triangular; unit_diagonal as above.   n^2 flops.
template <class T>
void trmv(Op op, bool unit_diagonal, View<const std::type_identity_t<T>> R, T* x);

template <class T>
T dot(uword n, const T* x, const T* y);

template <class T>
void axpy(uword n, T alpha, const T* x, T* y);

/// Sets the number of threads for the operations above; 0 = all cores.
void set_threads(int threads);
int threads();

/// Reserves the buffers of OpenBLAS if the address space is limited (ulimit -v, -d). OpenBLAS takes 128 MiB
/// of address space for each thread inside the library, and retries for ever if it cannot have them. This
/// function makes the library take buffers now, as many as leave half of the room to the data, and lowers
/// threads() to their number. Throws ConfigError if there is no room for a single buffer.
void provide_blas_buffers();

/// Returns how many threads may be in the library at one time: any number, unless provide_blas_buffers has
/// counted the buffers.
int most_blas_callers();

/// Returns the flops per second of an n x n x n matrix product on the threads in use: the best of five or
/// more runs after a warm-up.
template <class T>
double gemm_rate(uword n);

/// Returns the bytes per second at which all threads read `bytes` of memory once (sum of a vector): the best
/// of five or more runs.
double read_bandwidth(double bytes);

}  // namespace elmx
