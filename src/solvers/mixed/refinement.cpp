#include "solvers/mixed/refinement.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/gram.hpp"
#include "linalg/tall_matrix.hpp"

namespace elmx {
namespace {

constexpr double kReached = 5e-17;    // least backward error, about the rounding of r in double
constexpr double kSure = 100;         // safety factor of the predicted error after one more step
constexpr double kToBeGained = 1e-8;  // reduction of the residual from single precision to double
constexpr double kSlow = 0.05;        // part of the residual left per step above which ...
constexpr double kManySteps = 4;      // ... and number of steps above which conjugate gradients are faster
constexpr uword kJudged = 8;          // steps after which the rate of conjugate gradients is known
constexpr uword kRestart = 30;        // steps of conjugate gradients before the true residual is formed
// One run of steps can reduce the residual of a column by this factor before rounding shows.
constexpr double kGained = 1e-8;

double norm(const arma::mat& M) { return M.is_finite() ? arma::norm(M, "fro") : arma::datum::inf; }

using ApplyInverse = std::function<void(View<double>)>;

template <class T>
class CountedProducts {
 public:
  explicit CountedProducts(const RefinedProblem<T>& problem) : problem_(problem) {}

  /// Returns A'(Y - A W) - lambda W.
  arma::mat residual(const arma::mat& W) { return products_of(W, &problem_.Y) - problem_.lambda * W; }

  /// Returns (A'A + lambda I) P.
  arma::mat times(const arma::mat& P) { return problem_.lambda * P - products_of(P, nullptr); }

  /// Returns ||A'(Y - A W) - lambda W|| / ((||A||_F^2 + lambda) ||W|| + ||A'Y||).
  double backward_error(const arma::mat& W, const arma::mat& R) const {
    const double size = (problem_.squares + problem_.lambda) * norm(W) + norm(problem_.cross);
    return size == 0 ? 0 : norm(R) / size;
  }

  uword products() const { return products_; }

 private:
  static constexpr uword kRowsAtOnce = 2048;  // rows that stay in the cache during both products

  /// Returns A'(Y - A W), or -A'A W without Y.
  arma::mat products_of(const arma::mat& W, const View<const double>* Y) {
    ++products_;
    const TallMatrix<T>& A = problem_.A;
    const uword k = W.n_rows, c = W.n_cols;
    arma::mat R(k, c);
    arma::mat E(std::min(kRowsAtOnce, A.rows()), c);
    A.for_each_part(k, kRowsAtOnce, [&](uword first, View<const T> some) {
      const View<double> e = View<double>(E).block(0, 0, some.rows, c);
      for (uword j = 0; j < c; ++j) {
        Y ? std::copy_n(&(*Y)(first, j), some.rows, &e(0, j)) : std::fill_n(&e(0, j), some.rows, 0.0);
      }
      wide_gemm(Op::none, -1.0, some, View<const double>(W), 1.0, e);
      wide_gemm(Op::transpose, 1.0, some, View<const double>(e), 1.0, View<double>(R));
    });
    problem_.among.sum(R.memptr(), R.n_elem);
    return R;
  }

  const RefinedProblem<T>& problem_;
  uword products_ = 0;
};

/// Returns true if `steps` steps with the remaining part `left` of the residual predict a remaining part
/// `wanted` within twice the given products.
bool gets_there(double left, uword steps, double wanted, uword products) {
  return left < 1 &&
         std::log(wanted) / std::log(left) * static_cast<double>(steps) <= 2 * static_cast<double>(products);
}

/// Solves (A'A + lambda I) X = R approximately, until the part `wanted` of R remains. Returns X = 0 if this
/// takes too long.
template <class T>
arma::mat conjugate_gradients(CountedProducts<T>& problem, const ApplyInverse& apply_inverse, arma::mat R,
                              double wanted, uword most_products) {
  arma::mat X(R.n_rows, R.n_cols), Z = R;
  apply_inverse(View<double>(Z));
  arma::mat P = Z;
  arma::rowvec rz = column_dots(R, Z);
  const arma::rowvec begun = rz;
  for (uword step = 0; step < kRestart && problem.products() < most_products; ++step) {
    const arma::mat AP = problem.times(P);
    arma::rowvec alpha = rz / column_dots(P, AP);
    alpha.transform([](double a) { return std::isfinite(a) ? a : 0; });  // 0 for a column that is solved
    X += P.each_row() % alpha;
    R -= AP.each_row() % alpha;
    Z = R;
    apply_inverse(View<double>(Z));
    const arma::rowvec next = column_dots(R, Z);
    if (!next.is_finite() || arma::all(next <= kGained * kGained * begun)) break;
    const double left = std::sqrt(arma::accu(next) / arma::accu(begun));
    if (left <= wanted) break;
    if (step + 1 == kJudged && !gets_there(left, kJudged, wanted, most_products)) return X.zeros();
    arma::rowvec beta = next / rz;
    beta.transform([](double b) { return std::isfinite(b) ? b : 0; });
    P = Z + P.each_row() % beta;
    rz = next;
  }
  return X;
}

/// Returns true if conjugate gradients need fewer products than steps with the reduction `gain` until
/// `wanted`.
bool slow(double gain, double wanted) { return gain > kSlow && std::log(wanted) / std::log(gain) > kManySteps; }

}  // namespace

double most_condition(uword most_products) {
  return std::pow(2 * static_cast<double>(most_products) / std::log(2 / kToBeGained), 2);
}

template <class T>
Refinement refine(const RefinedProblem<T>& of, const ApplyInverse& apply_inverse, uword most_products) {
  CountedProducts<T> problem(of);
  Refinement out;
  out.W = of.cross;
  apply_inverse(View<double>(out.W));
  arma::mat R = problem.residual(out.W);
  double r = norm(R), gain = 1;  // ||r||, and its reduction in the last step
  while (true) {
    out.products = problem.products();
    const double error = problem.backward_error(out.W, R);
    // One more step costs no product. Its effect is estimated from the last step.
    out.converged = std::min(error, kSure * gain * error) <= kReached;
    if (out.converged) {
      apply_inverse(View<double>(R));
      out.W += R;
    }
    if (out.converged || !std::isfinite(r) || out.products >= most_products) return out;
    arma::mat step =
        out.conjugate ? conjugate_gradients(problem, apply_inverse, R, kReached / error, most_products) : R;
    if (!out.conjugate) apply_inverse(View<double>(step));
    const arma::mat W = out.W + step;
    arma::mat next = problem.residual(W);
    const double reached = norm(next);
    if (reached < r) {
      out.W = W;
      R = std::move(next);
    }
    if (!(reached <= r / 2)) {
      if (out.conjugate) {  // conjugate gradients gain nothing more
        out.products = problem.products();
        return out;
      }
      out.conjugate = true;
    }
    gain = out.conjugate ? 1 : reached / r;
    r = std::min(r, reached);
    out.conjugate |= slow(gain, kReached / problem.backward_error(out.W, R));
  }
}

template Refinement refine(const RefinedProblem<double>&, const ApplyInverse&, uword);
template Refinement refine(const RefinedProblem<float>&, const ApplyInverse&, uword);

}  // namespace elmx
