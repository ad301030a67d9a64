#include "experiment/records/record.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/scratch.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

Record sample_record() {
  Record record;
  record.key = "0123abcd";
  record.experiment_case = "small";
  record.dataset = "airfoil";
  record.family = "elm";
  record.algorithm = "elm-2";
  record.point = {{"/model/ridge", 0.1}, {"/model/activation", "tanh"}};
  record.repeat = 3;
  record.fold = 2;
  record.status = TrialStatus::numeric("not_finite");
  record.steps.push_back({.nodes = 100,
                          .status = Status::ok,
                          .metrics = {{"test_mse", 1.0 / 3}, {"weight_error", 4.9e-324}},
                          .method = "chol-2",
                          .step = {.mean = 0.25, .sd = 0.125, .n = 5},
                          .total_seconds = 1.5});
  record.steps.push_back({.nodes = 120,
                          .status = Status::not_positive_definite,
                          .metrics = {},
                          .method = "",
                          .step = {},
                          .total_seconds = 2});
  return record;
}

/// A results folder whose records.jsonl has the given text.
class ReadRecordsTest : public ScratchTest {
 protected:
  std::vector<Record> read(const std::string& text) const {
    write("records.jsonl", text);
    return read_records(folder_);
  }
  std::string place_refused(const std::string& text) const {
    return place_thrown<DataError>([&] { read(text); });
  }
};

TEST(Record, IsReadAsItWasWritten) {
  Record record = sample_record();
  for (const std::string machine : {"", "AMD EPYC, kernel Zen, 1 thread"}) {
    record.machine = machine;
    const Record again = record_from_json(to_json(record));
    EXPECT_EQ(again.machine, machine);
    EXPECT_EQ(to_json(again), to_json(record));
  }
}

TEST(Record, FailsByItsNumbersOrByItsMachine) {
  Json line = to_json(sample_record());
  const auto read = [&](const char* status) {
    line["status"] = status;
    const TrialStatus read_again = record_from_json(line).status;
    EXPECT_EQ(read_again.text(), status);
    return read_again.kind;
  };
  for (const char* status : {"not_finite", "not_finite chol-2", "not_positive_definite", "all_pruned", "not_decreasing",
                             "test_mse: larger than any number that a double can hold"})
    EXPECT_EQ(read(status), TrialStatus::Kind::numeric) << status;
  for (const char* status : {"", "out of memory", "crashed (SIGKILL)", "not_finished", "no step was reported"})
    EXPECT_EQ(read(status), TrialStatus::Kind::other) << status;
  EXPECT_EQ(read("ok"), TrialStatus::Kind::ok);
}

TEST(Record, WrittenAndReadAgainIsAFixedPoint) {
  const Json once = to_json(sample_record());

  const Record again = record_from_json(Json::parse(once.dump()));

  EXPECT_EQ(to_json(again).dump(), once.dump());
  EXPECT_EQ(again.key, "0123abcd");
  EXPECT_EQ(again.experiment_case, "small");
  EXPECT_EQ(again.point.at("/model/ridge"), 0.1);
  ASSERT_EQ(again.steps.size(), 2u);
  EXPECT_EQ(again.steps[0].metrics.at("test_mse"), 1.0 / 3);
  EXPECT_EQ(again.steps[0].metrics.at("weight_error"), 4.9e-324);
  EXPECT_EQ(again.steps[0].method, "chol-2");
  EXPECT_EQ(again.steps[0].step.sd, 0.125);
  EXPECT_EQ(again.steps[0].step.n, 5u);
  EXPECT_EQ(again.steps[1].status, Status::not_positive_definite);
  EXPECT_TRUE(again.steps[1].metrics.empty());
  EXPECT_EQ(again.steps[1].method, "");
  EXPECT_EQ(once["steps"][0]["method"], "chol-2");
  EXPECT_FALSE(once["steps"][1].contains("method")) << "of an algorithm with one way only";
}

TEST(Record, TimesStandUnderTimingOnly) {
  Record slower = sample_record();
  slower.steps[0].step = {.mean = 9, .sd = 9, .n = 9};
  slower.steps[0].total_seconds = 9;
  Json fast = to_json(sample_record());
  Json slow = to_json(slower);

  ASSERT_NE(fast["timing"], slow["timing"]);
  fast.erase("timing");
  slow.erase("timing");
  EXPECT_EQ(fast.dump(), slow.dump());
}

TEST_F(ReadRecordsTest, ReadsInFileOrder) {
  Record second = sample_record();
  second.key = "second";

  const auto records = read(to_json(sample_record()).dump() + "\n" + to_json(second).dump() + "\n");

  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].key, "0123abcd");
  EXPECT_EQ(records[1].key, "second");
}

TEST_F(ReadRecordsTest, LeavesOutAHalfLastLine) {
  const std::string line = to_json(sample_record()).dump();

  EXPECT_EQ(read(line + "\n" + line.substr(0, line.size() / 2)).size(), 1u);
  EXPECT_EQ(read(line).size(), 0u);
  EXPECT_EQ(read("").size(), 0u);
}

TEST_F(ReadRecordsTest, NamesADamagedLine) {
  const std::string line = to_json(sample_record()).dump();
  const std::string place = (folder_ / "records.jsonl").string() + ":2";

  EXPECT_EQ(place_refused(line + "\n" + line.substr(5) + "\n" + line + "\n"), place);
  EXPECT_EQ(place_refused(line + "\n{}\n"), place);
  EXPECT_EQ(place_refused(line + "\n\n"), place);
}

TEST_F(ReadRecordsTest, NamesAnUnknownStatus) {
  Json json = to_json(sample_record());
  json["steps"][0]["status"] = "fine";

  const std::string refusal = thrown<DataError>([&] { read(json.dump() + "\n"); });
  for (const char* name : {"records.jsonl:1: ", "\"fine\""})
    EXPECT_NE(refusal.find(name), std::string::npos) << name << " in " << refusal;
}

TEST_F(ReadRecordsTest, RefusesCountsThatAreNone) {
  for (const char* place : {"/repeat", "/fold", "/steps/0/nodes", "/timing/steps/0/step_n"}) {
    for (const Json& value : {Json(-1), Json(1.5), Json(1e300), Json("1"), Json(nullptr)}) {
      Json line = to_json(sample_record());
      ASSERT_TRUE(line.contains(Json::json_pointer(place)));
      line[Json::json_pointer(place)] = value;
      EXPECT_THROW(read(line.dump() + "\n"), DataError) << place << " " << value;
    }
  }
}

TEST_F(ReadRecordsTest, RefusesAValueThatIsNestedWithoutEnd) {
  EXPECT_THROW(read(std::string(1000000, '[') + "\n"), DataError);
}

TEST_F(ReadRecordsTest, NamesAFolderWithoutRecords) {
  EXPECT_EQ(place_thrown<DataError>([&] { read_records(folder_); }), (folder_ / "records.jsonl").string());
}

TEST(Record, IterationsAndTraceAreWrittenOfWhatIteratesOnly) {
  Record record = sample_record();
  record.steps[0].iterations = 10;
  record.steps[0].trace = {{"objective", {3, 1.0 / 3}},
                           {"gradient_norm", {2, std::numeric_limits<double>::infinity()}}};

  const Json json = to_json(record);
  const Record again = record_from_json(Json::parse(json.dump()));

  EXPECT_EQ(json["steps"][0]["iterations"], 10);
  EXPECT_EQ(json["timing"]["steps"][0]["iterations"], 10);
  EXPECT_EQ(again.steps[0].iterations, 10u);
  EXPECT_EQ(again.steps[0].trace.at("objective"), (std::vector<double>{3, 1.0 / 3}));
  EXPECT_EQ(again.steps[0].trace.at("gradient_norm")[0], 2);
  EXPECT_TRUE(std::isnan(again.steps[0].trace.at("gradient_norm")[1])) << "JSON has no infinity";
  EXPECT_EQ(to_json(again).dump(), Json::parse(json.dump()).dump());
  for (const char* key : {"iterations", "trace"}) EXPECT_FALSE(json["steps"][1].contains(key)) << key;
  EXPECT_FALSE(json["timing"]["steps"][1].contains("iterations"));
}

TEST(Record, GridPointChoiceAndTestingTimeAreWrittenWhereTheyAre) {
  Record record = sample_record();
  record.steps[0].parameters = {{"sigma", 4}, {"mu", 0.1}};
  record.steps[0].chosen = "cross validation";
  record.steps[0].test_seconds = 1.0 / 3;

  const Json json = to_json(record);
  const Record again = record_from_json(Json::parse(json.dump()));

  EXPECT_EQ(json["steps"][0]["parameters"], (Json{{"mu", 0.1}, {"sigma", 4.0}}));
  EXPECT_EQ(json["timing"]["steps"][0]["test"], 1.0 / 3);
  EXPECT_EQ(again.steps[0].parameters, record.steps[0].parameters);
  EXPECT_EQ(again.steps[0].chosen, "cross validation");
  EXPECT_EQ(again.steps[0].test_seconds, 1.0 / 3);
  EXPECT_EQ(to_json(again).dump(), json.dump());
  for (const char* key : {"parameters", "chosen"}) EXPECT_FALSE(json["steps"][1].contains(key)) << key;
  EXPECT_FALSE(json["timing"]["steps"][1].contains("test"));
  EXPECT_TRUE(again.steps[1].parameters.empty());
  EXPECT_EQ(again.steps[1].chosen, "");
  EXPECT_EQ(again.steps[1].test_seconds, 0);
}

TEST(Record, ConfusionAndTestPartAreWrittenWhereTheyAre) {
  Record record = sample_record();
  const Json without = to_json(record);
  EXPECT_FALSE(without.contains("test_part"));
  EXPECT_FALSE(without["steps"][0].contains("confusion"));
  EXPECT_TRUE(record_from_json(without).steps[0].confusion.empty()) << "an earlier version wrote none";

  record.steps[0].confusion = {5, 1, 0, 7};
  record.test_part = {.samples = 13, .positive = 0, .targets = {}};
  EXPECT_EQ(record_from_json(to_json(record)).steps[0].confusion, record.steps[0].confusion);
  EXPECT_EQ(record_from_json(to_json(record)).test_part.positive, 0u);

  record.test_part.targets = {{"a", 1.5, 0.25}, {"b", 1e200, std::numeric_limits<double>::infinity()}};
  const TestPart read = record_from_json(parse_json(to_json(record).dump(), "JSON")).test_part;
  EXPECT_EQ(read.samples, 13u);
  ASSERT_EQ(read.targets.size(), 2u);
  EXPECT_EQ(read.targets[0].name, "a");
  EXPECT_EQ(read.targets[0].squares, 0.25);
  EXPECT_FALSE(std::isfinite(read.targets[1].squares));
}

TEST(Record, NotesAreWrittenWhereThereAreAny) {
  Record record = sample_record();
  EXPECT_FALSE(to_json(record)["steps"][0].contains("notes"));
  record.steps[0].notes = {{"test_pe", "taken as 0"}, {"weights", "far off"}};

  EXPECT_EQ(record_from_json(to_json(record)).steps[0].notes, record.steps[0].notes);
  EXPECT_TRUE(record_from_json(to_json(record)).steps[1].notes.empty());
}

TEST(Record, TheLineOfARecordWithoutAGridIsTheStoredText) {
  Record record = sample_record();
  record.steps.resize(1);

  EXPECT_EQ(
      to_json(record).dump(),
      R"({"key":"0123abcd","case":"small","dataset":"airfoil","family":"elm","algorithm":"elm-2",)"
      R"("point":{"/model/activation":"tanh","/model/ridge":0.1},"repeat":3,"fold":2,"status":"not_finite",)"
      R"("steps":[{"nodes":100,"status":"ok","metrics":{"test_mse":0.3333333333333333,"weight_error":5e-324},"method":"chol-2"}],)"
      R"("timing":{"features":0.0,"steps":[{"nodes":100,"step_mean":0.25,"step_sd":0.125,"step_n":5,"total":1.5}]}})");
}

TEST(Record, WithoutAFamilyNamesTheMissingKey) {
  Json old = to_json(sample_record());
  old.erase("family");

  EXPECT_NE(thrown<DataError>([&] { record_from_json(old); }).find("\"family\""), std::string::npos);
}

TEST(Record, ALineFromBeforeIterationsReadsAsOfNoIterations) {
  const Record old = record_from_json(to_json(sample_record()));

  EXPECT_EQ(old.steps[0].iterations, 0u);
  EXPECT_TRUE(old.steps[0].trace.empty());
}

}  // namespace
}  // namespace elmx
