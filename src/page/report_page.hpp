#pragma once

#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "experiment/records/record.hpp"
#include "plots/plot.hpp"
#include "table_formats/table.hpp"
#include "tables/summary_of_methods.hpp"

namespace elmx {

struct DrawnFigure {
  std::string caption;
  std::string svg;  ///< "" = it could not be drawn
};

/// What a page about a results folder is made of.
struct Report {
  std::string folder;  ///< its name where the experiment has none
  std::vector<Record> records;
  Json experiment = Json::object();        ///< experiment.json; empty where there is none
  Json reading = Json::object();           ///< data.json; empty where there is none
  std::optional<std::time_t> last_record;  ///< when it was written
  std::vector<std::string> where;          ///< conditions on the records of summary, tables and figures
  std::vector<Table> published;            ///< tables that the folder holds beside the standard ones
  RunSummary summary;                      ///< which method is best
  std::vector<Table> tables;               ///< the standard ones
  std::vector<DrawnFigure> figures;
  std::vector<DrawnFigure> further_figures;  ///< they stand folded below
  std::string without_figures;               ///< why figures are lacking; "" = they are not
};

/// One page that opens with the summary: the data in a line each, published tables in their layout, who wins,
/// the table and the figures of that; below, folded, everything else: tables, figures, failed trials,
/// provenance, config.
std::string report_page(const Report& report);

}  // namespace elmx
