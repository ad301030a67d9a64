#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linalg/factor_updates.hpp"
#include "linalg/view.hpp"
#include "solvers/ridge/leverages.hpp"

namespace elmx {

/// The sums over samples that determine a ridge solution, W = (A'A + lambda I)^-1 A'Y.
struct RidgeSums {
  arma::mat gram;   ///< A'A: k x k, the upper triangle
  arma::mat cross;  ///< A'Y: k x c

  RidgeSums() = default;
  RidgeSums(uword k, uword c) : gram(k, k, arma::fill::zeros), cross(k, c, arma::fill::zeros) {}

  /// Adds or removes the samples A (p x k), Y (p x c). p k^2 + 2 p k c flops.
  void change(View<const double> A, View<const double> Y, Change change);

  /// Removes nodes (ascending).
  void remove_nodes(const arma::uvec& nodes);

  /// Returns ||(A'A + lambda I) W - A'Y||_F / (||A'A + lambda I||_F ||W||_F + ||A'Y||_F), or 0 for zero
  /// weights of zero targets. 2 k^2 c flops.
  double backward_error(const arma::mat& W, double lambda) const;
};

/// Ridge regression whose samples and nodes come and go, at one ridge parameter.
///
///     minimise over W    ||A W - Y||_F^2 + lambda ||W||_F^2
///
/// A (N x k), Y (N x c): the samples that were added and not removed. After every change that returns ok,
/// weights() is the solution. After any other status the state is undefined.
///
/// The first samples are solved directly. Each later change updates a factor or an inverse, and rounding
/// errors of these updates add up. A checked solver therefore keeps RidgeSums beside its state: p k^2 flops
/// for p samples, and k^2 numbers of memory. If the backward error of the updated weights exceeds
/// largest_backward_error(k), or the update breaks down, it factorises R = A'A + lambda I anew. This is the
/// last resort, and its weights are not checked. From a factor of R or of R^-1 their backward error is below
/// largest_backward_error(k), whatever the condition is. From R^-1 itself, W = R^-1 A'Y, it may be
///
///     largest_backward_error(k) + sqrt(k) eps ||R^-1|| ||A'Y|| / ||W||
///
/// and the second term may be as large as sqrt(k) eps cond(R).
class UpdatedRidge : public InverseOperator<double> {
 public:
  /// Starts without samples.
  UpdatedRidge(uword nodes, uword outputs, double lambda, bool checked)
      : UpdatedRidge(nodes, outputs, lambda, checked, checked) {}

  /// Adds or removes p samples. A: p x k, Y: p x c. Removed samples must have been added before.
  [[nodiscard]] Status change(View<const double> A, View<const double> Y, Change change);

  /// Removes nodes (ascending): columns of A. At least one node must remain.
  [[nodiscard]] Status remove_nodes(const arma::uvec& nodes);

  /// Returns W: k x c.
  const arma::mat& weights() const { return W_; }

  /// Returns true if the last change was solved by a new factorisation instead of an update.
  bool factorised() const { return factorised_; }

 protected:
  /// keeps_gram: the solver needs sums_.gram also if it is not checked.
  UpdatedRidge(uword nodes, uword outputs, double lambda, bool checked, bool keeps_gram);

  /// Computes the state and the weights from A'A + lambda I (k x k, the upper triangle)
  /// and sums.cross.
  [[nodiscard]] virtual Status factorise(arma::mat&& R) = 0;

  /// Updates the state and the weights. sums.cross is changed already. A: p x k, Y: p x c.
  [[nodiscard]] virtual Status update(View<const double> A, View<const double> Y, Change change) = 0;

  /// Removes nodes from the state, and updates the weights. sums.cross is changed already.
  [[nodiscard]] virtual Status remove(const arma::uvec& nodes) = 0;

  double lambda_;
  RidgeSums sums_;      // gram: only if it is kept
  arma::mat W_;         // k x c
  bool begun_ = false;  // there are samples

 private:
  [[nodiscard]] Status factorise_anew();
  [[nodiscard]] Status checked(Status updated);

  bool checked_, keeps_gram_;
  bool factorised_ = false;
};

/// Returns 64 sqrt(k) eps, the limit of the backward error of updated weights. Weights by a new factor of R
/// or of R^-1 stay below it.
double largest_backward_error(uword nodes);

/// An algorithm that updates a ridge solution.
struct UpdateAlgorithm {
  std::string_view name;
  std::string_view summary;
  bool checkable = true;  ///< false: factorises at every change, so that there is nothing to check
  double (*flops)(double p, double k, double c);  ///< flops of adding p samples, unchecked
  /// Numbers that adding p samples needs beside the state and the samples.
  double (*numbers)(double p, double k, double c);
  std::unique_ptr<UpdatedRidge> (*make)(uword nodes, uword outputs, double lambda, bool checked);
};

/// Returns all algorithms that update a ridge solution. New algorithms are added here.
std::span<const UpdateAlgorithm> update_algorithms();

/// Returns the row of a known name.
const UpdateAlgorithm& update_algorithm(std::string_view name);

/// The solution by a new Cholesky factorisation of the sums at every change: exact, k^3 / 3 flops. Its sums
/// can be stored and restored.
class GramRidge final : public UpdatedRidge {
 public:
  GramRidge(uword nodes, uword outputs, double lambda) : UpdatedRidge(nodes, outputs, lambda, false, true) {}
  GramRidge(RidgeSums sums, double lambda);

  const RidgeSums& sums() const { return sums_; }
  /// Adds outputs with these columns of A'Y, and solves. cross: k x c'.
  [[nodiscard]] Status add_outputs(const arma::mat& cross);
  /// Solves for the current sums.
  [[nodiscard]] Status solve();

  void apply_inverse(uword first, View<double> X) const override;

 protected:
  [[nodiscard]] Status factorise(arma::mat&& R) override;
  [[nodiscard]] Status update(View<const double>, View<const double>, Change) override { return solve(); }
  [[nodiscard]] Status remove(const arma::uvec&) override { return solve(); }

 private:
  arma::mat R_;  // the Cholesky factor of A'A + lambda I; kept so that its memory is not new at each change
};

}  // namespace elmx
