#pragma once

#include <optional>

#include "results/record_rows.hpp"

namespace elmx {

/// The first epoch at which the mean training loss of `row` (over its repeats and folds, from the traces) is at most
/// that of `reference` after its last epoch; of the reference itself alike. Both are means over the batches of an
/// epoch, taken while the network is trained; the metric "train_loss" is that of all samples after the epoch. Infinite
/// where no epoch does; none where a trial of either failed (its mean is then not that of all trials) or has no trace
/// "train_loss".
std::optional<double> epochs_to_reach(const RecordRow& row, const RecordRow& reference);

}  // namespace elmx
