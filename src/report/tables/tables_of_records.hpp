#pragma once

#include <string>
#include <vector>

#include "report/formats/table.hpp"
#include "report/frame/frame.hpp"

namespace elmx {

/// Throws ConfigError if a reference is named and no row of the frame has that algorithm.
void refuse_unknown_reference(const Frame& frame, const std::string& reference);

/// Returns the tables that `elmx run` prints, except those without a number:
///
///     errors           the diagnostics, means over repeats and folds
///     selection        estimates of the error on other samples from the training part, means
///     regression, classification
///                      metrics of test, unlabelled and train part, structure of the networks: mean +- sd
///     time             time_table
///     grid             all points of the grids, means (Table::only_in_file); other tables have the choices
///     confusion        test samples of each true class by predicted class (Table::only_in_file)
///     selected         the selection of each trial (Table::only_in_file)
///
/// The table "headline" (headline_table) needs the folder of the run and is not included. A failed trial is a
/// footnote at its row; the row is NA if none of its trials succeeded. Weights that may be inaccurate are
/// footnotes of the row, too. Notes of steps on a metric (why it is not available, a 0 / 0 taken as 0) are
/// footnotes at its cell. `reference`: the algorithm that speed-ups are over in all cases that have it;
/// "" = the baseline of the config. Throws ConfigError if the frame does not have it.
std::vector<Table> tables_of_records(const Frame& frame, const std::string& reference = "");

/// Returns the names of these tables and of "headline".
const std::vector<std::string>& standard_table_names();

}  // namespace elmx
