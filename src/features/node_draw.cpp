#include "features/node_draw.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "features/learnt_metric.hpp"
#include "linalg/blas.hpp"

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

/// Draws nodes that change between two training samples of different targets:
///
///     w = 2 s (x_b - x_a) / ||x_b - x_a||^2,   bias = -w'x_a - s,   s = scale ln 3
///
/// Then v(x_a) = -s and v(x_b) = s, and a tanh of scale 1 goes from -0.8 to 0.8. Node j takes one of its
/// first eight random pairs that differ in targets, with chances proportional to max_k
/// |y_bk - y_ak| / ||x_b - x_a||. A node without such a pair, or without one of different inputs, is f(0)
/// everywhere.
///
/// E. L. Bolager, I. Burak, C. Datar, Q. Sun, F. Dietrich, "Sampling weights of deep neural networks",
/// NeurIPS 36, 2023.
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
  return {request.draw.activation, std::move(W), std::move(b)};
}

constexpr std::array<uword, 5> kInputsOfNode{1, 2, 3, 4, 6};
constexpr std::uint64_t kDrawsOfNode = 16;  // m, up to six inputs, up to six weights, the bias

uword index_below(double uniform, uword n) { return static_cast<uword>(uniform * static_cast<double>(n)); }

/// Draws nodes with few inputs: node j has m weights w ~ scale N(0, 1) / sqrt(m) at m different inputs, where
/// m is 1, 2, 3, 4 or 6 with equal chances (at most d), and a bias b ~ U[-1, 1] max(1, scale).
HiddenNodes draw_sparse(const DrawRequest& request) {
  const Rng& rng = request.rng;
  const uword d = request.inputs;
  const double scale = request.draw.scale;
  arma::mat W(d, request.nodes, arma::fill::zeros);
  arma::rowvec b(request.nodes);
  for (uword j = 0; j < request.nodes; ++j) {
    std::uint64_t next = request.first_draw + j * kDrawsOfNode;
    const uword m = std::min(d, kInputsOfNode[index_below(rng.uniform(next++), kInputsOfNode.size())]);
    std::set<uword> inputs;  // Floyd's algorithm: all sets of m inputs have the same chance
    for (uword last = d - m; last < d; ++last) {
      const uword one = index_below(rng.uniform(next++), last + 1);
      inputs.insert(inputs.contains(one) ? last : one);
    }
    for (const uword i : inputs) W(i, j) = scale * rng.normal(next++) / std::sqrt(static_cast<double>(m));
    b(j) = (2 * rng.uniform(next) - 1) * std::max(1.0, scale);
  }
  return {request.draw.activation, std::move(W), std::move(b)};
}

HiddenNodes draw_uniform(const DrawRequest& request) {
  const NodeDraw& draw = request.draw;
  return HiddenNodes::draw(draw.activation, request.rng, request.inputs, request.nodes, draw.ranges,
                           request.first_draw);
}

constexpr std::array<DrawKind, 4> kDrawKinds{{
    {"uniform", "weights and biases from their ranges", false, true, draw_uniform},
    {"pairs", "weights along the lines between training samples of different targets", true, false, draw_pairs},
    {"sparse", "each node sees one to six inputs", false, false, draw_sparse},
    {"landmarks", "kernels at training samples, Nystroem features", true, false, nullptr},
}};

}  // namespace

arma::mat TrainingSamples::rows(const arma::uvec& samples) const {
  const Inputs named{inputs.X, inputs.rows.elem(samples), inputs.scaler};
  arma::mat X(samples.n_elem, inputs.dimension(), arma::fill::none);
  named.block(0, samples.n_elem, X.memptr());
  inputs.X.rethrow();
  if (metric == nullptr) return X;
  return gemm(Op::none, Op::none, 1.0, X, *metric);
}

std::span<const DrawKind> draw_kinds() { return kDrawKinds; }

const DrawKind& draw_kind(const std::string& name) {
  const auto row = std::ranges::find(kDrawKinds, name, &DrawKind::name);
  expects(row != kDrawKinds.end(), "draw_kind: a kind that there is");
  return *row;
}

bool NodeDraw::looks_at_samples() const { return metric_rounds > 0 || draw_kind(kind).looks_at_samples; }

HiddenNodes draw_nodes(const NodeDraw& draw, const Rng& rng, uword inputs, uword nodes, const TrainingSamples* samples,
                       std::uint64_t first_draw) {
  expects(samples != nullptr || !draw.looks_at_samples(), "draw_nodes: the samples that the draw looks at");
  const DrawKind& kind = draw_kind(draw.kind);
  expects(kind.nodes != nullptr, "draw_nodes: nodes f(W'x + b)");
  if (draw.metric_rounds == 0) return kind.nodes({draw, rng, inputs, nodes, first_draw, samples});
  const arma::mat M = learnt_metric(draw, rng.with(Purpose::metric), *samples, nodes);
  const TrainingSamples seen{samples->inputs, samples->targets, &M};
  HiddenNodes drawn = kind.nodes({draw, rng, inputs, nodes, first_draw, &seen});
  drawn.W = gemm(Op::none, Op::none, 1.0, M, drawn.W);
  return drawn;
}

std::shared_ptr<const LandmarkNodes> drawn_landmarks(const NodeDraw& draw, const Rng& rng, uword nodes,
                                                     const TrainingSamples& samples) {
  return std::make_shared<const LandmarkNodes>(
      LandmarkNodes::draw(draw.kernel, draw.length, rng, samples.inputs, nodes));
}

}  // namespace elmx
