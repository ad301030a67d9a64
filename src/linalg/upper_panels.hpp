#pragma once

#include <cstddef>
#include <vector>

#include "linalg/view.hpp"

namespace elmx {

/// An upper triangular matrix (or the upper triangle of a symmetric matrix) of singles that grows by columns.
/// It is stored in panels of columns, each as high as the triangle is there: n^2 / 2 numbers and a panel.
///
///     panel p: columns begin(p) .. end(p) - 1, rows 0 .. end(p) - 1
///
/// The strict lower triangle in the last rows of a panel is undefined. All operations give the same bits for
/// any number of threads.
class UpperPanels {
 public:
  /// Makes panels of at most `width` columns.
  explicit UpperPanels(uword width) : width_(width) {}

  /// Adds q columns of undefined content.
  void append(uword q);

  /// Adds panels as wide as the panels of `other` from p on, of undefined content.
  void append_like(const UpperPanels& other, std::size_t p);

  uword columns() const { return n_; }
  std::size_t count() const { return panels_.size(); }
  uword begin(std::size_t p) const { return end(p) - panels_[p].n_cols; }
  uword end(std::size_t p) const { return panels_[p].n_rows; }
  View<float> panel(std::size_t p) { return panels_[p]; }
  View<const float> panel(std::size_t p) const { return panels_[p]; }

  /// Frees the numbers of the panels before p, which are empty then.
  void forget_before(std::size_t p);
  void clear();

  /// Computes G = B'B + beta G in the panels from p on.   B: m x columns().   m n^2 flops for all n columns.
  void add_gram(std::size_t p, View<const float> B, float beta);

  /// Replaces G in the panels from p on by R with R'R = G; the earlier panels already hold R. n^3 / 3 flops
  /// for all n columns. On not_positive_definite the panels from p on are undefined.
  [[nodiscard]] Status cholesky(std::size_t p);

  /// Replaces G in the panels from p on by F with F F' = G^-1; the earlier panels already hold F. 2 n^3 / 3
  /// flops for all n columns.
  [[nodiscard]] Status inverse_cholesky(std::size_t p);

  /// Computes X = (R'R)^-1 X in double.   X: columns() x c.   2 n^2 c flops.
  void solve(View<double> X) const;

  /// Returns the diagonal of (R'R)^-1 from row `first` on. m^3 / 3 flops for the last m rows.
  arma::vec inverse_diagonal(uword first) const;

  /// Computes X = F F'X in double.   X: columns() x c.   2 n^2 c flops.
  void multiply(View<double> X) const;

 private:
  void add_panel(uword columns);

  std::vector<arma::fmat> panels_;
  uword width_, n_ = 0;
};

}  // namespace elmx
