#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "linalg/kernel_function.hpp"
#include "models/model.hpp"
#include "models/trainer.hpp"
#include "solvers/kernel/kernel_ridge.hpp"

namespace elmx {

/// A number > 0, or "auto" for a number that is chosen on the training part.
struct AutoNumber {
  double value = 1;
  bool automatic = false;

  static AutoNumber from_json(const Json& json, const std::string& place);
  Json to_json() const { return automatic ? Json("auto") : Json(value); }
  static Json schema();
};

/// The options of kernel ridge regression with a free intercept on the scaled inputs (see KernelRidge).
struct KernelOptions : Model {
  struct Choice {
    std::string by = "loo_mse";
    std::size_t rows = 1500;

    void fields(FieldVisitor& field);
  };

  std::string kernel = "laplace_l1";
  AutoNumber length{1, true};
  AutoNumber ridge{1, true};
  Choice choose;
  bool intercept = true;
  std::size_t parts = 1;
  std::string precision = "double";
  std::size_t leave_one_out_rows = 5000;

  KernelOptions() : Model("kernel", {"exact"}) {}

  KernelArithmetic arithmetic() const;

  std::vector<AlgorithmInfo> known_algorithms() const override;
  void fields(FieldVisitor& field) override;
  void check(const std::string& place) const override;
  std::vector<std::size_t> sizes() const override { return {0}; }
  bool single_precision() const override { return precision == "single"; }
  Cost cost(std::size_t models, const Sizes& sizes) const override;
  std::unique_ptr<Predictor> restore(const TrainedNetwork& network, const NetworkShape& shape) const override;
};

/// A trained kernel machine in its stored form:
///
///     centres    X: n x d, the scaled inputs of the training samples
///     weights    alpha: n x c
///     intercept  b: 1 x c
///
/// Z = K alpha + 1 b, K(i, j) = k(z_i, x_j). Centres and weights are singles if all outputs are.
class KernelMachine final : public Predictor {
 public:
  KernelFunction function;
  arma::mat centres;
  arma::mat alpha;
  arma::rowvec intercept;
  bool single = false;
  LeftOut without = {};  ///< directions (n + 1) x m, residuals m x c; empty: none are kept

  KernelMachine(const KernelFunction& its_function, arma::mat its_centres, arma::mat its_alpha,
                arma::rowvec its_intercept, bool in_single)
      : function(its_function),
        centres(std::move(its_centres)),
        alpha(std::move(its_alpha)),
        intercept(std::move(its_intercept)),
        single(in_single) {}

  arma::mat outputs(const Inputs& inputs) override;
  LeftOutOutputs left_out(const Inputs& inputs) override;

  /// Returns the outputs of the centres themselves: n x c.
  arma::mat outputs_of_centres() const;

  TrainedNetwork network() const;

 private:
  /// Returns K(X, centres) A.
  arma::mat product(const arma::mat& X, const arma::mat& A) const;
};

/// Trains models that differ in the ridge parameter; "auto" is chosen for each model.
std::unique_ptr<Trainer> make_kernel(const std::vector<KernelOptions>& models, FoldView fold, const Rng& rng);

}  // namespace elmx
