#include "models/s3elm/affinity.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/semi_supervised.hpp"
#include "support/threads.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

/// Integers: sums of products of them are exact, so that equal distances are equal numbers.
arma::mat points_on_a_line(const arma::vec& integers) { return integers; }

/// The pairs of which one is among the k nearest of the other; of equally near ones the first.
arma::mat neighbours_by_definition(const arma::mat& X, uword k, double sigma) {
  const arma::mat heat = heat_by_definition(X, sigma);
  arma::mat A(X.n_rows, X.n_rows, arma::fill::zeros);
  for (uword i = 0; i < X.n_rows; ++i) {
    std::vector<std::pair<long double, uword>> others;
    for (uword j = 0; j < X.n_rows; ++j) {
      if (j != i) others.emplace_back(squared_distance(X.row(i).t(), X.row(j).t()), j);
    }
    std::sort(others.begin(), others.end());
    for (uword m = 0; m < k; ++m) A(i, others[m].second) = A(others[m].second, i) = heat(i, others[m].second);
  }
  return A;
}

TEST(Affinity, AgreesWithStoredValues) {
  const StoredValues golden("models", "s3elm_basic");
  const arma::mat X = matrix_from(golden.input["X"]);
  const double sigma = golden.input["sigma"].get<double>();

  EXPECT_TRUE(golden.agrees(heat_affinity(squared_distances(X), sigma), matrix_from(golden.expected["affinity"])));
  EXPECT_FALSE(
      golden.agrees(heat_affinity(squared_distances(X), sigma * (1 + 1e-9)), matrix_from(golden.expected["affinity"])));
}

TEST(SquaredDistances, AreTheDefinition) {
  for (const auto& [N, D] : std::vector<std::pair<uword, uword>>{{1, 1}, {2, 3}, {40, 1}, {70, 9}, {300, 2}}) {
    const arma::mat X = normal_matrix(N, D, 3, 1);

    const arma::mat distances = squared_distances(X);

    for (uword i = 0; i < N; ++i) {
      for (uword j = 0; j < N; ++j) {
        const auto exact = static_cast<double>(squared_distance(X.row(i).t(), X.row(j).t()));
        // ||x||^2 + ||y||^2 - 2 x'y, below 4 max ||x||^2
        ASSERT_NEAR(distances(i, j), exact, tolerance(D, 1) * 4 * arma::sum(arma::square(X), 1).max()) << i << " " << j;
      }
    }
    EXPECT_TRUE(identical(distances, arma::mat(distances.t())));
    EXPECT_EQ(arma::abs(distances.diag()).max(), 0);
  }
}

TEST(SquaredDistances, AreNotNegativeFarFromTheOrigin) {
  const arma::mat X = 1e-6 * normal_matrix(30, 5, 3, 1) + 1e6;

  const arma::mat distances = squared_distances(X);

  EXPECT_GE(distances.min(), 0);
  EXPECT_LE(distances.max(), tolerance(5, 1) * 4 * arma::sum(arma::square(X), 1).max());
}

TEST(HeatAffinity, IsTheDefinition) {
  const arma::mat X = normal_matrix(60, 4, 3, 1);
  for (const double sigma : {0.0, 1.0 / 1024, 1.0, 16.0}) {
    const arma::mat A = heat_affinity(squared_distances(X), sigma);

    // an error of the squared distance times sigma
    EXPECT_LE(arma::abs(A - heat_by_definition(X, sigma)).max(),
              (1 + sigma) * tolerance(4, 1) * 4 * arma::sum(arma::square(X), 1).max())
        << sigma;
    EXPECT_EQ(arma::abs(A.diag()).max(), 0);
    EXPECT_TRUE(identical(A, arma::mat(A.t())));
  }
}

TEST(NearestNeighbours, AgreeWithStoredValues) {
  const StoredValues golden("models", "s3elm_basic");
  const arma::mat X = matrix_from(golden.input["X"]);

  const arma::mat A(
      nearest_neighbour_affinity(X, golden.input["knn"].get<uword>(), golden.input["sigma"].get<double>()));

  EXPECT_TRUE(golden.agrees(laplacian_by_definition(A), matrix_from(golden.expected["laplacian_knn3_or"])));
}

// Several blocks of 256 samples, the last one not full.
TEST(NearestNeighbours, AreTheDefinition) {
  for (const auto& [N, k] :
       std::vector<std::pair<uword, uword>>{{2, 1}, {9, 8}, {60, 1}, {60, 7}, {256, 3}, {257, 4}, {600, 5}}) {
    const arma::mat X = normal_matrix(N, 3, 3, 1), exact = neighbours_by_definition(X, k, 2.0);

    const arma::sp_mat A = nearest_neighbour_affinity(X, k, 2.0);

    EXPECT_TRUE(arma::all(arma::vectorise((arma::mat(A) != 0) == (exact != 0)))) << N << " " << k;
    EXPECT_LE(arma::abs(arma::mat(A) - exact).max(), 3 * tolerance(3, 1) * 4 * arma::sum(arma::square(X), 1).max());
    EXPECT_TRUE(identical(arma::mat(A), arma::mat(A.t())));
    EXPECT_EQ(A.n_nonzero, arma::accu(exact != 0)) << "nothing else is stored";
  }
}

TEST(NearestNeighbours, AllOthersAreTheHeatGraph) {
  const arma::mat X = normal_matrix(30, 3, 3, 1);

  const arma::mat A(nearest_neighbour_affinity(X, 29, 0.5));

  EXPECT_LE(relative_difference(A, heat_by_definition(X, 0.5)), tolerance(30, 3));
}

TEST(NearestNeighbours, OfEquallyNearOnesTakeTheFirst) {
  // 0 has 1 and 2 at the same distance; these have nearer ones of their own.
  const arma::mat A(nearest_neighbour_affinity(points_on_a_line({0, 8, -8, 10, -10}), 1, 0.01));

  EXPECT_NEAR(A(0, 1), std::exp(-0.64), 1e-15);
  EXPECT_EQ(A(0, 2), 0);
  EXPECT_GT(A(1, 3), 0);
  EXPECT_GT(A(2, 4), 0);
  EXPECT_EQ(arma::accu(A != 0), 6u);
}

TEST(NearestNeighbours, OfDuplicatesHaveAffinityOne) {
  const arma::mat X = points_on_a_line({5, 5, 5, 5, 7, 20});

  const arma::mat A(nearest_neighbour_affinity(X, 2, 0.25));

  const double e1 = std::exp(-0.25 * 4), e2 = std::exp(-0.25 * 225), e3 = std::exp(-0.25 * 169);
  const arma::mat exact = {{0, 1, 1, 1, e1, e2}, {1, 0, 1, 1, e1, 0},   {1, 1, 0, 0, 0, 0},
                           {1, 1, 0, 0, 0, 0},   {e1, e1, 0, 0, 0, e3}, {e2, 0, 0, 0, e3, 0}};
  EXPECT_LE(arma::abs(A - exact).max(), 1e-15) << "0 and 1 are the first two of each, of themselves 1, 2 and 0, 2";
}

// exp(-746) = 0: what is nobody's neighbour any more stands alone.
TEST(NearestNeighbours, WhoseAffinityUnderflowsAreNotStored) {
  const arma::mat X = points_on_a_line({0, 1, 100, 101, 500});

  const arma::sp_mat A = nearest_neighbour_affinity(X, 2, 1);

  EXPECT_EQ(A.n_nonzero, 4u);
  EXPECT_NEAR(A(0, 1), std::exp(-1.0), 1e-15);
  EXPECT_NEAR(A(3, 2), std::exp(-1.0), 1e-15);
  EXPECT_EQ(nearest_neighbour_affinity(X, 2, 1e9).n_nonzero, 0u);
}

TEST(NearestNeighbours, DoNotDependOnTheNumberOfThreads) {
  const arma::mat X = normal_matrix(1100, 5, 3, 1);
  const auto on = [&](int count) {
    const Threads scope(count);
    return arma::mat(nearest_neighbour_affinity(X, 4, 1));
  };

  EXPECT_TRUE(identical(on(1), on(2)));
}

TEST(NearestNeighbours, RefuseNoneAndMoreThanThereAre) {
  const arma::mat X = normal_matrix(5, 2, 3, 1);

  for (const uword k : {0, 5})
    EXPECT_EQ(thrown<std::logic_error>([&] { nearest_neighbour_affinity(X, k, 1); }),
              "nearest_neighbour_affinity: 0 < k < N");
}

// Basis pursuit.

/// What makes row i of theta the solution of  min ||a||_1 + ||e||_1  s.t.  X'a + e = x_i, a_i = 0: a y with
/// |x_j'y| <= 1 for all j but i, |y_d| <= 1, and x_i'y = ||a||_1 + ||e||_1. On the support of (a, e), of D
/// entries where the solution is unique, B_S'y = sign. How far it is from that, in trials of the largest
/// inequality and of the duality gap.
double gap(const arma::mat& X, const arma::mat& theta, uword i) {
  const uword N = X.n_rows, D = X.n_cols;
  const arma::mat B = arma::join_rows(X.t(), arma::eye(D, D));
  arma::vec all(N + D);
  all.head(N) = theta.row(i).t();
  all.tail(D) = X.row(i).t() - X.t() * theta.row(i).t();
  const arma::uvec support = arma::find(arma::abs(all) > 1e-9);
  if (theta(i, i) != 0 || support.n_elem != D) return arma::datum::inf;
  const arma::vec y = arma::solve(B.cols(support).t(), arma::sign(all.elem(support)));
  arma::vec slack = arma::abs(B.t() * y) - 1;
  slack(i) = 0;
  const double primal = arma::norm(all, 1);
  return std::max(slack.max(), std::abs(arma::dot(X.row(i), y) - primal) / primal);
}

TEST(SparseCoefficients, AgreeWithStoredValues) {
  const StoredValues golden("models", "s3elm_sparse_graph");
  const arma::mat X = matrix_from(golden.input["X"]);

  const arma::mat theta = sparse_coefficients(X);

  for (uword i = 0; i < X.n_rows; ++i) {
    const arma::vec stored = vector_from(golden.expected["theta"][i]["theta"]);
    arma::vec own = theta.row(i).t();
    own.shed_row(i);
    EXPECT_TRUE(golden.agrees(own, stored.head(X.n_rows - 1))) << i;
  }
  EXPECT_TRUE(golden.agrees(sparse_affinity(X), matrix_from(golden.expected["affinity"])));
  EXPECT_TRUE(golden.agrees(laplacian_by_definition(sparse_affinity(X)), matrix_from(golden.expected["laplacian"])));
}

TEST(SparseCoefficients, AreOptimalByADualCertificate) {
  for (const auto& [N, D] :
       std::vector<std::pair<uword, uword>>{{6, 3}, {20, 5}, {12, 1}, {5, 12}, {60, 20}, {80, 30}}) {
    const arma::mat X = normal_matrix(N, D, 3, 1);

    const arma::mat theta = sparse_coefficients(X);

    for (uword i = 0; i < N; ++i) EXPECT_LE(gap(X, theta, i), 1e-8) << N << " x " << D << ", sample " << i;
  }
}

TEST(SparseCoefficients, CertificateRefusesOtherSolutions) {
  const arma::mat X = normal_matrix(20, 5, 3, 1), theta = sparse_coefficients(X);
  arma::mat off = theta, shifted = theta;
  off(3, arma::abs(theta.row(3)).index_max()) *= 1 + 1e-6;  // one more entry, in the identity
  shifted.row(3).zeros();                                   // x_i itself: feasible
  shifted(3, (arma::abs(theta.row(3)).index_max() + 1) % 20 == 3 ? 4 : 5) = 0.1;

  EXPECT_GT(gap(X, off, 3), 1e-8);
  EXPECT_GT(gap(X, shifted, 3), 1e-8);
}

// Three equal samples and a combination of two: columns that depend on those in use are left out, and the
// optimum is reached.
TEST(SparseCoefficients, AreOptimalWhereSamplesDepend) {
  arma::mat X = normal_matrix(20, 6, 3, 1);
  X.row(7) = X.row(2);
  X.row(11) = X.row(2);
  X.row(5) = 0.5 * (X.row(3) + X.row(4));

  const arma::mat theta = sparse_coefficients(X);

  for (const uword i : {0, 1, 6, 8, 9, 10, 12, 19}) EXPECT_LE(gap(X, theta, i), 1e-8) << i;
  for (const uword i : {2, 5, 7, 11}) {  // fewer than D entries: that 1 can be reached is known
    EXPECT_LE(arma::accu(arma::abs(theta.row(i))) + arma::norm(X.row(i) - theta.row(i) * X, 1), 1 + 1e-10) << i;
    EXPECT_EQ(theta(i, i), 0);
  }
}

TEST(SparseCoefficients, OfAMultipleAreItsFactor) {
  arma::mat X = 10 * normal_matrix(7, 6, 3, 1);
  X.row(4) = 0.25 * X.row(1);

  const arma::rowvec theta = sparse_coefficients(X).row(4);

  arma::rowvec exact(7, arma::fill::zeros);
  exact(1) = 0.25;
  EXPECT_LE(arma::abs(theta - exact).max(), 1e-10);
}

TEST(SparseCoefficients, OfASampleOfZerosAreZero) {
  arma::mat X = normal_matrix(7, 4, 3, 1);
  X.row(2).zeros();

  const arma::mat theta = sparse_coefficients(X);

  EXPECT_TRUE(theta.is_finite());
  EXPECT_EQ(arma::abs(theta.row(2)).max(), 0);
  EXPECT_EQ(arma::abs(theta.col(2)).max(), 0) << "and nobody needs it";
}

TEST(SparseAffinity, IsSymmetricOfSizesOnly) {
  const arma::mat X = normal_matrix(20, 5, 3, 1), theta = sparse_coefficients(X);

  const arma::mat A = sparse_affinity(X);

  EXPECT_TRUE(identical(A, arma::mat(A.t())));
  EXPECT_LT(theta.min(), 0);
  for (uword i = 0; i < 20; ++i) {
    for (uword j = 0; j < 20; ++j) EXPECT_EQ(A(i, j), i == j ? 0 : std::abs(theta(i, j)) + std::abs(theta(j, i)));
  }
}

/// The samples, two of them longer and one shorter.
arma::mat with_other_lengths(arma::mat X) {
  X.row(3) *= 7.3;
  X.row(11) *= 1e3;
  X.row(14) *= 0.06;
  return X;
}

TEST(SparseAffinity, OfUnitNormDependsOnDirectionsAlone) {
  const arma::mat X = normal_matrix(20, 5, 3, 1);

  const arma::mat A = sparse_affinity(X, true);

  EXPECT_LE(relative_difference(sparse_affinity(with_other_lengths(X), true), A), 1e-9);
  EXPECT_GT(relative_difference(sparse_affinity(with_other_lengths(X)), sparse_affinity(X)), 0.1) << "else it does";
  EXPECT_TRUE(identical(sparse_affinity(4 * X, true), A)) << "a power of two";
}

TEST(SparseAffinity, OfUnitNormIsThatOfTheScaledSamples) {
  const arma::mat X = with_other_lengths(normal_matrix(20, 5, 3, 1));
  arma::mat unit = X;
  for (uword i = 0; i < 20; ++i) unit.row(i) /= std::sqrt(arma::dot(X.row(i), X.row(i)));

  const arma::mat theta = sparse_coefficients(unit), A = sparse_affinity(X, true);

  for (uword i = 0; i < 20; ++i) EXPECT_LE(gap(unit, theta, i), 1e-8) << i;
  EXPECT_LE(relative_difference(A, arma::mat(arma::abs(theta) + arma::abs(theta.t()))), 1e-9);
}

TEST(SparseAffinity, OfUnitNormLeavesASampleOfZerosAlone) {
  arma::mat X = normal_matrix(7, 4, 3, 1);
  X.row(2).zeros();

  const arma::mat A = sparse_affinity(X, true);

  EXPECT_TRUE(A.is_finite());
  EXPECT_EQ(A.row(2).max(), 0);
  EXPECT_GT(A.max(), 0);
}

TEST(SparseCoefficients, DoNotDependOnTheNumberOfThreads) {
  const arma::mat X = normal_matrix(15, 5, 3, 1);
  const auto on = [&](int count) {
    const Threads scope(count);
    return sparse_coefficients(X);
  };

  EXPECT_TRUE(identical(on(1), on(2)));
}

}  // namespace
}  // namespace elmx
