#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "linalg/view.hpp"

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

}  // namespace elmx
