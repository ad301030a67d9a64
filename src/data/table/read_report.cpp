#include "data/table/read_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.hpp"

namespace elmx {
namespace {

constexpr std::size_t kMostProblems = 8;
constexpr std::size_t kLongestLine = 500;

/// Returns how to mend missing values; "" if `missing` is "".
std::string remedy_for(const std::string& missing) {
  if (missing.empty()) return "";
  return fmt::format("; set data.missing to \"{0}\" or \"drop_rows\" (elmx run: --set data.missing={0})", missing);
}

/// Returns all problems in one line, with their number if there are several.
std::string in_one_line(const std::vector<std::string>& problems, const std::string& missing) {
  const std::string count = problems.size() == 1 ? "" : counted(problems.size(), "problem") + ": ";
  return count + first_few(problems, kMostProblems, "; ") + remedy_for(missing);
}

}  // namespace

std::string Variable::description() const {
  const std::string sizes = shape.empty() ? "scalar" : fmt::format("{}", fmt::join(shape, " x "));
  return fmt::format("{} ({}, {})", name, sizes, kind);
}

void ReadReport::append(ReadReport other) {
  for (std::size_t j = 0; j < std::min(columns.size(), other.columns.size()); ++j) {
    columns[j].missing += other.columns[j].missing;
    for (ReplacedText& one : other.columns[j].read_as_missing) columns[j].read_as_missing.push_back(std::move(one));
  }
  for (RowsLeftOut& one : other.rows_left_out) rows_left_out.push_back(std::move(one));
  for (std::string& note : other.notes) {
    if (std::ranges::count(notes, note) == 0) notes.push_back(std::move(note));
  }
}

std::string first_few(const std::vector<std::string>& texts, std::size_t most, const char* separator) {
  const auto end = texts.begin() + static_cast<std::ptrdiff_t>(std::min(texts.size(), most));
  return fmt::format("{}{}", fmt::join(texts.begin(), end, separator),
                     end == texts.end() ? "" : fmt::format(" and {} more", texts.end() - end));
}

TableProblems::TableProblems(const std::string& origin, const std::vector<std::string>& problems,
                             const std::string& missing)
    : DataError(origin, in_one_line(problems, missing)) {
  if (problems.size() == 1) {
    lines_.emplace_back(what());
    return;
  }
  lines_.push_back(printable(fmt::format("{}: {}{}", origin, counted(problems.size(), "problem"), remedy_for(missing)),
                             kLongestLine));
  for (std::size_t i = 0; i < std::min(problems.size(), kMostProblems); ++i)
    lines_.push_back(printable("  " + problems[i], kLongestLine));
  if (problems.size() > kMostProblems) lines_.push_back(fmt::format("  and {} more", problems.size() - kMostProblems));
}

}  // namespace elmx
