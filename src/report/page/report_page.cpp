#include "report/page/report_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "report/formats/table_formats.hpp"
#include "report/frame/record_rows.hpp"

namespace elmx {
namespace {

constexpr std::size_t kMostRows = 1000, kMostLines = 12, kMostPoints = 50;

std::string paragraph(const std::string& text, const std::string& attributes = "") {
  return text.empty() ? "" : html_element("p", html_text(text), attributes) + "\n";
}

/// Returns a sentence on omitted entries; "" if nothing is left out.
std::string left_out(std::size_t all, std::size_t shown, const std::string& what, const std::string& place) {
  return all <= shown ? "" : fmt::format("This page shows {} of {} {}; {}.", shown, all, what, place);
}

/// Returns a list. The first lines are visible, further lines are folded up to the limit of the page.
std::string lines_of(const std::vector<std::string>& lines) {
  if (lines.size() == 1) return paragraph(lines[0]);
  std::string first, others;
  for (std::size_t i = 0; i < std::min(lines.size(), kMostRows); ++i)
    (i < kMostLines ? first : others) += html_element("li", html_text(lines[i])) + "\n";
  const std::string less = left_out(lines.size(), kMostRows, "lines", "the tables have the others");
  if (!first.empty()) first = html_element("ul", "\n" + first) + "\n";
  if (!others.empty())
    first += details(fmt::format("{} more lines", lines.size() - kMostLines),
                     html_element("ul", "\n" + others) + "\n" + paragraph(less, " class=\"note\""));
  return first;
}

/// Returns a table of at most kMostRows rows; its caption names a choice by results on the test part.
Table shown(Table table) {
  if (std::ranges::any_of(table.remarks,
                          [](const std::string& remark) { return remark.find(kBestOnTest) != remark.npos; })) {
    const bool some = std::ranges::count(table.columns, "chosen", &Column::name) > 0;
    table.title +=
        std::string(some ? " (rows \"" : " (") + kBestOnTest + (some ? "\" are optimistic)" : ", optimistic)");
  }
  const std::string less = left_out(table.rows.size(), kMostRows, "rows", "the files in tables/ have all");
  if (!less.empty()) {
    table.remarks.insert(table.remarks.begin(), less);
    table.rows.resize(kMostRows);
  }
  return table;
}

std::string html_of(const Table& table) { return to_html(shown(table)); }

std::string folded(const std::vector<Table>& tables) {
  std::string html;
  for (const Table& table : tables) html += details(shown(table).title, html_of(table));
  return html;
}

/// Returns the headline and the tables, followed by the sentences on the methods. Without a headline, these
/// sentences come first.
std::string summary_html(const std::vector<std::string>& headline, const RunSummary& summary) {
  std::string html = lines_of(headline.empty() ? summary.sentences : headline);
  for (const Table& table : summary.tables) html += html_of(table);
  if (!headline.empty()) html += lines_of(summary.sentences);
  return html + folded(summary.further);
}

std::string published_of(const std::vector<Table>& tables) {
  std::string html;
  for (const Table& table : tables) html += is_published(table) ? html_of(table) : "";
  return html;
}

/// Returns the drawn figures, with numbers that continue from `number`.
std::string numbered(const std::vector<DrawnFigure>& figures, std::size_t& number) {
  std::string html;
  for (const DrawnFigure& figure : figures) {
    if (figure.svg.empty()) continue;
    html += fmt::format("<figure>\n{}\n<figcaption>Figure {}. {}.</figcaption></figure>\n",
                        svg_image(figure.svg, figure.caption), ++number, html_text(figure.caption));
  }
  return html.empty() ? "" : html_element("div", "\n" + html, " class=\"figures\"") + "\n";
}

std::string figures_of(const Report& report, std::size_t& number) {
  const std::string first = numbered(report.figures, number), further = numbered(report.further_figures, number);
  return paragraph(report.without_figures, " class=\"note\"") + first +
         (further.empty() ? "" : details("Further figures", further));
}

std::string config_of(const Json& experiment) {
  const std::string given = details("The config as given", preformatted(experiment.value("config", Json()).dump(2)));
  const Json all = experiment.value("resolved", Json::array());
  std::string html;
  for (std::size_t i = 0; i < std::min(all.size(), kMostPoints); ++i) {
    const std::string name = all[i].value("case", ""),
                      point = all[i].value("point", Json::object()).empty() ? "" : all[i].at("point").dump();
    const std::string options = preformatted(all[i].value("options", Json()).dump(2));
    html += all.size() == 1 ? options : details(name + (name.empty() || point.empty() ? "" : " ") + point, options);
  }
  html +=
      paragraph(left_out(all.size(), kMostPoints, "cases and points", "experiment.json has all"), " class=\"note\"");
  return given + (html.empty() ? "" : details("With every default", html));
}

std::string run_of(const Report& report) {
  const std::string html = folded(reading_tables(report.reading));
  if (report.experiment.empty()) return html;
  return html +
         details("Provenance",
                 description_list(provenance_entries(report.experiment)) + html_of(data_table(report.experiment))) +
         config_of(report.experiment);
}

std::string last_name_of(const std::filesystem::path& folder) {
  return printable((folder.filename().empty() ? folder.parent_path() : folder).filename().string());
}

/// Returns the section of a folder; the numbers of its figures continue from `figures`.
PageSection section_of(const Report& report, std::size_t& figures) try {
  const Json& experiment = report.experiment;
  PageSection section;
  section.id = last_name_of(report.folder);
  section.heading = experiment.value("/config/name"_json_pointer, section.id);
  section.html =
      lines_of(data_lines(experiment)) + paragraph(warning_of(report.records, experiment), " class=\"warning\"");
  if (!report.where.empty())
    section.html += paragraph(fmt::format("Only the records with {} are shown.", fmt::join(report.where, " and ")),
                              " class=\"warning\"");
  std::vector<Table> others = report.published;
  std::erase_if(others, is_published);
  const auto add = [&](const char* id, const char* heading, std::string html) {
    if (!html.empty()) section.parts.push_back({id, heading, std::move(html), {}});
  };
  add("published", "Published and measured", published_of(report.published));
  add("answer", "Result", summary_html(report.headline, report.summary));
  add("figures", "Figures", figures_of(report, figures));
  add("others", "Other tables", folded(others));
  add("tables", "Every number", folded(report.tables));
  add("run", "The run", run_of(report));
  return section;
} catch (const Json::exception& error) {
  throw DataError((report.folder / "experiment.json").string(),
                  std::string("not a valid description of a run: ") + error.what());
}

}  // namespace

bool is_published(const Table& table) { return std::ranges::count(table.columns, "published", &Column::name) > 0; }

std::string report_page(const Report& report) {
  std::size_t figures = 0;
  return html_page(section_of(report, figures));
}

std::string report_page(const std::filesystem::path& folder, const Table& summary, const std::vector<Report>& reports) {
  PageSection page{"", "Published tables and ours: " + last_name_of(folder), to_html(summary), {}};
  std::size_t figures = 0;
  for (const Report& report : reports) {
    page.parts.push_back(section_of(report, figures));
    PageSection& section = page.parts.back();
    section.heading = section.id;
    for (PageSection& part : section.parts) part.id = section.id + "-" + part.id;
  }
  return html_page(page);
}

}  // namespace elmx
