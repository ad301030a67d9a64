#include "page/report_page.hpp"

#include <algorithm>
#include <span>

#include "page/html_page.hpp"
#include "page/inline_svg.hpp"
#include "page/paper_layout.hpp"
#include "page/provenance.hpp"
#include "table_formats/html.hpp"
#include "table_formats/html_text.hpp"

namespace elmx {
namespace {

bool is_published(const Table& table) {
  return std::any_of(table.columns.begin(), table.columns.end(),
                     [](const Column& column) { return column.name == "published"; });
}

std::string folded(const std::vector<Table>& tables) {
  std::string html;
  for (const Table& table : tables) html += details(table.title, to_html(table));
  return html;
}

std::string paragraph(const std::string& text, const std::string& attributes = "") {
  return text.empty() ? "" : html_element("p", html_text(text), attributes) + "\n";
}

/// As items of a list where they are several; of more than `most` the others are folded.
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

/// In the layout of its paper, every number of it folded below.
std::string published_of(const std::vector<Table>& tables) {
  std::string html;
  for (const Table& table : tables) {
    const std::string layout = paper_layout(table);
    for (const std::string& remark : table.remarks) html += paragraph(remark);
    html += layout.empty() ? to_html(table)
                           : layout + details("Every cell of it, with its ratio, difference and rule", to_html(table));
  }
  return html;
}

std::string answer_of(const Answer& answer) {
  std::string html = lines_of(answer.sentences, 6, "more data sets");
  for (const Table& table : answer.tables) html += to_html(table);
  return html + folded(answer.further);
}

std::string html_of(const DrawnFigure& figure, std::size_t number) {
  const std::string text =
      html_element("figcaption", html_text("Figure " + std::to_string(number) + ". " + figure.caption + "."));
  const std::string svg = inline_svg(figure.svg, "f" + std::to_string(number) + "-", figure.caption);
  return html_element("figure", "\n" + svg + "\n" + text) + "\n";
}

/// Those that could be drawn, numbered from `number` on.
std::string figures_of(const std::vector<DrawnFigure>& figures, std::size_t number) {
  std::string html;
  for (const DrawnFigure& figure : figures) {
    if (!figure.svg.empty()) html += html_of(figure, number++);
  }
  return html.empty() ? "" : html_element("div", "\n" + html, " class=\"figures\"") + "\n";
}

std::string all_figures(const Report& report) {
  const std::string further = figures_of(report.further_figures, report.figures.size() + 1);
  return paragraph(report.without_figures, " class=\"note\"") + figures_of(report.figures, 1) +
         (further.empty() ? "" : details("Further figures", further));
}

std::string config_of(const Json& experiment) {
  const std::string given = details("The config as given", preformatted(experiment.value("config", Json()).dump(2)));
  const Json all = experiment.value("resolved", Json::array());
  std::string html;
  for (const Json& one : all) {
    const std::string name = one.value("case", ""),
                      point = one.value("point", Json::object()).empty() ? "" : one.at("point").dump();
    const std::string options = preformatted(one.value("options", Json()).dump(2));
    html += all.size() == 1 ? options : details(name + (name.empty() || point.empty() ? "" : " ") + point, options);
  }
  return given + (html.empty() ? "" : details("With every default", html));
}

}  // namespace

std::string report_page(const Report& report) {
  const Json& experiment = report.experiment;
  std::vector<Table> published = report.published, others = report.published;
  std::erase_if(published, [](const Table& table) { return !is_published(table); });
  std::erase_if(others, is_published);
  const Table failures = failures_table(report.records);

  Page page{experiment.value("/config/name"_json_pointer, report.folder), "", {}};
  page.lead = lines_of(data_lines(experiment), 12, "more data sets") +
              paragraph(warning_of(report.records, experiment), " class=\"warning\"");
  const auto add = [&](const char* id, const char* heading, std::string html) {
    if (!html.empty()) page.sections.push_back({id, heading, std::move(html)});
  };
  add("published", "Published and measured", published_of(published));
  add("answer", "Result", answer_of(report.answer));
  add("figures", "Figures", all_figures(report));
  add("others", "Other tables", folded(others));
  add("tables", "Every number", folded(report.tables));
  std::string about;
  if (!report.records.empty())
    about += details("Trials", description_list(summary_entries(report.records, experiment, report.last_record)));
  if (!failures.rows.empty()) about += details(failures.title, to_html(failures));
  if (!experiment.empty()) {
    about += details("Provenance", description_list(provenance_entries(experiment)) + to_html(data_table(experiment)));
    about += config_of(experiment);
  }
  add("run", "The run", about);
  return html_page(page);
}

}  // namespace elmx
