#pragma once

#include <armadillo>
#include <optional>
#include <string>

#include "base/config/fields.hpp"
#include "data/transforms/scaler.hpp"

namespace elmx {

/// Options of the principal components that replace the inputs.
struct PcaOptions {
  std::optional<double> energy;
  std::optional<std::string> scale;

  void fields(FieldVisitor& field);

  bool wanted() const { return energy.value_or(0) > 0; }
};

/// The directions of largest variance, fitted on n rows and applicable to any rows:
///
///     Y = (Z - 1 mean) V        Z: N x d;  mean: 1 x d;  V: d x k, V'V = I;  Y: N x k
///
/// On the fitted rows the columns of Y have mean 0, are uncorrelated, and have the `variances` (divisor n),
/// in decreasing order. The largest element of each column of V is positive.
struct Pca {
  arma::rowvec mean;
  arma::mat V;
  arma::vec variances;

  /// Uses the smallest k >= 1 whose variances sum to at least `energy` times the total. Requires at least one
  /// row, and 0 < energy <= 1.
  static Pca fit(const arma::mat& Z, const arma::uvec& rows, double energy);

  arma::mat apply(arma::mat Z) const;
};

/// The scaling of inputs, their principal components, and the scaling of the components.
struct Components {
  Scaler inputs;      // scales the d inputs
  Pca pca;            // d -> k
  Scaler components;  // scales the k components

  /// Fits the components on the rows `fitted` of X; `scaler` is already fitted.
  static Components fit(const arma::mat& X, const Scaler& scaler, const arma::uvec& fitted, const PcaOptions& options);

  /// Returns N x k components of all rows of X. A row does not depend on the other rows, to the last bit.
  arma::mat apply(const arma::mat& X) const;
};

/// Returns an upper bound of the memory that Components::fit and apply use at once for N x d inputs.
double pca_bytes(arma::uword N, arma::uword d);

}  // namespace elmx
