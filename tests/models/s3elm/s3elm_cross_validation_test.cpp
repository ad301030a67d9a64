#include <gtest/gtest.h>

#include <set>

#include "models/s3elm/s3elm_by_definition.hpp"

namespace elmx::s3elm_by_definition {
namespace {

/// The places of n labelled samples dealt out as cross validation deals them: the samples of each class in a
/// random order, in turn.
std::vector<arma::uvec> dealt_out(const arma::uvec& classes, std::size_t parts, const Rng& rng) {
  std::vector<std::vector<uword>> held(parts);
  for (const uword label : {0u, 1u}) {
    std::size_t next = 0;
    for (const std::uint64_t i : rng.with(Purpose::validation).permutation(classes.n_elem)) {
      if (classes(i) == label) held[next++ % parts].push_back(i);
    }
  }
  std::vector<arma::uvec> all;
  for (const auto& part : held) all.push_back(arma::sort(arma::uvec(part)));
  return all;
}

struct Preference {
  uword best = 0;
  bool by_squared_error = false;  ///< points were equal in accuracy
};

/// The point that cross validation prefers: right classes of the samples held out, then the squared error,
/// then the first.
Preference preferred(const Judge& judge, const FoldView& fold, const std::string& algorithm,
                     const std::vector<std::map<std::string, double>>& grid, const std::vector<arma::uvec>& parts) {
  arma::vec right(grid.size(), arma::fill::zeros), squares(grid.size(), arma::fill::zeros);
  const double middle = (fold.targets.min() + fold.targets.max()) / 2;
  for (uword k = 0; k < grid.size(); ++k) {
    for (const arma::uvec& held : parts) {
      arma::uvec part = judge.everyone();
      part.shed_rows(held);
      const arma::mat Z = judge.output(judge.train(algorithm, grid[k], part), arma::uvec(fold.train.rows.elem(held))),
                      T = fold.targets.rows(held);
      for (uword i = 0; i < Z.n_rows; ++i) {
        right(k) +=
            Z.n_cols == 1 ? (Z(i, 0) > middle) == (T(i, 0) > middle) : Z.row(i).index_max() == T.row(i).index_max();
      }
      squares(k) += arma::accu(arma::square(Z - T));
    }
  }
  const arma::uvec equals = arma::find(right == right.max());
  return {equals(arma::vec(squares.elem(equals)).index_min()), equals.n_elem > 1};
}

class S3elmCrossValidation : public testing::TestWithParam<Setting> {};

INSTANTIATE_TEST_SUITE_P(
    Each, S3elmCrossValidation,
    testing::Values(
        Setting{"elm", R"({"elm": {"gamma": [0.25, 16, 256, 4096]}})"},                                        //
        Setting{"selm", R"({"selm": {"lambda": [0.1, 0.9]}, "graph": {"sigma": [64, 1, 0.1]}})"},              //
        Setting{"selm", R"({"selm": {"lambda": [0.1, 0.9], "form": "exact"}, "graph": {"sigma": [64, 1]}})"},  //
        Setting{"s3elm", R"({"s3elm": {"mu": [0.9, 0.1]}, "graph": {"sigma": [64, 1, 0.1]}})"},                //
        Setting{"s3elm", R"({"s3elm": {"mu": [0.9, 0.3, 0.1]}, "graph": {"sigma": [64, 1]}})"},                //
        Setting{"s3elm",
                R"({"s3elm": {"mu": [0.9, 0.1], "start": "padded", "iterations": 3}, "graph": {"sigma": [64, 1]}})"},
        Setting{"s3elm",
                R"({"s3elm": {"mu": [0.9, 0.1], "start": "ridge", "iterations": 3}, "graph": {"sigma": [64, 1]}})"},
        Setting{"s3elm", R"({"s3elm": {"mu": [0.9, 0.1], "variant": "hw_equals_y"}, "graph": {"sigma": [64, 1]}})"}));

TEST_P(S3elmCrossValidation, ChoosesThePointThatExplicitCrossValidationPrefers) {
  Moons moons;
  std::set<uword> chosen;
  bool ties = false;
  for (const auto& [labelled, wanted, parts] :
       std::vector<std::tuple<arma::uvec, uword, uword>>{{moons.labelled, 2, 2},
                                                         {moons.labelled, 9, 4},
                                                         {{1, 2, 9, 10, 17, 23, 29, 30, 33, 39}, 3, 3},
                                                         {{1, 2, 9, 10, 17, 23, 29, 33, 39}, 1000, 2}}) {
    moons.label(labelled);
    std::uint32_t repeat = 0;
    for (const FoldView& fold : {moons.fold(), moons.in_one_column(0, 1), moons.in_one_column(-3, 0.5)}) {
      const Rng rng(7, Purpose::layer, ++repeat);
      S3elmModelOptions options = model(GetParam().changes);
      const auto grid = grid_of(options, GetParam().algorithm);
      const Judge judge(options, fold, rng);
      const Preference exact =
          preferred(judge, fold, GetParam().algorithm, grid, dealt_out(moons.classes.elem(labelled), parts, rng));
      chosen.insert(exact.best);
      ties = ties || exact.by_squared_error;

      options.cross_validation = wanted;
      const auto points = run(options, fold, GetParam().algorithm, rng);

      ASSERT_EQ(points.size(), grid.size() + 1);
      EXPECT_EQ(points.back().chosen, "cross validation");
      EXPECT_EQ(points.back().parameters, grid[exact.best])
          << labelled.n_elem << " labelled, " << parts << " parts, " << repeat;
      Checkpoint same = points[exact.best];
      same.chosen = points.back().chosen;
      same.trace = points.back().trace;
      EXPECT_TRUE(same_results(same, points.back()));
    }
  }
  EXPECT_GE(chosen.size(), 2u) << "else the first would always do";
  EXPECT_TRUE(ties);
}

TEST(S3elmCrossValidation, NoPointIsChosenWhereThereIsNothingToCompare) {
  const char* grids =
      R"({"cross_validation": 2, "elm": {"gamma": [1, 2]}, "selm": {"lambda": [0.1, 0.2]}, "s3elm": {"mu": [0.1, 0.2]}})";
  const char* points = R"({"cross_validation": 2})";
  Moons moons;
  for (const char* algorithm : {"elm", "selm", "s3elm"}) {
    const auto last = [&](const S3elmModelOptions& options) {
      return run(options, moons.fold(), algorithm).back().chosen;
    };
    S3elmModelOptions without = model(grids);
    without.cross_validation = 0;
    moons.label(Moons().labelled);

    EXPECT_EQ(last(model(grids)), "cross validation");
    EXPECT_EQ(last(without), "");
    EXPECT_EQ(last(model(points)), "") << "one point";
    moons.label({3, 8, 11, 21});
    EXPECT_EQ(last(model(grids)), "") << "one labelled sample of a class";
    moons.label({3, 11, 21});
    EXPECT_EQ(last(model(grids)), "cross validation") << "a class that has no labelled sample is none";
  }
  EXPECT_EQ(run(model(grids), moons.fold(), "op-elm").size(), 1u) << "it has no grid";
}

// The points do not depend on whether they are compared.
TEST(S3elmCrossValidation, LeavesThePointsAsTheyAre) {
  const Moons moons;
  for (const char* algorithm : {"elm", "selm", "s3elm"}) {
    S3elmModelOptions options = model(
        R"({"elm": {"gamma": [1, 2]}, "selm": {"lambda": [0.1, 0.2]}, "s3elm": {"mu": [0.1, 0.2]}, "graph": {"sigma": [1, 8]}})");
    const auto alone = run(options, moons.fold(), algorithm);
    options.cross_validation = 3;

    auto compared = run(options, moons.fold(), algorithm);

    compared.pop_back();
    EXPECT_TRUE(same_results(alone, compared)) << algorithm;
  }
}

}  // namespace
}  // namespace elmx::s3elm_by_definition
