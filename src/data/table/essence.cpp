#include "data/table/essence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/printable.hpp"

namespace elmx {
namespace {

constexpr std::size_t kMostEssence = 10;
constexpr std::size_t kWidth = 80;
constexpr std::size_t kLongestShown = 24;

/// One line of UTF-8 that ends in "..." if it does not fit.
std::string cut(const std::string& text) {
  const std::string line = printable(text);
  if (line.size() <= kWidth) return line;
  std::size_t end = 0;
  while (end + utf8_bytes(std::string_view(line).substr(end)) <= kWidth - 3)
    end += utf8_bytes(std::string_view(line).substr(end));
  return line.substr(0, end) + "...";
}

/// "a, b, c and 5 more" within the width that is left.
std::string listed(const std::vector<std::string>& items, std::size_t width) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string rest = i + 1 < items.size() ? fmt::format(" and {} more", items.size() - i - 1) : "";
    const std::string next = (i > 0 ? ", " : "") + items[i];
    if (i > 0 && text.size() + next.size() + rest.size() > width)
      return text + fmt::format(" and {} more", items.size() - i);
    text += next;
  }
  return text;
}

std::string line_of(const std::string& what, const std::vector<std::string>& items) {
  const std::string begin = "  " + what + ": ";
  return cut(begin + listed(items, kWidth - std::min(kWidth, begin.size())));
}

std::string target_of(const Dataset& data) {
  std::vector<std::string> names;
  for (const KnownColumn& column : data.columns) {
    if (column.role == "target") names.push_back(printable(column.name, kLongestShown));
  }
  const std::string name = names.size() == 1 ? " " + names.front() : "";
  if (data.task == Task::classification)
    return fmt::format("target{} of {}", name, counted(data.classes.size(), "class"));
  if (data.Y.n_cols == 1)
    return fmt::format("target{} from {} to {}", name, shortest(data.Y.col(0).min()), shortest(data.Y.col(0).max()));
  return counted(data.Y.n_cols, "target");
}

std::string head_of(const Dataset& data) {
  std::string line = data.name + ": " + counted(data.samples(), "row");
  if (data.published_train > 0) line += fmt::format(" ({} for training)", data.published_train);
  line += ", " + counted(data.dimension(), "input");
  const auto columns = static_cast<std::size_t>(std::ranges::count(data.columns, "input", &KnownColumn::role));
  if (columns > 0 && columns != data.dimension()) line += fmt::format(" of {}", counted(columns, "column"));
  return cut(line + ", " + target_of(data));
}

/// Missing values of each input, by the report or, where it has no columns, by the inputs.
std::vector<std::string> missing_of(const Dataset& data) {
  std::vector<std::string> items;
  const auto add = [&](const std::string& name, std::size_t count) {
    if (count > 0) items.push_back(fmt::format("{} {}", printable(name, kLongestShown), count));
  };
  for (const ColumnReport& column : data.report.columns) {
    if (column.role == "input") add(column.name, column.missing);
  }
  if (!data.report.columns.empty()) return items;
  for (arma::uword j = 0; j < data.dimension() && data.missing; ++j) {
    const auto missing =
        data.on_disk ? static_cast<long>(j < data.missing_of.n_elem ? data.missing_of(j) : 0)
                     : std::count_if(data.X.begin_col(j), data.X.end_col(j), [](double x) { return std::isnan(x); });
    add(data.inputs[j], static_cast<std::size_t>(missing));
  }
  return items;
}

}  // namespace

std::vector<std::string> essence_of(const Dataset& data) {
  const ReadReport& report = data.report;
  std::vector<std::string> lines{head_of(data)};
  if (!report.text.empty())
    lines.push_back(cut("  " + report.text + "; " + report.header.substr(0, report.header.find(':'))));
  std::vector<std::string> categories, left_out, texts, spelt, dates, rows;
  for (const ColumnReport& column : report.columns) {
    const std::string name = printable(column.name, kLongestShown);
    if (column.role == "input" && column.type == "category") categories.push_back(name + " (" + column.evidence + ")");
    if (column.role == "dropped") left_out.push_back(name + " (" + column.left_out + ")");
    if (column.type == "date" && column.role == "input") dates.push_back(name);
    if (const std::size_t at = column.evidence.find("; "); column.type == "number" && at != std::string::npos)
      spelt.push_back(name + ", " + column.evidence.substr(at + 2));
    for (const ReplacedText& text : column.read_as_missing)
      texts.push_back(fmt::format("{} \"{}\" {}", name, printable(text.text, kLongestShown), text.count));
  }
  for (const RowsLeftOut& out : report.rows_left_out)
    rows.push_back(out.first_line > 0 ? fmt::format("{} ({}, line {})", out.count, out.reason, out.first_line)
                                      : fmt::format("{} ({})", out.count, out.reason));
  const auto add = [&](const char* what, const std::vector<std::string>& items) {
    if (!items.empty()) lines.push_back(line_of(what, items));
  };
  std::vector<std::string> variables;
  for (const Variable& variable : report.variables) variables.push_back(variable.description());
  add("variables", variables);
  add("left out", left_out);
  add("rows left out", rows);
  add("texts read as missing values", texts);
  if (data.missing || report.columns.empty()) add("missing values, imputed by the training part", missing_of(data));
  add("categories", categories);
  add("dates, in parts", dates);
  add("numbers", spelt);
  if (data.on_disk) lines.emplace_back("  inputs stay in their file and are read in blocks");
  if (data.split) add("divides the rows", {printable(data.split->name, kLongestShown)});
  std::vector<std::string> others = report.warnings;
  others.insert(others.end(), report.notes.begin(), report.notes.end());
  const std::size_t room = kMostEssence > lines.size() ? kMostEssence - lines.size() : 0;
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (lines.size() >= kMostEssence) break;
    const bool fits = others.size() <= room || lines.size() + 1 < kMostEssence;
    lines.push_back(fits ? cut("  " + others[i]) : fmt::format("  and {} more warnings and notes", others.size() - i));
    if (!fits) break;
  }
  lines.resize(std::min(lines.size(), kMostEssence));
  return lines;
}

}  // namespace elmx
