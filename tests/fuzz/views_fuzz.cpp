#include "base/files/files.hpp"
#include "experiment/run/runner.hpp"
#include "fuzz/mutations.hpp"
#include "fuzz/results_folder.hpp"
#include "fuzz/target.hpp"
#include "report/formats/table_formats.hpp"
#include "report/page/report_page.hpp"
#include "report/plots/plot_gnuplot.hpp"
#include "report/plots/row_plots.hpp"
#include "report/tables/headlines.hpp"
#include "report/tables/tables.hpp"
#include "support/hostile.hpp"

// Changed records of runs, in any number and order, under the conditions and fields that a user can ask for:
// every view of their frame is refused or made, and its text steers no terminal.

namespace elmx::fuzz {
namespace {

/// Cases with a sweep, a grid, and trainings with iterations.
constexpr const char* kFourCases = R"({
  "name": "views", "split": {"kind": "k_fold", "folds": 2},
  "cases": {
    "errors": {"data": {"set": "friedman1", "samples": 24}, "select": {"by": "loo_mse"},
               "model": {"algorithms": ["existing", "alg2"], "ridge": [0.1, 1], "nodes": {"start": 2, "stop": 4, "report": [3, 4]}}},
    "classes": {"data": {"set": "two_moons", "samples": 24}, "model": {"algorithms": ["standard"], "nodes": [2, 4]}},
    "grid": {"data": {"set": "two_moons", "samples": 24},
             "model": {"family": "s3elm", "algorithms": ["elm"], "nodes": 4, "elm": {"gamma": [0.1, 1]}}},
    "epochs": {"data": {"set": "friedman1", "samples": 24},
               "model": {"family": "rls", "algorithms": ["adam", "sgd"], "layers": [{"kind": "dense", "nodes": 2}], "epochs": 2, "report": [1, 2]}}
  }
})";

struct Run {
  std::string experiment;
  std::vector<std::string> lines;
};

Run small_run(const std::filesystem::path& folder) {
  const Json config = Json::parse(kFourCases);
  const Plan plan = make_plan(config, "no data directory");
  ResultsFolder results(folder, describe_experiment(config, plan), Earlier::resume);
  run_plan(plan, results, {.jobs = 1, .make_clock = [] { return std::make_unique<FakeClock>(); }},
           [](const Record&) {});
  Run run{read_file(folder / "experiment.json"), {}};
  const std::string records = read_file(folder / "records.jsonl");
  for (const std::string_view line : whole_lines(records)) run.lines.emplace_back(line);
  return run;
}

/// Names that a view can be asked for, or parts of the input.
class Words {
 public:
  explicit Words(std::string_view rest) : own_(parts(rest, 4)) {}

  std::string field(Choices& choices) const {
    return any({"case", "dataset", "family", "algorithm", "nodes", "repeat", "fold", "chosen", "iterations", "ridge",
                "/model/ridge", "metric", "stat", "part", "gamma", "epoch", "status"},
               choices);
  }
  std::string value(Choices& choices) const {
    return any({"errors", "classes", "alg2", "existing", "adam", "elm", "3", "4", "0", "1", "0.1", "1e-1", "-", "best",
                "by loo_mse", "friedman1", "two_moons", "test", "mean"},
               choices);
  }
  std::string metric(Choices& choices) const {
    return any(
        {"test_rmse", "test_acc", "train_mse", "loo_mse", "step_speedup", "total_speedup", "total_seconds",
         "test_seconds", "pooled_r2", "pooled_acc", "weight_error", "nodes_kept", "test_rmse[y]", "acc", "objective"},
        choices);
  }
  std::string statistic(Choices& choices) const {
    return any({"mean_sd", "mean", "sd", "median", "min", "max", "best", "q25", "q75", "iqr", "sum", "count"}, choices);
  }
  std::string condition(Choices& choices) const {
    std::string text = field(choices);
    if (choices.of(8) != 0) text += '=' + value(choices);
    if (choices.of(4) == 0) text += ',' + value(choices);
    return text;
  }

 private:
  std::string any(const std::vector<std::string>& names, Choices& choices) const {
    const std::size_t i = choices.of(names.size() + own_.size());
    return i < names.size() ? names[i] : std::string(own_[i - names.size()]);
  }

  std::vector<std::string_view> own_;
};

/// UTF-8, as JSON requires.
std::string hostile_text(Choices& choices) {
  const std::string& name = hostile_names()[choices.of(hostile_names().size())];
  return name.size() < 100 && is_utf8(name) ? name : "a\"b";
}

/// Replaces a number or a text by another one, which the readers accept at most places.
void change_value(Json& json, Choices& choices) {
  static const double numbers[] = {0, 1, -1, 0.5, 1.5, 1e300, -1e300, 1e-320};
  std::vector<Json::json_pointer> places;
  collect_places(json, Json::json_pointer(), places);
  std::erase_if(places, [&](const auto& place) { return json[place].is_structured(); });
  if (places.empty()) return;
  Json& value = json[places[(choices.of(256) + 256 * choices.of(256)) % places.size()]];
  if (value.is_number_float())
    value = numbers[choices.of(std::size(numbers))];
  else if (value.is_number())
    value = choices.of(9);
  else if (value.is_string())
    value = hostile_text(choices);
  else
    value = odd_value(choices);
}

/// Changes values, seldom anything else, of a JSON text.
void change_text(std::string& text, Choices& choices) {
  if (choices.of(32) == 0) return mutate_text(text, choices);
  Json json = Json::parse(text);
  for (std::size_t i = 1 + choices.of(3); i > 0; --i) change_value(json, choices);
  text = json.dump();
}

template <class Draw>
std::vector<std::string> some(std::size_t least, Choices& choices, const Draw& draw) {
  std::vector<std::string> names;
  for (std::size_t i = least + choices.of(3); i > 0; --i) names.push_back(draw());
  return names;
}

PivotOptions pivot_options(const Words& words, Choices& choices) {
  const auto field = [&] { return words.field(choices); };
  const auto metric = [&] { return words.metric(choices); };
  PivotOptions options;
  options.rows = some(0, choices, field);
  options.columns = some(0, choices, field);
  options.metrics = some(1, choices, metric);
  options.statistics = some(1, choices, [&] { return words.statistic(choices); });
  if (choices.of(4) == 0) options.references = {words.value(choices)};
  if (choices.of(4) == 0) options.percent = {words.metric(choices)};
  if (choices.of(4) == 0) options.digits = 1 + static_cast<int>(choices.of(17));
  if (choices.yes()) options.best = choices.yes() ? BestBy::row : BestBy::column;
  if (choices.of(4) == 0) options.only = {condition_of(words.condition(choices), "--only")};
  return options;
}

void check(const Table& table) {
  for (const auto& row : table.rows)
    require(row.size() == table.columns.size(), table.name + ": a cell for each column");
  for (const TableFormat& format : table_formats())
    require(steers_nothing(format.write(table)), table.name + " steers a terminal in " + format.name);
  require(steers_nothing(to_terminal(table, {80, false})), table.name + " steers the terminal");
}

void check(const std::vector<Table>& tables) {
  for (const Table& table : tables) check(table);
}

Report page_of(const Frame& frame, const Json& experiment, const std::filesystem::path& folder) {
  Report report;
  report.folder = folder;
  report.records = frame.all_records();
  report.experiment = experiment;
  report.tables = tables_of_records(frame);
  report.summary = summary_of_methods(frame);
  return report;
}

void view(const Frame& frame, const Json& experiment, const std::filesystem::path& folder, const Words& words,
          Choices& choices) {
  switch (choices.of(7)) {
    case 0:
      return check(tables_of_records(frame, choices.yes() ? words.value(choices) : ""));
    case 1:
      return check(pivot_table(frame, pivot_options(words, choices)));
    case 2: {
      CompareOptions options;
      options.metrics = some(0, choices, [&] { return words.metric(choices); });
      if (choices.yes()) options.where = {condition_of(words.condition(choices), "--where")};
      return check(choices.yes() ? compare_by(frame, condition_of(words.condition(choices), "--by"), options)
                                 : compare_records(frame, frame, options));
    }
    case 3: {
      const RunSummary summary = summary_of_methods(frame);
      check(summary.tables);
      check(summary.further);
      return check(headline_table(headlines_of(frame, folder)));
    }
    case 4: {
      const PlotSource source = plot_source(frame, choices.of(4) == 0 ? words.value(choices) : "");
      const std::string metric = choices.yes() ? words.metric(choices) : "";
      for (const Figure& figure : figures_of(source, {}, metric, "records.jsonl"))
        require(steers_nothing(plot_script(figure) + drawing_of(figure).data), "a diagram is text");
      return;
    }
    case 5: {
      Expectation expectation;
      expectation.metric = words.metric(choices);
      expectation.statistic = words.statistic(choices);
      expectation.at_least = 0.5;
      if (choices.yes()) expectation.where = {{words.field(choices), words.value(choices)}};
      return check(check_expectations({expectation}, frame).table);
    }
    default:
      require(steers_nothing(report_page(page_of(frame, experiment, folder))), "the page is text");
  }
}

const Registered views_target("views", [](std::string_view bytes) {
  static const ResultsOf base("views-base"), folder("views");
  static const Run run = small_run(base.path());
  constexpr std::size_t kChoices = 120;
  Choices choices(bytes.substr(0, std::min(bytes.size(), kChoices)));
  const Words words(bytes.substr(std::min(bytes.size(), kChoices)));
  std::string records, experiment = run.experiment;
  const bool whole = choices.yes();
  for (std::size_t i = 0, n = whole ? run.lines.size() : choices.of(20); i < n; ++i) {
    std::string line = run.lines[whole ? i : choices.of(run.lines.size())];
    if (choices.of(4) == 0) change_text(line, choices);
    records += line + '\n';
  }
  if (choices.of(4) == 0) change_text(experiment, choices);
  const Json description = choices.of(8) == 0 ? Json() : Json::parse(experiment, nullptr, false);
  if (description.is_discarded()) return;
  write_file(folder.path() / "records.jsonl", records);
  refused_or([&] {
    const StoredRun stored(folder.path(), description);
    Frame frame(choices.yes() ? stored.records() : read_records(folder.path()), describe(stored));
    if (choices.yes()) frame = frame.where({condition_of(words.condition(choices), "--where")});
    view(frame, stored.experiment(), folder.path(), words, choices);
  });
});

}  // namespace
}  // namespace elmx::fuzz
