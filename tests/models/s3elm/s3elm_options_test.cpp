#include <gtest/gtest.h>

#include <cmath>

#include "models/s3elm/s3elm.hpp"
#include "support/refusal.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

constexpr auto read = read_model<S3elmModelOptions>;

class S3elmOptionsRefusal : public testing::TestWithParam<Refusal> {};

TEST_P(S3elmOptionsRefusal, NamesThePlace) {
  const auto act = [] { read(GetParam().config); };
  EXPECT_EQ(place_thrown<ConfigError>(act), GetParam().place);
  EXPECT_NE(thrown<ConfigError>(act).find(GetParam().word), std::string::npos) << thrown<ConfigError>(act);
}

INSTANTIATE_TEST_SUITE_P(
    Each, S3elmOptionsRefusal,
    testing::Values(
        Refusal{R"({"s3elm": {"mu": [0.5, 0]}})", "/model/s3elm/mu"},
        Refusal{R"({"algorithms": []})", "/model/algorithms"},
        Refusal{R"({"algorithms": ["s3elmm"]})", "/model/algorithms", "\"s3elm\""},
        Refusal{R"({"algorithms": ["standard"]})", "/model/algorithms", "op-elm"},
        Refusal{R"({"algorithms": ["elm", "selm", "elm"]})", "/model/algorithms", "\"elm\""},
        Refusal{R"({"activation": "sigmoidd"})", "/model/activation", "\"sigmoid\""},
        Refusal{R"({"activation": "softmaximum"})", "/model/activation", "triangular"},
        Refusal{R"({"weights": [1, -1]})", "/model/weights"}, Refusal{R"({"weights": [1]})", "/model/weights"},
        Refusal{R"({"biases": [0, 1, 2]})", "/model/biases"}, Refusal{R"({"biases": [0.5, 0]})", "/model/biases"},
        Refusal{R"({"activation": "rbf", "biases": [-0.5, 1]})", "/model/biases", "[-0.5,1.0]"},
        Refusal{R"({"graph": {"sigma": []}})", "/model/graph/sigma"},
        Refusal{R"({"elm": {"gamma": []}})", "/model/elm/gamma"},
        Refusal{R"({"selm": {"lambda": []}})", "/model/selm/lambda"},
        Refusal{R"({"s3elm": {"mu": []}})", "/model/s3elm/mu"},
        Refusal{R"({"graph": {"sigma": [1, 2, 1]}})", "/model/graph/sigma", "1.0"},
        Refusal{R"({"elm": {"gamma": [0.25, 0.25]}})", "/model/elm/gamma", "0.25"},
        Refusal{R"({"selm": {"lambda": [3, 0.5, 3]}})", "/model/selm/lambda", "3.0"},
        Refusal{R"({"s3elm": {"mu": [0.5, 0.1, 0.1]}})", "/model/s3elm/mu", "0.1"},
        Refusal{R"({"cross_validation": 1})", "/model/cross_validation"},
        Refusal{R"({"graph": {"kind": "knns"}})", "/model/graph/kind", "\"knn\""},
        Refusal{R"({"graph": {"unit_norm": true}})", "/model/graph/unit_norm", "sparse_coding"},
        Refusal{R"({"graph": {"kind": "knn", "unit_norm": false}})", "/model/graph/unit_norm", "sparse_coding"},
        Refusal{R"({"selm": {"form": "approx"}})", "/model/selm/form", "approximate"},
        Refusal{R"({"ridge": 1})", "/model/ridge", "op_elm"}));

class S3elmOptionsOutOfRange : public testing::TestWithParam<const char*> {};

TEST_P(S3elmOptionsOutOfRange, IsRefused) {
  const std::string place = place_thrown<ConfigError>([] { read(GetParam()); });
  EXPECT_TRUE(place.starts_with("/model/")) << place;
}

INSTANTIATE_TEST_SUITE_P(
    Each, S3elmOptionsOutOfRange,
    testing::Values(R"({"family": "elm"})", R"({"nodes": 0})", R"({"nodes": 2.5})", R"({"cross_validation": -1})",
                    R"({"cross_validation": 1001})", R"({"graph": {"sigma": [-1]}})", R"({"graph": {"neighbours": 0}})",
                    R"({"graph": {"normalised": 1}})", R"({"graph": {"kind": "sparse_coding", "unit_norm": 1}})",
                    R"({"elm": {"gamma": [0]}})", R"({"op_elm": {"ranking": "best"}})", R"({"op_elm": {"size": "5"}})",
                    R"({"op_elm": {"standardise": 1}})", R"({"op_elm": {"bias": "yes"}})",
                    R"({"selm": {"lambda": [0]}})", R"({"s3elm": {"mu": [1.01]}})", R"({"s3elm": {"mu": [-0.01]}})",
                    R"({"s3elm": {"lambda": 0}})", R"({"s3elm": {"tau": -1}})", R"({"s3elm": {"epsilon": -1}})",
                    R"({"s3elm": {"iterations": 0}})", R"({"s3elm": {"prune": "all"}})",
                    R"({"s3elm": {"prune_below": 0}})", R"({"s3elm": {"keep": 0}})", R"({"s3elm": {"start": "zero"}})",
                    R"({"s3elm": {"start_gamma": 0}})", R"({"s3elm": {"weight_solver": "woodbury"}})",
                    R"({"s3elm": {"variant": "y"}})", R"({"s3elm": {"sigma": [1]}})"));

// What a trial is called must not change with an option that the config does not give.
TEST(S3elmOptions, UnitNormIsNoPartOfTheKeyUnlessGiven) {
  EXPECT_FALSE(write_options(read(R"({"graph": {"kind": "sparse_coding"}})"))["graph"].contains("unit_norm"));
  EXPECT_EQ(write_options(read(R"({"graph": {"kind": "sparse_coding", "unit_norm": true}})"))["graph"]["unit_norm"],
            true);
}

/// 4^first .. 4^last
std::vector<double> powers_of_four(int first, int last) {
  std::vector<double> all;
  for (int k = first; k <= last; ++k) all.push_back(std::pow(4.0, k));
  return all;
}

TEST(S3elmOptions, DefaultsAreThoseOfThePaperAndWrittenOut) {
  const S3elmModelOptions defaults = read("{}");
  const std::vector<double> tenths{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};

  EXPECT_EQ(defaults.algorithms, std::vector<std::string>{"s3elm"});
  EXPECT_EQ(defaults.graph.sigma, powers_of_four(-5, 5));
  EXPECT_EQ(defaults.elm.gamma, powers_of_four(-10, 10));
  EXPECT_EQ(defaults.s3elm.mu, tenths);
  EXPECT_EQ(defaults.selm.lambda, tenths);
  EXPECT_EQ(defaults.nodes, 1000u);
  EXPECT_EQ(defaults.weights, (std::vector<double>{0, 1}));
  EXPECT_EQ(defaults.biases, (std::vector<double>{0, 1}));
  EXPECT_EQ(defaults.s3elm.tau, 200);
  EXPECT_EQ(defaults.graph.kind, "heat");
  EXPECT_FALSE(defaults.graph.normalised);
  EXPECT_FALSE(defaults.graph.unit_norm.value_or(false));
  EXPECT_EQ(defaults.selm.form, "approximate");
  EXPECT_EQ(defaults.s3elm.start, "labelled");
  EXPECT_EQ(defaults.s3elm.variant, "free_labels");
  const S3elmOptions solver = defaults.s3elm_options();
  EXPECT_EQ(solver.lambda, 1e-4);
  EXPECT_EQ(solver.epsilon, 1e-5);
  EXPECT_EQ(solver.iterations, 200u);
  EXPECT_EQ(solver.prune_below, 1e-5);
  EXPECT_EQ(solver.keep, 0u);
  EXPECT_EQ(solver.solver, WeightSolver::automatic);
  const OpElmOptions op_elm = defaults.op_elm_options();
  EXPECT_FALSE(op_elm.least_angle || op_elm.standardise || op_elm.bias);
  EXPECT_EQ(op_elm.size, SizeRule::global_minimum);
  EXPECT_EQ(write_options(defaults), write_options(read(write_options(defaults).dump())));
}

TEST(S3elmOptions, EdgesAreAllowed) {
  EXPECT_NO_THROW(read(
      R"({"nodes": 1, "weights": [0, 0], "biases": [-1, -1], "cross_validation": 2, "graph": {"sigma": [0], "neighbours": 1}})"));
  EXPECT_NO_THROW(read(
      R"({"activation": "rbf", "weights": [-3, 3], "biases": [0, 0], "cross_validation": 0, "op_elm": {"standardise": null}})"));
  EXPECT_NO_THROW(read(
      R"({"s3elm": {"mu": [1e-300, 1], "tau": 1e-300, "epsilon": 0, "iterations": 1, "keep": 1, "prune_below": 1e-300}})"));
}

TEST(S3elmOptions, EveryActivationIsKnown) {
  for (const char* name : {"rbf", "gaussian", "sigmoid", "hardlim", "triangular", "sine", "linear", "tanh", "relu"}) {
    EXPECT_EQ(read((std::string(R"({"activation": ")") + name + R"("})").c_str()).activation, name);
  }
}

TEST(S3elmOptions, ReachTheSolver) {
  const auto of = [](const std::string& members) { return read(R"({"s3elm": {)" + members + "}}").s3elm_options(); };
  const S3elmOptions options =
      of(R"("lambda": 0.5, "epsilon": 0.25, "iterations": 7, "prune_below": 0.125, "keep": 9)");

  EXPECT_EQ(options.lambda, 0.5);
  EXPECT_EQ(options.epsilon, 0.25);
  EXPECT_EQ(options.iterations, 7u);
  EXPECT_EQ(options.prune_below, 0.125);
  EXPECT_EQ(options.keep, 0u) << "not topk";
  EXPECT_EQ(of(R"("prune": "topk", "keep": 9)").keep, 9u);
  EXPECT_EQ(of(R"("prune": "topk", "keep": 9)").prune_below, 0);
  EXPECT_EQ(of(R"("prune": "none")").prune_below, 0);
  EXPECT_EQ(of(R"("prune": "none")").keep, 0u);
  EXPECT_EQ(of(R"("weight_solver": "gram")").solver, WeightSolver::gram);
  EXPECT_EQ(of(R"("weight_solver": "dual")").solver, WeightSolver::dual);
}

TEST(S3elmOptions, OfOpElmReachTheSolver) {
  const auto of = [](const std::string& members) { return read(R"({"op_elm": {)" + members + "}}").op_elm_options(); };

  EXPECT_TRUE(of(R"("ranking": "mrsr")").least_angle);
  EXPECT_TRUE(of(R"("ranking": "mrsr")").standardise);
  EXPECT_FALSE(of(R"("ranking": "mrsr", "standardise": false)").standardise);
  EXPECT_TRUE(of(R"("standardise": true)").standardise);
  EXPECT_FALSE(of(R"("standardise": true)").least_angle);
  EXPECT_TRUE(of(R"("bias": true)").bias);
  EXPECT_EQ(of(R"("size": "first_increase")").size, SizeRule::first_increase);
}

class S3elmCost : public testing::TestWithParam<std::string> {
 protected:
  static Cost cost(const std::string& changes, const Sizes& sizes) {
    Json config = {{"algorithms", {GetParam()}}, {"nodes", 40}};
    config.merge_patch(Json::parse(changes));
    return read(config.dump()).cost(1, sizes);
  }
  static bool semi_supervised() { return GetParam() == "selm" || GetParam() == "s3elm"; }

  const Sizes sizes{20, 500, 4, 3, 500};
};

INSTANTIATE_TEST_SUITE_P(Each, S3elmCost, testing::Values("elm", "op-elm", "selm", "s3elm"),
                         [](const auto& test) { return test.param == "op-elm" ? std::string("op_elm") : test.param; });

// The test part is only predicted; what training sees is the labelled and the unlabelled samples, whether the
// latter test or not.
TEST_P(S3elmCost, CountsTheUnlabelledSamplesAndNotTheTestPart) {
  Sizes more_unlabelled = sizes, more_tested = sizes, none = sizes;
  more_unlabelled.unlabelled = 1000;
  more_tested.test = 1000;
  none.unlabelled = 0;

  EXPECT_EQ(cost("{}", more_unlabelled).shared_bytes > cost("{}", sizes).shared_bytes, semi_supervised());
  EXPECT_EQ(cost("{}", more_unlabelled).flops > cost("{}", sizes).flops, semi_supervised());
  EXPECT_EQ(cost("{}", more_tested).shared_bytes, cost("{}", sizes).shared_bytes);
  EXPECT_EQ(cost("{}", more_tested).flops, cost("{}", sizes).flops);
  EXPECT_EQ(cost("{}", none).shared_bytes < cost("{}", sizes).shared_bytes, semi_supervised());
  EXPECT_GT(cost("{}", none).flops, 0);
}

TEST_P(S3elmCost, IsAtLeastWhatIsHeld) {
  const double N = 520, n = 20, L = 40;
  const auto shared = [&](const char* model) { return cost(model, sizes).shared_bytes; };

  EXPECT_GE(cost("{}", sizes).bytes, 8 * 2 * n * L) << "H, and its copy at work";
  EXPECT_EQ(shared("{}") > 0, semi_supervised());
  if (!semi_supervised()) return;
  const double of_graph = GetParam() == "s3elm" ? 2 : 1;  // a spectrum beside the Laplacian
  EXPECT_GE(shared(R"({"graph": {"sigma": [1]}})"), 8 * (of_graph * N * N + N * L + 2 * L * L)) << "Q, B, H'H";
  EXPECT_GE(cost("{}", sizes).bytes, 8 * 2 * N * L) << "H and its factorisation";
  EXPECT_GE(shared("{}"), 8 * 11 * of_graph * N * N) << "of every sigma";
  EXPECT_LT(shared(R"({"graph": {"kind": "knn"}})"), 8 * N * N) << "no N x N matrix";
  EXPECT_GE(shared(R"({"nodes": 3000, "graph": {"kind": "knn"}})"), 8 * (3000.0 * 3000 + N * 3000 + N * N))
      << "H'H, B, Q";
  EXPECT_GE(cost(R"({"nodes": 3000, "graph": {"kind": "knn"}})", sizes).bytes, 8 * 2 * N * 3000)
      << "H and its factorisation";
  EXPECT_LT(shared(R"({"graph": {"kind": "sparse_coding"}})"), 8 * 3 * N * N) << "one graph";
}

TEST_P(S3elmCost, NodesOfFewInputsTakeLessTimeButNotLessMemory) {
  Sizes one_input = sizes;
  one_input.inputs = 1;

  EXPECT_EQ(cost("{}", one_input).flops < cost("{}", sizes).flops, semi_supervised());
  EXPECT_EQ(cost("{}", one_input).bytes, cost("{}", sizes).bytes);
}

TEST_P(S3elmCost, WorkGrowsWithTheGridsAndTheParts) {
  const Cost base = cost(R"({"graph": {"sigma": [1]}, "cross_validation": 0})", sizes);

  EXPECT_EQ(cost(R"({"graph": {"sigma": [1, 2]}, "cross_validation": 0})", sizes).flops > base.flops,
            semi_supervised());
  EXPECT_EQ(cost(R"({"graph": {"sigma": [1]}, "cross_validation": 2})", sizes).flops > base.flops,
            GetParam() != "op-elm");
  EXPECT_EQ(
      cost(R"({"graph": {"sigma": [1]}, "cross_validation": 0, "s3elm": {"mu": [0.5]}})", sizes).flops < base.flops,
      GetParam() == "s3elm");
  EXPECT_EQ(
      cost(R"({"graph": {"sigma": [1]}, "cross_validation": 0, "selm": {"lambda": [0.5]}})", sizes).flops < base.flops,
      GetParam() == "selm");
  EXPECT_EQ(
      cost(R"({"graph": {"sigma": [1]}, "cross_validation": 0, "s3elm": {"iterations": 2}})", sizes).flops < base.flops,
      GetParam() == "s3elm");
}

}  // namespace
}  // namespace elmx
