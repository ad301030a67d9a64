#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/config/fields.hpp"
#include "nets/layers/layer.hpp"
#include "nets/loss.hpp"
#include "nets/optimisers/adam.hpp"
#include "nets/optimisers/rls.hpp"
#include "nets/optimisers/sgd.hpp"
#include "nets/training.hpp"

namespace elmx {

std::vector<std::string> rls_algorithm_names();

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
struct RlsModelOptions {
  struct Input {
    std::size_t steps = 1;
    std::size_t channels = 0;
    std::size_t rows = 1;
    std::size_t cols = 1;

    void fields(FieldVisitor& field);
  };
  struct AdamFields {
    AdamOptions values;

    void fields(FieldVisitor& field);
  };
  struct SgdFields {
    SgdOptions values;

    void fields(FieldVisitor& field);
  };
  struct Clip {
    double norm = 5;
    std::string scope = "global";

    void fields(FieldVisitor& field);
  };

  std::string family = "rls";
  std::vector<std::string> algorithms = {"rls"};
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
  AdamFields adam;
  SgdFields sgd;
  Clip clip;

  void fields(FieldVisitor& field);

  /// Returns the reported epochs, ascending; the last epoch is the end of the training.
  std::vector<std::size_t> reported() const;

  LossKind loss_kind() const;
  ClipOptions clip_options() const { return {clip.norm, clip.scope == "layer"}; }

  /// Checks the relations between members. Throws ConfigError with a place below `place`.
  void check(const std::string& place) const;
};

}  // namespace elmx
