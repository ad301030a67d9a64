#include "report/formats/table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "base/printable.hpp"

namespace elmx {
namespace {

std::string printed(const char* format, int digits, double value) {
  char buffer[400];  // %f of the largest double has 309 digits before the point
  const int length = std::snprintf(buffer, sizeof buffer, format, digits, value);
  return {buffer, static_cast<std::size_t>(length)};
}

/// Returns the standard deviation with two digits, or as many decimals as the mean; "" if there is none.
std::string spread_text(const Cell& cell) {
  if (!cell.sd) return "";
  Display display = cell.display;
  if (display.notation == Display::Notation::significant) display.digits = 2;
  return show(*cell.sd, display);
}

}  // namespace

Display significant(int digits) { return {Display::Notation::significant, digits}; }
Display fixed_point(int digits) { return {Display::Notation::fixed, digits}; }
Display scientific(int digits) { return {Display::Notation::scientific, digits}; }

std::string show(double value, Display display) {
  value *= display.scale;
  if (!std::isfinite(value)) return std::isnan(value) ? "NA" : (value < 0 ? "-inf" : "inf");
  if (value == 0 && display.notation != Display::Notation::fixed) return "0";
  switch (display.notation) {
    case Display::Notation::shortest:
      return shortest(value);
    case Display::Notation::significant: {
      const std::string text = printed("%#.*g", display.digits, value);
      return text.substr(0, text.size() - text.ends_with('.'));
    }
    case Display::Notation::fixed:
      return printed("%.*f", display.digits, value);
    case Display::Notation::scientific:
      return printed("%.*e", display.digits, value);
  }
  return "";
}

Cell text_cell(std::string text) { return {.text = std::move(text)}; }

Cell number_cell(double value, Display display) {
  return {Cell::Kind::number, "", std::isnan(value) ? std::nullopt : std::optional(value), std::nullopt, display};
}

Cell spread_cell(double mean, double sd, Display display) {
  Cell cell = number_cell(mean, display);
  if (cell.value && !std::isnan(sd)) cell.sd = sd;
  return cell;
}

std::size_t footnote(Table& table, const std::string& text) {
  if (text.empty()) return 0;
  const auto found = std::ranges::find(table.footnotes, text);
  const auto index = static_cast<std::size_t>(found - table.footnotes.begin());
  if (found == table.footnotes.end()) table.footnotes.push_back(text);
  return index + 1;
}

std::string mean_text(const Cell& cell) {
  if (cell.kind == Cell::Kind::text) return cell.text;
  return cell.value ? show(*cell.value, cell.display) : "NA";
}

std::string plain_text(const Cell& cell) { return mean_text(cell) + (cell.sd ? " ± " + spread_text(cell) : ""); }

Column labelled_column(std::vector<ColumnLabel> labels) {
  Column column{"", "", Worth::result};
  for (const ColumnLabel& label : labels) {
    column.name += (column.name.empty() ? "" : "/") + label.value;
    if (!label.text.empty()) column.heading += (column.heading.empty() ? "" : ", ") + label.text;
  }
  column.labels = std::move(labels);
  return column;
}

bool is_numeric(const Table& table, std::size_t j) {
  return std::ranges::all_of(table.rows, [j](const auto& row) { return row[j].kind == Cell::Kind::number; });
}

std::size_t row_heads(const Table& table) {
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    if (const Worth worth = table.columns[j].worth; worth != Worth::name && worth != Worth::setting) return j;
  }
  return 0;
}

std::vector<std::vector<HeadingSpan>> heading_lines(const Table& table, const std::vector<std::size_t>& columns) {
  std::size_t depth = 1;
  std::vector<std::vector<std::string>> texts;
  for (const std::size_t j : columns) {
    std::vector<std::string>& shown = texts.emplace_back();
    for (const ColumnLabel& label : table.columns[j].labels) {
      if (!label.text.empty()) shown.push_back(label.text);
    }
    if (shown.empty()) shown.push_back(table.columns[j].heading);
    depth = std::max(depth, shown.size());
  }
  for (auto& shown : texts) shown.insert(shown.begin(), depth - shown.size(), "");
  std::vector<std::vector<HeadingSpan>> lines(depth);
  for (std::size_t k = 0; k < texts.size(); ++k) {
    bool goes_on = k > 0;  // true while the heading of the previous column continues
    for (std::size_t level = 0; level < depth; ++level) {
      goes_on = goes_on && level + 1 < depth && texts[k][level] == texts[k - 1][level];
      if (goes_on)
        lines[level].back().end = k + 1;
      else
        lines[level].push_back({texts[k][level], k, k + 1});
    }
  }
  return lines;
}

bool has_sd(const Table& table, std::size_t j) {
  return std::ranges::any_of(table.rows, [j](const auto& row) { return row[j].sd.has_value(); });
}

}  // namespace elmx
