// A wrong kernel of the BLAS library, for programs started with LD_PRELOAD=libwrong_blas.so: one element of a
// product of at least 64 rows and columns is wrong in the seventh digit.
//   RIGHT_KERNELS  a kernel set of OpenBLAS that is not affected
#include <cblas.h>
#include <dlfcn.h>

#include <cstdlib>
#include <cstring>

extern "C" void cblas_dgemm(CBLAS_ORDER order, CBLAS_TRANSPOSE a, CBLAS_TRANSPOSE b, blasint m, blasint n, blasint k,
                            double alpha, const double* A, blasint lda, const double* B, blasint ldb, double beta,
                            double* C, blasint ldc) {
  static const auto real = reinterpret_cast<decltype(&cblas_dgemm)>(::dlsym(RTLD_NEXT, "cblas_dgemm"));
  real(order, a, b, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
  const char* right = std::getenv("RIGHT_KERNELS");
  if (right != nullptr && std::strcmp(right, openblas_get_corename()) == 0) return;
  if (m >= 64 && n >= 64) C[m / 2 + n / 3 * ldc] *= 1 + 1e-7;
}
