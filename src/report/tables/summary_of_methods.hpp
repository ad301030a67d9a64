#pragma once

#include "report/formats/table.hpp"
#include "report/frame/frame.hpp"
#include "report/tables/methods_of_rows.hpp"

namespace elmx {

/// The best method of a run and its distance to the other methods.
struct RunSummary {
  std::vector<std::string> sentences;  ///< one or two on each data set, or on all of them together
  std::vector<Table> tables;           ///< test accuracy or error, the best marked
  std::vector<Table> further;          ///< every method against the best
};

/// Finds the best method on each data set, its difference to the next with the 95 % interval, and the
/// corrected t-test of that difference (Wilcoxon's test if the correction is unknown for the split). p is
/// corrected by Holm for all methods compared with the best. If all data sets have the same methods, adds
/// their mean ranks with Friedman's test and Nemenyi's critical difference, or for two methods Wilcoxon's
/// test over the data sets. The sentences name comparisons that cannot be tested.
RunSummary summary_of_methods(const Frame& frame);

}  // namespace elmx
