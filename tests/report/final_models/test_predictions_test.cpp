#include "report/final_models/test_predictions.hpp"

#include <cmath>

#include "base/files/files.hpp"
#include "support/scratch.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

/// Five rows of two targets, of which the file had seven: the first and the fourth were dropped.
Dataset two_targets() {
  Dataset data;
  data.name = "a, \"b\"";
  data.Y = {{0.1, 10}, {1.0 / 3, 20}, {arma::datum::nan, 30}, {-4e-300, 40}, {5, 50}};
  data.kept_rows = {1, 2, 4, 5, 6};
  data.columns.resize(2);
  for (KnownColumn& column : data.columns) column.role = "target";
  data.columns[0].name = "u,v";
  data.columns[1].name = "w";
  return data;
}

TestOutputs outputs_of(const Dataset& data) {
  return {&data, {0, 2, 3}, {0, 0, 1}, {0, 1, 0}, {{1, 2}, {3, 4}, {0.1 + 0.2, 6}}, {}};
}

class TestPredictionsFile : public ScratchTest {
 protected:
  TestPredictionsFile() { std::filesystem::create_directories(folder_ / "models"); }
};

TEST_F(TestPredictionsFile, IsReadBackToTheLastBit) {
  const Dataset data = two_targets();
  write_file(folder_ / "predictions.csv", test_predictions_csv(outputs_of(data), "case: alg, 2"));

  const std::vector<TestPredictions> read = read_test_predictions(folder_);

  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].data_set, data.name);
  EXPECT_EQ(read[0].method, "case: alg, 2");
  EXPECT_EQ(read[0].targets, (std::vector<std::string>{"u,v", "w"}));
  EXPECT_TRUE(std::isnan(read[0].actual(1, 0)));
  EXPECT_EQ(read[0].actual(0, 0), 0.1);
  EXPECT_EQ(read[0].actual(2, 0), -4e-300);
  EXPECT_EQ(read[0].actual(2, 1), 40);
  EXPECT_TRUE(arma::approx_equal(read[0].predicted, outputs_of(data).values, "absdiff", 0));
}

TEST_F(TestPredictionsFile, NamesRowsAsTheFileOfTheDataCountsThem) {
  const Dataset data = two_targets();
  const std::string csv = test_predictions_csv(outputs_of(data), "m");

  EXPECT_NE(csv.find(",2,0,0,0.1,1,10,2\n"), std::string::npos) << csv;
  EXPECT_NE(csv.find(",5,0,1,,3,30,4\n"), std::string::npos) << csv;
  EXPECT_NE(csv.find(",6,1,0,"), std::string::npos) << csv;
}

TEST_F(TestPredictionsFile, OfSeveralDataSetsStandBesideTheirModels) {
  EXPECT_TRUE(read_test_predictions(folder_ / "none").empty());
  Dataset data = two_targets();
  for (const char* name : {"one", "two"}) {
    data.name = name;
    write_file(folder_ / "models" / (std::string("final-") + name + ".csv"),
               test_predictions_csv(outputs_of(data), "m"));
  }

  const std::vector<TestPredictions> read = read_test_predictions(folder_);

  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].data_set + read[1].data_set, "onetwo");
}

TEST_F(TestPredictionsFile, OfClassesOrOfSomeoneElseIsLeftOut) {
  Dataset data = two_targets();
  data.task = Task::classification;
  data.classes = {"0", "1"};
  data.labels = {0, 1, 0, 1, 0};
  TestOutputs outputs = outputs_of(data);
  outputs.classes = {1, 0, 1};
  const std::string csv = test_predictions_csv(outputs, "m");
  EXPECT_NE(csv.find(",6,1,0,1,1\n"), std::string::npos) << csv;
  for (const std::string& text : {csv, std::string("row,prediction\n1,2\n"), std::string()}) {
    write_file(folder_ / "predictions.csv", text);
    EXPECT_TRUE(read_test_predictions(folder_).empty()) << text;
  }
}

TEST_F(TestPredictionsFile, ThatIsDamagedIsRefusedWithItsLine) {
  const Dataset data = two_targets();
  const std::string csv = test_predictions_csv(outputs_of(data), "m");
  for (const std::string& damage : {csv.substr(0, csv.size() - 4), csv.substr(0, csv.size() - 2) + "x\n"}) {
    write_file(folder_ / "predictions.csv", damage);
    EXPECT_EQ(place_thrown<DataError>([&] { read_test_predictions(folder_); }),
              (folder_ / "predictions.csv").string() + ":4")
        << damage;
  }
}

TEST(CalibrationOnTestParts, CountsRowsAndNotTheirRepeats) {
  Dataset data;
  data.task = Task::classification;
  data.classes = {"a", "b"};
  data.labels = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
  const arma::uvec once = arma::regspace<arma::uvec>(0, 9), four = arma::regspace<arma::uvec>(0, 8);
  const auto calibrated = [&](const arma::uvec& rows) {
    arma::mat scores(rows.n_elem, 2);
    for (arma::uword i = 0; i < rows.n_elem; ++i)
      scores(i, 1) = (data.labels(rows(i)) == 1 ? 1.0 : -1.0) + 0.3 * static_cast<double>(i % 5);
    return calibrate_on_test_parts({&data, rows, rows, rows, scores, data.labels(rows)});
  };

  EXPECT_TRUE(calibrated(once).calibration);
  const FoundCalibration few = calibrated(arma::join_cols(four, four));
  EXPECT_FALSE(few.calibration);
  EXPECT_NE(few.missing, "");
}

}  // namespace
}  // namespace elmx
