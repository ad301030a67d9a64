#pragma once

#include <ctime>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiment/records/record.hpp"
#include "report/formats/table.hpp"
#include "report/tables/summary_of_methods.hpp"

namespace elmx {

struct DrawnFigure {
  std::string caption;
  std::string svg;  ///< "" = not drawn
};

/// The contents of a page about a results folder.
struct Report {
  std::filesystem::path folder;  ///< its name is the title if the experiment has none
  std::vector<Record> records;
  Json experiment = Json::object();        ///< experiment.json; empty if there is none
  Json reading = Json::object();           ///< data.json; empty if there is none
  std::optional<std::time_t> last_record;  ///< time at which it was written
  std::vector<std::string> where;          ///< conditions on the records of summary, tables and figures
  std::vector<Table> published;            ///< further tables in the folder besides the standard ones
  std::vector<std::string> headline;       ///< expected performance of the saved models, and next steps
  RunSummary summary;                      ///< comparison of the methods
  std::vector<Table> tables;               ///< the standard tables
  std::vector<DrawnFigure> figures;
  std::vector<DrawnFigure> further_figures;  ///< folded below the others
  std::string without_figures;               ///< why figures are missing; "" = none is missing
  /// figures in formats that a page links to, relative to the folder of the page
  std::vector<std::filesystem::path> files;
};

/// Returns a page that opens with the summary: one line per data set, published tables in their layout, the
/// best method with its table and figures. Everything else is folded below: tables, figures, failed trials,
/// provenance, config. Long tables and lists are cut, with a note on the omitted part. Throws DataError if an
/// experiment.json does not describe a run.
std::string report_page(const Report& report);

/// Returns a page about the results folders in a folder: how many cells of each published table agree
/// (paper_summary), then for each folder a section with the contents of its own page.
std::string report_page(const std::filesystem::path& folder, const Table& summary, const std::vector<Report>& reports);

}  // namespace elmx
