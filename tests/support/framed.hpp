#pragma once

#include <algorithm>
#include <cstring>

#include "linalg/view.hpp"

namespace elmx {

/// A matrix as a block of a larger one, so that its leading dimension exceeds its rows. The surrounding frame
/// is filled with a marker; touched() returns true if an operation wrote there.
template <class T>
class Framed {
 public:
  explicit Framed(const arma::Mat<T>& content)
      : all_(content.n_rows + 5, content.n_cols + 3, arma::fill::value(kMark)),
        rows_(content.n_rows),
        cols_(content.n_cols) {
    if (!content.is_empty()) all_.submat(kTop, kLeft, arma::size(content)) = content;
  }

  View<T> view() { return View<T>(all_).block(kTop, kLeft, rows_, cols_); }
  View<const T> view() const { return View<const T>(all_).block(kTop, kLeft, rows_, cols_); }
  arma::Mat<T> content() const { return view().copy(); }

  bool touched() const {
    arma::Mat<T> frame = all_;
    if (rows_ * cols_ > 0) frame.submat(kTop, kLeft, arma::size(rows_, cols_)).fill(kMark);
    return !arma::all(arma::vectorise(frame) == kMark);
  }

 private:
  static constexpr T kMark = T(-12345.5);
  static constexpr uword kTop = 3, kLeft = 2;

  arma::Mat<T> all_;
  uword rows_, cols_;
};

/// Returns the part below the diagonal; zeros on and above it.
template <class T>
arma::Mat<T> below_diagonal(arma::Mat<T> M) {
  for (uword j = 0; j < M.n_cols; ++j) std::fill_n(M.colptr(j), std::min(j + 1, M.n_rows), T(0));
  return M;
}

/// Returns true if the matrices are equal to the last bit, NaN included.
template <class M>
bool identical(const M& A, const M& B) {
  return A.n_rows == B.n_rows && A.n_cols == B.n_cols &&
         (A.n_elem == 0 || std::memcmp(A.memptr(), B.memptr(), A.n_elem * sizeof(typename M::elem_type)) == 0);
}

}  // namespace elmx
