#include <gtest/gtest.h>

#include <cmath>

#include "solvers/sparse/op_elm.hpp"
#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/semi_supervised.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

using Order = std::vector<uword>;

arma::mat columns(const arma::mat& H, const Order& nodes) { return H.cols(arma::uvec(nodes)); }

/// H_S H_S^+ T
arma::mat least_squares(const arma::mat& H, const Order& nodes, const arma::mat& T) {
  if (nodes.empty()) return arma::mat(arma::size(T), arma::fill::zeros);
  return columns(H, nodes) * arma::pinv(columns(H, nodes)) * T;
}

double correlation(const arma::mat& H, uword j, const arma::mat& residual) {
  return arma::norm(arma::rowvec(H.col(j).t() * residual), 1);
}

bool contains(const Order& nodes, uword j) { return std::find(nodes.begin(), nodes.end(), j) != nodes.end(); }

Order greedy_by_definition(const arma::mat& H, const arma::mat& T) {
  Order chosen;
  while (chosen.size() < std::min(H.n_rows, H.n_cols)) {
    const arma::mat residual = T - least_squares(H, chosen, T);
    uword best = H.n_cols;
    for (uword j = 0; j < H.n_cols; ++j) {
      if (!contains(chosen, j) && (best == H.n_cols || correlation(H, j, residual) > correlation(H, best, residual)))
        best = j;
    }
    chosen.push_back(best);
  }
  return chosen;
}

/// ||p - gamma q||_1 is the largest of s'(p - gamma q) over all sign vectors s, so that the first gamma in
/// (0, 1] at which it is (1 - gamma) c is the smallest of the positive (c - s'p) / (c - s'q).
double meeting_by_enumeration(const arma::rowvec& p, const arma::rowvec& q, double c) {
  double smallest = 1;
  for (unsigned signs = 0; signs < (1u << p.n_elem); ++signs) {
    double sp = 0, sq = 0;
    for (uword i = 0; i < p.n_elem; ++i) {
      sp += (signs >> i & 1 ? 1 : -1) * p(i);
      sq += (signs >> i & 1 ? 1 : -1) * q(i);
    }
    if (const double gamma = (c - sp) / (c - sq); gamma > 0) smallest = std::min(smallest, gamma);
  }
  return smallest;
}

NodeRanking mrsr_by_enumeration(const arma::mat& H, const arma::mat& T) {
  NodeRanking ranking;
  arma::mat estimate(arma::size(T), arma::fill::zeros);
  while (ranking.order.size() < std::min(H.n_rows, H.n_cols)) {
    uword best = H.n_cols;
    for (uword j = 0; j < H.n_cols; ++j) {
      if (!contains(ranking.order, j) &&
          (best == H.n_cols || correlation(H, j, T - estimate) > correlation(H, best, T - estimate)))
        best = j;
    }
    const double c = correlation(H, best, T - estimate);
    ranking.order.push_back(best);
    ranking.criterion.push_back(c);
    const arma::mat target = least_squares(H, ranking.order, T);
    double gamma = 1;
    for (uword j = 0; j < H.n_cols; ++j) {
      if (!contains(ranking.order, j))
        gamma = std::min(gamma,
                         meeting_by_enumeration(H.col(j).t() * (T - estimate), H.col(j).t() * (target - estimate), c));
    }
    ranking.step.push_back(gamma);
    estimate += gamma * (target - estimate);
  }
  return ranking;
}

/// Least angle regression of one target as Efron et al. (2004) write it: along the equiangular vector u of
/// the active columns, each with the sign of its correlation, up to  min+ ((C - c_j) / (A - a_j), (C + c_j) /
/// (A + a_j)).   Columns of equal length.
Order least_angle_order(const arma::mat& H, const arma::vec& t) {
  Order active;
  arma::vec mu(t.n_elem, arma::fill::zeros);
  arma::vec c = H.t() * t;
  active.push_back(arma::abs(c).index_max());
  while (active.size() < std::min(H.n_rows, H.n_cols)) {
    c = H.t() * (t - mu);
    const double C = std::abs(c(active[0]));
    arma::mat X = columns(H, active);
    for (uword k = 0; k < active.size(); ++k) X.col(k) *= c(active[k]) > 0 ? 1 : -1;
    const arma::vec ones(active.size(), arma::fill::ones), w = arma::solve(X.t() * X, ones);
    const double A = 1 / std::sqrt(arma::dot(ones, w));
    const arma::vec u = A * (X * w), a = H.t() * u;
    double gamma = arma::datum::inf;
    uword next = H.n_cols;
    for (uword j = 0; j < H.n_cols; ++j) {
      if (contains(active, j)) continue;
      for (const double g : {(C - c(j)) / (A - a(j)), (C + c(j)) / (A + a(j))}) {
        if (g > 0 && g < gamma) {
          gamma = g;
          next = j;
        }
      }
    }
    mu += gamma * u;
    active.push_back(next);
  }
  return active;
}

struct Stored {
  StoredValues golden{"solvers", "s3elm_opelm"};
  arma::mat T = matrix_from(golden.input["Y"]);
  arma::mat H = sigmoid_by_definition(matrix_from(golden.input["X"]), matrix_from(golden.input["A_nodes"]),
                                      vector_from(golden.input["b_nodes"]).t());

  void expect_agrees(const NodeRanking& ranking, const char* name) const {
    const Json& stored = golden.expected[name];
    EXPECT_EQ(ranking.order, stored["order"].get<Order>()) << name;
    EXPECT_TRUE(golden.agrees(arma::vec(ranking.criterion),
                              vector_from(stored[stored.contains("c_max") ? "c_max" : "criterion"])))
        << name;
    if (stored.contains("gamma"))
      EXPECT_TRUE(golden.agrees(arma::vec(ranking.step), vector_from(stored["gamma"])));
    else
      EXPECT_TRUE(ranking.step.empty());
  }
};

TEST(NodeRanking, AgreesWithStoredValues) {
  const Stored stored;

  stored.expect_agrees(rank_greedily(stored.H, stored.T), "rank_greedy_raw");
  stored.expect_agrees(rank_greedily(standardised(stored.H), standardised(stored.T)), "rank_greedy_standardised");
  stored.expect_agrees(rank_by_mrsr(standardised(stored.H), standardised(stored.T)), "rank_mrsr_standardised");
}

TEST(NodeRanking, GreedyIsTheDefinition) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const uword n = 4 + seed % 17, L = 2 + seed % 9, C = 1 + seed % 4;
    const arma::mat H = normal_matrix(n, L, seed, 1), T = normal_matrix(n, C, seed, 2);

    const NodeRanking ranking = rank_greedily(H, T);

    EXPECT_EQ(ranking.order, greedy_by_definition(H, T)) << seed;
    for (std::size_t k = 0; k < ranking.order.size(); ++k) {
      const arma::mat residual =
          T - least_squares(H, Order(ranking.order.begin(), ranking.order.begin() + static_cast<long>(k)), T);
      EXPECT_NEAR(ranking.criterion[k], correlation(H, ranking.order[k], residual), 1e-10) << seed << " " << k;
    }
  }
}

// c_max falls in steps and gammas by enumeration of all 2^C sign vectors, as the published code does it.
TEST(NodeRanking, MrsrIsTheEnumerationOfSigns) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const uword n = 8 + seed % 17, L = 2 + seed % 6, C = 1 + seed % 5;
    const arma::mat H = standardised(normal_matrix(n, L, seed, 1)), T = standardised(normal_matrix(n, C, seed, 2));

    const NodeRanking ranking = rank_by_mrsr(H, T), exact = mrsr_by_enumeration(H, T);

    ASSERT_EQ(ranking.order, exact.order) << seed;
    for (std::size_t k = 0; k < exact.order.size(); ++k) {
      EXPECT_NEAR(ranking.criterion[k], exact.criterion[k], 1e-9 * exact.criterion[0]) << seed << " " << k;
      EXPECT_NEAR(ranking.step[k], exact.step[k], 1e-9) << seed << " " << k;
    }
    EXPECT_NEAR(ranking.step.back(), 1, 1e-15) << "none is left";
  }
}

// What defines a step: at its end all active columns and the next one have the same correlation, no other a
// larger one.
TEST(NodeRanking, MrsrStepsEndWhereTheNextColumnIsAsCorrelated) {
  const arma::mat H = standardised(normal_matrix(40, 9, 5, 1)), T = standardised(normal_matrix(40, 3, 5, 2));
  const NodeRanking ranking = rank_by_mrsr(H, T);
  arma::mat estimate(arma::size(T), arma::fill::zeros);
  for (std::size_t k = 0; k + 1 < ranking.order.size(); ++k) {
    const Order active(ranking.order.begin(), ranking.order.begin() + static_cast<long>(k) + 1);
    estimate += ranking.step[k] * (least_squares(H, active, T) - estimate);

    const double level = correlation(H, ranking.order[k + 1], T - estimate);
    for (const uword j : active) EXPECT_NEAR(correlation(H, j, T - estimate), level, 1e-9 * level) << k;
    for (uword j = 0; j < 9; ++j) EXPECT_LE(correlation(H, j, T - estimate), level * (1 + 1e-9)) << k;
    EXPECT_NEAR(ranking.criterion[k + 1], level, 1e-9 * level);
  }
}

TEST(NodeRanking, MrsrOfOneTargetVisitsColumnsInLeastAngleOrder) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const arma::mat H = standardised(normal_matrix(15 + seed % 20, 2 + seed % 11, seed, 1)),
                    T = standardised(normal_matrix(H.n_rows, 1, seed, 2));

    EXPECT_EQ(rank_by_mrsr(H, T).order, least_angle_order(H, T.col(0))) << seed;
  }
}

TEST(NodeRanking, RankingsDifferInMostCases) {
  int differ = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const arma::mat H = standardised(normal_matrix(20, 10, seed, 1)), T = standardised(normal_matrix(20, 2, seed, 2));
    differ += rank_by_mrsr(H, T).order != rank_greedily(H, T).order ? 1 : 0;
  }
  EXPECT_GT(differ, 20);
}

TEST(NodeRanking, OfEqualColumnsTakesTheFirst) {
  const arma::mat H = {{1, 2, -2, 0}, {0, 0, 0, 3}, {0, 0, 0, 0}, {0, 0, 0, 0}};
  const arma::mat T = arma::vec{1, 0.5, 0, 0};

  const NodeRanking ranking = rank_greedily(H, T);

  EXPECT_EQ(ranking.order, (Order{1, 3})) << "2, 2 and 1.5; then 0 and 2 depend on 1";
  EXPECT_EQ(ranking.criterion, (std::vector<double>{2, 1.5}));
}

TEST(NodeRanking, StopsAtAsManyAsThereAreSamples) {
  EXPECT_EQ(rank_greedily(normal_matrix(5, 9, 2, 1), normal_matrix(5, 2, 2, 2)).order.size(), 5u);
  EXPECT_EQ(rank_by_mrsr(standardised(normal_matrix(5, 9, 2, 1)), standardised(normal_matrix(5, 2, 2, 2))).order.size(),
            4u)
      << "centred: rank 4";
  EXPECT_EQ(rank_greedily(normal_matrix(9, 5, 2, 1), normal_matrix(9, 2, 2, 2)).order.size(), 5u);
}

TEST(NodeRanking, DependentColumnsAreLeftOut) {
  const arma::mat H = normal_matrix(20, 6, 2, 1), T = normal_matrix(20, 3, 2, 2);
  arma::mat more = arma::join_rows(H, arma::mat(H.col(0) + 1e5 * H.col(3)), arma::mat(20, 1, arma::fill::zeros));

  EXPECT_EQ(rank_greedily(more, T).order.size(), 6u);

  // orthogonal part of 1e-9 and of 1e-11 of the column
  for (const double part : {1e-9, 1e-11}) {
    const arma::mat two = {{1, 1}, {0, part}, {0, 0}};
    EXPECT_EQ(rank_greedily(two, arma::vec{1, 1, 1}).order.size(), part > 1e-10 ? 2u : 1u);
    EXPECT_EQ(rank_greedily(1e-30 * two, arma::vec{1, 1, 1}).order.size(), part > 1e-10 ? 2u : 1u)
        << "whatever its length";
  }
}

// Of 1 and 1 + 1e-9 r an orthonormal basis has an error of 1e-7 after one pass, and so would what is left of
// the third.
TEST(NodeRanking, SeesDependenceBesideNearlyDependentColumns) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const arma::mat a = normal_matrix(20, 1, seed, 1), T = normal_matrix(20, 2, seed, 2);
    const arma::mat H = arma::join_rows(a, a + 1e-9 * normal_matrix(20, 1, seed, 3), -3 * a);

    EXPECT_EQ(rank_greedily(H, T).order.size(), 2u) << seed;
    EXPECT_EQ(rank_by_mrsr(H, T).order.size(), 2u) << seed;
  }
}

// Two columns at right angles of the same correlation: the step from the first ends where it begins.
TEST(NodeRanking, MrsrStepsOverATie) {
  const arma::mat H = {{2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {0, 0, 0}}, T = arma::vec{3, -3, 1, 0};

  const NodeRanking ranking = rank_by_mrsr(H, T);

  EXPECT_EQ(ranking.order, (Order{0, 1, 2}));
  EXPECT_EQ(ranking.criterion, (std::vector<double>{6, 6, 2}));
  ASSERT_EQ(ranking.step.size(), 3u);
  EXPECT_EQ(ranking.step[0], 0);
  EXPECT_NEAR(ranking.step[1], 2.0 / 3, 1e-15) << "6 (1 - gamma) = 2";
  EXPECT_EQ(ranking.step[2], 1);
}

// A column twice says nothing new: the others come in the order in which they would without it.
TEST(NodeRanking, ADuplicateChangesNothing) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const arma::mat H = standardised(normal_matrix(20, 8, seed, 1)),
                    T = standardised(normal_matrix(20, 1 + seed % 3, seed, 2));
    for (const uword twice : {0, 3, 7}) {
      const arma::mat with = arma::join_rows(
          H, H.col(twice), arma::mat(H.col(1) - 2 * H.col(6)) / arma::norm(H.col(1) - 2 * H.col(6)) * std::sqrt(19.0));
      const auto only_of = [](Order order, uword old, uword same) {
        for (uword& j : order) j = j == same ? old : j;
        return order;
      };

      EXPECT_EQ(only_of(rank_greedily(with.head_cols(9), T).order, twice, 8), rank_greedily(H, T).order)
          << seed << " " << twice;
      EXPECT_EQ(only_of(rank_by_mrsr(with.head_cols(9), T).order, twice, 8), rank_by_mrsr(H, T).order)
          << seed << " " << twice;
    }
  }
}

TEST(NodeRanking, WithoutColumnsOrTargetsIsEmptyOrByIndex) {
  EXPECT_TRUE(rank_greedily(arma::mat(5, 3, arma::fill::zeros), arma::mat(5, 1, arma::fill::ones)).order.empty());
  EXPECT_TRUE(rank_by_mrsr(arma::mat(5, 3, arma::fill::zeros), arma::mat(5, 1, arma::fill::ones)).order.empty());
  EXPECT_EQ(rank_greedily(arma::eye(5, 3), arma::mat(5, 1, arma::fill::zeros)).order, (Order{0, 1, 2}));
}

TEST(NodeRanking, RefusesWrongShapes) {
  EXPECT_NE(thrown<std::logic_error>([] { rank_greedily(arma::mat(4, 2), arma::mat(5, 1)); }), "");
  EXPECT_NE(thrown<std::logic_error>([] { rank_by_mrsr(arma::mat(4, 2), arma::mat(5, 1)); }), "");
}

TEST(Standardised, HasMeanZeroAndDeviationOne) {
  arma::mat M = 5 * normal_matrix(17, 4, 2, 1) + 3;
  M.col(2).fill(0.1);

  const arma::mat S = standardised(M);

  for (uword j = 0; j < 4; ++j) {
    long double mean = 0, squares = 0;
    for (uword i = 0; i < 17; ++i) mean += S(i, j) / 17;
    for (uword i = 0; i < 17; ++i) squares += (S(i, j) - mean) * (S(i, j) - mean) / 16;
    EXPECT_NEAR(static_cast<double>(mean), 0, tolerance(17, 1));
    EXPECT_NEAR(static_cast<double>(squares), j == 2 ? 0 : 1, tolerance(17, 1)) << "a constant column becomes 0";
  }
  EXPECT_LE(
      std::abs(arma::dot(S.col(0), M.col(0)) / (arma::norm(S.col(0)) * arma::norm(M.col(0) - arma::mean(M.col(0)))) -
               1),
      tolerance(17, 1));
}

}  // namespace
}  // namespace elmx
