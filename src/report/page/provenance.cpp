#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/printable.hpp"
#include "data/table/read_report.hpp"
#include "report/frame/dimensions.hpp"
#include "report/page/report_page.hpp"

namespace elmx {
namespace {

using Texts = std::vector<std::string>;

/// Returns the value at a place as text; "" if there is no such place.
std::string text_at(const Json& json, const char* place) {
  const Json::json_pointer pointer(place);
  return json.is_object() && json.contains(pointer) ? text_of(json.at(pointer)) : "";
}

/// Returns the values of all cases at a place, "1, 7".
std::string values_at(const Json& experiment, const char* place) {
  Texts values;
  for (const Json& one : experiment.value("resolved", Json::array())) add_missing(values, {text_at(one, place)});
  return fmt::format("{}", fmt::join(values, ", "));
}

bool failed(const Record& record) {
  return !record.status.ok() ||
         std::ranges::any_of(record.steps, [](const StepRecord& step) { return step.status != Status::ok; });
}

/// Returns SHA-256 sums or notes, given as a list or a single value, as text.
std::string list_text(const Json& value) {
  if (!value.is_structured()) return value.is_null() ? "" : text_of(value);
  Texts texts;
  for (const auto& [key, one] : value.items()) texts.push_back((value.is_object() ? key + ": " : "") + text_of(one));
  return fmt::format("{}", fmt::join(texts, "; "));
}

Table table_with(const char* name, const std::string& title, std::initializer_list<const char*> headings) {
  Table table{name, title, {}, {}, {}, {}};
  for (const char* heading : headings) table.columns.push_back({heading, heading});
  return table;
}

}  // namespace

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

std::string warning_of(const std::vector<Record>& records, const Json& experiment) {
  const auto imported = std::ranges::count(records, kImported, &Record::family);
  const std::string trials = std::to_string(std::ssize(records) - imported), planned = text_at(experiment, "/trials"),
                    shard = text_at(experiment, "/shard/number");
  Texts sentences;
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

Entries provenance_entries(const Json& experiment) {
  return {{"elmx", text_at(experiment, "/elmx/version")},
          {"commit", text_at(experiment, "/elmx/commit")},
          {"compiler", text_at(experiment, "/elmx/compiler")},
          {"build", text_at(experiment, "/elmx/build")},
          {"processor", text_at(experiment, "/machine/cpu")},
          {"BLAS", text_at(experiment, "/machine/blas")},
          {"BLAS kernel", text_at(experiment, "/machine/kernel")},
          {"threads", text_at(experiment, "/machine/threads")},
          {"seed", values_at(experiment, "/options/seed")},
          {"repeats", values_at(experiment, "/options/repeats")},
          {"begun", text_at(experiment, "/begun")}};
}

Table data_table(const Json& experiment) {
  Table table = table_with("data", "Data sets", {"dataset", "samples", "inputs", "SHA-256 of the files", "notes"});
  const Json sets = experiment.value("data", Json::object());
  for (const auto& [name, set] : sets.items()) {
    if (!set.is_object()) continue;
    table.rows.push_back({text_cell(name), number_cell(set.value("samples", NAN)),
                          number_cell(set.value("inputs", NAN)), text_cell(list_text(set.value("sha256", Json()))),
                          text_cell(list_text(set.value("notes", Json())))});
  }
  return table;
}

std::vector<Table> reading_tables(const Json& reading) {
  constexpr std::size_t kMostColumns = 200;
  std::vector<Table> tables;
  for (const auto& [name, set] : reading.items()) {
    ReadReport report;
    read_options(set.value("report", Json::object()), "data.json", report);
    Table table = table_with("reading", "How " + name + " was read", {"column", "role", "type", "missing", "values"});
    for (const ColumnReport& column : report.columns) {
      if (table.rows.size() == kMostColumns) break;
      table.rows.push_back({text_cell(column.name), text_cell(column.role), text_cell(column.type),
                            number_cell(static_cast<double>(column.missing)),
                            text_cell(column.left_out.empty() ? column.evidence : "left out: " + column.left_out)});
    }
    if (report.columns.size() > kMostColumns)
      table.remarks.push_back(fmt::format("and {} more columns", report.columns.size() - kMostColumns));
    if (!report.text.empty()) table.remarks.push_back(report.text + "; " + report.header);
    for (const ColumnReport& column : report.columns) {
      for (const ReplacedText& text : column.read_as_missing)
        table.remarks.push_back(fmt::format("{}: \"{}\" read as missing {}", column.name, text.text,
                                            text.count == 1 ? "once" : fmt::format("{} times", text.count)));
    }
    for (const RowsLeftOut& rows : report.rows_left_out)
      table.remarks.push_back(fmt::format("{} left out: {}", counted(rows.count, "row"), rows.reason));
    for (const auto* lines : {&report.warnings, &report.notes})
      table.remarks.insert(table.remarks.end(), lines->begin(), lines->end());
    if (!table.rows.empty()) tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace elmx
