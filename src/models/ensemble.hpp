#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "models/predictor.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// Several trainers of which each reports one size: after each of them the mean of the outputs so far is
/// reported, as a network of all their nodes. Diagnostics are those of the member that is worst; the errors
/// of outputs and leave-one-out errors are not known. The networks of members must live as long as the
/// members.
std::unique_ptr<Trainer> averaging_trainer(std::vector<std::unique_ptr<Trainer>> members);

/// The mean of members that `restore` makes again, each from its part of what was kept. Throws DataError
/// where there is none.
std::unique_ptr<Predictor> restore_average(
    const TrainedNetwork& network, const std::function<std::unique_ptr<Predictor>(const TrainedNetwork&)>& restore);

}  // namespace elmx
