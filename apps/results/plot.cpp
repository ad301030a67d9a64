#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "cli/command.hpp"
#include "experiment/records/results.hpp"
#include "report/plots/row_plots.hpp"
#include "results/output.hpp"

namespace elmx {
namespace {

std::string kinds_text() {
  std::string text = "diagrams to draw (default: all for which there are records):";
  for (const PlotKind& kind : plot_kinds()) text += fmt::format("\n{}: {}", kind.name, kind.doc);
  return text;
}

struct PlotArguments {
  std::string folder, output, metric, baseline, formats = "svg";
  std::vector<std::string> kinds, cases, where;

  void flags(Flags& flag) {
    flag("DIR", folder, "results folder", {.required = true});
    flag("KIND", kinds, kinds_text());
    flag("--metric", metric, "metric of the curves: acc, mse, train_rmse, weight_error, total_seconds, ...");
    flag("--case", cases, "draw only this case, or this data set if there are no cases; repeatable");
    flag("--where", where, "use only the records with FIELD=VALUE,VALUE, for example \"chosen=by loo_mse\"");
    flag("--baseline", baseline, "baseline algorithm of the speed-ups");
    flag("--format", formats, "svg (default), pdf, png, or several: svg,pdf");
    flag("-o,--output", output, "folder in which to write plots/ (default DIR)");
  }
};

/// Returns the titles of the diagrams of the cases, or of the data sets if there are no cases.
std::set<std::string> titles_of(const Frame& frame, const std::vector<std::string>& cases) {
  std::vector<std::string> known;
  std::set<std::string> titles;
  for (const RecordRow& row : frame.all_rows()) {
    const std::string& name = row.experiment_case.empty() ? row.dataset : row.experiment_case;
    add_missing(known, {name});
    if (std::ranges::count(cases, name) > 0) titles.insert(plot_title(row.experiment_case, row.dataset));
  }
  for (const std::string& name : cases) {
    if (std::ranges::count(known, name) == 0)
      throw ConfigError("--case", fmt::format("no records of \"{}\"{}", name, suggest(name, known)));
  }
  return titles;
}

ExitCode plot(const PlotArguments& arguments, const Common&) {
  const PlotFormats formats = split_list(arguments.formats);
  require_formats(formats);
  const std::filesystem::path output = arguments.output.empty() ? arguments.folder : arguments.output;
  const FolderLock lock(output);
  const Frame frame = frame_of(StoredRun(arguments.folder));
  PlotSource source = plot_source(frame.where(predicate_of(arguments.where)), arguments.baseline);
  if (arguments.where.empty()) source.predicted = read_test_predictions(arguments.folder);
  source.titles = titles_of(frame, arguments.cases);
  write_and_name(figures_of(source, arguments.kinds, arguments.metric, arguments.folder), output, formats);
  return ExitCode::ok;
}

}  // namespace

Command plot_command() {
  return command("plot", "draw the diagrams of a results folder (DIR/plots/NAME.{svg,pdf,png,gp,dat})", plot,
                 {{"elmx plot out/first", "draw all diagrams"},
                  {"elmx plot out/first nodes --metric rmse", "draw the error against the number of hidden nodes"}});
}

}  // namespace elmx
