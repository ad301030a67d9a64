#pragma once

#include <functional>
#include <optional>
#include <string>

#include "experiment/plan/plan.hpp"
#include "experiment/run/fold_trainer.hpp"
#include "experiment/run/run_trials.hpp"

namespace elmx {

// With several ranks, rank 0 runs the plan and broadcasts each training to the other ranks, which take part
// in it. With one rank, the functions of this header have no effect.

/// Rank 0: broadcasts the next training to the other ranks.
void broadcast_task(const FoldTask& task);
/// Rank 0: broadcasts a call of network_at.
void broadcast_task(const FoldTask& task, const std::string& algorithm, const std::optional<Size>& size);
/// Rank 0: broadcasts the end, after the last training.
void broadcast_end(const Communicator& ranks);

/// Other ranks: runs each training that rank 0 broadcasts, until the end.
void worker_loop(const Plan& plan, const std::function<std::unique_ptr<Clock>()>& make_clock);

/// Returns a function that gives the `stopped` of rank 0 on every rank. Every rank must call it equally
/// often.
std::function<bool()> stop_of_first_rank(const Communicator& ranks, const std::function<bool()>& stopped);

/// Returns the values that must be equal on every rank, by name: program, config, data and BLAS kernel. Each
/// rank decides by its own numbers whether to go on.
Json what_runs(const Json& config, const Plan& plan);

}  // namespace elmx
