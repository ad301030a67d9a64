#pragma once

#include <armadillo>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/rows/input_rows.hpp"
#include "data/table/table.hpp"

namespace elmx {

/// One data set, in memory except for inputs that stay in their file. Samples are rows; nothing is scaled,
/// shuffled or split.
struct Dataset {
  std::string name;
  Task task = Task::regression;
  /// N x d inputs, finite except for missing values; nominal columns are one-hot.
  arma::mat X;
  std::shared_ptr<const RowSource> on_disk;  ///< in place of X: inputs that are read in blocks
  double pass_seconds = 0;                   ///< time of one pass over on_disk, for plans
  arma::mat Y;                               ///< N x c regression targets (empty for classification)
  arma::uvec labels;                         ///< N class indices into `classes` (empty for regression)
  /// Class names; numbers in numeric order, others in alphabetical order.
  std::vector<std::string> classes;
  /// The positive class of a two-class problem, a member of `classes`; "" = the second.
  std::string positive;
  std::vector<std::string> inputs;   ///< names of the d columns of X
  std::vector<KnownColumn> columns;  ///< the columns of the file, if it is a table
  bool sparse = false;               ///< a sparse table: an absent input is zero
  /// NaN in X is a missing value, to be replaced by the mean of the rows that training uses.
  bool missing = false;
  /// Columns of X that are indicators (1 or 0) of a category of a nominal input.
  arma::uvec one_hot;
  std::optional<RawColumn> split;  ///< the column of N categories that a split requires
  /// If rows were dropped: the row numbers of the N samples in the files, counted from 0.
  arma::uvec kept_rows;
  /// Rows [0, published_train) are the published training part; 0 = no published split.
  arma::uword published_train = 0;
  std::vector<std::string> sha256;  ///< checksums of the files, in reading order
  ReadReport report;                ///< every decision that was made while the files were read
  std::vector<char> imputed = {};   ///< new file for a model: marks rows with an imputed value
  /// New file for a model: columns that were requested in addition to the inputs.
  std::vector<RawColumn> kept = {};
  std::vector<arma::uword> constant = {};  ///< columns of `on_disk` that are the same in all rows
  arma::uvec missing_of = {};              ///< number of missing values of each column of `on_disk`

  /// Returns a view of the inputs, in memory or on disk. The data set must outlive the view.
  InputRows input_rows() const { return on_disk ? InputRows(*on_disk) : InputRows(X); }
  arma::uword samples() const { return input_rows().samples(); }
  arma::uword dimension() const { return input_rows().dimension(); }
};

/// Sets the classes and labels of `data`. names: distinct class names; numbers: N indices into `names`, or
/// NaN for a sample whose label becomes the number of classes. Names are sorted in numeric order if all are
/// numbers, else in alphabetical order; a name without a sample is left out.
void set_classes(Dataset& data, const std::vector<std::string>& names, const std::vector<double>& numbers);

/// Sets the targets of a data set whose task is set. T is N x c for a regression, and N x 1 class numbers for
/// a classification; names[k] is the name of class k, and without names a class is named by its number.
void set_targets(Dataset& data, arma::mat T, std::vector<std::string> names = {});

/// Sets numeric rows as the inputs of a data set that has their names. on_disk: the rows stay where they are,
/// and one pass checks every number; otherwise they are read into memory. `origin` starts the messages.
/// Throws DataError.
void put_inputs(Dataset& data, SharedRows rows, bool on_disk, const std::string& origin);

/// Turns a table into numbers. Frees its columns one by one, so that memory holds little more than one copy.
///
///     missing target       the row is left out
///     missing "drop_rows"  a row with a missing input is left out, too
///     missing "mean"       numbers stay NaN, for preprocessing to fill; categories get one more category "?"
///     one-hot              one column per category, named "column=category": as declared, else in
///                          alphabetical order;
///     codes                or one column of their numbers 0, 1, ... in the same order
///     dates                one column per part, named "column:days", ...
///
/// In a new file for a model, all columns of an unknown category are NaN, as a missing date or number is, and
/// get their means. Both are counted in the report, and `imputed` of the data set marks their rows.
///
/// train_rows: rows of the published training part, 0 = no published split. name: the name of the set, which
/// starts the messages. incomplete: set if the inputs stay in a file, so that their columns have no values
/// here and X is empty; says for each row whether an input is missing (empty: none is). Throws DataError.
Dataset assemble(RawTable table, const TableOptions& options, arma::uword train_rows, const std::string& name,
                 const std::optional<std::vector<char>>& incomplete = std::nullopt);

/// Throws DataError, with column and row, if a value exceeds kLargestValue. `origin` starts the message.
void refuse_large_values(const Dataset& data, const std::string& origin);

/// Throws DataError if all samples of a classification belong to one class.
void refuse_one_class(const Dataset& data);

/// Throws DataError if the name of a column, category or class is not UTF-8, because a saved model cannot
/// store it.
void refuse_names_beyond_utf8(const Dataset& data, const std::string& origin);

/// Returns a warning about classes with a single row and a remedy; "" = there are none.
std::string about_lone_class(const Dataset& data);

/// The column, of dates or seconds since 1970, by which the rows of a data set are sorted.
struct TimeOrder {
  std::string column;
  bool newest_first = false;
  bool complete = true;  ///< every row has a value
};
std::optional<TimeOrder> time_order_of(const Dataset& data);

/// Adds warnings about unusual data to the report. Columns with the same warning share a line.
void warn_of_unusual_data(Dataset& data);

/// Summarises the data set in at most ten lines. The first line has rows, inputs and target; the others
/// report further decisions and warnings.
std::vector<std::string> essence_of(const Dataset& data);

}  // namespace elmx
