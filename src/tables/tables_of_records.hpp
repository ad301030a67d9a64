#pragma once

#include <map>
#include <string>
#include <vector>

#include "experiment/records/record.hpp"
#include "results/record_rows.hpp"
#include "results/selection.hpp"
#include "table_formats/table.hpp"

namespace elmx {

struct RecordTableOptions {
  RecordOrder order;
  /// The algorithm that speed-ups are over, wherever it runs; "" = that of `baselines`.
  std::string reference;
  Selections select = {};
  std::vector<std::string> where = {};                ///< "field=value,value": see select_rows
  std::map<std::string, std::string> baselines = {};  ///< case -> what its config asks for: see reference_algorithms
  TargetsOfCases targets = {};
  ClassesOfSets classes = {};
};

/// The rows of the records, the points of grids and the choices among them, under the conditions.
std::vector<RecordRow> shown_rows(const std::vector<Record>& records, const RecordTableOptions& options);

/// Throws ConfigError where no record is of the reference of the options.
void refuse_unknown_reference(const std::vector<RecordRow>& rows, const RecordTableOptions& options);

/// The tables that `elmx run` prints, those without a number left out:
///
///     errors                       the diagnostics, means over repeats and folds
///     selection                    what the training part says of the error on other samples, likewise
///     regression, classification   metrics of test, unlabelled and train part and the structure of the networks, mean
///     +-
///                                  standard deviation over repeats and folds
///     time                         seconds, and speed-ups over the reference with their 95 % intervals
///     grid                         where an algorithm has several grid points, or a case selects among its own: all of
///                                  them, means (Table::only_in_file); the other tables have the choices among them
///     confusion                    test samples of each true class by predicted class, summed over distinct trials
///                                  (Table::only_in_file)
///     selected                     what each trial has selected (Table::only_in_file)
///
/// A failed trial is a footnote at its row, and NA where none of the row's trials succeeded. So are weights
/// that may be far off; what steps note of a metric (why it is not available, a 0 / 0 taken as 0) is a
/// footnote at its cell. Throws ConfigError where the records do not have the reference algorithm, and as
/// select_rows does.
std::vector<Table> tables_of_records(const std::vector<Record>& records, const RecordTableOptions& options = {});

/// Their names: "errors", ...
const std::vector<std::string>& standard_table_names();

}  // namespace elmx
