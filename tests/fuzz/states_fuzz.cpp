#include "base/files/files.hpp"
#include "base/files/sha256.hpp"
#include "experiment/plan/plan.hpp"
#include "experiment/run/fold_trainer.hpp"
#include "fuzz/mutations.hpp"
#include "fuzz/results_folder.hpp"
#include "fuzz/target.hpp"

// The state of a training that was interrupted, of any content and mostly with the right checksum: its trial
// ends as it would have, or says that it begins anew and ends as undisturbed.

namespace elmx::fuzz {
namespace {

constexpr const char* kConfig = R"({
  "data": {"set": "two_moons", "samples": 12}, "split": {"kind": "holdout"},
  "model": {"family": "rls", "algorithms": ["rls"], "layers": [{"kind": "dense", "nodes": 2}], "epochs": 3, "report": [1, 3], "batch": 3}
})";
constexpr int kInterrupted = 7;  // looks of the training whether it is to end
constexpr std::string_view kMagic = "elmx state, format 1\n";

class Training {
 public:
  explicit Training(std::filesystem::path results)
      : results_(std::move(results)), plan_(make_plan(Json::parse(kConfig), "no data directory")) {
    undisturbed_ = run({});
    int looks = 0;
    run([&] { return ++looks == kInterrupted; });
    for (const auto& entry : std::filesystem::directory_iterator(results_ / "states")) file_ = entry.path();
    state_ = read_file(file_);
  }

  /// The state behind its checksum.
  std::string content() const { return state_.substr(state_.find('\n', kMagic.size()) + 1); }

  void go_on_from(const std::string& state) {
    std::filesystem::create_directories(results_ / "states");
    write_file(file_, state);
    notes_.clear();
    const std::string record = run({});
    require(!record.empty(), "the trial has a record");
    if (notes_.empty()) return;
    require(notes_.size() == 1, "what is wrong is said once");
    check_refusal(notes_[0]);
    require(record == undisturbed_, "a trial that begins anew ends as undisturbed");
  }

 private:
  /// The record without its times; "" where the training was stopped.
  std::string run(const std::function<bool()>& stopped) {
    const PlannedCase& c = plan_.cases[0];
    FakeClock clock;
    std::string text;
    const auto note = [&](const std::string& line) { notes_.push_back(line); };
    run_task(
        {&c.specs, c.data.get(), c.folds[0][0], 0, 0, c.spec().model->algorithms, nullptr, results_, note}, clock,
        stopped ? stopped : [] { return false; },
        [&](const Record& record) {
          Json json = to_json(record);
          json.erase("timing");
          text = json.dump();
        });
    return text;
  }

  std::filesystem::path results_, file_;
  Plan plan_;
  std::string undisturbed_, state_;
  std::vector<std::string> notes_;
};

std::string framed(const std::string& content) { return std::string(kMagic) + sha256(content) + "\n" + content; }

/// Lines of JSON, record and header, and the numbers behind them.
std::string mutated(const std::string& content, Choices& choices) {
  const std::size_t record = content.find('\n') + 1, header = content.find('\n', record) + 1;
  std::string parts[] = {content.substr(0, record - 1), content.substr(record, header - record - 1),
                         content.substr(header)};
  for (std::size_t i = 1 + choices.of(4); i > 0; --i) {
    const std::size_t part = choices.of(5) / 2;
    if (part < 2)
      mutate_text(parts[part], choices);
    else
      mutate(parts[2], choices);
  }
  return parts[0] + "\n" + parts[1] + "\n" + parts[2];
}

const Registered states_target("states", [](std::string_view bytes) {
  static const ResultsOf folder("states");
  static Training training(folder.path());
  Choices choices(bytes);
  const std::size_t how = choices.of(8);
  if (how == 0) return training.go_on_from(std::string(choices.rest()));
  if (how == 1) return training.go_on_from(framed(std::string(choices.rest())));
  training.go_on_from(framed(mutated(training.content(), choices)));
});

}  // namespace
}  // namespace elmx::fuzz
