#include <gtest/gtest.h>

#include "models/dec/dec.hpp"
#include "support/refusal.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

constexpr auto read_dec = read_model<DecOptions>;

class DecOptionsRefusal : public testing::TestWithParam<Refusal> {};

TEST_P(DecOptionsRefusal, NamesThePlace) {
  const auto act = [] { read_dec(GetParam().config); };
  EXPECT_EQ(place_thrown<ConfigError>(act), GetParam().place);
  EXPECT_NE(thrown<ConfigError>(act).find(GetParam().word), std::string::npos) << thrown<ConfigError>(act);
}

INSTANTIATE_TEST_SUITE_P(
    Each, DecOptionsRefusal,
    testing::Values(Refusal{R"({"algorithms": []})", "/model/algorithms"},
                    Refusal{R"({"algorithms": ["decc"]})", "/model/algorithms", "\"dec\""},
                    Refusal{R"({"algorithms": ["chol-1"]})", "/model/algorithms", "lbfgs"},
                    Refusal{R"({"algorithms": ["dec", "dec"]})", "/model/algorithms", "\"dec\""},
                    Refusal{R"({"nodes": []})", "/model/nodes"},
                    Refusal{R"({"dec": {"report": []}})", "/model/dec/report"},
                    Refusal{R"({"lbfgs": {"report": []}})", "/model/lbfgs/report"},
                    Refusal{R"({"weights": [1, -1]})", "/model/weights"},
                    Refusal{R"({"dec": {"armijo": {"reduction": 1}}})", "/model/dec/armijo/reduction"},
                    Refusal{R"({"dec": {"armijo": {"reduction": 0}}})", "/model/dec/armijo/reduction"},
                    Refusal{R"({"dec": {"scheme": "two_blocks"}})", "/model/dec/scheme", "\"two_block\""},
                    Refusal{R"({"dec": {"order": "random", "scheme": "two_block"}})", "/model/dec/order",
                            "cycle_no_lambda"},
                    Refusal{R"({"ridge": 1})", "/model/ridge", "tau_lambda"}));

class DecOptionsOutOfRange : public testing::TestWithParam<const char*> {};

TEST_P(DecOptionsOutOfRange, IsRefused) {
  const std::string place = place_thrown<ConfigError>([] { read_dec(GetParam()); });
  EXPECT_TRUE(place.starts_with("/model/")) << place;
}

INSTANTIATE_TEST_SUITE_P(
    Each, DecOptionsOutOfRange,
    testing::Values(R"({"nodes": [0]})", R"({"nodes": 5.5})", R"({"tau_lambda": 0})", R"({"tau_w": -1})",
                    R"({"memory": 0})", R"({"memory": 1001})", R"({"weights": [1]})", R"({"dec": {"report": [0]}})",
                    R"({"dec": {"report": [1.5]}})", R"({"dec": {"counts": "lambda"}})", R"({"dec": {"block": 0}})",
                    R"({"dec": {"theta": 1.1}})", R"({"dec": {"theta": -0.1}})", R"({"dec": {"tau": -1}})",
                    R"({"dec": {"gradient_tolerance": -1}})", R"({"dec": {"armijo": {"first": 0}}})",
                    R"({"dec": {"armijo": {"decrease": 2}}})", R"({"dec": {"armijo": {"trials": 0}}})",
                    R"({"dec": {"inner": {"method": "cg"}}})", R"({"dec": {"inner": {"start": "zero"}}})",
                    R"({"dec": {"inner": {"first_step": 2}}})", R"({"dec": {"inner": {"iterations": 0}}})",
                    R"({"dec": {"inner": {"accuracy": -1}}})", R"({"dec": {"lambda_solver": "svd"}})",
                    R"({"dec": {"cg": {"tolerance": 0}}})", R"({"dec": {"cg": {"stop": "residual"}}})",
                    R"({"dec": {"cg": {"xi": 1.5}}})", R"({"dec": {"cg": {"iterations": -1}}})",
                    R"({"lbfgs": {"report": [0]}})", R"({"precision": "single"})", R"({"reference": "qr"})",
                    R"({"dec": {"maxiter": 2}})", R"({"dec": {"order": "shuffled"}})", R"({"elm": {"rcond": -1e-9}})",
                    R"({"elm": {"rcond": 1}})", R"({"elm": {"rcond": "eps"}})", R"({"rcond": 1e-5})"));

TEST(DecOptions, DefaultsAreThoseOfThePaperAndWrittenOut) {
  const DecOptions defaults = read_dec("{}");

  EXPECT_EQ(defaults.algorithms, std::vector<std::string>{"dec"});
  EXPECT_EQ(defaults.tau_lambda, 1e-3);
  EXPECT_EQ(defaults.tau_w, 1e-2);
  EXPECT_EQ(defaults.weights, (std::vector<double>{-0.5, 0.5}));
  EXPECT_EQ(defaults.dec.report, (std::vector<std::size_t>{2, 10}));
  EXPECT_EQ(defaults.dec.inner.iterations, 100u);
  EXPECT_EQ(defaults.dec.inner.accuracy, 1e-2);
  EXPECT_EQ(write_options(defaults), write_options(read_dec(write_options(defaults).dump())));
}

TEST(DecOptions, SayWhichAlgorithmSolvesTheRidgeProblem) {
  DecOptions options;
  EXPECT_TRUE(options.solves_ridge_problem("relm"));
  options.dec.lambda_solver = "cg";
  EXPECT_FALSE(options.solves_ridge_problem("relm")) << "conjugate gradients end before";
  EXPECT_FALSE(options.solves_ridge_problem("elm")) << "no penalty";
}

TEST(DecOptions, EdgesAreAllowed) {
  EXPECT_NO_THROW(read_dec(R"({"nodes": [1], "tau_w": 0, "tau_lambda": 1e-300, "memory": 1, "weights": [0, 0]})"));
  EXPECT_NO_THROW(
      read_dec(R"({"dec": {"report": [1], "theta": 0, "tau": 0, "inner": {"accuracy": 0}, "cg": {"xi": 0}}})"));
  EXPECT_NO_THROW(read_dec(R"({"elm": {"rcond": 0}})"));
  EXPECT_NO_THROW(read_dec(R"({"elm": {"rcond": 0.999}})"));
}

// What a trial is called must not change with an option that the config does not give.
TEST(DecOptions, RcondIsNoPartOfTheKeyUnlessGiven) {
  EXPECT_FALSE(write_options(read_dec("{}")).contains("elm"));
  EXPECT_EQ(write_options(read_dec(R"({"elm": {"rcond": 0.25}})"))["elm"], Json({{"rcond", 0.25}}));
}

TEST(DecOptions, SizesAreInOrderAndOnce) {
  EXPECT_EQ(read_dec(R"({"nodes": [30, 5, 30, 7]})").sizes(), (std::vector<std::size_t>{5, 7, 30}));
}

TEST(DecOptions, ReachTheSolver) {
  const DecompositionOptions options =
      read_dec(R"({"memory": 3, "dec": {"theta": 0.25, "tau": 0.5, "lambda_solver": "cg",
      "armijo": {"first": 2, "decrease": 0.1, "reduction": 0.7, "trials": 9},
      "inner": {"method": "lbfgs", "start": "current", "iterations": 7, "accuracy": 0.3, "test_at_start": false,
                "first_step": "unit"},
      "cg": {"tolerance": 1e-4, "iterations": 11, "stop": "literal", "xi": 0.6}}})")
          .decomposition(Rng(1, Purpose::layer));

  EXPECT_EQ(options.theta, 0.25);
  EXPECT_EQ(options.xi, 0.6);
  EXPECT_EQ(options.outputs, OutputSolver::cg);
  EXPECT_EQ(options.cg.tolerance, 1e-4);
  EXPECT_EQ(options.cg.iterations, 11u);
  EXPECT_TRUE(options.cg.literal);
  EXPECT_EQ(options.unit.tau, 0.5);
  EXPECT_TRUE(options.unit.inner);
  EXPECT_FALSE(options.unit.inner_from_armijo);
  EXPECT_EQ(options.unit.armijo.a, 2);
  EXPECT_EQ(options.unit.armijo.gamma, 0.1);
  EXPECT_EQ(options.unit.armijo.delta, 0.7);
  EXPECT_EQ(options.unit.armijo.trials, 9u);
  EXPECT_EQ(options.unit.lbfgs.memory, 3u);
  EXPECT_EQ(options.unit.lbfgs.iterations, 7u);
  EXPECT_EQ(options.unit.lbfgs.accuracy, 0.3);
  EXPECT_FALSE(options.unit.lbfgs.test_at_start);
  EXPECT_FALSE(options.unit.armijo_length);
}

TEST(DecOptions, TheOtherChoicesReachTheSolver) {
  const auto of = [](const std::string& config) { return read_dec(config).decomposition(Rng(1, Purpose::layer)); };

  EXPECT_EQ(of("{}").outputs, OutputSolver::cholesky);
  EXPECT_EQ(of(R"({"dec": {"lambda_solver": "qr"}})").outputs, OutputSolver::qr);
  EXPECT_FALSE(of(R"({"dec": {"inner": {"method": "none"}}})").unit.inner);
  EXPECT_TRUE(of("{}").unit.inner_from_armijo);
  EXPECT_TRUE(of("{}").unit.lbfgs.test_at_start);
  EXPECT_TRUE(of("{}").unit.armijo_length);
  EXPECT_FALSE(of("{}").cg.literal);
  EXPECT_EQ(of("{}").order, UnitOrder::given);
  EXPECT_EQ(of(R"({"dec": {"order": "random"}})").order, UnitOrder::random);
}

class DecCost : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Each, DecCost, testing::Values("dec", "lbfgs", "relm", "elm"));

TEST_P(DecCost, GrowsWithSizesSamplesAndIterations) {
  const auto cost = [](const std::string& changes, uword samples = 1000, double variance = 1) {
    Json config = {{"algorithms", {GetParam()}}, {"nodes", {40}}};
    config.merge_patch(Json::parse(changes));
    return read_dec(config.dump())
        .cost(1, {.train = samples, .test = 100, .inputs = 20, .outputs = 3, .target_variance = variance});
  };
  const Cost base = cost("{}");

  EXPECT_GE(base.bytes, 8.0 * 1000 * (40 + 21)) << "hidden outputs and inputs";
  EXPECT_GT(base.flops, 2.0 * 1000 * 40);
  EXPECT_GT(cost(R"({"nodes": [80]})").flops, base.flops);
  EXPECT_GT(cost("{}", 2000).bytes, base.bytes);
  EXPECT_GT(cost(R"({"nodes": [40, 20]})").flops, base.flops) << "each size is trained anew";
  EXPECT_EQ(cost(R"({"nodes": [40, 20]})").bytes, base.bytes) << "one after another";
  EXPECT_EQ(cost(R"({"dec": {"report": [2, 20]}})").flops > base.flops, GetParam() == "dec");
  EXPECT_EQ(cost(R"({"lbfgs": {"report": [2, 1000]}})").flops > base.flops, GetParam() == "lbfgs");
  EXPECT_EQ(cost(R"({"dec": {"inner": {"accuracy": 1}}})").flops < base.flops, GetParam() == "dec");
  EXPECT_EQ(cost("{}", 1000, 1e-8).flops < base.flops, GetParam() == "dec") << "the gradient is small at once";
}

}  // namespace
}  // namespace elmx
