#pragma once

#include <armadillo>
#include <functional>

#include "data/rows/row_source.hpp"

namespace elmx {

/// A non-owning view of the raw inputs of all samples of a data set, N x d, in memory or in a file.
class InputRows {
 public:
  InputRows(const arma::mat& X) : X_(&X) {}                 // NOLINT: meant to convert
  InputRows(const RowSource& source) : source_(&source) {}  // NOLINT: meant to convert

  arma::uword samples() const { return source_ ? source_->rows() : X_->n_rows; }
  arma::uword dimension() const { return source_ ? source_->cols() : X_->n_cols; }

  /// Returns the source of inputs in a file, or null if the inputs are in memory.
  const RowSource* source() const { return source_; }

  /// Returns all inputs, N x d, which must be in memory.
  const arma::mat& matrix() const;
  operator const arma::mat&() const { return matrix(); }  // NOLINT: meant to convert

  /// Copies rows[0] ... rows[count - 1]: count x d. Read errors are kept (see RowSource::rethrow).
  arma::mat copy(const arma::uword* rows, arma::uword count) const;

  /// Rethrows a kept read error.
  void rethrow() const {
    if (source_) source_->rethrow();
  }

 private:
  const arma::mat* X_ = nullptr;
  const RowSource* source_ = nullptr;
};

/// Calls visit(first, block) with X of rows(first) ... rows(first + block.n_rows - 1) for each block in
/// order, in one pass. Throws DataError.
void for_each_block(const InputRows& X, const arma::uvec& rows,
                    const std::function<void(arma::uword first, const arma::mat& block)>& visit);

/// Does the same for all rows.
void for_each_block_of_all(const InputRows& X,
                           const std::function<void(arma::uword first, const arma::mat& block)>& visit);

/// Reads all rows of a source into memory: N x d.
arma::mat read_all(const RowSource& source);

}  // namespace elmx
