#include "base/machine/stage.hpp"

#include <algorithm>

namespace elmx {
namespace {

struct Reports {
  StageSlot* slot = nullptr;
  double begin = 0, length = 1;  // the range of the current part, as fractions of all work
};
thread_local Reports mine;

constexpr auto kRelaxed = std::memory_order_relaxed;

}  // namespace

Stage StageSlot::read() const {
  const std::uint64_t both = number_and_all_.load(kRelaxed);
  return {what_.load(kRelaxed), both >> 32U, both & 0xffffffffU, static_cast<double>(fraction_.load(kRelaxed))};
}

void StageSlot::write(const Stage& stage) {
  what_.store(stage.what, kRelaxed);
  number_and_all_.store(std::uint64_t{stage.number} << 32U | (stage.all & 0xffffffffU), kRelaxed);
  fraction_.store(static_cast<float>(stage.fraction), kRelaxed);
}

void report_stage(const char* what, std::size_t number, std::size_t all, double within) {
  if (mine.slot == nullptr) return;
  const double done = (static_cast<double>(number) - 1 + within) / static_cast<double>(std::max<std::size_t>(1, all));
  mine.slot->write({what, number, all, mine.begin + mine.length * std::clamp(done, 0.0, 1.0)});
}

StageReports::StageReports(StageSlot& slot) {
  slot.write({});
  mine = {&slot};
}

StageReports::~StageReports() { mine = {}; }

StagePart::StagePart(std::size_t index, std::size_t count) : begin_(mine.begin), length_(mine.length) {
  mine.length = length_ / static_cast<double>(std::max<std::size_t>(1, count));
  mine.begin = begin_ + mine.length * static_cast<double>(index);
}

StagePart::~StagePart() {
  mine.begin = begin_;
  mine.length = length_;
}

}  // namespace elmx
