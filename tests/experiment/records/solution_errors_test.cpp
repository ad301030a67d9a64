#include <gtest/gtest.h>

#include "experiment/records/record.hpp"
#include "support/configs.hpp"
#include "support/records.hpp"

namespace elmx {
namespace {

std::size_t inaccurate(const std::string& family, const std::string& algorithm, std::map<std::string, double> metrics,
                       const std::vector<CaseSpec>& specs = {}) {
  Record record = one_step_record("", algorithm, 0, 10, std::move(metrics));
  record.family = family;
  return solution_errors({record}, specs).inaccurate();
}

// dec has an elm, too: the minimum-norm solution, which is not the solution of a ridge problem.
TEST(SolutionErrors, AnAlgorithmIsThatOfItsFamily) {
  EXPECT_EQ(inaccurate("s3elm", "elm", {{"backward_error", 1}}), 1u);
  EXPECT_EQ(inaccurate("dec", "elm", {{"backward_error", 1}}), 0u);
  EXPECT_EQ(inaccurate("bls", "orig", {{"backward_error", 1}}), 0u);
  EXPECT_THROW(inaccurate("elm", "lbfgs", {}), std::logic_error);
}

// A training by decomposition ends with the minimum over output weights, unless an option disables it.
TEST(SolutionErrors, OutputWeightsThatAreNoMinimumAreNotJudgedByIt) {
  const auto counted = [](Json dec) {
    Json config = smallest_config();
    config["model"] = {{"family", "dec"}, {"algorithms", {"dec", "relm"}}, {"nodes", {5}}, {"dec", std::move(dec)}};
    const std::vector<CaseSpec> specs = expand(config);
    const bool iterates = config["model"]["dec"].value("lambda_solver", "") == "cg";
    EXPECT_EQ(inaccurate("dec", "relm", {{"backward_error", 1}}, specs), iterates ? 0u : 1u) << config["model"]["dec"];
    return inaccurate("dec", "dec", {{"backward_error", 1e-6}}, specs);
  };

  EXPECT_EQ(counted(Json::object()), 1u);
  for (const char* scheme : {"cycle_no_lambda", "two_block", "elm"}) EXPECT_EQ(counted({{"scheme", scheme}}), 1u);
  for (const char* scheme : {"dec_no_full", "block_lambda"}) {
    EXPECT_EQ(counted({{"scheme", scheme}, {"block", 3}}), 0u) << scheme;
  }
  EXPECT_EQ(counted({{"scheme", "block_lambda"}, {"block", 5}}), 1u) << "one block of all";
  EXPECT_EQ(counted({{"counts", "inner_pass"}}), 0u);
  EXPECT_EQ(counted({{"lambda_solver", "cg"}}), 0u);
}

TEST(SolutionErrors, HalfTheDigitsAreLostAboveTheRootOfThePrecision) {
  EXPECT_EQ(inaccurate("elm", "panel", {{"backward_error", 1.4e-8}}), 0u);
  EXPECT_EQ(inaccurate("elm", "panel", {{"backward_error", 1.6e-8}}), 1u);
  EXPECT_EQ(inaccurate("elm", "panel", {{"test_mse", 1}}), 1u) << "nobody knows";

  Json config = smallest_config();
  config["model"]["precision"] = "single";
  EXPECT_EQ(inaccurate("elm", "panel", {{"backward_error", 1.6e-8}}, expand(config)), 0u);
}

}  // namespace
}  // namespace elmx
