#include "report/tables/compare.hpp"

#include <fmt/core.h>

#include <iostream>
#include <map>

#include "base/files/files.hpp"
#include "base/files/own_files.hpp"
#include "base/printable.hpp"
#include "commands.hpp"
#include "report/formats/table_formats.hpp"
#include "report/plots/row_plots.hpp"
#include "report/tables/summary_of_methods.hpp"

namespace elmx {
namespace {

constexpr int kMostFolders = 1000;

struct CompareArguments {
  std::vector<std::string> folders, validation, where;
  std::string by, metrics, format, output;
  CompareOptions options;
  int digits = 0;
  bool ranks = false;
  bool of_pairs = false;  ///< true if an option was given that only applies to pairs of folders or values
};

void print_as_asked(const std::vector<Table>& tables, const std::string& format) {
  for (const Table& table : tables) {
    if (format.empty())
      print(table);
    else
      std::cout << find_table_format(format).write(table) << '\n';
  }
}

void print_sentences(const std::vector<std::string>& sentences, const std::string& format) {
  if (!format.empty()) return;
  for (const std::string& sentence : sentences) print_line(sentence);
  std::cout << '\n';
}

/// Compares the methods of one run, each at its chosen point, with the best method, as the report page does.
ExitCode compare_methods(const CompareArguments& arguments) {
  if (arguments.of_pairs)
    throw ConfigError("compare", "--metric, --test and --alpha need two folders, or one folder and --by FIELD");
  const Frame frame = frame_of(StoredRun(arguments.folders[0])).where(predicate_of(arguments.where));
  const RunSummary summary = summary_of_methods(frame);
  print_sentences(summary.sentences, arguments.format);
  print_as_asked(summary.tables, arguments.format);
  print_as_asked(summary.further, arguments.format);
  return ExitCode::ok;
}

/// Returns the rows of several folders; `frames` keeps their records.
std::vector<RecordRow> rows_of(const std::vector<std::string>& folders, std::vector<Frame>& frames,
                               RecordOrder& order) {
  std::vector<RecordRow> rows;
  for (const std::string& folder : folders) {
    const Frame& frame = frames.emplace_back(frame_of(StoredRun(folder)));
    add_missing(order.cases, frame.run().order.cases);
    add_missing(order.algorithms, frame.run().order.algorithms);
    rows.insert(rows.end(), frame.rows().begin(), frame.rows().end());
  }
  return rows;
}

/// Throws ConfigError if a validation run and the run whose points it chooses among have different folds.
void refuse_other_folds(const std::vector<Frame>& frames, std::size_t given) {
  for (std::size_t v = given; v < frames.size(); ++v) {
    std::map<std::pair<std::string, std::string>, const RecordRow*> row_of;
    for (const RecordRow& row : frames[v].rows()) row_of.try_emplace({row.experiment_case, row.dataset}, &row);
    for (std::size_t g = 0; g < given; ++g) {
      for (const RecordRow& row : frames[g].rows()) {
        const auto found = row_of.find({row.experiment_case, row.dataset});
        if (found == row_of.end()) continue;
        const std::string splits = different_splits(frames[g].run(), row, frames[v].run(), *found->second);
        const bool differ_as_asked =
            splits.ends_with("validate false and true") && splits.find(',') == std::string::npos;
        if (!splits.empty() && !differ_as_asked)
          throw ConfigError(
              "--validation",
              fmt::format("the splits of {} differ ({}); use a run that differs only in split.validate=true",
                          frames[v].run().path.parent_path().string(), splits));
        row_of.erase(found);
      }
    }
  }
}

/// Prints the mean ranks of the methods over the data sets of all folders, and draws their diagram.
ExitCode rank(const CompareArguments& arguments) {
  std::vector<Frame> frames;
  RecordOrder order;
  std::vector<RecordRow> rows = rows_of(arguments.folders, frames, order);
  const Dimensions fields(rows, order);
  Predicate where = predicate_of(arguments.where);
  const Dimension* by = nullptr;
  if (!arguments.by.empty()) {
    const Condition condition = condition_of(arguments.by, "--by");
    by = &field_of_sides(condition.field, fields);
    if (!condition.values.empty()) where.push_back(condition);
    if (!arguments.validation.empty() && by->kind != DimensionKind::named)
      throw ConfigError("--validation", "already chooses among the values of " + by->name +
                                            "; use --by case or --by algorithm instead");
  }
  rows = BoundPredicate(where, fields, rows).selected(rows, true);
  std::vector<std::string> metrics = {"test_acc", "test_rmse"};
  if (!arguments.metrics.empty()) metrics = split_list(arguments.metrics);
  for (const Quantity& metric : find_quantities(metrics, arguments.metrics.empty() ? metrics : quantities_in(rows))) {
    if (!metric.better)
      throw ConfigError("--metric", metric.name + " cannot be ranked, because neither low nor high values are better");
  }
  if (!arguments.validation.empty()) {
    const std::vector<RecordRow> validation = rows_of(arguments.validation, frames, order);
    refuse_other_folds(frames, arguments.folders.size());
    rows = choose_by_validation(rows, validation, metrics);
  }
  const MethodRanks found = rank_methods(methods_of(rows, by, metrics), arguments.digits, arguments.options.alpha);
  print_sentences({found.sentence}, arguments.format);
  print_as_asked(found.tables, arguments.format);
  print_as_asked({found.scores}, arguments.format);
  if (arguments.folders.size() > 1 && arguments.output.empty()) return ExitCode::ok;
  const std::string file = arguments.output.empty() ? arguments.folders[0] + "/plots/ranks.svg" : arguments.output;
  if (arguments.output.empty())
    write_own_file(arguments.folders[0], "plots/ranks.svg", rank_diagram(found));
  else
    write_output(file, rank_diagram(found));
  note_line("plot: " + file);
  return ExitCode::ok;
}

ExitCode compare(const CompareArguments& arguments) {
  if (!arguments.format.empty()) find_table_format(arguments.format);
  find_paired_test(arguments.options.test);
  const auto& folders = arguments.folders;
  if (arguments.ranks) return rank(arguments);
  if (!arguments.validation.empty() || !arguments.output.empty() || arguments.digits > 0)
    throw ConfigError("compare", "--validation, --digits and --output need --ranks");
  if (arguments.by.empty() && folders.size() == 1) return compare_methods(arguments);
  if (folders.size() > (arguments.by.empty() ? 2 : 1))
    throw ConfigError(
        "compare", fmt::format("expected {}, found {} folders; use --ranks to compare more",
                               arguments.by.empty() ? "one or two folders" : "one folder with --by", folders.size()));
  CompareOptions options = arguments.options;
  options.where = predicate_of(arguments.where);
  if (!arguments.metrics.empty()) options.metrics = split_list(arguments.metrics);
  const Frame a = frame_of(StoredRun(folders[0]));
  const std::vector<Table> tables = arguments.by.empty() ? compare_records(a, frame_of(StoredRun(folders[1])), options)
                                                         : compare_by(a, condition_of(arguments.by, "--by"), options);
  print_as_asked(tables, arguments.format);
  return ExitCode::ok;
}

}  // namespace

void add_compare(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("compare",
                                     "compare the methods of a results folder, or trial by trial two results folders "
                                     "or the values of a field");
  auto arguments = std::make_shared<CompareArguments>();
  command
      ->add_option("DIR", arguments->folders,
                   "one results folder, to compare its methods or (with --by) the values of a field; two folders A and "
                   "B; with --ranks any number")
      ->required()
      ->expected(1, kMostFolders);
  command->add_option("--by", arguments->by,
                      "compare the values of this field in one folder, each with the first: FIELD or "
                      "FIELD=VALUE,VALUE");
  command->add_flag(
      "--ranks", arguments->ranks,
      "rank the methods (with --by: the values of a field) over the data sets of all folders: mean ranks, "
      "Friedman's and Nemenyi's tests, and a diagram");
  command
      ->add_option("--validation", arguments->validation,
                   "--ranks: results folders of the same trials with split.validate=true; each trial uses the point "
                   "that is best there, unless its case has select")
      ->expected(1, kMostFolders);
  command->add_option("--digits", arguments->digits, "--ranks: scores that agree to this many digits are tied")
      ->check(CLI::Range(1, 17));
  command->add_option("-o,--output", arguments->output,
                      "--ranks: SVG file of the diagram (default DIR/plots/ranks.svg, or none for several folders)");
  auto* metric = command->add_option("--metric", arguments->metrics,
                                     "metrics, for example test_rmse,weight_error, or all (default: those of the test "
                                     "part)");
  command->add_option("--where", arguments->where, "use only the records with FIELD=VALUE,VALUE")
      ->allow_extra_args(false);
  auto* test =
      command->add_option("--test", arguments->options.test, "paired test: wilcoxon (default), t or corrected_t");
  auto* alpha = command->add_option("--alpha", arguments->options.alpha, "level of significance (default 0.05)")
                    ->check(CLI::Range(1e-6, 0.5));
  command->add_option("--format", arguments->format, "format of the tables: md, csv, tex, json or html");
  command->callback([=, &action] {
    arguments->of_pairs = metric->count() + test->count() + alpha->count() > 0;
    action = [=] { return compare(*arguments); };
  });
}

}  // namespace elmx
