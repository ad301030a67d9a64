#pragma once

#include <armadillo>
#include <functional>

#include "data/rows/row_source.hpp"

namespace elmx {

/// The raw inputs of all samples of a data set, wherever they are: N x d in memory, or in a file. Owns
/// nothing.
class InputRows {
 public:
  InputRows(const arma::mat& X) : X_(&X) {}                 // NOLINT: meant to convert
  InputRows(const RowSource& source) : source_(&source) {}  // NOLINT: meant to convert

  arma::uword samples() const { return source_ ? source_->rows() : X_->n_rows; }
  arma::uword dimension() const { return source_ ? source_->cols() : X_->n_cols; }

  /// null where they are in memory.
  const RowSource* source() const { return source_; }

  /// All of them, N x d. Requires that they are in memory.
  const arma::mat& matrix() const;
  operator const arma::mat&() const { return matrix(); }  // NOLINT: meant to convert

  /// A copy of rows[0] ... rows[count - 1]: count x d. Read errors are kept (see RowSource::rethrow).
  arma::mat copy(const arma::uword* rows, arma::uword count) const;

  /// Throws what reading has met.
  void rethrow() const {
    if (source_) source_->rethrow();
  }

 private:
  const arma::mat* X_ = nullptr;
  const RowSource* source_ = nullptr;
};

/// visit(first, block): X of rows(first) ... rows(first + block.n_rows - 1), block after block, in order. One
/// pass. Throws DataError.
void for_each_block(const InputRows& X, const arma::uvec& rows,
                    const std::function<void(arma::uword first, const arma::mat& block)>& visit);

/// The same of all rows.
void for_each_block_of_all(const InputRows& X,
                           const std::function<void(arma::uword first, const arma::mat& block)>& visit);

/// All rows of a source in memory: N x d.
arma::mat read_all(const RowSource& source);

}  // namespace elmx
