#pragma once

#include "base/machine/clock.hpp"

namespace elmx {

/// Training time without the checkpoints in between.
class Stopwatch {
 public:
  /// Runs from here on, after `seconds` that were measured before.
  explicit Stopwatch(Clock& clock, double seconds = 0) : clock_(clock), begin_(clock.now()), seconds_(seconds) {}

  /// Seconds so far.
  double stop() { return seconds_ += clock_.now() - begin_; }
  void go() { begin_ = clock_.now(); }

 private:
  Clock& clock_;
  double begin_;
  double seconds_;
};

}  // namespace elmx
