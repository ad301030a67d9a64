#pragma once

// The symbols of BLACS, PBLAS and ScaLAPACK that elmx calls; any library with these symbols will do.
// ScaLAPACK is Fortran: the lengths of strings come last, and without them the callee overwrites the stack.
// BLACS and PBLAS are C.

#include <cstddef>

extern "C" {

void Cblacs_get(int context, int what, int* value);
void Cblacs_gridinit(int* context, const char* order, int rows, int cols);
void Cblacs_gridinfo(int context, int* rows, int* cols, int* row, int* col);

void pdpotrf_(const char* uplo, const int* n, double* A, const int* ia, const int* ja, const int* desc, int* info,
              std::size_t length);
void pspotrf_(const char* uplo, const int* n, float* A, const int* ia, const int* ja, const int* desc, int* info,
              std::size_t length);

void pdtrtri_(const char* uplo, const char* diag, const int* n, double* A, const int* ia, const int* ja,
              const int* desc, int* info, std::size_t length, std::size_t other_length);
void pstrtri_(const char* uplo, const char* diag, const int* n, float* A, const int* ia, const int* ja, const int* desc,
              int* info, std::size_t length, std::size_t other_length);

void pdtrsm_(const char* side, const char* uplo, const char* trans, const char* diag, const int* m, const int* n,
             const double* alpha, const double* A, const int* ia, const int* ja, const int* desc, double* B,
             const int* ib, const int* jb, const int* desc_b);
void pstrsm_(const char* side, const char* uplo, const char* trans, const char* diag, const int* m, const int* n,
             const float* alpha, const float* A, const int* ia, const int* ja, const int* desc, float* B, const int* ib,
             const int* jb, const int* desc_b);

void pdtrmm_(const char* side, const char* uplo, const char* trans, const char* diag, const int* m, const int* n,
             const double* alpha, const double* A, const int* ia, const int* ja, const int* desc, double* B,
             const int* ib, const int* jb, const int* desc_b);
void pstrmm_(const char* side, const char* uplo, const char* trans, const char* diag, const int* m, const int* n,
             const float* alpha, const float* A, const int* ia, const int* ja, const int* desc, float* B, const int* ib,
             const int* jb, const int* desc_b);

void pdsyrk_(const char* uplo, const char* trans, const int* n, const int* k, const double* alpha, const double* A,
             const int* ia, const int* ja, const int* desc, const double* beta, double* C, const int* ic, const int* jc,
             const int* desc_c);
void pssyrk_(const char* uplo, const char* trans, const int* n, const int* k, const float* alpha, const float* A,
             const int* ia, const int* ja, const int* desc, const float* beta, float* C, const int* ic, const int* jc,
             const int* desc_c);

void pdtran_(const int* m, const int* n, const double* alpha, const double* A, const int* ia, const int* ja,
             const int* desc, const double* beta, double* C, const int* ic, const int* jc, const int* desc_c);
void pstran_(const int* m, const int* n, const float* alpha, const float* A, const int* ia, const int* ja,
             const int* desc, const float* beta, float* C, const int* ic, const int* jc, const int* desc_c);

}  // extern "C"
