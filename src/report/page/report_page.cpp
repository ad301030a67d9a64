#include "report/page/report_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "data/table/read_report.hpp"
#include "report/formats/table_formats.hpp"
#include "report/frame/dimensions.hpp"
#include "report/frame/record_rows.hpp"

namespace elmx {
namespace {

/// Returns the value at a place as text; "" if there is no such place.
std::string text_at(const Json& json, const char* place) {
  const Json::json_pointer pointer(place);
  return json.is_object() && json.contains(pointer) ? text_of(json.at(pointer)) : "";
}

bool failed(const Record& record) {
  return !record.status.ok() ||
         std::ranges::any_of(record.steps, [](const StepRecord& step) { return step.status != Status::ok; });
}

/// Returns one line per data set of an experiment.json, "yacht: 308 rows, 6 inputs, ...".
std::vector<std::string> data_lines(const Json& experiment) {
  std::vector<std::string> lines;
  const Json sets = experiment.value("data", Json::object());
  for (const auto& [name, set] : sets.items()) {
    if (!set.is_object()) continue;
    std::string read = text_at(set, "/read");
    if (read.empty() && set.contains("samples"))
      read = text_at(set, "/samples") + " rows, " + text_at(set, "/inputs") + " inputs";
    lines.push_back(printable(name) + (read.empty() ? "" : ": " + read));
  }
  return lines;
}

/// Returns warnings such as "6 of 12 trials: the run is not finished." and "2 of 12 trials failed in whole or
/// in part."; "" if there is none.
std::string warning_of(const std::vector<Record>& records, const Json& experiment) {
  const auto imported = std::ranges::count(records, kImported, &Record::family);
  const std::string trials = std::to_string(std::ssize(records) - imported), planned = text_at(experiment, "/trials"),
                    shard = text_at(experiment, "/shard/number");
  std::vector<std::string> sentences;
  if (!planned.empty() && planned != trials)
    sentences.push_back(fmt::format(
        "{}: {} of {} trials are recorded.",
        shard.empty() ? "The run is not finished"
                      : fmt::format("This is a part, shard {} of {}", shard, text_at(experiment, "/shard/of")),
        trials, planned));
  if (const auto lost = std::ranges::count_if(records, failed); lost > 0)
    sentences.push_back(fmt::format("{} of {} failed in whole or in part.", lost, counted(records.size(), "trial")));
  return fmt::format("{}", fmt::join(sentences, " "));
}

/// Returns a table per data set of a data.json: how columns were read, omitted rows, warnings, notes.
std::vector<Table> reading_tables(const Json& reading) {
  constexpr std::size_t kMostColumns = 200;
  std::vector<Table> tables;
  for (const auto& [name, set] : reading.items()) {
    ReadReport report;
    read_options(set.value("report", Json::object()), "data.json", report);
    Table table{"reading", "How " + name + " was read"};
    for (const char* heading : {"column", "role", "type", "missing", "values"})
      table.columns.push_back({heading, heading});
    for (const ColumnReport& column : report.columns) {
      if (table.rows.size() == kMostColumns) break;
      table.rows.push_back({text_cell(column.name), text_cell(column.role), text_cell(column.type),
                            column.type == kNotRead ? text_cell("") : number_cell(static_cast<double>(column.missing)),
                            text_cell(column.left_out.empty() ? column.evidence : "left out: " + column.left_out)});
    }
    if (report.columns.size() > kMostColumns)
      table.remarks.push_back(fmt::format("and {} more columns", report.columns.size() - kMostColumns));
    if (!report.text.empty()) table.remarks.push_back(report.text + "; " + report.header);
    for (const ColumnReport& column : report.columns) {
      for (const ReplacedText& text : column.read_as_missing)
        table.remarks.push_back(fmt::format("{}: \"{}\" read as missing {}", column.name, text.text,
                                            text.count == 1 ? "once" : fmt::format("{} times", text.count)));
      if (column.more_read_as_missing > 0)
        table.remarks.push_back(
            fmt::format("{}: {} more read as missing", column.name, counted(column.more_read_as_missing, "text")));
    }
    for (const RowsLeftOut& rows : report.rows_left_out)
      table.remarks.push_back(fmt::format("{} left out: {}", counted(rows.count, "row"), rows.reason));
    for (const auto* lines : {&report.warnings, &report.notes})
      table.remarks.insert(table.remarks.end(), lines->begin(), lines->end());
    if (!table.rows.empty()) tables.push_back(std::move(table));
  }
  return tables;
}

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

bool is_published(const Table& table) { return std::ranges::count(table.columns, "published", &Column::name) > 0; }

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

std::string figures_of(const Report& report) {
  std::size_t number = 0;
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
  Json provenance = report.experiment;
  provenance.erase("config");
  provenance.erase("resolved");
  return html + details("Provenance", preformatted(provenance.dump(2))) + config_of(report.experiment);
}

}  // namespace

std::string report_page(const Report& report) try {
  const Json& experiment = report.experiment;
  const std::filesystem::path& folder = report.folder;
  const std::string name = printable((folder.filename().empty() ? folder.parent_path() : folder).filename().string());
  std::string html =
      lines_of(data_lines(experiment)) + paragraph(warning_of(report.records, experiment), " class=\"warning\"");
  if (!report.where.empty())
    html += paragraph(fmt::format("Only the records with {} are shown.", fmt::join(report.where, " and ")),
                      " class=\"warning\"");
  std::vector<Table> others = report.published;
  std::erase_if(others, is_published);
  std::vector<PageSection> parts{{"published", "Published and measured", published_of(report.published)},
                                 {"answer", "Result", summary_html(report.headline, report.summary)},
                                 {"figures", "Figures", figures_of(report)},
                                 {"others", "Other tables", folded(others)},
                                 {"tables", "Every number", folded(report.tables)},
                                 {"run", "The run", run_of(report)}};
  std::erase_if(parts, [](const PageSection& part) { return part.html.empty(); });
  return html_page(experiment.value("/config/name"_json_pointer, name), html, parts);
} catch (const Json::exception& error) {
  throw DataError((report.folder / "experiment.json").string(),
                  std::string("not a valid description of a run: ") + error.what());
}

}  // namespace elmx
