#include "models/s3elm/semi_supervised.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace elmx {
namespace {

/// One 1 in each row: the samples of class 0 first; the last class has `of_last`.
arma::mat codes(arma::uword C, arma::uword of_each, arma::uword of_last) {
  arma::mat targets((C - 1) * of_each + of_last, C, arma::fill::zeros);
  for (arma::uword i = 0; i < targets.n_rows; ++i) targets(i, std::min(i / of_each, C - 1)) = 1;
  return targets;
}

TEST(LabelledParts, HoldEachSampleOutOnceAndEachClassInEachPart) {
  const arma::mat targets = codes(3, 7, 4);
  const std::vector<LabelledPart> parts = labelled_parts(targets, 3, Rng(1, Purpose::validation));

  ASSERT_EQ(parts.size(), 4u);
  EXPECT_EQ(parts[0].train.n_elem, targets.n_rows);
  EXPECT_TRUE(parts[0].held_out.is_empty());
  std::multiset<arma::uword> held_out;
  for (std::size_t k = 1; k < parts.size(); ++k) {
    std::set<arma::uword> both(parts[k].train.begin(), parts[k].train.end());
    both.insert(parts[k].held_out.begin(), parts[k].held_out.end());
    EXPECT_EQ(both.size(), targets.n_rows);
    EXPECT_EQ(parts[k].train.n_elem + parts[k].held_out.n_elem, targets.n_rows);
    EXPECT_GT(arma::sum(targets.rows(parts[k].held_out)).min(), 0);
    EXPECT_GT(arma::sum(targets.rows(parts[k].train)).min(), 0);
    held_out.insert(parts[k].held_out.begin(), parts[k].held_out.end());
  }
  EXPECT_EQ(held_out.size(), targets.n_rows);
  EXPECT_EQ(std::set<arma::uword>(held_out.begin(), held_out.end()).size(), targets.n_rows);
}

TEST(LabelledParts, AreAsManyAsTheSmallestClassHasSamples) {
  EXPECT_EQ(labelled_parts(codes(2, 5, 3), 5, Rng(1, Purpose::validation)).size(), 4u);
  EXPECT_EQ(labelled_parts(codes(2, 5, 1), 5, Rng(1, Purpose::validation)).size(), 1u);
}

TEST(LabelledParts, AScorePrefersMoreRightThenLessErrorAndWhatDidNotFail) {
  const arma::mat targets = codes(2, 2, 2);
  HeldOutScore all, three, near, failed;
  all.add(3 * targets, targets, 0.5);
  EXPECT_EQ(all.right, 4u);
  arma::mat Z = 3 * targets;
  Z(0, 1) = 4;
  three.add(Z, targets, 0.5);
  EXPECT_EQ(three.right, 3u);
  near.add(targets, targets, 0.5);
  failed.failed = true;

  EXPECT_TRUE(all.better_than(three));
  EXPECT_TRUE(near.better_than(all));
  EXPECT_FALSE(all.better_than(near));
  EXPECT_TRUE(three.better_than(failed));
  EXPECT_FALSE(failed.better_than(three));

  HeldOutScore one_column;  // -1 | 1, the middle 0
  one_column.add(arma::vec{-0.2, 0.1, -0.3}, arma::vec{-1, 1, 1}, 0);
  EXPECT_EQ(one_column.right, 2u);
}

}  // namespace
}  // namespace elmx
