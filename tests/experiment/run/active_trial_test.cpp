#include "experiment/run/active_trial.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "base/files/files.hpp"
#include "base/files/sha256.hpp"
#include "experiment/plan/plan.hpp"
#include "experiment/records/results.hpp"
#include "experiment/run/fold_trainer.hpp"
#include "support/scratch.hpp"
#include "support/thrown.hpp"

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
    run_task({&c.specs, c.data.get(), c.folds[0][0], 0, 0, c.spec().model->algorithms, nullptr, folder_,
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
  EXPECT_TRUE(records[0].status.why.starts_with(std::string(to_string(Status::not_finite)) + " at step 1: "));
  EXPECT_EQ(records[0].steps.back().iterations, 1u);
  EXPECT_TRUE(records[1].status.ok()) << "Adam does not heed eta";
}

class CrashOfATrial : public ScratchTest {
 protected:
  CrashOfATrial() { std::filesystem::create_directories(folder_); }

  /// Ends the process by a signal in a helper thread of the trial "a1", beside `others` running trials.
  void crash(int signal, std::size_t others) const {
    const CrashGuard guard(folder_);
    std::vector<Record> records(1);
    records[0].key = "a1";
    ActiveTrial active("", [] { return false; }, {}), other("", [] { return false; }, {});
    active.begin(records);
    if (others > 0) other.begin(records);
    std::thread([=] { ::raise(signal); }).join();
  }
};

TEST_F(CrashOfATrial, IsWrittenWithItsSignal) {
  std::string written;
  for (const auto& [signal, name] : std::map<int, std::string>{
           {SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}, {SIGFPE, "SIGFPE"}, {SIGILL, "SIGILL"}, {SIGABRT, "SIGABRT"}}) {
    EXPECT_EXIT(crash(signal, 0), testing::KilledBySignal(signal), name + ".*Run the same command again");
    written += "a1 " + name + "\n";
    EXPECT_EQ(read(kCrashFile), written);
  }
}

TEST_F(CrashOfATrial, IsNotWrittenIfTheTrialIsUnknown) {
  EXPECT_EXIT(crash(SIGSEGV, 1), testing::KilledBySignal(SIGSEGV), "");
  EXPECT_FALSE(std::filesystem::exists(folder_ / kCrashFile));
}

/// A clock that stores the reported stage of the running training whenever the training reads the time.
class WatchingClock : public Clock {
 public:
  double now() override {
    const std::vector<ShownTrial> trials = running_trials();
    EXPECT_LE(trials.size(), 1u);
    if (!trials.empty() && trials.front().stage.what != nullptr) seen.push_back(trials.front().stage);
    return clock_.now();
  }
  std::vector<Stage> seen;

 private:
  FakeClock clock_;
};

/// Returns the stages that the training of one algorithm reports.
std::vector<Stage> stages(const Json& model, const Json& split = {{"kind", "holdout"}}) {
  const Plan plan = make_plan({{"data", {{"set", "two_moons"}, {"samples", 60}}}, {"split", split}, {"model", model}},
                              "no data directory");
  const PlannedCase& c = plan.cases.front();
  WatchingClock clock;
  std::size_t records = 0;
  run_task(
      {&c.specs, c.data.get(), c.folds[0][0], 0, 0, c.spec().model->algorithms}, clock, [] { return false; },
      [&](const Record& record) {
        ++records;
        EXPECT_TRUE(record.status.ok());
        EXPECT_TRUE(running_trials().empty()) << "it is finished";
      });
  EXPECT_EQ(records, 1u);
  return clock.seen;
}

class StagesOfFamilies : public testing::TestWithParam<std::tuple<const char*, std::size_t, const char*>> {};

TEST_P(StagesOfFamilies, CountUpToTheEnd) {
  const auto& [what, all, model] = GetParam();
  const Json read = Json::parse(model);
  const bool graph = read.value("family", "elm") == "s3elm";

  const std::vector<Stage> seen = graph ? stages(read, {{"kind", "labelled"}, {"labelled", 4}}) : stages(read);

  ASSERT_FALSE(seen.empty());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_EQ(seen[i].what, std::string(what));
    EXPECT_EQ(seen[i].all, all);
    EXPECT_GE(seen[i].number, 1u);
    EXPECT_LE(seen[i].number, all);
    EXPECT_LE(seen[i].fraction, 1);
    EXPECT_GE(seen[i].fraction, seen[i > 0 ? i - 1 : 0].fraction) << "it goes forward";
  }
  EXPECT_EQ(seen.back().number, all);
}

INSTANTIATE_TEST_SUITE_P(
    Each, StagesOfFamilies,
    testing::Values(
        std::tuple{"node", 12u, R"({"algorithms": ["alg2"], "nodes": {"start": 2, "stop": 12, "report": [3, 12]}})"},
        std::tuple{"update", 2u, R"({"algorithms": ["panel"], "nodes": {"start": 2, "stop": 12, "report": [3, 12]}})"},
        std::tuple{"major step", 3u,
                   R"({"family": "dec", "algorithms": ["dec"], "nodes": [4], "dec": {"report": [3]}})"},
        std::tuple{"iteration", 5u,
                   R"({"family": "dec", "algorithms": ["lbfgs"], "nodes": [4], "lbfgs": {"report": [5]}})"},
        std::tuple{"epoch", 4u,
                   R"({"family": "rls", "algorithms": ["adam"], "layers": [{"kind": "dense", "nodes": 5}],
                       "epochs": 4, "batch": 10})"},
        std::tuple{"grid point", 4u,
                   R"({"family": "s3elm", "algorithms": ["s3elm"], "nodes": 20, "graph": {"sigma": [4, 8]},
                       "s3elm": {"mu": [0.2, 0.5]}})"}),
    [](const auto& test) {
      std::string name = std::get<0>(test.param);
      std::replace(name.begin(), name.end(), ' ', '_');
      return name;
    });

}  // namespace
}  // namespace elmx
