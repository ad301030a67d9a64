#include "solvers/ridge/left_out.hpp"

#include <algorithm>
#include <limits>

namespace elmx {
namespace {

constexpr double kDigit = 10;  // least ratio of 1 - h to its rounding error

/// Returns the rows `samples` of A, transposed (k x m), and computes ||A||_F^2.
template <class T>
arma::Mat<T> columns_of(const TallMatrix<T>& A, const arma::uvec& samples, uword k, double& squares) {
  arma::Mat<T> a(k, samples.n_elem);
  squares = 0;
  A.for_each_block(k, [&](uword first, View<const T> block) {
    for (uword j = 0; j < k; ++j) {
      double sum = 0;
      for (uword i = 0; i < block.rows; ++i) sum += static_cast<double>(block(i, j)) * static_cast<double>(block(i, j));
      squares += sum;
    }
    const auto* begin = std::lower_bound(samples.begin(), samples.end(), first);
    for (; begin != samples.end() && *begin < first + block.rows; ++begin) {
      T* column = a.colptr(static_cast<uword>(begin - samples.begin()));
      for (uword j = 0; j < k; ++j) column[j] = block(*begin - first, j);
    }
  });
  return a;
}

}  // namespace

template <class T>
std::optional<LeftOut> left_out(const InverseOperator<T>& inverse, const TallMatrix<T>& A, const arma::uvec& samples,
                                const arma::mat& W, const arma::mat& Y) {
  double squares = 0;
  const arma::Mat<T> a = columns_of(A, samples, W.n_rows, squares);
  arma::Mat<T> d = a;
  if (inverse.at_samples_only()) {
    for (uword j = 0; j < d.n_cols; ++j) inverse.apply_inverse(samples(j), View<T>(d.colptr(j), d.n_rows, 1, d.n_rows));
  } else {
    inverse.apply_inverse(0, View<T>(d));
  }
  const arma::mat wide = arma::conv_to<arma::mat>::from(a);
  LeftOut of{arma::conv_to<arma::mat>::from(d), Y - wide.t() * W};
  const arma::vec h = arma::sum(wide % of.directions, 0).t();
  const arma::vec rounding =
      leverage_rounding(std::numeric_limits<T>::epsilon(), squares, arma::sum(arma::square(wide), 0).t(),
                        arma::sum(arma::square(of.directions), 0).t(), h);
  if (!arma::all(1 - h > kDigit * rounding)) return std::nullopt;  // also refuses NaN
  of.residuals.each_col() /= 1 - h;
  return of;
}

template std::optional<LeftOut> left_out(const InverseOperator<double>&, const TallMatrix<double>&, const arma::uvec&,
                                         const arma::mat&, const arma::mat&);
template std::optional<LeftOut> left_out(const InverseOperator<float>&, const TallMatrix<float>&, const arma::uvec&,
                                         const arma::mat&, const arma::mat&);

}  // namespace elmx
