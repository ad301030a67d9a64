#include "page/report_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "page/html_page.hpp"
#include "page/provenance.hpp"
#include "page/report_sections.hpp"
#include "table_formats/html.hpp"
#include "table_formats/html_text.hpp"

namespace elmx {
namespace {

std::string folded(const std::vector<Table>& tables) {
  std::string html;
  for (const Table& table : tables) html += details(table.title, to_html(table));
  return html;
}

std::string summary_html(const RunSummary& summary) {
  std::string html = lines_of(summary.sentences, 6, "more data sets");
  for (const Table& table : summary.tables) html += to_html(table);
  return html + folded(summary.further);
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

/// "" where all records are shown.
std::string conditions_of(const std::vector<std::string>& where) {
  return where.empty() ? "" : fmt::format("Only the records with {} are shown.", fmt::join(where, " and "));
}

}  // namespace

std::string report_page(const Report& report) {
  const Json& experiment = report.experiment;
  std::vector<Table> others = report.published;
  std::erase_if(others, is_published);
  const Table failures = failures_table(report.records);

  Page page{experiment.value("/config/name"_json_pointer, report.folder), "", {}};
  page.lead = lines_of(data_lines(experiment), 12, "more data sets") +
              paragraph(warning_of(report.records, experiment), " class=\"warning\"") +
              paragraph(conditions_of(report.where), " class=\"warning\"");
  const auto add = [&](const char* id, const char* heading, std::string html) {
    if (!html.empty()) page.sections.push_back({id, heading, std::move(html)});
  };
  add("published", "Published and measured", published_of(report.published));
  add("answer", "Result", summary_html(report.summary));
  add("figures", "Figures", figures_of(report, 1));
  add("others", "Other tables", folded(others));
  add("tables", "Every number", folded(report.tables));
  std::string about;
  if (!report.records.empty())
    about += details("Trials", description_list(summary_entries(report.records, experiment, report.last_record)));
  if (!failures.rows.empty()) about += details(failures.title, to_html(failures));
  for (const Table& table : reading_tables(report.reading)) about += details(table.title, to_html(table));
  if (!experiment.empty()) {
    about += details("Provenance", description_list(provenance_entries(experiment)) + to_html(data_table(experiment)));
    about += config_of(experiment);
  }
  add("run", "The run", about);
  return html_page(page);
}

}  // namespace elmx
