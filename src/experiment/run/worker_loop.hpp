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
void announce_end();

/// Returns a function that gives the `stopped` of rank 0 on every rank. Every rank must call it equally
/// often.
std::function<bool()> of_first_rank(const std::function<bool()>& stopped);

/// Other ranks: the worker loop, which runs each training that rank 0 broadcasts, until the end.
void follow(const Plan& plan, const std::function<std::unique_ptr<Clock>()>& make_clock);

/// Throws ConfigError: a case of the plan that only a single rank can run, or a case with fewer samples than
/// ranks.
void refuse_over_ranks(const Plan& plan, int ranks);

/// Throws ConfigError: a case whose factor has more than 2^31 elements on a rank (within_indices).
void refuse_beyond_indices(const Plan& plan, int ranks);

/// Returns the values that must be equal on every rank, by name: program, config, data and BLAS kernel. Each
/// rank decides by its own numbers whether to go on.
Json what_runs(const Json& config, const Plan& plan);

}  // namespace elmx
