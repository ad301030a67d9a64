#include "progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>

#include "base/printable.hpp"
#include "experiment/plan/planned_time.hpp"
#include "table_formats/table.hpp"
#include "terminal.hpp"

namespace elmx {
namespace {

using namespace std::chrono_literals;

constexpr auto kTick = 1s;
constexpr auto kLogEvery = 60s;

/// A line that is as long as the terminal is wide would scroll it.
std::size_t width() { return std::min<std::size_t>(terminal_columns(STDERR_FILENO).value_or(80) - 1, 120); }

/// At least of every trial: what the plan does not count (reading, judging, writing).
constexpr double kTrialFlops = 1e7;

}  // namespace

Progress::Progress(const Plan& plan, const std::vector<Record>& finished, std::shared_ptr<spdlog::logger> log)
    : log_(std::move(log)),
      terminal_(::isatty(STDERR_FILENO) == 1),
      all_(plan.trials()),
      begun_(std::chrono::steady_clock::now()),
      logged_(begun_) {
  for (const PlannedCase& c : plan.cases) {
    const auto algorithms_and_points = static_cast<double>(c.trials()) / static_cast<double>(c.tasks());
    const double weight = kTrialFlops + (c.cost.flops + 10 * c.cost.bytes_moved) / algorithms_and_points;
    weights_[{c.spec().name, c.data->name}] = weight;
    work_ += weight * static_cast<double>(c.trials());
  }
  for (const Record& record : finished) {
    ++before_;
    failed_ += record.status != "ok";
    work_before_ += weight_of(record);
  }
  done_ = before_;
  work_done_ = work_before_;
  ticker_ = std::jthread([this](const std::stop_token& stop) { tick(stop); });
}

Progress::~Progress() {
  ticker_.request_stop();
  ticker_ = {};
  clear();
}

double Progress::weight_of(const Record& record) const {
  const auto found = weights_.find({record.experiment_case, record.dataset});
  return found == weights_.end() ? kTrialFlops : found->second;
}

void Progress::advance(const Record& record) {
  const std::lock_guard lock(mutex_);
  ++done_;
  work_done_ += weight_of(record);
  last_ = (record.experiment_case.empty() ? record.dataset : record.experiment_case) + " " + record.algorithm;
  if (record.status != "ok") {
    ++failed_;
    clear();
    log_->warn("{} repeat {} fold {}: {}", last_, record.repeat, record.fold, record.status);
  }
  show();
}

std::string Progress::line(bool short_form) const {
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
  const auto here = static_cast<double>(done_ - before_);
  std::string text = fmt::format("{}/{}", done_, counted(all_, "trial"));
  if (failed_ > 0) text += fmt::format(", {} failed", failed_);
  if (here > 0 && seconds > 0) {
    const double rate = here / seconds, left = (work_ - work_done_) * seconds / (work_done_ - work_before_);
    text += rate >= 10  ? fmt::format(", {}/s", std::lround(rate))
            : rate >= 1 ? ", " + elmx::show(rate, significant(2)) + "/s"
                        : ", " + show_seconds(1 / rate) + " a trial";
    text += ", " + show_seconds(std::max(0.0, left)) + " left";
  } else {
    text += ", " + show_seconds(seconds) + " in the first";
  }
  if (!short_form && !last_.empty()) text += "  " + last_;
  return text;
}

void Progress::show() {
  if (terminal_) {
    std::cerr << "\r\033[K" << line(false).substr(0, width()) << std::flush;
    return;
  }
  const auto now = std::chrono::steady_clock::now();
  if (now - logged_ < kLogEvery || done_ == all_) return;
  logged_ = now;
  log_->info(line(true));
}

void Progress::clear() const {
  if (terminal_) std::cerr << "\r\033[K" << std::flush;
}

void Progress::tick(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  show();
  while (!wake_.wait_for(lock, stop, kTick, [&] { return stop.stop_requested(); })) show();
}

}  // namespace elmx
