#pragma once

#include <armadillo>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/table/table.hpp"

namespace elmx {

using Rows = std::vector<arma::uword>;

/// The test parts of group_k_fold: every row in one of them, with all rows of its category. Throws
/// ConfigError: fewer than 2 folds, or fewer groups than folds.
std::vector<Rows> group_parts(const RawColumn& groups, arma::uword folds, bool shuffle, std::uint64_t seed,
                              std::uint32_t repeat);

/// The test parts that a column gives: one for each of its categories, in numeric order where all are
/// numbers, else in alphabetical order; of "train" and "test", however they are capitalised, the latter
/// alone. Throws ConfigError: a single category.
std::vector<Rows> given_parts(const RawColumn& column);

/// All rows in `count` runs, one after the other in the order of the column (none: of the file), rows that
/// stand at the same place of it in one run. Throws ConfigError: fewer than 3 runs, or not a row for each;
/// DataError: neither numbers nor dates whose day, month and year are certain, or numbers that may be months
/// ("03.2024").
std::vector<Rows> ordered_runs(const std::optional<RawColumn>& order, arma::uword samples, arma::uword count);

}  // namespace elmx
