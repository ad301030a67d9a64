#include "linalg/symmetric_eigen.hpp"

// Fortran takes the length of each string after all other arguments.
extern "C" {
void dsyevd_(const char* jobz, const char* uplo, const int* n, double* A, const int* lda, double* w, double* work,
             const int* lwork, int* iwork, const int* liwork, int* info, std::size_t, std::size_t);
}

namespace elmx {

Status symmetric_eigen(arma::mat& A, arma::vec& theta) {
  expects(A.n_rows == A.n_cols && A.n_rows > 0, "symmetric_eigen: A is n x n");
  if (!A.is_finite()) return Status::not_finite;
  const int n = static_cast<int>(A.n_rows);
  theta.set_size(A.n_rows);
  double size = 0;
  int isize = 0, info = 0, lwork = -1, liwork = -1;
  dsyevd_("V", "U", &n, A.memptr(), &n, theta.memptr(), &size, &lwork, &isize, &liwork, &info, 1, 1);
  lwork = static_cast<int>(size);
  liwork = isize;
  arma::vec work(static_cast<uword>(lwork));
  arma::Col<int> iwork(static_cast<uword>(liwork));
  dsyevd_("V", "U", &n, A.memptr(), &n, theta.memptr(), work.memptr(), &lwork, iwork.memptr(), &liwork, &info, 1, 1);
  return info == 0 ? Status::ok : Status::not_finite;
}

}  // namespace elmx
