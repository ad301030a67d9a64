#pragma once

#include <algorithm>
#include <armadillo>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace elmx {

/// N x d inputs that are read in blocks of rows, from several threads at once.
class RowSource {
 public:
  virtual ~RowSource() = default;

  virtual arma::uword rows() const = 0;
  virtual arma::uword cols() const = 0;

  /// X(i, j) = input j of sample rows[i], i < count; column-major, ld numbers from one column to the next.
  /// Ascending rows are read in large spans. Throws DataError.
  virtual void read(const arma::uword* rows, arma::uword count, double* X, arma::uword ld) const = 0;

  /// Does the same within a parallel region, which an exception must not leave: keeps an error for rethrow(),
  /// and sets X to zero.
  void read_or_keep_error(const arma::uword* rows, arma::uword count, double* X, arma::uword ld) const noexcept;

  /// Throws the first kept error to every caller, because any caller's X may be zero.
  void rethrow() const;

  /// Returns the most bytes that reading takes with any number of threads.
  virtual double working_bytes() const;

 private:
  mutable std::mutex mutex_;
  mutable std::exception_ptr error_;
};

using SharedRows = std::shared_ptr<const RowSource>;

/// The largest span of a file, in bytes, that is read at once.
inline constexpr std::size_t kSpanBytes = std::size_t(4) << 20;

/// Concatenates the rows of several sources, for example a training and a test file, or the rows chosen(0),
/// chosen(1), ... of them. Requires at least one source, and the same number of columns in all sources.
SharedRows joined_rows(std::vector<SharedRows> parts, arma::uvec chosen = {});

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

/// Returns for each column of X whether holds(x) is true for a value x in the rows.
template <class Holds>
std::vector<char> columns_with(const InputRows& X, const arma::uvec& rows, const Holds& holds) {
  std::vector<char> found(X.dimension(), 0);
  if (X.source() == nullptr) {
    const arma::mat& M = X.matrix();
    for (arma::uword j = 0; j < M.n_cols; ++j)
      found[j] = std::ranges::any_of(rows, [&](arma::uword row) { return holds(M(row, j)); });
    return found;
  }
  for_each_block(X, rows, [&](arma::uword, const arma::mat& block) {
    for (arma::uword j = 0; j < block.n_cols; ++j) found[j] |= std::any_of(block.begin_col(j), block.end_col(j), holds);
  });
  return found;
}

/// Returns 0, 1, ..., count - 1.
arma::uvec row_numbers(arma::uword count);

/// Reads all rows of a source into memory: N x d.
arma::mat read_all(const RowSource& source);

/// Largest absolute value of an input or a target: a sum of 10^8 squares of this value does not overflow.
inline constexpr double kLargestValue = 1e150;

/// Throws DataError for a value that is NaN or beyond kLargestValue. row: counted from 0.
[[noreturn]] void refuse_value(const std::string& origin, arma::uword row, const std::string& column, double value);

/// The findings of one pass over inputs on disk.
struct Look {
  std::vector<std::size_t> missing;   ///< number of NaN values of each input
  std::vector<char> incomplete;       ///< for each row, whether an input is missing; empty = all are complete
  std::vector<arma::uword> constant;  ///< inputs that are the same in all rows
  arma::mat others;                   ///< N x (columns behind the inputs): targets
  double seconds = 0;                 ///< duration of the pass
};

/// Checks every number in one pass over blocks. The first `inputs` columns of the source are inputs; the
/// others are returned.
///
///     names     the columns, for messages
///     missing   allows NaN in an input
///     origin    starts the messages
///
/// Throws DataError, with row and column: a forbidden NaN, an infinity, a number beyond kLargestValue.
Look look_at(const RowSource& source, const std::vector<std::string>& names, arma::uword inputs, bool missing,
             const std::string& origin);

}  // namespace elmx
