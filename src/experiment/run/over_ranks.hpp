#pragma once

#include <functional>
#include <optional>
#include <string>

#include "experiment/plan/plan.hpp"
#include "experiment/run/fold_trainer.hpp"
#include "experiment/run/run_trials.hpp"

namespace elmx {

// Over several ranks, rank 0 runs the plan; the others do each training with it, told by rank 0 what comes
// next. With one rank nothing here does anything.

/// Rank 0, before a training that the others take part in.
void announce(const FoldTask& task);
/// The same of network_at.
void announce(const FoldTask& task, const std::string& algorithm, const std::optional<Size>& size);
/// Rank 0, after the last one.
void announce_end();

/// `stopped` of rank 0, on every rank; every rank must ask as often.
std::function<bool()> of_first_rank(const std::function<bool()>& stopped);

/// The other ranks: takes part in what rank 0 announces, until the end.
void follow(const Plan& plan, const std::function<std::unique_ptr<Clock>()>& make_clock);

/// Throws ConfigError: a case of the plan that one rank alone can run, or one with fewer samples than there
/// are ranks.
void refuse_over_ranks(const Plan& plan, int ranks);

/// Throws ConfigError: a case whose factor has places beyond 2^31 in what a rank has of it (within_indices).
void refuse_beyond_indices(const Plan& plan, int ranks);

/// What must be the same on every rank, each named: program, config, data, and the BLAS kernel, since all
/// ranks decide by numbers of their own whether to go on.
Json what_runs(const Json& config, const Plan& plan);

}  // namespace elmx
