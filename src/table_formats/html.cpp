#include "table_formats/html.hpp"

#include <numeric>

#include "base/error.hpp"
#include "table_formats/html_text.hpp"

namespace elmx {
namespace {

std::string with_note(const std::string& html, std::size_t note) {
  return note == 0 ? html : html + html_element("sup", std::to_string(note));
}

std::string content_of(const Cell& cell) {
  const std::string text = html_text(plain_text(cell));
  return cell.best ? html_element("strong", text) : text;
}

std::string alignment(const Table& table, std::size_t j) { return is_numeric(table, j) ? " class=\"number\"" : ""; }

std::string head_of(const Table& table) {
  std::vector<std::size_t> columns(table.columns.size());
  std::iota(columns.begin(), columns.end(), 0U);
  const auto lines = heading_lines(table, columns);
  std::string rows;
  for (const std::vector<HeadingSpan>& line : lines) {
    const bool of_groups = &line != &lines.back();
    std::string cells;
    for (const auto& [text, first, end] : line) {
      const std::string span = end - first > 1 ? " colspan=\"" + std::to_string(end - first) + "\"" : "";
      if (of_groups)
        cells += html_element(text.empty() ? "td" : "th", html_text(text),
                              (text.empty() ? "" : " scope=\"colgroup\"") + span);
      else
        cells += html_element("th", html_text(text), " scope=\"col\"" + alignment(table, first));
    }
    rows += html_element("tr", cells);
  }
  return html_element("thead", rows) + "\n";
}

std::string body_of(const Table& table) {
  std::string lines = "\n";
  for (const std::vector<Cell>& row : table.rows) {
    expects(row.size() == table.columns.size(), "to_html: one cell a column");
    std::string cells;
    for (std::size_t j = 0; j < row.size(); ++j)
      cells += html_element("td", with_note(content_of(row[j]), row[j].note), alignment(table, j));
    lines += html_element("tr", cells) + "\n";
  }
  return html_element("tbody", lines) + "\n";
}

}  // namespace

std::string table_div(const std::string& title, const std::string& content, const std::string& attributes,
                      const std::vector<std::string>& remarks, const std::vector<std::string>& footnotes) {
  const std::string caption = html_element("caption", html_text(title)) + "\n";
  // A container that scrolls is reached by keyboard where it has a tab stop and a name.
  std::string html =
      "<div class=\"table\">\n" +
      html_element("div", html_element("table", "\n" + caption + content, attributes),
                   " class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" + html_text(title) + "\"") +
      "\n";
  for (const std::string& remark : remarks) html += html_element("p", html_text(remark), " class=\"note\"") + "\n";
  for (std::size_t i = 0; i < footnotes.size(); ++i) {
    html += html_element("p", html_element("sup", std::to_string(i + 1)) + " " + html_text(footnotes[i]),
                         " class=\"note\"") +
            "\n";
  }
  return html + "</div>\n";
}

std::string to_html(const Table& table) {
  return table_div(table.title, head_of(table) + body_of(table), "", table.remarks, table.footnotes);
}

}  // namespace elmx
