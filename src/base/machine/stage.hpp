#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace elmx {

/// How far a work that takes long is: in the `number`-th of `all` epochs. The fraction of all the work that
/// is done is in [0, 1].
struct Stage {
  const char* what = nullptr;  ///< "epoch", "major step", ...: a literal; null: nothing has been said
  std::size_t number = 0, all = 0;
  double fraction = 0;
};

/// Where the thread that works says how far it is, for another thread to read at any moment.
class StageSlot {
 public:
  Stage read() const;
  void write(const Stage& stage);

 private:
  std::atomic<const char*> what_ = nullptr;
  std::atomic<std::uint64_t> number_and_all_ = 0;
  std::atomic<float> fraction_ = 0;
};

/// Says that this thread is in the number-th, counted from 1, of `all` parts of equal cost, `within` of it
/// being done. To the slot of the thread, in some nanoseconds; nothing where it has none.
void report_stage(const char* what, std::size_t number, std::size_t all, double within = 0);

/// From construction to destruction `slot` has what this thread reports.
class StageReports {
 public:
  explicit StageReports(StageSlot& slot);
  ~StageReports();
  StageReports(const StageReports&) = delete;
  StageReports& operator=(const StageReports&) = delete;
};

/// From construction to destruction what this thread reports is within the index-th, from 0, of `count` parts
/// of what it has done so far.
class StagePart {
 public:
  StagePart(std::size_t index, std::size_t count);
  ~StagePart();
  StagePart(const StagePart&) = delete;
  StagePart& operator=(const StagePart&) = delete;

 private:
  double begin_, length_;  // of what it is a part of
};

}  // namespace elmx
