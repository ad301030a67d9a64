#pragma once

#include <string>
#include <vector>

#include "data/table/profile.hpp"

namespace elmx {

/// Infers the kind of each column for which neither the config, the file nor a model states it:
///
///     numbers        in one spelling, a unit included; other texts among them become missing values
///     dates          become parts
///     few texts      become categories
///     other columns  (identifiers, many texts, one value, no value) are left out
///
/// Then turns the texts into values. Adds every decision to the report. Throws TableProblems with all reasons
/// why the file cannot be read: a missing value that options.missing refuses, a target without numbers,
/// numbers that can be read in two ways, a text that does not fit the known kind of its column.
RawTable decide_columns(TextTable& table, const TableOptions& options);

/// Returns the name of a column in a config: its name, or its number if the name is not unique or not UTF-8.
std::string name_in_config(const std::vector<RawColumn>& columns, std::size_t j);

}  // namespace elmx
