#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

#include "linalg/blas.hpp"

namespace elmx {

/// A matrix with one row per sample, seen as blocks of consecutive rows. It is held in memory (one block) or
/// formed anew each time.
template <class T>
class TallMatrix {
 public:
  /// Receives one block: the rows first .. first + block.rows - 1 of the leading columns asked for.
  using Visit = std::function<void(uword first, View<const T> block)>;

  virtual ~TallMatrix() = default;
  virtual uword rows() const = 0;
  virtual uword cols() const = 0;

  /// Visits all rows of the first k columns, block by block, in order.
  virtual void for_each_block(uword k, const Visit& visit) const = 0;

  /// Visits the same rows in blocks of at most `rows` rows, which stay in the cache.
  template <class F>
  void for_each_part(uword k, uword rows, const F& visit) const {
    for_each_block(k, [&](uword first, View<const T> block) {
      for (uword at = 0; at < block.rows; at += rows)
        visit(first + at, block.block(at, 0, std::min(rows, block.rows - at), k));
    });
  }

  /// Returns the leading rows and columns; this object must outlive them.
  virtual std::unique_ptr<TallMatrix> leading(uword rows, uword cols) const = 0;

  /// Returns the whole matrix if it is held in memory.
  virtual std::optional<View<const T>> stored() const { return std::nullopt; }
};

template <class T>
class StoredMatrix final : public TallMatrix<T> {
 public:
  explicit StoredMatrix(View<const T> A) : A_(A) {}

  uword rows() const override { return A_.rows; }
  uword cols() const override { return A_.cols; }
  void for_each_block(uword k, const typename TallMatrix<T>::Visit& visit) const override { visit(0, A_.head_cols(k)); }
  std::unique_ptr<TallMatrix<T>> leading(uword rows, uword cols) const override {
    return std::make_unique<StoredMatrix>(A_.block(0, 0, rows, cols));
  }
  std::optional<View<const T>> stored() const override { return A_; }

 private:
  View<const T> A_;
};

/// Computes Z = alpha op(A) X + beta Z in double for either type of A, whose tiles are widened in cache.
/// op(A): m x k, X: k x c, Z: m x c. 2 m k c flops; A is read once and not copied. Gives the same bits for
/// any number of threads.
void wide_gemm(Op op, double alpha, View<const float> A, View<const double> X, double beta, View<double> Z);
inline void wide_gemm(Op op, double alpha, View<const double> A, View<const double> X, double beta, View<double> Z) {
  gemm(op, Op::none, alpha, A, X, beta, Z);
}

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

/// Returns A in doubles: A itself, or singles as `widened` shows them.
inline const TallMatrix<double>& in_doubles(const TallMatrix<double>& A, std::optional<WidenedMatrix>&) { return A; }
inline const TallMatrix<double>& in_doubles(const TallMatrix<float>& A, std::optional<WidenedMatrix>& widened) {
  return widened ? *widened : widened.emplace(A);
}

}  // namespace elmx
