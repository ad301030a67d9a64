#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "features/feature_map.hpp"
#include "models/model.hpp"
#include "models/ridge/node_draw_options.hpp"
#include "models/ridge/ridge_options.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// The options of an extreme learning machine that grows node by node.
struct ElmOptions : RidgeNetworkOptions {
  struct Nodes {
    /// Expands 100 or [20, 100], the sizes that are reported. Without "stop" growth ends at the largest size.
    static Json long_form(const Json& value, const std::string& place);
    static Json short_schema();

    std::size_t start = 2;
    std::size_t stop = 100;
    std::vector<std::size_t> report;

    void fields(FieldVisitor& field) {
      field("start", start, "hidden nodes solved directly before growth begins", at_least(1));
      field("stop", stop, "hidden nodes at the end; without it the largest size in report, or 100", at_least(1));
      field("report", report, "sizes at which errors, metrics and times are reported; empty = start and stop",
            at_least(1));
    }
  };
  struct Timing {
    std::vector<std::size_t> at;
    std::size_t repetitions = 1;

    void fields(FieldVisitor& field) {
      field("at", at, "sizes for which the one step that reaches them is measured again and again from the same state",
            at_least(2));
      field("repetitions", repetitions, "how often", at_least(1));
    }
  };

  NodeDrawOptions drawing;
  std::optional<double> gamma;
  Nodes nodes;
  std::size_t panel = 128;
  Timing timing;

  ElmOptions() : RidgeNetworkOptions("elm", {"panel"}) {}

  void fields(FieldVisitor& field);

  static std::vector<std::string> activations();

  /// Returns the draw of the hidden nodes.
  NodeDraw node_draw() const;

  /// Returns the hidden nodes for `inputs` inputs; `samples` may be null if the draw does not need samples.
  template <class T>
  FeatureMap<T> feature_map(std::size_t inputs, const Rng& rng, const TrainingSamples* samples) const;

  /// Returns the sizes to report in increasing order.
  std::vector<std::size_t> sizes() const;
  bool measures_steps() const { return !timing.at.empty(); }

  /// Checks the relations between members: known algorithms and activation, ordered ranges, sizes within
  /// start and stop. Throws ConfigError with a place below `place`.
  void check(const std::string& place) const;
};

/// Makes the setup of models that differ in the ridge parameter only.
RidgeSetup ridge_setup(const std::vector<ElmOptions>& models);

std::vector<AlgorithmInfo> elm_algorithms();

/// Trains models that differ in the ridge parameter. The random layer is drawn and H formed once; every
/// algorithm grows on the same columns of H.
std::unique_ptr<Trainer> make_elm(const std::vector<ElmOptions>& models, FoldView fold, const Rng& rng);

/// Restores a trained network of the model. Throws DataError if the stored network does not fit.
std::unique_ptr<Predictor> restore_elm(const ElmOptions& model, const TrainedNetwork& network,
                                       const NetworkShape& shape);

/// Returns the cost of one task (one fold, all algorithms one after another).
Cost elm_cost(const std::vector<ElmOptions>& models, const Sizes& sizes);

}  // namespace elmx
