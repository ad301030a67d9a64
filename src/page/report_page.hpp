#pragma once

#include <ctime>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiment/records/record.hpp"
#include "table_formats/table.hpp"
#include "tables/summary_of_methods.hpp"

namespace elmx {

struct DrawnFigure {
  std::string caption;
  std::string svg;  ///< "" = it could not be drawn
};

/// What a page about a results folder is made of.
struct Report {
  std::filesystem::path folder;  ///< its name is the title where the experiment has none
  std::vector<Record> records;
  Json experiment = Json::object();        ///< experiment.json; empty where there is none
  Json reading = Json::object();           ///< data.json; empty where there is none
  std::optional<std::time_t> last_record;  ///< when it was written
  std::vector<std::string> where;          ///< conditions on the records of summary, tables and figures
  std::vector<Table> published;            ///< tables that the folder holds beside the standard ones
  std::vector<std::string> headline;       ///< what to expect of the saved models, and what to do next
  RunSummary summary;                      ///< which method is best
  std::vector<Table> tables;               ///< the standard ones
  std::vector<DrawnFigure> figures;
  std::vector<DrawnFigure> further_figures;  ///< they stand folded below
  std::string without_figures;               ///< why figures are lacking; "" = they are not
  /// figures in formats that a page links to, from the folder of the page
  std::vector<std::filesystem::path> files;
};

/// One page that opens with the summary: the data in a line each, published tables in their layout, who wins,
/// the table and the figures of that; below, folded, everything else: tables, figures, failed trials,
/// provenance, config. Of long tables and lists it shows the beginning and says how much is left out. Throws
/// DataError where an experiment.json does not describe a run.
std::string report_page(const Report& report);

/// One page about the results folders in a folder: how many cells of each published table agree
/// (paper_summary), then for each folder a section that holds what its own page would.
std::string report_page(const std::filesystem::path& folder, const Table& summary, const std::vector<Report>& reports);

}  // namespace elmx
