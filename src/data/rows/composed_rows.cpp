#include "data/rows/composed_rows.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace elmx {

JoinedRows::JoinedRows(std::vector<SharedRows> parts) : parts_(std::move(parts)) {
  arma::uword rows = 0;
  for (const SharedRows& part : parts_) {
    expects(part->cols() == parts_.front()->cols(), "JoinedRows: parts of one width");
    ends_.push_back(rows += part->rows());
  }
}

void JoinedRows::read(const arma::uword* rows, arma::uword count, double* X, arma::uword ld) const {
  std::vector<arma::uword> own;
  for (arma::uword first = 0; first < count;) {
    const auto part = static_cast<std::size_t>(std::ranges::upper_bound(ends_, rows[first]) - ends_.begin());
    const arma::uword begin = part == 0 ? 0 : ends_[part - 1];
    own.clear();
    arma::uword end = first;
    for (; end < count && rows[end] >= begin && rows[end] < ends_[part]; ++end) own.push_back(rows[end] - begin);
    parts_[part]->read(own.data(), own.size(), X + first, ld);
    first = end;
  }
}

double JoinedRows::working_bytes() const {
  double sum = 0;
  for (const SharedRows& part : parts_) sum += part->working_bytes();
  return sum;
}

void ChosenRows::read(const arma::uword* rows, arma::uword count, double* X, arma::uword ld) const {
  std::vector<arma::uword> of_all(count);
  std::transform(rows, rows + count, of_all.begin(), [&](arma::uword row) { return chosen_(row); });
  all_->read(of_all.data(), count, X, ld);
}

}  // namespace elmx
