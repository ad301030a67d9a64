#pragma once

#include <string>
#include <vector>

#include "data/table/profile.hpp"

namespace elmx {

/// Decides what each column is, where neither the config nor the file nor a model says it:
///
///     numbers        in one spelling, a unit included; other texts among them become missing values
///     dates          become parts
///     few texts      become categories
///     other columns  (identifiers, many texts, one value, no value) are left out
///
/// Then turns the texts into values. Every decision is added to the report. Throws TableProblems with all
/// that keeps the file from being read: a missing value that options.missing refuses, a target that has no
/// numbers, numbers that can be read in two ways, a text that the known kind of its column does not have.
RawTable decide_columns(TextTable& table, const TableOptions& options);

/// What a config calls a column: its name, or its number if other columns have that name or it is not UTF-8.
std::string name_in_config(const std::vector<RawColumn>& columns, std::size_t j);

}  // namespace elmx
