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

    template <class F>
    void fields(F& field) {
      field("start", start, "hidden nodes solved directly before growth begins", at_least(1));
      field("stop", stop, "hidden nodes at the end; without it the largest size in report, or 100", at_least(1));
      field("report", report, "sizes at which errors, metrics and times are reported; empty = start and stop",
            at_least(1));
    }
  };
  struct Timing {
    std::vector<std::size_t> at;
    std::size_t repetitions = 1;

    template <class F>
    void fields(F& field) {
      field("at", at, "sizes for which the one step that reaches them is measured again and again from the same state",
            at_least(2));
      field("repetitions", repetitions, "how often", at_least(1));
    }
  };

  std::string family = "elm";
  std::vector<std::string> algorithms = {"panel"};
  std::optional<std::string> products;
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

  template <class F>
  void fields(F& field) {
    field("family", family, "family of models", one_of({"elm"}));
    field("algorithms", algorithms, "the algorithms compared, on the same random nodes",
          among(ridge_algorithm_names()));
    field("products", products,
          "how existing, alg1, alg2 and alg3 compute a step: with symmetric and triangular products and arrays that "
          "grow in place (symmetric), or each equation of the papers as it stands, as a plain MATLAB program does: "
          "full matrices, and new arrays for those that grow (full); symmetric",
          one_of({"symmetric", "full"}));
    field("activation", activation,
          "of the hidden nodes; rbf: Gaussian nodes of centres and widths; fourier: random Fourier features",
          among(activations()));
    field("weights", weights, "range of the random input weights, uniform");
    field("biases", biases, "range of the random biases, uniform; with rbf of the widths");
    field("gamma", gamma, "of fourier: their kernel is exp(-gamma ||x - y||^2), weights and biases have no ranges; 1",
          more_than(0));
    drawing.fields(field);
    field("ridge", ridge,
          "ridge penalty lambda (the paper's k0^2); auto: chosen in each training part by algorithm path");
    field("nodes", nodes, "how the network grows; a number, or a list of them, are the sizes in report");
    field("panel", panel, "nodes that algorithms which add blocks of them (panel, chol-1, ...) add at once",
          at_least(1));
    field("expanded_input", expanded_input, kExpandedInput, one_of({"auto", "stored", "streamed"}));
    field("precision", precision,
          "double, single, or mixed: outputs of the nodes and Gram matrix in single, weights refined to double; the "
          "long form says what is what");
    field("reference", reference,
          "what weight_error and output_error are measured against: an independent QR of the augmented system, the "
          "standard ELM by "
          "Cholesky (as in the paper), or nothing (for sizes at which a second solution costs too much)",
          one_of({"none", "qr", "cholesky"}));
    field("timing", timing, "repeated measurements of single steps");
    field(
        "leave_one_out", leave_one_out,
        "leave-one-out errors, GCV and degrees of freedom at each size reported; 2 N k^2 flops each, not timed; false");
  }

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
