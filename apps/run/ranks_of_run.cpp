#include "run/ranks_of_run.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iostream>
#include <thread>

#include "base/communicator.hpp"
#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "linalg/blas.hpp"

namespace elmx {
namespace {

/// Calls f and returns the outcome of this rank: null, or an exit code and the lines of its error.
Json outcome_of(const std::function<void()>& f) {
  try {
    f();
    return nullptr;
  } catch (const UserError& error) {
    return {{"code", static_cast<int>(error.code())}, {"lines", error.lines()}};
  }
}

}  // namespace

void join_ranks_of_run(const Common& common, int silence_limit_s) {
  join_ranks({.limit_s = silence_limit_s, .report = [silence_limit_s](int rank) {
                report_fatal(fmt::format(
                    "rank {} has been silent for {} s; check its process and its machine, then start the same command "
                    "again (--rank-timeout sets the limit)",
                    rank, silence_limit_s));
              }});
  if (!ranks().present()) return;
  const int here = ranks().on_this_machine(), cores = static_cast<int>(std::thread::hardware_concurrency());
  if (common.threads == 0 && here > 1) set_threads(std::clamp(cores / here, 1, threads()));
  if (ranks().first()) return;
  silence_output();
  stop_on_interruption();  // the first rank decides
}

void refuse_several_processes(const Common& common) {
  const int processes = launched_processes();
  if (processes <= 1) return;
  join_ranks_of_run(common);
  on_every_rank([&] {
    throw ConfigError(
        fmt::format("{} processes were started together, but only elmx run shares its work among several. Start one "
                    "process",
                    processes));
  });
}

void on_every_rank(const std::function<void()>& f) {
  if (ranks().count() == 1) return f();
  const std::vector<std::string> outcomes = ranks().all_gather(outcome_of(f).dump());
  for (std::size_t rank = 0; rank < outcomes.size(); ++rank) {
    const Json outcome = Json::parse(outcomes[rank]);
    if (outcome.is_null()) continue;
    auto lines = outcome["lines"].get<std::vector<std::string>>();
    if (rank > 0) lines.front() = fmt::format("rank {}: {}", rank, lines.front());
    throw EndOfAllRanks(static_cast<ExitCode>(outcome["code"].get<int>()), lines);
  }
}

void agree_on(const Json& same) {
  if (ranks().count() == 1) return;
  const std::vector<std::string> values = ranks().all_gather(same.dump());
  const Json first = Json::parse(values.front());
  for (std::size_t rank = 1; rank < values.size(); ++rank) {
    const Json other = Json::parse(values[rank]);
    for (const auto& [what, value] : first.items()) {
      if (other[what] == value) continue;
      throw EndOfAllRanks(
          ExitCode::config,
          {fmt::format("rank {}: its {} differs from that of rank 0; use the same on every rank", rank, what)});
    }
  }
}

void say_what_ranks_took() {
  if (ranks().count() == 1) return;
  const Json own = {{"memory", peak_memory()}, {"sent", ranks().bytes_sent()}};
  double memory = 0, sent = 0;
  for (const std::string& values : ranks().all_gather(own.dump())) {
    const Json other = Json::parse(values);
    memory = std::max(memory, other["memory"].get<double>());
    sent = std::max(sent, other["sent"].get<double>());
  }
  if (ranks().first())
    std::cerr << fmt::format("{} ranks: each used at most {} of memory and sent at most {}\n", ranks().count(),
                             show_bytes(memory), show_bytes(sent));
}

}  // namespace elmx
