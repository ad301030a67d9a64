#pragma once

#include <optional>
#include <string>

namespace elmx {

/// A store for the state of a long training, so that it can continue after an interruption.
class TrainingStates {
 public:
  virtual ~TrainingStates() = default;

  /// Returns the last saved state, or nothing at the beginning.
  virtual std::optional<std::string> load() = 0;
  /// Reports that the loaded state does not belong to this training, which starts anew.
  virtual void refuse(const std::string& why) = 0;
  virtual void save(const std::string& state) = 0;

  /// Returns true if the user wants the run to end: a training then saves its state and throws Interrupted.
  virtual bool stopped() const = 0;
};

/// Thrown when a training is interrupted after saving its state.
struct Interrupted {};

}  // namespace elmx
