#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "results/dimensions.hpp"
#include "results/selection.hpp"

namespace elmx {

/// The rows of a diagram with one curve a method: at each value of the axes ("nodes", "/model/ridge", "mu")
/// those of all settings that the method was run with, one row with the setting that is chosen there.
/// Settings are swept numbers of the model and of the scaling of the inputs, sizes and parameters of a grid.
/// The choice is that of the trials (cross validation, or by the metric that `asked` has for the case), else
/// the best on the test part. Swept texts and iterations are no settings. Imported methods stay as they are.
std::vector<RecordRow> method_rows(const std::vector<RecordRow>& rows, const Selections& asked,
                                   const std::vector<std::string>& axes);

/// "ridge, nodes at each point: best on the test part, optimistic"; "" where nothing was chosen. `at` follows
/// the names.
std::string choice_text(std::span<const RecordRow> rows, const std::string& at = " at each point");

/// The rows that share a legend entry.
struct EntryRows {
  LegendEntry entry;
  std::string suffix;  ///< ", ridge = 0.1": tells entries of one algorithm apart
  std::vector<const RecordRow*> rows;
};

/// The rows by algorithm and by those dimensions that the legend has, in the order of their first rows.
std::vector<EntryRows> by_entry(const std::vector<const RecordRow*>& rows, const Dimensions& dimensions,
                                const std::function<bool(const Dimension&)>& in_legend);

}  // namespace elmx
