#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/config/fields.hpp"
#include "features/draws/node_draw.hpp"
#include "models/algorithm_names.hpp"
#include "models/ridge/ridge_cost.hpp"

namespace elmx {

/// The options of families whose hidden nodes can depend on the training samples.
struct NodeDrawOptions {
  std::optional<std::string> draw;
  std::optional<double> weight_scale;
  std::optional<std::size_t> learn_metric;
  std::optional<std::string> kernel;
  std::optional<double> length;

  void fields(FieldVisitor& field);

  bool landmarks() const { return draw == "landmarks"; }

  /// Returns the draw of nodes with this activation.
  NodeDraw node_draw(const std::string& activation, const RandomLayerRanges& ranges) const;

  /// Throws ConfigError, with a place below `place`, unless the options are consistent with each other and
  /// with the given options of the model.
  void check(const std::string& activation, const std::vector<const char*>& given, bool single_features,
             const std::string& place) const;

  /// Returns the error for a run over several ranks; none if they support the options.
  std::optional<ConfigError> needs_one_rank() const;

  /// Adds the cost of the draw of `nodes` nodes, and the outputs of landmarks.
  void add_cost(std::size_t nodes, const Sizes& sizes, ExpansionCost& cost) const;

 private:
  void check_landmarks(const std::vector<const char*>& given, bool single_features, const std::string& place) const;
};

}  // namespace elmx
