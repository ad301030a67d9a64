#include "solvers/updates/updated_ridge.hpp"

#include <gtest/gtest.h>

#include "linalg/ridge_qr.hpp"
#include "support/ridge_solution.hpp"
#include "support/status.hpp"

namespace elmx {
namespace {

/// A solver beside the samples that it should stand for.
class Updated {
 public:
  Updated(const UpdateAlgorithm& algorithm, uword k, uword c, double lambda, bool checked = true)
      : lambda_(lambda), solver_(algorithm.make(k, c, lambda, checked)) {}

  Status add(const arma::mat& A, const arma::mat& Y) {
    A_ = arma::join_cols(A_, A);
    Y_ = arma::join_cols(Y_, Y);
    return solver_->change(A, Y, Change::add);
  }

  /// Removes the samples first ... last.
  Status remove(uword first, uword last) {
    const arma::mat A = A_.rows(first, last), Y = Y_.rows(first, last);
    A_.shed_rows(first, last);
    Y_.shed_rows(first, last);
    return solver_->change(A, Y, Change::remove);
  }

  Status remove_nodes(const arma::uvec& nodes) {
    A_.shed_cols(nodes);
    return solver_->remove_nodes(nodes);
  }

  /// The backward error against the samples, as a multiple of the tolerance of one solve. `most`: the largest
  /// number of samples so far, since sums keep the rounding of the samples that have left.
  double off(uword most) const {
    return ridge_backward_error(A_, Y_, lambda_, solver_->weights()) / tolerance(most, A_.n_cols);
  }

  /// The distance of the weights from those of a QR factorisation of the samples, as a multiple of the bound that
  /// follows from `off`.
  double weight_error(uword most) const {
    RidgeQr qr(A_.n_cols, Y_.n_cols, lambda_);
    arma::mat reference;
    qr.add_samples(View<const double>(A_), View<const double>(Y_));
    EXPECT_EQ(qr.solve(reference), Status::ok);
    return relative_difference(solver_->weights(), reference) /
           forward_bound(A_, Y_, lambda_, solve_by_svd(A_, Y_, lambda_),
                         2 * std::max(1.0, off(most)) * tolerance(most, A_.n_cols));
  }

  /// ||R Z - B|| / (||R|| ||Z|| + ||B||) for Z = R^-1 B as the solver applies it, as a multiple of what `off`
  /// allows for one solve.
  double inverse_error(uword most) const {
    const arma::mat B = normal_matrix(A_.n_cols, 3, 1, 9);
    arma::mat Z = B;
    solver_->apply_inverse(0, View<double>(Z));
    arma::mat R = A_.t() * A_;
    R.diag() += lambda_;
    return frobenius(arma::mat(R * Z - B)) / (frobenius(R) * frobenius(Z) + frobenius(B)) /
           (std::max(1.0, off(most)) * tolerance(most, A_.n_cols));
  }

  uword samples() const { return A_.n_rows; }
  const UpdatedRidge& solver() const { return *solver_; }

 private:
  double lambda_;
  std::unique_ptr<UpdatedRidge> solver_;
  arma::mat A_, Y_;
};

class UpdatedRidges : public testing::TestWithParam<std::string_view> {
 protected:
  const UpdateAlgorithm& algorithm = update_algorithm(GetParam());
};

TEST_P(UpdatedRidges, EveryChangeGivesTheSolutionOfTheSamples) {
  const uword k = 90, c = 2;
  for (const bool checked : {true, false}) {
    const auto problem = make_problem(1000, k, c, 100, 5);
    Updated one(algorithm, k, c, 1e-3, checked);
    const auto add = [&](uword first, uword count) {
      return one.add(problem.H.rows(first, first + count - 1), problem.T.rows(first, first + count - 1));
    };
    const auto right = [&] {
      EXPECT_LE(one.off(1000), 1) << checked;
      EXPECT_LE(one.weight_error(1000), 1) << checked;
      EXPECT_LE(one.inverse_error(1000), 1) << checked;
    };
    ASSERT_EQ(add(0, 60), Status::ok);  // fewer samples than nodes
    right();
    ASSERT_EQ(add(60, 1), Status::ok);
    right();
    ASSERT_EQ(add(61, 70), Status::ok);
    right();
    ASSERT_EQ(add(131, 400), Status::ok);  // more new samples than nodes
    right();
    ASSERT_EQ(one.remove(3, 52), Status::ok);
    right();
    ASSERT_EQ(one.remove_nodes({0, 7, 8, 89}), Status::ok);
    right();
    ASSERT_EQ(one.remove(0, 149), Status::ok);  // more than there are nodes
    right();
    ASSERT_EQ(one.remove(100, 100), Status::ok);
    right();
  }
}

TEST_P(UpdatedRidges, TenThousandUpdatesDoNotDrift) {
  const uword k = 20, n = 10000;
  const arma::mat H = normal_matrix(n + 50, k, 1, 1), T = normal_matrix(n + 50, 1, 1, 2);
  Updated one(algorithm, k, 1, 1e-2);
  ASSERT_EQ(one.add(H.head_rows(50), T.head_rows(50)), Status::ok);
  std::size_t anew = 0;
  for (uword i = 0; i < n; ++i) {
    ASSERT_EQ(one.add(H.row(50 + i), T.row(50 + i)), Status::ok);
    ASSERT_EQ(one.remove(0, 0), Status::ok);
    anew += one.solver().factorised() ? 1 : 0;
  }
  EXPECT_LE(one.off(n), 1);
  EXPECT_LE(one.weight_error(n), 1);
  if (algorithm.checkable) {
    EXPECT_LT(anew, n / 10);
  }
}

TEST_P(UpdatedRidges, HalfOfAllSamplesCanLeave) {
  const uword k = 40, n = 2000;
  const auto problem = make_problem(n, k, 1, 1e3, 6);
  Updated one(algorithm, k, 1, 1e-4);
  ASSERT_EQ(one.add(problem.H, problem.T), Status::ok);
  for (uword i = 0; i < n / 2; i += 50) ASSERT_EQ(one.remove(i, i + 49), Status::ok);
  EXPECT_EQ(one.samples(), n / 2);
  EXPECT_LE(one.off(n), 1);
  EXPECT_LE(one.weight_error(n), 1);
}

TEST_P(UpdatedRidges, SamplesThatAreNotFiniteAreReported) {
  const arma::mat H = normal_matrix(30, 5, 1, 1), T = normal_matrix(30, 1, 1, 2);
  arma::mat bad = H.head_rows(2);
  bad(1, 3) = arma::datum::nan;
  for (const bool checked : {true, false}) {
    Updated one(algorithm, 5, 1, 0.1, checked);
    ASSERT_EQ(one.add(H, T), Status::ok);
    EXPECT_NE(one.add(bad, T.head_rows(2)), Status::ok) << checked;
  }
}

std::vector<std::string_view> names() {
  std::vector<std::string_view> all;
  for (const UpdateAlgorithm& row : update_algorithms()) all.push_back(row.name);
  return all;
}

TEST_P(UpdatedRidges, MoreNodesThanAPanelGiveTheSolutionToo) {
  const uword k = 300;
  const auto problem = make_problem(700, k, 1, 10, 5);
  Updated one(algorithm, k, 1, 1e-2);
  for (const auto& [first, last] : {std::pair<uword, uword>{0, 399}, {400, 404}, {405, 699}}) {
    ASSERT_EQ(one.add(problem.H.rows(first, last), problem.T.rows(first, last)), Status::ok);
    EXPECT_LE(one.off(700), 1) << last;
  }
}

INSTANTIATE_TEST_SUITE_P(All, UpdatedRidges, testing::ValuesIn(names()), [](const auto& row) {
  std::string name(row.param);
  std::erase(name, '-');
  return name;
});

// Targets along the largest singular vectors make ||R^-1|| ||A'Y|| / ||W|| as large as the condition number.
TEST_P(UpdatedRidges, CheckedWeightsHaveTheBackwardErrorThatIsStated) {
  const uword k = 40, c = 2;
  const bool by_inverse = algorithm.name == "inverse" || algorithm.name == "os-elm";
  double worst = 0;  // in multiples of largest_backward_error
  for (const double condition : {1.0, 1e2, 1e4, 1e6, 1e8, 1e10, 1e12}) {
    const auto problem = make_problem(4 * k, k, c, std::sqrt(condition), 3);
    arma::mat w = normal_matrix(k, c, 3, 7);
    for (int i = 0; i < 6; ++i) w = problem.H.t() * (problem.H * w);
    const double lambda = 1 / condition;
    for (const arma::mat& targets : {problem.T, arma::mat(problem.H * w)}) {
      const auto solver = algorithm.make(k, c, lambda, true);
      uword n = 0;
      for (const uword count : {2 * k, uword(1), uword(5), k + 3}) {  // the solution, updates by few and by many
        const arma::mat added = problem.H.rows(n, n + count - 1), T = targets.rows(n, n + count - 1);
        ASSERT_EQ(solver->change(added, T, Change::add), Status::ok) << condition;
        n += count;
        const arma::mat A = problem.H.head_rows(n), Y = targets.head_rows(n);
        RidgeSums sums(k, c);
        sums.change(A, Y, Change::add);
        const double error = sums.backward_error(solver->weights(), lambda),
                     of_inverse = std::sqrt(static_cast<double>(k)) * arma::datum::eps *
                                  solve_by_svd(A, Y, lambda).inverse_norm * frobenius(sums.cross) /
                                  frobenius(solver->weights());
        EXPECT_LE(error, largest_backward_error(k) + (by_inverse ? of_inverse : 0))
            << "condition " << condition << ", " << n << " samples";
        worst = std::max(worst, error / largest_backward_error(k));
      }
    }
  }
  EXPECT_EQ(worst > 1, by_inverse) << worst;
}

TEST(UpdatedRidge, ChecksReplaceUpdatesOfAnInverseThatDrifts) {
  const uword k = 40, n = 600;
  const auto problem = make_problem(n, k, 1, 10, 3);
  for (const std::string_view name : {"inverse", "os-elm"}) {
    double off[2] = {0, 0};
    bool anew = false;
    for (const bool checked : {false, true}) {
      Updated one(update_algorithm(name), k, 1, 1e-12, checked);  // fewer samples than nodes: condition 1e12 at first
      ASSERT_EQ(one.add(problem.H.head_rows(20), problem.T.head_rows(20)), Status::ok);
      for (uword i = 20; i < n; ++i) {
        ASSERT_EQ(one.add(problem.H.row(i), problem.T.row(i)), Status::ok);
        anew = anew || one.solver().factorised();
      }
      off[checked ? 1 : 0] = one.off(n);
    }
    EXPECT_GT(off[0], 10) << name;
    EXPECT_TRUE(anew) << name;
    EXPECT_LE(off[1], 1) << name;
  }
}

/// Flops of products and factorisations of full matrices; a triangular k x k matrix times k x m takes k^2 m.
double product_flops(double rows, double inner, double cols) { return 2 * rows * inner * cols; }
double gram_flops(double rows, double k) { return rows * k * k; }
double cholesky_flops(double k) { return k * k * k / 3; }

// What each algorithm computes for p samples, product by product.
TEST(UpdateAlgorithms, FlopsAreThoseOfTheirProducts) {
  const double k = 1000, c = 10;
  for (const double p : {1.0, 50.0, 1000.0, 4000.0}) {
    const auto expect = [&](std::string_view name, double flops) {
      EXPECT_NEAR(update_algorithm(name).flops(p, k, c) / flops, 1, 0.005) << name << ", " << p << " samples";
    };
    const double cross = product_flops(k, p, c), innovation = product_flops(p, k, c),
                 triangular_products = 2 * k * k * c;  // F F'C, or R^-1 R^-T C
    expect("gram", gram_flops(p, k) + cross + cholesky_flops(k) + triangular_products);
    // K = U^-T A Q, U'U = I + A Q A', Q - K'K, W + K'U^-T (Y - A W)
    const double products_of_samples = product_flops(p, k, k) + product_flops(p, k, p) + p * p * k + gram_flops(p, k) +
                                       innovation + product_flops(k, p, c);
    expect("os-elm", products_of_samples + cholesky_flops(p));
    if (p <= k) {
      expect("inverse", products_of_samples);
      // Rotations of p rows into k columns of the factor and c of Z; the inverse factor needs F'A' before.
      expect("factor", 3 * p * k * (k + 2 * c) + k * k * c);
      expect("inverse-factor", gram_flops(p, k) + 3 * p * k * k + cross + triangular_products);
      continue;
    }
    // Q = L L', V = A L, U'U = I + V'V, U^-T L', its Gram matrix, W + Q A'(Y - A W)
    expect("inverse", cholesky_flops(k) + p * k * k + gram_flops(p, k) + cholesky_flops(k) + k * k * k +
                          gram_flops(k, k) + innovation + cross + product_flops(k, k, c));
    // R'R of two triangles, + A'A, and the Cholesky factor of the sum
    expect("factor", k * k * k / 3 + gram_flops(p, k) + cross + cholesky_flops(k) + triangular_products);
    // V = A F, I + V'V, its inverse factor G by the factor and an inversion, F G of two triangles
    expect("inverse-factor",
           p * k * k + gram_flops(p, k) + 2 * cholesky_flops(k) + k * k * k / 3 + cross + triangular_products);
  }
}

TEST(GramRidge, NewOutputsAreSolvedFromTheSameGramMatrix) {
  const auto problem = make_problem(60, 12, 3, 100, 2);
  GramRidge one(12, 2, 0.01);
  ASSERT_EQ(one.change(problem.H, arma::mat(problem.T.head_cols(2)), Change::add), Status::ok);
  ASSERT_EQ(one.add_outputs(problem.H.t() * problem.T.col(2)), Status::ok);
  EXPECT_LE(ridge_backward_error(problem.H, problem.T, 0.01, one.weights()), tolerance(60, 12));

  GramRidge restored(one.sums(), 0.01);
  ASSERT_EQ(restored.solve(), Status::ok);
  EXPECT_EQ(relative_difference(restored.weights(), one.weights()), 0);
  const arma::mat first = problem.H.head_rows(10), targets = problem.T.head_rows(10);
  ASSERT_EQ(restored.change(first, targets, Change::remove), Status::ok);
  const arma::mat A = problem.H.tail_rows(50), T = problem.T.tail_rows(50);
  EXPECT_LE(ridge_backward_error(A, T, 0.01, restored.weights()), tolerance(60, 12));
}

}  // namespace
}  // namespace elmx
