#include <algorithm>
#include <iostream>
#include <utility>

#include "base/files/files.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "published/published.hpp"
#include "report/formats/table_formats.hpp"
#include "report/tables/tables.hpp"
#include "results/output.hpp"

namespace elmx {
namespace {

struct TableArguments {
  std::string folder, format, baseline, output;
  std::string rows, columns, metrics, statistics, percent;
  std::string caption, label, width, best_by;
  std::vector<std::string> names, only, where;
  bool best = false;
  int digits = 0;

  void flags(Flags& flag) {
    flag("DIR", folder, "results folder", {.required = true});
    flag("--format", format, "format of the tables: md (default), csv, tex, json or html");
    flag("--metric", metrics,
         "pivot: metrics, times, speed-ups or pooled metrics, for example test_rmse,total_speedup,pooled_r2");
    flag("--baseline", baseline, "baseline algorithm of the speed-ups; pivot: also several, for example a,b");
    flag("--where", where, "use only the records with FIELD=VALUE,VALUE");
    flag("--rename", names, "FIELD.VALUE=TEXT or HEADING=TEXT, for example algorithm.alg1=Proposed; repeatable");
    flag("--width", width, "tex: one-column or two-column (default: whichever fits)",
         {.choices = {"one-column", "two-column"}});
    const std::string metric = "--metric";
    flag("--rows", rows, "pivot: fields of the rows, for example dataset,nodes", {.needs = metric});
    flag("--cols", columns, "pivot: fields of the columns, for example algorithm", {.needs = metric});
    flag("--stat", statistics,
         "pivot: statistics: mean_sd (default), mean, sd, median, min, max, best, q25, q75, iqr, sum, count",
         {.needs = metric});
    flag("--digits", digits, "pivot: number of digits", {.least = 1, .most = 17, .needs = metric});
    flag("--best", best, "pivot: show the best value of each row in bold", {.needs = metric});
    flag("--best-by", best_by, "pivot: show the best value of each row or column in bold",
         {.choices = {"row", "column"}, .needs = metric, .excludes = {"--best"}});
    flag("--only", only, "pivot: METRIC=VALUE,VALUE: show the metric for these values only", {.needs = metric});
    flag("--percent", percent, "pivot: metrics to show in percent, for example test_acc", {.needs = metric});
    flag("--caption", caption, "pivot: title of the table", {.needs = metric});
    flag("--label", label, "pivot: LaTeX label of the table", {.needs = metric});
    flag("-o,--output", output, "pivot: file to write (its extension gives the format)", {.needs = metric});
  }
};

/// Returns the requested format, else the format of the output file's extension, else Markdown.
const TableFormat& format_of(const TableArguments& arguments) {
  if (!arguments.format.empty()) return find_table_format(arguments.format);
  const std::string extension = std::filesystem::path(arguments.output).extension().string();
  const auto& formats = table_formats();
  const auto named = std::ranges::find_if(
      formats, [&](const TableFormat& format) { return "." + std::string(format.name) == extension; });
  return named == formats.end() ? formats.front() : *named;
}

bool for_people(const TableArguments& arguments) { return arguments.format.empty() && prints_for_people(); }

/// Returns the tables with the names, the width and the labels for a paper.
std::vector<Table> for_paper(std::vector<Table> tables, const TableArguments& arguments) {
  if (std::string(format_of(arguments).name) != "tex" && !(arguments.width + arguments.label).empty())
    throw ConfigError("--width, --label", "need --format tex or -o NAME.tex");
  rename_in(tables, arguments.names);
  for (Table& table : tables) {
    if (!arguments.width.empty())
      table.page_width = arguments.width == "one-column" ? PageWidth::one_column : PageWidth::two_column;
    if (!arguments.label.empty()) table.label = arguments.label;
    if (!arguments.caption.empty()) table.title = arguments.caption;
  }
  return tables;
}

PivotOptions pivot_options(const TableArguments& arguments) {
  PivotOptions options;
  options.where = predicate_of(arguments.where);
  options.only = predicate_of(arguments.only, "--only");
  options.rows = split_list(arguments.rows);
  options.columns = split_list(arguments.columns);
  options.metrics = split_list(arguments.metrics);
  if (!arguments.statistics.empty()) options.statistics = split_list(arguments.statistics);
  options.percent = split_list(arguments.percent);
  options.references = split_list(arguments.baseline);
  if (arguments.best || !arguments.best_by.empty())
    options.best = arguments.best_by == "column" ? BestBy::column : BestBy::row;
  if (arguments.digits > 0) options.digits = arguments.digits;
  return options;
}

ExitCode pivot(const TableArguments& arguments) {
  const TableFormat& format = format_of(arguments);
  const PivotOptions options = pivot_options(arguments);
  if (options.best && !format.marks_best)
    throw ConfigError("--best", std::string(format.name) + " cannot mark the best values; use md, tex or html");
  const bool of_speed_ups = std::ranges::any_of(
      options.metrics, [](const std::string& metric) { return lower_case(metric).ends_with("_speedup"); });
  if (!arguments.baseline.empty() && !of_speed_ups)
    throw ConfigError("--baseline", "needs --metric step_speedup or total_speedup, or no --metric at all");
  const Table table = for_paper({pivot_table(frame_of(StoredRun(arguments.folder)), options)}, arguments)[0];
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
  const StoredRun stored(arguments.folder);
  const Frame frame = frame_of(stored).where(predicate_of(arguments.where));
  std::vector<Table> tables = for_paper(tables_of_records(frame, arguments.baseline), arguments);
  say_part(frame, stored.planned(), tables);
  if (arguments.format.empty() && arguments.where.empty())
    print_summary(frame, headlines_of(frame, arguments.folder), arguments.folder);
  bool none = true;
  for (const Table& one : tables) {
    if (one.only_in_file && arguments.where.empty() && is_there(table_file(arguments.folder, one, format.name)))
      name_file(one, arguments.folder, format.name);
    else if (for_people(arguments))
      print(one);
    else
      std::cout << (std::exchange(none, false) ? format.first : format.between) << format.write(one) << format.after;
  }
  if (!for_people(arguments)) std::cout << (none ? format.first : "") << format.last;
  return ExitCode::ok;
}

ExitCode print_tables(const TableArguments& arguments, const Common&) {
  return arguments.metrics.empty() ? standard_tables(arguments) : pivot(arguments);
}

}  // namespace

Command table_command() {
  return command("table", "print the tables of a results folder, or a pivot table of its records", print_tables,
                 {{"elmx table out/first", "print the tables of a run"},
                  {"elmx table out/first --metric test_rmse --rows dataset --cols algorithm", "print a pivot table"}});
}

}  // namespace elmx
