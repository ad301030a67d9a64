#include "data/rows/row_source.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace elmx {
namespace {

class JoinedRows final : public RowSource {
 public:
  explicit JoinedRows(std::vector<SharedRows> parts) : parts_(std::move(parts)) {
    arma::uword rows = 0;
    for (const SharedRows& part : parts_) {
      expects(part->cols() == parts_.front()->cols(), "JoinedRows: parts of one width");
      ends_.push_back(rows += part->rows());
    }
  }

  arma::uword rows() const override { return ends_.back(); }
  arma::uword cols() const override { return parts_.front()->cols(); }

  void read(const arma::uword* rows, arma::uword count, double* X, arma::uword ld) const override {
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

  double working_bytes() const override {
    double sum = 0;
    for (const SharedRows& part : parts_) sum += part->working_bytes();
    return sum;
  }

 private:
  std::vector<SharedRows> parts_;
  std::vector<arma::uword> ends_;
};

class ChosenRows final : public RowSource {
 public:
  ChosenRows(SharedRows all, arma::uvec chosen) : all_(std::move(all)), chosen_(std::move(chosen)) {}

  arma::uword rows() const override { return chosen_.n_elem; }
  arma::uword cols() const override { return all_->cols(); }

  void read(const arma::uword* rows, arma::uword count, double* X, arma::uword ld) const override {
    std::vector<arma::uword> of_all(count);
    std::transform(rows, rows + count, of_all.begin(), [&](arma::uword row) { return chosen_(row); });
    all_->read(of_all.data(), count, X, ld);
  }

  double working_bytes() const override { return all_->working_bytes(); }

 private:
  SharedRows all_;
  arma::uvec chosen_;
};

}  // namespace

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

SharedRows joined_rows(std::vector<SharedRows> parts) {
  return parts.size() == 1 ? parts.front() : std::make_shared<const JoinedRows>(std::move(parts));
}

SharedRows chosen_rows(SharedRows all, arma::uvec chosen) {
  return std::make_shared<const ChosenRows>(std::move(all), std::move(chosen));
}

}  // namespace elmx
