#pragma once

#include <string>
#include <vector>

#include "data/table/profile.hpp"
#include "data/table/read_report.hpp"
#include "data/table/roles.hpp"
#include "data/table/table.hpp"

namespace elmx {

/// A text column is a category if it has at most so many different texts, unless the config says what it is.
inline constexpr std::size_t kMostTextCategories = 50;

/// A text file in memory: columns with their roles, and their texts.
struct TextTable {
  std::string origin;  ///< begins the messages
  std::vector<RawColumn> columns;
  std::vector<ColumnTexts> texts;  ///< one for each column
  std::size_t rows = 0;
  std::vector<std::size_t> gaps = {};  ///< rows of the file without a value, each by the number of rows before it
  ReadReport report;
};

/// The profile of each column. A word that can stand for a missing value ("NA", "None") is one in a column of
/// numbers; among categories it is one only if it stands among the numbers of the same file too.
std::vector<ColumnProfile> profiles_of(const TextTable& table, const MissingValues& missing,
                                       const KnownFile* known = nullptr);

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

/// Decides if the values of a target are classes: texts, two values, codes such as 02138, or few whole
/// numbers if the name says so ("class", "type", ...); other whole numbers are counts. `why` says it in
/// words.
struct TaskGuess {
  bool classes = false;
  std::string why;
};
TaskGuess guess_task(const ColumnProfile& profile, const std::string& name);

/// What a config calls a column: its name, or its number if other columns have that name or it is not UTF-8.
std::string name_in_config(const std::vector<RawColumn>& columns, std::size_t j);

}  // namespace elmx
