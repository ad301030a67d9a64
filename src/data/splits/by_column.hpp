#pragma once

#include <armadillo>
#include <optional>
#include <vector>

#include "base/rng.hpp"
#include "data/table/table.hpp"

namespace elmx {

using Rows = std::vector<arma::uword>;

/// Returns 0, 1, ..., count - 1.
Rows numbered(arma::uword count);

/// Returns the same numbers, in random order if `shuffle`.
Rows numbered(arma::uword count, bool shuffle, const Rng& rng);

/// The classes of all rows; count = 0 if the rows have no classes.
struct ClassLabels {
  arma::uvec of_rows;
  std::size_t count = 0;
};

/// Returns the test parts of group_k_fold. Every row is in exactly one part, together with all rows of its
/// category. If there are classes, their shares are balanced over the parts. Throws ConfigError: fewer than 2
/// folds, or fewer groups than folds.
std::vector<Rows> group_parts(const RawColumn& groups, arma::uword folds, bool shuffle, const Rng& rng,
                              const ClassLabels& classes);

/// Returns the rows of each nonempty category, in category order. Throws ConfigError: a single category.
std::vector<Rows> single_groups(const RawColumn& groups);

/// Returns the test parts that a column defines: one for each of its categories, in numeric order if all are
/// numbers, else in alphabetical order. For the categories "train" and "test" (in any case), only "test" is a
/// test part. Throws ConfigError: a single category.
std::vector<Rows> given_parts(const RawColumn& column);

/// Divides all rows into `count` consecutive runs in the order of the column (of the file, if none). Rows
/// with equal values are in the same run. Throws ConfigError: fewer than 3 runs, or not a row for each;
/// DataError: values that are neither numbers nor dates with a certain day, month and year, or numbers that
/// may be months ("03.2024"). origin: the name of the data, for errors.
std::vector<Rows> ordered_runs(const std::optional<RawColumn>& order, arma::uword samples, arma::uword count,
                               const std::string& origin);

}  // namespace elmx
