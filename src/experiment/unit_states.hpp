#pragma once

#include <filesystem>
#include <functional>

#include "experiment/record.hpp"
#include "models/training_states.hpp"

namespace elmx {

/// The states of the units of a task: DIR/states/KEY.state, the record so far on a line, then what the training saved. A file is there
/// from the first save to the end of its unit; it is replaced as a whole.
class UnitStates final : public TrainingStates {
 public:
  UnitStates(std::filesystem::path folder, std::function<bool()> stopped) : folder_(std::move(folder)), stopped_(std::move(stopped)) {}

  /// The unit that is trained from here on; `record` gets what it had already reported. Throws DataError where its file is damaged.
  void begin(Record& record);
  /// The record of the unit is safe.
  void end(const std::string& key);

  std::optional<std::string> load() override { return saved_; }
  void save(const std::string& state) override;
  bool stopped() const override { return stopped_(); }

 private:
  std::filesystem::path file(const std::string& key) const { return folder_ / (key + ".state"); }

  std::filesystem::path folder_;
  std::function<bool()> stopped_;
  Record* record_ = nullptr;
  std::optional<std::string> saved_;
};

}  // namespace elmx
