#include "solvers/sparse/op_elm.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/framed.hpp"
#include "support/judge.hpp"
#include "support/semi_supervised.hpp"
#include "support/status.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

arma::mat with_ones(const arma::mat& H, bool bias) {
  return bias ? arma::join_rows(H, arma::mat(H.n_rows, 1, arma::fill::ones)) : H;
}

/// Each sample predicted by the least squares of all others; mean over samples and outputs.
double left_out_by_brute_force(const arma::mat& H, const arma::mat& T, bool bias) {
  const arma::mat A = with_ones(H, bias);
  double sum = 0;
  for (uword i = 0; i < H.n_rows; ++i) {
    arma::mat others = A, targets = T;
    others.shed_row(i);
    targets.shed_row(i);
    sum += arma::accu(arma::square(T.row(i) - A.row(i) * arma::pinv(others, 1e-9) * targets));
  }
  return sum / static_cast<double>(T.n_elem);
}

struct StoredOpElm {
  StoredValues golden{"solvers", "s3elm_opelm"};
  arma::mat T = matrix_from(golden.input["Y"]);
  arma::mat H = sigmoid_by_definition(matrix_from(golden.input["X"]), matrix_from(golden.input["A_nodes"]),
                                      vector_from(golden.input["b_nodes"]).t());
};

TEST(LeaveOneOut, AgreesWithStoredValues) {
  const StoredOpElm stored;
  for (const auto& [ranking, curves] : {std::pair("rank_greedy_raw", "loo_mse_greedy_raw"),
                                        std::pair("rank_mrsr_standardised", "loo_mse_mrsr_standardised")}) {
    const arma::mat H = stored.H.cols(indices_from(stored.golden.expected[ranking]["order"]));
    const Json& expected = stored.golden.expected[curves];

    const std::vector<double> without = leave_one_out_errors(H, stored.T, false),
                              with = leave_one_out_errors(H, stored.T, true);

    EXPECT_TRUE(stored.golden.agrees(arma::vec(without), vector_from(expected["without_bias"]))) << curves;
    EXPECT_TRUE(stored.golden.agrees(arma::vec(with), vector_from(expected["with_bias"]))) << curves;
    EXPECT_EQ(choose_size(without, SizeRule::global_minimum), expected["argmin_size_without_bias"].get<uword>());
    EXPECT_EQ(choose_size(with, SizeRule::global_minimum), expected["argmin_size_with_bias"].get<uword>());
    EXPECT_EQ(choose_size(without, SizeRule::first_increase),
              expected["first_increase_size_without_bias"].get<uword>());
  }
}

TEST(LeaveOneOut, IsLeavingOutEachSample) {
  for (const auto& [n, L, C] :
       std::vector<std::array<uword, 3>>{{14, 6, 2}, {30, 12, 1}, {8, 20, 3}, {3, 5, 1}, {9, 1, 4}}) {
    const arma::mat H = normal_matrix(n, L, 6, 1), T = normal_matrix(n, C, 6, 2);
    for (const bool bias : {false, true}) {
      const std::vector<double> errors = leave_one_out_errors(H, T, bias);

      ASSERT_EQ(errors.size(), std::min(L, n - (bias ? 2 : 1))) << n << " " << L << " " << bias;
      for (uword k = 1; k <= errors.size(); ++k) {
        const double exact = left_out_by_brute_force(H.head_cols(k), T, bias);
        EXPECT_NEAR(errors[k - 1], exact, 1e-8 * exact)
            << n << " " << L << " " << k << " " << bias << "; leverages near 1 at k = n - 1";
      }
    }
  }
}

// The only sample at which a node does not vanish: without it nothing is known about the node.
TEST(LeaveOneOut, IsInfiniteWhereASampleIsTheOnlyOneOfItsKind) {
  arma::mat H = normal_matrix(9, 3, 6, 1);
  H.col(1).zeros();
  H(4, 1) = 1;

  const std::vector<double> errors = leave_one_out_errors(H, normal_matrix(9, 2, 6, 2), false);

  EXPECT_TRUE(std::isfinite(errors[0]));
  EXPECT_TRUE(std::isinf(errors[1]) && errors[1] > 0);
  EXPECT_TRUE(std::isinf(errors[2]));
}

// 1 - hat = 1e-9 still counts, 1e-11 does not. H = (1, e)': hat = 1 / (1 + e^2).
TEST(LeaveOneOut, HasALeastDistanceFromLeverageOne) {
  const arma::mat T = arma::vec{1, 2, 3};

  EXPECT_TRUE(std::isfinite(leave_one_out_errors(arma::vec{1, std::sqrt(1e-9), 0}, T, false).at(0)));
  EXPECT_TRUE(std::isinf(leave_one_out_errors(arma::vec{1, std::sqrt(1e-11), 0}, T, false).at(0)));
}

// The column of ones is there already, or a sum of others is.
TEST(LeaveOneOut, WithABiasThatTheNodesHoldIsLeavingOutToo) {
  arma::mat H = normal_matrix(15, 5, 6, 1);
  H.col(2).fill(0.7);
  const arma::mat T = normal_matrix(15, 2, 6, 2);

  const std::vector<double> errors = leave_one_out_errors(H, T, true);

  for (uword k = 1; k <= 5; ++k) {
    const double exact = left_out_by_brute_force(H.head_cols(k), T, true);
    EXPECT_NEAR(errors[k - 1], exact, 1e-9 * exact) << k;
  }
}

// One pass of Gram-Schmidt would leave 1e-7 of the third column.
TEST(LeaveOneOut, OfADependentColumnIsAsWithoutIt) {
  const arma::mat a = normal_matrix(15, 1, 6, 1), T = normal_matrix(15, 2, 6, 2);
  const arma::mat H = arma::join_rows(a, a + 1e-9 * normal_matrix(15, 1, 6, 3), -3 * a);

  const std::vector<double> errors = leave_one_out_errors(H, T, false);

  EXPECT_NE(errors.at(1), errors.at(0));
  EXPECT_EQ(errors.at(2), errors.at(1));
}

TEST(LeaveOneOut, OfTooFewSamplesIsEmpty) {
  EXPECT_TRUE(leave_one_out_errors(arma::mat(1, 3, arma::fill::ones), arma::mat(1, 1), false).empty());
  EXPECT_TRUE(leave_one_out_errors(arma::mat(2, 3, arma::fill::ones), arma::mat(2, 1), true).empty());
  EXPECT_EQ(leave_one_out_errors(normal_matrix(2, 3, 6, 1), normal_matrix(2, 1, 6, 2), false).size(), 1u);
}

TEST(ChooseSize, ByBothRules) {
  const double inf = arma::datum::inf;
  const auto global = [](const std::vector<double>& errors) { return choose_size(errors, SizeRule::global_minimum); };
  const auto down = [](const std::vector<double>& errors) { return choose_size(errors, SizeRule::first_increase); };

  EXPECT_EQ(global({5, 2, 4, 1, 3}), 4u);
  EXPECT_EQ(down({5, 2, 4, 1, 3}), 4u);
  EXPECT_EQ(global({5, 0, 4, 1, 3}), 2u);
  EXPECT_EQ(down({5, 0, 4, 1, 3}), 4u) << "from 1 to 4 it would rise";
  EXPECT_EQ(down({1, 2, 3}), 1u);
  EXPECT_EQ(down({3, 2, 1}), 3u);
  EXPECT_EQ(global({3, 1, 1}), 2u) << "the smaller of two";
  EXPECT_EQ(down({3, 1, 1}), 2u) << "what does not rise is deleted";
  EXPECT_EQ(down({3, 1, inf, inf}), 2u);
  EXPECT_EQ(global({7}), 1u);
  EXPECT_EQ(down({7}), 1u);
  EXPECT_NE(thrown<std::logic_error>([&] { global({}); }), "");
}

struct OpElmCase {
  uword n, L, C;
  OpElmOptions options;
};

void PrintTo(const OpElmCase& one, std::ostream* out) {
  *out << one.n << "x" << one.L << "x" << one.C << (one.options.least_angle ? "_mrsr" : "_greedy")
       << (one.options.standardise ? "_standardised" : "") << (one.options.bias ? "_bias" : "")
       << (one.options.size == SizeRule::global_minimum ? "" : "_down");
}

class OpElm : public testing::TestWithParam<OpElmCase> {};

std::vector<OpElmCase> cases() {
  std::vector<OpElmCase> all;
  for (const auto& [n, L, C] : std::vector<std::array<uword, 3>>{{24, 10, 2}, {10, 40, 3}, {3, 6, 1}}) {
    for (const bool least_angle : {false, true}) {
      for (const bool bias : {false, true}) {
        for (const SizeRule size : {SizeRule::global_minimum, SizeRule::first_increase})
          all.push_back({n, L, C, {least_angle, least_angle, bias, size}});
      }
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Each, OpElm, testing::ValuesIn(cases()));

// Nodes that helped: targets of three of them and noise.
TEST_P(OpElm, RanksChoosesAndFits) {
  const auto [n, L, C, options] = GetParam();
  const arma::mat H = normal_matrix(n, L, 6, 1) + 1,
                  T = H.cols(2, 4) * normal_matrix(3, C, 6, 3) + 2 + 0.3 * normal_matrix(n, C, 6, 2);
  OpElmFit fit;

  ASSERT_EQ(train_op_elm(H, T, options, fit), Status::ok);

  const arma::mat ranked_H = options.standardise ? standardised(H) : H,
                  ranked_T = options.standardise ? standardised(T) : T;
  const std::vector<uword> order =
      (options.least_angle ? rank_by_mrsr(ranked_H, ranked_T) : rank_greedily(ranked_H, ranked_T)).order;
  std::vector<double> errors;
  for (uword k = 1; k <= std::min<uword>(order.size(), n - (options.bias ? 2 : 1)); ++k) {
    errors.push_back(left_out_by_brute_force(H.cols(arma::uvec(order).head(k)), T, options.bias));
  }
  const uword size = choose_size(errors, options.size);
  const arma::uvec nodes = arma::sort(arma::uvec(arma::uvec(order).head(size)));
  EXPECT_TRUE(identical(fit.active, nodes));
  EXPECT_NEAR(fit.loo, errors[size - 1], 1e-8 * errors[size - 1]);
  EXPECT_EQ(arma::size(fit.W), arma::size(size, C));
  EXPECT_EQ(fit.bias.n_elem, options.bias ? C : 0);
  const arma::mat W = options.bias ? arma::mat(arma::join_cols(fit.W, fit.bias)) : fit.W;
  EXPECT_LE(ridge_backward_error(with_ones(H.cols(nodes), options.bias), T, 0, W), tolerance(n, L))
      << "least squares on the nodes as they are";
}

TEST(OpElm, NeedsThreeSamples) {
  OpElmFit fit;

  EXPECT_EQ(train_op_elm(normal_matrix(2, 5, 6, 1), normal_matrix(2, 1, 6, 2), {}, fit), Status::too_few_samples);
  EXPECT_EQ(train_op_elm(normal_matrix(3, 5, 6, 1), normal_matrix(3, 1, 6, 2), {}, fit), Status::ok);
}

TEST(OpElm, WithoutAUsableNodeSaysSo) {
  OpElmFit fit;
  OpElmOptions standardise;
  standardise.standardise = true;

  EXPECT_EQ(train_op_elm(arma::mat(5, 3, arma::fill::zeros), normal_matrix(5, 1, 6, 2), {}, fit), Status::all_pruned);
  EXPECT_EQ(train_op_elm(arma::mat(5, 3, arma::fill::ones), normal_matrix(5, 1, 6, 2), standardise, fit),
            Status::all_pruned);
}

TEST(OpElm, RefusesWhatIsNotANumber) {
  arma::mat H = normal_matrix(8, 3, 6, 1), T = normal_matrix(8, 1, 6, 2);
  OpElmFit fit;
  T(3) = arma::datum::nan;
  EXPECT_NE(train_op_elm(H, T, {}, fit), Status::ok);
  H(2, 2) = arma::datum::inf;
  EXPECT_EQ(train_op_elm(H, normal_matrix(8, 1, 6, 2), {}, fit), Status::not_finite);
}

TEST(OpElm, RefusesWrongShapes) {
  OpElmFit fit;

  EXPECT_NE(
      thrown<std::logic_error>([&] { static_cast<void>(train_op_elm(arma::mat(4, 2), arma::mat(5, 1), {}, fit)); }),
      "");
}

}  // namespace
}  // namespace elmx
