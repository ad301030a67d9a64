#pragma once

#include <armadillo>
#include <exception>
#include <memory>
#include <mutex>
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

/// Concatenates the rows of several sources, for example a training and a test file. Requires at least one
/// source, and the same number of columns in all sources.
SharedRows joined_rows(std::vector<SharedRows> parts);

/// Returns the rows chosen(0), chosen(1), ... of a source.
SharedRows chosen_rows(SharedRows all, arma::uvec chosen);

}  // namespace elmx
