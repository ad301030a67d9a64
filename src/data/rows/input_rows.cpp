#include "data/rows/input_rows.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/machine/clock.hpp"
#include "base/printable.hpp"

namespace elmx {
namespace {

constexpr arma::uword kNumbersOfBlock = arma::uword(1) << 20, kMostRowsOfBlock = 8192, kRowsOfPart = 512;

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

/// The concatenated rows of all parts, or a selection of these rows.
class JoinedRows final : public RowSource {
 public:
  JoinedRows(std::vector<SharedRows> parts, arma::uvec chosen) : parts_(std::move(parts)), chosen_(std::move(chosen)) {
    arma::uword rows = 0;
    for (const SharedRows& part : parts_) {
      expects(part->cols() == parts_.front()->cols(), "JoinedRows: parts of one width");
      ends_.push_back(rows += part->rows());
    }
  }

  arma::uword rows() const override { return chosen_.is_empty() ? ends_.back() : chosen_.n_elem; }
  arma::uword cols() const override { return parts_.front()->cols(); }

  void read(const arma::uword* rows, arma::uword count, double* X, arma::uword ld) const override {
    std::vector<arma::uword> own;
    const auto row = [&](arma::uword i) { return chosen_.is_empty() ? rows[i] : chosen_(rows[i]); };
    for (arma::uword first = 0; first < count;) {
      const auto part = static_cast<std::size_t>(std::ranges::upper_bound(ends_, row(first)) - ends_.begin());
      const arma::uword begin = part == 0 ? 0 : ends_[part - 1];
      own.clear();
      arma::uword end = first;
      for (; end < count && row(end) >= begin && row(end) < ends_[part]; ++end) own.push_back(row(end) - begin);
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
  arma::uvec chosen_;  // empty: all
};

constexpr arma::uword kNoRow = std::numeric_limits<arma::uword>::max();

/// The findings about one input, accumulated over blocks.
struct ColumnLook {
  std::size_t missing = 0;
  double min = std::numeric_limits<double>::infinity(), max = -std::numeric_limits<double>::infinity();
  arma::uword wrong = kNoRow;  ///< the first row with an invalid value
  double value = 0;            ///< that value

  void add(double x, arma::uword row, bool nan_allowed) {
    const bool nan = std::isnan(x);
    if (wrong == kNoRow && (nan ? !nan_allowed : std::abs(x) > kLargestValue)) {
      wrong = row;
      value = x;
    }
    missing += nan;
    min = std::min(min, x);  // in this order, NaN is passed over
    max = std::max(max, x);
  }
};

}  // namespace

void refuse_value(const std::string& origin, arma::uword row, const std::string& column, double value) {
  const std::string problem =
      std::isnan(value)
          ? "found nan, a missing value; set data.missing to \"mean\" or \"drop_rows\""
          : "expected a number from -1e150 to 1e150, whose square does not overflow, found " + shortest(value);
  throw DataError(origin, fmt::format("row {}, column \"{}\": {}", row + 1, column, problem));
}

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

SharedRows joined_rows(std::vector<SharedRows> parts, arma::uvec chosen) {
  if (parts.size() == 1 && chosen.is_empty()) return parts.front();
  return std::make_shared<const JoinedRows>(std::move(parts), std::move(chosen));
}

arma::uvec row_numbers(arma::uword count) {
  return count == 0 ? arma::uvec() : arma::regspace<arma::uvec>(0, 1, count - 1);
}

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

arma::mat read_all(const RowSource& source) {
  arma::mat X(source.rows(), source.cols(), arma::fill::none);
  read_in_parts(source, row_numbers(X.n_rows).memptr(), X.n_rows, X);
  return X;
}

Look look_at(const RowSource& source, const std::vector<std::string>& names, arma::uword inputs, bool missing,
             const std::string& origin) {
  expects(names.size() == source.cols() && inputs <= source.cols(), "look_at: a name for each column");
  SteadyClock clock;
  const double begun = clock.now();
  const arma::uword N = source.rows(), d = source.cols();
  std::vector<ColumnLook> looks(d);
  Look found;
  found.others.set_size(N, d - inputs);
  for_each_block(source, row_numbers(N), [&](arma::uword first, const arma::mat& block) {
#pragma omp parallel for schedule(static)
    for (long c = 0; c < static_cast<long>(inputs); ++c) {
      const auto j = static_cast<arma::uword>(c);
      ColumnLook look = looks[j];
      for (arma::uword i = 0; i < block.n_rows; ++i) look.add(block(i, j), first + i, missing);
      looks[j] = look;
    }
    for (arma::uword j = 0; j < inputs; ++j) {
      if (looks[j].wrong != kNoRow) refuse_value(origin, looks[j].wrong, names[j], looks[j].value);
      if (looks[j].missing == 0) continue;
      found.incomplete.resize(N, 0);
      for (arma::uword i = 0; i < block.n_rows; ++i) found.incomplete[first + i] |= std::isnan(block(i, j));
    }
    if (inputs < d) found.others.rows(first, first + block.n_rows - 1) = block.tail_cols(d - inputs);
  });
  for (arma::uword j = 0; j < inputs; ++j) {
    found.missing.push_back(looks[j].missing);
    if (looks[j].min == looks[j].max) found.constant.push_back(j);
  }
  found.seconds = clock.now() - begun;
  return found;
}

}  // namespace elmx
