#include "models/dec/dec.hpp"

#include <gtest/gtest.h>

#include "linalg/decompositions.hpp"
#include "nets/perceptron/decomposition.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/net.hpp"
#include "support/status.hpp"

// Each algorithm of the family against its parts put together by hand, from the same random start.

namespace elmx {
namespace {

constexpr uword kSamples = 150, kInputs = 3, kOutputs = 2, kNodes = 6;

class DecModel : public testing::Test {
 protected:
  const arma::mat X = normal_matrix(kSamples + 5000, kInputs, 7, 1);
  const arma::mat targets = arma::sin(X.head_cols(kOutputs)) + 0.3 * X.tail_cols(kOutputs);
  const arma::uvec train = arma::regspace<arma::uvec>(0, kSamples - 1),
                   test = arma::regspace<arma::uvec>(kSamples, X.n_rows - 1);
  const Rng rng{5, Purpose::layer};

  static DecOptions options(const std::string& changes) {
    Json config = {{"nodes", {kNodes}}, {"tau_w", 0.5}, {"tau_lambda", 0.02}};
    config.merge_patch(Json::parse(changes));
    DecOptions read;
    read_options(config, "/model", read);
    read.check("/model");
    return read;
  }

  std::vector<Checkpoint> run(const std::string& algorithm, const std::string& changes = "{}") const {
    const Scaler scaler = Scaler::fit("none", X, train);
    std::vector<Checkpoint> points;
    FakeClock clock;
    make_dec({options(changes)}, {{X, train, scaler}, {X, test, scaler}, targets.rows(train), {X, {}, scaler}}, rng)
        ->train(algorithm, clock, [&](const Checkpoint& point) { points.push_back(point); });
    return points;
  }

  /// The start of N units in [-0.5, 0.5]: W column by column, Lambda row by row, so that a unit's do not
  /// depend on N.
  Net start(uword N = kNodes) const {
    const arma::mat own = X.rows(train);
    Net net{arma::join_rows(-arma::vec(kSamples, arma::fill::ones), own),
            targets.rows(train),
            arma::mat(kInputs + 1, N),
            arma::mat(kOutputs, N),
            0.5 / static_cast<double>((kInputs + 1) * N),
            0.02};
    for (uword i = 0; i < net.W.n_elem; ++i) net.W(i) = rng.with(Purpose::layer).uniform(i) - 0.5;
    for (uword i = 0; i < net.Lambda.n_elem; ++i) net.Lambda(i) = rng.with(Purpose::output).uniform(i) - 0.5;
    arma::inplace_trans(net.Lambda);
    return net;
  }

  void expect_outputs(const Checkpoint& point, const arma::mat& W, const arma::mat& Lambda) const {
    ASSERT_EQ(point.status, Status::ok);
    const arma::mat own = X.rows(train), others = X.rows(test);
    const auto outputs = [&](const arma::mat& inputs) {
      return arma::mat(hidden_by_definition(arma::join_rows(-arma::vec(inputs.n_rows, arma::fill::ones), inputs), W) *
                       Lambda);
    };
    EXPECT_LE(relative_difference(point.train_output, outputs(own)), 1e-11);
    EXPECT_LE(relative_difference(point.test_output, outputs(others)), 1e-11) << "two blocks of 4096";
  }
};

TEST_F(DecModel, DecIsTheDecomposition) {
  for (const std::string changes :
       {R"({"dec": {"report": [1, 2, 4]}})", R"({"dec": {"report": [1, 2, 4], "order": "random"}})",
        R"({"dec": {"report": [4, 1, 2], "scheme": "cycle_no_lambda", "theta": 0.5}})"}) {
    const DecOptions read = options(changes);
    const Net net = start();
    Decomposition by_hand(net.problem(), net.W, arma::mat(kNodes, kOutputs, arma::fill::zeros),
                          scheme_from(read.dec.scheme, kNodes, 10), read.decomposition(rng));
    const auto points = run("dec", changes);

    ASSERT_EQ(points.size(), 3u);
    std::vector<double> objective, gradient;
    for (uword K = 1, next = 0; K <= 4; ++K) {
      ASSERT_EQ(by_hand.major_step(), Status::ok);
      objective.push_back(by_hand.error());
      gradient.push_back(by_hand.gradient_norm());
      if (K == 3) continue;
      const Checkpoint& point = points[next++];
      EXPECT_EQ(point.iterations, K);
      EXPECT_EQ(point.nodes, kNodes);
      EXPECT_EQ(point.method, "");
      expect_outputs(point, by_hand.W(), by_hand.Lambda());
      EXPECT_EQ(point.trace.at("objective"), objective);
      EXPECT_EQ(point.trace.at("gradient_norm"), gradient);
      EXPECT_EQ(point.diagnostics.at("objective"), objective.back());
      EXPECT_EQ(point.diagnostics.at("gradient_norm"), gradient.back());
      EXPECT_LE(point.diagnostics.at("backward_error"), tolerance(kSamples, kNodes));
    }
  }
}

TEST_F(DecModel, InnerPassCountsBlockSteps) {
  const DecOptions read = options("{}");
  const Net net = start();
  Decomposition by_hand(net.problem(), net.W, arma::mat(kNodes, kOutputs, arma::fill::zeros),
                        scheme_from("dec", kNodes, 10), read.decomposition(rng));
  const auto points = run("dec", R"({"dec": {"report": [2], "counts": "inner_pass"}})");

  ASSERT_EQ(by_hand.block_step(), Status::ok);
  ASSERT_EQ(by_hand.block_step(), Status::ok);
  ASSERT_EQ(points.size(), 1u);
  expect_outputs(points[0], by_hand.W(), by_hand.Lambda());
}

TEST_F(DecModel, SchemeReachesTheTraining) {
  std::vector<double> objectives;
  for (const std::string& scheme : scheme_names()) {
    const auto points = run("dec", R"({"dec": {"report": [3], "block": 2, "scheme": ")" + scheme + "\"}}");
    ASSERT_EQ(points.size(), 1u);
    const Net net = start();
    Decomposition by_hand(net.problem(), net.W, arma::mat(kNodes, kOutputs, arma::fill::zeros),
                          scheme_from(scheme, kNodes, 2), options("{}").decomposition(rng));
    for (int K = 0; K < 3; ++K) ASSERT_EQ(by_hand.major_step(), Status::ok);
    EXPECT_EQ(points[0].diagnostics.at("objective"), by_hand.error()) << scheme;
    expect_outputs(points[0], by_hand.W(), by_hand.Lambda());
  }
}

TEST_F(DecModel, RelmIsDecOfOne) {
  const auto dec = run("dec", R"({"dec": {"report": [1]}})"), relm = run("relm");

  ASSERT_EQ(relm.size(), 1u);
  EXPECT_TRUE(identical(relm[0].test_output, dec[0].test_output));
  EXPECT_EQ(relm[0].diagnostics, dec[0].diagnostics);
}

TEST_F(DecModel, ElmIsTheMinimumNormSolution) {
  const Net net = start();
  const arma::mat H = hidden_by_definition(net.X, net.W);
  arma::mat Lambda;
  ASSERT_EQ(minimum_norm(H, net.Y, Lambda), Status::ok);

  const auto points = run("elm");

  ASSERT_EQ(points.size(), 1u);
  EXPECT_LE(relative_difference(points[0].train_output, arma::mat(H * Lambda)), 1e-9);
  EXPECT_LE(points[0].diagnostics.at("backward_error"), tolerance(kSamples, kNodes));
  EXPECT_LE(relative_difference(run("relm", R"({"tau_lambda": 1e-12})")[0].train_output, points[0].train_output), 1e-6)
      << "relm's limit";
}

TEST_F(DecModel, ElmLeavesOutSingularValuesUpToRcond) {
  const Net net = start();
  const arma::mat H = hidden_by_definition(net.X, net.W), others = X.rows(test),
                  H_test =
                      hidden_by_definition(arma::join_rows(-arma::vec(others.n_rows, arma::fill::ones), others), net.W);
  arma::mat U, V;
  arma::vec s;
  ASSERT_TRUE(arma::svd_econ(U, s, V, H));
  const auto with_rcond = [&](double rcond) {
    return run("elm", R"({"elm": {"rcond": )" + Json(rcond).dump() + "}}").at(0);
  };
  const auto of_first = [&](uword k) {
    return arma::mat(U.head_cols(k) * (U.head_cols(k).t() * net.Y));  // H V_k diag(1 / s_k) U_k' Y
  };

  for (uword k = 1; k < kNodes; ++k) {
    const double between = std::sqrt(s(k - 1) * s(k)) / s(0);  // of the last one that counts and the next
    const Checkpoint point = with_rcond(between);
    ASSERT_EQ(point.status, Status::ok);
    EXPECT_LE(relative_difference(point.train_output, of_first(k)), 1e-9) << k;
    EXPECT_GT(relative_difference(of_first(k + 1), of_first(k)), 1e-6) << "it makes a difference";
    const arma::mat Lambda = V.head_cols(k) * arma::diagmat(1 / s.head(k)) * U.head_cols(k).t() * net.Y;
    EXPECT_LE(relative_difference(point.test_output, arma::mat(H_test * Lambda)), 1e-8) << k;
    EXPECT_FALSE(point.diagnostics.contains("backward_error")) << "of least squares, which it does not solve";
  }
  const Checkpoint all = with_rcond(0.5 * s(kNodes - 1) / s(0));
  EXPECT_LE(relative_difference(all.train_output, of_first(kNodes)), 1e-9);
  EXPECT_TRUE(identical(with_rcond(0).test_output, run("elm")[0].test_output));
  EXPECT_TRUE(with_rcond(0).diagnostics.contains("backward_error"));
}

TEST_F(DecModel, LbfgsIsThatOfAllWeights) {
  const Net net = start();
  const uword n = kInputs + 1;
  arma::vec x = arma::join_cols(arma::vectorise(net.W), arma::vectorise(net.Lambda));
  LbfgsOptions lbfgs;
  lbfgs.memory = 4;
  lbfgs.accuracy = 0;
  lbfgs.iterations = 30;
  std::vector<double> values, norms;
  arma::vec at_twelve;
  minimise_lbfgs(
      [&](const double* v, double* gradient) {
        return error_and_gradient(net.problem(), {v, n, kNodes, n}, {v + n * kNodes, kNodes, kOutputs, kNodes},
                                  {gradient, n, kNodes, n}, {gradient + n * kNodes, kNodes, kOutputs, kNodes});
      },
      x, lbfgs,
      [&](const LbfgsIterate& iterate) {
        values.push_back(iterate.value);
        norms.push_back(iterate.gradient_norm);
        if (iterate.iteration == 12) at_twelve = arma::vec(iterate.x, x.n_elem);
      });

  const auto points = run("lbfgs", R"({"memory": 4, "lbfgs": {"report": [30, 12]}})");

  ASSERT_EQ(points.size(), 2u);
  for (const auto& [point, weights, iterations] :
       {std::tuple(points[0], at_twelve, 12u), std::tuple(points[1], x, 30u)}) {
    EXPECT_EQ(point.iterations, iterations);
    expect_outputs(point, arma::mat(weights.memptr(), n, kNodes),
                   arma::mat(weights.memptr() + n * kNodes, kNodes, kOutputs));
    EXPECT_EQ(point.trace.at("objective"), std::vector<double>(values.begin(), values.begin() + iterations));
    EXPECT_EQ(point.trace.at("gradient_norm"), std::vector<double>(norms.begin(), norms.begin() + iterations));
    EXPECT_EQ(point.diagnostics.at("objective"), values[iterations - 1]);
    EXPECT_EQ(point.diagnostics.count("backward_error"), 0u);
  }
}

TEST_F(DecModel, EachSizeIsTrainedAnewAndItsFirstUnitsAreThoseOfASmaller) {
  const auto both = run("relm", R"({"nodes": [9, 4]})"), four = run("relm", R"({"nodes": [4]})");
  const arma::mat H = hidden_by_definition(start(9).X, start(9).W),
                  of_four = hidden_by_definition(start(4).X, start(4).W);

  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(both[0].nodes, 4u);
  EXPECT_EQ(both[1].nodes, 9u);
  EXPECT_TRUE(identical(both[0].test_output, four[0].test_output));
  EXPECT_TRUE(identical(arma::mat(H.head_cols(4)), of_four));
}

TEST_F(DecModel, WeightsAreInTheirRange) {
  const auto narrow = run("relm", R"({"weights": [0, 0]})");

  ASSERT_EQ(narrow.size(), 1u);
  EXPECT_LE(arma::abs(narrow[0].train_output - arma::repmat(narrow[0].train_output.row(0), kSamples, 1)).max(), 1e-12)
      << "every unit is 1/2";
}

TEST_F(DecModel, WhereTheGradientIsSmallTheRemainingValuesAreThatPoint) {
  const auto points = run("dec", R"({"dec": {"report": [1, 2, 10], "gradient_tolerance": 1e9}})");

  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[0].method, "");
  for (const uword i : {1u, 2u}) {
    EXPECT_EQ(points[i].method, "converged at 1");
    EXPECT_TRUE(identical(points[i].test_output, points[0].test_output));
    EXPECT_EQ(points[i].trace.at("objective").size(), 1u);
  }
  EXPECT_EQ(points[1].iterations, 2u);
  EXPECT_EQ(points[2].iterations, 10u);
}

TEST_F(DecModel, WhereNoStepIsLeftLbfgsSaysWhereItEnded) {
  const auto points = run("lbfgs", R"({"nodes": [1], "lbfgs": {"report": [1, 100000]}})");

  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].method, "");
  EXPECT_TRUE(points[1].method.starts_with("line search ended at ")) << points[1].method;
  EXPECT_EQ(points[1].iterations, 100000u);
  EXPECT_LE(points[1].diagnostics.at("gradient_norm"), 1e-5);
  EXPECT_LE(points[1].trace.at("objective").size(), 101u) << "every hundredth part, and what is reported";
}

}  // namespace
}  // namespace elmx
