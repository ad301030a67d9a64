#include <gtest/gtest.h>

#include "experiment/plan/plan.hpp"
#include "experiment/run/fold_trainer.hpp"
#include "support/configs.hpp"

namespace elmx {
namespace {

/// One task of a config, and its records.
struct Task {
  explicit Task(const Json& config) : plan(make_plan(config, "no data directory")), data(*plan.cases[0].data) {}

  FoldTask fold_task() const {
    const PlannedCase& c = plan.cases[0];
    return {&c.specs, &data, c.folds[0][0], 0, 0, c.spec().model->algorithms};
  }
  std::vector<Record> records(const std::function<bool()>& stopped = [] { return false; }) const {
    FakeClock clock;
    std::vector<Record> all;
    run_task(fold_task(), clock, stopped, [&](Record record) { all.push_back(std::move(record)); });
    return all;
  }

  Plan plan;
  Dataset data;
};

TEST(RunTask, ReportsEverySizeOfEveryAlgorithm) {
  const auto records = Task(small_config()).records();

  ASSERT_EQ(records.size(), 3u);
  for (const Record& record : records) {
    EXPECT_TRUE(record.status.ok());
    EXPECT_EQ(record.experiment_case, "regression");
    EXPECT_EQ(record.dataset, "friedman1");
    ASSERT_EQ(record.steps.size(), 2u);
    EXPECT_EQ(record.steps[0].nodes, 3u);
    EXPECT_EQ(record.steps[1].nodes, 12u);
    for (const char* metric : {"train_mse", "test_mse", "weight_error", "backward_error"}) {
      EXPECT_TRUE(record.steps[1].metrics.contains(metric)) << metric;
    }
    EXPECT_GT(record.steps[1].total_seconds, 0);
  }
}

TEST(RunTask, NoAlgorithmIsBegunOnceStopped) {
  int asked = 0;
  EXPECT_EQ(Task(small_config()).records([&] { return ++asked > 1; }).size(), 1u);
}

TEST(RunTask, NothingIsFittedToTheTestPart) {
  Task task(small_config());
  const auto before = task.records();
  for (const arma::uword row : task.fold_task().fold.test) {
    task.data.X.row(row) *= 1e3;
    task.data.Y.row(row) += 1e3;
  }

  const auto after = task.records();

  for (std::size_t i = 0; i < before.size(); ++i) {
    for (const char* metric : {"train_mse", "weight_error", "backward_error", "condition"}) {
      EXPECT_EQ(before[i].steps[1].metrics.at(metric), after[i].steps[1].metrics.at(metric)) << metric;
    }
    EXPECT_NE(before[i].steps[1].metrics.at("test_mse"), after[i].steps[1].metrics.at("test_mse"));
  }
}

TEST(RunTask, WhatFailsIsAStatusAndTheOthersGoOn) {
  Json config = small_config();
  config["model"]["activation"] = "hardlim";
  config["model"]["ridge"] = 0;
  config["model"]["algorithms"] = {"alg2", "standard"};
  config["cases"]["regression"]["data"]["samples"] = 8;

  const auto records = Task(config).records();

  ASSERT_EQ(records.size(), 2u);
  std::size_t failed = 0;
  for (const Record& record : records) {
    EXPECT_FALSE(record.steps.empty());
    for (const StepRecord& step : record.steps)
      EXPECT_TRUE(step.status == Status::ok || !step.metrics.contains("test_mse"));
    failed += !record.status.ok();
  }
  EXPECT_GE(failed, 1u);
}

TEST(RunTask, ClassificationHasItsOwnMetrics) {
  Json config = small_config();
  config["cases"].erase("regression");

  const auto records = Task(config).records();

  EXPECT_TRUE(records[0].steps[0].metrics.contains("test_acc"));
  EXPECT_FALSE(records[0].steps[0].metrics.contains("test_mse"));
}

/// A trainer of one size that reports after 2 and after 10 iterations.
class TwoMoments : public Trainer {
 public:
  explicit TwoMoments(const FoldView& fold)
      : train_(fold.targets), test_(fold.test.samples(), fold.targets.n_cols, arma::fill::zeros) {}

  void train(const std::string&, Clock&, const Observer& observe) override {
    for (const arma::uword iterations : {2u, 10u}) {
      Checkpoint point;
      point.nodes = 20;
      point.iterations = iterations;
      point.trace["objective"] = std::vector<double>(iterations, 1.5);
      point.train_output = train_;
      point.test_output = test_;
      observe(point);
    }
  }

 private:
  arma::mat train_, test_;
};

TEST(RunTask, RecordsEveryNumberOfIterationsWithItsTrace) {
  Task task(smallest_config());
  Family family = *task.plan.cases[0].spec().family;
  family.prepare = [](const std::vector<ModelPtr>&, FoldView fold, const Rng&) -> std::unique_ptr<Trainer> {
    return std::make_unique<TwoMoments>(fold);
  };
  task.plan.cases[0].specs[0].family = &family;

  const std::vector<StepRecord> steps = task.records().at(0).steps;

  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].iterations, 2u);
  EXPECT_EQ(steps[1].iterations, 10u);
  EXPECT_EQ(steps[1].trace.at("objective"), std::vector<double>(10, 1.5));
  EXPECT_EQ(steps[1].metrics.at("train_mse"), 0);
}

}  // namespace
}  // namespace elmx
