#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "published/measurement.hpp"
#include "published/paper_options.hpp"
#include "published/published.hpp"

namespace elmx {

/// (our algorithm, our metric) -> text, for the cells of tables that are not numbers ("16lK").
using SymbolicCells = std::map<std::pair<std::string, std::string>, std::string>;

/// The question that a row of a published table puts to the run.
struct PaperQuestion {
  std::string experiment_case, algorithm;
  std::optional<arma::uword> nodes;       ///< none: the largest reported, or the best
  std::optional<arma::uword> iterations;  ///< none: the most reported
  bool best_size = false;
  std::string published_metric, metric;  ///< in lower case, and ours
  std::string statistic;                 ///< mean or sd
  std::string reference;                 ///< algorithm that a speed-up is over, or that is to be reached
  std::map<std::string, std::string> point;
  std::string chosen;  ///< an algorithm without a grid has nothing to choose and fits too
};

/// A published cell and what was measured for it.
struct PaperCell {
  const PublishedRow* row = nullptr;
  std::string table;  ///< of the paper, where the file holds several (column "table")
  PaperQuestion asked;
  PaperRule rule;
  std::string published_text, measured_text;
  std::optional<double> published;     ///< in our unit; none where the cell is not a number
  std::optional<double> published_sd;  ///< of one published run, in our unit; none where it or their number is unknown
  arma::uword published_runs = 0;      ///< behind a published mean; 0: unknown
  Measurement measured;
  std::vector<Measurement> beside;  ///< measured under the other conditions of PaperOptions::beside
};

/// The rule that judges the row: the first that matches; null where none does.
const PaperRule* rule_for(const PaperOptions& options, const PublishedRow& row);

/// The cells of a published table, each with what `rows` or `symbols` have for it and the rule that judges it. `grids`:
/// the points of grids, which kBestInItsMetric chooses among. Cells whose rule has a relative_to are divided by the
/// cell that it names: published by published, measured by measured. Throws ConfigError.
std::vector<PaperCell> match_cells(const PaperOptions& options, const Published& published,
                                   const std::vector<RecordRow>& rows, const std::vector<RecordRow>& grids,
                                   const SymbolicCells& symbols);

}  // namespace elmx
