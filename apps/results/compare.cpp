#include "tables/compare.hpp"

#include <iostream>

#include "answer/answer.hpp"
#include "commands.hpp"
#include "table_formats/table_formats.hpp"

namespace elmx {
namespace {

struct CompareArguments {
  std::vector<std::string> folders;
  std::vector<std::string> where;
  std::string by, metrics, format;
  CompareOptions options;
  bool of_pairs = false;  ///< an option was given that only pairs of folders or values take
};

void print_as_asked(const std::vector<Table>& tables, const std::string& format) {
  for (const Table& table : tables) {
    if (format.empty())
      print(table);
    else
      std::cout << find_table_format(format).write(table) << '\n';
  }
}

/// The methods of one run against the best, each at its choice, as its page has them.
ExitCode compare_methods(const CompareArguments& arguments) {
  if (arguments.of_pairs)
    throw ConfigError("compare: --metric, --test and --alpha expect two folders, or --by FIELD within one");
  const Frame frame = frame_of(StoredRun(arguments.folders[0])).where(predicate_of(arguments.where));
  const Answer answer = answer_of(frame.rows(), frame.run());
  if (arguments.format.empty()) {
    for (const std::string& sentence : answer.sentences) print_line(sentence);
    std::cout << '\n';
  }
  print_as_asked(answer.tables, arguments.format);
  print_as_asked(answer.further, arguments.format);
  return ExitCode::ok;
}

ExitCode compare(const CompareArguments& arguments) {
  if (!arguments.format.empty()) find_table_format(arguments.format);
  find_paired_test(arguments.options.test);
  const auto& folders = arguments.folders;
  if (arguments.by.empty() && folders.size() == 1) return compare_methods(arguments);
  if (!arguments.by.empty() && folders.size() != 1)
    throw ConfigError("compare: DIR: 2 folders; allowed: one, as there is --by");
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
                                     "the methods of a results folder; or what two folders, or the values of a field "
                                     "in one, differ in, trial by trial");
  auto arguments = std::make_shared<CompareArguments>();
  command
      ->add_option("DIR", arguments->folders,
                   "one folder: its methods, or with --by the values of a field; or two, A then B")
      ->required()
      ->expected(1, 2);
  command->add_option("--by", arguments->by,
                      "field, or field=value,value: compare its values within one folder, each with the first");
  auto* metric = command->add_option("--metric", arguments->metrics,
                                     "metrics, as in test_rmse,weight_error; all (default: those of the test part)");
  command->add_option("--where", arguments->where, "field=value,value; only those records")->allow_extra_args(false);
  auto* test = command->add_option("--test", arguments->options.test, "wilcoxon (default), t or corrected_t");
  auto* alpha = command->add_option("--alpha", arguments->options.alpha, "level of significance (0.05)")
                    ->check(CLI::Range(1e-6, 0.5));
  command->add_option("--format", arguments->format, "md, csv, tex, json or html");
  command->callback([=, &action] {
    arguments->of_pairs = metric->count() + test->count() + alpha->count() > 0;
    action = [=] { return compare(*arguments); };
  });
}

}  // namespace elmx
