#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/files/files.hpp"
#include "base/printable.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "experiment/records/results.hpp"
#include "experiment/records/stored_run.hpp"
#include "experiment/shards/shards.hpp"
#include "report/formats/table_formats.hpp"
#include "report/page/report_page.hpp"
#include "report/plots/row_plots.hpp"
#include "report/tables/tables.hpp"
#include "results/output.hpp"

namespace elmx {
namespace {

/// Returns the tables in the folder other than the standard tables, by name.
std::vector<Table> further_tables(const std::filesystem::path& folder) {
  std::vector<Table> tables;
  for (const std::filesystem::path& file : entries_of(folder / "tables", ".json")) {
    if (std::ranges::count(standard_table_names(), file.stem().string()) > 0) continue;
    if (auto table = table_from_json_text(read_file(file)))
      tables.push_back(std::move(*table));
    else
      note_line("elmx: " + file.string() + ": ignored, because it is not a table");
  }
  return tables;
}

/// Draws at most kMostFigures.
void draw(Report& report, const PartedFigures& parted) {
  constexpr std::size_t kMostFigures = 100;
  std::vector<Figure> figures = parted.first;
  figures.insert(figures.end(), parted.further.begin(), parted.further.end());
  const std::size_t all = figures.size(), shown = std::min(all, kMostFigures);
  figures.erase(figures.begin() + static_cast<std::ptrdiff_t>(shown), figures.end());
  Gnuplot gnuplot = Gnuplot::works;
  const std::vector<std::string> svgs = svgs_of(figures, gnuplot);
  for (std::size_t i = 0; i < shown; ++i)
    (i < parted.first.size() ? report.figures : report.further_figures).push_back({caption_of(figures[i]), svgs[i]});
  const auto not_drawn = static_cast<std::size_t>(std::ranges::count(svgs, ""));
  if (not_drawn > 0) {
    report.without_figures =
        fmt::format("{} of {} were not drawn: {}.", not_drawn, counted(shown, "figure"), why_not_drawn(gnuplot));
    note_line(report.without_figures);
  } else if (shown < all) {
    report.without_figures = fmt::format("This page shows {} of {} figures; elmx plot draws all of them.", shown, all);
  }
}

/// Adds the SVG figures in the folder that are not drawn again.
void add_figures_in(const std::filesystem::path& folder, const std::set<std::string>& drawn, Report& report) {
  for (const std::filesystem::path& file : entries_of(folder / "plots", ".svg")) {
    const std::string stem = file.stem().string();
    if (!drawn.contains(stem)) report.further_figures.push_back({stem, read_file(file)});
  }
}

/// Collects a report: the files of the results folder, and the summary, the tables and the figures of its
/// records.
Report report_of(const StoredRun& stored, const std::vector<std::string>& where) {
  const std::filesystem::path& folder = stored.folder();
  Report report;
  report.folder = folder;
  report.where = where;
  report.published = further_tables(folder);
  if (!stored.experiment().is_null()) report.experiment = stored.experiment();
  if (is_there(folder / kDataFile)) report.reading = read_json_file(folder / kDataFile);
  std::set<std::string> drawn;
  if (report.published.empty() || is_there(records_file(folder))) {
    const Frame all = frame_of(stored), frame = all.where(predicate_of(where));
    report.records = all.all_records();
    report.tables = tables_of_records(frame);
    report.summary = summary_of_methods(frame);
    report.headline = headline_lines(headlines_of(frame, folder), frame.run().name, folder);
    PlotSource source = plot_source(frame);
    if (where.empty()) source.predicted = read_test_predictions(folder);
    const PartedFigures figures = parted_figures(source);
    for (const auto* some : {&figures.first, &figures.further}) {
      for (const Figure& figure : *some) drawn.insert(name_of(figure));
    }
    draw(report, figures);
  }
  if (where.empty()) add_figures_in(folder, drawn, report);
  return report;
}

struct ReportArguments {
  std::string folder, output;
  std::vector<std::string> where;

  void flags(Flags& flag) {
    flag("DIR", folder, "results folder", {.required = true});
    flag("-o,--output", output, "file to write (default DIR/report.html)");
    flag("--where", where, "use only the records with FIELD=VALUE,VALUE");
  }
};

ExitCode report(const ReportArguments& arguments, const Common&) {
  const std::filesystem::path folder = arguments.folder;
  std::optional<FolderLock> lock;
  if (arguments.output.empty()) lock.emplace(folder);
  if (is_folder(folder) && !is_there(records_file(folder)) && !has_shards(folder) && further_tables(folder).empty())
    throw DataError(folder.string(), "no results and no published tables; use a results folder");
  const std::string html = report_page(report_of(StoredRun(folder), arguments.where));
  write_and_name("report", folder, "report.html", arguments.output, html);
  return ExitCode::ok;
}

std::string kinds_text() {
  std::string text = "diagrams to draw (default: all for which there are records):";
  for (const PlotKind& kind : plot_kinds()) text += fmt::format("\n{}: {}", kind.name, kind.doc);
  return text;
}

struct PlotArguments {
  std::string folder, output, metric, baseline, formats = "svg";
  std::vector<std::string> kinds, where;

  void flags(Flags& flag) {
    flag("DIR", folder, "results folder", {.required = true});
    flag("KIND", kinds, kinds_text());
    flag("--metric", metric, "metric of the curves: acc, mse, train_rmse, weight_error, total_seconds, ...");
    flag("--where", where, "use only the records with FIELD=VALUE,VALUE, for example \"chosen=by loo_mse\"");
    flag("--baseline", baseline, "baseline algorithm of the speed-ups");
    flag("--format", formats, "svg (default), pdf, png, or several: svg,pdf");
    flag("-o,--output", output, "folder in which to write plots/ (default DIR)");
  }
};

ExitCode plot(const PlotArguments& arguments, const Common&) {
  const PlotFormats formats = split_list(arguments.formats);
  require_formats(formats);
  const std::filesystem::path output = arguments.output.empty() ? arguments.folder : arguments.output;
  const FolderLock lock(output);
  const Frame frame = frame_of(StoredRun(arguments.folder)).where(predicate_of(arguments.where));
  PlotSource source = plot_source(frame, arguments.baseline);
  if (arguments.where.empty()) source.predicted = read_test_predictions(arguments.folder);
  write_and_name(figures_of(source, arguments.kinds, arguments.metric, arguments.folder), output, formats);
  return ExitCode::ok;
}

}  // namespace

Command report_command() {
  return command("report", "write a results folder as one HTML page: tables, figures, provenance and config", report,
                 {{"elmx report out/first", "write out/first/report.html"},
                  {"elmx report out/first -o first.html", "write the page to another file"}});
}

Command plot_command() {
  return command("plot", "draw the diagrams of a results folder (DIR/plots/NAME.{svg,pdf,png,gp,dat})", plot,
                 {{"elmx plot out/first", "draw all diagrams"},
                  {"elmx plot out/first nodes --metric rmse", "draw the error against the number of hidden nodes"}});
}

}  // namespace elmx
