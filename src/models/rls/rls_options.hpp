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

  template <class F>
  void fields(F& field) {
    field("kind", kind, "what it is", one_of({"dense", "convolution", "max_pool", "recurrent", "lstm", "embedding"}));
    field("nodes", nodes, "dense, recurrent, lstm: nodes; convolution: channels; embedding: dimension",
          between(1, 1e6));
    field("activation", activation, "dense, convolution (relu), recurrent (tanh)",
          one_of({"identity", "relu", "tanh", "sigmoid"}));
    field("kernel", kernel, "convolution ([3, 3]), max_pool ([2, 2]): rows and columns of the window", between(1, 1e4));
    field("stride", stride, "convolution (1), max_pool (2)", between(1, 1e4));
    field("padding", padding, "convolution (0): zeros on each side", between(0, 1e4));
    field("vocabulary", vocabulary, "embedding: number of words (10000)", between(1, 1e7));
    field("k", k, "of this layer, in place of the model's", at_least(0));
    field("eta", eta, "of this layer, in place of the model's", at_least(0));
    field("forgetting", forgetting, "of this layer, in place of the model's", between(1e-6, 1));
  }

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

    template <class F>
    void fields(F& field) {
      field("steps", steps, "of a sequence: the inputs are those of step 1, of step 2, ...", at_least(1));
      field("channels", channels, "of images, or features of a step; 0 = what the inputs leave", at_least(0));
      field("rows", rows, "of images", at_least(1));
      field("cols", cols, "of images", at_least(1));
    }
  };
  struct AdamFields {
    AdamOptions values;

    template <class F>
    void fields(F& field) {
      field("rate", values.rate, "step size", more_than(0));
      field("beta1", values.beta1, "decay of the mean", between(0, 1));
      field("beta2", values.beta2, "decay of the mean square", between(0, 1));
      field("epsilon", values.epsilon, "added to the root of the mean square", at_least(0));
    }
  };
  struct SgdFields {
    SgdOptions values;

    template <class F>
    void fields(F& field) {
      field("rate", values.rate, "step size", more_than(0));
      field("momentum", values.momentum, "part of the last step that is kept", between(0, 1));
    }
  };
  struct Clip {
    double norm = 5;
    std::string scope = "global";

    template <class F>
    void fields(F& field) {
      field("norm", norm, "gradients are scaled down to this L2 norm; 0 = never", at_least(0));
      field("scope", scope, "one norm of all gradients, or one a layer", one_of({"global", "layer"}));
    }
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

  template <class F>
  void fields(F& field) {
    field("family", family, "family of models", one_of({"rls"}));
    field("algorithms", algorithms, "the algorithms compared, from the same random parameters, with the same batches",
          among(rls_algorithm_names()));
    field("input", input, "what a sample is, where it is more than a vector");
    field("layers", layers,
          "the hidden layers; the output layer follows: dense, identity or, with cross entropy, softmax");
    field("outputs", outputs, "of a sequence: outputs at its last step, or at every step", one_of({"last", "all"}));
    field("loss", loss, "squared error (57), (87), or cross entropy of the softmax; RLS of the output layer needs mse",
          one_of({"mse", "cross_entropy"}));
    field("mse_scale", mse_scale,
          "half the sum over outputs and steps, averaged over samples, as printed, or the mean of all squares",
          one_of({"printed", "mean"}));
    field("precision", precision, "of all parameters and products", one_of({"single", "double"}));
    field("epochs", epochs, "passes over the training part, in random order", between(1, 1e7));
    field("report", report, "epochs that the tables show beside the last (plots have all)", at_least(1));
    field("batch", batch, "samples of a step; the last step of an epoch has what is left", between(1, 1e6));
    field("k", k, "RLS: the batch average of x x' is taken as k times the product of the averages", at_least(0));
    field("eta", eta, "RLS: multiplies the step", at_least(0));
    field("eta_layers", eta_layers, "RLS: the layers that eta is of; the output layer of hidden has 1",
          one_of({"hidden", "all"}));
    field("forgetting", forgetting, "RLS: forgetting factor (lambda of the paper)", between(1e-6, 1));
    field("momentum", momentum, "of the algorithms with +m (alpha of the paper)", between(0, 1));
    field("l1", l1, "of the algorithms with +r: weight of the L1 term (gamma of the paper)", at_least(0));
    field("l1_bias", l1_bias, "whether the L1 term is of the biases too, as printed");
    field("bias_in_p", bias_in_p,
          "RLS: whether P has the bias: the averages end with 1 (true, also where nothing is said, as printed) or with "
          "0");
    field("p_trace_max", p_trace_max,
          "RLS: P is not divided by the forgetting factor while its trace is above this; 0 = always", at_least(0));
    field("adam", adam, "Adam");
    field("sgd", sgd, "gradient descent with momentum");
    field("clip", clip, "gradient clipping");
  }

  /// Returns the reported epochs, ascending; the last epoch is the end of the training.
  std::vector<std::size_t> reported() const;

  LossKind loss_kind() const;
  ClipOptions clip_options() const { return {clip.norm, clip.scope == "layer"}; }

  /// Checks the relations between members. Throws ConfigError with a place below `place`.
  void check(const std::string& place) const;
};

}  // namespace elmx
