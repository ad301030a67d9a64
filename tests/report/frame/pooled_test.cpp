
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "experiment/records/metrics_of_outputs.hpp"
#include "report/frame/quantities.hpp"
#include "report/frame/row_keys.hpp"
#include "report/tables/tables.hpp"
#include "support/records.hpp"
#include "support/thrown.hpp"

// Values over the test samples of all folds together: those of the predictions of all folds in one list.

namespace elmx {
namespace {

constexpr arma::uword kSamples = 23;
const arma::uvec kAll = arma::regspace<arma::uvec>(0, kSamples - 1);

/// Folds of 5, 1, 10 and 7 samples.
const std::vector<arma::uvec> kFolds = {arma::regspace<arma::uvec>(0, 4), arma::uvec{5},
                                        arma::regspace<arma::uvec>(6, 15), arma::regspace<arma::uvec>(16, 22)};

Dataset regression(arma::uword targets) {
  arma::arma_rng::set_seed(3);
  Dataset data;
  data.name = "set";
  data.Y = 5 + arma::mat(kSamples, targets, arma::fill::randn);
  data.Y.col(targets - 1) *= 1000;
  return data;
}

Dataset classification(arma::uword classes) {
  Dataset data;
  data.name = "set";
  data.task = Task::classification;
  data.labels = kAll;
  data.labels.transform([&](arma::uword i) { return i * i % 7 % classes; });
  for (arma::uword k = 0; k < classes; ++k) data.classes.push_back("class " + std::to_string(k));
  data.positive = data.classes[0];
  return data;
}

arma::mat outputs_for(const Dataset& data, const Targets& targets) {
  arma::arma_rng::set_seed(4);
  const arma::mat T = targets.encode(kAll);
  const double noise = data.task == Task::regression ? 0.5 : 0.8;
  return T + noise * arma::mat(arma::size(T), arma::fill::randn);
}

/// `repeats` repeats of the folds, all the same.
std::vector<Record> records_of(const Dataset& data, arma::uword repeats) {
  const Targets targets(data, TargetOptions(), kAll);
  const arma::mat Z = outputs_for(data, targets);
  std::vector<Record> records;
  for (arma::uword repeat = 0; repeat < repeats; ++repeat) {
    for (arma::uword fold = 0; fold < kFolds.size(); ++fold) {
      const arma::uvec& rows = kFolds[fold];
      Measurements measured;
      add_metrics(data, targets, rows, Z.rows(rows), "test_", measured);
      Record record = one_step_record("", "alg", fold, 10, measured.values);
      record.key += std::to_string(repeat);
      record.dataset = data.name;
      record.repeat = repeat;
      record.samples = {"content", "train " + std::to_string(fold), "test " + std::to_string(fold)};
      record.test_part = test_part_of(data, targets, rows);
      record.steps[0].notes = measured.notes;
      if (data.task == Task::classification)
        record.steps[0].confusion = confusion_of(data, rows, targets.decode_labels(Z.rows(rows)));
      records.push_back(record_from_json(to_json(record)));
    }
  }
  return records;
}

Measurements of_all_samples(const Dataset& data) {
  const Targets targets(data, TargetOptions(), kAll);
  Measurements measured;
  add_metrics(data, targets, kAll, outputs_for(data, targets), "pooled_", measured);
  return measured;
}

void expect_pooled(const Dataset& data, const std::set<std::string>& names) {
  const std::vector<Record> records = records_of(data, 2);
  const std::vector<RecordRow> rows = group_records(records);
  ASSERT_EQ(rows.size(), 1u);
  const Measurements all = of_all_samples(data);
  std::set<std::string> found;
  for (const Quantity& quantity : pooled_quantities()) {
    const Measured value = pooled_value(rows[0], quantity.name);
    if (std::isnan(value.value)) continue;
    found.insert(quantity.name);
    EXPECT_NEAR(value.value, all.values.at(quantity.name), 1e-12 * std::abs(value.value)) << quantity.name;
  }
  EXPECT_EQ(found, names);
}

TEST(Pooled, RegressionIsThatOfAllPredictionsInOneList) {
  const std::set<std::string> names = {"pooled_mae", "pooled_mse", "pooled_r2", "pooled_rmse"};
  expect_pooled(regression(1), names);
  expect_pooled(regression(3), names);
}

TEST(Pooled, ClassificationIsThatOfAllPredictionsInOneList) {
  std::set<std::string> names = {"pooled_acc", "pooled_bac", "pooled_f1", "pooled_gm",
                                 "pooled_mcc", "pooled_pe",  "pooled_sn"};
  expect_pooled(classification(2), names);
  names.erase("pooled_f1");
  names.insert("pooled_macro_f1");
  expect_pooled(classification(3), names);
}

TEST(Pooled, R2OfLeaveOneOutFoldsIsKnown) {
  const Dataset data = regression(1);
  const Targets targets(data, TargetOptions(), kAll);
  const arma::mat Z = outputs_for(data, targets);
  std::vector<Record> records;
  for (arma::uword i = 0; i < kSamples; ++i) {
    Measurements measured;
    add_metrics(data, targets, arma::uvec{i}, Z.rows(arma::uvec{i}), "test_", measured);
    EXPECT_EQ(measured.values.count("test_r2"), 0u) << "one sample alone has none";
    records.push_back(one_step_record("", "alg", i, 10, measured.values));
    records.back().test_part = test_part_of(data, targets, arma::uvec{i});
  }
  const std::vector<RecordRow> rows = group_records(records);

  EXPECT_NEAR(pooled_value(rows.at(0), "pooled_r2").value, of_all_samples(data).values.at("pooled_r2"), 1e-12);
}

TEST(Pooled, TrialsOfAnEarlierVersionLeaveTheValueOpenWithANote) {
  std::vector<Record> records = records_of(classification(2), 1);
  records[1].steps[0].confusion.clear();
  const std::vector<RecordRow> rows = group_records(records);

  EXPECT_TRUE(std::isnan(pooled_value(rows[0], "pooled_acc").value));
  EXPECT_FALSE(note_of(rows[0], quantity_of("pooled_acc")).empty());
}

TEST(Pooled, ScaledErrorsOfSeveralFoldsHaveNoCommonUnit) {
  const std::vector<Record> records = records_of(regression(1), 1);
  RecordRow row = group_records(records).at(0);
  EXPECT_FALSE(std::isnan(pooled_value(row, "pooled_rmse").value));
  row.units = "scaled (standard)";
  EXPECT_TRUE(std::isnan(pooled_value(row, "pooled_rmse").value));
  EXPECT_FALSE(pooled_value(row, "pooled_r2").note.empty());
}

TEST(Pooled, ConstantTargetsHaveNoR2) {
  Dataset data = regression(1);
  data.Y.fill(0.1);
  const std::vector<Record> records = records_of(data, 1);
  const Measured r2 = pooled_value(group_records(records)[0], "pooled_r2");

  EXPECT_TRUE(std::isnan(r2.value));
  EXPECT_FALSE(r2.note.empty());
}

TEST(Pooled, APivotShowsOneNumberWithoutADeviation) {
  const Dataset data = classification(3);
  const std::vector<Record> records = records_of(data, 2);
  PivotOptions options;
  options.rows = {"algorithm"};
  options.metrics = {"pooled_acc"};
  const Table table = pivot_table(records, options);

  EXPECT_DOUBLE_EQ(table.rows.at(0).at(1).value.value(), of_all_samples(data).values.at("pooled_acc"));
  EXPECT_FALSE(table.rows[0][1].sd.has_value());
  options.statistics = {"sd"};
  EXPECT_FALSE(thrown<ConfigError>([&] { pivot_table(records, options); }).empty());
}

TEST(Pooled, ExpectationsMayBeOfIt) {
  const Dataset data = classification(2);
  const std::vector<Record> records = records_of(data, 1);
  Expectation expectation;
  expectation.metric = "pooled_acc";
  expectation.equals = of_all_samples(data).values.at("pooled_acc");
  expectation.tolerance = 1e-12;
  EXPECT_EQ(check_expectations({expectation}, Frame(records)).unmet, 0u);
  expectation.equals = *expectation.equals + 0.01;
  EXPECT_EQ(check_expectations({expectation}, Frame(records)).unmet, 1u);
}

TEST(Pooled, ComparisonsRefuseIt) {
  std::vector<Record> records = records_of(classification(2), 1);
  for (Record other : std::vector<Record>(records)) {
    other.algorithm = "other";
    other.key += "other";
    records.push_back(other);
  }
  CompareOptions options;
  options.metrics = {"test_acc"};
  EXPECT_NO_THROW(compare_by(records, {"algorithm", {}}, options));
  options.metrics = {"pooled_acc"};
  EXPECT_NE(thrown<ConfigError>([&] {
              compare_by(records, {"algorithm", {}}, options);
            }).find("test_acc"),
            std::string::npos);
}

TEST(Pooled, AMetricOfOneTargetIsAQuantityOfItsOwn) {
  const Quantity one = quantity_of("test_rmse[y2]"), all = quantity_of("test_rmse");
  EXPECT_EQ(one.name, "test_rmse[y2]");
  EXPECT_NE(one.heading, all.heading);
  EXPECT_EQ(one.better, all.better);
  EXPECT_EQ(one.in_target_units, all.in_target_units);
  EXPECT_EQ(find_quantity("rmse[y2]").name, one.name);
  EXPECT_FALSE(quantity_of("own[y2]").kind) << "a metric of another program";
}

}  // namespace
}  // namespace elmx
