#pragma once

#include <algorithm>
#include <string>

#include "base/files/files.hpp"
#include "data/csv/csv.hpp"
#include "data/formats/text_formats.hpp"
#include "data/table/infer.hpp"
#include "data/table/source.hpp"
#include "data/test_files.hpp"
#include "support/paths.hpp"

// Texts of a few lines, read as files are.

namespace elmx {

/// The target is the last column.
inline TableOptions last_is_target(const std::string& missing = "refuse", Task task = Task::regression) {
  TableOptions options;
  options.target = {"-1"};
  options.missing = missing;
  options.task = task;
  return options;
}

/// Everything is inferred: the target, the task and the types of the columns.
inline TableOptions all_inferred() {
  TableOptions options;
  options.guess_target = options.guess_task = true;
  options.missing = "mean";
  return options;
}

inline RawTable read_csv(const std::string& text, const TableOptions& options = last_is_target(),
                         const CsvOptions& csv = {}, const std::string& origin = "f.csv") {
  return read_delimited({origin, text, ""}, csv, options);
}

inline RawTable read_arff(const std::string& text, const TableOptions& options = last_is_target()) {
  return read_arff({"f.arff", text, ""}, options);
}

inline Dataset csv_dataset(const std::string& text, const TableOptions& options = last_is_target(),
                           const CsvOptions& csv = {}) {
  return assemble(read_csv(text, options, csv), options, 0, "made");
}

/// Options for a new file for a model that was trained on `training`, whose target is its last column.
inline TableOptions as_trained_on(const std::string& training, bool strict = false) {
  KnownFile known{.origin = "new.csv", .columns = {}, .strict = strict};
  for (const RawColumn& column : read_csv(training, last_is_target("mean")).columns)
    known.columns.push_back(known_column(column));
  TableOptions options;
  options.known = std::make_shared<const KnownFile>(known);
  return options;
}

/// The report on the column of this name.
inline const ColumnReport& report_on(const ReadReport& report, const std::string& name) {
  const auto found = std::ranges::find(report.columns, name, &ColumnReport::name);
  if (found == report.columns.end()) throw std::out_of_range("no column " + name);
  return *found;
}

/// A file of tests/data/cases.
inline std::string case_file(const std::string& name) { return read_file(source_dir() / "tests/data/cases" / name); }

}  // namespace elmx
