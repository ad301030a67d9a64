#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/config/fields.hpp"
#include "features/feature_map.hpp"
#include "models/algorithm_names.hpp"
#include "models/node_draw_options.hpp"
#include "models/ridge/precision.hpp"
#include "models/ridge/ridge_cost.hpp"
#include "models/ridge/ridge_setup.hpp"

namespace elmx {

/// The options of an extreme learning machine that grows node by node.
struct ElmOptions {
  struct Nodes {
    /// Expands 100 or [20, 100], the sizes that are reported. Without "stop" growth ends at the largest size.
    static Json long_form(const Json& value, const std::string& place);
    static Json short_schema();

    std::size_t start = 2;
    std::size_t stop = 100;
    std::vector<std::size_t> report;

    void fields(FieldVisitor& field);
  };
  struct Timing {
    std::vector<std::size_t> at;
    std::size_t repetitions = 1;

    void fields(FieldVisitor& field);
  };

  std::string family = "elm";
  std::vector<std::string> algorithms = {"panel"};
  AlgorithmOptions own;
  std::string activation = "sigmoid";
  std::vector<double> weights = {-1, 1};
  std::vector<double> biases = {0, 1};
  std::optional<double> gamma;
  NodeDrawOptions drawing;
  RidgeParameter ridge = 0.1;
  Nodes nodes;
  std::size_t panel = 128;
  std::string expanded_input = "auto";
  Precision precision;
  std::string reference = "none";
  Timing timing;
  std::optional<bool> leave_one_out;

  void fields(FieldVisitor& field);

  static std::vector<std::string> activations();

  /// Returns the draw of the hidden nodes.
  NodeDraw node_draw() const;

  /// Returns the hidden nodes for `inputs` inputs; `samples` may be null if the draw does not need samples.
  template <class T>
  FeatureMap<T> feature_map(uword inputs, const Rng& rng, const TrainingSamples* samples) const;

  /// Returns true if the outputs of the nodes of `samples` samples are held in memory (see stores_columns).
  bool stores_expanded_input(double samples) const;

  /// Returns the sizes to report in increasing order.
  std::vector<std::size_t> sizes() const;

  /// Checks the relations between members: known algorithms and activation, ordered ranges, sizes within
  /// start and stop. Throws ConfigError with a place below `place`.
  void check(const std::string& place) const;
};

/// Makes the setup of models that differ in the ridge parameter only.
RidgeSetup ridge_setup(const std::vector<ElmOptions>& models);

}  // namespace elmx
