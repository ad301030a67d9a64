#include "data/rows/row_source.hpp"

#include <algorithm>

namespace elmx {

void RowSource::read_or_keep_error(const arma::uword* rows, arma::uword count, double* X,
                                   arma::uword ld) const noexcept {
  try {
    return read(rows, count, X, ld);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
  }
  for (arma::uword j = 0; j < cols(); ++j) std::fill_n(X + j * ld, count, 0.0);
}

void RowSource::rethrow() const {
  const std::lock_guard lock(mutex_);
  if (error_) std::rethrow_exception(error_);
}

double RowSource::working_bytes() const { return 8.0 * static_cast<double>(kSpanBytes); }

}  // namespace elmx
