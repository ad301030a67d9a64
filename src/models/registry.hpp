#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/config/fields.hpp"
#include "base/rng.hpp"
#include "models/model.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// One family of models: how its part of a config ("model") is read, and how it is trained.
struct Family {
  std::string_view name;
  std::string_view summary;
  /// The member whose values one trainer takes together, for what it computes does not all depend on it; "" =
  /// none.
  std::string_view shared;
  /// True if its output weights minimise a sum of squares and lambda ||W||^2 over all training samples, so
  /// that it can weigh them and leave one out.
  bool ridge = false;
  /// True if its outputs have a constant term: else targets far from 0 must be scaled.
  bool output_bias = false;
  /// True if a training draws random numbers: else the same samples give the same network.
  bool random = true;
  /// True if a training that is interrupted goes on from its state.
  bool keeps_states = false;
  Json (*schema)() = nullptr;
  void (*find_sweeps)(const Json& model, const std::string& place, std::vector<Axis>& axes) = nullptr;
  /// leave_one_out: whatever the model says, leave-one-out errors are wanted; of a family with `ridge`.
  /// Throws ConfigError, the message begins with `place`.
  ModelPtr (*read)(const Json& model, const std::string& place, bool leave_one_out) = nullptr;
  /// Takes models of this family that differ in the shared member only.
  std::unique_ptr<Trainer> (*prepare)(const std::vector<ModelPtr>& models, FoldView fold, const Rng& rng) = nullptr;
};

/// One algorithm: what `elmx list algorithms` and `elmx show` say of it.
struct AlgorithmInfo {
  std::string_view name;
  std::string_view family;
  std::string_view summary;
  /// of one step, as the family's table of complexities writes them; "" = none stated
  std::string intermediate_flops;
  std::string weight_flops;
  std::string_view symbols;  ///< what the letters of both mean
  /// The work of one step, "adds one node": times of single steps are comparable between algorithms that
  /// agree in it.
  std::string_view step = "";
  /// else it solves another problem, and its backward error says how far that is from the ridge problem
  bool ridge_solution = true;
};

/// All families that exist.
std::span<const Family> families();

/// "elm, bls, rvfl": those with `ridge`.
std::string ridge_families();

/// Throws ConfigError for an unknown name; `place` begins the message.
const Family& family_of(const Json& model, const std::string& place);

/// All algorithms that exist, family by family.
std::vector<AlgorithmInfo> algorithms();

/// Throws std::logic_error where the family has no such algorithm.
AlgorithmInfo algorithm_of(std::string_view family, std::string_view algorithm);

}  // namespace elmx
