#include "solvers/ridge/leverages.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "base/rng.hpp"
#include "linalg/gram.hpp"

namespace elmx {
namespace {

constexpr uword kSamples = 1024;
constexpr int kPowerSteps = 6;

/// Returns x'y, in double.
template <class T>
double wide_dot(uword n, const T* x, const T* y) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (uword i = 0; i < n; ++i) sum += static_cast<double>(x[i]) * static_cast<double>(y[i]);
  return sum;
}

/// A sample whose h is checked.
struct Probe {
  uword sample;
  double weight;  // sensitivity of 1 - h to an error
  arma::vec a, x;
};

/// Selects evenly spread samples and the samples of largest weight.
class Probes {
 public:
  explicit Probes(uword n) : every_(std::max<uword>(1, n / kProbes)) {}

  template <class T>
  void offer(uword sample, double weight, uword k, const T* a, const T* x) {
    const bool spread = sample % every_ == 0 && spread_.size() < kProbes;
    if (!spread && heaviest_.size() == kProbes && !(weight > heaviest_.back().weight)) return;
    Probe probe{sample, weight, arma::vec(k), arma::vec(k)};
    std::copy_n(a, k, probe.a.memptr());
    std::copy_n(x, k, probe.x.memptr());
    if (spread) return spread_.push_back(std::move(probe));
    const auto place =
        std::find_if(heaviest_.begin(), heaviest_.end(), [&](const Probe& other) { return weight > other.weight; });
    heaviest_.insert(place, std::move(probe));
    if (heaviest_.size() > kProbes) heaviest_.pop_back();
  }

  std::vector<Probe> all() && {
    std::move(heaviest_.begin(), heaviest_.end(), std::back_inserter(spread_));
    return std::move(spread_);
  }

 private:
  uword every_;
  std::vector<Probe> spread_, heaviest_;
};

/// Returns R X in double with one pass over A.   X: k x m.
template <class T>
arma::mat ridge_times(const TallMatrix<T>& A, uword k, double lambda, const arma::mat& X) {
  arma::mat RX = lambda * X;
  A.for_each_part(k, kSamples, [&](uword, View<const T> block) {
    const arma::mat samples = arma::conv_to<arma::mat>::from(block.copy());
    RX += samples.t() * (samples * X);
  });
  return RX;
}

/// Returns the largest error of h at the probes, relative to its rounding.
template <class T>
double drift_of(const std::vector<Probe>& probes, const arma::vec& rounding, double inverse, const TallMatrix<T>& A,
                uword k, double lambda) {
  arma::mat a(k, probes.size()), x(k, probes.size());
  arma::vec allowed(probes.size());
  for (std::size_t j = 0; j < probes.size(); ++j) {
    a.col(j) = probes[j].a;
    x.col(j) = probes[j].x;
    allowed(j) = rounding(probes[j].sample);
  }
  return drift_at_probes(x, a - ridge_times(A, k, lambda, x), allowed, inverse);
}

}  // namespace

arma::vec leverage_rounding(double eps, double squares, const arma::vec& a, const arma::vec& x, const arma::vec& h) {
  return eps * (squares * x + arma::sqrt(a % x) + h);
}

double inverse_norm_of_samples(const arma::vec& x, const arma::vec& h) {
  double largest = 0;
  for (uword i = 0; i < h.n_elem; ++i) {
    if (h(i) > 0) largest = std::max(largest, x(i) / h(i));
  }
  return largest;
}

double drift_at_probes(const arma::mat& X, const arma::mat& residuals, const arma::vec& allowed, double inverse) {
  double drift = 0;
  for (uword j = 0; j < X.n_cols; ++j) {
    const auto x = X.col(j), r = residuals.col(j);
    const double error = std::abs(arma::dot(x, r)) + inverse * arma::dot(r, r);
    if (!std::isfinite(error)) return std::numeric_limits<double>::infinity();
    if (error > 0) drift = std::max(drift, error / allowed(j));
  }
  return drift;
}

template <class T>
Leverages leverages(const InverseOperator<T>& inverse, const TallMatrix<T>& A, uword k, double lambda,
                    const arma::mat& gradient) {
  const uword n = A.rows();
  Leverages of{arma::vec(n), arma::vec(n)};
  of.columns = k;
  if (!gradient.is_empty()) of.refined.set_size(n, gradient.n_cols);
  arma::vec a(n), x(n);  // ||a_i||^2, ||R^-1 a_i||^2
  Probes probes(n);
  A.for_each_part(k, kSamples, [&](uword begin, View<const T> block) {
    const uword count = block.rows;
    arma::Mat<T> samples(k, count, arma::fill::none);
    transpose(block, View<T>(samples));
    arma::Mat<T> X = samples;
    inverse.apply_inverse(begin, View<T>(X));
#pragma omp parallel for schedule(static)
    for (uword i = 0; i < count; ++i) {
      of.h(begin + i) = wide_dot(k, samples.colptr(i), X.colptr(i));
      a(begin + i) = wide_dot(k, samples.colptr(i), samples.colptr(i));
      x(begin + i) = wide_dot(k, X.colptr(i), X.colptr(i));
    }
    if (!gradient.is_empty()) {
      const arma::mat wide = arma::conv_to<arma::mat>::from(X);
      of.refined.rows(begin, begin + count - 1) = -wide.t() * gradient;
    }
    for (uword i = 0; i < count; ++i) {
      const double left = std::max(1 - of.h(begin + i), std::numeric_limits<double>::epsilon());
      probes.offer(begin + i, x(begin + i) / left, k, samples.colptr(i), X.colptr(i));
    }
  });
  of.rounding = leverage_rounding(std::numeric_limits<T>::epsilon(), arma::accu(a), a, x, of.h);
  of.drift = drift_of(std::move(probes).all(), of.rounding, inverse_norm_of_samples(x, of.h), A, k, lambda);
  return of;
}

template <class T>
double inverse_norm(const InverseOperator<T>& inverse, const TallMatrix<T>& A, uword k) {
  double norm = 0;
  if (inverse.at_samples_only()) {
    const uword every = std::max<uword>(1, A.rows() / (4 * kProbes));
    A.for_each_block(k, [&](uword first, View<const T> block) {
      for (uword i = (every - first % every) % every; i < block.rows; i += every) {
        arma::Mat<T> a(k, 1);
        transpose(block.block(i, 0, 1, k), View<T>(a));
        arma::Mat<T> x = a;
        inverse.apply_inverse(first + i, View<T>(x));
        const double h = wide_dot(k, a.memptr(), x.memptr());
        if (h > 0) norm = std::max(norm, wide_dot(k, x.memptr(), x.memptr()) / h);
      }
    });
    return norm;
  }
  const Rng rng(1, Purpose::probe);
  arma::Mat<T> x(k, 1);
  for (uword i = 0; i < k; ++i) x(i) = static_cast<T>(rng.normal(i));
  for (int step = 0; step < kPowerSteps; ++step) {
    const double length = std::sqrt(wide_dot(k, x.memptr(), x.memptr()));
    if (!(length > 0) || !std::isfinite(length)) return length;
    x /= static_cast<T>(length);
    inverse.apply_inverse(0, View<T>(x));
    norm = std::sqrt(wide_dot(k, x.memptr(), x.memptr()));
  }
  return norm;
}

template Leverages leverages(const InverseOperator<double>&, const TallMatrix<double>&, uword, double,
                             const arma::mat&);
template Leverages leverages(const InverseOperator<float>&, const TallMatrix<float>&, uword, double, const arma::mat&);
template double inverse_norm(const InverseOperator<double>&, const TallMatrix<double>&, uword);
template double inverse_norm(const InverseOperator<float>&, const TallMatrix<float>&, uword);

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
