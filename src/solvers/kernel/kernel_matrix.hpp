#pragma once

#include "linalg/kernel_function.hpp"
#include "linalg/upper_panels.hpp"

namespace elmx {

/// The matrix S K S of n samples, K(i, j) = k(x_i, x_j), S = diag(s). It is formed in tiles on each use and
/// never stored. T is float or double. All results are the same for any number of threads.
template <class T>
class KernelMatrix {
 public:
  /// scale: s, n positive numbers; empty: all 1.
  KernelMatrix(Kernel kernel, KernelPoints<T> points, const arma::vec& scale = {});

  uword size() const { return points_.count(); }
  Kernel kernel() const { return kernel_; }
  const KernelPoints<T>& points() const { return points_; }
  /// Returns s; empty: all 1.
  const arma::Col<T>& scale() const { return scale_; }

  /// Writes the upper triangle into an n x n matrix.
  void form(View<T> K) const;

  /// Writes the upper triangle into panels with n columns. Only for singles.
  void form(UpperPanels& K) const;

  /// Returns Z = S K S B.   B: n x c.   n^2 / 2 entries are formed, and 2 n^2 c flops. Only for doubles.
  arma::mat times(const arma::mat& B) const;

 private:
  void tile(uword row, uword col, View<T> K) const;

  Kernel kernel_;
  KernelPoints<T> points_;
  arma::Col<T> scale_;  // n, or empty
};

/// Returns Z = K(X, centres) A, the kernel between some samples and n centres, in blocks.   X: m x d, A:
/// n x c, Z: m x c. Takes 512 samples at once; if m is a multiple of 512, the result for a sample does not
/// depend on the other samples.
template <class T, class W>
arma::mat kernel_outputs(Kernel kernel, const KernelPoints<T>& X, const KernelPoints<T>& centres,
                         const arma::Mat<W>& A);

}  // namespace elmx
