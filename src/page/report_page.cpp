#include "page/report_page.hpp"

#include <algorithm>

#include "page/html_page.hpp"
#include "page/inline_svg.hpp"
#include "page/provenance.hpp"
#include "table_formats/html.hpp"
#include "table_formats/html_text.hpp"

namespace elmx {
namespace {

bool is_published(const Table& table) {
  return std::any_of(table.columns.begin(), table.columns.end(),
                     [](const Column& column) { return column.name == "published"; });
}

std::string html_of(const std::vector<Table>& tables) {
  std::string html;
  for (const Table& table : tables) html += table.only_in_file ? details(table.title, to_html(table)) : to_html(table);
  return html;
}

std::string html_of(const DrawnFigure& figure, std::size_t number) {
  const std::string text =
      html_element("figcaption", html_text("Figure " + std::to_string(number) + ". " + figure.caption + "."));
  if (figure.svg.empty()) return html_element("figure", text) + "\n";
  const std::string svg = inline_svg(figure.svg, "f" + std::to_string(number) + "-", figure.caption);
  return html_element("figure",
                      html_element("div", "\n" + svg + "\n", " class=\"scroll\" tabindex=\"0\"") + "\n" + text) +
         "\n";
}

std::string figures_of(const Report& report) {
  std::string html = report.without_figures.empty()
                         ? ""
                         : html_element("p", html_text(report.without_figures), " class=\"note\"") + "\n";
  for (std::size_t i = 0; i < report.figures.size(); ++i) {
    if (!report.figures[i].svg.empty()) html += html_of(report.figures[i], i + 1);
  }
  return html;
}

std::string config_of(const Json& experiment) {
  std::string html = details("The config as given", preformatted(experiment.value("config", Json()).dump(2)));
  for (const Json& one : experiment.value("resolved", Json::array())) {
    const std::string name = one.value("case", ""),
                      point = one.value("point", Json::object()).empty() ? "" : one.at("point").dump();
    html += details("With every default" + (name.empty() ? "" : ": " + name) + (point.empty() ? "" : " " + point),
                    preformatted(one.value("options", Json()).dump(2)));
  }
  return html;
}

}  // namespace

std::string report_page(const Report& report) {
  const Json& experiment = report.experiment;
  std::vector<Table> published = report.published, others = report.published;
  std::erase_if(published, [](const Table& table) { return !is_published(table); });
  std::erase_if(others, is_published);
  const Table failures = failures_table(report.records);

  Page page{experiment.value("/config/name"_json_pointer, report.folder), "", {}};
  if (!report.records.empty())
    page.lead = description_list(summary_entries(report.records, experiment, report.last_record));
  const auto add = [&](const char* id, const char* heading, std::string html) {
    if (!html.empty()) page.sections.push_back({id, heading, std::move(html)});
  };
  add("published", "Published and measured", html_of(published));
  add("others", "Other tables", html_of(others));
  add("tables", "Tables", html_of(report.tables));
  add("figures", "Figures", figures_of(report));
  if (!failures.rows.empty()) add("failures", "Failed trials", to_html(failures));
  if (!experiment.empty()) {
    add("provenance", "Provenance", description_list(provenance_entries(experiment)) + to_html(data_table(experiment)));
    add("config", "Config", config_of(experiment));
  }
  return html_page(page);
}

}  // namespace elmx
