#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace elmx {

/// The progress of a long computation: the current epoch `number` of `all`, and the finished fraction of all
/// work, in [0, 1].
struct Stage {
  const char* what = nullptr;  ///< a literal such as "epoch" or "major step"; null = no report yet
  std::size_t number = 0, all = 0;
  double fraction = 0;
};

/// A slot in which a working thread publishes its progress, and that other threads can read at any time.
class StageSlot {
 public:
  Stage read() const;
  void write(const Stage& stage);

 private:
  std::atomic<const char*> what_ = nullptr;
  std::atomic<std::uint64_t> number_and_all_ = 0;
  std::atomic<float> fraction_ = 0;
};

/// Reports that this thread works on part `number` (from 1) of `all` parts of equal cost, and has done the
/// fraction `within` of this part. Takes some nanoseconds; has no effect if the thread has no slot.
void report_stage(const char* what, std::size_t number, std::size_t all, double within = 0);

/// A scope in which `slot` receives the reports of this thread.
class StageReports {
 public:
  explicit StageReports(StageSlot& slot);
  ~StageReports();
  StageReports(const StageReports&) = delete;
  StageReports& operator=(const StageReports&) = delete;
};

/// A scope in which reports of this thread are scaled to part `index` (from 0) of `count` equal parts of the
/// enclosing work.
class StagePart {
 public:
  StagePart(std::size_t index, std::size_t count);
  ~StagePart();
  StagePart(const StagePart&) = delete;
  StagePart& operator=(const StagePart&) = delete;

 private:
  double begin_, length_;  // the enclosing range, restored by the destructor
};

}  // namespace elmx
