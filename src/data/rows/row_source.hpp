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
  /// Rows that ascend are read in one go. Throws DataError.
  virtual void read(const arma::uword* rows, arma::uword count, double* X, arma::uword ld) const = 0;

  /// The same within a parallel region, which an error must not leave: it is kept for rethrow(), and X is
  /// zero.
  void read_or_keep_error(const arma::uword* rows, arma::uword count, double* X, arma::uword ld) const noexcept;

  /// Throws the first error that was kept, whoever asks: nobody knows whose X is zero.
  void rethrow() const;

  /// Bytes that reading takes at most, whatever the number of threads.
  virtual double working_bytes() const;

 private:
  mutable std::mutex mutex_;
  mutable std::exception_ptr error_;
};

using SharedRows = std::shared_ptr<const RowSource>;

/// Bytes of a file that are read in one go.
inline constexpr std::size_t kSpanBytes = std::size_t(4) << 20;

/// The rows of several sources, one after the other: a training file and a test file. Requires at least one,
/// all as wide.
SharedRows joined_rows(std::vector<SharedRows> parts);

/// The rows chosen(0), chosen(1), ... of a source.
SharedRows chosen_rows(SharedRows all, arma::uvec chosen);

}  // namespace elmx
