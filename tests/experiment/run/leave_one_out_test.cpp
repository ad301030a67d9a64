#include "experiment/run/leave_one_out.hpp"

#include <gtest/gtest.h>

#include "experiment/plan/plan.hpp"
#include "experiment/run/fold_trainer.hpp"
#include "support/configs.hpp"
#include "support/problem.hpp"

namespace elmx {
namespace {

Dataset numbers() {
  Dataset data;
  data.Y = {{1, 10}, {2, 30}, {4, 20}};
  return data;
}

Dataset words() {
  Dataset data;
  data.task = Task::classification;
  data.classes = {"a", "b"};
  data.labels = {0, 0, 0, 1};
  return data;
}

Measurements measured_of(const Dataset& data, const TargetOptions& options, const arma::uvec& rows,
                         const Checkpoint& point, const arma::vec& weights = {}) {
  Measurements measured;
  add_leave_one_out(data, Targets(data, options, rows), rows, weights, point, measured);
  return measured;
}

std::map<std::string, double> metrics_of(const Dataset& data, const TargetOptions& options, const arma::uvec& rows,
                                         const Checkpoint& point, const arma::vec& weights = {}) {
  return measured_of(data, options, rows, point, weights).values;
}

/// Returns a checkpoint whose outputs differ from the targets by `errors`.
Checkpoint checkpoint(const arma::mat& targets, const arma::mat& errors, const arma::vec& h, double rounding = 1e-16) {
  Checkpoint point;
  point.train_output = targets - errors;
  point.nodes = 5;
  point.leverages = {h, arma::vec(h.n_elem, arma::fill::value(rounding))};
  point.leverages.columns = 5;
  return point;
}

// e / (1 - h): 1 / 0.5, 2 / 0.8, 3 / 0.75 and the double of each; tr H = 0.95.
TEST(LeaveOneOutMetrics, AreThoseOfTheirFormulas) {
  const Dataset data = numbers();
  const arma::mat errors = {{1, 2}, {2, 4}, {-3, 6}};
  const auto metrics = metrics_of(data, {}, {0, 1, 2}, checkpoint(data.Y, errors, {0.5, 0.2, 0.25}));

  EXPECT_NEAR(metrics.at("dof"), 0.95, 1e-15);
  EXPECT_NEAR(metrics.at("loo_mse"), 5 * (4 + 6.25 + 16) / 6, 1e-12);
  EXPECT_NEAR(metrics.at("gcv"), (3 * 14.0 + 3 * 56.0) / 2 / (2.05 * 2.05), 1e-12)
      << "n ||e||^2 / (n - tr H)^2, mean of the outputs";
  EXPECT_EQ(metrics.count("loo_acc"), 0u);
}

TEST(LeaveOneOutMetrics, AreInTheUnitsOfTheReportedErrors) {
  const Dataset data = numbers();  // ranges 3 and 20
  TargetOptions options;
  options.scale = "zero_one";
  const arma::mat errors = {{1, 0}, {0, 1}, {0, 0}}, scaled = errors * arma::diagmat(arma::vec{1.0 / 3, 1.0 / 20});
  const arma::mat T = Targets(data, options, {0, 1, 2}).encode({0, 1, 2});
  EXPECT_NEAR(metrics_of(data, options, {0, 1, 2}, checkpoint(T, scaled, {0.5, 0.5, 0.5})).at("loo_mse"), 4 * 2.0 / 6,
              1e-12);

  options.units = "scaled";
  EXPECT_NEAR(metrics_of(data, options, {0, 1, 2}, checkpoint(T, scaled, {0.5, 0.5, 0.5})).at("loo_mse"),
              4 * (1.0 / 9 + 1.0 / 400) / 6, 1e-12);
}

TEST(LeaveOneOutMetrics, WeighSquaredErrors) {
  const Dataset data = numbers();
  const arma::mat errors = {{1, 1}, {2, 2}, {0, 0}};
  const auto metrics = metrics_of(data, {}, {0, 1, 2}, checkpoint(data.Y, errors, {0.5, 0.5, 0.5}), {1, 2, 3});

  EXPECT_NEAR(metrics.at("loo_mse"), (1 * 4 + 2 * 16) / 6.0, 1e-12);
  EXPECT_NEAR(metrics.at("gcv"), (1 * 1 + 2 * 4) / 6.0 / 0.25, 1e-12);
}

// Output 0.8 for class a with h = 0.75 is 0.2 without the sample; the single b is correct both times.
TEST(LeaveOneOutMetrics, NameTheClassOfEachSampleWithoutIt) {
  const Dataset data = words();
  const arma::mat T = Targets(data, {}, {0, 1, 2, 3}).encode({0, 1, 2, 3});
  const arma::mat errors = {{0.2, -0.2}, {0.2, -0.2}, {0.1, -0.1}, {-0.1, 0.1}};
  const auto metrics = metrics_of(data, {}, {0, 1, 2, 3}, checkpoint(T, errors, {0.75, 0.1, 0.1, 0.1}));

  EXPECT_DOUBLE_EQ(metrics.at("loo_acc"), 0.75);
  EXPECT_DOUBLE_EQ(metrics.at("loo_bac"), (2.0 / 3 + 1) / 2);
}

TEST(LeaveOneOutMetrics, AreNotAvailableWhereRoundingLeavesNoDigit) {
  const Dataset data = numbers();
  const arma::mat errors(3, 2, arma::fill::value(1e-9));
  const auto one = metrics_of(data, {}, {0, 1, 2}, checkpoint(data.Y, errors, {0.5, 1 - 1e-9, 0.5}, 2e-10));
  const auto all = metrics_of(data, {}, {0, 1, 2}, checkpoint(data.Y, errors, {1, 1, 1}, 1e-15));
  const auto seen = metrics_of(data, {}, {0, 1, 2}, checkpoint(data.Y, errors, {0.5, 1 - 1e-9, 0.5}, 2e-11));

  EXPECT_EQ(one.count("loo_mse"), 0u);
  EXPECT_EQ(one.count("gcv"), 1u) << "the sum has digits left";
  EXPECT_EQ(all.count("gcv"), 0u);
  EXPECT_EQ(all.at("dof"), 3);
  EXPECT_EQ(seen.count("loo_mse"), 1u);
}

TEST(LeaveOneOutMetrics, OfADriftedInverseAreNotAvailableAndSayWhy) {
  const Dataset data = numbers();
  const arma::mat errors = {{1, 2}, {2, 4}, {-3, 6}};
  const auto with_drift = [&](double drift, const arma::vec& h = {0.5, 0.2, 0.25}) {
    Checkpoint point = checkpoint(data.Y, errors, h, 1e-12);
    point.leverages.drift = drift;
    return measured_of(data, {}, {0, 1, 2}, point);
  };
  EXPECT_TRUE(with_drift(0.5).notes.empty());
  EXPECT_TRUE(with_drift(1e6).notes.empty()) << "an error of 1e-6";
  const Measurements some = with_drift(1e9, {0.99, 0.2, 0.25}), all = with_drift(1e11),
                     impossible = with_drift(0.5, {2, 2, 1.5});

  EXPECT_EQ(some.values.size(), 2u) << "0.3 % of tr H, 1 % of each 1 - h but that of 0.01";
  EXPECT_NE(some.notes.at("loo_mse").find("drifted"), std::string::npos);
  EXPECT_EQ(all.values.size(), 0u);
  EXPECT_NE(all.notes.at("dof").find("drifted"), std::string::npos);
  EXPECT_EQ(impossible.values.size(), 0u) << "more degrees of freedom than the five nodes";
  EXPECT_EQ(impossible.notes.size(), 3u);
}

// tr H = 0.95 of 3 samples. An error of 0.012 exceeds 1 % of 0.95, and 2 x 0.012 exceeds 1 % of 2.05.
TEST(LeaveOneOutMetrics, OfASumThatRoundingHasMovedAreNotAvailable) {
  const Dataset data = numbers();
  const arma::mat errors = {{1, 2}, {2, 4}, {-3, 6}};
  const auto with_error = [&](double of_sum) {
    Checkpoint point = checkpoint(data.Y, errors, {0.5, 0.2, 0.25}, 0.01);
    point.leverages.drift = of_sum / 0.03;
    return measured_of(data, {}, {0, 1, 2}, point);
  };
  EXPECT_TRUE(with_error(0.009).notes.empty());
  const Measurements some = with_error(0.01), more = with_error(0.012);

  EXPECT_EQ(some.values.count("dof"), 0u);
  EXPECT_EQ(some.values.count("gcv"), 1u);
  EXPECT_EQ(more.values.count("gcv"), 0u);
  EXPECT_EQ(more.notes.count("gcv"), 1u);
  EXPECT_EQ(more.values.count("loo_mse"), 1u) << "each 1 - h has its digits";
}

TEST(LeaveOneOutMetrics, OfDriftedWeightsAreNotAvailableAndSayWhy) {
  const Dataset data = numbers();
  const arma::mat errors = {{1, 2}, {2, 4}, {-3, 6}};
  const auto refined_by = [&](double part) {
    Checkpoint point = checkpoint(data.Y, errors, {0.5, 0.2, 0.25});
    point.leverages.refined = part * errors;
    return measured_of(data, {}, {0, 1, 2}, point);
  };
  EXPECT_TRUE(refined_by(1e-3).notes.empty());
  const Measurements off = refined_by(0.1);

  EXPECT_EQ(off.values.size(), 1u);
  EXPECT_EQ(off.values.count("dof"), 1u);
  EXPECT_NE(off.notes.at("loo_mse").find("weights"), std::string::npos);
  EXPECT_EQ(off.notes.count("gcv"), 1u);
}

/// Returns the steps of one fold of a regression, by algorithm.
std::map<std::string, StepRecord> steps_of(const std::vector<std::string>& algorithms, const char* set, double ridge,
                                           std::size_t nodes, const char* precision) {
  const Json config = {{"data", {{"set", set}, {"samples", 250}}},
                       {"split", {{"kind", "holdout"}}},
                       {"model",
                        {{"algorithms", algorithms},
                         {"activation", "sigmoid"},
                         {"ridge", ridge},
                         {"leave_one_out", true},
                         {"precision", precision},
                         {"nodes", {{"start", 2}, {"stop", nodes}, {"report", {nodes}}}}}}};
  const Plan plan = make_plan(config, "no data directory");
  const PlannedCase& c = plan.cases.front();
  FakeClock clock;
  std::map<std::string, StepRecord> steps;
  run_task(
      {&c.specs, c.data.get(), c.folds[0][0], 0, 0, c.spec().model->algorithms}, clock, [] { return false; },
      [&](const Record& record) { steps[record.algorithm] = record.steps.at(0); });
  return steps;
}

// panel factorises, which is stable; the recursions of the papers drift. Their numbers are right to the
// stated 1 %, or NA with a reason.
TEST(LeaveOneOutMetrics, AreRightOrNotAvailableWhateverTheSolver) {
  std::size_t lacking = 0;
  for (const char* precision : {"double", "single"}) {
    const bool single = precision[0] == 's';
    // Single precision solves for rounded hidden outputs, which is another problem for ridges below 1e-4.
    for (const double ridge :
         single ? std::vector<double>{1e-1, 1e-2, 1e-3, 1e-4} : std::vector<double>{1e-1, 1e-4, 1e-6, 1e-8}) {
      const std::size_t nodes = single ? 35 : 60;
      const auto exact = steps_of({"panel"}, "friedman1", ridge, nodes, "double").at("panel");
      for (const auto& [name, step] :
           steps_of({"existing", "alg1", "alg2", "alg3", "standard", "panel"}, "friedman1", ridge, nodes, precision)) {
        const std::string where = name + " " + precision + " " + std::to_string(ridge);
        if (step.status != Status::ok) continue;
        for (const std::string metric : {"dof", "gcv", "loo_mse"}) {
          const auto value = step.metrics.find(metric);
          if (value == step.metrics.end()) {
            ++lacking;
            EXPECT_TRUE(step.notes.contains(metric)) << where << " " << metric;
            if (!single) {
              EXPECT_TRUE(name != "panel" && name != "standard") << where << " " << metric << ": drifted?";
            }
          } else {
            EXPECT_NEAR(value->second, exact.metrics.at(metric), 0.02 * exact.metrics.at(metric))
                << where << " " << metric;
          }
        }
        if (step.metrics.contains("dof")) {
          EXPECT_LE(step.metrics.at("dof"), static_cast<double>(nodes)) << where;
        }
      }
    }
  }
  EXPECT_GT(lacking, 0u) << "some of them must have drifted";
}

// lambda is similar to the rounding error of the Gram matrix in single precision, or smaller.
TEST(LeaveOneOutMetrics, InSinglePrecisionAreRightToOnePercentOrNotAvailable) {
  std::size_t shown = 0, lacking = 0;
  for (const std::size_t nodes : {35u, 100u, 150u}) {
    for (const double ridge : {1e-1, 1e-2, 1e-3, 3e-4, 1e-4, 1e-5}) {
      const auto exact = steps_of({"panel"}, "friedman1", ridge, nodes, "double").at("panel");
      for (const auto& [name, step] : steps_of({"standard", "panel"}, "friedman1", ridge, nodes, "single")) {
        if (step.status != Status::ok) continue;
        for (const std::string metric : {"dof", "gcv"}) {
          const auto value = step.metrics.find(metric);
          ++(value == step.metrics.end() ? lacking : shown);
          if (value == step.metrics.end()) continue;
          EXPECT_NEAR(value->second, exact.metrics.at(metric), 0.01 * exact.metrics.at(metric))
              << name << " " << metric << ", " << nodes << " nodes, lambda " << ridge;
        }
      }
    }
  }
  EXPECT_GT(lacking, 0u);
  EXPECT_GT(shown, 20u);
}

// An end-to-end test: a config requests leave-one-out metrics, and the records have them within their
// possible range. The formulas are tested above, leverages in solvers.
TEST(LeaveOneOutMetrics, AreInTheRecordsWhereAConfigAsks) {
  Json config = small_config();
  const auto records_of = [](const Json& from) {
    const Plan plan = make_plan(from, "no data directory");
    FakeClock clock;
    std::vector<Record> all;
    for (const PlannedCase& c : plan.cases) {
      run_task(
          {&c.specs, c.data.get(), c.folds[0][0], 0, 0, c.spec().model->algorithms}, clock, [] { return false; },
          [&](Record record) { all.push_back(std::move(record)); });
    }
    return all;
  };
  for (const Record& record : records_of(config)) EXPECT_EQ(record.steps.at(0).metrics.count("dof"), 0u);
  config["model"]["leave_one_out"] = true;
  for (const Record& record : records_of(config)) {
    for (const StepRecord& step : record.steps) {
      EXPECT_GT(step.metrics.at("dof"), 0) << record.algorithm;
      EXPECT_LT(step.metrics.at("dof"), static_cast<double>(step.nodes));
      EXPECT_EQ(step.metrics.count("loo_acc"), record.experiment_case == "classification" ? 1u : 0u);
      EXPECT_GT(step.metrics.at("loo_mse"), step.metrics.at("gcv") / 2);
      EXPECT_LT(step.metrics.at("loo_mse"), step.metrics.at("gcv") * 2);
    }
  }
}

}  // namespace
}  // namespace elmx
