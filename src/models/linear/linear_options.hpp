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

  template <class F>
  void fields(F& field) {
    field("family", family, "family of models", one_of({"linear"}));
    field("algorithms", algorithms, "nothing grows: standard, or path where ridge is auto",
          among({"standard", "path"}));
    field(
        "ridge", ridge,
        "ridge penalty lambda; the intercept has 1/65536 of it, next to nothing up to 100 times the number of samples; "
        "auto: chosen in each training part by algorithm path");
    field("reference", reference,
          "what weight_error and output_error are measured against: an independent QR of the augmented system, the "
          "standard solution by Cholesky, or "
          "nothing (for sizes at which a second solution costs too much)",
          one_of({"none", "qr", "cholesky"}));
    field("leave_one_out", leave_one_out, "leave-one-out errors, GCV and degrees of freedom; 2 N d^2 flops; false");
  }

  std::vector<std::size_t> sizes() const { return {0}; }
  FeatureMap<double> feature_map(uword inputs) const;
  void check(const std::string& place) const;
};

/// The options of the mean of the training targets, which for classes is the largest class.
struct MeanOptions {
  std::string family = "mean";
  std::vector<std::string> algorithms = {"standard"};
  std::optional<bool> leave_one_out;

  template <class F>
  void fields(F& field) {
    field("family", family, "family of models", one_of({"mean"}));
    field("algorithms", algorithms, "nothing grows, so that there is one algorithm", among({"standard"}));
    field("leave_one_out", leave_one_out, "leave-one-out errors, GCV and degrees of freedom; false");
  }

  std::vector<std::size_t> sizes() const { return {0}; }
  FeatureMap<double> feature_map(uword inputs) const;
  void check(const std::string& place) const;
};

/// Makes the setup of models that differ in the ridge parameter only. No column is a hidden node.
RidgeSetup ridge_setup(const std::vector<LinearOptions>& models, uword inputs);
RidgeSetup ridge_setup(const std::vector<MeanOptions>& models, uword inputs);

}  // namespace elmx
