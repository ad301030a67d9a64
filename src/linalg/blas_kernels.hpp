#pragma once

#include <cblas.h>

#include <concepts>

#include "linalg/blas.hpp"

// The single-threaded kernels of the BLAS library under one name for float and double. Only the files of this
// folder use them.

namespace elmx {

constexpr CBLAS_TRANSPOSE flag(Op op) { return op == Op::none ? CblasNoTrans : CblasTrans; }
constexpr int in(uword n) { return static_cast<int>(n); }

/// Returns the function of a library for numbers in T.
template <class T, class OfDouble, class OfSingle>
constexpr auto in_type(OfDouble of_double, OfSingle of_single) {
  if constexpr (std::same_as<T, double>) {
    return of_double;
  } else {
    return of_single;
  }
}

template <class T>
void kernel_gemm(Op a, Op b, uword m, uword n, uword k, T alpha, const T* A, uword lda, const T* B, uword ldb, T beta,
                 T* C, uword ldc) {
  in_type<T>(cblas_dgemm, cblas_sgemm)(CblasColMajor, flag(a), flag(b), in(m), in(n), in(k), alpha, A, in(lda), B,
                                       in(ldb), beta, C, in(ldc));
}
template <class T>
void kernel_syrk(uword n, uword k, T alpha, const T* A, uword lda, T beta, T* C, uword ldc) {
  in_type<T>(cblas_dsyrk, cblas_ssyrk)(CblasColMajor, CblasUpper, CblasTrans, in(n), in(k), alpha, A, in(lda), beta, C,
                                       in(ldc));
}
template <class T>
void kernel_gemv(Op op, uword m, uword n, T alpha, const T* A, uword lda, const T* x, T beta, T* y) {
  in_type<T>(cblas_dgemv, cblas_sgemv)(CblasColMajor, flag(op), in(m), in(n), alpha, A, in(lda), x, 1, beta, y, 1);
}
template <class T>
void kernel_trsm(Op op, uword n, uword k, const T* R, uword ldr, T* B, uword ldb) {
  in_type<T>(cblas_dtrsm, cblas_strsm)(CblasColMajor, CblasLeft, CblasUpper, flag(op), CblasNonUnit, in(n), in(k), T(1),
                                       R, in(ldr), B, in(ldb));
}
template <class T>
void kernel_trmm(CBLAS_SIDE side, Op op, bool unit, uword rows, uword cols, T alpha, const T* R, uword ldr, T* B,
                 uword ldb) {
  in_type<T>(cblas_dtrmm, cblas_strmm)(CblasColMajor, side, CblasUpper, flag(op), unit ? CblasUnit : CblasNonUnit,
                                       in(rows), in(cols), alpha, R, in(ldr), B, in(ldb));
}
template <class T>
void kernel_trmv(Op op, bool unit, uword n, const T* R, uword ldr, T* x) {
  in_type<T>(cblas_dtrmv, cblas_strmv)(CblasColMajor, CblasUpper, flag(op), unit ? CblasUnit : CblasNonUnit, in(n), R,
                                       in(ldr), x, 1);
}
template <class T>
void kernel_symv(uword n, const T* Q, uword ldq, const T* x, T* y) {
  in_type<T>(cblas_dsymv, cblas_ssymv)(CblasColMajor, CblasUpper, in(n), T(1), Q, in(ldq), x, 1, T(0), y, 1);
}

}  // namespace elmx
