#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "models/model.hpp"
#include "models/trainer.hpp"
#include "nets/layers/layer.hpp"
#include "nets/loss.hpp"
#include "nets/optimisers/optimiser.hpp"
#include "nets/optimisers/rls.hpp"
#include "nets/training.hpp"

namespace elmx {

enum class OptimiserKind { rls, adam, sgd };

/// An algorithm of the family: the optimisers of the layers.
struct RlsAlgorithm {
  std::string_view name;
  std::string_view summary;
  OptimiserKind hidden;
  OptimiserKind output;
  bool momentum;
  bool l1;

  /// Returns the flops of a step of one parameter matrix (q x r, B rows of X in a batch), beyond forward and
  /// backward; as a formula for a hidden layer, or as a number.
  std::string flops() const;
  double step_flops(bool of_output, double q, double r, double B) const;
};

/// Returns the row of a name, which must be known.
const RlsAlgorithm& rls_algorithm(std::string_view name);

/// The options of one layer of a network. Members that a kind does not use stay empty.
struct LayerOptions {
  std::string kind = "dense";
  std::optional<std::size_t> nodes = {};
  std::optional<std::string> activation = {};
  std::optional<std::vector<std::size_t>> kernel = {};
  std::optional<std::size_t> stride = {};
  std::optional<std::size_t> padding = {};
  std::optional<std::size_t> vocabulary = {};
  std::optional<double> k = {};
  std::optional<double> eta = {};
  std::optional<double> forgetting = {};

  void fields(FieldVisitor& field);

  /// Returns the number of words of an embedding.
  std::size_t words() const { return vocabulary.value_or(10000); }
};

/// The options of deep networks: each algorithm starts from the same parameters and uses the same batches.
struct RlsModelOptions : Model {
  struct Input {
    std::size_t steps = 1;
    std::size_t channels = 0;
    std::size_t rows = 1;
    std::size_t cols = 1;

    void fields(FieldVisitor& field) {
      field("steps", steps, "sequences: number of steps; the inputs are ordered by step", at_least(1));
      field(
          "channels", channels,
          "images: number of channels; sequences: number of features of a step; 0: computed from the number of inputs",
          at_least(0));
      field("rows", rows, "images: number of rows of pixels", at_least(1));
      field("cols", cols, "images: number of columns of pixels", at_least(1));
    }
  };
  struct Clip {
    double norm = 5;
    std::string scope = "global";

    void fields(FieldVisitor& field) {
      field("norm", norm, "gradients with a larger L2 norm are scaled down to this norm; 0: never", at_least(0));
      field("scope", scope, "one norm of all gradients (global), or one for each layer (layer)",
            one_of({"global", "layer"}));
    }
  };

  Input input;
  std::vector<LayerOptions> layers = {{.kind = "dense", .nodes = 512}};
  std::string outputs = "last";
  std::string loss = "mse";
  std::string mse_scale = "printed";
  std::string precision = "single";
  std::size_t epochs = 10;
  std::vector<std::size_t> report;
  std::size_t batch = 128;
  double k = 0.1;
  double eta = 1;
  std::string eta_layers = "hidden";
  double forgetting = 1;
  double momentum = 0.5;
  double l1 = 1e-5;
  bool l1_bias = true;
  std::optional<bool> bias_in_p;
  double p_trace_max = 0;
  AdamOptions adam;
  SgdOptions sgd;
  Clip clip;

  RlsModelOptions() : Model("rls", {"rls"}) {}

  /// Returns the reported epochs, ascending; the last epoch is the end of the training.
  std::vector<std::size_t> reported() const;

  LossKind loss_kind() const;
  ClipOptions clip_options() const { return {clip.norm, clip.scope == "layer"}; }

  std::vector<AlgorithmInfo> known_algorithms() const override;
  void fields(FieldVisitor& field) override;
  void check(const std::string& place) const override;
  bool single_precision() const override { return precision != "double"; }
  /// Throws ConfigError if the layers do not fit the data.
  Cost cost(std::size_t models, const Sizes& sizes) const override;
  std::unique_ptr<Predictor> restore(const TrainedNetwork& network, const NetworkShape& shape) const override;
};

/// Trains deep networks step by step, each algorithm from the same random parameters and with the same
/// batches. Takes one model, since models share nothing. An interrupted training continues from its last
/// saved state with the same bits.
std::unique_ptr<Trainer> make_rls(const std::vector<RlsModelOptions>& models, FoldView fold, const Rng& rng);

}  // namespace elmx
