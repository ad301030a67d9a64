#include <gtest/gtest.h>

#include "base/machine/shared_work.hpp"
#include "models/s3elm/s3elm_by_definition.hpp"

namespace elmx::s3elm_by_definition {
namespace {

struct Failing {
  const char* algorithm;
  const char* grid;  ///< its first point fails
  const char* rest;
  Status status;
};

void PrintTo(const Failing& failing, std::ostream* out) { *out << failing.algorithm << " " << failing.grid; }

class S3elmFailure : public testing::TestWithParam<Failing> {};

INSTANTIATE_TEST_SUITE_P(Each, S3elmFailure,
                         testing::Values(Failing{"elm", R"({"elm": {"gamma": [1e-310, 2, 4]}})",
                                                 R"({"elm": {"gamma": [2, 4]}})", Status::not_positive_definite},
                                         Failing{"selm", R"({"selm": {"lambda": [1e308, 0.2, 0.1]}})",
                                                 R"({"selm": {"lambda": [0.2, 0.1]}})", Status::not_finite},
                                         Failing{"s3elm", R"({"s3elm": {"mu": [1e-9, 0.4], "epsilon": 0}})",
                                                 R"({"s3elm": {"mu": [0.4], "epsilon": 0}})", Status::all_pruned}));

TEST_P(S3elmFailure, OfAPointDoesNotHurtTheOthers) {
  const Moons moons;

  const auto points = run(model(GetParam().grid), moons.fold(), GetParam().algorithm);
  const auto rest = run(model(GetParam().rest), moons.fold(), GetParam().algorithm);

  ASSERT_EQ(points.size(), rest.size() + 1);
  EXPECT_EQ(points[0].status, GetParam().status);
  EXPECT_FALSE(points[0].parameters.empty());
  EXPECT_EQ(points[0].nodes, 12u);
  EXPECT_TRUE(points[0].train_output.is_empty() && points[0].test_output.is_empty() &&
              points[0].unlabelled_output.is_empty());
  EXPECT_TRUE(points[0].diagnostics.empty());
  for (std::size_t i = 0; i < rest.size(); ++i) {
    Checkpoint same = rest[i];
    same.trace = points[i + 1].trace;
    EXPECT_TRUE(same_results(same, points[i + 1])) << i;
  }
}

TEST_P(S3elmFailure, OfAPointIsNotChosen) {
  S3elmModelOptions options = model(GetParam().grid);
  options.cross_validation = 2;

  const auto points = run(options, Moons().fold(), GetParam().algorithm);

  ASSERT_EQ(points.back().chosen, "cross validation");
  EXPECT_EQ(points.back().status, Status::ok);
  EXPECT_NE(points.back().parameters, points[0].parameters);
}

// Whatever the others are worth: two samples of a class that are dealt out so that the two parts contradict
// each other are all named wrongly, and a point that failed has no errors at all.
TEST(S3elmFailure, OfAPointIsNotChosenWhereTheOthersAreAllWrong) {
  Moons moons;
  const arma::uvec corners{3, 8, 11, 14};  // classes 1, 0, 1, 0
  for (const uword i : {3u, 8u}) moons.X.row(i) = arma::rowvec{2, 1};
  for (const uword i : {11u, 14u}) moons.X.row(i) = arma::rowvec{-1, -0.5};
  moons.label(corners);
  S3elmModelOptions options = model(R"({"elm": {"gamma": [1e-310, 2]}})");
  options.cross_validation = 2;
  for (std::uint32_t repeat = 0; repeat < 20; ++repeat) {
    const auto points = run(options, moons.fold(), "elm", Rng(5, Purpose::layer, repeat));

    ASSERT_EQ(points.back().chosen, "cross validation");
    EXPECT_EQ(points.back().status, Status::ok) << repeat;
  }
}

// Nothing can be made of hidden outputs that are infinite, or all zero.
TEST(S3elmFailure, OfTheHiddenOutputsIsThatOfEveryPoint) {
  const Moons moons;
  for (const auto& [nodes, selm, elm] : std::vector<std::tuple<std::string, Status, Status>>{
           {R"("activation": "linear", "weights": [-1e308, 1e308])", Status::not_finite, Status::not_positive_definite},
           {R"("activation": "relu", "weights": [0, 0], "biases": [-1, -1])", Status::all_pruned, Status::ok}}) {
    const S3elmModelOptions options = model(
        "{" + nodes + R"(, "cross_validation": 2, "selm": {"lambda": [0.1, 0.2]}, "s3elm": {"mu": [0.1, 0.2, 0.4]}})");
    for (const auto& [algorithm, count, status] : std::vector<std::tuple<std::string, std::size_t, Status>>{
             {"elm", 1, elm}, {"op-elm", 1, selm}, {"selm", 3, selm}, {"s3elm", 4, selm}}) {
      SharedWork work(1e9);
      const auto points = run(options, moons.fold(&work), algorithm);

      ASSERT_EQ(points.size(), count) << algorithm;
      for (const Checkpoint& point : points) EXPECT_EQ(point.status, status) << algorithm << " " << nodes;
    }
  }
}

}  // namespace
}  // namespace elmx::s3elm_by_definition
