#include <algorithm>
#include <iostream>
#include <utility>

#include "base/files/fsio.hpp"
#include "commands.hpp"
#include "results/run_description.hpp"
#include "results/select_rows.hpp"
#include "table_formats/table_formats.hpp"
#include "tables/pivot.hpp"
#include "tables/tables_of_records.hpp"

namespace elmx {
namespace {

struct TableArguments {
  std::string folder, format, baseline, output;
  std::string rows, columns, metrics, statistics = "mean_sd";
  int digits = 0;
  PivotOptions pivot;
};

/// As told, else by the extension of the output file, else markdown.
const TableFormat& format_of(const TableArguments& arguments) {
  if (!arguments.format.empty()) return find_table_format(arguments.format);
  const std::string extension = std::filesystem::path(arguments.output).extension().string();
  const auto& formats = table_formats();
  const auto named = std::find_if(formats.begin(), formats.end(), [&](const TableFormat& format) {
    return "." + std::string(format.name) == extension;
  });
  return named == formats.end() ? formats.front() : *named;
}

bool for_people(const TableArguments& arguments) { return arguments.format.empty() && prints_for_people(); }

std::vector<std::string> listed(const std::string& text) {
  return text.empty() ? std::vector<std::string>() : split_list(text);
}

ExitCode pivot(const TableArguments& arguments) {
  const TableFormat& format = format_of(arguments);
  PivotOptions options = arguments.pivot;
  static_cast<RecordTableOptions&>(options) = table_options(arguments.folder);
  options.where = arguments.pivot.where;
  options.rows = listed(arguments.rows);
  options.columns = listed(arguments.columns);
  options.metrics = listed(arguments.metrics);
  options.statistics = split_list(arguments.statistics);
  if (options.best && !format.marks_best)
    throw ConfigError(std::string("--best: nothing is marked in ") + format.name + "; allowed: md, tex, html");
  if (arguments.digits > 0) options.digits = arguments.digits;
  options.reference = arguments.baseline;
  const bool of_speed_ups =
      std::ranges::any_of(options.metrics, [](const std::string& metric) { return metric.ends_with("_speedup"); });
  if (!arguments.baseline.empty() && !of_speed_ups)
    throw ConfigError("--baseline: expected with --metric step_speedup or total_speedup, or without --metric");
  const Table table = pivot_table(records_in(arguments.folder), options);
  if (!arguments.output.empty())
    write_output(arguments.output, format.write(table));
  else if (for_people(arguments))
    print(table);
  else
    std::cout << format.write(table);
  return ExitCode::ok;
}

ExitCode standard_tables(const TableArguments& arguments) {
  const TableFormat& format = format_of(arguments);
  const std::vector<Record> records = records_in(arguments.folder);
  RecordTableOptions options = table_options(arguments.folder);
  if (!arguments.baseline.empty()) options.reference = arguments.baseline;
  options.where = arguments.pivot.where;
  std::vector<Table> tables = tables_of_records(records, options);
  say_part(records, planned_trials(arguments.folder), tables);
  bool none = true;
  for (const Table& one : tables) {
    if (one.only_in_file && options.where.empty() &&
        std::filesystem::exists(table_file(arguments.folder, one, format.name)))
      name_file(one, arguments.folder, format.name);
    else if (for_people(arguments))
      print(one);
    else
      std::cout << (std::exchange(none, false) ? format.first : format.between) << format.write(one) << format.after;
  }
  if (!for_people(arguments)) std::cout << (none ? format.first : "") << format.last;
  return ExitCode::ok;
}

}  // namespace

RecordTableOptions table_options(const std::filesystem::path& folder) {
  const RunDescription run = read_description(folder);
  return {.order = run.order,
          .reference = "",
          .select = run.select,
          .where = {},
          .baselines = run.baselines,
          .targets = run.targets,
          .classes = run.classes};
}

void add_table(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("table", "print the tables of a results folder again, or a pivot of its records");
  auto arguments = std::make_shared<TableArguments>();
  command->add_option("DIR", arguments->folder, "results folder")->required();
  command->add_option("--format", arguments->format, "md, csv, tex, json or html");
  auto* metric = command->add_option(
      "--metric", arguments->metrics,
      "pivot: metrics, times, speed-ups or pooled metrics, as in test_rmse,total_speedup,pooled_r2");
  command->add_option("--baseline", arguments->baseline, "algorithm that speed-ups refer to");
  const auto of_pivot = [&](CLI::Option* option) { option->needs(metric); };
  of_pivot(command->add_option("--rows", arguments->rows, "pivot: fields that head the rows, as in dataset,nodes"));
  of_pivot(command->add_option("--cols", arguments->columns, "pivot: fields that head the columns, as in algorithm"));
  of_pivot(
      command->add_option("--stat", arguments->statistics,
                          "pivot: mean_sd (default), mean, sd, median, min, max, best, q25, q75, iqr, sum, count"));
  command->add_option("--where", arguments->pivot.where, "field=value,value; only those records")
      ->allow_extra_args(false);
  of_pivot(
      command->add_option("--digits", arguments->digits, "pivot: digits of the numbers")->check(CLI::Range(1, 17)));
  of_pivot(command->add_flag("--best", arguments->pivot.best, "pivot: bold the best of each row"));
  of_pivot(command->add_option("-o,--output", arguments->output, "pivot: file to write it to"));
  command->callback([=, &action] {
    action = [=] { return arguments->metrics.empty() ? standard_tables(*arguments) : pivot(*arguments); };
  });
}

}  // namespace elmx
