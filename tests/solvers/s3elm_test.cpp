#include "solvers/s3elm.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "linalg/minimum_norm.hpp"
#include "linalg/range_basis.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/net.hpp"
#include "support/semi_supervised.hpp"
#include "support/status.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

struct Weighting {
  double lambda, tau, mu;
};

arma::mat weighted_rows(const arma::mat& W) {
  arma::mat unit = W;
  for (uword i = 0; i < W.n_rows; ++i) unit.row(i) /= arma::norm(W.row(i));
  return unit;
}

double norm21(const arma::mat& W) {
  double sum = 0;
  for (uword i = 0; i < W.n_rows; ++i) sum += arma::norm(W.row(i));
  return sum;
}

/// ||HW - Y||^2 + lambda ||W||_{2,1} + tau (1 - mu) Tr Y'LY + tau mu ||J (Y - Y~)||^2,  H the columns of the nodes that
/// are left
double G(const SemiSupervisedProblem& p, const arma::mat& H, const Weighting& by, const arma::mat& W,
         const arma::mat& Y) {
  return arma::accu(arma::square(H * W - Y)) + by.lambda * norm21(W) +
         by.tau * (1 - by.mu) * arma::trace(Y.t() * p.L * Y) +
         by.tau * by.mu * arma::accu(arma::square(p.J() * (Y - p.targets())));
}

arma::mat eye_of(const SemiSupervisedProblem& p) { return arma::eye(p.N(), p.N()); }

/// Y = M^-1 (HW + tau mu Y~) by LU, M = I + tau (1 - mu) L + tau mu J (26).
arma::mat labels_by_definition(const SemiSupervisedProblem& p, const Weighting& by, const arma::mat& HW) {
  return arma::solve(eye_of(p) + by.tau * (1 - by.mu) * p.L + by.tau * by.mu * p.J(),
                     HW + by.tau * by.mu * p.targets());
}

/// Of a form whose last columns belong to the labelled samples.
Status label_system(const arma::mat& form, const arma::mat& labels, double tau_mu, LabelSystem& system) {
  const uword n = labels.n_rows;
  return elmx::label_system(form, form.n_rows - n, arma::regspace<arma::uvec>(0, 1, n - 1), labels, tau_mu, system);
}

/// From the form of [Q E], by LU.
LabelSystem system_of(const SemiSupervisedProblem& p, const arma::mat& Q, const Weighting& by) {
  const arma::mat QE = arma::join_rows(Q, arma::mat(eye_of(p).eval().head_cols(p.n())));
  const arma::mat form = QE.t() * arma::solve(eye_of(p) + by.tau * (1 - by.mu) * p.L, QE);
  LabelSystem system;
  EXPECT_EQ(label_system((form + form.t()) / 2, p.labels, by.tau * by.mu, system), Status::ok);
  return system;
}

/// With Q = I: B = H, Q'Y = Y.
LabelSystem system_of(const SemiSupervisedProblem& p, const Weighting& by) { return system_of(p, eye_of(p), by); }

RangeBasis basis_of(const arma::mat& H) {
  RangeBasis basis;
  EXPECT_EQ(range_basis(H, 1e-13, basis), Status::ok);
  return basis;
}

arma::mat labelled_start(const SemiSupervisedProblem& p) {
  arma::mat W;
  EXPECT_EQ(minimum_norm(p.Hl(), p.labels, W, 1e-12), Status::ok);
  return W;
}

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

ConstrainedSystem constrained_of(const SemiSupervisedProblem& p, const arma::mat& Q, const Weighting& by) {
  ConstrainedSystem system;
  EXPECT_EQ(
      constrained_system(Q.t() * p.L * Q, Q.head_rows(p.n()), p.labels, by.tau * (1 - by.mu), by.tau * by.mu, system),
      Status::ok);
  return system;
}

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

// Random problems.

struct Case {
  uword N, n, C, L;
  double sigma;
  Weighting by;
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << one.N << "_" << one.n << "_" << one.C << "_" << one.L << "_lambda" << one.by.lambda << "_tau" << one.by.tau
       << "_mu" << one.by.mu;
}

class S3elm : public testing::TestWithParam<Case> {
 protected:
  S3elm()
      : p(random_problem(GetParam().N, GetParam().n, GetParam().C, GetParam().L, GetParam().sigma, 23)),
        by(GetParam().by),
        basis(basis_of(p.H)) {}

  arma::mat some_weights(std::uint32_t which = 0) const { return normal_matrix(p.H.n_cols, p.C(), 23, 10 + which); }
  /// cond(M) <= 1 + tau (1 - mu) theta_max + tau mu
  double condition() const { return 1 + by.tau * (1 - by.mu) * arma::norm(p.L, 2) + by.tau * by.mu; }
  double allowed() const { return tolerance(p.N(), p.H.n_cols) * condition(); }

  SemiSupervisedProblem p;
  Weighting by;
  RangeBasis basis;
};

// More samples than nodes, fewer, one label, all labelled, mu at its ends, a graph in parts.
INSTANTIATE_TEST_SUITE_P(Random, S3elm,
                         testing::Values(Case{30, 6, 3, 8, 1, {0.1, 20, 0.5}}, Case{12, 4, 2, 40, 1, {0.01, 200, 0.3}},
                                         Case{40, 1, 2, 10, 0.1, {0.5, 5, 0.9}}, Case{15, 15, 2, 6, 2, {0.1, 50, 0.5}},
                                         Case{25, 6, 2, 9, 1, {0.05, 10, 1}}, Case{25, 6, 2, 9, 1, {0.05, 10, 0}},
                                         Case{30, 8, 4, 12, 500, {1, 100, 0.2}}, Case{20, 3, 1, 5, 1, {0.1, 1, 0.5}}));

// 2 (Y - HW) + 2 tau (1 - mu) L Y + 2 tau mu J (Y - Y~) = 0
TEST_P(S3elm, YStepIsStationary) {
  const arma::mat HW = p.H * some_weights();

  const arma::mat Y = system_of(p, by).project(HW);

  const arma::mat gradient =
      2 * (Y - HW) + 2 * by.tau * (1 - by.mu) * p.L * Y + 2 * by.tau * by.mu * p.J() * (Y - p.targets());
  EXPECT_LE(frobenius(gradient), allowed() * (frobenius(HW) + by.tau * by.mu * frobenius(p.labels)));
}

TEST_P(S3elm, YStepIsTheMinimumByFiniteDifferences) {
  const arma::mat W = some_weights(), Y = system_of(p, by).project(p.H * W);
  const auto in_Y = [&](const arma::vec& y) {
    return static_cast<long double>(G(p, p.H, by, W, arma::reshape(y, p.N(), p.C())));
  };

  // differences of numbers of size G over 2e-5
  EXPECT_LE(arma::abs(central_differences(in_Y, arma::vectorise(Y))).max(),
            tolerance(p.N(), 1) * G(p, p.H, by, W, Y) / 1e-5);
  EXPECT_GT(arma::abs(central_differences(in_Y, arma::vectorise(Y) + 1e-2)).max(), 1e-3);
}

TEST_P(S3elm, MinimumIsTheObjectiveOfTheYStep) {
  for (const bool whole : {true, false}) {
    const arma::mat Q = whole ? eye_of(p) : basis.Q, W = some_weights();
    const LabelSystem system = system_of(p, Q, by);
    const arma::mat V = Q.t() * p.H * W, Y = labels_by_definition(p, by, p.H * W), Z = system.project(V);
    const double exact = G(p, p.H, by, W, Y) - by.lambda * norm21(W);

    EXPECT_LE(frobenius(Z - Q.t() * Y), allowed() * (frobenius(V) + frobenius(p.labels)));
    EXPECT_NEAR(system.minimum(V, Z), exact,
                allowed() * (arma::dot(V, V) + by.tau * by.mu * arma::dot(p.labels, p.labels)));
    EXPECT_TRUE(identical(system.K, arma::mat(system.K.t())));
  }
}

// d/dW of the minimum over Y is 2 H'(HW - Y) (the derivative of Y does not matter), and lambda w_i / ||w_i|| of the
// norms.
TEST_P(S3elm, GradientInTheWeightsByFiniteDifferences) {
  const LabelSystem system = system_of(p, basis.Q, by);
  const arma::mat W = some_weights(), Y = labels_by_definition(p, by, p.H * W);
  const auto in_W = [&](const arma::vec& w) {
    const arma::mat V = basis.Bt.t() * arma::reshape(w, W.n_rows, W.n_cols);
    return static_cast<long double>(system.minimum(V, system.project(V)) +
                                    by.lambda * norm21(arma::reshape(w, W.n_rows, W.n_cols)));
  };

  const arma::vec exact = arma::vectorise(2 * p.H.t() * (p.H * W - Y) + by.lambda * weighted_rows(W));
  // rounding of the terms over 1e-5; the third derivative of the norms is at most lambda / ||w||^2
  const double rounding = allowed() * (arma::accu(arma::square(p.H * W)) + by.tau * by.mu) / 1e-5;
  EXPECT_LE(arma::abs(central_differences(in_W, arma::vectorise(W)) - exact).max(), rounding + 1e-7);
  EXPECT_LT(rounding, 0.01 * arma::abs(exact).max()) << "the bound is below what it bounds";
}

/// Y steps by definition, W steps of JointSparse; what G is after each.
TEST_P(S3elm, NeitherStepIncreasesTheObjective) {
  const LabelSystem system = system_of(p, basis.Q, by);
  JointSparse weights(basis.Bt, labelled_start(p), by.lambda, WeightSolver::automatic);
  double before = arma::datum::inf;
  for (int t = 0; t < 40 && !weights.active().is_empty(); ++t) {
    arma::mat H = p.H.cols(weights.active());
    const arma::mat Y = labels_by_definition(p, by, H * weights.W());
    const double after_Y = G(p, H, by, weights.W(), Y);
    ASSERT_EQ(weights.step(system.project(weights.V())), Status::ok);
    const double after_W = G(p, H, by, weights.W(), Y);
    weights.prune(1e-5);
    H = arma::mat(p.H.cols(weights.active()));
    const double pruned = G(p, H, by, weights.W(), Y);

    EXPECT_LE(after_Y, before * (1 + 1e-10)) << t;
    EXPECT_LE(after_W, after_Y * (1 + 1e-10)) << t;
    EXPECT_LE(pruned, after_W * (1 + 1e-6)) << t;
    before = pruned;
  }
}

TEST_P(S3elm, TrainingIsTheIterationByDefinition) {
  const arma::mat W0 = labelled_start(p);
  arma::mat W = W0;
  for (int t = 0; t < 3; ++t) {
    const arma::mat Y = labels_by_definition(p, by, p.H * W);
    arma::vec u(W.n_rows);
    for (uword i = 0; i < W.n_rows; ++i) u(i) = 1 / (2 * arma::norm(W.row(i)));
    W = arma::solve(p.H.t() * p.H + by.lambda * arma::diagmat(u), p.H.t() * Y);
  }
  S3elmFit fit;

  const S3elmOptions options{.lambda = by.lambda, .epsilon = 0, .iterations = 3, .prune_below = 0};
  ASSERT_EQ(train_s3elm(system_of(p, basis.Q, by), basis.Bt, W0, options, fit), Status::ok);

  EXPECT_LE(relative_difference(fit.W, W), 1e-7) << "(27) has a condition number of up to 1e8";
  EXPECT_EQ(fit.iterations, 3u);
  EXPECT_EQ(fit.objective.size(), 4u);
  EXPECT_LE(fit.rise, 1e-10);
}

// 2 h_i'(HW - Y) + lambda w_i / ||w_i|| = 0 at the end, Y of the weights at the end.
TEST_P(S3elm, ActiveRowsAreStationaryAtConvergence) {
  if (by.mu == 0) GTEST_SKIP() << "the minimum is 0";
  S3elmFit fit;
  const S3elmOptions options{.lambda = by.lambda, .epsilon = 1e-22, .iterations = 100000, .prune_below = 1e-4};

  ASSERT_EQ(train_s3elm(system_of(p, basis.Q, by), basis.Bt, labelled_start(p), options, fit), Status::ok);

  EXPECT_LT(fit.iterations, options.iterations);
  const arma::mat H = p.H.cols(fit.active), Y = labels_by_definition(p, by, H * fit.W);
  const arma::mat gradient = 2 * H.t() * (H * fit.W - Y) + by.lambda * weighted_rows(fit.W);
  EXPECT_LE(arma::abs(gradient).max(), 1e-5 * by.lambda);
}

// The variant (29), by its own definition.
TEST_P(S3elm, ConstrainedTrainingIsItsIterationByDefinition) {
  const double a = by.tau * (1 - by.mu), b = by.tau * by.mu;
  if (by.mu == 0) GTEST_SKIP() << "one step leads to 0";
  const arma::mat W0 = some_weights(), T = a * p.H.t() * p.L * p.H + b * p.H.t() * p.J() * p.H;
  arma::mat W = W0;
  std::vector<double> objective;
  for (int t = 0; t < 3; ++t) {
    objective.push_back(by.lambda * norm21(W) + a * arma::trace(W.t() * p.H.t() * p.L * p.H * W) +
                        b * arma::accu(arma::square(p.J() * (p.H * W - p.targets()))));
    arma::vec u(W.n_rows);
    for (uword i = 0; i < W.n_rows; ++i) u(i) = 1 / (2 * arma::norm(W.row(i)));
    W = arma::solve(T + by.lambda * arma::diagmat(u), b * p.H.t() * p.targets());
  }
  S3elmFit fit;

  const S3elmOptions options{.lambda = by.lambda, .epsilon = 0, .iterations = 3, .prune_below = 0};
  ASSERT_EQ(train_s3elm(constrained_of(p, basis.Q, by), basis.Bt, W0, options, fit), Status::ok);

  EXPECT_LE(relative_difference(fit.W, W), 1e-7) << "as above";
  objective.push_back(by.lambda * norm21(W) + a * arma::trace(W.t() * p.H.t() * p.L * p.H * W) +
                      b * arma::accu(arma::square(p.J() * (p.H * W - p.targets()))));
  ASSERT_EQ(fit.objective.size(), 4u);
  for (std::size_t t = 0; t <= 3; ++t) EXPECT_NEAR(fit.objective[t], objective[t], 1e-9 * (1 + objective[0])) << t;
}

// Limits.

TEST(S3elmLimits, AtMuOneTheGraphIsGone) {
  const SemiSupervisedProblem p = random_problem(20, 5, 2, 8, 1, 23);
  const arma::mat HW = p.H * normal_matrix(8, 2, 23, 10);

  const arma::mat Y = system_of(p, {0.1, 30, 1}).project(HW);

  arma::mat exact = HW;
  exact.head_rows(5) = (HW.head_rows(5) + 30 * p.labels) / 31;
  EXPECT_LE(relative_difference(Y, exact), 31 * tolerance(20, 8));
}

TEST(S3elmLimits, AtMuZeroTheLabelsAreGone) {
  const SemiSupervisedProblem p = random_problem(20, 5, 2, 8, 1, 23);
  const arma::mat HW = p.H * normal_matrix(8, 2, 23, 10);
  const LabelSystem system = system_of(p, {0.1, 30, 0});

  EXPECT_LE(relative_difference(system.project(HW), arma::mat(arma::solve(eye_of(p) + 30 * p.L, HW))),
            1e3 * tolerance(20, 8))
      << "condition number of M";
  EXPECT_EQ(arma::abs(system.F).max(), 0);
  EXPECT_EQ(system.constant, 0);
}

// The smaller mu, the larger theta_max / theta_2: errors of order 1 / tau.
TEST(S3elmLimits, AtLargeTauLabelsArePropagated) {
  for (const double mu : {0.2, 0.8}) {
    const SemiSupervisedProblem p = random_problem(20, 6, 3, 8, 0.5, 23);
    const arma::mat HW = p.H * normal_matrix(8, 3, 23, 10);
    const arma::mat F = arma::solve((1 - mu) * p.L + mu * p.J(), mu * p.targets());

    const arma::mat far = system_of(p, {0.1, 1e4, mu}).project(HW), farther = system_of(p, {0.1, 1e6, mu}).project(HW);

    EXPECT_LE(relative_difference(far, F), 1e-2);
    EXPECT_LE(relative_difference(farther, F), 1e-4);
    EXPECT_GE(farther.min(), -1e-4);
    EXPECT_LE(farther.max(), 1 + 1e-4);
    EXPECT_LE(arma::abs(arma::sum(farther, 1) - 1).max(), 1e-4);
  }
}

TEST(S3elmLimits, AtSmallLambdaWeightsAreLeastSquares) {
  const SemiSupervisedProblem p = random_problem(40, 6, 2, 5, 1, 23);
  const RangeBasis basis = basis_of(p.H);
  const Weighting by{1e-10, 10, 0.5};
  const arma::mat W0 = normal_matrix(5, 2, 23, 10), Y = labels_by_definition(p, by, p.H * W0);
  S3elmFit fit;

  ASSERT_EQ(train_s3elm(system_of(p, basis.Q, by), basis.Bt, W0, {.lambda = by.lambda, .iterations = 1}, fit),
            Status::ok);

  EXPECT_LE(ridge_backward_error(p.H, Y, 0, fit.W), by.lambda);
}

TEST(S3elmLimits, AtLargeLambdaAllNodesGo) {
  const SemiSupervisedProblem p = random_problem(30, 6, 2, 8, 1, 23);
  const RangeBasis basis = basis_of(p.H);
  S3elmFit fit;

  EXPECT_EQ(train_s3elm(system_of(p, basis.Q, {1e4, 20, 0.5}), basis.Bt, labelled_start(p), {.lambda = 1e4}, fit),
            Status::all_pruned);
  EXPECT_EQ(train_s3elm(constrained_of(p, basis.Q, {1e4, 20, 0.5}), basis.Bt, labelled_start(p), {.lambda = 1e4}, fit),
            Status::all_pruned);
}

// tau = 0: nothing but the penalty is left of the constrained variant.
TEST(S3elmLimits, WithoutLabelsAndGraphAllNodesGo) {
  const SemiSupervisedProblem p = random_problem(30, 6, 2, 8, 1, 23);
  const RangeBasis basis = basis_of(p.H);
  S3elmFit fit;

  EXPECT_EQ(train_s3elm(constrained_of(p, basis.Q, {0.1, 0, 0.5}), basis.Bt, labelled_start(p), {.lambda = 0.1}, fit),
            Status::all_pruned);
}

// Symmetries.

struct Trained {
  arma::mat W;
  arma::uvec active;
};

Trained trained(const SemiSupervisedProblem& p) {
  const RangeBasis basis = basis_of(p.H);
  const Weighting by{1, 20, 0.5};
  S3elmFit fit;
  EXPECT_EQ(
      train_s3elm(system_of(p, basis.Q, by), basis.Bt, labelled_start(p), {.lambda = by.lambda, .iterations = 60}, fit),
      Status::ok);
  return {fit.W, fit.active};
}

TEST(S3elmSymmetry, OtherNumbersOfTheClassesPermuteTheColumns) {
  const SemiSupervisedProblem p = random_problem(30, 6, 3, 8, 1, 23);
  const arma::uvec order{2, 0, 1};
  SemiSupervisedProblem other = p;
  other.labels = arma::mat(p.labels.cols(order));

  const Trained one = trained(p), two = trained(other);

  EXPECT_TRUE(identical(one.active, two.active));
  EXPECT_LT(one.active.n_elem, 8u) << "some were pruned";
  EXPECT_LE(relative_difference(two.W, arma::mat(one.W.cols(order))), 1e-9) << "60 steps of condition number 1e4";
}

TEST(S3elmSymmetry, AnotherOrderOfTheUnlabelledPermutesY) {
  const SemiSupervisedProblem p = random_problem(30, 6, 3, 8, 1, 23);
  arma::uvec order = arma::regspace<arma::uvec>(0, 29);
  order.tail(24) = arma::reverse(order.tail(24));
  const SemiSupervisedProblem other{p.H.rows(order), p.L.submat(order, order), p.labels};

  const Trained one = trained(p), two = trained(other);
  const arma::mat HW = p.H * normal_matrix(8, 3, 23, 10);

  EXPECT_TRUE(identical(one.active, two.active));
  EXPECT_LE(relative_difference(two.W, one.W), 1e-9);
  EXPECT_LE(relative_difference(system_of(other, {0.3, 20, 0.5}).project(HW.rows(order)),
                                arma::mat(system_of(p, {0.3, 20, 0.5}).project(HW).rows(order))),
            1e-10);
}

// The k largest rows, fitted again to the last Y.
TEST(S3elmKeep, FitsTheLargestRowsToY) {
  const SemiSupervisedProblem p = random_problem(30, 6, 3, 8, 1, 23);
  const RangeBasis basis = basis_of(p.H);
  const Weighting by{0.01, 20, 0.5};
  const LabelSystem system = system_of(p, basis.Q, by);
  const auto fitted = [&](std::size_t iterations, uword keep) {
    S3elmFit fit;
    EXPECT_EQ(
        train_s3elm(system, basis.Bt, labelled_start(p),
                    {.lambda = by.lambda, .epsilon = 0, .iterations = iterations, .prune_below = 0, .keep = keep}, fit),
        Status::ok);
    return fit;
  };
  const S3elmFit before = fitted(6, 0), last = fitted(7, 0), kept = fitted(7, 3);

  const arma::uvec largest =
      arma::sort(arma::uvec(arma::sort_index(arma::sum(arma::square(last.W), 1), "descend")).head(3));
  const arma::mat Y = labels_by_definition(p, by, p.H * before.W);
  EXPECT_TRUE(identical(kept.active, largest));
  EXPECT_EQ(kept.iterations, 7u);
  EXPECT_LE(relative_difference(kept.W, arma::mat(arma::pinv(p.H.cols(largest)) * Y)), 1e-9);
  EXPECT_TRUE(identical(fitted(7, 8).W, last.W)) << "as many as there are";
  EXPECT_TRUE(identical(fitted(7, 9).W, last.W)) << "more than there are";
}

// By definition: G(W, Y) of the network that is returned, Y the labels that are best for it.
TEST(S3elmObjective, IsThatOfTheNetworkThatIsReturned) {
  const SemiSupervisedProblem p = random_problem(30, 6, 3, 8, 1, 23);
  const RangeBasis basis = basis_of(p.H);
  const Weighting by{0.1, 20, 0.5};
  for (const S3elmOptions& options :
       {S3elmOptions{.lambda = by.lambda, .iterations = 1}, S3elmOptions{.lambda = by.lambda, .iterations = 7},
        S3elmOptions{.lambda = by.lambda, .iterations = 4, .prune_below = 0.05},
        S3elmOptions{.lambda = by.lambda, .iterations = 5, .keep = 3}}) {
    S3elmFit fit;
    ASSERT_EQ(train_s3elm(system_of(p, basis.Q, by), basis.Bt, labelled_start(p), options, fit), Status::ok);
    const arma::mat H = p.H.cols(fit.active);
    const double objective = G(p, H, by, fit.W, labels_by_definition(p, by, H * fit.W));

    EXPECT_EQ(fit.objective.size(), fit.iterations + 1);
    EXPECT_NEAR(fit.objective.back(), objective, 1e-10 * objective) << options.iterations;
  }
}

TEST(S3elmKeep, OfTheConstrainedVariantFitsToo) {
  const SemiSupervisedProblem p = random_problem(30, 6, 2, 8, 1, 23);
  const RangeBasis basis = basis_of(p.H);
  const Weighting by{0.01, 20, 0.5};
  S3elmFit fit;

  ASSERT_EQ(
      train_s3elm(constrained_of(p, basis.Q, by), basis.Bt, labelled_start(p), {.lambda = by.lambda, .keep = 3}, fit),
      Status::ok);

  // minimum of the objective without its penalty over the rows kept
  const arma::mat H = p.H.cols(fit.active), A = 10 * H.t() * p.L * H + 10 * H.t() * p.J() * H,
                  b = 10 * H.t() * p.targets();
  EXPECT_EQ(fit.active.n_elem, 3u);
  EXPECT_LE(relative_difference(fit.W, arma::mat(arma::solve(A, b))), 1e-8) << "condition number of A";
}

// Ends.

TEST(S3elmEnds, WhereTheWeightsHaveSettledOrTheIterationsRunOut) {
  const SemiSupervisedProblem p = random_problem(30, 6, 2, 8, 1, 23);
  const RangeBasis basis = basis_of(p.H);
  const LabelSystem system = system_of(p, basis.Q, {0.1, 20, 0.5});
  const auto steps = [&](double epsilon, std::size_t most) {
    S3elmFit fit;
    EXPECT_EQ(
        train_s3elm(system, basis.Bt, labelled_start(p), {.lambda = 0.1, .epsilon = epsilon, .iterations = most}, fit),
        Status::ok);
    return fit.iterations;
  };
  std::vector<double> changes;
  JointSparse weights(basis.Bt, labelled_start(p), 0.1, WeightSolver::automatic);
  for (int t = 0; t < 12; ++t) {
    ASSERT_EQ(weights.step(system.project(weights.V())), Status::ok);
    weights.prune(1e-5);
    changes.push_back(weights.change());
  }
  ASSERT_TRUE(std::is_sorted(changes.rbegin(), changes.rend())) << "each is smaller than the one before";

  EXPECT_EQ(steps(changes[9] * (1 + 1e-9), 200), 10u);
  EXPECT_EQ(steps(changes[9] * (1 - 1e-6), 200), 11u);
  EXPECT_EQ(steps(0, 7), 7u);
  EXPECT_EQ(steps(arma::datum::inf, 200), 1u);
}

TEST(S3elmEnds, WithoutAThresholdNothingIsPruned) {
  const SemiSupervisedProblem p = random_problem(30, 6, 2, 8, 1, 23);
  const RangeBasis basis = basis_of(p.H);
  arma::mat W0 = labelled_start(p);
  W0.row(3).zeros();
  S3elmFit all, fewer;

  ASSERT_EQ(train_s3elm(system_of(p, basis.Q, {0.1, 20, 0.5}), basis.Bt, W0, {.lambda = 0.1, .prune_below = 0}, all),
            Status::ok);
  ASSERT_EQ(
      train_s3elm(system_of(p, basis.Q, {0.1, 20, 0.5}), basis.Bt, W0, {.lambda = 0.1, .prune_below = 1e-12}, fewer),
      Status::ok);

  EXPECT_EQ(all.active.n_elem, 8u);
  EXPECT_EQ(arma::abs(all.W.row(3)).max(), 0);
  EXPECT_EQ(fewer.active.n_elem, 7u);
  EXPECT_FALSE(arma::any(fewer.active == 3));
}

// Failures. A positive semidefinite K of whatever size makes -<V, KV> concave, and the W step then descends: only a
// system that is none, or whose projection and minimum contradict each other, can rise. A large threshold takes nodes
// that matter: the objective rises by what they had, and that is no failure.
TEST(S3elmPruning, MayRaiseTheObjectiveByWhatItTakes) {
  double highest = 0;
  for (const std::uint32_t seed : {31, 32, 33, 34}) {
    const SemiSupervisedProblem p = random_problem(40, 8, 2, 15, 1, seed);
    const RangeBasis basis = basis_of(p.H);
    S3elmFit fit;

    EXPECT_EQ(train_s3elm(system_of(p, basis.Q, {1e-6, 20, 0.5}), basis.Bt, labelled_start(p),
                          {.lambda = 1e-6, .prune_below = 0.3}, fit),
              Status::ok);

    EXPECT_LT(fit.active.n_elem, 15);
    highest = std::max(highest, fit.rise);
  }
  EXPECT_GT(highest, 1e-6) << "none of them mattered";
}

TEST(S3elmFailures, AWrongSystemDoesNotDecrease) {
  const SemiSupervisedProblem p = random_problem(30, 6, 2, 8, 1, 23);
  const RangeBasis basis = basis_of(p.H);
  const LabelSystem right = system_of(p, basis.Q, {1e-3, 20, 0.5});
  LabelSystem negative = right, lopsided = right;
  negative.K *= -4;
  lopsided.K += 3 * (arma::trimatu(arma::mat(arma::size(right.K), arma::fill::ones)) -
                     arma::trimatl(arma::mat(arma::size(right.K), arma::fill::ones)));
  S3elmFit fit;

  EXPECT_EQ(train_s3elm(right, basis.Bt, labelled_start(p), {.lambda = 1e-3}, fit), Status::ok);
  EXPECT_EQ(train_s3elm(negative, basis.Bt, labelled_start(p), {.lambda = 1e-3}, fit), Status::not_decreasing);
  EXPECT_GT(fit.rise, 1e-6);
  EXPECT_EQ(train_s3elm(lopsided, basis.Bt, labelled_start(p), {.lambda = 1e-3}, fit), Status::not_decreasing);
}

// Begun at the minimum, a projection that is slightly wrong leads away from it.
TEST(S3elmFailures, ASlightlyWrongProjectionDoesNotDecrease) {
  const SemiSupervisedProblem p = random_problem(30, 6, 2, 8, 1, 23);
  const RangeBasis basis = basis_of(p.H);
  LabelSystem system = system_of(p, basis.Q, {1e-3, 20, 0.5});
  S3elmFit right, wrong;
  ASSERT_EQ(train_s3elm(system, basis.Bt, labelled_start(p),
                        {.lambda = 1e-3, .epsilon = 1e-12, .iterations = 5000, .prune_below = 0}, right),
            Status::ok);
  const arma::mat ones(arma::size(system.K), arma::fill::ones);
  system.K += 0.02 * (arma::trimatu(ones) - arma::trimatl(ones));

  EXPECT_EQ(train_s3elm(system, basis.Bt, right.W, {.lambda = 1e-3}, wrong), Status::not_decreasing);
  EXPECT_GT(wrong.rise, 1e-6);
  EXPECT_LT(wrong.rise, 1e-2);
}

TEST(S3elmFailures, NumbersThatAreNoneAreSeen) {
  const SemiSupervisedProblem p = random_problem(30, 6, 2, 8, 1, 23);
  const RangeBasis basis = basis_of(p.H);
  LabelSystem system = system_of(p, basis.Q, {0.1, 20, 0.5});
  arma::mat W0 = labelled_start(p);
  S3elmFit fit;

  system.F(0, 0) = arma::datum::nan;
  EXPECT_EQ(train_s3elm(system, basis.Bt, W0, {.lambda = 0.1}, fit), Status::not_finite);
  W0(0, 0) = arma::datum::nan;
  EXPECT_NE(train_s3elm(system_of(p, basis.Q, {0.1, 20, 0.5}), basis.Bt, W0, {.lambda = 0.1}, fit), Status::ok);
}

TEST(S3elmFailures, ASystemThatIsNotPositiveDefiniteIsRefused) {
  LabelSystem system;
  for (const double wrong : {-1.0, arma::datum::nan}) {
    arma::mat form(5, 5, arma::fill::eye);
    form(4, 4) = wrong;

    EXPECT_EQ(label_system(form, arma::mat(2, 2, arma::fill::eye), 10, system), Status::not_positive_definite);
  }
}

TEST(S3elmFailures, AConstrainedSystemThatIsNotFiniteIsRefused) {
  ConstrainedSystem system;
  arma::mat QtLQ(4, 4, arma::fill::eye);
  QtLQ(0, 2) = arma::datum::nan;

  EXPECT_EQ(constrained_system(QtLQ, arma::mat(2, 4, arma::fill::ones), arma::mat(2, 2, arma::fill::eye), 1, 1, system),
            Status::not_finite);
}

// Rounding eats lambda: one direction of size 1e15 in six nodes.
TEST(S3elmFailures, StepsThatBreakDownAreSeen) {
  const arma::mat Bt = arma::repmat(normal_matrix(1, 4, 4, 1), 6, 1) * 1e15, W0 = normal_matrix(6, 2, 4, 2);
  LabelSystem system;
  ASSERT_EQ(label_system(arma::eye(6, 6), arma::mat(2, 2, arma::fill::eye), 10, system), Status::ok);
  S3elmFit fit;

  EXPECT_EQ(train_s3elm(system, Bt, W0, {.lambda = 1e-10}, fit), Status::not_positive_definite);
}

TEST(S3elmFailures, WrongShapesAreRefused) {
  const SemiSupervisedProblem p = random_problem(30, 6, 2, 8, 1, 23);
  const RangeBasis basis = basis_of(p.H);
  LabelSystem system = system_of(p, basis.Q, {0.1, 20, 0.5});
  const ConstrainedSystem constrained = constrained_of(p, basis.Q, {0.1, 20, 0.5});
  const arma::mat W0 = labelled_start(p);
  S3elmFit fit;

  EXPECT_NE(
      thrown<std::logic_error>([&] { static_cast<void>(train_s3elm(system, basis.Bt.head_cols(7), W0, {}, fit)); }),
      "");
  EXPECT_NE(
      thrown<std::logic_error>([&] { static_cast<void>(train_s3elm(system, basis.Bt, W0.head_cols(1), {}, fit)); }),
      "");
  EXPECT_NE(thrown<std::logic_error>(
                [&] { static_cast<void>(train_s3elm(constrained, basis.Bt.head_cols(7), W0, {}, fit)); }),
            "");
  EXPECT_NE(thrown<std::logic_error>(
                [&] { static_cast<void>(train_s3elm(constrained, basis.Bt, W0.head_cols(1), {}, fit)); }),
            "");
  EXPECT_NE(thrown<std::logic_error>([&] { static_cast<void>(label_system(arma::eye(4, 5), p.labels, 1, system)); }),
            "");
  EXPECT_NE(thrown<std::logic_error>([&] { static_cast<void>(label_system(arma::eye(6, 6), p.labels, 1, system)); }),
            "");
}

}  // namespace
}  // namespace elmx
