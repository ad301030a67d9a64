#include "data/table/read_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.hpp"

namespace elmx {
namespace {

constexpr std::size_t kMostProblems = 8;
constexpr std::size_t kLongestLine = 500;

constexpr const char* kRemedy = "; set data.missing to \"mean\" or \"drop_rows\" (--set data.missing=mean)";

/// Returns all problems in one line, with their number if there are several.
std::string in_one_line(const std::vector<std::string>& problems, bool missing) {
  const std::string count = problems.size() == 1 ? "" : counted(problems.size(), "problem") + ": ";
  return count + first_few(problems, kMostProblems, "; ") + (missing ? kRemedy : "");
}

}  // namespace

void ReplacedText::fields(FieldVisitor& field) {
  field("text", text, "as it stands in the file");
  field("count", count, "values");
}

void ColumnReport::fields(FieldVisitor& field) {
  field("name", name, "the name in the header");
  field("role", role, "input, target, split or dropped");
  field("type", type, "number, category, date, identifier, constant, empty or not read");
  field("evidence", evidence, "a description of the values");
  field("left_out", left_out, "the reason why the column is not used; empty if it is used");
  field("missing", missing, "missing values");
  field("read_as_missing", read_as_missing, "texts that were read as missing values");
  field("more_read_as_missing", more_read_as_missing, "further different texts that were read as missing values");
}

void RowsLeftOut::fields(FieldVisitor& field) {
  field("reason", reason, "the reason");
  field("count", count, "rows");
  field("first_line", first_line, "the line of the first row");
}

void Variable::fields(FieldVisitor& field) {
  field("name", name, "the name in the file");
  field("shape", shape, "the size of each dimension");
  field("kind", kind, "double, uint8, bool, text, struct, ...");
}

void ReadReport::fields(FieldVisitor& field) {
  field("name", name, "the file or the set");
  field("text", text, "the way in which the text is divided into fields");
  field("dialect", dialect, "the members of \"data\" that read the text in the same way");
  field("header", header, "the reason why the first row is taken for names or for values");
  field("rows", rows, "rows that are used");
  field("columns", columns, "the role and type of each column");
  field("variables", variables, "the variables of a file of arrays");
  field("rows_left_out", rows_left_out, "rows that are not used");
  field("notes", notes, "other decisions");
  field("warnings", warnings, "possible faults of the data");
}

std::string Variable::description() const {
  const std::string sizes = shape.empty() ? "scalar" : fmt::format("{}", fmt::join(shape, " x "));
  return fmt::format("{} ({}, {})", name, sizes, kind);
}

void ReadReport::append(ReadReport other) {
  for (std::size_t j = 0; j < std::min(columns.size(), other.columns.size()); ++j) {
    columns[j].missing += other.columns[j].missing;
    columns[j].more_read_as_missing += other.columns[j].more_read_as_missing;
    for (ReplacedText& one : other.columns[j].read_as_missing) columns[j].read_as_missing.push_back(std::move(one));
  }
  for (RowsLeftOut& one : other.rows_left_out) rows_left_out.push_back(std::move(one));
  for (std::string& note : other.notes) {
    if (std::ranges::count(notes, note) == 0) notes.push_back(std::move(note));
  }
}

TableProblems::TableProblems(const std::string& origin, const std::vector<std::string>& problems, bool missing)
    : DataError(origin, in_one_line(problems, missing)) {
  if (problems.size() == 1) {
    lines_.emplace_back(what());
    return;
  }
  const auto add = [&](const std::string& line) { lines_.push_back(printable(line, kLongestLine)); };
  add(fmt::format("{}: {}{}", origin, counted(problems.size(), "problem"), missing ? kRemedy : ""));
  for (std::size_t i = 0; i < std::min(problems.size(), kMostProblems); ++i) add("  " + problems[i]);
  if (problems.size() > kMostProblems) add(fmt::format("  and {} more", problems.size() - kMostProblems));
}

}  // namespace elmx
