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

/// A family of models: how its part of a config ("model") is read and how it is trained.
struct Family {
  std::string_view name;
  std::string_view summary;
  /// The member whose values one trainer takes together, because part of the work does not depend on it;
  /// "" = none.
  std::string_view shared;
  /// True if its output weights minimise a sum of squares plus lambda ||W||^2 over all training samples: the
  /// family then supports sample weights and leave-one-out errors.
  bool ridge = false;
  /// True if its outputs have a constant term. Otherwise targets far from 0 must be scaled.
  bool output_bias = false;
  /// True if training draws random numbers. Otherwise the same samples give the same network.
  bool random = true;
  /// True if an interrupted training continues from its state.
  bool keeps_states = false;
  Json (*schema)() = nullptr;
  void (*find_sweeps)(const Json& model, const std::string& place, std::vector<Axis>& axes) = nullptr;
  /// Reads a model. leave_one_out: request leave-one-out errors whatever the model says (only with `ridge`).
  /// Throws ConfigError with a place below `place`.
  ModelPtr (*read)(const Json& model, const std::string& place, bool leave_one_out) = nullptr;
  /// Makes a trainer for models of this family that differ in the shared member only.
  std::unique_ptr<Trainer> (*prepare)(const std::vector<ModelPtr>& models, FoldView fold, const Rng& rng) = nullptr;
};

/// An algorithm, as `elmx list algorithms` and `elmx show` describe it.
struct AlgorithmInfo {
  std::string_view name;
  std::string_view family;
  std::string_view summary;
  /// flops of one step as in the table of complexities of the family; "" = not stated
  std::string intermediate_flops;
  std::string weight_flops;
  std::string_view symbols;  ///< meaning of the letters in both
  /// The work of one step ("adds one node"). Times of single steps can be compared between algorithms with
  /// the same text.
  std::string_view step = "";
  /// false: it solves another problem, and its backward error measures the distance from the ridge problem
  bool ridge_solution = true;
};

/// Returns all families.
std::span<const Family> families();

/// Returns "elm, bls, rvfl": the families with `ridge`.
std::string ridge_families();

/// Returns the family of a model. Throws ConfigError at PLACE/family for an unknown name.
const Family& family_of(const Json& model, const std::string& place);

/// Returns all algorithms, family by family.
std::vector<AlgorithmInfo> algorithms();

/// Returns an algorithm of a family. Throws std::logic_error if the family has no such algorithm.
AlgorithmInfo algorithm_of(std::string_view family, std::string_view algorithm);

}  // namespace elmx
