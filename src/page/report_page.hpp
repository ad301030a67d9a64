#pragma once

#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "experiment/records/record.hpp"
#include "plots/plot.hpp"
#include "table_formats/table.hpp"

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
  std::optional<std::time_t> last_record;  ///< when it was written
  std::vector<Table> published;            ///< tables that the folder holds beside the standard ones
  std::vector<Table> tables;               ///< the standard ones
  std::vector<DrawnFigure> figures;
  std::string without_figures;  ///< why figures are lacking; "" = they are not
};

/// One page that has everything: summary, tables (those with published numbers first), figures, failed trials,
/// provenance, config.
std::string report_page(const Report& report);

}  // namespace elmx
