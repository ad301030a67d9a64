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

/// Reports that this thread works on part `number` (from 1) of `all` parts of equal cost, and has done the
/// fraction `within` of this part. Takes some nanoseconds; has no effect outside of a StageReports scope.
void report_stage(const char* what, std::size_t number, std::size_t all, double within = 0);

/// A scope in which other threads can read the reports of this thread.
class StageReports {
 public:
  StageReports();
  ~StageReports();
  StageReports(const StageReports&) = delete;
  StageReports& operator=(const StageReports&) = delete;

  Stage read() const;

 private:
  friend void report_stage(const char* what, std::size_t number, std::size_t all, double within);

  std::atomic<const char*> what_ = nullptr;
  std::atomic<std::uint64_t> number_and_all_ = 0;  // 32 bits each
  std::atomic<float> fraction_ = 0;
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
