#pragma once

#include "linalg/blas.hpp"
#include "linalg/tall_matrix.hpp"

namespace elmx {

/// Computes Z = alpha op(A) X + beta Z in double for either type of A, whose tiles are widened in cache.
/// op(A): m x k, X: k x c, Z: m x c. 2 m k c flops; A is read once and not copied. Gives the same bits for
/// any number of threads.
void wide_gemm(Op op, double alpha, View<const float> A, View<const double> X, double beta, View<double> Z);
void wide_gemm(Op op, double alpha, View<const double> A, View<const double> X, double beta, View<double> Z);

/// A matrix of singles seen in doubles, some thousand rows at once. The matrix must outlive this object,
/// which may own it.
class WidenedMatrix final : public TallMatrix<double> {
 public:
  explicit WidenedMatrix(const TallMatrix<float>& A) : A_(A) {}
  explicit WidenedMatrix(std::unique_ptr<TallMatrix<float>> A) : own_(std::move(A)), A_(*own_) {}

  uword rows() const override { return A_.rows(); }
  uword cols() const override { return A_.cols(); }
  void for_each_block(uword k, const Visit& visit) const override;
  std::unique_ptr<TallMatrix<double>> leading(uword rows, uword cols) const override;

 private:
  std::unique_ptr<TallMatrix<float>> own_;
  const TallMatrix<float>& A_;
};

}  // namespace elmx
