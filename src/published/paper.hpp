#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiment/plan/plan.hpp"
#include "plots/plot.hpp"
#include "published/verdicts.hpp"
#include "results/frame.hpp"
#include "table_formats/table.hpp"

namespace elmx {

/// Counts the cells of each verdict, those that are no facts of their own left out.
struct PaperComparison : VerdictCounts {
  /// The columns of the published table, then published, measured, beside, ratio, difference, runs, interval
  /// and verdict; below it the counts, the rules and the deviations.
  Table table;
  /// the claims of the text that these cells judge; without rows where the options have none
  Table claims;
};

/// In the text of the verdict of a cell that is not counted, before the reason.
inline constexpr const char* kNotCounted = "not counted: ";

/// Published beside measured, in the order of the published table, with the verdicts of judge. `name` is that
/// of the table. Throws ConfigError where the options name a column that is not there or contradict one
/// another, or where a published row fits several sweep points of the run.
PaperComparison compare_with_paper(const PaperOptions& options, const Published& published, const Frame& frame,
                                   const SymbolicCells& symbols = {}, const std::string& name = "paper");

/// The diagram of a comparison that PaperOptions::plot_against asks for: the numbers of `table`, and
/// published ones of the algorithms that "where" leaves out. None where the option is "" or no published row
/// is used. Throws ConfigError where the column is unknown or has a text that is no number, or where the rows
/// are of several metrics.
std::optional<ComparedPlot> plot_with_paper(const PaperOptions& options, const Published& published,
                                            const Table& table);

/// Sentences about a table: how its cells are judged, by each rule that is used, and what deviates from the
/// paper.
std::vector<std::string> paper_notes(const PaperOptions& options, const Published& published);

/// The sizes of the data of each case as records that tables of data sets can be compared with, without a
/// run: metrics "features" (columns of X), "train_samples" and "test_samples" of "standard".
std::vector<Record> sizes_of_data(const Plan& plan);

/// A published table, and the folder of its run.
struct TableOfRun {
  std::string id;
  std::filesystem::path run;
};

/// Counts the cells of each verdict for each published table, from the comparisons that runs have left in
/// RUN/tables/ID.json: one row a published table, in the natural order of their names, and one for each
/// family's sum. A table that was not run says so. Throws DataError where a file is not a comparison.
Table paper_summary(std::vector<TableOfRun> tables);

}  // namespace elmx
