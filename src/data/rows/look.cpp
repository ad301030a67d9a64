#include "data/rows/look.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/machine/clock.hpp"
#include "base/printable.hpp"
#include "data/rows/input_rows.hpp"

namespace elmx {
namespace {

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

[[noreturn]] void refuse_value(const std::string& origin, const std::string& column, const ColumnLook& look) {
  const std::string problem =
      std::isnan(look.value) ? "found nan, a missing value; set data.missing to \"mean\" or \"drop_rows\""
      : std::isinf(look.value)
          ? "expected a finite number, found " + shortest(look.value)
          : "expected a number from -1e150 to 1e150, whose square does not overflow, found " + shortest(look.value);
  throw DataError(origin, fmt::format("row {}, column \"{}\": {}", look.wrong + 1, column, problem));
}

}  // namespace

Look look_at(const RowSource& source, const std::vector<std::string>& names, arma::uword inputs, bool missing,
             const std::string& origin) {
  expects(names.size() == source.cols() && inputs <= source.cols(), "look_at: a name for each column");
  SteadyClock clock;
  const double begun = clock.now();
  const arma::uword N = source.rows(), d = source.cols();
  std::vector<ColumnLook> looks(d);
  Look found;
  found.others.set_size(N, d - inputs);
  for_each_block_of_all(source, [&](arma::uword first, const arma::mat& block) {
#pragma omp parallel for schedule(static)
    for (long c = 0; c < static_cast<long>(inputs); ++c) {
      const auto j = static_cast<arma::uword>(c);
      ColumnLook look = looks[j];
      for (arma::uword i = 0; i < block.n_rows; ++i) look.add(block(i, j), first + i, missing);
      looks[j] = look;
    }
    for (arma::uword j = 0; j < inputs; ++j) {
      if (looks[j].wrong != kNoRow) refuse_value(origin, names[j], looks[j]);
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
