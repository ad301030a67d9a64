#include <fmt/core.h>

#include <iostream>

#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "report/formats/table_formats.hpp"
#include "report/plots/row_plots.hpp"
#include "report/tables/tables.hpp"
#include "results/output.hpp"

namespace elmx {
namespace {

struct CompareArguments {
  std::vector<std::string> folders, where;
  std::string by, metrics, test, format, output;
  std::optional<double> alpha;
  int digits = 0;
  bool ranks = false;

  void flags(Flags& flag) {
    flag("DIR", folders,
         "one results folder, to compare its methods or (with --by) the values of a field; two folders A and B; with "
         "--ranks any number",
         {.required = true});
    flag("--by", by, "compare the values of this field in one folder, each with the first: FIELD or FIELD=VALUE,VALUE");
    flag("--ranks", ranks,
         "rank the methods (with --by: the values of a field) over the data sets of all folders: mean ranks, "
         "Friedman's and Nemenyi's tests, and a diagram");
    flag("--digits", digits, "--ranks: scores that agree to this many digits are tied", {.least = 1, .most = 17});
    flag("-o,--output", output,
         "--ranks: SVG file of the diagram (default DIR/plots/ranks.svg, or none for several folders)");
    flag("--metric", metrics, "metrics, for example test_rmse,weight_error, or all (default: those of the test part)");
    flag("--where", where, "use only the records with FIELD=VALUE,VALUE");
    flag("--test", test, "paired test: wilcoxon (default), t or corrected_t");
    flag("--alpha", alpha, "level of significance (default 0.05)", {.least = 1e-6, .most = 0.5});
    flag("--format", format, "format of the tables: md, csv, tex, json or html");
  }
};

CompareOptions options_of(const CompareArguments& arguments) {
  CompareOptions options;
  options.where = predicate_of(arguments.where);
  options.metrics = split_list(arguments.metrics);
  if (!arguments.test.empty()) options.test = find_paired_test(arguments.test).name;
  if (arguments.alpha) options.alpha = *arguments.alpha;
  return options;
}

void print_as_asked(const std::vector<Table>& tables, const std::string& format) {
  for (const Table& table : tables) {
    if (format.empty())
      print(table);
    else
      std::cout << find_table_format(format).write(table) << '\n';
  }
}

/// Compares the methods of one run, each at its chosen point, with the best method, as the report page does.
ExitCode compare_methods(const CompareArguments& arguments) {
  if (!arguments.metrics.empty() || !arguments.test.empty() || arguments.alpha)
    throw ConfigError("compare", "--metric, --test and --alpha need two folders, or one folder and --by FIELD");
  const Frame frame = frame_of(StoredRun(arguments.folders[0])).where(predicate_of(arguments.where));
  const RunSummary summary = summary_of_methods(frame);
  if (arguments.format.empty()) print_lines(summary.sentences);
  print_as_asked(summary.tables, arguments.format);
  print_as_asked(summary.further, arguments.format);
  return ExitCode::ok;
}

/// Prints the mean ranks of the methods over the data sets of all folders, and draws their diagram.
ExitCode rank(const CompareArguments& arguments) {
  std::vector<Frame> runs;
  for (const std::string& folder : arguments.folders) runs.push_back(frame_of(StoredRun(folder)));
  RankOptions options{.where = predicate_of(arguments.where),
                      .metrics = split_list(arguments.metrics),
                      .digits = arguments.digits,
                      .alpha = options_of(arguments).alpha};
  if (!arguments.by.empty()) options.by = condition_of(arguments.by, "--by");
  const MethodRanks found = rank_runs(runs, options);
  if (arguments.format.empty()) print_lines({found.sentence});
  print_as_asked({found.table, found.scores}, arguments.format);
  if (arguments.folders.size() == 1 || !arguments.output.empty())
    write_and_name("plot", arguments.folders[0], "plots/ranks.svg", arguments.output, rank_diagram(found));
  return ExitCode::ok;
}

ExitCode compare(const CompareArguments& arguments, const Common&) {
  if (!arguments.format.empty()) find_table_format(arguments.format);
  const CompareOptions options = options_of(arguments);
  const auto& folders = arguments.folders;
  if (arguments.ranks) return rank(arguments);
  if (!arguments.output.empty() || arguments.digits > 0)
    throw ConfigError("compare", "--digits and --output need --ranks");
  if (arguments.by.empty() && folders.size() == 1) return compare_methods(arguments);
  if (folders.size() > (arguments.by.empty() ? 2 : 1))
    throw ConfigError(
        "compare", fmt::format("expected {}, found {} folders; use --ranks to compare more",
                               arguments.by.empty() ? "one or two folders" : "one folder with --by", folders.size()));
  const Frame a = frame_of(StoredRun(folders[0]));
  print_as_asked(arguments.by.empty() ? compare_records(a, frame_of(StoredRun(folders[1])), options)
                                      : compare_by(a, condition_of(arguments.by, "--by"), options),
                 arguments.format);
  return ExitCode::ok;
}

}  // namespace

Command compare_command() {
  return command(
      "compare",
      "compare the methods of a results folder, two results folders, or the values of a field, trial by trial", compare,
      {{"elmx compare out/first", "compare the methods of a run"}, {"elmx compare out/a out/b", "compare two runs"}});
}

}  // namespace elmx
