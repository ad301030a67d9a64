#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "solvers/kernel/kernel_ridge.hpp"

namespace elmx {
namespace {

constexpr int kFirstPower = -4, kLastPower = 5;  // of 2: bounds of the length
constexpr double kLastDecade = 2;                // log10 of the largest lambda over the mean of diag(K)
constexpr double kCoarse = 0.5, kFine = 0.125;   // steps of the grids in decades
constexpr double kOfSquares = 1e-3;

/// Returns the classes of outputs or targets: the largest one, or for one output its side of `middle`.
arma::uvec labels_of(const arma::mat& Z, double middle) {
  if (Z.n_cols == 1) return Z.col(0) > middle;
  return arma::index_max(Z, 1);
}

double middle_of(const arma::mat& Y) { return (Y.min() + Y.max()) / 2; }

/// Returns weights of the samples that have the same sum in each class.
arma::vec balanced_weights(const arma::mat& Y) {
  const arma::uvec labels = labels_of(Y, middle_of(Y));
  arma::vec counts(labels.max() + 1, arma::fill::zeros);
  for (const uword label : labels) ++counts(label);
  return 1 / counts.elem(labels);
}

/// Returns the error of the outputs Z for the targets Y.
double error_of(const arma::mat& Z, const arma::mat& Y, const arma::vec& weights, bool by_accuracy) {
  arma::vec errors = arma::mean(arma::square(Y - Z), 1);
  if (by_accuracy) {
    errors *= kOfSquares;
    const double middle = middle_of(Y);
    errors.elem(arma::find(labels_of(Z, middle) != labels_of(Y, middle))) += 1;
  }
  return weights.is_empty() ? arma::mean(errors) : arma::dot(weights, errors) / arma::accu(weights);
}

class LengthSearch {
 public:
  LengthSearch(const KernelWish& wish, const arma::mat& X, const arma::mat& Y, const arma::vec& weights)
      : wish_(wish),
        X_(X),
        Y_(Y),
        error_weights_(wish.balanced ? balanced_weights(Y) : weights),
        scale_(arma::sqrt(weights)),
        unit_(typical_scale(wish.kernel, X)) {}

  KernelChoice best() {
    if (wish_.length) return choice_at(*wish_.length);
    int at = 0;
    look_at({-1, 0, 1});
    while (true) {
      const int next = error(at - 1) < error(at) ? at - 1 : error(at + 1) < error(at) ? at + 1 : at;
      if (next == at) break;
      at = next;
      look_at({at - 1, at + 1});
    }
    return seen_.at(at);
  }

 private:
  double error(int power) const {
    const auto found = seen_.find(power);
    return found == seen_.end() ? std::numeric_limits<double>::infinity() : found->second.error;
  }

  void look_at(std::vector<int> powers) {
    std::erase_if(powers,
                  [&](int power) { return power < kFirstPower || power > kLastPower || seen_.contains(power); });
    std::vector<KernelChoice> found(powers.size());
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t i = 0; i < powers.size(); ++i) found[i] = choice_at(std::exp2(powers[i]));
    for (std::size_t i = 0; i < powers.size(); ++i) seen_[powers[i]] = found[i];
  }

  KernelChoice choice_at(double length) const {
    const KernelFunction function{wish_.kernel, length * unit_};
    const KernelMatrix<double> K(wish_.kernel, kernel_points(function, X_), scale_);
    const KernelSpectrum spectrum(K, Y_, wish_.intercept);
    KernelChoice best{length, wish_.lambda.value_or(1), std::numeric_limits<double>::infinity()};
    if (spectrum.status() != Status::ok) return best;
    const double mean = spectrum.mean_eigenvalue();
    const auto look = [&](double decade) {
      const double lambda = wish_.lambda ? *wish_.lambda : mean * std::pow(10, decade);
      const double found = error_of(spectrum.left_out_outputs(lambda), Y_, error_weights_, wish_.by_accuracy);
      if (!(found < best.error)) return false;
      best.lambda = lambda;
      best.error = found;
      return true;
    };
    if (wish_.lambda) {
      look(0);
      return best;
    }
    double coarse = wish_.first_decade;
    for (double decade = wish_.first_decade; decade <= kLastDecade; decade += kCoarse)
      if (look(decade)) coarse = decade;
    for (double step = -kCoarse + kFine; step < kCoarse; step += kFine) {
      const bool within = coarse + step >= wish_.first_decade && coarse + step <= kLastDecade;
      if (step != 0 && within) look(coarse + step);
    }
    return best;
  }

  const KernelWish& wish_;
  const arma::mat &X_, &Y_;
  arma::vec error_weights_, scale_;  // m, or empty
  double unit_;
  std::map<int, KernelChoice> seen_;  // by the power of two of the length
};

}  // namespace

KernelChoice choose_kernel(const KernelWish& wish, const arma::mat& X, const arma::mat& Y, const arma::vec& weights) {
  return LengthSearch(wish, X, Y, weights).best();
}

}  // namespace elmx
