#include "results/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "base/files/own_files.hpp"
#include "base/printable.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "experiment/shards/shards.hpp"
#include "report/external_predictions/external_predictions.hpp"
#include "report/formats/table_formats.hpp"
#include "report/tables/tables.hpp"

namespace elmx {
namespace {

/// Counts the records that the run itself has made.
std::size_t count_own(const std::vector<Record>& records) {
  return records.size() - static_cast<std::size_t>(std::ranges::count(records, kImported, &Record::family));
}

/// Returns the argument of `elmx predict`: the folder, or the first of several model files; "" without a
/// model.
std::string to_predict_with(const std::vector<Headline>& headlines, const std::filesystem::path& folder) {
  const auto first = std::ranges::find_if(headlines, [](const Headline& one) { return !one.file.empty(); });
  if (first == headlines.end()) return "";
  return headlines.size() == 1 ? folder.string() : (folder / first->file).string();
}

/// Says what a folder without records lacks, and which folders in it have results.
[[noreturn]] void refuse_without_records(const std::filesystem::path& folder) {
  if (has_shards(folder))
    throw DataError(folder.string(),
                    fmt::format("the shards are not merged yet; run elmx merge {}", shell_word(folder.string())));
  std::vector<std::filesystem::path> below = entries_of(folder);
  std::erase_if(below, [](const std::filesystem::path& entry) { return !is_there(records_file(entry)); });
  throw DataError(records_file(folder).string(),
                  "does not exist; use a results folder, which elmx run writes to out/NAME or to the folder of -o" +
                      (below.empty() ? "" : ", such as " + below.front().string()));
}

}  // namespace

Frame frame_of(const StoredRun& stored) {
  const std::filesystem::path& folder = stored.folder();
  if (!is_there(records_file(folder))) refuse_without_records(folder);
  std::vector<Record> records = stored.records();
  if (records.empty())
    throw DataError(records_file(folder).string(), "no results, because the run has not finished a trial yet");
  const PlannedTrials planned = stored.planned();
  const bool unfinished = records.size() < planned.here;
  if (unfinished || !planned.part.empty())
    note_line(fmt::format("elmx: {}: {}{} of {}{}", folder.string(), planned.part.empty() ? "" : planned.part + ", ",
                          records.size(), counted(unfinished ? planned.here : planned.all, "trial"),
                          unfinished ? ": the run is not finished" : "; elmx merge puts shards together"));
  WithImported all = with_imported(std::move(records), folder);
  for (const std::string& name : all.hidden)
    note_line(
        fmt::format("elmx: {}.jsonl: these predictions are not shown, because the run has not finished their "
                    "data or folds",
                    (folder / kImportedFolder / name).string()));
  return {std::move(all.records), describe(stored)};
}

void say_part(const Frame& frame, const PlannedTrials& planned, std::vector<Table>& tables) {
  if (planned.part.empty()) return;
  for (Table& table : tables)
    table.remarks.push_back(
        fmt::format("{}: {} of {}", planned.part, count_own(frame.all_records()), counted(planned.all, "trial")));
}

std::vector<Table> write_tables_of_run(const Frame& frame, const std::vector<Headline>& headlines,
                                       const PlannedTrials& planned, const std::filesystem::path& folder) {
  std::vector<Table> tables = tables_of_records(frame);
  if (Table headline = headline_table(headlines); !headline.rows.empty()) tables.push_back(std::move(headline));
  say_part(frame, planned, tables);
  const std::size_t finished = count_own(frame.all_records());
  for (Table& table : tables) {
    if (finished < planned.here)
      table.remarks.push_back(fmt::format("interrupted: {} of {}", finished, counted(planned.here, "trial")));
  }
  write_tables(folder, tables);
  return tables;
}

void name_file(const Table& table, const std::filesystem::path& folder, const std::string& format) {
  note_line(table.title + ": " + table_file(folder, table, format).string());
}

void write_and_name(const std::vector<Figure>& figures, const std::filesystem::path& folder,
                    const PlotFormats& formats) {
  const WrittenPlots written = write_plots(folder, figures, formats);
  const auto name = [&](const std::string& what, const std::vector<std::filesystem::path>& files) {
    if (files.empty()) return;
    std::string line = what + ' ' + (folder / "plots").string() + ':';
    for (const auto& file : files) line += ' ' + file.filename().string();
    note_line(line);
  };
  name("plots in", written.drawn);
  name("not drawn, because " + why_not_drawn(written.gnuplot) + ", in", written.not_drawn);
}

void write_and_name(const std::string& what, const std::filesystem::path& folder, const std::string& name,
                    const std::filesystem::path& asked, const std::string& content) {
  const std::filesystem::path own = folder / name, file = asked.empty() ? own : asked;
  if (file.lexically_normal() == own.lexically_normal())
    write_own_file(folder, name, content);
  else
    write_output(file, content);
  note_line(what + ": " + file.string());
}

void print_lines(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) print_line(line);
  if (!lines.empty()) std::cout << '\n';
}

std::string next_commands(const std::string& model, const std::string& config, const std::filesystem::path& folder) {
  const std::string word = shell_word(folder.string());
  std::vector<std::string> commands;
  if (!model.empty())
    commands.push_back(fmt::format("elmx predict {} NEW.csv (predictions for new rows)", shell_word(model)));
  commands.push_back(fmt::format("elmx report {} (one page, with diagrams)", word));
  const std::string file = config + ".json";
  if (!config.empty() && is_there(file))
    commands.push_back(fmt::format("edit {0} and elmx run {0} -o {1} (to change something)", shell_word(file),
                                   shell_word(folder.string() + "-2")));
  else
    commands.push_back(fmt::format("elmx table {} (every number)", word));
  return fmt::format("Next: {}.", fmt::join(commands, "; "));
}

std::vector<std::string> headline_lines(const std::vector<Headline>& headlines, const std::string& config,
                                        const std::filesystem::path& folder) {
  std::vector<std::string> lines;
  for (const Headline& headline : headlines)
    lines.insert(lines.end(), headline.sentences.begin(), headline.sentences.end());
  if (lines.empty()) return lines;
  lines.push_back(next_commands(to_predict_with(headlines, folder), config, folder));
  return lines;
}

void print_summary(const Frame& frame, const std::vector<Headline>& headlines, const std::filesystem::path& folder) {
  const RunSummary summary = summary_of_methods(frame);
  const std::vector<std::string> lines = headline_lines(headlines, frame.run().name, folder);
  print_lines(lines.empty() ? summary.sentences : lines);
  for (const Table& table : summary.tables)
    print(table, "elmx table " + shell_word(folder.string()) + " --markdown prints all columns");
  if (!lines.empty()) print_lines(summary.sentences);
}

}  // namespace elmx
