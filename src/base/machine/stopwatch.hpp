#pragma once

#include "base/machine/clock.hpp"

namespace elmx {

/// A stopwatch for training time, which excludes the checkpoints in between.
class Stopwatch {
 public:
  /// Starts to run, with `seconds` already measured.
  explicit Stopwatch(Clock& clock, double seconds = 0) : clock_(clock), begin_(clock.now()), seconds_(seconds) {}

  /// Stops and returns the seconds so far.
  double stop() { return seconds_ += clock_.now() - begin_; }
  void go() { begin_ = clock_.now(); }

 private:
  Clock& clock_;
  double begin_;
  double seconds_;
};

}  // namespace elmx
