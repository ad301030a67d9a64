#pragma once

#include <filesystem>
#include <functional>

#include "experiment/records/record.hpp"
#include "models/training_states.hpp"

namespace elmx {

/// The states of the trials of a task: DIR/states/KEY.state, a line of text, the SHA-256 of what follows on a
/// line, the record so far on a line, then what the training saved. A file is there from the first save to
/// the end of its trial; it is replaced as a whole.
///
/// A file that is damaged, of another trial or no state of the training is said to `note`; its trial begins
/// anew.
class TrialStates final : public TrainingStates {
 public:
  using Note = std::function<void(const std::string&)>;

  TrialStates(std::filesystem::path folder, std::function<bool()> stopped, Note note = {})
      : folder_(std::move(folder)), stopped_(std::move(stopped)), note_(std::move(note)) {}

  /// The trial that is trained from here on; `record` gets what it had already reported.
  void begin(Record& record);
  /// The record of the trial is safe.
  void end(const std::string& key);

  std::optional<std::string> load() override { return saved_; }
  void refuse(const std::string& why) override;
  /// Throws OutputError.
  void save(const std::string& state) override;
  bool stopped() const override { return stopped_(); }

 private:
  std::filesystem::path file(const std::string& key) const { return folder_ / (key + ".state"); }

  std::filesystem::path folder_;
  std::function<bool()> stopped_;
  Note note_;
  Record* record_ = nullptr;
  std::string machine_;  ///< that trains from here on
  std::optional<std::string> saved_;
};

}  // namespace elmx
