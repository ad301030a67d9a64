#pragma once

#include "solvers/mixed/centred_gram.hpp"
#include "solvers/ridge/factor_form.hpp"

namespace elmx {

/// The factor in single precision of M = E (G + lambda I) E + shift, E diagonal, for the G of a CentredGram:
/// M = R'R (Cholesky), or M^-1 = F F' (inverse Cholesky). It grows by columns; k^2 / 2 singles.
class PanelFactor {
 public:
  explicit PanelFactor(FactorForm::Kind kind) : kind_(kind), U_(1) {}

  /// Makes room for the last step of `gram`. anew: makes room for all columns of `gram`, which must have kept
  /// them.
  template <class T>
  void extend(const CentredGram<T>& gram, bool anew);

  /// Factorises the columns for which extend has made room. e: diag(E); unit: the diagonal of M.
  template <class T>
  [[nodiscard]] Status factorise(const CentredGram<T>& gram, const arma::vec& e, double unit);

  /// Computes X = M^-1 X.   X: k x c.   2 k^2 c flops.
  void apply(View<double> X) const;

 private:
  FactorForm::Kind kind_;
  UpperPanels U_;
  std::size_t first_ = 0;
};

}  // namespace elmx
