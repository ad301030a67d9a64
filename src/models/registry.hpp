#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.hpp"
#include "base/rng.hpp"
#include "models/comparison.hpp"
#include "models/predictor.hpp"
#include "models/trained_network.hpp"

namespace elmx {

/// One family of models: how its part of a config ("model") is read, what it costs, and how it is run.
struct Family {
  std::string_view name;
  std::string_view summary;
  Json (*schema)();
  void (*find_sweeps)(const Json& model, const std::string& place, std::vector<Axis>& axes);
  /// Every member with its value, defaults included. Throws ConfigError, the message begins with `place`.
  Json (*resolve)(const Json& model, const std::string& place);
  /// The member whose values one comparison takes together, for what it computes does not all depend on it; "" = none.
  std::string_view shared;
  /// How many sizes a resolved "model" reports; null unless the family's output weights minimise a sum of squares and
  /// lambda ||W||^2 over all training samples, so that it can weigh them and leave one out.
  std::size_t (*ridge_sizes)(const Json& model);
  /// Of so many points computed together, whose resolved "model"s differ in the shared member only.
  Cost (*cost)(const Json& model, std::size_t points, const Sizes& sizes);
  /// This takes their "model"s.
  std::unique_ptr<Comparison> (*prepare)(const std::vector<Json>& models, FoldView fold, const Rng& rng);
  /// The network that a checkpoint kept, of a resolved "model". Throws DataError where the two do not fit, ConfigError where "model" is none.
  std::unique_ptr<Predictor> (*restore)(const Json& model, const TrainedNetwork& network, const NetworkShape& shape);
};

/// One algorithm: what `elmx list algorithms` and `elmx show` say of it.
struct AlgorithmInfo {
  std::string_view name;
  std::string_view family;
  std::string_view summary;
  std::string intermediate_flops;  ///< of one step, as the family's table of complexities writes them; "" = none stated
  std::string weight_flops;
  std::string_view symbols;               ///< what the letters of both mean
  bool ridge_solution = true;  ///< else it solves another problem, and its residual says how far that is from the ridge problem
};

/// All families that exist.
std::span<const Family> families();

/// "elm, bls": those with ridge_sizes.
std::string ridge_families();

/// Throws ConfigError for an unknown name; `place` begins the message.
const Family& family_of(const Json& model, const std::string& place);

/// All algorithms that exist, family by family.
std::vector<AlgorithmInfo> algorithms();

}  // namespace elmx
