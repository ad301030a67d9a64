#pragma once

// The symbols of BLACS, PBLAS and ScaLAPACK that elmx calls; any library with these symbols will do.
// ScaLAPACK is Fortran: the lengths of strings come last, and without them the callee overwrites the stack.
// BLACS and PBLAS are C. Indices begin at 1; desc: the descriptor of an array.

#include <cstddef>

namespace elmx {

template <class T>
using Potrf = void(const char* uplo, const int* n, T* A, const int* ia, const int* ja, const int* desc, int* info,
                   std::size_t length);
template <class T>
using Trtri = void(const char* uplo, const char* diag, const int* n, T* A, const int* ia, const int* ja,
                   const int* desc, int* info, std::size_t length, std::size_t other_length);
template <class T>
using Trsm = void(const char* side, const char* uplo, const char* trans, const char* diag, const int* m, const int* n,
                  const T* alpha, const T* A, const int* ia, const int* ja, const int* desc, T* B, const int* ib,
                  const int* jb, const int* desc_b);
template <class T>
using Syrk = void(const char* uplo, const char* trans, const int* n, const int* k, const T* alpha, const T* A,
                  const int* ia, const int* ja, const int* desc, const T* beta, T* C, const int* ic, const int* jc,
                  const int* desc_c);
template <class T>
using Tran = void(const int* m, const int* n, const T* alpha, const T* A, const int* ia, const int* ja, const int* desc,
                  const T* beta, T* C, const int* ic, const int* jc, const int* desc_c);

extern "C" {

void Cblacs_get(int context, int what, int* value);
void Cblacs_gridinit(int* context, const char* order, int rows, int cols);
void Cblacs_gridinfo(int context, int* rows, int* cols, int* row, int* col);

Potrf<double> pdpotrf_;
Potrf<float> pspotrf_;
Trtri<double> pdtrtri_;
Trtri<float> pstrtri_;
Trsm<double> pdtrsm_, pdtrmm_;
Trsm<float> pstrsm_, pstrmm_;
Syrk<double> pdsyrk_;
Syrk<float> pssyrk_;
Tran<double> pdtran_;
Tran<float> pstran_;

}  // extern "C"

}  // namespace elmx
