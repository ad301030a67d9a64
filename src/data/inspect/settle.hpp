#pragma once

#include <string>
#include <vector>

#include "data/inspect/profile.hpp"
#include "data/table/columns.hpp"
#include "data/table/table.hpp"

namespace elmx {

/// Texts of at most so many categories are made inputs where the config does not say what they are.
inline constexpr std::size_t kMostTextCategories = 50;

/// What a look at the whole of a delimited file has found.
struct Inspection {
  std::vector<ColumnProfile> columns;
  std::size_t rows = 0;
  std::size_t ragged = 0;       ///< rows with another number of fields, of which nothing else is known
  std::size_t ragged_line = 0;  ///< of the first
  std::size_t ragged_fields = 0;
};

/// How columns of numbers that are not plain are read, and what texts are taken for, where nothing has said it:
///
///     numbers with a decimal comma or thousands separators   the only spelling that all values of the column have
///     texts of a few categories                               categories
///     one text in all rows                                    dropped
///
/// A new file for a model, and the second file of a set, keep the kinds they are given. Returns notes that say what was
/// done and how to say otherwise. Throws TableProblems, all there are: rows of another length, dates, identifiers, many
/// categories, texts among numbers, numbers that read two ways, missing values where they are refused.
std::vector<std::string> settle(std::vector<RawColumn>& columns, const Inspection& found, const TableOptions& options,
                                const std::string& origin);

/// What a config calls a column: its name, or its number where other columns have that name or it is not UTF-8.
std::string name_in_config(const std::vector<RawColumn>& columns, std::size_t j);

/// What a config would say so that nothing is left to settle() but the spelling of numbers.
struct SuggestedOptions {
  std::vector<std::string> drop;
  std::vector<std::string> nominal;
  std::vector<std::string> missing_values;  ///< all that the file has, where texts among numbers seem to be some
  std::string missing;                      ///< "" = nothing is missing, or it is said already
};
SuggestedOptions suggest_options(std::vector<RawColumn> columns, const Inspection& found, const TableOptions& options);

}  // namespace elmx
