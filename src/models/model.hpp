#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/config/json.hpp"
#include "models/cost.hpp"
#include "models/predictor.hpp"
#include "models/trained_network.hpp"

namespace elmx {

/// The "model" of a config, read and checked once. Every stage asks this interface: only the
/// family knows its members.
class Model {
 public:
  virtual ~Model() = default;

  /// Every member with its value, defaults included; reading it gives the same model.
  virtual Json json() const = 0;

  virtual const std::vector<std::string>& algorithms() const = 0;

  /// The number of sizes of the network that are reported; 0 if the data determine it.
  virtual std::size_t sizes() const = 0;

  /// True if some of its numbers have single precision.
  virtual bool single_precision() const = 0;

  /// True if the output weights that this algorithm reports are the solution of a ridge problem by
  /// definition.
  virtual bool solves_ridge_problem(std::string_view algorithm) const = 0;

  /// True if steps are measured again and again, which needs a machine that does nothing else.
  virtual bool measures_steps() const = 0;

  /// What of it one rank alone can do, and what is allowed ("/reference: ..."); "" where several ranks can
  /// work on it.
  virtual std::string needs_one_rank() const = 0;

  /// Of so many models computed together, that differ from this one in the shared member of the family only.
  virtual Cost cost(std::size_t models, const Sizes& sizes) const = 0;

  /// The network that a checkpoint kept. Throws DataError where the two do not fit.
  virtual std::unique_ptr<Predictor> restore(const TrainedNetwork& network, const NetworkShape& shape) const = 0;
};

using ModelPtr = std::shared_ptr<const Model>;

}  // namespace elmx
