#include <gtest/gtest.h>

#include "published/paper.hpp"
#include "support/configs.hpp"

namespace elmx {
namespace {

TEST(DataSizes, AreThoseOfTheDataAndOfItsSplit) {
  Json config = small_config();
  config["split"] = {{"kind", "one_holdout"}, {"test_samples", 13}};
  config.erase("model");

  const std::vector<Record> records = sizes_of_data(make_plan(config, "no data directory"));

  ASSERT_EQ(records.size(), 2u);
  for (const Record& record : records) {
    const double features = record.dataset == "friedman1" ? 10 : 2;
    EXPECT_EQ(record.algorithm, "standard");
    EXPECT_EQ(record.steps.at(0).metrics,
              (std::map<std::string, double>{{"features", features}, {"train_samples", 47}, {"test_samples", 13}}));
  }
  EXPECT_EQ(records[0].experiment_case, records[0].dataset == "friedman1" ? "regression" : "classification");
}

}  // namespace
}  // namespace elmx
