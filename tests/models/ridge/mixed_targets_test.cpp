#include <gtest/gtest.h>

#include "models/registry/registry.hpp"
#include "support/judge.hpp"
#include "support/models.hpp"
#include "support/problem.hpp"

// Where weights are in double, targets are too: a ridge solution is linear in its targets, down to changes
// that single precision does not see.

namespace elmx {
namespace {

const Json kMixed = "mixed", kWideGram = {{"features", "single"}, {"gram", "double"}, {"solve", "double"}};

struct MixedTargetsCase {
  const char* name;
  Json precision;
  const char* algorithm;
  bool weighted;
};

void PrintTo(const MixedTargetsCase& one, std::ostream* out) { *out << one.name; }

class MixedTargets : public testing::TestWithParam<MixedTargetsCase> {
 protected:
  static constexpr uword kSamples = 60;

  /// The only checkpoint of a network that is trained for targets Y: 60 x 2.
  Checkpoint trained(const arma::mat& Y) const {
    const arma::uvec rows = arma::regspace<arma::uvec>(0, kSamples - 1);
    const Json model = {{"family", "elm"},
                        {"algorithms", {GetParam().algorithm}},
                        {"precision", GetParam().precision},
                        {"nodes", 12},
                        {"ridge", 1e-3},
                        {"reference", "qr"},
                        {"leave_one_out", true}};
    const Scaler none = Scaler::fit("none", X_, rows);
    FoldView fold{{X_, rows, none}, {X_, rows, none}, Y, {X_, {}, none}};
    if (GetParam().weighted) fold.sample_weights = 0.1 + arma::linspace(0, 3, kSamples);
    const auto trainer = family_of(model, "/model").prepare({parsed(model)}, std::move(fold), Rng(1, Purpose::layer));
    Checkpoint last;
    FakeClock clock;
    trainer->train(GetParam().algorithm, clock, [&](const Checkpoint& point) { last = point; });
    EXPECT_EQ(last.status, Status::ok);
    return last;
  }

  arma::mat X_ = normal_matrix(kSamples, 3, 3), Y_ = normal_matrix(kSamples, 2, 4) + 1.0 / 3,
            change_ = std::ldexp(1.0, -30) * normal_matrix(kSamples, 2, 5);
};

INSTANTIATE_TEST_SUITE_P(Each, MixedTargets,
                         testing::Values(MixedTargetsCase{"mixed", kMixed, "panel", false},
                                         MixedTargetsCase{"mixed, weighted", kMixed, "standard", true},
                                         MixedTargetsCase{"wide Gram matrix", kWideGram, "standard", false},
                                         MixedTargetsCase{"wide Gram matrix, weighted", kWideGram, "standard", true}));

TEST_P(MixedTargets, ChangesBelowSinglePrecisionReachTheOutputs) {
  const arma::mat expected = trained(change_).train_output,
                  found = trained(Y_ + change_).train_output - trained(Y_).train_output;
  EXPECT_LE(relative_difference(found, expected), 1e-3);
}

TEST_P(MixedTargets, WeightErrorIsThatOfTheProblemOfTheTargets) {
  const Checkpoint point = trained(Y_);
  EXPECT_LE(point.diagnostics.at("backward_error"), 1e-15);
  EXPECT_LE(point.diagnostics.at("output_error_train"), 1e-9 * arma::norm(point.train_output, "fro"));
}

TEST_P(MixedTargets, LeaveOneOutErrorsAreLinearInTheTargets) {
  const Checkpoint changed = trained(Y_ + change_), before = trained(Y_), of_change = trained(change_);
  ASSERT_FALSE(changed.leverages.h.is_empty());
  const arma::mat left = arma::repmat(1 - changed.leverages.h, 1, 2);
  const arma::mat found = (Y_ + change_ - changed.train_output) / left - (Y_ - before.train_output) / left,
                  expected = (change_ - of_change.train_output) / left;
  EXPECT_LE(relative_difference(found, expected), 1e-3);
}

}  // namespace
}  // namespace elmx
