#include "models/s3elm.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/shared_work.hpp"
#include "features/random_layer.hpp"
#include "features/rbf_layer.hpp"
#include "graph/affinity.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"
#include "support/refusal.hpp"
#include "support/semi_supervised.hpp"
#include "support/status.hpp"
#include "support/threads.hpp"

// Every network against one that this file trains by the formulas as they are printed, with dense inverses.

namespace elmx {
namespace {

const Rng kRng(5, Purpose::layer, 1, 2);

/// Two half circles, samples of class 0 and 1 in turn. 52 samples in two dimensions.
struct Moons {
  arma::mat X = arma::mat(52, 2);
  arma::uvec classes = arma::uvec(52);
  arma::uvec labelled{3, 8, 11, 14, 21, 26, 30, 37};
  arma::uvec unlabelled, test;  ///< the others of the first 40; what is left

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

  Inputs inputs(const arma::uvec& rows) const { return {X, rows, Scaler::fit("minus_one_one", X, arma::regspace<arma::uvec>(0, 1, 39))}; }

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
S3elmModelOptions model(const std::string& changes = "{}") {
  Json all = Json::parse(R"({"nodes": 12, "weights": [-6, 6], "cross_validation": 0, "graph": {"sigma": [4]}, "elm": {"gamma": [16]},
      "selm": {"lambda": [0.3]}, "s3elm": {"mu": [0.4], "lambda": 0.2, "prune_below": 1e-4}})");
  all.merge_patch(Json::parse(changes));
  return read_model<S3elmModelOptions>(all.dump());
}

std::vector<Checkpoint> run(const S3elmModelOptions& options, const FoldView& fold, const std::string& algorithm, const Rng& rng = kRng) {
  FakeClock clock;
  std::vector<Checkpoint> points;
  make_s3elm({options}, fold, rng)->run(algorithm, clock, [&](const Checkpoint& point) { points.push_back(point); });
  return points;
}

bool same_results(const Checkpoint& one, const Checkpoint& other) {
  return one.nodes == other.nodes && one.status == other.status && one.ledger == other.ledger && one.trace == other.trace &&
         one.parameters == other.parameters && one.chosen == other.chosen && identical(one.train_output, other.train_output) &&
         identical(one.test_output, other.test_output) && identical(one.unlabelled_output, other.unlabelled_output);
}

bool same_results(const std::vector<Checkpoint>& one, const std::vector<Checkpoint>& other) {
  const auto same = [](const Checkpoint& a, const Checkpoint& b) { return same_results(a, b); };
  return std::equal(one.begin(), one.end(), other.begin(), other.end(), same);
}

/// A network trained by definition.
struct Trained {
  arma::uvec active;
  arma::mat W;
  arma::rowvec bias;
  std::map<std::string, double> ledger;
};

/// The formulas of the paper on the samples of a fold.
class Judge {
 public:
  Judge(const S3elmModelOptions& options, const FoldView& fold, const Rng& rng) : options_(options), fold_(fold) {
    const RandomLayerRanges ranges{options.weights[0], options.weights[1], options.biases[0], options.biases[1]};
    const RandomLayer layer = RandomLayer::draw(rng, fold.train.dimension(), options.nodes, Activation::sigmoid, ranges);
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
    return {arma::uvec(kept), W, of_ones, {{"loo_mse", least / static_cast<double>(T.n_elem)}, {"nodes_kept", static_cast<double>(kept.size())}}};
  }

  /// (16)
  Trained selm(const arma::mat& L, double lambda, const arma::uvec& part) const {
    const arma::mat M = J(part) + lambda * L;
    const bool exact = options_.selm.form == "exact";
    return {nodes(), exact ? arma::pinv(H_.t() * M * H_) * H_.t() * targets(part) : arma::mat(arma::pinv(M * H_) * targets(part)), {}, {}};
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
    double objective = 0, delta = arma::datum::inf;
    std::size_t t = 0;
    for (; t < o.iterations && delta > o.epsilon && !S.is_empty(); ++t) {
      Y = constrained ? arma::mat(H * W) : arma::mat(inverse * (H * W + o.tau * mu * Yl));
      const arma::vec norms = arma::sqrt(arma::sum(arma::square(W), 1));
      objective = arma::accu(arma::square(H * W - Y)) + o.lambda * arma::accu(norms) + o.tau * (1 - mu) * arma::trace(Y.t() * L * Y) +
                  o.tau * mu * arma::accu(arma::square(Jl * (Y - Yl)));
      const arma::mat root = arma::diagmat(arma::sqrt(2 * norms));
      const arma::mat G = constrained ? arma::mat(H.t() * (o.tau * (1 - mu) * L + o.tau * mu * Jl) * H) : arma::mat(H.t() * H);
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
      W = arma::pinv(arma::mat(H.cols(kept))) * Y;
    }
    return {S, W, {}, {{"objective", objective}, {"iterations", static_cast<double>(t)}, {"nodes_kept", static_cast<double>(S.n_elem)}}};
  }

  arma::uvec nodes() const { return arma::regspace<arma::uvec>(0, 1, options_.nodes - 1); }

  arma::uvec places(const arma::uvec& part) const {
    arma::uvec among(part.n_elem);
    for (uword i = 0; i < part.n_elem; ++i) among(i) = arma::as_scalar(arma::find(all_rows_ == fold_.train.rows(part(i))));
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
    const arma::mat X = fold_.train.scaler.apply(fold_.train.X, all_rows_);
    const auto& graph = options_.graph;
    arma::mat A = graph.kind == "sparse_coding" ? sparse_affinity(X) : heat_by_definition(X, sigma);
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
std::vector<std::map<std::string, double>> grid_of(const S3elmModelOptions& options, const std::string& algorithm) {
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
void expect_trained(const Checkpoint& point, const Judge& judge, const Trained& exact, const FoldView& fold, double within) {
  ASSERT_EQ(point.status, Status::ok);
  EXPECT_EQ(point.nodes, judge.hidden(fold.train.rows).n_cols);
  EXPECT_LE(relative_difference(point.train_output, judge.output(exact, fold.train.rows)), within);
  EXPECT_LE(relative_difference(point.test_output, judge.output(exact, fold.test.rows)), within);
  if (fold.unlabelled.rows.is_empty() || identical(fold.unlabelled.rows, fold.test.rows)) {
    EXPECT_TRUE(point.unlabelled_output.is_empty());
  } else {
    EXPECT_LE(relative_difference(point.unlabelled_output, judge.output(exact, fold.unlabelled.rows)), within);
  }
  for (const auto& [name, value] : exact.ledger) {
    ASSERT_EQ(point.ledger.count(name), 1u) << name;
    EXPECT_NEAR(point.ledger.at(name), value, within * std::abs(value)) << name;
  }
}

struct Setting {
  const char* algorithm;
  const char* changes;
  double within = 1e-10;  ///< rounding of weights times the condition of M, of H'H + lambda U, of [(J + lambda L) H]
};

void PrintTo(const Setting& setting, std::ostream* out) { *out << setting.algorithm << " " << setting.changes; }

class S3elmDefinition : public testing::TestWithParam<Setting> {};

INSTANTIATE_TEST_SUITE_P(
    Each, S3elmDefinition,
    testing::Values(Setting{"elm", R"({"elm": {"gamma": [0.25, 16, 1000]}})"},                                         //
                    Setting{"elm", R"({"activation": "rbf", "weights": [-1, 1]})"},                                    //
                    Setting{"elm", R"({"nodes": 5, "elm": {"gamma": [100, 1]}})"},                                     // n > L
                    Setting{"op-elm", "{}"},                                                                           //
                    Setting{"op-elm", R"({"op_elm": {"bias": true}})"},                                                //
                    Setting{"op-elm", R"({"activation": "rbf", "weights": [-1, 1], "nodes": 30})"},                    //
                    Setting{"selm", R"({"selm": {"lambda": [0.1, 0.9]}, "graph": {"sigma": [8, 1]}})"},                //
                    Setting{"selm", R"({"selm": {"form": "exact", "lambda": [0.1, 0.9]}, "graph": {"sigma": [8, 1]}})"},  //
                    Setting{"selm", R"({"graph": {"kind": "knn", "neighbours": 4}})"},                                 //
                    Setting{"selm", R"({"graph": {"kind": "sparse_coding"}, "selm": {"lambda": [0.2, 0.5]}})"},        //
                    Setting{"selm", R"({"graph": {"normalised": true}, "selm": {"form": "exact"}})"},                  //
                    Setting{"s3elm", "{}"},                                                                            //
                    Setting{"s3elm", R"({"s3elm": {"mu": [0.9, 0.3]}, "graph": {"sigma": [8, 1]}})"},                  // factor
                    Setting{"s3elm", R"({"s3elm": {"mu": [0.9, 0.3, 0.6]}, "graph": {"sigma": [8, 1]}})"},             // spectrum
                    Setting{"s3elm", R"({"activation": "rbf", "weights": [-1, 1]})"},                                  //
                    Setting{"s3elm", R"({"graph": {"kind": "knn", "neighbours": 4, "sigma": [2, 8]}})"},               //
                    Setting{"s3elm", R"({"graph": {"kind": "knn", "neighbours": 4, "normalised": true}})"},            //
                    Setting{"s3elm", R"({"graph": {"kind": "knn", "neighbours": 1000}})"},                             // of 39 others
                    Setting{"s3elm", R"({"graph": {"kind": "sparse_coding"}, "s3elm": {"mu": [0.2, 0.5]}})"},          //
                    Setting{"s3elm", R"({"graph": {"normalised": true}})"},                                            //
                    Setting{"s3elm", R"({"s3elm": {"tau": 3, "lambda": 0.1, "epsilon": 1e-3}})"},                      //
                    Setting{"s3elm", R"({"s3elm": {"iterations": 7, "epsilon": 0}})"},                                 //
                    Setting{"s3elm", R"({"s3elm": {"prune": "none"}})"},                                               //
                    Setting{"s3elm", R"({"s3elm": {"prune": "topk", "keep": 5}})"},                                    //
                    Setting{"s3elm", R"({"s3elm": {"prune": "topk", "keep": 100, "iterations": 5}})"},                 //
                    Setting{"s3elm", R"({"s3elm": {"start": "padded"}})"},                                             //
                    Setting{"s3elm", R"({"s3elm": {"start": "ridge", "start_gamma": 2, "iterations": 6}})"},           //
                    Setting{"s3elm", R"({"s3elm": {"weight_solver": "gram"}})"},                                       //
                    Setting{"s3elm", R"({"s3elm": {"weight_solver": "dual"}})"},                                       //
                    Setting{"s3elm", R"({"s3elm": {"variant": "hw_equals_y", "mu": [0.2, 0.8]}, "graph": {"sigma": [8, 1]}})"},
                    Setting{"s3elm", R"({"s3elm": {"variant": "hw_equals_y"}, "graph": {"kind": "knn", "neighbours": 4}})"}));

TEST_P(S3elmDefinition, EveryPointOfTheGridInItsOrder) {
  const S3elmModelOptions options = model(GetParam().changes);
  const Moons moons;
  Moons all_labelled, as_many;
  as_many.unlabelled = as_many.unlabelled.head(12);  // as many as test, but others
  all_labelled.label(arma::regspace<arma::uvec>(0, 3, 39));
  all_labelled.unlabelled.reset();
  for (const FoldView& fold : {moons.fold(), moons.transductive(), moons.in_one_column(-1, 1), all_labelled.fold(), as_many.fold()}) {
    const Judge judge(options, fold, kRng);
    const auto grid = grid_of(options, GetParam().algorithm);

    const auto points = run(options, fold, GetParam().algorithm);

    ASSERT_EQ(points.size(), grid.size());
    for (std::size_t i = 0; i < grid.size(); ++i) {
      EXPECT_EQ(points[i].parameters, grid[i]) << i;
      EXPECT_EQ(points[i].chosen, "");
      expect_trained(points[i], judge, judge.train(GetParam().algorithm, grid[i], judge.everyone()), fold, GetParam().within);
    }
  }
}

// The judge is tried: neighbours of a point are not taken for it.
TEST(S3elmDefinition, TellsNeighbouringPointsApart) {
  const Moons moons;
  const FoldView fold = moons.fold();
  const S3elmModelOptions options = model();
  const Judge judge(options, fold, kRng);
  for (const auto& [algorithm, parameter] : std::vector<std::pair<std::string, std::string>>{
           {"elm", "gamma"}, {"selm", "lambda"}, {"selm", "sigma"}, {"s3elm", "mu"}, {"s3elm", "sigma"}}) {
    const Checkpoint point = run(options, fold, algorithm).front();
    auto near = point.parameters;
    near.at(parameter) *= 1 + 1e-6;

    const double apart = relative_difference(point.test_output, judge.output(judge.train(algorithm, near, judge.everyone()), fold.test.rows));

    EXPECT_GT(apart, 2e-10) << algorithm << " " << parameter;
  }
}

/// The places of n labelled samples dealt out as cross validation deals them: the samples of each class in a random order, in turn.
std::vector<arma::uvec> dealt_out(const arma::uvec& classes, std::size_t parts, const Rng& rng) {
  std::vector<std::vector<uword>> held(parts);
  for (const uword label : {0u, 1u}) {
    std::size_t next = 0;
    for (const std::uint64_t i : rng.with(Purpose::validation).permutation(classes.n_elem)) {
      if (classes(i) == label) held[next++ % parts].push_back(i);
    }
  }
  std::vector<arma::uvec> all;
  for (const auto& part : held) all.push_back(arma::sort(arma::uvec(part)));
  return all;
}

struct Preference {
  uword best = 0;
  bool by_squared_error = false;  ///< points were equal in accuracy
};

/// The point that cross validation prefers: right classes of the samples held out, then the squared error, then the first.
Preference preferred(const Judge& judge, const FoldView& fold, const std::string& algorithm, const std::vector<std::map<std::string, double>>& grid,
                     const std::vector<arma::uvec>& parts) {
  arma::vec right(grid.size(), arma::fill::zeros), squares(grid.size(), arma::fill::zeros);
  const double middle = (fold.targets.min() + fold.targets.max()) / 2;
  for (uword k = 0; k < grid.size(); ++k) {
    for (const arma::uvec& held : parts) {
      arma::uvec part = judge.everyone();
      part.shed_rows(held);
      const arma::mat Z = judge.output(judge.train(algorithm, grid[k], part), arma::uvec(fold.train.rows.elem(held))), T = fold.targets.rows(held);
      for (uword i = 0; i < Z.n_rows; ++i) {
        right(k) += Z.n_cols == 1 ? (Z(i, 0) > middle) == (T(i, 0) > middle) : Z.row(i).index_max() == T.row(i).index_max();
      }
      squares(k) += arma::accu(arma::square(Z - T));
    }
  }
  const arma::uvec equals = arma::find(right == right.max());
  return {equals(arma::vec(squares.elem(equals)).index_min()), equals.n_elem > 1};
}

class S3elmCrossValidation : public testing::TestWithParam<Setting> {};

INSTANTIATE_TEST_SUITE_P(
    Each, S3elmCrossValidation,
    testing::Values(Setting{"elm", R"({"elm": {"gamma": [0.25, 16, 256, 4096]}})"},                                        //
                    Setting{"selm", R"({"selm": {"lambda": [0.1, 0.9]}, "graph": {"sigma": [64, 1, 0.1]}})"},              //
                    Setting{"selm", R"({"selm": {"lambda": [0.1, 0.9], "form": "exact"}, "graph": {"sigma": [64, 1]}})"},  //
                    Setting{"s3elm", R"({"s3elm": {"mu": [0.9, 0.1]}, "graph": {"sigma": [64, 1, 0.1]}})"},                //
                    Setting{"s3elm", R"({"s3elm": {"mu": [0.9, 0.3, 0.1]}, "graph": {"sigma": [64, 1]}})"},                //
                    Setting{"s3elm", R"({"s3elm": {"mu": [0.9, 0.1], "start": "padded", "iterations": 3}, "graph": {"sigma": [64, 1]}})"},
                    Setting{"s3elm", R"({"s3elm": {"mu": [0.9, 0.1], "start": "ridge", "iterations": 3}, "graph": {"sigma": [64, 1]}})"},
                    Setting{"s3elm", R"({"s3elm": {"mu": [0.9, 0.1], "variant": "hw_equals_y"}, "graph": {"sigma": [64, 1]}})"}));

TEST_P(S3elmCrossValidation, ChoosesThePointThatExplicitCrossValidationPrefers) {
  Moons moons;
  std::set<uword> chosen;
  bool ties = false;
  for (const auto& [labelled, wanted, parts] : std::vector<std::tuple<arma::uvec, uword, uword>>{
           {moons.labelled, 2, 2}, {moons.labelled, 9, 4}, {{1, 2, 9, 10, 17, 23, 29, 30, 33, 39}, 3, 3}, {{1, 2, 9, 10, 17, 23, 29, 33, 39}, 1000, 2}}) {
    moons.label(labelled);
    for (const std::uint32_t repeat : {1u, 2u, 3u}) {
      const Rng rng(7, Purpose::layer, repeat);
      for (const FoldView& fold : {moons.fold(), moons.in_one_column(0, 1), moons.in_one_column(-3, 0.5)}) {
        S3elmModelOptions options = model(GetParam().changes);
        const auto grid = grid_of(options, GetParam().algorithm);
        const Judge judge(options, fold, rng);
        const Preference exact = preferred(judge, fold, GetParam().algorithm, grid, dealt_out(moons.classes.elem(labelled), parts, rng));
        chosen.insert(exact.best);
        ties = ties || exact.by_squared_error;

        options.cross_validation = wanted;
        const auto points = run(options, fold, GetParam().algorithm, rng);

        ASSERT_EQ(points.size(), grid.size() + 1);
        EXPECT_EQ(points.back().chosen, "cross validation");
        EXPECT_EQ(points.back().parameters, grid[exact.best]) << labelled.n_elem << " labelled, " << parts << " parts, " << repeat;
        Checkpoint same = points[exact.best];
        same.chosen = points.back().chosen;
        same.trace = points.back().trace;
        EXPECT_TRUE(same_results(same, points.back()));
      }
    }
  }
  EXPECT_GE(chosen.size(), 2u) << "else the first would always do";
  EXPECT_TRUE(ties);
}

TEST(S3elmCrossValidation, NoPointIsChosenWhereThereIsNothingToCompare) {
  const char* grids = R"({"cross_validation": 2, "elm": {"gamma": [1, 2]}, "selm": {"lambda": [0.1, 0.2]}, "s3elm": {"mu": [0.1, 0.2]}})";
  const char* points = R"({"cross_validation": 2})";
  Moons moons;
  for (const char* algorithm : {"elm", "selm", "s3elm"}) {
    const auto last = [&](const S3elmModelOptions& options) { return run(options, moons.fold(), algorithm).back().chosen; };
    S3elmModelOptions without = model(grids);
    without.cross_validation = 0;
    moons.label(Moons().labelled);

    EXPECT_EQ(last(model(grids)), "cross validation");
    EXPECT_EQ(last(without), "");
    EXPECT_EQ(last(model(points)), "") << "one point";
    moons.label({3, 8, 11, 21});
    EXPECT_EQ(last(model(grids)), "") << "one labelled sample of a class";
    moons.label({3, 11, 21});
    EXPECT_EQ(last(model(grids)), "cross validation") << "a class that has no labelled sample is none";
  }
  EXPECT_EQ(run(model(grids), moons.fold(), "op-elm").size(), 1u) << "it has no grid";
}

// The points do not depend on whether they are compared.
TEST(S3elmCrossValidation, LeavesThePointsAsTheyAre) {
  const Moons moons;
  for (const char* algorithm : {"elm", "selm", "s3elm"}) {
    S3elmModelOptions options = model(R"({"elm": {"gamma": [1, 2]}, "selm": {"lambda": [0.1, 0.2]}, "s3elm": {"mu": [0.1, 0.2]}, "graph": {"sigma": [1, 8]}})");
    const auto alone = run(options, moons.fold(), algorithm);
    options.cross_validation = 3;

    auto compared = run(options, moons.fold(), algorithm);

    compared.pop_back();
    EXPECT_TRUE(same_results(alone, compared)) << algorithm;
  }
}

// A sequence of objectives for each of a hundred points is no use; that of the one that counts is.
TEST(S3elmCheckpoint, TraceIsOfASinglePointOrTheChosenOne) {
  const Moons moons;
  const auto points = run(model(R"({"s3elm": {"mu": [0.1, 0.2]}, "cross_validation": 2})"), moons.fold(), "s3elm");
  const auto single = run(model(), moons.fold(), "s3elm");

  ASSERT_EQ(points.size(), 3u);
  EXPECT_TRUE(points[0].trace.empty());
  EXPECT_TRUE(points[1].trace.empty());
  for (const Checkpoint& point : {points[2], single[0]}) {
    const auto& objective = point.trace.at("objective");
    EXPECT_EQ(static_cast<double>(objective.size()), point.ledger.at("iterations"));
    EXPECT_EQ(objective.back(), point.ledger.at("objective"));
    EXPECT_LE(objective.back(), objective.front());
    EXPECT_LE(point.ledger.at("objective_rise"), 1e-6);
  }
  EXPECT_TRUE(run(model(), moons.fold(), "selm")[0].trace.empty());
}

TEST(S3elmCheckpoint, LedgerOfTheOthers) {
  const Moons moons;
  const auto elm = run(model(), moons.fold(), "elm")[0];

  EXPECT_LE(elm.ledger.at("residual"), tolerance(8, 12));
  EXPECT_EQ(elm.ledger.at("nodes_kept"), 12);
  EXPECT_EQ(elm.ledger.size(), 2u);
  EXPECT_EQ(run(model(), moons.fold(), "selm")[0].ledger, (std::map<std::string, double>{{"nodes_kept", 12}}));
}

TEST(S3elmCheckpoint, TimesAreMeasured) {
  const Moons moons;
  for (const char* algorithm : {"elm", "op-elm", "selm", "s3elm"}) {
    for (const Checkpoint& point : run(model(R"({"elm": {"gamma": [1, 2]}})"), moons.fold(), algorithm)) {
      EXPECT_NEAR(point.test_seconds, 1e-3, 1e-9) << "the fake clock ticks once in it";
      EXPECT_GT(point.total_seconds, 0);
      EXPECT_EQ(point.step.mean, point.total_seconds);
    }
  }
}

/// A clock that ticks once a look: pieces that are measured count one each.
struct Timed {
  const char* algorithm;
  const char* changes;
  double ticks;
};

// A unit of a run that finds everything made has the times of the first.
TEST(S3elmShared, TimesCountEveryPieceWhoeverHasMadeIt) {
  const Moons moons;
  const std::vector<Timed> all{// Gram matrix, solution
                               {"elm", R"({"elm": {"gamma": [1, 2]}})", 2},
                               {"op-elm", "{}", 1},
                               // basis, lift, graph, L Q, QR, solution
                               {"selm", R"({"selm": {"lambda": [0.1, 0.2]}, "graph": {"sigma": [1, 2]}})", 6},
                               {"selm", R"({"selm": {"form": "exact"}, "graph": {"kind": "knn"}})", 6},
                               // basis, start, graph, [Q E], factor, form, training
                               {"s3elm", R"({"s3elm": {"mu": [0.1, 0.5]}, "graph": {"sigma": [1, 2]}})", 7},
                               // basis, start, graph, spectrum, V'[Q E], form, training
                               {"s3elm", R"({"s3elm": {"mu": [0.1, 0.5, 0.9]}, "graph": {"sigma": [1, 2]}})", 7},
                               // basis, start, graph, [Q E], form, training
                               {"s3elm", R"({"s3elm": {"mu": [0.1, 0.5, 0.9]}, "graph": {"kind": "knn"}})", 6},
                               // basis, start, graph, Q'LQ, training
                               {"s3elm", R"({"s3elm": {"mu": [0.1, 0.5], "variant": "hw_equals_y"}})", 5}};
  for (const auto& [algorithm, changes, ticks] : all) {
    SharedWork work(1e9);
    const auto first = run(model(changes), moons.fold(&work), algorithm), second = run(model(changes), moons.fold(&work), algorithm),
               alone = run(model(changes), moons.fold(), algorithm);
    for (const auto& points : {first, second, alone}) {
      for (const Checkpoint& point : points) EXPECT_NEAR(point.total_seconds, 1e-3 * ticks, 1e-9) << changes << " " << algorithm;
    }
  }
}

/// Units of a run whose pieces are easily taken for one another.
struct Unit {
  const char* algorithm;
  const char* changes;
  int labelling = 0;
  std::uint32_t repeat = 0;
};

std::vector<Checkpoint> run(const Unit& unit, SharedWork* work) {
  Moons moons;
  if (unit.labelling == 1) moons.label({1, 2, 9, 10, 17, 23, 30, 38});
  if (unit.labelling == 2) moons.unlabelled = moons.unlabelled.head(20);
  if (unit.labelling == 3) moons.unlabelled.back() = 45;
  if (unit.labelling == 4) moons.X.row(moons.unlabelled(0)) *= 3;  // the others are scaled differently with it
  return run(model(unit.changes), moons.fold(work), unit.algorithm, Rng(5, Purpose::layer, unit.repeat));
}

const std::vector<Unit> kUnits{{"s3elm", "{}"},
                               {"selm", "{}"},
                               {"s3elm", "{}", 1},
                               {"s3elm", "{}", 2},
                               {"s3elm", "{}", 3},
                               {"s3elm", "{}", 4},
                               {"selm", "{}", 2},
                               {"s3elm", "{}", 0, 1},
                               {"selm", R"({"activation": "tanh"})"},
                               {"selm", R"({"activation": "rbf", "weights": [-1, 1]})"},
                               {"selm", R"({"activation": "tanh", "weights": [-1, 1]})"},
                               {"selm", R"({"nodes": 13})"},
                               {"s3elm", R"({"graph": {"sigma": [8]}})"},
                               {"s3elm", R"({"graph": {"sigma": [8, 4]}, "s3elm": {"mu": [0.4, 0.8]}})"},
                               {"s3elm", R"({"graph": {"sigma": [8, 4]}, "s3elm": {"mu": [0.4, 0.8, 0.1]}})"},
                               {"s3elm", R"({"s3elm": {"tau": 100}})"},
                               {"s3elm", R"({"graph": {"normalised": true}})"},
                               {"s3elm", R"({"graph": {"normalised": true}, "s3elm": {"mu": [0.4, 0.8, 0.1]}})"},
                               {"s3elm", R"({"graph": {"kind": "knn", "neighbours": 3}})"},
                               {"s3elm", R"({"graph": {"kind": "knn", "neighbours": 4}})"},
                               {"s3elm", R"({"graph": {"kind": "knn", "neighbours": 4, "sigma": [1]}})"},
                               {"s3elm", R"({"graph": {"kind": "knn", "neighbours": 4, "normalised": true}})"},
                               {"s3elm", R"({"graph": {"kind": "sparse_coding"}})"},
                               {"s3elm", R"({"graph": {"kind": "heat", "sigma": [1]}})"}};

TEST(S3elmShared, ResultsAreThoseOfAUnitAloneInAnyOrder) {
  std::vector<std::vector<Checkpoint>> alone;
  for (const Unit& unit : kUnits) alone.push_back(run(unit, nullptr));
  for (std::size_t i = 0; i < kUnits.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(same_results(alone[i], alone[j])) << i << " and " << j << " would not tell";
  }
  for (const double limit : {1e9, 3e4, 1.0}) {  // all is kept, some, nothing
    for (const std::size_t step : {1u, 5u, 23u}) {
      SharedWork work(limit);
      for (std::size_t k = 0; k < kUnits.size(); ++k) {
        const std::size_t unit = k * step % kUnits.size();
        EXPECT_TRUE(same_results(run(kUnits[unit], &work), alone[unit])) << "unit " << unit << ", steps of " << step << ", limit " << limit;
      }
      EXPECT_LE(work.bytes(), limit);
    }
  }
}

// What two labellings of the same samples have in common is made once.
TEST(S3elmShared, OtherLabelsOfTheSameSamplesNeedNoOtherPieces) {
  SharedWork work(1e9);
  run(Unit{"s3elm", "{}"}, &work);
  const double bytes = work.bytes();

  run(Unit{"s3elm", "{}", 1}, &work);
  run(Unit{"selm", "{}", 1}, &work);

  EXPECT_EQ(work.bytes(), bytes);
  EXPECT_GE(bytes, 8.0 * (40 * 12 + 40 * 40 + 40 * 40)) << "H, Laplacian, factor";
  run(Unit{"s3elm", "{}", 2}, &work);
  EXPECT_GT(work.bytes(), bytes);
}

// One spectrum serves three mu and more; one or two have a factor each.
TEST(S3elmShared, ASpectrumIsMadeWhereItIsCheaperThanFactors) {
  const auto bytes = [](const char* mu) {
    SharedWork work(1e9);
    run(model(std::string(R"({"s3elm": {"mu": )") + mu + "}}"), Moons().fold(&work), "s3elm");
    return work.bytes();
  };
  const double factor = 8 * 40 * 40, spectrum = 8 * (40 * 40 + 40);
  const double pieces = bytes("[0.4]") - factor;

  EXPECT_EQ(bytes("[0.4, 0.8]"), pieces + 2 * factor);
  EXPECT_EQ(bytes("[0.4, 0.8, 0.1]"), pieces + spectrum);
  EXPECT_EQ(bytes("[0.4, 0.8, 0.1, 0.2]"), pieces + spectrum);
}

TEST(S3elm, DoesNotDependOnTheNumberOfThreads) {
  for (const Unit& unit : kUnits) {
    const auto on = [&](int count) {
      const Threads scope(count);
      return run(unit, nullptr);
    };

    EXPECT_TRUE(same_results(on(1), on(2))) << unit.algorithm << " " << unit.changes;
  }
}

// One spectrum for many mu, one factorisation for each of few, conjugate gradients of a sparse graph.
TEST(S3elm, TheThreeWaysToTheResolventAgree) {
  const Moons moons;
  const auto outputs = [&](const char* changes) { return run(model(changes), moons.fold(), "s3elm")[0].test_output; };
  for (const std::string normalised : {"false", "true"}) {
    const std::string graph = R"("sigma": [4], "normalised": )" + normalised;
    const auto with = [&](const std::string& more, const std::string& mu) {
      return outputs((R"({"graph": {)" + graph + more + R"(}, "s3elm": {"mu": )" + mu + "}}").c_str());
    };
    const arma::mat factor = with("", "[0.4]");

    EXPECT_LE(relative_difference(with("", "[0.4, 0.8]"), factor), 1e-10);
    EXPECT_LE(relative_difference(with("", "[0.4, 0.8, 0.1]"), factor), 1e-10);
    EXPECT_LE(relative_difference(with(R"(, "kind": "knn", "neighbours": 39)", "[0.4]"), factor), 1e-10);
    EXPECT_LE(relative_difference(with(R"(, "kind": "knn", "neighbours": 39)", "[0.4, 0.8, 0.1]"), factor), 1e-10);
    EXPECT_GT(relative_difference(with(R"(, "kind": "knn", "neighbours": 38)", "[0.4]"), factor), 1e-10);
  }
}

// The order of the labelled samples is that of the targets, whatever their rows are.
TEST(S3elm, LabelledSamplesMayComeInAnyOrder) {
  Moons moons;
  const auto sorted = moons.fold();
  moons.label({26, 8, 37, 3, 30, 14, 21, 11});
  for (const char* algorithm : {"elm", "op-elm", "selm", "s3elm"}) {
    const Checkpoint one = run(model(), sorted, algorithm)[0], other = run(model(), moons.fold(), algorithm)[0];

    EXPECT_LE(relative_difference(one.test_output, other.test_output), 1e-10) << algorithm;
    EXPECT_GT(relative_difference(one.train_output, other.train_output), 0.01) << algorithm;
  }
}

struct Failing {
  const char* algorithm;
  const char* grid;  ///< its first point fails
  const char* rest;
  Status status;
};

void PrintTo(const Failing& failing, std::ostream* out) { *out << failing.algorithm << " " << failing.grid; }

class S3elmFailure : public testing::TestWithParam<Failing> {};

INSTANTIATE_TEST_SUITE_P(
    Each, S3elmFailure,
    testing::Values(Failing{"elm", R"({"elm": {"gamma": [1e-310, 2, 4]}})", R"({"elm": {"gamma": [2, 4]}})", Status::not_positive_definite},
                    Failing{"selm", R"({"selm": {"lambda": [1e308, 0.2, 0.1]}})", R"({"selm": {"lambda": [0.2, 0.1]}})", Status::not_finite},
                    Failing{"s3elm", R"({"s3elm": {"mu": [0, 0.4], "epsilon": 0}})", R"({"s3elm": {"mu": [0.4], "epsilon": 0}})",
                            Status::all_pruned}));

TEST_P(S3elmFailure, OfAPointDoesNotHurtTheOthers) {
  const Moons moons;

  const auto points = run(model(GetParam().grid), moons.fold(), GetParam().algorithm);
  const auto rest = run(model(GetParam().rest), moons.fold(), GetParam().algorithm);

  ASSERT_EQ(points.size(), rest.size() + 1);
  EXPECT_EQ(points[0].status, GetParam().status);
  EXPECT_FALSE(points[0].parameters.empty());
  EXPECT_EQ(points[0].nodes, 12u);
  EXPECT_TRUE(points[0].train_output.is_empty() && points[0].test_output.is_empty() && points[0].unlabelled_output.is_empty());
  EXPECT_TRUE(points[0].ledger.empty());
  for (std::size_t i = 0; i < rest.size(); ++i) {
    Checkpoint same = rest[i];
    same.trace = points[i + 1].trace;
    EXPECT_TRUE(same_results(same, points[i + 1])) << i;
  }
}

TEST_P(S3elmFailure, OfAPointIsNotChosen) {
  S3elmModelOptions options = model(GetParam().grid);
  options.cross_validation = 2;

  const auto points = run(options, Moons().fold(), GetParam().algorithm);

  ASSERT_EQ(points.back().chosen, "cross validation");
  EXPECT_EQ(points.back().status, Status::ok);
  EXPECT_NE(points.back().parameters, points[0].parameters);
}

// Whatever the others are worth: two samples of a class that are dealt out so that the two parts contradict each other are all
// named wrongly, and a point that failed has no errors at all.
TEST(S3elmFailure, OfAPointIsNotChosenWhereTheOthersAreAllWrong) {
  Moons moons;
  const arma::uvec corners{3, 8, 11, 14};  // classes 1, 0, 1, 0
  for (const uword i : {3u, 8u}) moons.X.row(i) = arma::rowvec{2, 1};
  for (const uword i : {11u, 14u}) moons.X.row(i) = arma::rowvec{-1, -0.5};
  moons.label(corners);
  S3elmModelOptions options = model(R"({"elm": {"gamma": [1e-310, 2]}})");
  options.cross_validation = 2;
  for (std::uint32_t repeat = 0; repeat < 20; ++repeat) {
    const auto points = run(options, moons.fold(), "elm", Rng(5, Purpose::layer, repeat));

    ASSERT_EQ(points.back().chosen, "cross validation");
    EXPECT_EQ(points.back().status, Status::ok) << repeat;
  }
}

// Nothing can be made of hidden outputs that are infinite, or all zero.
TEST(S3elmFailure, OfTheHiddenOutputsIsThatOfEveryPoint) {
  const Moons moons;
  for (const auto& [nodes, selm, elm] : std::vector<std::tuple<std::string, Status, Status>>{
           {R"("activation": "linear", "weights": [-1e308, 1e308])", Status::not_finite, Status::not_positive_definite},
           {R"("activation": "relu", "weights": [0, 0], "biases": [-1, -1])", Status::all_pruned, Status::ok}}) {
    const S3elmModelOptions options = model("{" + nodes + R"(, "cross_validation": 2, "selm": {"lambda": [0.1, 0.2]}, "s3elm": {"mu": [0.1, 0.2, 0.4]}})");
    for (const auto& [algorithm, count, status] : std::vector<std::tuple<std::string, std::size_t, Status>>{
             {"elm", 1, elm}, {"op-elm", 1, selm}, {"selm", 3, selm}, {"s3elm", 4, selm}}) {
      SharedWork work(1e9);
      const auto points = run(options, moons.fold(&work), algorithm);

      ASSERT_EQ(points.size(), count) << algorithm;
      for (const Checkpoint& point : points) EXPECT_EQ(point.status, status) << algorithm << " " << nodes;
    }
  }
}

TEST(S3elm, OfLabelsThatAreAllEqualLearnsThatLabel) {
  Moons moons;
  moons.label({3, 11, 21});  // one class
  for (const char* algorithm : {"elm", "op-elm", "selm", "s3elm"}) {
    const Checkpoint point = run(model(R"({"elm": {"gamma": [1000]}, "s3elm": {"lambda": 1e-4}})"), moons.fold(), algorithm)[0];

    ASSERT_EQ(point.status, Status::ok);
    EXPECT_EQ(arma::abs(point.test_output.col(0)).max(), 0) << algorithm << ": the other class";
    EXPECT_NEAR(point.train_output.col(1).min(), 1, 0.1) << algorithm;
  }
}

// A sample that is the only one: no graph, no neighbour.
TEST(S3elm, OneSampleAloneIsLearned) {
  Moons moons;
  moons.label({5});
  moons.unlabelled.reset();
  for (const char* kind : {"heat", "knn", "sparse_coding"}) {
    for (const char* algorithm : {"elm", "selm", "s3elm"}) {
      S3elmModelOptions options = model(R"({"elm": {"gamma": [1e6]}, "s3elm": {"lambda": 1e-6, "prune": "none"}})");
      options.graph.kind = kind;

      const Checkpoint point = run(options, moons.fold(), algorithm)[0];

      ASSERT_EQ(point.status, Status::ok) << algorithm << " " << kind;
      EXPECT_NEAR(point.train_output(0, 1), 1, 1e-2) << algorithm << " " << kind;
      EXPECT_EQ(point.train_output(0, 0), 0) << algorithm << " " << kind;
    }
  }
  EXPECT_EQ(run(model(), moons.fold(), "op-elm")[0].status, Status::too_few_samples);
}

}  // namespace
}  // namespace elmx
