#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "features/hidden_nodes.hpp"
#include "models/s3elm/s3elm.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"
#include "support/refusal.hpp"
#include "support/semi_supervised.hpp"
#include "support/status.hpp"

// Networks of family s3elm trained by the formulas as they are printed, with dense inverses.

namespace elmx::s3elm_by_definition {

inline const Rng kRng(5, Purpose::layer, 1, 2);

/// Two half circles, samples of class 0 and 1 in turn. 52 samples in two dimensions.
struct Moons {
  arma::mat X = arma::mat(52, 2);
  arma::uvec classes = arma::uvec(52);
  arma::uvec labelled{3, 8, 11, 14, 21, 26, 30, 37};
  arma::uvec unlabelled, test;  ///< the others of the first 40; what is left
  std::string scaling = "minus_one_one";

  Moons() {
    const arma::mat noise = normal_matrix(52, 2, 41, 1);
    for (uword i = 0; i < 52; ++i) {
      const double t = arma::datum::pi * static_cast<double>((7 * i) % 52) / 51;
      classes(i) = i % 2;
      X(i, 0) = (i % 2 == 0 ? std::cos(t) : 1 - std::cos(t)) + 0.15 * noise(i, 0);
      X(i, 1) = (i % 2 == 0 ? std::sin(t) : 0.5 - std::sin(t)) + 0.15 * noise(i, 1);
    }
    label(labelled);
  }

  /// `rows` are labelled, the others of the first 40 are not.
  void label(const arma::uvec& rows) {
    labelled = rows;
    unlabelled = arma::regspace<arma::uvec>(0, 1, 39);
    unlabelled.shed_rows(arma::sort(rows));
    test = arma::regspace<arma::uvec>(40, 1, 51);
  }

  Inputs inputs(const arma::uvec& rows) const {
    return {X, rows, Scaler::fit(scaling, X, arma::regspace<arma::uvec>(0, 1, 39))};
  }

  FoldView fold(SharedWork* shared = nullptr) const {
    return {inputs(labelled), inputs(test), one_hot(classes.elem(labelled), 2), inputs(unlabelled), shared};
  }
  /// The unlabelled samples are the test part.
  FoldView transductive() const {
    FoldView view = fold();
    view.test.rows = unlabelled;
    return view;
  }
  /// Targets in one column.
  FoldView in_one_column(double zero, double one) const {
    FoldView view = fold();
    view.targets = zero + (one - zero) * view.targets.tail_cols(1);
    return view;
  }
};

/// A small network, one point in each grid.
inline S3elmModelOptions model(const std::string& changes = "{}") {
  Json all = Json::parse(
      R"({"nodes": 12, "weights": [-6, 6], "cross_validation": 0, "graph": {"sigma": [4]}, "elm": {"gamma": [16]},
      "selm": {"lambda": [0.3]}, "s3elm": {"mu": [0.4], "lambda": 0.2, "prune_below": 1e-4}})");
  all.merge_patch(Json::parse(changes));
  return read_model<S3elmModelOptions>(all.dump());
}

inline std::vector<Checkpoint> run(const S3elmModelOptions& options, const FoldView& fold, const std::string& algorithm,
                                   const Rng& rng = kRng) {
  FakeClock clock;
  std::vector<Checkpoint> points;
  make_s3elm({options}, fold, rng)->train(algorithm, clock, [&](const Checkpoint& point) { points.push_back(point); });
  return points;
}

inline bool same_results(const Checkpoint& one, const Checkpoint& other) {
  return one.nodes == other.nodes && one.status == other.status && one.diagnostics == other.diagnostics &&
         one.trace == other.trace && one.parameters == other.parameters && one.chosen == other.chosen &&
         identical(one.train_output, other.train_output) && identical(one.test_output, other.test_output) &&
         identical(one.unlabelled_output, other.unlabelled_output);
}

inline bool same_results(const std::vector<Checkpoint>& one, const std::vector<Checkpoint>& other) {
  const auto same = [](const Checkpoint& a, const Checkpoint& b) { return same_results(a, b); };
  return std::equal(one.begin(), one.end(), other.begin(), other.end(), same);
}

/// A network trained by definition.
struct Trained {
  arma::uvec active;
  arma::mat W;
  arma::rowvec bias;
  std::map<std::string, double> diagnostics;
};

/// The formulas of the paper on the samples of a fold.
class Judge {
 public:
  Judge(const S3elmModelOptions& options, const FoldView& fold, const Rng& rng) : options_(options), fold_(fold) {
    const NodeRanges ranges{options.weights[0], options.weights[1], options.biases[0], options.biases[1]};
    const HiddenNodes layer = HiddenNodes::draw("sigmoid", rng, fold.train.dimension(), options.nodes, ranges);
    A_ = layer.W;
    b_ = layer.b;
    all_rows_ = arma::unique(arma::join_cols(fold.train.rows, fold.unlabelled.rows));
    H_ = hidden(all_rows_);
  }

  /// H of some rows of the data.
  arma::mat hidden(const arma::uvec& rows) const {
    const arma::mat X = fold_.train.scaler.apply(fold_.train.X, rows);
    return options_.activation == "rbf" ? rbf_by_definition(X, A_, b_) : sigmoid_by_definition(X, A_, b_);
  }

  arma::mat output(const Trained& net, const arma::uvec& rows) const {
    arma::mat Z = hidden(rows).cols(net.active) * net.W;
    if (!net.bias.is_empty()) Z.each_row() += net.bias;
    return Z;
  }

  arma::uvec everyone() const { return arma::regspace<arma::uvec>(0, 1, fold_.targets.n_rows - 1); }

  /// Of the labelled samples `part` (places among the n).
  Trained train(const std::string& algorithm, const std::map<std::string, double>& at, const arma::uvec& part) const {
    if (algorithm == "elm") return elm(at.at("gamma"), part);
    if (algorithm == "op-elm") return op_elm();
    const arma::mat L = laplacian(at.contains("sigma") ? at.at("sigma") : 0);
    return algorithm == "selm" ? selm(L, at.at("lambda"), part) : s3elm(L, at.at("mu"), part);
  }

 private:
  arma::mat labelled_hidden(const arma::uvec& part) const { return hidden(fold_.train.rows.elem(part)); }

  /// (9)
  Trained elm(double gamma, const arma::uvec& part) const {
    const arma::mat H = labelled_hidden(part), T = fold_.targets.rows(part);
    return {nodes(), arma::solve(H.t() * H + arma::eye(H.n_cols, H.n_cols) / gamma, H.t() * T), {}, {}};
  }

  /// Greedy ranking (11), then every size by leaving each sample out.
  Trained op_elm() const {
    const arma::mat H = labelled_hidden(everyone());
    const arma::mat& T = fold_.targets;
    const bool bias = options_.op_elm.bias;
    const auto columns = [&](const std::vector<uword>& of) {
      const arma::mat kept = H.cols(arma::uvec(of));
      return bias ? arma::mat(arma::join_rows(arma::ones(H.n_rows), kept)) : kept;
    };
    std::vector<uword> order;
    arma::mat residual = T;
    while (order.size() < H.n_cols && order.size() + (bias ? 2 : 1) < T.n_rows) {
      uword best = H.n_cols;
      double value = -1;
      for (uword j = 0; j < H.n_cols; ++j) {
        const double norm = arma::accu(arma::abs(H.col(j).t() * residual));
        if (std::find(order.begin(), order.end(), j) == order.end() && norm > value) {
          best = j;
          value = norm;
        }
      }
      order.push_back(best);
      const arma::mat S = H.cols(arma::uvec(order));
      residual = T - S * arma::pinv(S) * T;
    }
    double least = arma::datum::inf;
    std::vector<uword> kept;
    for (uword k = 1; k <= order.size(); ++k) {
      const std::vector<uword> first(order.begin(), order.begin() + static_cast<long>(k));
      const arma::mat S = columns(first);
      double squares = 0;
      for (uword i = 0; i < T.n_rows; ++i) {
        arma::mat others = S, targets = T;
        others.shed_row(i);
        targets.shed_row(i);
        squares += arma::accu(arma::square(T.row(i) - S.row(i) * arma::pinv(others) * targets));
      }
      if (squares < least) {
        least = squares;
        kept = first;
      }
    }
    std::sort(kept.begin(), kept.end());
    arma::mat W = arma::pinv(columns(kept)) * T;
    const arma::rowvec of_ones = bias ? arma::rowvec(W.row(0)) : arma::rowvec();
    if (bias) W.shed_row(0);
    return {arma::uvec(kept),
            W,
            of_ones,
            {{"loo_mse", least / static_cast<double>(T.n_elem)}, {"nodes_kept", static_cast<double>(kept.size())}}};
  }

  /// (16)
  Trained selm(const arma::mat& L, double lambda, const arma::uvec& part) const {
    const arma::mat M = J(part) + lambda * L;
    const bool exact = options_.selm.form == "exact";
    return {
        nodes(),
        exact ? arma::pinv(H_.t() * M * H_) * H_.t() * targets(part) : arma::mat(arma::pinv(M * H_) * targets(part)),
        {},
        {}};
  }

  arma::mat start(const arma::uvec& part) const {
    const arma::mat H = labelled_hidden(part), T = fold_.targets.rows(part);
    if (options_.s3elm.start == "padded") return arma::pinv(H_) * targets(part);
    if (options_.s3elm.start == "ridge") return elm(options_.s3elm.start_gamma, part).W;
    return arma::pinv(H, 1e-12 * arma::norm(H, 2)) * T;
  }

  /// Algorithm 1 with M^-1 and (27) with D^1/2 on either side, or the iteration of (29).
  Trained s3elm(const arma::mat& L, double mu, const arma::uvec& part) const {
    const auto& o = options_.s3elm;
    const bool constrained = o.variant == "hw_equals_y";
    const arma::mat Yl = targets(part), Jl = J(part);
    const arma::mat inverse = arma::inv(arma::eye(arma::size(L)) + o.tau * (1 - mu) * L + o.tau * mu * Jl);
    arma::uvec S = nodes();
    arma::mat W = start(part), H = H_, Y;
    double delta = arma::datum::inf;
    std::size_t t = 0;
    const auto row_norms = [&] { return arma::vec(arma::sqrt(arma::sum(arma::square(W), 1))); };
    const auto labels = [&] { return constrained ? arma::mat(H * W) : arma::mat(inverse * (H * W + o.tau * mu * Yl)); };
    for (; t < o.iterations && delta > o.epsilon && !S.is_empty(); ++t) {
      Y = labels();
      const arma::vec norms = row_norms();
      const arma::mat root = arma::diagmat(arma::sqrt(2 * norms));
      const arma::mat G =
          constrained ? arma::mat(H.t() * (o.tau * (1 - mu) * L + o.tau * mu * Jl) * H) : arma::mat(H.t() * H);
      const arma::mat right = constrained ? arma::mat(o.tau * mu * H.t() * Yl) : arma::mat(H.t() * Y);
      const arma::mat next = root * arma::solve(root * G * root + o.lambda * arma::eye(arma::size(G)), root * right);
      delta = arma::accu(arma::square(next - W));
      W = next;
      if (o.prune != "threshold") continue;
      const arma::uvec kept = arma::find(arma::sqrt(arma::sum(arma::square(W), 1)) >= o.prune_below);
      W = arma::mat(W.rows(kept));
      H = arma::mat(H.cols(kept));
      S = arma::uvec(S.elem(kept));
    }
    if (o.prune == "topk" && o.keep < S.n_elem) {  // else there is nothing to fit again
      const arma::uvec order = arma::sort_index(arma::vec(arma::sum(arma::square(W), 1)), "descend");
      const arma::uvec kept = arma::sort(arma::uvec(order.head(o.keep)));
      S = arma::uvec(S.elem(kept));
      H = arma::mat(H.cols(kept));
      W = arma::pinv(H) * Y;
    }
    Y = labels();  // the best for the network that is returned
    const double objective = arma::accu(arma::square(H * W - Y)) + o.lambda * arma::accu(row_norms()) +
                             o.tau * (1 - mu) * arma::trace(Y.t() * L * Y) +
                             o.tau * mu * arma::accu(arma::square(Jl * (Y - Yl)));
    return {S,
            W,
            {},
            {{"objective", objective},
             {"iterations", static_cast<double>(t)},
             {"nodes_kept", static_cast<double>(S.n_elem)}}};
  }

  arma::uvec nodes() const { return arma::regspace<arma::uvec>(0, 1, options_.nodes - 1); }

  arma::uvec places(const arma::uvec& part) const {
    arma::uvec among(part.n_elem);
    for (uword i = 0; i < part.n_elem; ++i)
      among(i) = arma::as_scalar(arma::find(all_rows_ == fold_.train.rows(part(i))));
    return among;
  }
  /// Y~
  arma::mat targets(const arma::uvec& part) const {
    arma::mat Y(all_rows_.n_elem, fold_.targets.n_cols, arma::fill::zeros);
    Y.rows(places(part)) = fold_.targets.rows(part);
    return Y;
  }
  arma::mat J(const arma::uvec& part) const {
    arma::vec d(all_rows_.n_elem, arma::fill::zeros);
    d.elem(places(part)).ones();
    return arma::diagmat(d);
  }

  arma::mat laplacian(double sigma) const {
    arma::mat X = fold_.train.scaler.apply(fold_.train.X, all_rows_);
    const auto& graph = options_.graph;
    for (uword i = 0; graph.unit_norm.value_or(false) && i < X.n_rows; ++i) X.row(i) /= arma::norm(X.row(i));
    arma::mat A = graph.kind == "sparse_coding" ? sparse_coding_by_definition(X) : heat_by_definition(X, sigma);
    if (graph.kind == "knn" && graph.neighbours < X.n_rows - 1) {
      arma::mat joined(arma::size(A), arma::fill::zeros);
      for (uword i = 0; i < A.n_rows; ++i) {
        const arma::uvec nearest = arma::stable_sort_index(arma::vec(heat_by_definition(X, 1).row(i).t()), "descend");
        for (uword m = 0; m < graph.neighbours; ++m) joined(i, nearest(m)) = joined(nearest(m), i) = 1;
      }
      A %= joined;
    }
    if (!graph.normalised) return laplacian_by_definition(A);
    const arma::mat roots = arma::diagmat(1 / arma::sqrt(arma::sum(A, 1)));
    return arma::eye(arma::size(A)) - roots * A * roots;
  }

  const S3elmModelOptions& options_;
  const FoldView& fold_;
  arma::mat A_;
  arma::rowvec b_;
  arma::uvec all_rows_;
  arma::mat H_;  // N x L
};

/// The points of a grid as they are to come: sigma by sigma, for each of them value by value.
inline std::vector<std::map<std::string, double>> grid_of(const S3elmModelOptions& options,
                                                          const std::string& algorithm) {
  std::vector<std::map<std::string, double>> grid;
  if (algorithm == "op-elm") return {{}};
  if (algorithm == "elm") {
    for (const double gamma : options.elm.gamma) grid.push_back({{"gamma", gamma}});
    return grid;
  }
  const std::string name = algorithm == "selm" ? "lambda" : "mu";
  const bool no_sigma = options.graph.kind == "sparse_coding";
  for (const double sigma : no_sigma ? std::vector<double>{0} : options.graph.sigma) {
    for (const double value : algorithm == "selm" ? options.selm.lambda : options.s3elm.mu) {
      grid.push_back({{name, value}});
      if (!no_sigma) grid.back()["sigma"] = sigma;
    }
  }
  return grid;
}

/// What a checkpoint says beside what the network of the same point by definition gives.
inline void expect_trained(const Checkpoint& point, const Judge& judge, const Trained& exact, const FoldView& fold,
                           double within) {
  ASSERT_EQ(point.status, Status::ok);
  EXPECT_EQ(point.nodes, judge.hidden(fold.train.rows).n_cols);
  EXPECT_LE(relative_difference(point.train_output, judge.output(exact, fold.train.rows)), within);
  EXPECT_LE(relative_difference(point.test_output, judge.output(exact, fold.test.rows)), within);
  if (fold.unlabelled.rows.is_empty() || identical(fold.unlabelled.rows, fold.test.rows)) {
    EXPECT_TRUE(point.unlabelled_output.is_empty());
  } else {
    EXPECT_LE(relative_difference(point.unlabelled_output, judge.output(exact, fold.unlabelled.rows)), within);
  }
  for (const auto& [name, value] : exact.diagnostics) {
    ASSERT_EQ(point.diagnostics.count(name), 1u) << name;
    EXPECT_NEAR(point.diagnostics.at(name), value, within * std::abs(value)) << name;
  }
}

struct Setting {
  const char* algorithm;
  const char* changes;
  double within = 1e-10;  ///< rounding of weights times the condition of M, of H'H + lambda U, of [(J + lambda L) H]
};

inline void PrintTo(const Setting& setting, std::ostream* out) { *out << setting.algorithm << " " << setting.changes; }

}  // namespace elmx::s3elm_by_definition
