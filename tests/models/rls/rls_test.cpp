#include "models/rls/rls.hpp"

#include <gtest/gtest.h>

#include "models/registry/registry.hpp"
#include "models/rls/rls_network.hpp"
#include "models/trainer.hpp"
#include "support/definite.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/refusal.hpp"
#include "support/status.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

/// A state in memory, and a user who stops the training when it has looked `patience` times.
struct StatesInMemory final : TrainingStates {
  std::optional<std::string> state;
  long patience = -1;

  std::optional<std::string> load() override { return state; }
  void save(const std::string& now) override { state = now; }
  void refuse(const std::string& why) override { ADD_FAILURE() << why; }
  bool stopped() const override { return const_cast<StatesInMemory*>(this)->patience-- == 0; }
};

class RlsModel : public testing::Test {
 protected:
  static constexpr uword kTrain = 53, kTest = 20;

  arma::mat X = normal_matrix(kTrain + kTest, 12, 1, 7);
  arma::mat targets = arma::join_rows(arma::sin(X.col(0)), X.col(1) % X.col(2));
  const arma::uvec train = arma::regspace<arma::uvec>(0, kTrain - 1),
                   test = arma::regspace<arma::uvec>(kTrain, X.n_rows - 1);
  const Rng rng{5, Purpose::layer};

  FoldView fold(TrainingStates* states = nullptr) const {
    const Scaler scaler = Scaler::fit("none", X, train);
    return {{X, train, scaler},
            {X, test, scaler},
            targets.rows(train),
            {X, {}, scaler},
            nullptr,
            targets.rows(test),
            {},
            states};
  }

  /// Adds to `points` what a training reports until it ends or is interrupted; false where it is.
  bool run(const std::string& model, const std::string& algorithm, std::vector<Checkpoint>& points,
           TrainingStates* states = nullptr) const {
    FakeClock clock;
    try {
      make_rls({read_model<RlsModelOptions>(model)}, fold(states), rng)
          ->train(algorithm, clock, [&](const Checkpoint& point) { points.push_back(point); });
    } catch (const Interrupted&) {
      return false;
    }
    return true;
  }
  std::vector<Checkpoint> run(const std::string& model, const std::string& algorithm) const {
    std::vector<Checkpoint> points;
    EXPECT_TRUE(run(model, algorithm, points));
    return points;
  }
};

TEST_F(RlsModel, WithoutHiddenLayersOneEpochSampleBySampleIsRidgeRegressionAroundTheStart) {
  const std::string model =
      R"({"layers": [], "precision": "double", "batch": 1, "epochs": 1, "k": 1, "clip": {"norm": 0}})";
  const auto plan = plan_network(read_model<RlsModelOptions>(model), X.n_cols, targets.n_cols, "/model");
  const arma::mat start = draw_parameters<double>(plan, rng).at("1");

  const Checkpoint point = run(model, "rls").at(0);

  // min ||[X, 1] Theta - T||^2 + ||Theta - start||^2 by QR of the stacked problem
  const auto with_ones = [](const arma::mat& A) {
    return arma::mat(arma::join_rows(A, arma::vec(A.n_rows, arma::fill::ones)));
  };
  const arma::mat A = arma::join_cols(with_ones(X.rows(train)), arma::eye(13, 13)),
                  B = arma::join_cols(targets.rows(train), start);
  arma::mat Q, R;
  ASSERT_TRUE(arma::qr_econ(Q, R, A));
  const arma::mat Theta = arma::solve(arma::trimatu(R), Q.t() * B);
  EXPECT_LE(relative_difference(point.test_output, arma::mat(with_ones(X.rows(test)) * Theta)), 1e-12);
  EXPECT_LE(relative_difference(point.train_output, arma::mat(with_ones(X.rows(train)) * Theta)), 1e-12);
}

TEST_F(RlsModel, EtaIsOfTheOutputLayerWhereItIsOfAllLayers) {
  // (63): one step changes Theta, and so the outputs of a network without hidden layers, in proportion to eta
  const auto after_a_step = [&](const std::string& eta) {
    return run(R"({"layers": [], "precision": "double", "batch": 1000, "epochs": 1, "clip": {"norm": 0}, )" + eta + "}",
               "rls")
        .at(0)
        .test_output;
  };
  const arma::mat start = after_a_step(R"("eta_layers": "all", "eta": 0)"),
                  step = after_a_step(R"("eta_layers": "hidden", "eta": 1)") - start;

  EXPECT_GT(arma::norm(step), 0.1);
  EXPECT_LE(relative_difference(after_a_step(R"("eta_layers": "all", "eta": 0.25)"), arma::mat(start + 0.25 * step)),
            1e-13);
  EXPECT_LE(relative_difference(after_a_step(R"("eta_layers": "hidden", "eta": 0.25)"), arma::mat(start + step)),
            1e-13);
}

TEST_F(RlsModel, ABiasOutsideOfPIsNoPartOfTheLengthOfTheStep) {
  // (63): the first step is -eta / h D with h = 1 + k x'x, x the average with or without its 1
  const auto after_a_step = [&](const std::string& member) {
    return run(R"({"layers": [], "precision": "double", "batch": 1000, "epochs": 1, "k": 0.7, "clip": {"norm": 0}, )" +
                   member + "}",
               "rls")
        .at(0)
        .test_output;
  };
  const arma::mat start = after_a_step(R"("eta_layers": "all", "eta": 0)"),
                  printed = after_a_step(R"("eta": 1)") - start;
  const arma::rowvec x = arma::mean(X.rows(train));
  const double without = 1 + 0.7 * arma::dot(x, x), with = without + 0.7;

  EXPECT_LE(relative_difference(after_a_step(R"("bias_in_p": true)"), arma::mat(start + printed)), 1e-15);
  EXPECT_LE(relative_difference(after_a_step(R"("bias_in_p": false)"), arma::mat(start + with / without * printed)),
            1e-13);
  // a trial that does not say it has the key that it had before there was the option
  EXPECT_FALSE(write_options(read_model<RlsModelOptions>("{}")).contains("bias_in_p"));
}

TEST_F(RlsModel, LossesAreThoseOfTheOutputs) {
  const auto points =
      run(R"({"layers": [{"nodes": 8}], "precision": "double", "epochs": 3, "report": [1, 3], "batch": 16})", "rls+m");

  ASSERT_EQ(points.size(), 2u);
  for (const Checkpoint& point : points) {
    const auto loss = [](const arma::mat& Z, const arma::mat& T) {
      return arma::accu(arma::square(Z - T)) / (2.0 * static_cast<double>(Z.n_rows));
    };
    EXPECT_NEAR(point.diagnostics.at("train_loss"), loss(point.train_output, targets.rows(train)), 1e-12);
    EXPECT_NEAR(point.diagnostics.at("test_loss"), loss(point.test_output, targets.rows(test)), 1e-12);
    EXPECT_EQ(point.trace.at("test_loss").back(), point.diagnostics.at("test_loss"));
    EXPECT_EQ(point.trace.at("train_loss").size(), point.iterations);
    EXPECT_EQ(point.nodes, 8u);
  }
}

// What is shown on the way changes neither the training nor its end.
TEST_F(RlsModel, TheLastEpochIsAlwaysReported) {
  const auto all = run(R"({"layers": [{"nodes": 8}], "epochs": 6, "batch": 16})", "rls"),
             some = run(R"({"layers": [{"nodes": 8}], "epochs": 6, "report": [2], "batch": 16})", "rls");

  ASSERT_EQ(all.size(), 1u);
  ASSERT_EQ(some.size(), 2u);
  EXPECT_EQ(some[0].iterations, 2u);
  EXPECT_EQ(some[1].iterations, 6u);
  EXPECT_EQ(some[1].trace.at("train_loss"), all[0].trace.at("train_loss"));
}

TEST_F(RlsModel, CrossEntropyReportsProbabilities) {
  targets.zeros();
  for (uword i = 0; i < targets.n_rows; ++i) targets(i, X(i, 0) > 0) = 1;

  const Checkpoint point =
      run(R"({"layers": [{"nodes": 8}], "precision": "double", "loss": "cross_entropy", "epochs": 4, "algorithms": ["hrls"]})",
          "hrls")
          .at(0);

  EXPECT_LE(arma::abs(arma::sum(point.test_output, 1) - 1).max(), 1e-14);
  EXPECT_GT(point.test_output.min(), 0);
  EXPECT_NEAR(point.diagnostics.at("test_loss"), -arma::accu(targets.rows(test) % arma::log(point.test_output)) / kTest,
              1e-12);
}

const char* const kDeep =
    R"({"precision": "single", "epochs": 3, "report": [1, 3], "batch": 16, "input": {"rows": 3, "cols": 4},
  "layers": [{"kind": "convolution", "nodes": 3, "kernel": [2, 2], "padding": 1}, {"kind": "max_pool"}, {"nodes": 70}]})";
const char* const kSequence =
    R"({"precision": "double", "epochs": 3, "report": [2, 3], "batch": 10, "input": {"steps": 4},
  "layers": [{"kind": "recurrent", "nodes": 4}, {"kind": "lstm", "nodes": 3}]})";

/// An interruption at every step, of every algorithm, changes nothing.
TEST_F(RlsModel, AnInterruptedTrainingGoesOnToTheSameBits) {
  for (const char* model : {kDeep, kSequence}) {
    for (const AlgorithmInfo& row : algorithms()) {
      if (row.family != "rls") continue;
      const std::string algorithm(row.name);
      const auto whole = run(model, algorithm);
      for (const long patience : {0, 3, 4, 7}) {
        StatesInMemory states;
        std::vector<Checkpoint> points;
        int interruptions = 0;
        for (states.patience = patience; !run(model, algorithm, points, &states); states.patience = patience)
          ++interruptions;

        EXPECT_GT(interruptions, 0) << algorithm;
        ASSERT_EQ(points.size(), whole.size()) << algorithm;
        for (std::size_t i = 0; i < points.size(); ++i) {
          EXPECT_TRUE(identical(points[i].test_output, whole[i].test_output)) << algorithm;
          EXPECT_EQ(points[i].trace, whole[i].trace) << algorithm;
          EXPECT_EQ(points[i].step.n, whole[i].step.n);
        }
      }
    }
  }
}

/// Killed, not stopped: what was saved on the way is enough. The fake clock's minute passes in the course of
/// many short epochs.
TEST_F(RlsModel, AStateIsSavedEveryMinuteWhateverAnEpochTakes) {
  const std::string model = R"({"layers": [{"nodes": 2}], "epochs": 9000, "batch": 8})";
  StatesInMemory states;
  std::vector<Checkpoint> whole, resumed;
  ASSERT_TRUE(run(model, "sgd", whole, &states));
  ASSERT_TRUE(states.state.has_value());
  EXPECT_GT(Json::parse(states.state->substr(0, states.state->find('\n'))).at("epoch").get<int>(), 1000);

  ASSERT_TRUE(run(model, "sgd", resumed, &states));

  ASSERT_EQ(resumed.size(), 1u);
  EXPECT_TRUE(identical(resumed[0].test_output, whole[0].test_output));
  EXPECT_EQ(resumed[0].trace, whole[0].trace);
}

TEST_F(RlsModel, ADivergedTrainingSaysAtWhichStep) {
  // 53 samples in batches of 16 are 4 steps an epoch. Targets of 1e30 at one sample of the last batch cannot
  // be known: let all be large.
  targets *= 1e30;

  const auto points = run(
      R"({"layers": [{"nodes": 8}], "eta": 1e20, "eta_layers": "all", "clip": {"norm": 0}, "batch": 16, "report": [1, 10]})",
      "rls");

  const Checkpoint& last = points.back();
  EXPECT_EQ(last.status, Status::not_finite);
  EXPECT_EQ(last.method, "at step 1");
  EXPECT_EQ(last.iterations, 1u);
  EXPECT_TRUE(last.test_output.is_empty());
}

TEST_F(RlsModel, ADivergenceInALaterEpochKeepsWhatWasReportedBefore) {
  const std::string slow =
      R"({"layers": [{"nodes": 8}], "eta": 40, "clip": {"norm": 0}, "batch": 16, "epochs": 2000, "report": [1, 2000]})";

  const auto points = run(slow, "rls");

  ASSERT_EQ(points.size(), 2u) << "the first epoch is still finite";
  EXPECT_EQ(points[0].status, Status::ok);
  EXPECT_EQ(points[1].status, Status::not_finite);
  const std::size_t step = std::stoul(points[1].method.substr(std::string("at step ").size()));
  EXPECT_GT(step, 4u);
  EXPECT_EQ((step - 1) / 4 + 1, points[1].iterations) << "four steps an epoch";
  EXPECT_EQ(points[1].trace.at("train_loss").size(), points[1].iterations - 1);
}

TEST_F(RlsModel, ManyToManyOutputsHaveTheTargetsOfStepAfterStep) {
  // Each target is the input of its step: a layer without a past learns it, by least squares to the last
  // digit.
  targets = X;
  const auto points = run(
      R"({"layers": [], "outputs": "all", "input": {"steps": 6}, "precision": "double", "batch": 53, "epochs": 400, "eta": 0.2, "eta_layers": "all"})",
      "sgd");

  EXPECT_LE(relative_difference(points[0].test_output, arma::mat(X.rows(test))), 1e-6);
}

TEST_F(RlsModel, RefusesInputsThatAreNoWords) {
  X = arma::round(arma::abs(10 * X));
  const std::string model =
      R"({"input": {"steps": 12}, "layers": [{"kind": "embedding", "nodes": 2, "vocabulary": 1000}]})";
  EXPECT_NO_THROW(run(model, "rls"));

  for (const double word : {1000.0, 0.5}) {
    X(kTrain + 3, 5) = word;
    EXPECT_EQ(place_thrown<ConfigError>([&] { run(model, "rls"); }), "/model/layers/0/vocabulary") << word;
  }
}

TEST_F(RlsModel, RefusesCrossEntropyOfWhatIsNoClass) {
  const auto act = [&] { run(R"({"loss": "cross_entropy", "algorithms": ["adam"]})", "adam"); };

  EXPECT_EQ(place_thrown<ConfigError>(act), "/model/loss");
  targets.zeros();
  targets.col(1).ones();
  EXPECT_NO_THROW(act());
  targets.col(0).ones();
  EXPECT_EQ(place_thrown<ConfigError>(act), "/model/loss");
}

class RlsRefusal : public testing::TestWithParam<Refusal> {};

TEST_P(RlsRefusal, NamesThePlace) {
  const auto act = [] { read_model<RlsModelOptions>(GetParam().config).cost(1, {100, 50, 12, 2}); };
  EXPECT_EQ(place_thrown<ConfigError>(act), GetParam().place);
  EXPECT_NE(thrown<ConfigError>(act).find(GetParam().word), std::string::npos) << thrown<ConfigError>(act);
}

INSTANTIATE_TEST_SUITE_P(
    Each, RlsRefusal,
    testing::Values(
        Refusal{R"({"algorithms": ["rsl"]})", "/model/algorithms", "\"rls\""},
        Refusal{R"({"layers": [{"kind": "dens"}]})", "/model/layers/0/kind", "\"dense\""},
        Refusal{R"({"layers": [{"kind": "dense"}]})", "/model/layers/0/nodes"},
        Refusal{R"({"layers": [{"nodes": 3, "stride": 2}]})", "/model/layers/0/stride", "max_pool"},
        Refusal{R"({"layers": [{"kind": "lstm", "nodes": 3, "activation": "tanh"}]})", "/model/layers/0/activation",
                "recurrent"},
        Refusal{R"({"layers": [{"kind": "convolution", "nodes": 3, "kernel": [3]}]})", "/model/layers/0/kernel", "[3]"},
        Refusal{R"({"report": [11]})", "/model/report", "11"},
        Refusal{R"({"loss": "cross_entropy"})", "/model/loss", "hrls"},
        Refusal{R"({"input": {"rows": 5}})", "/model/input", "12"},
        Refusal{R"({"input": {"channels": 2, "rows": 2, "cols": 2}})", "/model/input", "12"},
        Refusal{
            R"({"input": {"rows": 3, "cols": 4}, "layers": [{"kind": "convolution", "nodes": 3, "kernel": [4, 3]}]})",
            "/model/layers/0/kernel", "4 x 3"},
        Refusal{R"({"input": {"steps": 3}, "layers": [{"kind": "max_pool"}]})", "/model/layers/0/kind", "\"max_pool\""},
        Refusal{R"({"layers": [{"nodes": 4}, {"kind": "embedding", "nodes": 4}]})", "/model/layers/1/kind",
                "\"embedding\""},
        Refusal{R"({"layers": [{"kind": "embedding", "nodes": 4}]})", "/model/layers/0/kind", "\"embedding\""},
        Refusal{R"({"input": {"steps": 3}, "layers": [], "outputs": "all"})", "/model/outputs", "\"last\""}));

}  // namespace
}  // namespace elmx
