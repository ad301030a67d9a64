#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "solvers/sparse/s3elm.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/net.hpp"
#include "support/s3elm_systems.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

// Stored values.

struct Example {
  const char* name;
  bool whole;  // Q = I
  WeightSolver solver;
};

void PrintTo(const Example& one, std::ostream* out) {
  *out << one.name << (one.whole ? "_whole" : "_basis")
       << (one.solver == WeightSolver::gram   ? "_gram"
           : one.solver == WeightSolver::dual ? "_dual"
                                              : "");
}

std::vector<Example> examples() {
  std::vector<Example> all;
  for (const char* name : {"s3elm_iter_rbf", "s3elm_iter_sigmoid", "s3elm_iter_prune", "s3elm_iter_padded_stop"}) {
    all.push_back({name, true, WeightSolver::automatic});
    all.push_back({name, false, WeightSolver::gram});
    all.push_back({name, false, WeightSolver::dual});
  }
  return all;
}

class S3elmGolden : public testing::TestWithParam<Example> {
 protected:
  S3elmGolden() : golden("solvers", GetParam().name), p(problem_of(golden.input)) {
    Q = eye_of(p);
    Bt = p.H.t();
    if (!GetParam().whole) {
      const RangeBasis basis = basis_of(p.H);
      Q = basis.Q;
      Bt = basis.Bt;
    }
    const Json& in = golden.input;
    by = {in["lambda"].get<double>(), in["tau"].get<double>(), in["mu"].get<double>()};
    options.lambda = by.lambda;
    options.epsilon = in["eps"].get<double>();
    options.iterations = in["t_max"].get<std::size_t>();
    options.prune_below = in["prune_threshold"].get<double>();
    options.solver = GetParam().solver;
    W0 = matrix_from(golden.expected["W_init"]);
  }

  StoredValues golden;
  SemiSupervisedProblem p;
  Weighting by{};
  S3elmOptions options;
  arma::mat Q, Bt, W0;
};

INSTANTIATE_TEST_SUITE_P(Each, S3elmGolden, testing::ValuesIn(examples()));

TEST_P(S3elmGolden, BeginsAtTheMinimumNormWeights) {
  arma::mat labelled, padded;
  ASSERT_EQ(minimum_norm(p.Hl(), p.labels, labelled, 1e-12), Status::ok);
  ASSERT_EQ(minimum_norm(p.H, p.targets(), padded, 1e-12), Status::ok);

  EXPECT_TRUE(golden.agrees(golden.input["W0_init"] == "padded" ? padded : labelled, W0));
}

TEST_P(S3elmGolden, EveryStepOfTheIterations) {
  const LabelSystem system = system_of(p, Q, by);
  JointSparse weights(Bt, W0, by.lambda, options.solver);
  for (const Json& t : golden.expected["iterations"]) {
    const arma::mat Y = matrix_from(t["Y"]), V = weights.V(), H = p.H.cols(weights.active());

    const arma::mat Z = system.project(V);

    EXPECT_TRUE(golden.agrees(Z, Q.t() * Y)) << t["t"];
    EXPECT_TRUE(golden.agrees(labels_by_definition(p, by, H * weights.W()), Y)) << "the judge itself";
    EXPECT_TRUE(golden.agrees(G(p, H, by, weights.W(), Y), t["G_after_Y"])) << "the judge itself";
    EXPECT_TRUE(golden.agrees(system.minimum(V, Z) + by.lambda * weights.norm21(), t["G_after_Y"])) << t["t"];

    ASSERT_EQ(weights.step(Z), Status::ok);

    EXPECT_TRUE(golden.agrees(weights.W(), matrix_from(t["W"]))) << t["t"];
    EXPECT_TRUE(golden.agrees(weights.change(), t["delta_W_sq"])) << t["t"];
    EXPECT_TRUE(golden.agrees(G(p, H, by, weights.W(), Y), t["G_after_W"])) << t["t"];

    weights.prune(options.prune_below);

    EXPECT_TRUE(identical(weights.active(), indices_from(t["active_after"]))) << t["t"];
    EXPECT_TRUE(golden.agrees(G(p, p.H.cols(weights.active()), by, weights.W(), Y), t["G_after_prune"])) << t["t"];
  }
}

TEST_P(S3elmGolden, WholeTraining) {
  S3elmFit fit;

  ASSERT_EQ(train_s3elm(system_of(p, Q, by), Bt, W0, options, fit), Status::ok);

  const Json& t = golden.expected["iterations"];
  EXPECT_EQ(fit.iterations, t.size());
  ASSERT_EQ(fit.objective.size(), t.size() + 1) << "before the first iteration, and after each";
  for (std::size_t i = 0; i < t.size(); ++i) EXPECT_TRUE(golden.agrees(fit.objective[i], t[i]["G_after_Y"])) << i;
  EXPECT_LE(fit.rise, 0);
  EXPECT_TRUE(identical(fit.active, indices_from(golden.expected["active_final"])));
  EXPECT_TRUE(golden.agrees(fit.W, matrix_from(golden.expected["W_final"])));
  const arma::mat scores = p.H.cols(fit.active) * fit.W;
  EXPECT_TRUE(golden.agrees(scores, matrix_from(golden.expected["scores_all_rows"])));
  EXPECT_TRUE(identical(arma::uvec(arma::index_max(scores, 1)), indices_from(golden.expected["predicted_classes"])));
}

TEST_P(S3elmGolden, RefusesOtherParameters) {
  for (const Weighting& other :
       {Weighting{by.lambda, by.tau * (1 + 1e-3), by.mu}, Weighting{by.lambda * (1 + 1e-3), by.tau, by.mu}}) {
    S3elmFit fit;
    options.lambda = other.lambda;
    ASSERT_EQ(train_s3elm(system_of(p, Q, other), Bt, W0, options, fit), Status::ok);

    EXPECT_FALSE(golden.agrees(fit.W, matrix_from(golden.expected["W_final"])));
  }
}

/// Variant (29) with nodes 0, 1, 3, 4, 5.
struct Constrained {
  StoredValues golden{"solvers", "s3elm_hw_equals_y"};
  SemiSupervisedProblem p = problem_of(golden.input);
  Weighting by{golden.input["lambda"].get<double>(), golden.input["tau"].get<double>(),
               golden.input["mu"].get<double>()};

  Constrained() { p.H = arma::mat(p.H.cols(indices_from(golden.input["nodes_used"]))); }
};

TEST(S3elmConstrained, AgreesWithStoredValues) {
  const Constrained stored;
  const SemiSupervisedProblem& p = stored.p;
  const RangeBasis basis = basis_of(p.H);
  for (const bool whole : {true, false}) {
    const arma::mat Q = whole ? eye_of(p) : basis.Q, Bt = whole ? arma::mat(p.H.t()) : basis.Bt;
    for (const WeightSolver solver : {WeightSolver::gram, WeightSolver::dual}) {
      S3elmFit fit;
      for (std::size_t t = 1; t <= 3; ++t) {
        const S3elmOptions options{
            .lambda = stored.by.lambda, .epsilon = 0, .iterations = t, .prune_below = 0, .solver = solver};
        ASSERT_EQ(train_s3elm(constrained_of(p, Q, stored.by), Bt, labelled_start(p), options, fit), Status::ok);
        EXPECT_TRUE(stored.golden.agrees(fit.W, matrix_from(stored.golden.expected[t - 1]["W"]))) << t << " " << whole;
        if (t == 1) continue;
        EXPECT_TRUE(stored.golden.agrees(fit.objective[t - 1], stored.golden.expected[t - 2]["objective_times_lambda"]))
            << t;
      }
      EXPECT_EQ(fit.objective.size(), 4u);
    }
  }
}

}  // namespace
}  // namespace elmx
