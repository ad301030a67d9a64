#pragma once

#include <armadillo>
#include <optional>
#include <vector>

#include "base/rng.hpp"
#include "data/table/table.hpp"

namespace elmx {

using Rows = std::vector<arma::uword>;

/// 0, 1, ..., count - 1.
Rows numbered(arma::uword count);

/// The same numbers, in random order if shuffle.
Rows numbered(arma::uword count, bool shuffle, const Rng& rng);

/// The classes of all rows; count = 0: the rows have none.
struct ClassLabels {
  arma::uvec of_rows;
  std::size_t count = 0;
};

/// The test parts of group_k_fold: every row in one of them, with all rows of its category. With classes the
/// parts have them in shares as even as can be. Throws ConfigError: fewer than 2 folds, or fewer groups than
/// folds.
std::vector<Rows> group_parts(const RawColumn& groups, arma::uword folds, bool shuffle, const Rng& rng,
                              const ClassLabels& classes);

/// The rows of each category that has some, in the order of the categories. Throws ConfigError: a single one.
std::vector<Rows> single_groups(const RawColumn& groups);

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
