#include "linalg/kernel_function.hpp"

#include <array>
#include <cmath>

#include "base/error.hpp"
#include "base/machine/machine.hpp"

// Compiled with -ffast-math, under which g++ 12 vectorises exp and asin. Inputs are finite. Every entry adds
// its coordinates one after another, so the order of the sum does not depend on the place of the entry.

namespace elmx {
namespace {

constexpr std::array<KernelInfo, 5> kKernels{{
    {Kernel::laplace_l1, "laplace_l1", "exp(-sum_j |x_j - z_j| / s)"},
    {Kernel::laplace, "laplace", "exp(-||x - z|| / s)"},
    {Kernel::gaussian, "gaussian", "exp(-||x - z||^2 / s^2)"},
    {Kernel::arc_cosine, "arc_cosine", "the limit of infinitely many random relu nodes"},
    {Kernel::arcsine, "arcsine", "the limit of infinitely many random erf nodes"},
}};

constexpr uword kRows = 64, kCols = 4;  // size of a tile whose sums stay in registers

enum class Term { absolute, squared, product };

template <Term term, class T>
[[gnu::always_inline]] inline T term_of(T x, T z) {
  if constexpr (term == Term::product) return x * z;
  const T difference = x - z;
  if constexpr (term == Term::absolute) return std::abs(difference);
  return difference * difference;
}

/// Computes K = sum over coordinates for one tile of kRows x kCols.
template <Term term, class T>
[[gnu::always_inline]] inline void add_terms(const arma::Mat<T>& X, uword first_x, const arma::Mat<T>& Z, uword first_z,
                                             View<T> K) {
  const uword d = X.n_cols;
  for (uword j0 = 0; j0 < K.cols; j0 += kCols) {
    const uword cols = std::min(kCols, K.cols - j0);
    for (uword i0 = 0; i0 < K.rows; i0 += kRows) {
      const uword rows = std::min(kRows, K.rows - i0);
      T sums[kCols][kRows] = {};
      if (rows == kRows) {
        for (uword f = 0; f < d; ++f) {
          const T* x = X.colptr(f) + first_x + i0;
          const T* z = Z.colptr(f) + first_z + j0;
          for (uword j = 0; j < cols; ++j) {
            const T zj = z[j];
            for (uword i = 0; i < kRows; ++i) sums[j][i] += term_of<term>(x[i], zj);
          }
        }
      } else {
        for (uword f = 0; f < d; ++f) {
          const T* x = X.colptr(f) + first_x + i0;
          const T* z = Z.colptr(f) + first_z + j0;
          for (uword j = 0; j < cols; ++j)
            for (uword i = 0; i < rows; ++i) sums[j][i] += term_of<term>(x[i], z[j]);
        }
      }
      for (uword j = 0; j < cols; ++j) std::copy_n(sums[j], rows, &K(i0, j0 + j));
    }
  }
}

template <class T, class F>
[[gnu::always_inline]] inline void map_entries(View<T> K, const F& f) {
  for (uword j = 0; j < K.cols; ++j) {
    T* k = &K(0, j);
    for (uword i = 0; i < K.rows; ++i) k[i] = f(k[i], i, j);
  }
}

template <class T>
[[gnu::always_inline]] inline void block_of(Kernel kernel, const KernelPoints<T>& X, uword first_x,
                                            const KernelPoints<T>& Z, uword first_z, View<T> K) {
  switch (kernel) {
    case Kernel::laplace_l1:
      add_terms<Term::absolute>(X.X, first_x, Z.X, first_z, K);
      return map_entries(K, [](T k, uword, uword) { return std::exp(-k); });
    case Kernel::laplace:
      add_terms<Term::squared>(X.X, first_x, Z.X, first_z, K);
      return map_entries(K, [](T k, uword, uword) { return std::exp(-std::sqrt(k)); });
    case Kernel::gaussian:
      add_terms<Term::squared>(X.X, first_x, Z.X, first_z, K);
      return map_entries(K, [](T k, uword, uword) { return std::exp(-k); });
    case Kernel::arc_cosine: {
      // For unit vectors at the angle t, ||u - v||^2 = 4 sin^2(t / 2). The cosine would lose the digits of
      // small angles.
      add_terms<Term::squared>(X.X, first_x, Z.X, first_z, K);
      const T* x = X.norms.memptr() + first_x;
      const T* z = Z.norms.memptr() + first_z;
      return map_entries(K, [x, z](T k, uword i, uword j) {
        const T s = std::min(k, T(4)), t = 2 * std::asin(std::sqrt(s) / 2);
        const T sine = std::sqrt(s * (1 - s / 4)), cosine = 1 - s / 2;
        return x[i] * z[j] * (sine + (T(M_PI) - t) * cosine) / T(M_PI);
      });
    }
    case Kernel::arcsine:
      add_terms<Term::product>(X.X, first_x, Z.X, first_z, K);
      return map_entries(K,
                         [](T k, uword, uword) { return 2 / T(M_PI) * std::asin(std::max(T(-1), std::min(T(1), k))); });
  }
}

}  // namespace

std::span<const KernelInfo> kernels() { return kKernels; }

Kernel kernel_from(std::string_view name) {
  return named_row(kKernels, name, "unknown kernel \"" + std::string(name) + "\"").kernel;
}

template <class T>
KernelPoints<T> kernel_points(const KernelFunction& function, const arma::Mat<T>& X) {
  KernelPoints<T> points{X / static_cast<T>(function.length), {}};
  if (function.of_distances()) return points;
  points.X.insert_cols(X.n_cols, arma::Col<T>(X.n_rows, arma::fill::ones));
  const arma::Col<T> squares = arma::sum(arma::square(points.X), 1);
  if (function.kernel == Kernel::arc_cosine) {
    points.norms = arma::sqrt(squares).t();
    points.X.each_col() /= arma::Col<T>(points.norms.t());
  } else {
    points.X.each_col() %= arma::sqrt(T(2) / (T(1) + T(2) * squares));
  }
  return points;
}

ELMX_CPU_CLONES void kernel_entries(Kernel kernel, const KernelPoints<double>& X, uword first_x,
                                    const KernelPoints<double>& Z, uword first_z, View<double> K) {
  block_of(kernel, X, first_x, Z, first_z, K);
}

ELMX_CPU_CLONES void kernel_entries(Kernel kernel, const KernelPoints<float>& X, uword first_x,
                                    const KernelPoints<float>& Z, uword first_z, View<float> K) {
  block_of(kernel, X, first_x, Z, first_z, K);
}

double typical_scale(Kernel kernel, const arma::mat& X) {
  double sum = 0, count = 0;
  if (!KernelFunction{kernel}.of_distances()) {
    sum = arma::accu(arma::square(X));
    count = static_cast<double>(X.n_rows);
    return sum > 0 ? std::sqrt(sum / count) : 1;
  }
  arma::vec distances(X.n_rows);
  for (uword i = 1; i < X.n_rows; ++i) {
    distances.head(i).zeros();
    for (uword f = 0; f < X.n_cols; ++f) {
      const double* x = X.colptr(f);
      for (uword j = 0; j < i; ++j) {
        const double difference = std::abs(x[i] - x[j]);
        distances(j) += kernel == Kernel::laplace_l1 ? difference : difference * difference;
      }
    }
    for (uword j = 0; j < i; ++j) {
      if (!(distances(j) > 0)) continue;
      sum += kernel == Kernel::laplace_l1 ? distances(j) : std::sqrt(distances(j));
      count += 1;
    }
  }
  return count > 0 ? sum / count : 1;
}

template struct KernelPoints<double>;
template struct KernelPoints<float>;
template KernelPoints<double> kernel_points(const KernelFunction&, const arma::mat&);
template KernelPoints<float> kernel_points(const KernelFunction&, const arma::fmat&);

}  // namespace elmx
