#pragma once

#include <cblas.h>

#include "linalg/blas.hpp"

// The single-threaded kernels of the BLAS library under one name for float and double. Only blas.cpp and
// upper_panels.cpp use them.

namespace elmx {

constexpr CBLAS_TRANSPOSE flag(Op op) { return op == Op::none ? CblasNoTrans : CblasTrans; }
constexpr int in(uword n) { return static_cast<int>(n); }

inline void kernel_gemm(Op a, Op b, uword m, uword n, uword k, double alpha, const double* A, uword lda,
                        const double* B, uword ldb, double beta, double* C, uword ldc) {
  cblas_dgemm(CblasColMajor, flag(a), flag(b), in(m), in(n), in(k), alpha, A, in(lda), B, in(ldb), beta, C, in(ldc));
}
inline void kernel_gemm(Op a, Op b, uword m, uword n, uword k, float alpha, const float* A, uword lda, const float* B,
                        uword ldb, float beta, float* C, uword ldc) {
  cblas_sgemm(CblasColMajor, flag(a), flag(b), in(m), in(n), in(k), alpha, A, in(lda), B, in(ldb), beta, C, in(ldc));
}
inline void kernel_syrk(uword n, uword k, double alpha, const double* A, uword lda, double beta, double* C, uword ldc) {
  cblas_dsyrk(CblasColMajor, CblasUpper, CblasTrans, in(n), in(k), alpha, A, in(lda), beta, C, in(ldc));
}
inline void kernel_syrk(uword n, uword k, float alpha, const float* A, uword lda, float beta, float* C, uword ldc) {
  cblas_ssyrk(CblasColMajor, CblasUpper, CblasTrans, in(n), in(k), alpha, A, in(lda), beta, C, in(ldc));
}
inline void kernel_gemv(Op op, uword m, uword n, double alpha, const double* A, uword lda, const double* x, double beta,
                        double* y) {
  cblas_dgemv(CblasColMajor, flag(op), in(m), in(n), alpha, A, in(lda), x, 1, beta, y, 1);
}
inline void kernel_gemv(Op op, uword m, uword n, float alpha, const float* A, uword lda, const float* x, float beta,
                        float* y) {
  cblas_sgemv(CblasColMajor, flag(op), in(m), in(n), alpha, A, in(lda), x, 1, beta, y, 1);
}
inline void kernel_trsm(Op op, uword n, uword k, const double* R, uword ldr, double* B, uword ldb) {
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, flag(op), CblasNonUnit, in(n), in(k), 1.0, R, in(ldr), B, in(ldb));
}
inline void kernel_trsm(Op op, uword n, uword k, const float* R, uword ldr, float* B, uword ldb) {
  cblas_strsm(CblasColMajor, CblasLeft, CblasUpper, flag(op), CblasNonUnit, in(n), in(k), 1.0f, R, in(ldr), B, in(ldb));
}
inline void kernel_trmm(CBLAS_SIDE side, Op op, bool unit, uword rows, uword cols, double alpha, const double* R,
                        uword ldr, double* B, uword ldb) {
  cblas_dtrmm(CblasColMajor, side, CblasUpper, flag(op), unit ? CblasUnit : CblasNonUnit, in(rows), in(cols), alpha, R,
              in(ldr), B, in(ldb));
}
inline void kernel_trmm(CBLAS_SIDE side, Op op, bool unit, uword rows, uword cols, float alpha, const float* R,
                        uword ldr, float* B, uword ldb) {
  cblas_strmm(CblasColMajor, side, CblasUpper, flag(op), unit ? CblasUnit : CblasNonUnit, in(rows), in(cols), alpha, R,
              in(ldr), B, in(ldb));
}
inline void kernel_trmv(Op op, bool unit, uword n, const double* R, uword ldr, double* x) {
  cblas_dtrmv(CblasColMajor, CblasUpper, flag(op), unit ? CblasUnit : CblasNonUnit, in(n), R, in(ldr), x, 1);
}
inline void kernel_trmv(Op op, bool unit, uword n, const float* R, uword ldr, float* x) {
  cblas_strmv(CblasColMajor, CblasUpper, flag(op), unit ? CblasUnit : CblasNonUnit, in(n), R, in(ldr), x, 1);
}

inline void kernel_symv(uword n, const double* Q, uword ldq, const double* x, double* y) {
  cblas_dsymv(CblasColMajor, CblasUpper, in(n), 1.0, Q, in(ldq), x, 1, 0.0, y, 1);
}
inline void kernel_symv(uword n, const float* Q, uword ldq, const float* x, float* y) {
  cblas_ssymv(CblasColMajor, CblasUpper, in(n), 1.0f, Q, in(ldq), x, 1, 0.0f, y, 1);
}

}  // namespace elmx
