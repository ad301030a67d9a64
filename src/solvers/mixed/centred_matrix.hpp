#pragma once

#include "linalg/tall_matrix.hpp"

namespace elmx {

/// Computes B = single(A - 1 m').   A, B: n x k; the leading k numbers of m are used.
template <class T>
void centre(View<const T> A, const arma::vec& m, View<float> B);

/// Computes sums += 1'A in double.   sums: k.
template <class T>
void add_column_sums(View<const T> A, double* sums);

/// The matrix B = single(A - 1 m'), with one row per sample, formed some thousand rows at once.
template <class T>
class CentredMatrix final : public TallMatrix<float> {
 public:
  /// m must have as many numbers as columns are asked for. A and m must outlive the object.
  CentredMatrix(const TallMatrix<T>& A, const arma::vec& m) : A_(A), m_(m) {}
  CentredMatrix(std::unique_ptr<TallMatrix<T>> A, arma::vec m)
      : own_(std::move(A)), own_m_(std::move(m)), A_(*own_), m_(own_m_) {}

  uword rows() const override { return A_.rows(); }
  uword cols() const override { return A_.cols(); }
  void for_each_block(uword k, const Visit& visit) const override;
  std::unique_ptr<TallMatrix<float>> leading(uword rows, uword cols) const override;

 private:
  std::unique_ptr<TallMatrix<T>> own_;
  arma::vec own_m_;
  const TallMatrix<T>& A_;
  const arma::vec& m_;
};

}  // namespace elmx
