#include "data/rows/input_rows.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace elmx {
namespace {

constexpr arma::uword kNumbersOfBlock = arma::uword(1) << 20, kMostRowsOfBlock = 8192, kRowsOfPart = 512;

arma::uvec all_of(arma::uword n) { return n == 0 ? arma::uvec() : arma::regspace<arma::uvec>(0, 1, n - 1); }

/// Reads rows[0] ... rows[count - 1] into X, count x d, by all threads.
void read_in_parts(const RowSource& source, const arma::uword* rows, arma::uword count, arma::mat& X) {
  const auto parts = static_cast<long>((count + kRowsOfPart - 1) / kRowsOfPart);
#pragma omp parallel for schedule(dynamic, 1)
  for (long part = 0; part < parts; ++part) {
    const arma::uword row = static_cast<arma::uword>(part) * kRowsOfPart;
    source.read_or_keep_error(rows + row, std::min(kRowsOfPart, count - row), X.memptr() + row, count);
  }
  source.rethrow();
}

}  // namespace

const arma::mat& InputRows::matrix() const {
  expects(X_ != nullptr, "InputRows: the inputs are in memory");
  return *X_;
}

arma::mat InputRows::copy(const arma::uword* rows, arma::uword count) const {
  arma::mat block(count, dimension(), arma::fill::none);
  if (source_) {
    source_->read_or_keep_error(rows, count, block.memptr(), count);
    return block;
  }
  for (arma::uword j = 0; j < X_->n_cols; ++j) {
    const double* column = X_->colptr(j);
    double* out = block.colptr(j);
    for (arma::uword i = 0; i < count; ++i) out[i] = column[rows[i]];
  }
  return block;
}

void for_each_block(const InputRows& X, const arma::uvec& rows,
                    const std::function<void(arma::uword first, const arma::mat& block)>& visit) {
  const arma::uword d = X.dimension();
  const arma::uword at_once =
      std::clamp<arma::uword>(kNumbersOfBlock / std::max<arma::uword>(d, 1), 1, kMostRowsOfBlock);
  for (arma::uword first = 0; first < rows.n_elem; first += at_once) {
    const arma::uword count = std::min(at_once, rows.n_elem - first);
    const arma::uword* own = rows.memptr() + first;
    if (X.source() == nullptr) {
      visit(first, X.copy(own, count));
      continue;
    }
    arma::mat block(count, d, arma::fill::none);
    read_in_parts(*X.source(), own, count, block);
    visit(first, block);
  }
}

void for_each_block_of_all(const InputRows& X,
                           const std::function<void(arma::uword first, const arma::mat& block)>& visit) {
  for_each_block(X, all_of(X.samples()), visit);
}

arma::mat read_all(const RowSource& source) {
  arma::mat X(source.rows(), source.cols(), arma::fill::none);
  read_in_parts(source, all_of(X.n_rows).memptr(), X.n_rows, X);
  return X;
}

}  // namespace elmx
