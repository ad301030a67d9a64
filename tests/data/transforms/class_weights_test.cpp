#include <gtest/gtest.h>

#include "data/transforms/targets.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

Dataset three_classes() {
  Dataset data;
  data.name = "made";
  data.task = Task::classification;
  data.classes = {"no", "perhaps", "yes"};
  data.labels = {0, 0, 0, 0, 2, 1, 1, 2};
  return data;
}

// Of rows 0 to 4 four are "no", one is "yes" and none is "perhaps": 5 / (2 * 4) and 5 / (2 * 1).
TEST(ClassWeights, BalancedMakeEachClassOfTheTrainingPartCountAlike) {
  const arma::vec weights = class_weights("balanced", three_classes(), {0, 1, 2, 3, 4});

  EXPECT_DOUBLE_EQ(weights(0), 0.625);
  EXPECT_DOUBLE_EQ(weights(1), 1) << "there is none to count";
  EXPECT_DOUBLE_EQ(weights(2), 2.5);
  EXPECT_DOUBLE_EQ(4 * weights(0) + weights(2), 5) << "in the mean 1";
}

TEST(ClassWeights, ToldAreTakenAndTheOthersAreOne) {
  const arma::vec weights = class_weights({{"yes", 3}, {"no", 0.5}}, three_classes(), {0, 4});

  EXPECT_EQ(weights(0), 0.5);
  EXPECT_EQ(weights(1), 1);
  EXPECT_EQ(weights(2), 3);
}

TEST(ClassWeights, OfSamplesAreThoseOfTheirClassFittedOnTheTrainingPart) {
  const Dataset data = three_classes();
  TargetOptions options;
  options.class_weights = "balanced";
  const Targets targets(data, options, {0, 1, 2, 3, 4});

  const arma::vec weights = targets.sample_weights({7, 0, 5});

  EXPECT_DOUBLE_EQ(weights(0), 2.5);
  EXPECT_DOUBLE_EQ(weights(1), 0.625);
  EXPECT_DOUBLE_EQ(weights(2), 1);
  EXPECT_TRUE(Targets(data, {}, {0, 1}).sample_weights({0, 1}).is_empty());
}

TEST(ClassWeights, AreRefusedWithTheirPlace) {
  const auto refused_at = [](const Json& option, const Dataset& data) {
    return place_thrown<ConfigError>([&] { class_weights(option, data, {0}); });
  };
  Dataset numbers;
  numbers.name = "airfoil";
  numbers.Y = arma::ones(1, 1);

  for (const Json& option : {Json{{"yess", 3}}, Json{{"maybe not", 3}}, Json("balance"), Json(3)})
    EXPECT_EQ(refused_at(option, three_classes()), "class_weights") << option;
  EXPECT_EQ(refused_at("balanced", numbers), "class_weights");
  EXPECT_EQ(refused_at({{"yes", 0}}, three_classes()), "class_weights/yes");
  EXPECT_NE(thrown<ConfigError>([] {
              class_weights({{"yess", 3}}, three_classes(), {0});
            }).find("\"yes\""),
            std::string::npos);
}

}  // namespace
}  // namespace elmx
