#include <fmt/format.h>
#include <signal.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "base/config/json.hpp"
#include "base/files/files.hpp"
#include "cli/program.hpp"
#include "models/stored/model_file.hpp"

namespace elmx {
namespace {

// Models that are continued by `elmx update` and `elmx forget`, against runs on the resulting rows.

class UpdateProgram : public ProgramTest {
 protected:
  static constexpr int kRows = 90;

  /// Row i of a table "a,b,y". The classes of the first 60 rows are c0 and c1, those of the others also c2.
  static std::string row(int i, bool classes) {
    const double a = std::sin(1.7 * i), b = std::cos(0.9 * i * i);
    const int label = (a > 0.1 ? 1 : 0) + (i >= 60 && b > 0.3 ? 1 : 0);
    return classes ? fmt::format("{},{},c{}\n", a, b, label) : fmt::format("{},{},{}\n", a, b, std::sin(3 * a) + b);
  }
  static std::string rows(const std::vector<std::pair<int, int>>& parts, bool classes = false) {
    std::string text = "a,b,y\n";
    for (const auto& [first, last] : parts) {
      for (int i = first; i < last; ++i) text += row(i, classes);
    }
    return text;
  }

  /// Runs a config on FOLDER.csv into FOLDER.
  Outcome train(const std::string& folder, Json changes = Json::object()) const {
    Json config = {{"save_model", "updatable"},
                   {"seed", 3},
                   {"data", {{"path", folder + ".csv"}, {"target", {"y"}}}},
                   {"split", {{"kind", "holdout"}}},
                   {"preprocess", {{"inputs", "none"}}},
                   {"model", {{"algorithms", {"standard"}}, {"nodes", 15}, {"ridge", 0.01}}}};
    config.merge_patch(changes);
    if (read_file(work() / (folder + ".csv")).find(",c0") != std::string::npos)
      config["data"]["task"] = "classification";
    write(folder + ".json", config.dump());
    return run({"run", folder + ".json", "-o", folder});
  }
  void succeeds(const Arguments& arguments) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
  }
  /// Changes a model in place by a file of rows.
  void change(const std::string& command, const std::string& model, const std::string& text) const {
    write("rows.csv", text);
    succeeds({command, model, "rows.csv"});
  }

  /// The numbers that a model predicts for grid.csv.
  std::vector<double> outputs(const std::string& model) const {
    std::string grid = "a,b\n";
    for (int i = 0; i < 20; ++i) grid += fmt::format("{},{}\n", std::cos(2.3 * i), std::sin(1.1 * i));
    write("grid.csv", grid);
    const Outcome outcome = run({"predict", model, "grid.csv"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::vector<double> numbers;
    for (const std::string& line : lines_of(outcome.out)) {
      std::istringstream fields(line);
      for (std::string field; std::getline(fields, field, ',');) {
        char* end = nullptr;
        const double number = std::strtod(field.c_str(), &end);
        if (*end == '\0') numbers.push_back(number);
      }
    }
    return numbers;
  }
  void same_outputs(const std::string& model, const std::string& fresh) const {
    const std::vector<double> found = outputs(model), expected = outputs(fresh);
    ASSERT_EQ(found.size(), expected.size());
    ASSERT_GE(found.size(), 40u);
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-8) << i;
  }

  /// Trains on the first 60 rows.
  void first(bool classes = false, const Json& changes = Json::object()) const {
    write("model.csv", rows({{0, 60}}, classes));
    EXPECT_EQ(train("model", changes).code, 0);
  }

  ModelContents contents(const std::string& file) const { return decode_model(read(file), file); }
};

TEST_F(UpdateProgram, EqualsTrainingOnTheResultingRows) {
  first();
  change("update", "model", rows({{60, 70}}));
  change("update", "model/model.h5", rows({{70, kRows}}));
  change("forget", "model", rows({{20, 55}, {65, 72}}));

  write("fresh.csv", rows({{0, 20}, {55, 65}, {72, kRows}}));
  EXPECT_EQ(train("fresh").code, 0);
  same_outputs("model", "fresh");
  const Json updates = Json::parse(contents((work() / "model/model.h5").string()).texts.at("trial")).at("updates");
  ASSERT_EQ(updates.size(), 3u);
  EXPECT_EQ(updates[2].at("kind"), "forget");
  EXPECT_EQ(updates[2].at("rows"), 42);
  EXPECT_EQ(updates[2].at("samples"), 48);
  EXPECT_EQ(updates[0].at("file"), "rows.csv");
}

TEST_F(UpdateProgram, ANewClassIsLearnt) {
  for (const char* coding : {"zero_one", "minus_one_one"}) {
    const Json changes = {{"preprocess", {{"targets", {{"coding", coding}, {"class_weights", {{"c0", 3}}}}}}}};
    first(true, changes);
    write("rows.csv", rows({{60, kRows}}, true));
    const Outcome outcome = run({"update", "model", "rows.csv"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("c2"), std::string::npos) << outcome.err;
    change("forget", "model", rows({{5, 30}, {80, 85}}, true));

    write("fresh.csv", rows({{0, 5}, {30, 80}, {85, kRows}}, true));
    EXPECT_EQ(train("fresh", changes).code, 0);
    same_outputs("model", "fresh");
    fs::remove_all(work() / "model");
    fs::remove_all(work() / "fresh");
  }
}

TEST_F(UpdateProgram, WritesAnotherFileOnDemand) {
  first();
  const std::string before = read("model/model.h5");
  write("new.csv", rows({{60, 70}}));
  succeeds({"update", "model", "new.csv", "-o", "newer.h5"});
  EXPECT_EQ(read("model/model.h5"), before);
  const std::string records = read("model/records.jsonl");
  refuses(2, {"update", "model", "new.csv", "-o", "model/records.jsonl"}, {"records.jsonl"});
  EXPECT_EQ(read("model/records.jsonl"), records);
  succeeds({"forget", "newer.h5", "new.csv", "-o", "newer.h5"});
  same_outputs("newer.h5", "model");
}

TEST_F(UpdateProgram, OutputsReplaceModelsOnly) {
  first();
  write("new.csv", rows({{60, 70}}));
  const std::string input = read("new.csv"), other = read("model.csv");
  refuses(2, {"update", "model", "new.csv", "-o", "new.csv"}, {"new.csv"});
  refuses(2, {"update", "model", "new.csv", "-o", "model.csv"}, {"model.csv"});
  refuses(2, {"update", "model", "new.csv", "-o", "-"}, {"-o"});
  refuses(2, {"update", "model", "new.csv", "-o", ""}, {"--output"});
  EXPECT_EQ(read("new.csv"), input);
  EXPECT_EQ(read("model.csv"), other);
}

TEST_F(UpdateProgram, SumsThatHaveLostTheirDigitsAreRefused) {
  for (const char* typo : {"1e8,0.5,1\n", "0.5,1e12,1\n", "0.5,0.5,1e15\n"}) {
    first(false, {{"model", {{"family", "linear"}, {"nodes", nullptr}}}});
    const std::string before = read("model/model.h5");
    write("rows.csv", std::string("a,b,y\n") + typo);
    const Outcome added = run({"update", "model", "rows.csv"});
    EXPECT_EQ(added.code, 0) << added.err;
    EXPECT_NE(added.err.find("outweigh"), std::string::npos) << added.err;
    const std::string with_typo = read("model/model.h5");
    EXPECT_NE(with_typo, before);
    refuses(3, {"forget", "model", "rows.csv"}, {"model.h5", "digits"});
    EXPECT_EQ(read("model/model.h5"), with_typo);
    fs::remove_all(work() / "model");
  }
  // Rows ten times as large as the others can be taken back.
  first(false, {{"model", {{"family", "linear"}, {"nodes", nullptr}}}});
  fs::copy_file(work() / "model/model.h5", work() / "before.h5");
  change("update", "model", "a,b,y\n12,-9,20\n");
  change("forget", "model", "a,b,y\n12,-9,20\n");
  same_outputs("model", "before.h5");
}

TEST_F(UpdateProgram, RunsDoNotReplaceChangedModels) {
  first();
  change("forget", "model", rows({{20, 30}}));
  const std::string changed = read("model/model.h5");
  EXPECT_EQ(train("model").code, 0) << "nothing is left to run";
  EXPECT_EQ(train("model", {{"repeats", 2}}).code, 6);
  EXPECT_EQ(read("model/model.h5"), changed);
  EXPECT_NE(run({"table", "model"}).out.find("10 removed"), std::string::npos);
  succeeds({"run", "model.json", "-o", "model", "--force"});
  EXPECT_NE(read("model/model.h5"), changed);
}

TEST_F(UpdateProgram, RowsThatTrainingLeavesOutAreLeftOut) {
  write("model.csv", rows({{0, 60}}) + ",0.5,1\n");
  EXPECT_EQ(train("model", {{"data", {{"missing", "drop_rows"}}}}).code, 0);
  change("update", "model", rows({{60, 70}}) + "1,,3\n");
  change("forget", "model", rows({{0, 5}}) + ",0.5,1\n");
  write("fresh.csv", rows({{5, 70}}));
  EXPECT_EQ(train("fresh").code, 0);
  same_outputs("model", "fresh");
}

TEST_F(UpdateProgram, PredictionsKnowTheTrainingRows) {
  first();
  const auto says_training_rows = [&](const std::string& text) {
    write("rows.csv", text);
    return run({"predict", "model", "rows.csv", "--metrics-only"}).out.find("were used for training") !=
           std::string::npos;
  };
  EXPECT_FALSE(says_training_rows(rows({{60, 80}})));
  EXPECT_TRUE(says_training_rows(rows({{59, 80}})));
  change("update", "model", rows({{60, 70}}));
  EXPECT_TRUE(says_training_rows(rows({{69, 80}})));
  change("forget", "model", rows({{60, 70}}));
  EXPECT_FALSE(says_training_rows(rows({{60, 80}})));
}

TEST_F(UpdateProgram, ColumnsWithoutNumbersAreRefused) {
  first();
  write("new.csv", "a,b,y\nabc,0.5,1\ndef,0.25,2\n");
  refuses(3, {"update", "model", "new.csv"}, {"new.csv", "abc"});
  write("new.csv", "a,b,y\nabc,0.5,1\n1.5,0.25,2\n");
  const Outcome outcome = run({"update", "model", "new.csv"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("abc"), std::string::npos) << outcome.err;
}

TEST_F(UpdateProgram, FilesWithoutHeaderStayWithoutHeader) {
  const std::string all = rows({{0, 60}});
  write("model.csv", all.substr(all.find('\n') + 1));
  EXPECT_EQ(train("model", {{"data", {{"target", {"3"}}}}}).code, 0);
  change("update", "model", "5,3,1\n");
  change("update", "model", "5,3,1\n7,9,2\n8,9,1\n");
  change("update", "model", "column2,column1,column3\n5,3,1\n4,2,1\n");
}

TEST_F(UpdateProgram, DropsWhatBelongsToTheFirstTraining) {
  first();
  succeeds({"predict", "model", "model.csv", "--interval", "0.8"});
  change("update", "model", rows({{60, 70}}));
  refuses(2, {"predict", "model", "model.csv", "--interval", "0.8"}, {"updated"});
  refuses(2, {"predict", "model", "--part", "train"}, {"updated"});
  fs::remove_all(work() / "model");
  first(true);
  change("forget", "model", rows({{3, 5}}, true));
  refuses(2, {"predict", "model", "model.csv", "--probabilities"}, {"updated"});
}

TEST_F(UpdateProgram, MissingValuesAreImputedAsInPredictions) {
  first();
  write("new.csv", rows({{60, 70}}) + ",0.5,1\n");
  const Outcome outcome = run({"update", "model", "new.csv", "-o", "newer.h5"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("imputed"), std::string::npos) << outcome.err;
  refuses(3, {"update", "model", "new.csv", "--strict"}, {"new.csv", "\"a\""});
  change("forget", "newer.h5", "a,b,y\n,0.5,1\n");
}

TEST_F(UpdateProgram, RefusesRowsThatDoNotFit) {
  first();
  write("no_target.csv", rows({{60, 70}}) + "1,2,\n");
  refuses(3, {"update", "model", "no_target.csv"}, {"no_target.csv", "row 11"});
  write("inputs.csv", "a,b\n1,2\n");
  refuses(3, {"update", "model", "inputs.csv"}, {"inputs.csv", "row 1"});
  write("foreign.csv", rows({{3, 5}, {70, 71}, {5, 6}}));
  refuses(3, {"forget", "model", "foreign.csv"}, {"foreign.csv", "row 3"});
  write("twice.csv", rows({{3, 5}, {3, 4}}));
  refuses(3, {"forget", "model", "twice.csv"}, {"twice.csv", "row 3"});
  write("all.csv", rows({{0, 60}}));
  refuses(3, {"forget", "model", "all.csv"}, {"all.csv"});
  refuses(3, {"update", "model", "absent.csv"}, {"absent.csv"});
  const FolderLock held(work() / "model");
  write("new.csv", rows({{60, 70}}));
  refuses(6, {"update", "model", "new.csv"}, {"model"});
}

TEST_F(UpdateProgram, RefusesAThirdClassOfASingleOutput) {
  first(true, {{"preprocess", {{"targets", {{"coding", "single_minus"}}}}}});
  write("new.csv", rows({{60, kRows}}, true));
  refuses(3, {"update", "model", "new.csv"}, {"new.csv", "c2", "minus_one_one"});
  refuses(3, {"forget", "model", "new.csv"}, {"new.csv", "row 1"});
}

TEST_F(UpdateProgram, RefusesModelsThatCannotBeChanged) {
  first(false, {{"save_model", true}});
  refuses(3, {"update", "model", "model.csv"}, {"model.h5", "save_model=updatable"});
  for (const Json& model :
       {Json{{"family", "kernel"}}, Json{{"family", "mean"}},
        Json{{"family", "rvfl"}, {"layers", 2}, {"ensemble", true}}, Json{{"family", "elm"}, {"precision", "mixed"}}}) {
    write("c.json",
          Json{{"save_model", "updatable"}, {"data", {{"path", "model.csv"}, {"target", {"y"}}}}, {"model", model}}
              .dump());
    refuses(2, {"validate", "c.json"}, {"save_model"});
  }
  write("c.json", R"({"save_model": "updateable", "data": {"path": "model.csv", "target": ["y"]}})");
  refuses(2, {"validate", "c.json"}, {"save_model", "updatable"});
}

TEST_F(UpdateProgram, RefusesDamagedSums) {
  first(true, {{"preprocess", {{"targets", {{"class_weights", "balanced"}}}}}});
  write("new.csv", rows({{60, 70}}, true));
  const ModelContents whole = contents((work() / "model/model.h5").string());
  for (const char* path :
       {"network/update_gram", "network/update_cross", "network/update_ridge", "network/update_peaks",
        "data/row_digests", "preprocess/class_weights", "network/output_weights"}) {
    ModelContents other = whole;
    ASSERT_TRUE(other.matrices.contains(path)) << path;
    other.matrices[path] = arma::mat(3, 7, arma::fill::ones);
    write("damaged.h5", encode_model(other));
    refuses(3, {"update", "damaged.h5", "new.csv"}, {"damaged.h5"});
  }
  ModelContents other = whole;
  other.texts["trial"].insert(1, R"("updates": 3,)");
  write("damaged.h5", encode_model(other));
  refuses(3, {"update", "damaged.h5", "new.csv"}, {"damaged.h5"});
}

TEST_F(UpdateProgram, ARunAddsTheSumsToItsModelLater) {
  first(false, {{"save_model", true}});
  EXPECT_EQ(train("model").code, 0);
  change("update", "model", rows({{60, 70}}));
  const std::string updated = read("model/model.h5");
  EXPECT_EQ(train("model").code, 0);
  EXPECT_EQ(read("model/model.h5"), updated) << "the same run again keeps the updated model";
}

TEST_F(UpdateProgram, AKilledUpdateLeavesAModelAndNoLock) {
  first(false, {{"model", {{"algorithms", {"standard"}}, {"nodes", 800}, {"ridge", 0.01}}}});
  write("new.csv", rows({{60, kRows}}));
  for (int i = 0; i < 12; ++i) {
    const pid_t child = start({"update", "model", "new.csv"});
    std::this_thread::sleep_for(std::chrono::milliseconds(2 + 3 * i));
    ::kill(child, SIGKILL);
    finish(child);
    succeeds({"update", "model", "new.csv"});
  }
}

}  // namespace
}  // namespace elmx
