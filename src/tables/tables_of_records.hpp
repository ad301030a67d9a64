#pragma once

#include <string>
#include <vector>

#include "results/frame.hpp"
#include "table_formats/table.hpp"

namespace elmx {

/// Throws ConfigError where a reference is named and no row of the frame has that algorithm.
void refuse_unknown_reference(const Frame& frame, const std::string& reference);

/// The tables that `elmx run` prints, those without a number left out:
///
///     errors           the diagnostics, means over repeats and folds
///     selection        what the training part says of the error on other samples, likewise
///     regression, classification
///                      metrics of test, unlabelled and train part and structure of the networks, mean +- deviation
///     time             time_table
///     grid             every point of the grids, means (Table::only_in_file); the others have the choices among them
///     confusion        test samples of each true class by predicted class (Table::only_in_file)
///     selected         what each trial has selected (Table::only_in_file)
///     headline         what to expect of the saved models (headline_table), which needs the folder of the run: not here
///
/// A failed trial is a footnote at its row, and NA where none of the row's trials succeeded. So are weights
/// that may be far off; what steps note of a metric (why it is not available, a 0 / 0 taken as 0) is a
/// footnote at its cell. `reference`: the algorithm that speed-ups are over, wherever it runs; "" = that of
/// the config. Throws ConfigError where the frame does not have it.
std::vector<Table> tables_of_records(const Frame& frame, const std::string& reference = "");

/// Their names: "errors", ...
const std::vector<std::string>& standard_table_names();

}  // namespace elmx
