#include "solvers/sparse/joint_sparse.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/problem.hpp"
#include "support/status.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

double norm21_by_loops(const arma::mat& W) {
  long double sum = 0;
  for (uword i = 0; i < W.n_rows; ++i) {
    long double squares = 0;
    for (const double w : arma::rowvec(W.row(i))) squares += static_cast<long double>(w) * w;
    sum += std::sqrt(squares);
  }
  return static_cast<double>(sum);
}

/// ||B W - Z||^2 + lambda ||W||_{2,1}
double objective(const arma::mat& Bt, const arma::mat& W, const arma::mat& Z, double lambda) {
  return arma::accu(arma::square(Bt.t() * W - Z)) + lambda * norm21_by_loops(W);
}

/// U = diag(1 / (2 ||w_i||)) (28)
arma::mat reweighting(const arma::mat& W) {
  arma::vec u(W.n_rows);
  for (uword i = 0; i < W.n_rows; ++i) u(i) = 1 / (2 * arma::norm(W.row(i)));
  return arma::diagmat(u);
}

/// (B'B + lambda U)^-1 B'Z (27)
arma::mat direct_step(const arma::mat& Bt, const arma::mat& W, const arma::mat& Z, double lambda) {
  return arma::solve(Bt * Bt.t() + lambda * reweighting(W), Bt * Z);
}

struct JointSparseCase {
  uword r, L, C;
  WeightSolver solver;
};

void PrintTo(const JointSparseCase& one, std::ostream* out) {
  *out << one.r << "x" << one.L << "x" << one.C
       << (one.solver == WeightSolver::gram   ? "_gram"
           : one.solver == WeightSolver::dual ? "_dual"
                                              : "_automatic");
}

class JointSparseTest : public testing::TestWithParam<JointSparseCase> {
 protected:
  arma::mat Bt() const { return normal_matrix(GetParam().L, GetParam().r, 4, 1); }
  arma::mat W() const { return normal_matrix(GetParam().L, GetParam().C, 4, 2); }
  arma::mat Z(std::uint32_t which = 0) const { return normal_matrix(GetParam().r, GetParam().C, 4, 3 + which); }
  JointSparse begin(double lambda) const { return {Bt(), W(), lambda, GetParam().solver}; }
};

INSTANTIATE_TEST_SUITE_P(
    Each, JointSparseTest,
    testing::Values(JointSparseCase{20, 8, 3, WeightSolver::gram}, JointSparseCase{20, 8, 3, WeightSolver::dual},
                    JointSparseCase{20, 8, 3, WeightSolver::automatic}, JointSparseCase{8, 20, 2, WeightSolver::gram},
                    JointSparseCase{8, 20, 2, WeightSolver::dual}, JointSparseCase{8, 20, 2, WeightSolver::automatic},
                    JointSparseCase{1, 1, 1, WeightSolver::gram}, JointSparseCase{1, 1, 1, WeightSolver::dual},
                    JointSparseCase{30, 30, 1, WeightSolver::gram}, JointSparseCase{30, 30, 1, WeightSolver::dual}));

// The target changes from step to step, as it does in S3ELM. cond(B'B + lambda U) is below 1e4 here.
TEST_P(JointSparseTest, StepIsTheDirectFormula) {
  JointSparse weights = begin(0.5);
  for (std::uint32_t t = 0; t < 4; ++t) {
    const arma::mat before = weights.W(), exact = direct_step(Bt(), before, Z(t), 0.5);

    ASSERT_EQ(weights.step(Z(t)), Status::ok);

    EXPECT_LE(relative_difference(weights.W(), exact), 1e-8) << t;
    EXPECT_NEAR(weights.change(), arma::accu(arma::square(exact - before)),
                1e-8 * arma::accu(arma::square(exact - before)))
        << t;
  }
  EXPECT_GT(relative_difference(weights.W(), direct_step(Bt(), weights.W(), Z(3), 0.5)), 1e-8)
      << "another weighting is told apart";
}

// B'(B W_new - Z) + lambda U W_new = 0, U from the weights before.
TEST_P(JointSparseTest, StepIsStationary) {
  JointSparse weights = begin(0.5);
  const arma::mat U = reweighting(W());

  ASSERT_EQ(weights.step(Z()), Status::ok);

  const arma::mat B = Bt().t();
  const double scale =
      frobenius(B) * (frobenius(B) * frobenius(weights.W()) + frobenius(Z())) + 0.5 * frobenius(U * weights.W());
  EXPECT_LE(frobenius(B.t() * (B * weights.W() - Z()) + 0.5 * U * weights.W()),
            100 * tolerance(GetParam().r, GetParam().L) * scale)
      << "scaled by D^1/2, whose entries differ by 10";
}

TEST_P(JointSparseTest, StepNeverIncreasesTheObjective) {
  for (const double lambda : {1e-4, 0.1, 10.0}) {
    JointSparse weights = begin(lambda);
    double before = objective(Bt(), W(), Z(), lambda);
    for (int t = 0; t < 30; ++t) {
      ASSERT_EQ(weights.step(Z()), Status::ok);
      const double now = objective(Bt(), weights.W(), Z(), lambda);
      EXPECT_LE(now, before * (1 + 1e-12) + 1e-12 * arma::dot(Z(), Z())) << lambda << " " << t;
      before = now;
    }
  }
}

// 2 b_i'(BW - Z) + lambda w_i / ||w_i|| = 0 where w_i is not near 0, at most lambda where it is.
TEST_P(JointSparseTest, ConvergesToAStationaryPoint) {
  JointSparse weights = begin(4);
  for (int t = 0; t < 20000; ++t) {
    ASSERT_EQ(weights.step(Z()), Status::ok);
    if (weights.change() == 0) break;
  }

  const arma::mat gradient = 2 * Bt() * (Bt().t() * weights.W() - Z());
  for (uword i = 0; i < GetParam().L; ++i) {
    const double norm = arma::norm(weights.W().row(i));
    if (norm > 1e-3)
      EXPECT_LE(arma::norm(gradient.row(i) + 4 * weights.W().row(i) / norm), 4e-3)
          << i << ": the last rows vanish like 1 / t";
    else
      EXPECT_LE(arma::norm(gradient.row(i)), 4 * 1.01) << i;
  }
}

TEST_P(JointSparseTest, ARowThatIsZeroStaysZero) {
  arma::mat start = W();
  start.row(GetParam().L / 2).zeros();
  JointSparse weights(Bt(), start, 0.5, GetParam().solver);
  for (int t = 0; t < 3; ++t) ASSERT_EQ(weights.step(Z()), Status::ok);

  EXPECT_EQ(arma::abs(weights.W().row(GetParam().L / 2)).max(), 0);
  if (GetParam().L > 1) {
    arma::mat Bt_rest = Bt(), rest = W();
    Bt_rest.shed_row(GetParam().L / 2);
    rest.shed_row(GetParam().L / 2);
    for (int t = 0; t < 3; ++t) rest = direct_step(Bt_rest, rest, Z(), 0.5);
    arma::mat others = weights.W();
    others.shed_row(GetParam().L / 2);
    EXPECT_LE(relative_difference(others, rest), 1e-8) << "as if it were not there";
  }
}

TEST_P(JointSparseTest, AfterPruningGoesOnAsIfOnlyTheOthersHadBeen) {
  if (GetParam().L < 8) GTEST_SKIP() << "nothing to prune";
  JointSparse weights = begin(0.5);
  ASSERT_EQ(weights.step(Z()), Status::ok);
  const arma::mat all = weights.W();
  const arma::vec norms = arma::sqrt(arma::sum(arma::square(all), 1));
  const double threshold = arma::vec(arma::sort(norms))(3);  // the fourth stays

  weights.prune(threshold * (1 - 1e-14));

  const arma::uvec expected = arma::find(norms > threshold * (1 - 1e-12));
  ASSERT_EQ(expected.n_elem, GetParam().L - 3);
  EXPECT_TRUE(identical(weights.active(), expected));
  EXPECT_TRUE(identical(weights.W(), arma::mat(all.rows(expected))));
  EXPECT_LE(relative_difference(weights.V(), arma::mat(Bt().rows(expected).t() * all.rows(expected))),
            tolerance(GetParam().r, GetParam().L));
  arma::mat exact = all.rows(expected);
  for (std::uint32_t t = 1; t < 3; ++t) {
    exact = direct_step(Bt().rows(expected), exact, Z(t), 0.5);
    ASSERT_EQ(weights.step(Z(t)), Status::ok);
  }
  EXPECT_LE(relative_difference(weights.W(), exact), 1e-8);

  // once more: numbers stay those of all nodes
  const arma::vec left = arma::sqrt(arma::sum(arma::square(weights.W()), 1));
  weights.prune(left.min() * (1 + 1e-12));
  arma::uvec fewer = expected;
  fewer.shed_row(left.index_min());
  EXPECT_TRUE(identical(weights.active(), fewer));
}

TEST_P(JointSparseTest, KeepsTheLargestInTheirOrderFittedAgain) {
  if (GetParam().L < 8) GTEST_SKIP();
  JointSparse weights = begin(0.5);
  const arma::vec norms = arma::sqrt(arma::sum(arma::square(W()), 1));

  ASSERT_EQ(weights.keep_largest(GetParam().L, Z()), Status::ok);
  EXPECT_EQ(weights.active().n_elem, GetParam().L);
  EXPECT_TRUE(identical(weights.W(), W())) << "nothing went";
  ASSERT_EQ(weights.keep_largest(3, Z()), Status::ok);

  const arma::uvec largest = arma::sort(arma::uvec(arma::sort_index(norms, "descend")).head(3));
  EXPECT_TRUE(identical(weights.active(), largest));
  const arma::mat fitted = arma::pinv(arma::mat(Bt().rows(largest)).t()) * Z();
  EXPECT_LE(relative_difference(weights.W(), fitted), 1e-8);
  const arma::mat exact = direct_step(Bt().rows(largest), fitted, Z(), 0.5);
  ASSERT_EQ(weights.step(Z()), Status::ok);
  EXPECT_LE(relative_difference(weights.W(), exact), 1e-7);
}

TEST_P(JointSparseTest, CompressesToTheRangeOfTheNodesThatAreLeft) {
  if (GetParam().L < 8 || GetParam().r < 3) GTEST_SKIP();
  JointSparse weights = begin(0.5), plain = begin(0.5);
  const arma::vec norms = arma::sort(arma::vec(arma::sqrt(arma::sum(arma::square(W()), 1))), "descend");
  weights.prune(norms(2));
  plain.prune(norms(2));
  ASSERT_EQ(weights.active().n_elem, 3);

  const arma::mat P = weights.compress();

  ASSERT_EQ(P.n_rows, GetParam().r);
  ASSERT_EQ(P.n_cols, 3);
  EXPECT_LE(frobenius(P.t() * P - arma::eye(3, 3)), tolerance(GetParam().r, 3));
  EXPECT_LE(relative_difference(arma::mat(P * weights.V()), plain.V()), 1e-10);
  ASSERT_EQ(weights.step(P.t() * Z()), Status::ok);
  ASSERT_EQ(plain.step(Z()), Status::ok);
  EXPECT_LE(relative_difference(weights.W(), plain.W()), 1e-8);
}

// B'B handed over is used for whichever nodes are left.
TEST_P(JointSparseTest, StepsByAGramMatrixOfAllNodes) {
  const arma::mat gram = Bt() * Bt().t();
  JointSparse weights(Bt(), W(), 0.5, WeightSolver::gram, &gram);
  const arma::vec norms = arma::sort(arma::vec(arma::sqrt(arma::sum(arma::square(W()), 1))));
  weights.prune(norms(norms.n_elem / 3));
  const arma::uvec left = weights.active();
  const arma::mat exact = direct_step(Bt().rows(left), W().rows(left), Z(), 0.5);

  ASSERT_EQ(weights.step(Z()), Status::ok);

  EXPECT_LE(relative_difference(weights.W(), exact), 1e-8);
}

TEST_P(JointSparseTest, KnowsItsProductAndNorm) {
  const JointSparse weights = begin(0.5);

  EXPECT_LE(relative_difference(weights.V(), arma::mat(Bt().t() * W())), tolerance(GetParam().r, GetParam().L));
  EXPECT_NEAR(weights.norm21(), norm21_by_loops(W()), tolerance(GetParam().L, 1) * weights.norm21());
  EXPECT_TRUE(identical(weights.active(), arma::uvec(arma::regspace<arma::uvec>(0, GetParam().L - 1))));
}

TEST_P(JointSparseTest, LeavesTheWeightsWhereItFails) {
  JointSparse weights = begin(0.5);
  arma::mat wrong = Z();
  wrong(0, 0) = arma::datum::nan;

  EXPECT_EQ(weights.step(wrong), Status::not_finite);
  EXPECT_TRUE(identical(weights.W(), W()));
}

// D^1/2 B'B D^1/2 of order 1e40 and of rank 1: rounding has eaten lambda.
TEST(JointSparse, SaysWhereRoundingHasEatenLambda) {
  const arma::mat Bt = arma::repmat(normal_matrix(1, 4, 4, 1), 6, 1) * 1e15, W = normal_matrix(6, 2, 4, 2),
                  Z = normal_matrix(4, 2, 4, 3);
  for (const WeightSolver solver : {WeightSolver::gram, WeightSolver::dual}) {
    JointSparse weights(Bt, W, 1e-10, solver);

    EXPECT_EQ(weights.step(Z), Status::not_positive_definite);
    EXPECT_TRUE(identical(weights.W(), W));
  }
}

TEST(JointSparse, PrunesBelowTheThresholdOnly) {
  JointSparse weights(normal_matrix(4, 3, 4, 1), arma::mat{{3, 4}, {0, 0.5}, {0, 0}, {-1, 0}}, 0.5, WeightSolver::gram);

  weights.prune(0.5);
  EXPECT_TRUE(identical(weights.active(), arma::uvec{0, 1, 3})) << "0.5 is not below 0.5";
  weights.prune(1.5);
  EXPECT_TRUE(identical(weights.active(), arma::uvec{0}));
  weights.prune(6);
  EXPECT_TRUE(weights.active().is_empty());
  EXPECT_EQ(weights.norm21(), 0);
}

TEST(JointSparse, OfEquallyLargeRowsKeepsTheFirst) {
  JointSparse weights(normal_matrix(5, 3, 4, 1), arma::vec{1, -2, 2, 1, -1}, 0.5, WeightSolver::gram);

  ASSERT_EQ(weights.keep_largest(3, normal_matrix(3, 1, 4, 2)), Status::ok);

  EXPECT_TRUE(identical(weights.active(), arma::uvec{0, 1, 2}));
}

// s^3 / 3 < r^2 s + r^3 / 3 up to s = 1.88 r: the same bits as the one that is cheaper.
TEST(JointSparse, AutomaticTakesWhatIsCheaper) {
  for (const uword s : {4, 18, 19, 40}) {
    const arma::mat Bt = normal_matrix(s, 10, 4, 1), W = normal_matrix(s, 2, 4, 2), Z = normal_matrix(10, 2, 4, 3);
    JointSparse automatic(Bt, W, 0.5, WeightSolver::automatic), gram(Bt, W, 0.5, WeightSolver::gram),
        dual(Bt, W, 0.5, WeightSolver::dual);

    for (JointSparse* one : {&automatic, &gram, &dual}) ASSERT_EQ(one->step(Z), Status::ok);

    EXPECT_FALSE(identical(gram.W(), dual.W()));
    EXPECT_TRUE(identical(automatic.W(), s <= 18 ? gram.W() : dual.W())) << s;
  }
}

TEST(JointSparse, RefusesWrongShapesAndNoPenalty) {
  const arma::mat Bt = normal_matrix(4, 3, 4, 1), W = normal_matrix(4, 2, 4, 2);

  EXPECT_NE(thrown<std::logic_error>([&] { JointSparse(Bt, W.head_rows(3), 1, WeightSolver::gram); }), "");
  EXPECT_NE(thrown<std::logic_error>([&] { JointSparse(Bt, W, 0, WeightSolver::gram); }), "");
}

}  // namespace
}  // namespace elmx
