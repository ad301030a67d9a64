#pragma once

#include <optional>
#include <string>
#include <vector>

#include "features/hidden_nodes.hpp"
#include "features/node_draw.hpp"
#include "models/model.hpp"
#include "models/ridge/ridge_cost.hpp"

namespace elmx {

/// Throws ConfigError unless `activation` is one of the hidden nodes `known` and exists in this precision and
/// with such biases.
void check_hidden_nodes(const std::string& activation, const std::vector<std::string>& known,
                        const std::vector<double>& biases, bool single, const std::string& place);

/// The options of hidden nodes that are drawn at random and can depend on the training samples.
struct NodeDrawOptions {
  std::string activation = "sigmoid";
  std::vector<double> weights = {-1, 1};
  std::vector<double> biases = {0, 1};
  std::optional<std::string> draw;
  std::optional<double> weight_scale;
  std::optional<std::size_t> learn_metric;
  std::optional<std::string> kernel;
  std::optional<double> length;

  /// Lists activation, weights and biases.
  void range_fields(FieldVisitor& field, const char* doc, const std::vector<std::string>& activations);
  /// Lists the other members.
  void draw_fields(FieldVisitor& field);

  bool landmarks() const { return draw == "landmarks"; }
  /// Returns true if the outputs of the nodes can be in single precision.
  bool can_be_single() const { return activation != "rbf" && !landmarks(); }

  /// gamma: of random Fourier features.
  NodeDraw node_draw(double gamma = 1) const;

  /// Throws ConfigError, with a place below `place`, unless the options are consistent with each other and
  /// with the given options of the model.
  void check(const std::vector<std::string>& activations, const std::vector<const char*>& given, bool single_features,
             const std::string& place) const;

  /// Returns the error for a run over several ranks; none if they support the options.
  std::optional<ConfigError> needs_one_rank() const;

  /// Adds the cost of the draw of `nodes` nodes, and the outputs of landmarks.
  void add_cost(std::size_t nodes, const Sizes& sizes, ExpansionCost& cost) const;
};

}  // namespace elmx
