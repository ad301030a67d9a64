#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "report/frame/dimensions.hpp"
#include "report/frame/selection.hpp"

namespace elmx {

/// Returns the rows of a diagram with one curve per method. At each value of the axes ("nodes",
/// "/model/ridge", "mu") there is one row, with the setting chosen there among all settings of the method.
/// Settings are swept numbers of the model and of the scaling of the inputs, sizes and parameters of a grid;
/// swept texts and iterations are not. The trials choose (cross validation, or by the metric that `asked` has
/// for the case), otherwise the best on the test part. Imported methods stay as they are.
std::vector<RecordRow> method_rows(const std::vector<RecordRow>& rows, const Selections& asked,
                                   const std::vector<std::string>& axes);

/// Returns "ridge, nodes at each point: best on the test part, optimistic"; "" if nothing was chosen. `at`
/// follows the names.
std::string choice_text(std::span<const RecordRow> rows, const std::string& at = " at each point");

/// The rows that share a legend entry.
struct EntryRows {
  LegendEntry entry;
  std::string suffix;  ///< ", ridge = 0.1": distinguishes entries of one algorithm
  std::vector<const RecordRow*> rows;
};

/// Groups rows by algorithm and by the dimensions in the legend, in the order of their first rows.
std::vector<EntryRows> by_entry(const std::vector<const RecordRow*>& rows, const Dimensions& dimensions,
                                const std::function<bool(const Dimension&)>& in_legend);

}  // namespace elmx
