#pragma once

#include "results/frame.hpp"
#include "table_formats/table.hpp"
#include "tables/methods_of_rows.hpp"

namespace elmx {

/// Which method of a run is best, and by how much.
struct RunSummary {
  std::vector<std::string> sentences;  ///< one or two on each data set, or on all of them together
  std::vector<Table> tables;           ///< test accuracy or error, the best marked
  std::vector<Table> further;          ///< every method against the best
};

/// The best method on each data set, its difference to the next with the 95 % interval, and the corrected
/// t-test of it (Wilcoxon's where the split is none that the correction is known for), p by Holm for all
/// methods that the best was set against. Where all data sets have the same methods, their mean ranks with
/// Friedman's test and Nemenyi's critical difference; of two methods Wilcoxon's test over the data sets. What
/// cannot be tested is named.
RunSummary summary_of_methods(const Frame& frame);

}  // namespace elmx
