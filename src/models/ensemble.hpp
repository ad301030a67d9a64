#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "models/predictor.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// Combines trainers that report one size each. After each trainer, the mean of the outputs so far is
/// reported as a network of all nodes so far. Diagnostics are the worst of the members; errors of outputs and
/// leave-one-out errors are not known. The members must outlive their networks.
std::unique_ptr<Trainer> averaging_trainer(std::vector<std::unique_ptr<Trainer>> members);

/// Restores the mean of members; `restore` makes each member from its part of the stored network. Throws
/// DataError if there is no member.
std::unique_ptr<Predictor> restore_average(
    const TrainedNetwork& network, const std::function<std::unique_ptr<Predictor>(const TrainedNetwork&)>& restore);

}  // namespace elmx
