#include "data/rows/input_rows.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace elmx {
namespace {

constexpr arma::uword kNumbersOfBlock = arma::uword(1) << 20, kMostRowsOfBlock = 8192, kRowsOfPart = 512;

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

namespace {

/// rows_from(first, count): the numbers of the rows of a block.
template <class RowsFrom>
void visit_blocks(const InputRows& X, arma::uword n, const RowsFrom& rows_from,
                  const std::function<void(arma::uword first, const arma::mat& block)>& visit) {
  const arma::uword d = X.dimension();
  const arma::uword at_once =
      std::clamp<arma::uword>(kNumbersOfBlock / std::max<arma::uword>(d, 1), 1, kMostRowsOfBlock);
  for (arma::uword first = 0; first < n; first += at_once) {
    const arma::uword count = std::min(at_once, n - first);
    const arma::uword* rows = rows_from(first, count);
    if (X.source() == nullptr) {
      visit(first, X.copy(rows, count));
      continue;
    }
    arma::mat block(count, d, arma::fill::none);
    const auto parts = static_cast<long>((count + kRowsOfPart - 1) / kRowsOfPart);
#pragma omp parallel for schedule(dynamic, 1)
    for (long part = 0; part < parts; ++part) {
      const arma::uword row = static_cast<arma::uword>(part) * kRowsOfPart;
      X.source()->read_or_keep_error(rows + row, std::min(kRowsOfPart, count - row), block.memptr() + row, count);
    }
    X.rethrow();
    visit(first, block);
  }
}

}  // namespace

void for_each_block(const InputRows& X, const arma::uvec& rows,
                    const std::function<void(arma::uword first, const arma::mat& block)>& visit) {
  visit_blocks(
      X, rows.n_elem, [&](arma::uword first, arma::uword) { return rows.memptr() + first; }, visit);
}

void for_each_block_of_all(const InputRows& X,
                           const std::function<void(arma::uword first, const arma::mat& block)>& visit) {
  arma::uvec rows;
  const auto rows_from = [&](arma::uword first, arma::uword count) {
    rows = arma::regspace<arma::uvec>(first, 1, first + count - 1);
    return rows.memptr();
  };
  visit_blocks(X, X.samples(), rows_from, visit);
}

arma::mat read_all(const RowSource& source) {
  arma::mat X(source.rows(), source.cols(), arma::fill::none);
  for_each_block_of_all(
      source, [&](arma::uword first, const arma::mat& block) { X.rows(first, first + block.n_rows - 1) = block; });
  return X;
}

}  // namespace elmx
