#include <fmt/core.h>
#include <sys/stat.h>

#include <iostream>

#include "base/files/fsio.hpp"
#include "base/files/own_files.hpp"
#include "base/files/temporary_file.hpp"
#include "base/printable.hpp"
#include "commands.hpp"
#include "experiment/records/provenance.hpp"
#include "experiment/shards/merged_shards.hpp"
#include "page/report_page.hpp"
#include "page/report_sections.hpp"
#include "page/reports_page.hpp"
#include "plots/plot_kinds.hpp"
#include "published/paper_summary.hpp"
#include "results/natural_order.hpp"
#include "table_formats/json.hpp"

namespace elmx {
namespace {

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

/// Draws in a folder of its own: the page alone is the result.
void draw(Report& report, const PartedFigures& figures) {
  const TemporaryFile scratch = temporary_folder();
  std::size_t not_drawn = 0;
  bool gnuplot_found = true;
  for (const auto& [from, to] :
       {std::pair(&figures.first, &report.figures), std::pair(&figures.further, &report.further_figures)}) {
    const WrittenPlots written = write_plots(scratch.path(), *from);
    not_drawn += written.not_drawn.size();
    gnuplot_found = gnuplot_found && written.gnuplot_found;
    for (const Figure& figure : *from) {
      const auto svg = scratch.path() / "plots" / (name_of(figure) + ".svg");
      to->push_back({caption_of(figure), std::filesystem::exists(svg) ? read_file(svg) : ""});
    }
  }
  if (not_drawn == 0) return;
  report.without_figures = gnuplot_found ? fmt::format("gnuplot failed to draw {} of the figures.", not_drawn)
                                         : "There are no figures: gnuplot, which draws them, is not installed.";
  std::cerr << report.without_figures << '\n';
}

std::optional<std::time_t> time_of(const std::filesystem::path& file) {
  struct stat found {};
  return ::stat(file.c_str(), &found) == 0 ? std::optional(found.st_mtime) : std::nullopt;
}

std::string page_of(const Report& report, const std::filesystem::path& folder) {
  try {
    return report_page(report);
  } catch (const Json::exception& error) {
    throw DataError(
        fmt::format("{}: not the description of a run: {}", (folder / "experiment.json").string(), error.what()));
  }
}

std::string last_name_of(const std::filesystem::path& folder) {
  return printable((folder.filename().empty() ? folder.parent_path() : folder).filename().string());
}

/// What lies in the folder, without tables and figures of its records.
Report report_of(const std::filesystem::path& folder) {
  std::error_code ignored;
  Report report;
  report.folder = last_name_of(folder);
  report.published = further_tables(folder);
  if (report.published.empty() || std::filesystem::exists(records_file(folder), ignored))
    report.records = records_in(folder);
  report.last_record = time_of(records_file(folder));
  if (std::filesystem::exists(folder / "experiment.json", ignored))
    report.experiment = read_json_file(folder / "experiment.json");
  if (std::filesystem::exists(folder / kDataFile, ignored)) report.reading = read_json_file(folder / kDataFile);
  return report;
}

/// The folders below that hold published tables, where the folder itself holds no results.
std::vector<std::filesystem::path> folders_of_published(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> folders;
  std::error_code none;
  if (std::filesystem::exists(folder / "experiment.json", none) || std::filesystem::exists(records_file(folder), none))
    return folders;
  for (const auto& one : std::filesystem::directory_iterator(folder, none)) {
    if (std::ranges::any_of(further_tables(one.path()), is_published)) folders.push_back(one.path());
  }
  std::ranges::sort(folders,
                    [](const auto& a, const auto& b) { return compare_naturally(a.string(), b.string()) < 0; });
  return folders;
}

/// The figures that a run has drawn, as they lie there.
std::vector<DrawnFigure> figures_in(const std::filesystem::path& folder) {
  std::vector<DrawnFigure> figures;
  std::error_code none;
  for (const auto& file : std::filesystem::directory_iterator(folder / "plots", none)) {
    if (file.path().extension() == ".svg") figures.push_back({file.path().stem().string(), read_file(file.path())});
  }
  std::ranges::sort(figures, {}, &DrawnFigure::caption);
  return figures;
}

ExitCode report_published(const std::filesystem::path& folder, const std::vector<std::filesystem::path>& folders,
                          const std::string& output) {
  std::vector<Report> reports;
  std::vector<TableOfRun> tables;
  for (const std::filesystem::path& one : folders) {
    reports.push_back(report_of(one));
    reports.back().figures = figures_in(one);
    for (const Table& table : reports.back().published) tables.push_back({table.name, one});
  }
  const std::string page =
      reports_page("Published tables and ours: " + last_name_of(folder), paper_summary(std::move(tables)), reports);
  const std::filesystem::path file = output.empty() ? folder / "report.html" : std::filesystem::path(output);
  write_output(file, page);
  std::cerr << printable("report: " + file.string()) << '\n';
  return ExitCode::ok;
}

ExitCode report(const std::filesystem::path& folder, const std::string& output, const std::vector<std::string>& where) {
  std::optional<FolderLock> lock;
  if (output.empty()) lock.emplace(folder);
  if (const auto folders = folders_of_published(folder); !folders.empty()) {
    if (!where.empty()) throw ConfigError("--where: of a folder of published tables; allowed: with one results folder");
    return report_published(folder, folders, output);
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(folder, ignored) && !std::filesystem::exists(records_file(folder), ignored) &&
      !has_shards(folder) && further_tables(folder).empty()) {
    throw DataError(folder.string() +
                    ": no records and no published tables; allowed: a results folder, or one of those with tables of "
                    "elmx reproduce");
  }
  Report report = report_of(folder);
  report.where = where;
  if (!report.records.empty()) {
    RecordTableOptions options = table_options(folder);
    options.where = where;
    report.tables = tables_of_records(report.records, options);
    const PlotSource source = plot_source(report.records, options);
    report.answer = answer_of(source.rows, read_description(folder));
    draw(report, parted_figures(source));
  }
  const std::string page = page_of(report, folder);
  if (output.empty())
    write_own_file(folder, "report.html", page);
  else
    write_output(output, page);
  std::cerr << printable("report: " + (output.empty() ? (folder / "report.html").string() : output)) << '\n';
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
