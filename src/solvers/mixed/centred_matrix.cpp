#include "solvers/mixed/centred_matrix.hpp"

#include <algorithm>

namespace elmx {
namespace {

constexpr uword kCentredRows = 2048;  // rows at once

}  // namespace

template <class T>
void centre(View<const T> A, const arma::vec& m, View<float> B) {
#pragma omp parallel for schedule(static)
  for (uword j = 0; j < A.cols; ++j) {
    const T* a = &A(0, j);
    float* b = &B(0, j);
    const T mean = static_cast<T>(m(j)), rest = static_cast<T>(m(j) - static_cast<double>(mean));
    for (uword i = 0; i < A.rows; ++i) b[i] = static_cast<float>((a[i] - mean) - rest);
  }
}

template <class T>
void add_column_sums(View<const T> A, double* sums) {
#pragma omp parallel for schedule(static)
  for (uword j = 0; j < A.cols; ++j) {
    const T* a = &A(0, j);
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (uword i = 0; i < A.rows; ++i) sum += static_cast<double>(a[i]);
    sums[j] += sum;
  }
}

template <class T>
void CentredMatrix<T>::for_each_block(uword k, const Visit& visit) const {
  arma::fmat B(std::min(kCentredRows, A_.rows()), k, arma::fill::none);
  A_.for_each_block(k, [&](uword first, View<const T> block) {
    for (uword i = 0; i < block.rows; i += kCentredRows) {
      const View<const T> some = block.block(i, 0, std::min(kCentredRows, block.rows - i), k);
      const View<float> centred = View<float>(B).block(0, 0, some.rows, k);
      centre(some, m_, centred);
      visit(first + i, centred);
    }
  });
}

template <class T>
std::unique_ptr<TallMatrix<float>> CentredMatrix<T>::leading(uword rows, uword cols) const {
  return std::make_unique<CentredMatrix>(A_.leading(rows, cols), m_);
}

template void centre(View<const double>, const arma::vec&, View<float>);
template void centre(View<const float>, const arma::vec&, View<float>);
template void add_column_sums(View<const double>, double*);
template void add_column_sums(View<const float>, double*);
template class CentredMatrix<double>;
template class CentredMatrix<float>;

}  // namespace elmx
