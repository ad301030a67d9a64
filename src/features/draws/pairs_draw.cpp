#include "features/draws/pairs_draw.hpp"

#include <algorithm>
#include <cmath>

namespace elmx {
namespace {

constexpr std::size_t kCandidates = 8, kPairsTried = 1024;
constexpr std::uint64_t kDrawsOfPair = 2 * kPairsTried + 1;  // two samples a pair, then the choice
constexpr uword kNodesTogether = 64;                         // nodes whose candidates are in memory at once
constexpr double kSameInputs = 1e-20;                        // rounding relative to ||x_a||^2 + ||x_b||^2

struct Pair {
  uword a, b;      // samples
  double targets;  // max_k |y_bk - y_ak|
};

double largest_difference(const arma::mat& Y, uword a, uword b) {
  double largest = 0;
  for (uword k = 0; k < Y.n_cols; ++k) largest = std::max(largest, std::abs(Y(b, k) - Y(a, k)));
  return largest;
}

/// Returns the first pairs of a node that differ in their targets; the draws of the node begin at `first`.
std::vector<Pair> candidates(const Rng& rng, std::uint64_t first, const arma::mat& Y) {
  const auto sample = [&](std::uint64_t draw) {
    return static_cast<uword>(rng.uniform(draw) * static_cast<double>(Y.n_rows));
  };
  std::vector<Pair> pairs;
  for (std::size_t tried = 0; tried < kPairsTried && pairs.size() < kCandidates; ++tried) {
    const uword a = sample(first + 2 * tried), b = sample(first + 2 * tried + 1);
    const double targets = largest_difference(Y, a, b);
    if (targets > 0) pairs.push_back({a, b, targets});
  }
  return pairs;
}

/// Returns the index of the pair that u in [0, 1) selects by the chances, or pairs.size() if no two inputs
/// differ. The inputs of the pairs are the rows of Xa and Xb from `row` on.
std::size_t choose(const std::vector<Pair>& pairs, const arma::mat& Xa, const arma::mat& Xb, uword row, double u) {
  std::vector<double> sums;  // cumulative chances
  double sum = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const arma::rowvec a = Xa.row(row + i), b = Xb.row(row + i);
    const double squares = arma::accu(arma::square(b - a)), size = arma::accu(arma::square(a) + arma::square(b));
    if (squares > kSameInputs * size) sum += pairs[i].targets / std::sqrt(squares);
    sums.push_back(sum);
  }
  return static_cast<std::size_t>(std::ranges::upper_bound(sums, u * sum) - sums.begin());
}

}  // namespace

HiddenNodes draw_pairs(const DrawRequest& request) {
  const TrainingSamples& samples = *request.samples;
  const double s = request.draw.scale * std::log(3.0);
  arma::mat W(request.inputs, request.nodes, arma::fill::zeros);
  arma::rowvec b(request.nodes, arma::fill::zeros);
  for (uword first = 0; first < request.nodes; first += kNodesTogether) {
    const uword last = std::min(first + kNodesTogether, request.nodes);
    std::vector<std::vector<Pair>> pairs;
    std::vector<uword> ends_a, ends_b;
    for (uword j = first; j < last; ++j) {
      pairs.push_back(candidates(request.rng, request.first_draw + j * kDrawsOfPair, samples.targets));
      for (const Pair& pair : pairs.back()) {
        ends_a.push_back(pair.a);
        ends_b.push_back(pair.b);
      }
    }
    if (ends_a.empty()) continue;
    const arma::mat Xa = samples.rows(arma::uvec(ends_a)), Xb = samples.rows(arma::uvec(ends_b));
    uword row = 0;
    for (uword j = first; j < last; ++j) {
      const std::vector<Pair>& own = pairs[j - first];
      const double u = request.rng.uniform(request.first_draw + (j + 1) * kDrawsOfPair - 1);
      const std::size_t chosen = choose(own, Xa, Xb, row, u);
      if (chosen < own.size()) {
        const arma::vec from = Xa.row(row + chosen).t(), line = Xb.row(row + chosen).t() - from;
        W.col(j) = 2 * s * line / arma::accu(arma::square(line));
        b(j) = -arma::accu(W.col(j) % from) - s;
      }
      row += own.size();
    }
  }
  return HiddenNodes::made_of(request.draw.activation, std::move(W), std::move(b));
}

}  // namespace elmx
