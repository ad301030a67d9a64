#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "statistics/hypothesis_tests.hpp"
#include "statistics/summary.hpp"

namespace elmx {
namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();

/// Demsar 2006, table 6: AUC of C4.5, C4.5+m, C4.5+cf, C4.5+m+cf on 14 data sets. The printed 0.975 and 0.975
/// of the last but one have the ranks 2 and 3 there: a digit tells them apart here.
const arma::mat demsar = {{0.763, 0.768, 0.771, 0.798},  {0.599, 0.591, 0.590, 0.569}, {0.954, 0.971, 0.968, 0.967},
                          {0.628, 0.661, 0.654, 0.657},  {0.882, 0.888, 0.886, 0.898}, {0.936, 0.931, 0.916, 0.931},
                          {0.661, 0.668, 0.609, 0.685},  {0.583, 0.583, 0.563, 0.625}, {0.775, 0.838, 0.866, 0.875},
                          {1.000, 1.000, 1.000, 1.000},  {0.940, 0.962, 0.965, 0.962}, {0.619, 0.666, 0.614, 0.669},
                          {0.972, 0.981, 0.9751, 0.975}, {0.957, 0.978, 0.946, 0.970}};

TEST(Friedman, DemsarsExample) {
  const FriedmanResult result = friedman_test(-demsar);  // ranks from the highest AUC

  const arma::rowvec published = {3.143, 2.000, 2.893, 1.964};
  EXPECT_LT(arma::abs(result.ranks - published).max(), 6e-4);
  EXPECT_NEAR(result.chi2, 9.28, 0.01);
  EXPECT_NEAR(result.F, 3.69, 0.01);
  EXPECT_LT(result.p, 0.05);
  EXPECT_NEAR(nemenyi_difference(4, 14, 0.05), 1.25, 0.01);
  EXPECT_NEAR(nemenyi_difference(4, 14, 0.10), 1.12, 0.01);
}

/// chi2 of whole ranks, by its definition as the spread of the sums of ranks.
double spread(const std::vector<std::vector<double>>& ranks) {
  const std::size_t k = ranks[0].size();
  const double mean = static_cast<double>(ranks.size() * (k + 1)) / 2;
  double sum = 0;
  for (std::size_t j = 0; j < k; ++j) {
    double R = 0;
    for (const auto& row : ranks) R += row[j];
    sum += (R - mean) * (R - mean);
  }
  return sum;
}

/// The share of all combinations of orders of the rows that spread as far as `ranks` do.
double by_all_orders(const std::vector<std::vector<double>>& ranks) {
  const double observed = spread(ranks);
  std::vector<std::vector<double>> drawn = ranks;
  double as_far = 0;
  double all = 0;
  const std::function<void(std::size_t)> draw = [&](std::size_t row) {
    if (row == drawn.size()) {
      ++all;
      as_far += spread(drawn) >= observed - 1e-9;
      return;
    }
    std::sort(drawn[row].begin(), drawn[row].end());
    do draw(row + 1);
    while (std::next_permutation(drawn[row].begin(), drawn[row].end()));
  };
  draw(0);
  return as_far / all;
}

TEST(Friedman, TheExactPIsTheShareOfAllOrders) {
  const std::vector<std::vector<std::vector<double>>> cases = {
      {{1, 2, 3}, {1, 2, 3}},
      {{1, 2, 3}, {1, 3, 2}, {2, 1, 3}, {1, 2, 3}},
      {{1, 2.5, 2.5}, {1.5, 1.5, 3}, {1, 2, 3}},  // ties
      {{1, 2, 3, 4}, {2, 1, 3, 4}, {1, 2, 4, 3}},
  };
  for (const auto& ranks : cases) {
    arma::mat scores(ranks.size(), ranks[0].size());
    for (arma::uword i = 0; i < scores.n_rows; ++i) scores.row(i) = arma::rowvec(ranks[i]);

    const FriedmanResult result = friedman_test(scores);

    EXPECT_TRUE(result.exact);
    EXPECT_NEAR(result.p, by_all_orders(ranks), 1e-12) << ranks.size();
  }
}

TEST(Friedman, ManyDataSetsOfManyAlgorithmsHaveThePOfF) {
  arma::mat scores(30, 8);
  for (arma::uword i = 0; i < 30; ++i) {
    for (arma::uword j = 0; j < 8; ++j)
      scores(i, j) = static_cast<double>((i * 7 + j * (i + 3)) % 11 + (j == 2 ? 4 : 0)) + 0.01 * static_cast<double>(j);
  }

  const FriedmanResult result = friedman_test(scores);

  EXPECT_FALSE(result.exact);
  EXPECT_GT(result.p, 0);
  EXPECT_LT(result.p, 1);
  EXPECT_NEAR(result.F, 29 * result.chi2 / (30 * 7 - result.chi2), 1e-12 * result.F);
  EXPECT_DOUBLE_EQ(result.p, fisher_upper(result.F, 7, 7 * 29));
}

// Nine algorithms in one order on two sets: F is infinite, and all orders of the second set are 9!.
TEST(Friedman, PIsNoLessThanThatOfAllOrders) {
  const arma::rowvec order = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const FriedmanResult alike = friedman_test(arma::join_cols(order, order));
  EXPECT_FALSE(alike.exact);
  EXPECT_DOUBLE_EQ(alike.p, 1.0 / 362880);
}

TEST(Friedman, PIsTheShareOfAllOrdersOfSevenAlgorithmsOnTwoSets) {
  const std::vector<int> first = {1, 2, 3, 4, 5, 6, 7}, second = {2, 1, 3, 4, 7, 5, 6};
  const auto spread = [&](const std::vector<int>& order) {
    int sum = 0;
    for (std::size_t j = 0; j < order.size(); ++j) sum += (first[j] + order[j]) * (first[j] + order[j]);
    return sum;
  };
  std::vector<int> order = first;
  int all = 0, as_far = 0;
  do {
    ++all;
    as_far += spread(order) >= spread(second);
  } while (std::next_permutation(order.begin(), order.end()));

  const FriedmanResult result = friedman_test({{1, 2, 3, 4, 5, 6, 7}, {2, 1, 3, 4, 7, 5, 6}});

  EXPECT_TRUE(result.exact);
  EXPECT_NEAR(result.p, static_cast<double>(as_far) / all, 1e-12);
}

TEST(Friedman, OfTwoAlgorithmsIsTheSignTest) {
  EXPECT_DOUBLE_EQ(friedman_test({{1, 2}, {3, 5}, {0, 1}, {2, 4}, {7, 8}}).p, 2.0 / 32);
  EXPECT_DOUBLE_EQ(friedman_test({{1, 2}, {3, 5}, {0, 1}, {2, 4}, {8, 7}}).p, 2 * 6.0 / 32);
}

TEST(Friedman, WhatFewDataSetsCanFind) {
  const FriedmanResult alike = friedman_test({{1, 2, 3}, {1, 2, 3}});
  EXPECT_NEAR(alike.p, 1.0 / 6, 1e-15);
  EXPECT_NEAR(alike.smallest_p, 1.0 / 6, 1e-15);
  EXPECT_TRUE(std::isinf(alike.F));
  EXPECT_TRUE(std::isnan(friedman_test(arma::mat{{1, 2, 3}}).p));
  EXPECT_EQ(data_sets_needed(3, 0.05), 3u);  // 1 / 36
  EXPECT_EQ(data_sets_needed(4, 0.05), 2u);  // 1 / 24
  EXPECT_EQ(friedman_test({{1, 1, 1}, {1, 1, 1}}).chi2, 0);
  EXPECT_DOUBLE_EQ(friedman_test({{1, 1, 1}, {1, 1, 1}}).p, 1);
}

// Nemenyi's q is the range of k normal variables over sqrt(2).
TEST(Nemenyi, TheRangeExceedsTheCriticalDifferenceWithProbabilityAlpha) {
  for (const double alpha : {0.01, 0.05, 0.1}) {
    const double range = nemenyi_difference(5, 12, alpha) / rank_error(5, 12) * std::sqrt(2.0);
    EXPECT_NEAR(normal_range_upper(range, 5), alpha, 1e-10);
  }
}

// The ranks of two of k algorithms on one data set are any two different ones of 1 to k.
TEST(Nemenyi, TheErrorOfARankIsThatOfAllOrders) {
  for (const arma::uword k : {2u, 3u, 7u}) {
    double squares = 0;
    for (arma::uword i = 1; i <= k; ++i) {
      for (arma::uword j = 1; j <= k; ++j)
        squares += static_cast<double>(i * i + j * j) - 2.0 * static_cast<double>(i * j);
    }
    const double variance = squares / static_cast<double>(k * (k - 1));
    EXPECT_DOUBLE_EQ(rank_error(k, 1), std::sqrt(variance)) << k;
    EXPECT_DOUBLE_EQ(rank_error(k, 10), std::sqrt(variance / 10)) << k;
  }
}

TEST(Holm, ByHand) {
  EXPECT_EQ(holm({0.01, 0.04, 0.03, 0.005}), (std::vector<double>{0.03, 0.06, 0.06, 0.02}));
  EXPECT_EQ(holm({0.6, 0.7}), (std::vector<double>{1, 1}));
  const std::vector<double> with_nan = holm({nan, 0.02});
  EXPECT_TRUE(std::isnan(with_nan[0]));
  EXPECT_EQ(with_nan[1], 0.02);
}

}  // namespace
}  // namespace elmx
