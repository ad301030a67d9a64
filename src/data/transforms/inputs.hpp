#pragma once

#include <armadillo>
#include <string>

#include "data/rows/input_rows.hpp"
#include "data/transforms/scaler.hpp"

namespace elmx {

struct Dataset;

/// The number of samples in a block whose outputs are predicted together: a multiple of the vector and tile
/// sizes of all kernels.
inline constexpr arma::uword kFullBlock = 512;

/// Some rows of a data set as a network sees them: missing values filled, and scaled with the parameters
/// fitted on the training rows. Nothing is copied: blocks are gathered, scaled and rounded to the working
/// precision when a product needs them.
struct Inputs {
  InputRows X;      // all N samples of the data set, raw
  arma::uvec rows;  // the n selected samples
  Scaler scaler;

  arma::uword samples() const { return rows.n_elem; }
  arma::uword dimension() const { return scaler.dimension(); }

  /// Returns the same inputs with the last sample repeated up to a multiple of kFullBlock. The last bits of a
  /// product depend on its shape. In full blocks the outputs of a sample do not depend on the other samples.
  /// In single precision they may depend on the place of the sample in the block (OpenBLAS's Haswell and Zen
  /// kernels).
  Inputs full_blocks() const {
    const arma::uword n = samples(), full = (n + kFullBlock - 1) / kFullBlock * kFullBlock;
    Inputs padded{X, rows, scaler};
    padded.rows.resize(full);
    if (n < full) padded.rows.tail(full - n).fill(rows(n - 1));
    return padded;
  }

  /// Writes samples first .. first + count - 1 to out (count x d, column-major). T is float or double.
  /// X.rethrow() reports read errors, because this function may be called in a parallel region.
  template <class T>
  void block(arma::uword first, arma::uword count, T* out) const {
    if (X.source() == nullptr) return scale(X.matrix(), rows.memptr() + first, count, out);
    const arma::mat read = X.copy(rows.memptr() + first, count);
    scale(read, nullptr, count, out);
  }

 private:
  /// Scales `count` rows of M. at: their row indices; null: the first rows.
  template <class T>
  void scale(const arma::mat& M, const arma::uword* at, arma::uword count, T* out) const {
    for (arma::uword j = 0; j < dimension(); ++j)
      scaler.apply(j, M.colptr(scaler.column(j)), at, count, out + j * count);
  }
};

/// Fits the inputs of a network on some rows of a data set. The values in all other rows have no effect.
///
///     missing values   become the mean of the column over the fitted rows, in new samples of a table too
///     one-hot columns  of categories absent from the fitted rows are dropped: these categories are all zeros
///     sparse files     lose the columns behind the last one that is not zero in the fitted rows
///
/// Requires at least one row and, if values are missing, at least one present value per column in the rows.
Scaler fit_inputs(const Dataset& data, const std::string& scaling, const arma::uvec& rows);

}  // namespace elmx
