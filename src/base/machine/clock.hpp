#pragma once

#include <chrono>
#include <cstddef>
#include <ctime>
#include <string>
#include <vector>

#include "base/numbers.hpp"

namespace elmx {

/// Seconds, measured n times.
struct Seconds {
  double mean = 0;
  double sd = 0;  ///< standard deviation of a single measurement; 0 if n = 1
  std::size_t n = 0;
  /// The n measurements if several algorithms were measured in turn: element r belongs to round r.
  std::vector<double> rounds = {};
};

/// Summarises measurements; all members are 0 if there are none.
inline Seconds seconds_of(const std::vector<double>& measured) {
  if (measured.empty()) return {};
  const auto [mean, sd] = mean_and_sd(measured.size(), [&](std::size_t i) { return measured[i]; });
  return {mean, measured.size() > 1 ? sd : 0, measured.size()};
}

/// Returns the current time as "2026-03-01T12:30:00Z".
inline std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  return text;
}

/// A source of time. Passing it as an argument lets tests run the whole program with a fake clock.
class Clock {
 public:
  virtual ~Clock() = default;
  /// Seconds since some fixed moment; never decreases.
  virtual double now() = 0;
  /// Returns true if the clock shows real time.
  virtual bool measures() const { return true; }
};

class SteadyClock : public Clock {
 public:
  double now() override {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
};

/// A clock that advances one tick per reading. A tick is a power of 2, so that differences are exact.
class FakeClock : public Clock {
 public:
  static constexpr double kTick = 0x1p-10;  ///< seconds

  double now() override { return kTick * static_cast<double>(++ticks_); }
  bool measures() const override { return false; }

 private:
  long ticks_ = 0;
};

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
