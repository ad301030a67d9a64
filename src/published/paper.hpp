#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiment/config/layered_config.hpp"
#include "experiment/plan/plan.hpp"
#include "published/verdicts.hpp"
#include "report/formats/table.hpp"
#include "report/frame/frame.hpp"
#include "report/plots/plot.hpp"

namespace elmx {

/// The counts of the verdicts, without cells that are not facts of their own.
struct PaperComparison : VerdictCounts {
  /// the columns of the published table, then published, measured, beside, ratio, difference, runs, interval
  /// and verdict; below them the counts, the rules and the deviations
  Table table;
  /// the claims of the text that these cells judge; no rows if the options have none
  Table claims;
};

/// The beginning of the verdict of a cell that is not counted, before the reason.
inline constexpr const char* kNotCounted = "not counted: ";

/// Returns published beside measured numbers, in the order of the published table, with the verdicts of
/// judge. `name`: the name of the table. Throws ConfigError if the options name an unknown column or
/// contradict one another, or if a published row fits several sweep points of the run.
PaperComparison compare_with_paper(const PaperOptions& options, const Published& published, const Frame& frame,
                                   const SymbolicCells& symbols = {}, const std::string& name = "paper");

/// Returns the diagram of a comparison that PaperOptions::plot_against requests: the numbers of `table`, and
/// published numbers of the algorithms that "where" omits. None if the option is "" or no published row is
/// used. Throws ConfigError if the column is unknown or has a text that is not a number, or if the rows have
/// several metrics.
std::optional<Plot> plot_with_paper(const PaperOptions& options, const Published& published, const Table& table);

/// Returns sentences on the rules by which the cells are judged and on the deviations from the paper.
std::vector<std::string> paper_notes(const PaperOptions& options, const Published& published);

/// Returns the sizes of the data of each case as records, so that tables of data sets can be compared without
/// a run: metrics "features" (columns of X), "train_samples" and "test_samples" of "standard".
std::vector<Record> sizes_of_data(const Plan& plan);

/// A published table, and the folder of its run.
struct TableOfRun {
  std::string id;
  std::filesystem::path run;
};

/// Counts the cells of each verdict for each published table, from the comparisons in RUN/tables/ID.json: one
/// row per published table, in the natural order of their names, and one row per sum of a family. A table
/// without a run says so. Throws DataError if a file is not a comparison.
Table paper_summary(std::vector<TableOfRun> tables);

/// A published table that `elmx reproduce` knows: its config, and the content of the config's "paper" key.
struct PaperTable {
  std::string id;
  LayeredConfig config;  ///< without "model" nothing is trained
  PaperOptions options;
  Published published;
};

/// Returns the ids of the published tables: the files of configs/paper.
std::vector<std::string> paper_ids();

/// Returns the config of a published table, merged over the config of its run. `full` selects the scale that
/// decides the table's claims. Throws ConfigError that suggests the nearest known id.
LayeredConfig paper_config(const std::string& id, const std::vector<std::string>& assignments, bool full);

/// Returns the same config together with the content of its "paper" key.
PaperTable paper_table(const std::string& id, const std::vector<std::string>& assignments, bool full);

/// Returns the schema of a config with all names of data sets and metrics, and with the content of "paper".
Json schema_with_names();

}  // namespace elmx
