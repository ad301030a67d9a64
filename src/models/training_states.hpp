#pragma once

#include <optional>
#include <string>

namespace elmx {

/// The place where a long training keeps its state, so that it can go on after an interruption.
class TrainingStates {
 public:
  virtual ~TrainingStates() = default;

  /// The last state saved; none at the beginning.
  virtual std::optional<std::string> load() = 0;
  /// Reports that the loaded state is not of this training, which begins anew.
  virtual void refuse(const std::string& why) = 0;
  virtual void save(const std::string& state) = 0;

  /// True if the user wants the run to end: a training then saves its state and throws Interrupted.
  virtual bool stopped() const = 0;
};

/// A training ended before its end, its state saved.
struct Interrupted {};

}  // namespace elmx
