#include "table_formats/table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <map>

namespace elmx {
namespace {

std::string printed(const char* format, int digits, double value) {
  char buffer[400];  // %f of the largest double has 309 digits before the point
  const int length = std::snprintf(buffer, sizeof buffer, format, digits, value);
  return {buffer, static_cast<std::size_t>(length)};
}

}  // namespace

Display significant(int digits) { return {Display::Notation::significant, digits}; }
Display fixed_point(int digits) { return {Display::Notation::fixed, digits}; }
Display scientific(int digits) { return {Display::Notation::scientific, digits}; }

std::string show(double value, Display display) {
  if (!std::isfinite(value)) return std::isnan(value) ? "NA" : (value < 0 ? "-inf" : "inf");
  if (value == 0 && display.notation != Display::Notation::fixed) return "0";
  switch (display.notation) {
    case Display::Notation::shortest: {
      char buffer[32];
      const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
      return {buffer, result.ptr};
    }
    case Display::Notation::significant: {
      std::string text = printed("%#.*g", display.digits, value);
      if (text.back() == '.') text.pop_back();
      return text;
    }
    case Display::Notation::fixed:
      return printed("%.*f", display.digits, value);
    case Display::Notation::scientific:
      return printed("%.*e", display.digits, value);
  }
  return "";
}

Cell text_cell(std::string text) {
  Cell cell;
  cell.text = std::move(text);
  return cell;
}

Cell number_cell(double value, Display display) {
  Cell cell;
  cell.kind = Cell::Kind::number;
  cell.display = display;
  if (!std::isnan(value)) cell.value = value;
  return cell;
}

Cell spread_cell(double mean, double sd, Display display) {
  Cell cell = number_cell(mean, display);
  if (cell.value && !std::isnan(sd)) cell.sd = sd;
  return cell;
}

std::size_t footnote(Table& table, const std::string& text) {
  const auto found = std::find(table.footnotes.begin(), table.footnotes.end(), text);
  const auto index = static_cast<std::size_t>(found - table.footnotes.begin());
  if (found == table.footnotes.end()) table.footnotes.push_back(text);
  return index + 1;
}

std::string plain_text(const Cell& cell) {
  if (cell.kind == Cell::Kind::text) return cell.text;
  if (!cell.value) return "NA";
  if (!cell.sd) return show(*cell.value, cell.display);
  // Two digits of the standard deviation, or as many decimals as the mean has.
  const bool digits = cell.display.notation == Display::Notation::significant;
  return show(*cell.value, cell.display) + " ± " + show(*cell.sd, digits ? significant(2) : cell.display);
}

std::vector<std::vector<std::size_t>> alike_rows(const Table& table, const std::string& but) {
  std::vector<std::vector<std::size_t>> groups;
  std::map<std::string, std::size_t> group_of;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    std::string shown;
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
      const Cell& cell = table.rows[i][k];
      if (table.columns[k].name != but) shown += plain_text(cell) + '[' + std::to_string(cell.note) + "]\n";
    }
    const auto [found, is_new] = group_of.emplace(shown, groups.size());
    if (is_new) groups.emplace_back();
    groups[found->second].push_back(i);
  }
  return groups;
}

bool is_numeric(const Table& table, std::size_t j) {
  return std::all_of(table.rows.begin(), table.rows.end(),
                     [j](const std::vector<Cell>& row) { return row[j].kind == Cell::Kind::number; });
}

bool has_sd(const Table& table, std::size_t j) {
  return std::any_of(table.rows.begin(), table.rows.end(),
                     [j](const std::vector<Cell>& row) { return row[j].sd.has_value(); });
}

}  // namespace elmx
