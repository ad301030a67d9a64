#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.hpp"
#include "models/model.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// The capabilities of a family, and their consequences.
struct Capabilities {
  bool class_weights = false;  ///< training weighs the squared errors of samples
  bool leave_one_out = false;  ///< has leave-one-out errors, so that trials can choose by them
  bool streaming = false;      ///< training reads inputs in blocks, so that they can stay in their file
  bool ranks = false;          ///< several ranks can train one network
  bool random = true;          ///< draws random numbers; otherwise the same samples give the same network
  bool output_bias = false;    ///< outputs have a constant term; otherwise targets far from 0 must be scaled
  bool states = false;         ///< an interrupted training continues from its state
};

/// A family of models: how its part of a config ("model") is read and how it is trained.
struct Family {
  std::string_view name;
  std::string_view summary;
  /// The member whose values one trainer takes together, because part of the work does not depend on it;
  /// "" = none.
  std::string_view shared = "";
  Capabilities can = {};
  std::vector<AlgorithmInfo> (*algorithms)() = nullptr;
  Json (*schema)() = nullptr;
  void (*find_sweeps)(const Json& model, const std::string& place, std::vector<Axis>& axes) = nullptr;
  /// Reads a model. leave_one_out: request leave-one-out errors whatever the model says.
  /// Throws ConfigError with a place below `place`.
  ModelPtr (*read)(const Json& model, const std::string& place, bool leave_one_out) = nullptr;
  /// Makes a trainer for models of this family that differ in the shared member only.
  std::unique_ptr<Trainer> (*prepare)(const std::vector<ModelPtr>& models, FoldView fold, const Rng& rng) = nullptr;
};

/// Returns all families.
std::span<const Family> families();

/// Returns "elm, bls, rvfl": the names of the families with this capability.
std::string families_with(bool Capabilities::*capability);

/// Returns the family of a model. Throws ConfigError at PLACE/family for an unknown name.
const Family& family_of(const Json& model, const std::string& place);

/// Returns the error for a run over several ranks; none if they can train the model together.
std::optional<ConfigError> needs_one_rank(const Model& model);

/// Reads the model of a stack whose members are known.
ModelPtr read_stack(const Json& model, const std::string& place, std::vector<std::vector<ModelPtr>> members);

/// Returns all algorithms, family by family.
std::vector<AlgorithmInfo> algorithms();

/// Returns an algorithm of a family. Throws std::logic_error if the family has no such algorithm.
AlgorithmInfo algorithm_of(std::string_view family, std::string_view algorithm);

}  // namespace elmx
