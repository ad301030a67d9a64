#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "published/paper_options.hpp"
#include "published/published.hpp"
#include "results/frame.hpp"
#include "table_formats/table.hpp"

namespace elmx {

/// (our algorithm, our metric) -> text, for the cells of tables that are not numbers ("16lK").
using SymbolicCells = std::map<std::pair<std::string, std::string>, std::string>;

struct PaperComparison {
  /// The columns of the published table, then published, measured, beside, ratio, difference, runs, interval, rule and
  /// verdict.
  Table table;
  std::size_t agree = 0;
  std::size_t disagree = 0;   ///< the program exits 5 where this or not_available is not 0
  std::size_t explained = 0;  ///< of those that disagree or are not available, the ones with a reason
  std::size_t tied = 0;       ///< neither met nor missed
  std::size_t undecided = 0;  ///< the runs cannot tell; counts neither way
  std::size_t not_available = 0;
  std::size_t shown = 0;
};

/// Published beside measured, in the order of the published table. Measured is the mean (or sd) over repeats and folds;
/// the verdicts are those of judge.
/// `name` is that of the table. Throws ConfigError where the options name a column that is not there, or where a
/// published row fits several sweep points of the run, or options contradict one another.
PaperComparison compare_with_paper(const PaperOptions& options, const Published& published, const Frame& frame,
                                   const SymbolicCells& symbols = {}, const std::string& name = "paper");

}  // namespace elmx
