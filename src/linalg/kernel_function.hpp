#pragma once

#include <span>
#include <string>
#include <string_view>

#include "linalg/view.hpp"

namespace elmx {

/// Kernels k(x, z) of two samples; r is their distance over the length scale of the kernel.
enum class Kernel { laplace_l1, laplace, gaussian, arc_cosine, arcsine };

struct KernelInfo {
  Kernel kernel;
  std::string_view name;
  std::string_view formula;
};

/// Returns the row of every kernel.
std::span<const KernelInfo> kernels();

/// Returns the kernel of a name. Throws ConfigError for an unknown name.
Kernel kernel_from(std::string_view name);

/// A kernel with its length scale s, in units of the samples:
///
///     laplace_l1   exp(-sum_j |x_j - z_j| / s)
///     laplace      exp(-||x - z|| / s)
///     gaussian     exp(-||x - z||^2 / s^2)
///     arc_cosine   |u| |v| (sin t + (pi - t) cos t) / pi,   u = [x / s, 1], v = [z / s, 1], t their angle
///     arcsine      2 / pi asin(2 u'v / sqrt((1 + 2 u'u) (1 + 2 v'v)))
///
/// The last two are the limits of infinitely many random nodes f(w'x + b), w_j ~ N(0, 1 / s^2), b ~ N(0, 1):
/// 2 E[relu relu] and E[erf erf].
///
/// Y. Cho, L. K. Saul, "Kernel methods for deep learning", NIPS 22, 2009, eq. (4) with n = 1; C. K. I.
/// Williams, "Computation with infinite neural networks", Neural Computation 10, 1998, eq. (11).
struct KernelFunction {
  Kernel kernel = Kernel::gaussian;
  double length = 1;

  /// Returns true if `length` scales distances. Otherwise it scales the samples themselves.
  bool of_distances() const { return kernel != Kernel::arc_cosine && kernel != Kernel::arcsine; }
};

/// Samples in the form that a kernel takes: coordinates in units of the length scale. T is float or double.
template <class T>
struct KernelPoints {
  arma::Mat<T> X;      ///< n x d coordinates; unit vectors u / |u| for arc_cosine
  arma::Row<T> norms;  ///< |u| of each sample; empty unless the kernel needs it

  uword count() const { return X.n_rows; }
};

/// Converts samples X (n x d) for a kernel.
template <class T>
KernelPoints<T> kernel_points(const KernelFunction& function, const arma::Mat<T>& X);

/// Computes K(i, j) = k(x_(first_x + i), z_(first_z + j)). About 3 d + 10 vector operations per entry, on one
/// thread. Equal samples give equal entries, except for the place of a row in its tile of 64.
void kernel_entries(Kernel kernel, const KernelPoints<double>& X, uword first_x, const KernelPoints<double>& Z,
                    uword first_z, View<double> K);
void kernel_entries(Kernel kernel, const KernelPoints<float>& X, uword first_x, const KernelPoints<float>& Z,
                    uword first_z, View<float> K);

/// Returns the mean distance between different samples (L1 for laplace_l1, otherwise Euclidean), or the root
/// mean squared norm for kernels that do not take distances; 1 instead of 0.   X: n x d; n^2 d / 2 steps.
double typical_scale(Kernel kernel, const arma::mat& X);

}  // namespace elmx
