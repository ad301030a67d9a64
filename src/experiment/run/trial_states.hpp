#pragma once

#include <filesystem>
#include <functional>

#include "experiment/records/record.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// Stores the states of the trials of a task in DIR/states/KEY.state: a line of text, a line with the SHA-256
/// of the rest, a line with the record so far, then the state that the training saved. A file exists from the
/// first save to the end of its trial and is replaced atomically.
///
/// A file that is damaged, belongs to another trial or is not a state is reported to `note`, and its trial
/// starts again.
class TrialStates final : public TrainingStates {
 public:
  using Note = std::function<void(const std::string&)>;

  TrialStates(std::filesystem::path folder, std::function<bool()> stopped, Note note = {})
      : folder_(std::move(folder)), stopped_(std::move(stopped)), note_(std::move(note)) {}

  /// Starts or resumes a trial; `record` receives the steps of its saved state.
  void begin(Record& record);
  /// Removes the state of a trial whose record is safe.
  void end(const std::string& key);

  std::optional<std::string> load() override { return saved_; }
  void refuse(const std::string& why) override;
  /// Writes a state. Throws OutputError.
  void save(const std::string& state) override;
  bool stopped() const override { return stopped_(); }

 private:
  std::filesystem::path file(const std::string& key) const { return folder_ / (key + ".state"); }

  std::filesystem::path folder_;
  std::function<bool()> stopped_;
  Note note_;
  Record* record_ = nullptr;
  std::string machine_;  ///< the current machine
  std::optional<std::string> saved_;
};

}  // namespace elmx
