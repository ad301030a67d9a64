#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/config/json.hpp"
#include "base/error.hpp"
#include "models/cost.hpp"
#include "models/predictor.hpp"
#include "models/trained_network.hpp"

namespace elmx {

/// The "model" of a config, which is read and checked once. All stages use this interface: only the family
/// knows the members of the model.
class Model {
 public:
  virtual ~Model() = default;

  /// Returns every member with its value, including defaults; reading the result gives the same model.
  virtual Json json() const = 0;

  virtual const std::vector<std::string>& algorithms() const = 0;

  /// Returns the number of sizes of the network that are reported; 0 if the data determine it.
  virtual std::size_t sizes() const = 0;

  /// Returns true if some of its numbers have single precision.
  virtual bool single_precision() const = 0;

  /// Returns true if the output weights of this algorithm solve a ridge problem by definition.
  virtual bool solves_ridge_problem(std::string_view algorithm) const = 0;

  /// Returns true if steps are measured repeatedly, which needs an otherwise idle machine.
  virtual bool measures_steps() const = 0;

  /// Returns the error for a run over several ranks; none if they can train the model together.
  virtual std::optional<ConfigError> needs_one_rank() const = 0;

  /// Returns the cost of `models` models trained together that differ in the shared member of the family
  /// only.
  virtual Cost cost(std::size_t models, const Sizes& sizes) const = 0;

  /// Restores the network of a checkpoint. Throws DataError if it does not fit the model.
  virtual std::unique_ptr<Predictor> restore(const TrainedNetwork& network, const NetworkShape& shape) const = 0;
};

using ModelPtr = std::shared_ptr<const Model>;

}  // namespace elmx
