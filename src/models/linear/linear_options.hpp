#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/config/fields.hpp"
#include "features/feature_map.hpp"
#include "models/ridge/ridge_setup.hpp"

namespace elmx {

/// The options of ridge regression on the scaled inputs, the baseline of every network:
///
///     min_W ||[s 1 X] W - Y||_F^2 + lambda ||W||_F^2            [s 1 X]: N x (1 + d), s = 256
///
/// With s = 256 the penalty hardly affects the intercept s w_0.
///
/// A. E. Hoerl, R. W. Kennard, "Ridge regression: biased estimation for nonorthogonal problems",
/// Technometrics 12, 1970.
struct LinearOptions {
  std::string family = "linear";
  std::vector<std::string> algorithms = {"standard"};
  RidgeParameter ridge = 0.1;
  std::string reference = "none";
  std::optional<bool> leave_one_out;

  void fields(FieldVisitor& field);

  std::vector<std::size_t> sizes() const { return {0}; }
  FeatureMap<double> feature_map(uword inputs) const;
  void check(const std::string& place) const;
};

/// The options of the mean of the training targets, which for classes is the largest class.
struct MeanOptions {
  std::string family = "mean";
  std::vector<std::string> algorithms = {"standard"};
  std::optional<bool> leave_one_out;

  void fields(FieldVisitor& field);

  std::vector<std::size_t> sizes() const { return {0}; }
  FeatureMap<double> feature_map(uword inputs) const;
  void check(const std::string& place) const;
};

/// Makes the setup of models that differ in the ridge parameter only. No column is a hidden node.
RidgeSetup ridge_setup(const std::vector<LinearOptions>& models, uword inputs);
RidgeSetup ridge_setup(const std::vector<MeanOptions>& models, uword inputs);

}  // namespace elmx
