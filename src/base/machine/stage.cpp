#include "base/machine/stage.hpp"

#include <algorithm>

namespace elmx {
namespace {

struct Reporting {
  StageReports* reports = nullptr;
  double begin = 0, length = 1;  // the range of the current part, as fractions of all work
};
thread_local Reporting mine;

constexpr auto kRelaxed = std::memory_order_relaxed;

}  // namespace

void report_stage(const char* what, std::size_t number, std::size_t all, double within) {
  if (mine.reports == nullptr) return;
  const double done = (static_cast<double>(number) - 1 + within) / static_cast<double>(std::max<std::size_t>(1, all));
  mine.reports->what_.store(what, kRelaxed);
  mine.reports->number_and_all_.store(std::uint64_t{number} << 32U | (all & 0xffffffffU), kRelaxed);
  mine.reports->fraction_.store(static_cast<float>(mine.begin + mine.length * std::clamp(done, 0.0, 1.0)), kRelaxed);
}

StageReports::StageReports() { mine = {this}; }

StageReports::~StageReports() { mine = {}; }

Stage StageReports::read() const {
  const std::uint64_t both = number_and_all_.load(kRelaxed);
  return {what_.load(kRelaxed), both >> 32U, both & 0xffffffffU, static_cast<double>(fraction_.load(kRelaxed))};
}

StagePart::StagePart(std::size_t index, std::size_t count) : begin_(mine.begin), length_(mine.length) {
  mine.length = length_ / static_cast<double>(std::max<std::size_t>(1, count));
  mine.begin = begin_ + mine.length * static_cast<double>(index);
}

StagePart::~StagePart() {
  mine.begin = begin_;
  mine.length = length_;
}

}  // namespace elmx
