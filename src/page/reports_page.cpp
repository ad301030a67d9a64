#include "page/reports_page.hpp"

#include "page/html_page.hpp"
#include "page/provenance.hpp"
#include "page/report_sections.hpp"
#include "table_formats/html.hpp"

namespace elmx {
namespace {

std::string section_of(const Report& report, std::size_t first_figure) {
  std::string html = paragraph(warning_of(report.records, report.experiment), " class=\"warning\"");
  html += published_of(report.published);
  if (!report.figures.empty()) html += details("Figures", figures_of(report, first_figure));
  if (!report.experiment.empty()) {
    html += details("Data", lines_of(data_lines(report.experiment), 12, "more data sets"));
    html += details("Provenance", description_list(provenance_entries(report.experiment)));
  }
  return html;
}

}  // namespace

std::string reports_page(const std::string& title, const Table& summary, const std::vector<Report>& reports) {
  Page page{title, to_html(summary), {}};
  std::size_t figures = 0;
  for (const Report& report : reports) {
    page.sections.push_back({report.folder, report.folder, section_of(report, figures + 1)});
    figures += report.figures.size();
  }
  return html_page(page);
}

}  // namespace elmx
