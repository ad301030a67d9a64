#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "report/formats/table_formats.hpp"

namespace elmx {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool is_text(std::string_view character) {
  if (character.empty()) return false;  // bytes that are not UTF-8
  const bool control = is_control(character) && character != "\n" && character != "\t";
  return !control && character != "\xEF\xBF\xBE" && character != "\xEF\xBF\xBF";
}

std::string note_mark(std::size_t note) { return html_element("sup", std::to_string(note)); }

std::string alignment(const Table& table, std::size_t j) { return is_numeric(table, j) ? " class=\"number\"" : ""; }

std::string head_of(const Table& table) {
  std::vector<std::size_t> columns(table.columns.size());
  std::iota(columns.begin(), columns.end(), 0U);
  const auto lines = heading_lines(table, columns);
  std::string rows;
  for (const std::vector<HeadingSpan>& line : lines) {
    std::string cells;
    for (const auto& [text, first, end] : line) {
      const std::string span = end - first > 1 ? " colspan=\"" + std::to_string(end - first) + "\"" : "";
      if (&line == &lines.back())
        cells += html_element("th", html_text(text), " scope=\"col\"" + alignment(table, first));
      else
        cells += text.empty() ? html_element("td", "", span)
                              : html_element("th", html_text(text), " scope=\"colgroup\"" + span);
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
    for (std::size_t j = 0; j < row.size(); ++j) {
      const std::string text = html_text(plain_text(row[j]));
      cells += html_element(
          "td", (row[j].best ? html_element("strong", text) : text) + (row[j].note > 0 ? note_mark(row[j].note) : ""),
          alignment(table, j));
    }
    lines += html_element("tr", cells) + "\n";
  }
  return html_element("tbody", lines) + "\n";
}

}  // namespace

std::string valid_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::string_view character = text.substr(0, utf8_bytes(text));
    out += is_text(character) ? character : kReplacement;
    text.remove_prefix(std::max<std::size_t>(character.size(), 1));
  }
  return out;
}

std::string html_text(std::string_view text) {
  static constexpr std::string_view special = "&<>\"'";
  static constexpr const char* entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
  std::string out;
  for (const char c : valid_text(text)) {
    const std::size_t k = special.find(c);
    out += k == std::string_view::npos ? std::string(1, c) : entities[k];
  }
  return out;
}

std::string html_element(const std::string& name, const std::string& content, const std::string& attributes) {
  return "<" + name + attributes + ">" + content + "</" + name + ">";
}

std::string to_html(const Table& table) {
  const std::string content = head_of(table) + body_of(table);
  const std::string element =
      html_element("table", "\n" + html_element("caption", html_text(table.title)) + "\n" + content);
  // A container that scrolls can be reached by keyboard if it has a tab stop and a name.
  const std::string scroll =
      " class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" + html_text(table.title) + "\"";
  std::string html = "<div class=\"table\">\n" + html_element("div", element, scroll) + "\n";
  const auto add = [&](const std::string& note) { html += html_element("p", note, " class=\"note\"") + "\n"; };
  for (const std::string& remark : table.remarks) add(html_text(remark));
  for (std::size_t i = 0; i < table.footnotes.size(); ++i) add(note_mark(i + 1) + " " + html_text(table.footnotes[i]));
  return html + "</div>\n";
}

}  // namespace elmx
