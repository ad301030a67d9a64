#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/config/fields.hpp"
#include "features/broad_features.hpp"
#include "models/algorithm_names.hpp"
#include "models/ridge/precision.hpp"
#include "models/ridge/ridge_cost.hpp"
#include "models/ridge/ridge_setup.hpp"

namespace elmx {

/// The options of an incremental broad learning system that grows by feature and enhancement nodes.
struct BlsOptions {
  struct Features {
    std::size_t groups = 10;
    std::size_t nodes = 10;
    bool sparse_coding = true;
    double penalty = 1e-3;
    std::size_t steps = 50;

    template <class F>
    void fields(F& field) {
      field("groups", groups, "groups of feature nodes of the initial network", between(1, 1e6));
      field("nodes", nodes, "feature nodes a group", between(1, 1e6));
      field("sparse_coding", sparse_coding, "random weights are replaced by sparse codes of the inputs");
      field("penalty", penalty, "of the sparse coding, on the 1-norm", at_least(0));
      field("steps", steps, "of the sparse coding (ADMM)", between(1, 1e6));
    }
  };
  struct Enhancement {
    std::size_t nodes = 400;
    double shrink = 0.8;
    std::string weights = "uniform";

    template <class F>
    void fields(F& field) {
      field("nodes", nodes, "enhancement nodes of the initial network, fed by all feature nodes", between(0, 1e8));
      field("shrink", shrink, "largest input of an enhancement node on the training samples", more_than(0));
      field("weights", weights,
            "uniform on [-1, 1] (the paper), or an orthonormal basis of those (the program of the original BLS)",
            one_of({"uniform", "orthonormal"}));
    }
  };
  struct Growth {
    std::size_t updates = 0;
    std::size_t feature_groups = 0;
    std::size_t enhancement_of_added = 0;
    std::size_t enhancement = 0;

    template <class F>
    void fields(F& field) {
      field("updates", updates, "how often nodes are added", between(0, 1e6));
      field("feature_groups", feature_groups, "groups of feature nodes that an update adds", between(0, 1e6));
      field("enhancement_of_added", enhancement_of_added,
            "enhancement nodes of an update fed by its own feature nodes only", between(0, 1e8));
      field("enhancement", enhancement, "enhancement nodes of an update fed by all feature nodes", between(0, 1e8));
    }
  };

  std::string family = "bls";
  std::vector<std::string> algorithms = {"auto"};
  RidgeParameter ridge = 1e-4;
  bool standardise = true;
  Features features;
  Enhancement enhancement;
  Growth growth;
  std::optional<std::string> chol1_factor;
  std::string chol2_form = "gram";
  std::string expanded_input = "auto";
  Precision precision;
  std::string reference = "none";
  std::optional<bool> leave_one_out;

  template <class F>
  void fields(F& field) {
    field("family", family, "family of models", one_of({"bls"}));
    field("algorithms", algorithms, "the algorithms compared, on the same random nodes",
          among(block_algorithm_names()));
    field("ridge", ridge,
          "ridge penalty lambda; a sweep shares the products with the samples; auto: chosen in each training part by "
          "algorithm path");
    field("standardise", standardise, "each sample to mean 0 and standard deviation 1");
    field("features", features, "feature nodes");
    field("enhancement", enhancement, "enhancement nodes");
    field("growth", growth, "what each update adds");
    field("chol1_factor", chol1_factor,
          "how chol-1 forms F of the initial network and G of an update (42a): by bordering half by half (recursive, "
          "the default), by inverting the Cholesky factor (cholesky: finite at smaller ridge parameters; V = F'P stays "
          "a product, so that an update can still break down), or by inverse LDL' factors (inverse_ldl); over several "
          "ranks recursive and cholesky both are ScaLAPACK's Cholesky factor, inverted, and inverse_ldl is algorithm "
          "13",
          one_of({"recursive", "cholesky", "inverse_ldl"}));
    field("chol2_form", chol2_form,
          "how chol-2 forms the matrix that it inverts: from H - A D (residual, (57), another pass over the samples "
          "for each ridge parameter), or "
          "from the Gram matrix where rounding leaves lambda two digits, else from H - A D (gram, (53))",
          one_of({"residual", "gram"}));
    field("expanded_input", expanded_input, kExpandedInput, one_of({"auto", "stored", "streamed"}));
    field("precision", precision,
          "double, single, or mixed: outputs of the nodes and Gram matrix in single, weights refined to double; the "
          "long form says what is what");
    field("reference", reference,
          "what weight_error and output_error are measured against: an independent QR of the augmented system, the "
          "standard solution by Cholesky, or "
          "nothing (for sizes at which a second solution costs too much)",
          one_of({"none", "qr", "cholesky"}));
    field("leave_one_out", leave_one_out,
          "leave-one-out errors, GCV and degrees of freedom after each update; 2 N k^2 flops each, not timed; not of "
          "orig and exg-e; false");
  }

  /// Returns the initial network and the updates.
  std::vector<BroadStep> steps() const;

  /// Returns the number of nodes after each step.
  std::vector<uword> sizes() const;

  BroadFeatureMap feature_map() const;

  /// Returns true if the expanded input of `samples` samples is held in memory (see stores_columns).
  bool stores_expanded_input(double samples) const;

  /// Checks the relations between members. Throws ConfigError with a place below `place`.
  void check(const std::string& place) const;
};

/// Makes the setup of models that differ in the ridge parameter only.
RidgeSetup ridge_setup(const std::vector<BlsOptions>& models);

}  // namespace elmx
