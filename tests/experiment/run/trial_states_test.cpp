#include "experiment/run/trial_states.hpp"

#include <gtest/gtest.h>

#include "base/files/files.hpp"
#include "base/files/sha256.hpp"
#include "experiment/plan/plan.hpp"
#include "experiment/run/run_trials.hpp"
#include "support/scratch.hpp"
#include "support/thrown.hpp"

// Interrupted trainings, as run_task handles them.

namespace elmx {
namespace {

Json sequence_config() {
  return Json::parse(R"({
    "data": {"set": "adding", "samples": 60, "length": 4}, "split": {"kind": "holdout"}, "preprocess": {"inputs": "none"},
    "model": {"family": "rls", "algorithms": ["rls", "adam"], "input": {"steps": 4}, "layers": [{"kind": "lstm", "nodes": 3}],
              "epochs": 4, "report": [1, 3, 4], "batch": 10}
  })");
}

/// Returns a record without its times.
Json results_of(const Record& record) {
  Json json = to_json(record);
  json.erase("timing");
  return json;
}

class InterruptedTrial : public ScratchTest {
 protected:
  /// Runs all trials of the config; each training calls `stopped`.
  std::vector<Record> run(const Json& config, const std::function<bool()>& stopped) const {
    const Plan plan = make_plan(config, "no data directory");
    const PlannedCase& c = plan.cases[0];
    SteadyClock clock;
    std::vector<Record> records;
    notes_.clear();
    run_task({&c.specs,
              c.data.get(),
              c.folds[0][0],
              0,
              0,
              c.spec().model->algorithms(),
              nullptr,
              {},
              folder_ / "states",
              [&](const std::string& note) { notes_.push_back(note); }},
             clock, stopped, [&](Record record) { records.push_back(std::move(record)); });
    return records;
  }
  std::vector<Record> undisturbed() const {
    return run(sequence_config(), [] { return false; });
  }
  /// Ends the first training within its third epoch: run_task calls `stopped` once before each algorithm, the
  /// training after each of its 20 steps.
  std::filesystem::path interrupt() const {
    int looks = 0;
    EXPECT_TRUE(run(sequence_config(), [&] { return ++looks == 13; }).empty());
    EXPECT_EQ(state_files(), 1u);
    return std::filesystem::directory_iterator(folder_ / "states")->path();
  }
  /// Returns the content of a state with a correct checksum.
  static std::string framed(const std::string& content) {
    return "elmx state, format 1\n" + sha256(content) + "\n" + content;
  }

  mutable std::vector<std::string> notes_;

  std::size_t state_files() const {
    if (!std::filesystem::exists(folder_ / "states")) return 0;
    const std::filesystem::directory_iterator files(folder_ / "states");
    return static_cast<std::size_t>(std::distance(begin(files), end(files)));
  }
};

TEST_F(InterruptedTrial, HasNoRecordAndGoesOnToTheRecordOfAnUndisturbedRun) {
  const auto whole = undisturbed();
  ASSERT_EQ(whole.size(), 2u);
  ASSERT_EQ(whole[0].steps.size(), 3u);
  EXPECT_EQ(state_files(), 0u);

  interrupt();
  const auto resumed = undisturbed();

  EXPECT_EQ(notes_, std::vector<std::string>());
  EXPECT_EQ(state_files(), 0u);
  ASSERT_EQ(resumed.size(), 2u);
  for (const std::size_t i : {0, 1}) EXPECT_EQ(results_of(resumed[i]), results_of(whole[i]));
}

TEST_F(InterruptedTrial, SaysWhereItsTimesWereMeasured) {
  const std::string here = undisturbed().at(0).machine;
  EXPECT_NE(here.find(" thread"), std::string::npos) << here;
  const auto resumed_from = [&](const std::string& machine) {
    const std::filesystem::path file = interrupt();
    const std::string state = read_file(file);
    const std::size_t record = state.find('\n', state.find('\n') + 1) + 1, header = state.find('\n', record) + 1;
    Json there = Json::parse(state.substr(record, header - record));
    there["timing"]["machine"] = machine;
    write_file(file, framed(there.dump() + "\n" + state.substr(header)));
    return undisturbed().at(0).machine;
  };

  EXPECT_EQ(resumed_from(here), here);
  EXPECT_EQ(resumed_from("elsewhere"), "elsewhere; " + here);
  EXPECT_EQ(resumed_from("elsewhere; " + here), "elsewhere; " + here);
  EXPECT_EQ(resumed_from(""), "") << "a state of an earlier elmx";
}

/// For any damaged state file, its trial starts again, and one line reports it.
TEST_F(InterruptedTrial, BeginsAnewWhereItsStateIsDamaged) {
  const auto whole = undisturbed();
  const std::filesystem::path file = interrupt();
  const std::string state = read_file(file);
  const std::size_t record = state.find('\n', state.find('\n') + 1) + 1, header = state.find('\n', record) + 1,
                    numbers = state.find('\n', header) + 1;
  const std::string record_line = state.substr(record, header - record),
                    header_line = state.substr(header, numbers - header), tail = state.substr(numbers);
  const auto flipped = [&](std::size_t place) {
    std::string other = state;
    other[place] = static_cast<char>(other[place] ^ 1);
    return other;
  };
  const auto with_header = [&](const char* member, Json value) {
    Json changed = Json::parse(header_line);
    changed[member] = std::move(value);
    return framed(record_line + changed.dump() + "\n" + tail);
  };
  Json another = Json::parse(record_line);
  another["key"] = "0123456789abcdef";
  const std::vector<std::string> damaged = {
      "",
      "{\"key\": ",
      record_line + header_line + tail,
      state.substr(0, state.size() - 1),
      state.substr(0, 30),
      state + "x",
      flipped(0),
      flipped(25),
      flipped(record + 5),
      flipped(header + 9),
      flipped(state.size() - 3),
      framed(""),
      framed("{}\n" + header_line + tail),
      framed(another.dump() + "\n" + header_line + tail),
      framed(record_line + "{}\n" + tail),
      framed(record_line),
      framed(record_line + header_line),
      framed(record_line + header_line + tail + "x"),
      with_header("epoch", -1),
      with_header("epoch", 1e300),
      with_header("epoch", 1000),
      with_header("batches", 100),
      with_header("steps", 1),
      with_header("trace", Json::array({1, "a"})),
      with_header("epoch_seconds", "a"),
  };
  for (const std::string& content : damaged) {
    SCOPED_TRACE(&content - damaged.data());
    write_file(file, content);
    const auto resumed = undisturbed();
    ASSERT_EQ(notes_.size(), 1u);
    EXPECT_TRUE(notes_[0].starts_with(file.string() + ": ")) << notes_[0];
    ASSERT_EQ(resumed.size(), 2u);
    for (const std::size_t i : {0, 1}) {
      EXPECT_EQ(results_of(resumed[i]), results_of(whole[i]));
      EXPECT_EQ(resumed[i].machine, whole[i].machine);
    }
    std::filesystem::create_directories(file.parent_path());
  }
}

TEST_F(InterruptedTrial, WhoseStateCannotBeWrittenEndsTheRunAndIsNoFailure) {
  write("states", "a file where the folder of states is to be");
  std::size_t records = 0;
  const std::string place = place_thrown<OutputError>([&] {
    int looks = 0;
    records = run(sequence_config(), [&] { return ++looks == 13; }).size();
  });
  EXPECT_TRUE(place.ends_with("states")) << place;
  EXPECT_EQ(records, 0u);
}

TEST_F(InterruptedTrial, ADivergedTrainingIsAFailedTrialThatNamesItsStep) {
  Json config = sequence_config();
  config["model"].merge_patch(Json::parse(R"({"eta": 1e300, "eta_layers": "all", "clip": {"norm": 0}})"));

  const auto records = run(config, [] { return false; });

  ASSERT_EQ(records.size(), 2u);
  EXPECT_TRUE(records[0].status.starts_with(std::string(to_string(Status::not_finite)) + " at step 1: "));
  EXPECT_EQ(records[0].steps.back().iterations, 1u);
  EXPECT_EQ(records[1].status, "ok") << "Adam does not heed eta";
}

}  // namespace
}  // namespace elmx
