#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/rng.hpp"
#include "models/model.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// The name of the family that combines cases of a config.
inline constexpr std::string_view kStackFamily = "stack";

/// One case of a stack: the models among which it chooses.
using ModelsOfMember = std::vector<ModelPtr>;

/// The options of a combination of cases: outputs are sum_j w_j z_j with w >= 0 by least squares on the
/// leave-one-out outputs of the training part (see stack_weights).
struct StackOptions : Model {
  std::vector<std::string> of;
  std::vector<ModelsOfMember> members;  ///< not in the config; needed to train

  StackOptions() : Model(std::string(kStackFamily), {"nnls"}) {}

  std::vector<AlgorithmInfo> known_algorithms() const override;
  void fields(FieldVisitor& field) override;
  void check(const std::string& place) const override;
  std::vector<std::size_t> sizes() const override { return {0}; }
  /// Returns the cost: each member is trained once more, and the outputs of all members are held together.
  Cost cost(std::size_t models, const Sizes& sizes) const override;
  /// Always throws DataError: a stack has no network of its own. Its members have networks.
  std::unique_ptr<Predictor> restore(const TrainedNetwork& network, const NetworkShape& shape) const override;
};

/// Throws std::logic_error: a stack is trained from its members, which are cases of a config (see
/// StackTrainer).
std::unique_ptr<Trainer> make_stack(const std::vector<StackOptions>& models, FoldView fold, const Rng& rng);

}  // namespace elmx
