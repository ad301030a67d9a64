#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "base/rng.hpp"
#include "models/cost.hpp"
#include "models/kernel/kernel_options.hpp"
#include "models/predictor.hpp"
#include "models/trained_network.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// The row of the algorithm for the registry.
struct KernelAlgorithm {
  std::string_view name, summary, flops;
};
std::span<const KernelAlgorithm> kernel_algorithms();

/// Trains models that differ in the ridge parameter; "auto" is chosen for each model.
std::unique_ptr<Trainer> make_kernel(const std::vector<KernelOptions>& models, FoldView fold, const Rng& rng);

/// Restores a trained machine. Throws DataError if the stored network does not fit.
std::unique_ptr<Predictor> restore_kernel(const KernelOptions& model, const TrainedNetwork& network,
                                          const NetworkShape& shape);

Cost kernel_cost(const std::vector<KernelOptions>& models, const Sizes& sizes);

}  // namespace elmx
