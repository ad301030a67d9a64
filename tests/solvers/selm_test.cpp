#include <gtest/gtest.h>

#include "solvers/sparse/s3elm.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/semi_supervised.hpp"
#include "support/status.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

RangeBasis basis_of(const arma::mat& H, double least = 1e-14) {
  RangeBasis basis;
  EXPECT_EQ(range_basis(H, least, basis), Status::ok);
  return basis;
}

arma::uvec first(uword n) { return arma::regspace<arma::uvec>(0, n - 1); }

arma::mat approximate(const SemiSupervisedProblem& p, double lambda) {
  const RangeBasis basis = basis_of(p.H);
  const MinimumNormLift lift(basis.Bt);
  arma::mat W;
  EXPECT_EQ(ApproximateSelm(basis, lift, p.L * basis.Q, first(p.n()), p.labels).solve(lambda, W), Status::ok);
  return W;
}

arma::mat exact(const SemiSupervisedProblem& p, double lambda) {
  const RangeBasis basis = basis_of(p.H);
  arma::mat W;
  EXPECT_EQ(exact_selm(basis, basis.Q.t() * p.L * basis.Q, basis.Q.head_rows(p.n()), p.labels, lambda, W), Status::ok);
  return W;
}

/// The same graph, with a hidden matrix of singular values from 1 to 1 / cond.
SemiSupervisedProblem conditioned(uword N, uword n, uword L, double cond) {
  SemiSupervisedProblem p = random_problem(N, n, 2, 1, 1, 31);
  p.H = make_problem(N, L, 1, cond, 31).H;
  return p;
}

TEST(Selm, AgreesWithStoredValues) {
  const StoredValues golden("solvers", "s3elm_selm");
  const double lambda = golden.input["lambda"].get<double>();
  const SemiSupervisedProblem few = problem_of(golden.input, golden.input["nodes"]["L_lt_N"]),
                              many = problem_of(golden.input, golden.input["nodes"]["L_ge_N"]);
  StoredValues loose = golden;
  loose.rtol = 1e-4;  // rtol_W_exact_L_ge_N of the file: the pseudo-inverse of the squared matrix

  EXPECT_TRUE(golden.agrees(approximate(few, lambda), matrix_from(golden.expected["L_lt_N"]["W_approx"])));
  EXPECT_TRUE(golden.agrees(exact(few, lambda), matrix_from(golden.expected["L_lt_N"]["W_exact"])));
  EXPECT_TRUE(golden.agrees(approximate(many, lambda), matrix_from(golden.expected["L_ge_N"]["W_approx"])));
  EXPECT_TRUE(loose.agrees(exact(many, lambda), matrix_from(golden.expected["L_ge_N"]["W_exact"])));
  EXPECT_FALSE(golden.agrees(approximate(few, lambda), matrix_from(golden.expected["L_lt_N"]["W_exact"])));
  EXPECT_FALSE(
      golden.agrees(approximate(few, lambda * (1 + 1e-6)), matrix_from(golden.expected["L_lt_N"]["W_approx"])));
  EXPECT_FALSE(golden.agrees(exact(few, lambda * (1 + 1e-6)), matrix_from(golden.expected["L_lt_N"]["W_exact"])));
}

struct SelmCase {
  uword N, n, L;
};

void PrintTo(const SelmCase& one, std::ostream* out) { *out << one.N << "_" << one.n << "_" << one.L; }

class SelmTest : public testing::TestWithParam<SelmCase> {
 protected:
  SemiSupervisedProblem p = conditioned(GetParam().N, GetParam().n, GetParam().L, 10);
};

// Fewer nodes than samples, as many, more, one; one label, all samples labelled, fewer unlabelled samples
// than nodes.
INSTANTIATE_TEST_SUITE_P(Shapes, SelmTest,
                         testing::Values(SelmCase{30, 6, 8}, SelmCase{12, 4, 12}, SelmCase{12, 4, 40},
                                         SelmCase{20, 1, 5}, SelmCase{15, 15, 6}, SelmCase{15, 12, 6},
                                         SelmCase{15, 6, 1}));

// cond(J + lambda L) grows like 1 / lambda.
TEST_P(SelmTest, ApproximateIsThePseudoInverse) {
  const RangeBasis basis = basis_of(p.H);
  const MinimumNormLift lift(basis.Bt);
  const ApproximateSelm selm(basis, lift, p.L * basis.Q, first(p.n()), p.labels);
  for (const double lambda : {0.1, 0.5, 0.9, 7.0}) {
    arma::mat W;
    ASSERT_EQ(selm.solve(lambda, W), Status::ok);

    EXPECT_LE(relative_difference(W, arma::mat(arma::pinv((p.J() + lambda * p.L) * p.H) * p.targets())), 1e-9)
        << lambda;
  }
}

// H'(J + lambda L) H W = H'J Y~, and W has no part in the null space of H.
TEST_P(SelmTest, ExactSatisfiesItsNormalEquations) {
  for (const double lambda : {0.1, 0.9}) {
    const arma::mat W = exact(p, lambda), A = p.H.t() * (p.J() + lambda * p.L) * p.H;

    EXPECT_LE(frobenius(A * W - p.H.t() * p.targets()),
              10 * tolerance(p.N(), p.H.n_cols) * (frobenius(A) * frobenius(W) + frobenius(p.labels)))
        << lambda;
    const arma::mat rows = arma::orth(p.H.t(), 1e-8);
    EXPECT_LE(frobenius(W - rows * (rows.t() * W)), 100 * tolerance(p.N(), p.H.n_cols) * frobenius(W))
        << "cond(H) = 10, squared";
  }
}

TEST_P(SelmTest, BothPropagateLabelsWhereNodesAreAsManyAsSamples) {
  if (GetParam().L < GetParam().N) {
    EXPECT_GT(relative_difference(exact(p, 0.4), approximate(p, 0.4)), 1e-6) << "they differ";
    return;
  }
  const arma::mat F = arma::solve(p.J() + 0.4 * p.L, p.targets()), W = arma::pinv(p.H) * F;

  EXPECT_LE(relative_difference(approximate(p, 0.4), W), 1e-10);
  EXPECT_LE(relative_difference(exact(p, 0.4), W), 1e-9);
}

TEST(Selm, LabelledSamplesMayStandAnywhere) {
  const SemiSupervisedProblem p = conditioned(20, 5, 6, 10);
  const arma::uvec order{5, 0, 6, 7, 1, 8, 9, 10, 2, 11, 12, 13, 3, 14, 15, 16, 17, 18, 19, 4}, places{1, 4, 8, 12, 19};
  const RangeBasis basis = basis_of(p.H.rows(order));
  const MinimumNormLift lift(basis.Bt);
  arma::mat W;

  ASSERT_EQ(ApproximateSelm(basis, lift, p.L.submat(order, order) * basis.Q, places, p.labels).solve(0.3, W),
            Status::ok);

  EXPECT_LE(relative_difference(W, approximate(p, 0.3)), 1e-11);
}

// Columns of H that depend on others share the weight.
TEST(Selm, OfDependentNodesHasTheSmallestNorm) {
  SemiSupervisedProblem p = conditioned(25, 6, 7, 10);
  p.H = arma::join_rows(p.H, p.H.head_cols(3));
  const arma::mat A = (p.J() + 0.3 * p.L) * p.H, B = p.H.t() * A;

  // The stored threshold of range_basis is far above rounding here.
  const RangeBasis basis = basis_of(p.H, 1e-12);
  const MinimumNormLift lift(basis.Bt);
  arma::mat W, W_exact;
  ASSERT_EQ(basis.rank(), 7u);
  ASSERT_EQ(ApproximateSelm(basis, lift, p.L * basis.Q, first(6), p.labels).solve(0.3, W), Status::ok);
  ASSERT_EQ(exact_selm(basis, basis.Q.t() * p.L * basis.Q, basis.Q.head_rows(6), p.labels, 0.3, W_exact), Status::ok);

  EXPECT_LE(relative_difference(W, arma::mat(arma::pinv(A, 1e-10) * p.targets())), 1e-10);
  EXPECT_LE(relative_difference(W_exact, arma::mat(arma::pinv(B, 1e-10) * p.H.t() * p.targets())), 1e-9);
  EXPECT_LE(arma::abs(W.head_rows(3) - W.tail_rows(3)).max(), 1e-11 * arma::abs(W).max());
}

/// Two parts without an edge between them, labels in the first alone.
SemiSupervisedProblem in_two_parts(uword L) {
  SemiSupervisedProblem p = conditioned(16, 4, L, 5);
  arma::mat A = heat_by_definition(normal_matrix(16, 2, 31, 1), 1);
  A.submat(0, 8, 7, 15).zeros();
  A.submat(8, 0, 15, 7).zeros();
  p.L = laplacian_by_definition(A);
  return p;
}

// (J + lambda L) H has the null space of the second part wherever H reaches it, which it does for L >= N.
TEST(Selm, WithoutLabelsInAPartIsStillThePseudoInverse) {
  for (const uword L : {6, 16, 30}) {
    const SemiSupervisedProblem p = in_two_parts(L);
    const arma::mat A = (p.J() + 0.4 * p.L) * p.H;

    EXPECT_EQ(arma::rank(A, 1e-9), std::min<uword>(L, 15)) << "one dimension is lost where there are 16";
    EXPECT_LE(relative_difference(approximate(p, 0.4), arma::mat(arma::pinv(A, 1e-9) * p.targets())), 1e-9) << L;
    EXPECT_LE(relative_difference(exact(p, 0.4), arma::mat(arma::pinv(p.H.t() * A, 1e-9) * p.H.t() * p.targets())),
              1e-8)
        << L;
  }
}

TEST(Selm, NumbersThatAreNoneAreSeen) {
  const SemiSupervisedProblem p = conditioned(20, 5, 6, 10);
  const RangeBasis basis = basis_of(p.H);
  const MinimumNormLift lift(basis.Bt);
  arma::mat wrong_labels = p.labels, wrong_graph = p.L * basis.Q, wrong_form = basis.Q.t() * p.L * basis.Q, W;
  wrong_labels(1, 1) = wrong_graph(15, 3) = wrong_form(2, 3) = arma::datum::nan;

  EXPECT_EQ(ApproximateSelm(basis, lift, p.L * basis.Q, first(5), wrong_labels).solve(0.3, W), Status::not_finite);
  EXPECT_EQ(ApproximateSelm(basis, lift, wrong_graph, first(5), p.labels).solve(0.3, W), Status::not_finite);
  EXPECT_EQ(exact_selm(basis, wrong_form, basis.Q.head_rows(5), p.labels, 0.3, W), Status::not_finite);
}

TEST(Selm, RefusesWrongShapes) {
  const SemiSupervisedProblem p = conditioned(20, 5, 6, 10);
  const RangeBasis basis = basis_of(p.H);
  const MinimumNormLift lift(basis.Bt);
  const arma::mat LQ = p.L * basis.Q;

  EXPECT_NE(thrown<std::logic_error>([&] { ApproximateSelm(basis, lift, LQ.head_rows(19), first(5), p.labels); }), "");
  EXPECT_NE(thrown<std::logic_error>([&] { ApproximateSelm(basis, lift, LQ.head_cols(5), first(5), p.labels); }), "");
  EXPECT_NE(thrown<std::logic_error>([&] { ApproximateSelm(basis, lift, LQ, first(4), p.labels); }), "");
}

}  // namespace
}  // namespace elmx
