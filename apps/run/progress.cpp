#include "run/progress.hpp"

#include <fmt/core.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>

#include "base/printable.hpp"
#include "cli/terminal.hpp"
#include "experiment/plan/plan.hpp"
#include "report/formats/lines_of_text.hpp"
#include "report/formats/table.hpp"

namespace elmx {
namespace {

using namespace std::chrono_literals;

constexpr auto kTick = 1s;
constexpr auto kLogEvery = 60s;

/// A line that is as long as the terminal is wide would scroll it.
std::size_t width() { return std::min<std::size_t>(terminal_columns(STDERR_FILENO).value_or(80) - 1, 120); }

/// The finished fraction of a trial from which its own speed predicts better than the plan.
constexpr double kTelling = 0.02;

double seconds_between(std::chrono::steady_clock::time_point begin, std::chrono::steady_clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

/// Prints the messages of a log, in lines that fit a terminal.
class TerminalSink final : public spdlog::sinks::base_sink<std::mutex> {
  void sink_it_(const spdlog::details::log_msg& message) override {
    note_line({message.payload.data(), message.payload.size()});
  }
  void flush_() override {}
};

std::shared_ptr<spdlog::sinks::sink> log_file(const std::filesystem::path& path) {
  try {
    return std::make_shared<spdlog::sinks::basic_file_sink_mt>(path.string());
  } catch (const spdlog::spdlog_ex& error) {
    throw ConfigError(path.string(), fmt::format("cannot be written: {}", error.what()));
  }
}

}  // namespace

std::shared_ptr<spdlog::logger> open_log(const std::filesystem::path& folder) {
  const auto terminal = std::make_shared<TerminalSink>();
  const auto file = log_file(folder / "log.txt");
  file->set_pattern("%Y-%m-%dT%H:%M:%S%z %l %v");
  auto log = std::make_shared<spdlog::logger>("elmx", spdlog::sinks_init_list{terminal, file});
  log->flush_on(spdlog::level::info);  // a run that is killed has said what it did
  return log;
}

Progress::Progress(const Plan& plan, std::size_t trials, double part, double seconds,
                   const std::vector<Record>& finished, std::shared_ptr<spdlog::logger> log)
    : log_(std::move(log)),
      terminal_(::isatty(STDERR_FILENO) == 1 && takes_codes()),
      all_(trials),
      begun_(std::chrono::steady_clock::now()),
      logged_(begun_) {
  for (const PlannedCase& c : plan.cases) {
    const double weight = trial_seconds(c);
    for (const CaseSpec& spec : c.specs) weights_[{spec.name, c.data->name, Json(spec.point).dump()}] = weight;
    work_ += part * weight * static_cast<double>(c.trials());
    if (part == 1) work_ += ordinary_seconds(c.kept_work) + ordinary_seconds(c.final_cost);
  }
  for (const Record& record : finished) {
    ++before_;
    failed_ += !record.status.ok();
    work_before_ += weight_of(record);
  }
  planned_rate_ = work_ / std::max(seconds, 1e-3);
  done_ = before_;
  work_done_ = work_before_;
  go_on();
}

Progress::~Progress() { rest(); }

void Progress::rest() {
  ticker_.request_stop();
  ticker_ = {};
  clear();
}

void Progress::go_on() {
  ticker_ = std::jthread([this](const std::stop_token& stop) { tick(stop); });
}

double Progress::weight_of(const Record& record) const {
  const auto found = weights_.find({record.experiment_case, record.dataset, Json(record.point).dump()});
  return found == weights_.end() ? 0 : found->second;
}

void Progress::advance_models(double seconds) {
  const std::lock_guard lock(mutex_);
  work_done_ += seconds;
  show();
}

void Progress::say(const std::string& text) {
  const std::lock_guard lock(mutex_);
  clear();
  log_->info(text);
  show();
}

void Progress::advance(const Record& record) {
  const std::lock_guard lock(mutex_);
  ++done_;
  work_done_ += weight_of(record);
  if (!record.status.ok()) {
    ++failed_;
    clear();
    log_->warn("{} {} repeat {} fold {}: {}", record.experiment_case.empty() ? record.dataset : record.experiment_case,
               record.algorithm, record.repeat, record.fold, record.status.why);
  }
  show();
}

double Progress::work_of_running(const std::vector<ShownTrial>& trials, Time now) const {
  const double seconds = seconds_between(begun_, now);
  const double rate = done_ > before_ && seconds > 0 ? (work_done_ - work_before_) / seconds : planned_rate_;
  double work = 0;
  for (const ShownTrial& trial : trials) {
    const double all = static_cast<double>(trial.trials) * weight_of(trial.first);
    if (all == 0) continue;
    const double expected = rate * seconds_between(trial.begun, now) / static_cast<double>(trials.size());
    work += all * (trial.stage.what != nullptr ? trial.stage.fraction : 1 - std::exp(-expected / all));
  }
  return std::min(work, std::max(0.0, work_ - work_done_));
}

double Progress::seconds_left(const std::vector<ShownTrial>& trials, Time now) const {
  const double running = work_of_running(trials, now);
  const double here = work_done_ - work_before_ + running, left = work_ - work_done_ - running;
  const bool measured = done_ > before_ || std::ranges::any_of(trials, [](const ShownTrial& trial) {
                          return trial.stage.what != nullptr && trial.stage.fraction > kTelling;
                        });
  return std::max(0.0, left / (measured && here > 0 ? here / seconds_between(begun_, now) : planned_rate_));
}

std::string Progress::line() const {
  const Time now = std::chrono::steady_clock::now();
  const std::vector<ShownTrial> trials = running_trials();
  const double per_second = static_cast<double>(done_ - before_) / std::max(seconds_between(begun_, now), 1e-3);
  std::string text = fmt::format("{}/{}", done_, counted(all_, "trial"));
  if (failed_ > 0) text += fmt::format(", {} failed", failed_);
  if (done_ > before_) {
    text += per_second >= 10  ? fmt::format(", {}/s", std::lround(per_second))
            : per_second >= 1 ? ", " + elmx::show(per_second, significant(2)) + "/s"
                              : ", " + show_seconds(1 / per_second) + " a trial";
  }
  text += ", " + show_seconds(seconds_left(trials, now)) + " left";
  if (trials.empty()) return text;
  const auto& [first, count, begun, stage] = trials.front();
  text +=
      fmt::format("; {} {}", first.experiment_case.empty() ? first.dataset : first.experiment_case, first.algorithm);
  if (stage.what != nullptr) text += fmt::format(": {} {} of {}", stage.what, stage.number, stage.all);
  return text;
}

void Progress::show() {
  if (terminal_) {
    std::cerr << "\r\033[K" << lines_of_text(printable(line()), width()).front() << std::flush;
    return;
  }
  const auto now = std::chrono::steady_clock::now();
  if (now - logged_ < kLogEvery || work_done_ >= work_) return;
  logged_ = now;
  log_->info(line());
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
