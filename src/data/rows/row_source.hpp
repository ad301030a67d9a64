#pragma once

#include <armadillo>
#include <exception>
#include <mutex>

namespace elmx {

/// N x d inputs that stay in a file and are read in blocks of rows, from several threads at once.
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

/// body(i, count): rows[i] ... rows[i + count - 1] ascend, and from the first to the last of them there are
/// at most `most_span` rows, with no more than `most_gap` between two.
template <class Body>
void for_each_run(const arma::uword* rows, arma::uword count, arma::uword most_span, arma::uword most_gap,
                  const Body& body) {
  for (arma::uword first = 0; first < count;) {
    arma::uword end = first + 1;
    while (end < count && rows[end] >= rows[end - 1] && rows[end] - rows[end - 1] <= most_gap &&
           rows[end] - rows[first] < most_span)
      ++end;
    body(first, end - first);
    first = end;
  }
}

/// Bytes of a file that are read in one go, and bytes that are read although nobody wants them.
inline constexpr std::size_t kSpanBytes = std::size_t(4) << 20, kGapBytes = std::size_t(64) << 10;

}  // namespace elmx
