#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>

#include "base/printable.hpp"
#include "data/table/read_report.hpp"
#include "models/trainer.hpp"
#include "report/frame/dimensions.hpp"
#include "report/page/report_page.hpp"

namespace elmx {
namespace {

using Texts = std::vector<std::string>;

std::string listed(const Texts& texts) { return fmt::format("{}", fmt::join(texts, ", ")); }

/// Returns the value at a place as text; "" if there is no such place.
std::string text_at(const Json& json, const char* place) {
  const Json::json_pointer pointer(place);
  return json.is_object() && json.contains(pointer) ? text_of(json.at(pointer)) : "";
}

/// Returns the values of all cases at a place, "1, 7".
std::string values_at(const Json& experiment, const char* place) {
  Texts values;
  for (const Json& one : experiment.value("resolved", Json::array())) add_missing(values, {text_at(one, place)});
  return listed(values);
}

std::optional<std::time_t> time_at(const Json& experiment, const char* place) {
  std::tm time{};
  const std::string text = text_at(experiment, place);
  if (::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &time) == nullptr) return std::nullopt;
  return ::timegm(&time);
}

/// Returns the time from "begun" to "ended" (with interruptions) or to the last record; "" if unknown.
std::string duration(const Json& experiment, std::optional<std::time_t> last_record) {
  const std::optional<std::time_t> begun = time_at(experiment, "/begun"), ended = time_at(experiment, "/ended");
  if (!begun || !(ended || last_record)) return "";
  const auto seconds = static_cast<long>(std::difftime(ended ? *ended : *last_record, *begun));
  if (seconds < 0) return "";
  const std::string span = seconds < 60     ? fmt::format("{} s", seconds)
                           : seconds < 3600 ? fmt::format("{} min {} s", seconds / 60, seconds % 60)
                                            : fmt::format("{} h {} min", seconds / 3600, seconds / 60 % 60);
  return span + " from the beginning to the " + (ended ? "end" : "last record");
}

/// Returns the first step that failed; the end of the steps if none did.
auto failed_step(const Record& record) {
  return std::ranges::find_if(record.steps, [](const StepRecord& step) { return step.status != Status::ok; });
}

bool failed(const Record& record) { return !record.status.ok() || failed_step(record) != record.steps.end(); }

/// Returns the reason of a failure, "not_positive_definite at 100 nodes".
std::string reason_of(const Record& record) {
  const auto step = failed_step(record);
  if (step == record.steps.end()) return record.status.text();
  const auto cause = step->notes.find(kCause);
  return fmt::format("{} at {}{}{}", to_string(step->status), counted(step->nodes, "node"),
                     step->iterations > 0 ? ", " + counted(step->iterations, "iteration") : "",
                     cause == step->notes.end() ? "" : ": " + cause->second);
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

/// The progress of a run: the trials that exist, and the reason why some planned trials are missing.
struct Progress {
  std::size_t trials;
  std::string planned;
  std::string part;  ///< "shard 2 of 4"; "" for a whole run
  bool partial;
};

Progress progress_of(const std::vector<Record>& records, const Json& experiment) {
  const auto imported = static_cast<std::size_t>(std::ranges::count(records, kImported, &Record::family));
  Progress progress{
      records.size() - imported, text_at(experiment, "/trials"), text_at(experiment, "/shard/number"), {}};
  if (!progress.part.empty()) progress.part = "shard " + progress.part + " of " + text_at(experiment, "/shard/of");
  progress.partial = !progress.planned.empty() && progress.planned != std::to_string(progress.trials);
  return progress;
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
  const Progress run = progress_of(records, experiment);
  Texts sentences;
  if (run.partial)
    sentences.push_back(fmt::format("{}: {} of {} trials are recorded.",
                                    run.part.empty() ? "The run is not finished" : "This is a part, " + run.part,
                                    run.trials, run.planned));
  if (const auto lost = std::ranges::count_if(records, failed); lost > 0)
    sentences.push_back(fmt::format("{} of {} failed in whole or in part.", lost, counted(records.size(), "trial")));
  return fmt::format("{}", fmt::join(sentences, " "));
}

Entries summary_entries(const std::vector<Record>& records, const Json& experiment,
                        std::optional<std::time_t> last_record) {
  Texts cases, datasets, algorithms, imported;
  for (const Record& record : records) {
    const bool own = record.family != kImported;
    add_missing(own ? algorithms : imported, {record.algorithm});
    if (own && !record.experiment_case.empty()) add_missing(cases, {record.experiment_case});
    if (own) add_missing(datasets, {record.dataset});
  }
  const Progress run = progress_of(records, experiment);
  std::string trials = std::to_string(run.trials);
  if (run.partial) trials += " of " + run.planned + ": " + (run.part.empty() ? "the run is not finished" : run.part);
  return {{"trials", trials},
          {"failed", std::to_string(std::ranges::count_if(records, failed))},
          {"cases", listed(cases)},
          {"data sets", listed(datasets)},
          {"algorithms", listed(algorithms)},
          {"imported methods", listed(imported)},
          {"begun", text_at(experiment, "/begun")},
          {"duration", duration(experiment, last_record)}};
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

Table failures_table(const std::vector<Record>& records) {
  Table table = table_with("failures", "Trials that failed in whole or in part",
                           {"case", "dataset", "sweep point", "algorithm", "repeat", "fold", "reason"});
  std::vector<const Record*> lost = sorted_records(records, {});
  std::erase_if(lost, [](const Record* record) { return !failed(*record); });
  std::vector<RecordRow> rows;
  for (const Record* record : lost) rows.push_back(row_of(*record, std::nullopt));
  const Dimensions dimensions(rows);
  for (std::size_t i = 0; i < lost.size(); ++i) {
    table.rows.push_back({text_cell(lost[i]->experiment_case), text_cell(lost[i]->dataset),
                          text_cell(point_text(traits_of(rows[i], dimensions))), text_cell(lost[i]->algorithm),
                          number_cell(static_cast<double>(lost[i]->repeat)),
                          number_cell(static_cast<double>(lost[i]->fold)), text_cell(reason_of(*lost[i]))});
  }
  return table;
}

}  // namespace elmx
