#include <fmt/core.h>
#include <sys/stat.h>

#include <iostream>
#include <set>

#include "base/files/fsio.hpp"
#include "base/files/own_files.hpp"
#include "base/files/temporary_file.hpp"
#include "base/printable.hpp"
#include "commands.hpp"
#include "experiment/records/provenance.hpp"
#include "experiment/shards/merged_shards.hpp"
#include "page/paper_layout.hpp"
#include "page/report_page.hpp"
#include "plots/plot_kinds.hpp"
#include "published/paper.hpp"
#include "results/natural_order.hpp"
#include "table_formats/table_formats.hpp"
#include "tables/tables_of_records.hpp"

namespace elmx {
namespace {

constexpr std::size_t kMostFigures = 100, kMostFiguresOfSeveral = 6;  // of a folder

/// The tables that the folder holds beside the standard ones, by name.
std::vector<Table> further_tables(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code none;
  for (const auto& file : std::filesystem::directory_iterator(folder / "tables", none)) {
    const bool ours = std::ranges::count(standard_table_names(), file.path().stem().string()) > 0;
    if (file.path().extension() == ".json" && !ours) files.push_back(file.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<Table> tables;
  for (const auto& file : files) {
    if (auto table = table_from_json_text(read_file(file)))
      tables.push_back(std::move(*table));
    else
      std::cerr << "elmx: " << printable(file.string()) << ": not a table; it is left out\n";
  }
  return tables;
}

/// Draws at most `most` figures, in a folder of its own, because the page alone is the result.
void draw(Report& report, PartedFigures figures, std::size_t most) {
  const std::size_t all = figures.first.size() + figures.further.size();
  const TemporaryFile scratch = temporary_folder();
  std::size_t shown = 0, not_drawn = 0;
  bool gnuplot_found = true;
  for (const auto& [some, to] :
       {std::pair(&figures.first, &report.figures), std::pair(&figures.further, &report.further_figures)}) {
    some->erase(some->begin() + static_cast<std::ptrdiff_t>(std::min(some->size(), most - shown)), some->end());
    shown += some->size();
    const WrittenPlots written = write_plots(scratch.path(), *some);
    not_drawn += written.not_drawn.size();
    gnuplot_found = gnuplot_found && written.gnuplot_found;
    for (const Figure& figure : *some) {
      const auto svg = scratch.path() / "plots" / (name_of(figure) + ".svg");
      to->push_back({caption_of(figure), std::filesystem::exists(svg) ? read_file(svg) : ""});
    }
  }
  if (not_drawn > 0) {
    report.without_figures = gnuplot_found ? fmt::format("gnuplot failed to draw {} of the figures.", not_drawn)
                                           : "There are no figures: gnuplot, which draws them, is not installed.";
    std::cerr << report.without_figures << '\n';
  } else if (shown < all) {
    report.without_figures = fmt::format("This page shows {} of {} figures; elmx plot draws all of them.", shown, all);
  }
}

bool has_records(const std::filesystem::path& folder) {
  std::error_code none;
  return std::filesystem::exists(records_file(folder), none);
}

std::optional<std::time_t> time_of(const std::filesystem::path& file) {
  struct stat found {};
  return ::stat(file.c_str(), &found) == 0 ? std::optional(found.st_mtime) : std::nullopt;
}

/// The figures that lie in the folder. Those that are not drawn anew are shown too, those of other formats are
/// linked to from a page in `page`.
void add_figures_in(const std::filesystem::path& folder, const std::set<std::string>& drawn,
                    const std::filesystem::path& page, Report& report) {
  std::error_code none;
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(folder / "plots", none)) files.push_back(file.path());
  std::ranges::sort(files);
  for (const std::filesystem::path& file : files) {
    const std::string stem = file.stem().string(), end = file.extension().string();
    if (end == ".svg" && report.where.empty() && !drawn.contains(stem))
      report.further_figures.push_back({stem, read_file(file)});
    if (end == ".pdf" || end == ".png") report.files.push_back(std::filesystem::proximate(file, page, none));
  }
}

/// What lies in the folder, and the summary, tables and at most `most_figures` of its records, for a page in the folder
/// `page`.
Report report_of(const StoredRun& stored, const std::vector<std::string>& where, const std::filesystem::path& page,
                 std::size_t most_figures) {
  const std::filesystem::path& folder = stored.folder();
  std::error_code ignored;
  Report report;
  report.folder = folder;
  report.where = where;
  report.published = further_tables(folder);
  std::optional<Frame> frame;
  if (report.published.empty() || has_records(folder)) frame = frame_of(stored);
  if (frame) report.records = frame->all_records();
  report.last_record = time_of(records_file(folder));
  if (!stored.experiment().is_null()) report.experiment = stored.experiment();
  if (std::filesystem::exists(folder / kDataFile, ignored)) report.reading = read_json_file(folder / kDataFile);
  std::set<std::string> drawn;
  if (frame) {
    frame = frame->where(predicate_of(where));
    report.tables = tables_of_records(*frame);
    report.summary = summary_of_methods(*frame);
    PlotSource source = plot_source(*frame);
    if (where.empty()) source.predicted = read_test_predictions(folder);
    PartedFigures figures = parted_figures(source);
    for (const auto* some : {&figures.first, &figures.further}) {
      for (const Figure& figure : *some) drawn.insert(name_of(figure));
    }
    draw(report, std::move(figures), most_figures);
  }
  add_figures_in(folder, drawn, page, report);
  return report;
}

/// The folders below that hold published tables, where the folder itself holds no results.
std::vector<std::filesystem::path> folders_of_published(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> folders;
  std::error_code none;
  if (std::filesystem::exists(folder / "experiment.json", none) || has_records(folder)) return folders;
  for (const auto& one : std::filesystem::directory_iterator(folder, none)) {
    if (std::ranges::any_of(further_tables(one.path()), is_published)) folders.push_back(one.path());
  }
  std::ranges::sort(folders,
                    [](const auto& a, const auto& b) { return compare_naturally(a.string(), b.string()) < 0; });
  return folders;
}

ExitCode report(const std::filesystem::path& folder, const std::string& output, const std::vector<std::string>& where) {
  std::optional<FolderLock> lock;
  if (output.empty()) lock.emplace(folder);
  const std::vector<std::filesystem::path> several = folders_of_published(folder);
  if (!several.empty() && !where.empty())
    throw ConfigError("--where selects records of one results folder; name one of those in " + folder.string());
  std::error_code ignored;
  if (several.empty() && std::filesystem::is_directory(folder, ignored) && !has_records(folder) &&
      !has_shards(folder) && further_tables(folder).empty())
    throw DataError(folder.string() +
                    ": no records and no published tables; expected a results folder, or one of those with tables of "
                    "elmx reproduce");
  const std::filesystem::path file = output.empty() ? folder / "report.html" : std::filesystem::path(output),
                              page = file.has_parent_path() ? file.parent_path() : ".";
  std::vector<Report> reports;
  for (const std::filesystem::path& one : several)
    reports.push_back(report_of(StoredRun(one), {}, page, kMostFiguresOfSeveral));
  std::vector<TableOfRun> tables;
  for (const Report& one : reports) {
    for (const Table& table : one.published) tables.push_back({table.name, one.folder});
  }
  const std::string html = several.empty() ? report_page(report_of(StoredRun(folder), where, page, kMostFigures))
                                           : report_page(folder, paper_summary(std::move(tables)), reports);
  if (output.empty() && several.empty())
    write_own_file(folder, "report.html", html);
  else
    write_output(file, html);
  std::cerr << printable("report: " + file.string()) << '\n';
  return ExitCode::ok;
}

}  // namespace

void add_report(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand(
      "report",
      "write one HTML page of a results folder: tables, figures, provenance, config; of a folder that holds several "
      "(out/paper, results): their published tables");
  auto folder = std::make_shared<std::string>();
  auto output = std::make_shared<std::string>();
  command->add_option("DIR", *folder, "results folder, or a folder of such folders")->required();
  auto where = std::make_shared<std::vector<std::string>>();
  command->add_option("-o,--output", *output, "file (default DIR/report.html)");
  command->add_option("--where", *where, "field=value,value; tables and figures of those records only")
      ->allow_extra_args(false);
  command->callback([=, &action] { action = [=] { return report(*folder, *output, *where); }; });
}

}  // namespace elmx
