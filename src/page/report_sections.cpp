#include "page/report_sections.hpp"

#include <algorithm>
#include <span>

#include "page/html_page.hpp"
#include "page/inline_svg.hpp"
#include "page/paper_layout.hpp"
#include "table_formats/html.hpp"
#include "table_formats/html_text.hpp"

namespace elmx {
namespace {

std::string html_of(const DrawnFigure& figure, std::size_t number) {
  const std::string text =
      html_element("figcaption", html_text("Figure " + std::to_string(number) + ". " + figure.caption + "."));
  const std::string svg = inline_svg(figure.svg, "f" + std::to_string(number) + "-", figure.caption);
  return html_element("figure", "\n" + svg + "\n" + text) + "\n";
}

/// Those that could be drawn, numbered from `number` on.
std::string numbered(const std::vector<DrawnFigure>& figures, std::size_t number) {
  std::string html;
  for (const DrawnFigure& figure : figures) {
    if (!figure.svg.empty()) html += html_of(figure, number++);
  }
  return html.empty() ? "" : html_element("div", "\n" + html, " class=\"figures\"") + "\n";
}

}  // namespace

bool is_published(const Table& table) {
  return std::any_of(table.columns.begin(), table.columns.end(),
                     [](const Column& column) { return column.name == "published"; });
}

std::string paragraph(const std::string& text, const std::string& attributes) {
  return text.empty() ? "" : html_element("p", html_text(text), attributes) + "\n";
}

std::string lines_of(const std::vector<std::string>& lines, std::size_t most, const std::string& others) {
  if (lines.size() == 1) return paragraph(lines[0]);
  const auto list = [](std::span<const std::string> some) {
    std::string items;
    for (const std::string& line : some) items += html_element("li", html_text(line)) + "\n";
    return html_element("ul", "\n" + items) + "\n";
  };
  if (lines.empty()) return "";
  const std::size_t shown = std::min(lines.size(), most);
  const std::span<const std::string> all(lines);
  return list(all.first(shown)) +
         (shown < lines.size() ? details(std::to_string(lines.size() - shown) + " " + others, list(all.subspan(shown)))
                               : "");
}

std::string published_of(const std::vector<Table>& tables) {
  std::string html;
  for (const Table& table : tables) {
    if (!is_published(table)) continue;
    const std::string layout = paper_layout(table);
    for (const std::string& remark : table.remarks) html += paragraph(remark);
    html += layout.empty() ? to_html(table)
                           : layout + details("Every cell of it, with its ratio, difference and rule", to_html(table));
  }
  return html;
}

std::string figures_of(const Report& report, std::size_t first) {
  const std::string further = numbered(report.further_figures, first + report.figures.size());
  return paragraph(report.without_figures, " class=\"note\"") + numbered(report.figures, first) +
         (further.empty() ? "" : details("Further figures", further));
}

}  // namespace elmx
