#pragma once

#include <chrono>
#include <cstddef>
#include <ctime>
#include <string>
#include <vector>

#include "base/mean_and_sd.hpp"

namespace elmx {

/// Seconds, measured n times.
struct Seconds {
  double mean = 0;
  double sd = 0;  ///< of a single measurement; 0 where n = 1
  std::size_t n = 0;
  /// the n measurements, where those of several algorithms were made in turn: the r-th in round r
  std::vector<double> rounds = {};
};

/// Of no measurement: 0.
inline Seconds seconds_of(const std::vector<double>& measured) {
  if (measured.empty()) return {};
  const auto [mean, sd] = mean_and_sd(measured.size(), [&](std::size_t i) { return measured[i]; });
  return {mean, measured.size() > 1 ? sd : 0, measured.size()};
}

/// "2026-03-01T12:30:00Z".
inline std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  return text;
}

/// The time arrives as an argument, so that the whole program can be tested with a clock that ticks as told.
class Clock {
 public:
  virtual ~Clock() = default;
  /// Seconds since some fixed moment; never decreases.
  virtual double now() = 0;
  /// True if what it says is the time of the machine.
  virtual bool measures() const { return true; }
};

class SteadyClock : public Clock {
 public:
  double now() override {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
};

/// Every look at the clock takes one tick, a power of 2: times between looks are exact, whatever came before.
class FakeClock : public Clock {
 public:
  static constexpr double kTick = 0x1p-10;  ///< seconds

  double now() override { return kTick * static_cast<double>(++ticks_); }
  bool measures() const override { return false; }

 private:
  long ticks_ = 0;
};

}  // namespace elmx
