#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/formats/table_formats.hpp"
#include "report/frame/dimensions.hpp"
#include "report/frame/record_rows.hpp"
#include "report/page/report_page.hpp"

namespace elmx {
namespace {

using Texts = std::vector<std::string>;

std::size_t column_of(const Table& table, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(table.columns, name, &Column::name) - table.columns.begin());
}

Texts values_of(const Table& table, std::size_t column) {
  Texts values;
  for (const auto& row : table.rows) add_missing(values, {plain_text(row[column])});
  return values;
}

Texts picked(const std::vector<Cell>& row, const std::vector<std::size_t>& columns) {
  Texts texts;
  for (const std::size_t column : columns) texts.push_back(plain_text(row[column]));
  return texts;
}

/// The keys that head the rows, the keys that head the columns, and the keys with a single value.
struct Layout {
  std::vector<std::size_t> down, across, single;
};

Layout layout_of(const Table& table, std::size_t keys) {
  Layout layout;
  for (std::size_t i = 0; i < keys; ++i) (values_of(table, i).size() > 1 ? layout.down : layout.single).push_back(i);
  const auto take = [&] {
    layout.across.insert(layout.across.begin(), layout.down.back());
    layout.down.pop_back();
  };
  if (layout.down.size() < 2) return layout;
  take();
  const Texts before = values_of(table, layout.down.back());
  const bool names = std::ranges::none_of(before, [](const std::string& text) { return number_in(text).has_value(); });
  if (values_of(table, layout.across[0]).size() == 2 && names && before.size() <= 6 && layout.down.size() > 1) take();
  return layout;
}

/// Returns the sign of a verdict, shown beside the measured number; "" for agreeing and uncompared cells.
const char* sign_of(const std::string& verdict) {
  for (const auto& [begin, sign] : {std::pair("NA,", "…"),
                                    {"NA", "✗"},
                                    {"disagrees", "✗"},
                                    {"contrary", "(✗)"},
                                    {"consistent", "(✓)"},
                                    {"level", "≈"}}) {
    if (verdict.starts_with(begin)) return sign;
  }
  return "";
}

/// Returns both numbers and the verdict.
std::string cell_of(const Table& table, const std::vector<Cell>& row) {
  const std::size_t published = column_of(table, "published");
  const Cell &ours = row[published + 1], &verdict = row[column_of(table, "verdict")];
  const std::string said = plain_text(verdict), sign = sign_of(said);
  std::string measured = html_text(plain_text(ours));
  if (!sign.empty()) measured += " " + html_element("abbr", sign, " title=\"" + html_text(said) + "\"");
  if (sign == "✗") measured = html_element("strong", measured);
  for (const std::size_t note : {ours.note, verdict.note}) {
    if (note > 0) measured += html_element("sup", std::to_string(note));
  }
  return html_element("span", html_text(plain_text(row[published])), " class=\"published\"") + "<br />" + measured;
}

std::string head_of(const Table& table, const Layout& layout, const std::vector<Texts>& columns) {
  std::string cells;
  for (const std::size_t key : layout.down)
    cells += html_element("th", html_text(table.columns[key].heading), " scope=\"col\"");
  for (Texts column : columns) {
    std::erase(column, "");
    cells +=
        html_element("th", html_text(fmt::format("{}", fmt::join(column, ", "))), " scope=\"col\" class=\"number\"");
  }
  return html_element("thead", html_element("tr", cells)) + "\n";
}

}  // namespace

bool is_published(const Table& table) { return column_of(table, "published") < table.columns.size(); }

std::string paper_layout(const Table& table) {
  const std::size_t keys = column_of(table, "published");
  if (column_of(table, "verdict") >= table.columns.size() || keys + 1 >= table.columns.size()) return "";
  const Layout layout = layout_of(table, keys);
  if (layout.across.empty()) return "";
  std::vector<Texts> rows, columns;
  std::map<std::pair<Texts, Texts>, const std::vector<Cell>*> cells;
  for (const auto& row : table.rows) {
    const Texts down = picked(row, layout.down), across = picked(row, layout.across);
    if (std::ranges::count(rows, down) == 0) rows.push_back(down);
    if (std::ranges::count(columns, across) == 0) columns.push_back(across);
    cells[{down, across}] = &row;
  }
  if (cells.size() < table.rows.size() || 2 * cells.size() < rows.size() * columns.size()) return "";

  std::string body = "\n";
  const Texts* above = nullptr;
  for (const Texts& row : rows) {
    std::string line;
    bool same = above != nullptr;
    for (std::size_t i = 0; i < row.size(); ++i) {
      same = same && (*above)[i] == row[i];
      line += html_element("th", same ? "" : html_text(row[i]), " scope=\"row\"");
    }
    for (const Texts& column : columns) {
      const auto found = cells.find({row, column});
      line += html_element("td", found == cells.end() ? "" : cell_of(table, *found->second), " class=\"number\"");
    }
    const bool begins = above != nullptr && (*above)[0] != row[0];
    body += html_element("tr", line, begins ? " class=\"begins\"" : "") + "\n";
    above = &row;
  }
  Texts of_all;
  for (const std::size_t key : layout.single)
    of_all.push_back(table.columns[key].heading + " " + plain_text(table.rows[0][key]));
  const std::string title = table.title + (of_all.empty() ? "" : fmt::format(" ({})", fmt::join(of_all, ", ")));
  return table_div(title, head_of(table, layout, columns) + html_element("tbody", body) + "\n", " class=\"paper\"",
                   {"In each cell the published number stands above the measured one. ✗: it disagrees by its rule, or "
                    "there is none; ≈: level with another one; (✓), (✗): so many runs cannot decide, and the number "
                    "itself meets or misses the rule; …: there is no other number yet to compare it with."},
                   table.footnotes);
}

}  // namespace elmx
