#pragma once

#include <armadillo>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/rows/input_rows.hpp"
#include "data/table/known_columns.hpp"
#include "data/table/table.hpp"

namespace elmx {

/// One data set, in memory but for inputs that stay in their file. Samples are rows; nothing is scaled,
/// shuffled or split.
struct Dataset {
  std::string name;
  Task task = Task::regression;
  /// N x d inputs, finite, but for those that are `missing`; nominal columns are one-hot
  arma::mat X;
  std::shared_ptr<const RowSource> on_disk;  ///< in place of X: inputs that are read in blocks
  double pass_seconds = 0;                   ///< what reading those once took, for plans
  arma::mat Y;                               ///< N x c regression targets (empty for classification)
  arma::uvec labels;                         ///< N class indices into `classes` (empty for regression)
  /// class names; numbers in numeric order, else in alphabetical order
  std::vector<std::string> classes;
  /// the positive class of a two-class problem, one of `classes`; "" = the second
  std::string positive;
  std::vector<std::string> inputs;   ///< names of the d columns of X
  std::vector<KnownColumn> columns;  ///< of the file, where it is a table
  bool sparse = false;               ///< of that table: an input that is not there is zero
  /// NaN in X is a missing value: it becomes a mean of the rows that training sees
  bool missing = false;
  /// columns of X that say of a nominal input whether it is of one category: 1 or 0
  arma::uvec one_hot;
  std::optional<RawColumn> split;  ///< the column of N categories that a split asks for
  /// where rows were dropped: those of the files that the N are, counted from 0
  arma::uvec kept_rows;
  /// rows [0, published_train) are the published training part; 0 = no published split
  arma::uword published_train = 0;
  std::vector<std::string> sha256;  ///< of the files as read, in reading order
  ReadReport report;                ///< every decision that was made while the files were read
  std::vector<char> imputed = {};   ///< of a new file for a model: rows with a value that was imputed
  /// of a new file for a model: columns that are asked for beside the inputs
  std::vector<RawColumn> kept = {};
  std::vector<arma::uword> constant = {};  ///< columns of `on_disk` that are the same in all rows
  arma::uvec missing_of = {};              ///< how many values are missing of each of its columns

  /// The inputs, wherever they are. The data set must outlive the view.
  InputRows input_rows() const { return on_disk ? InputRows(*on_disk) : InputRows(X); }
  arma::uword samples() const { return input_rows().samples(); }
  arma::uword dimension() const { return input_rows().dimension(); }
};

/// Fills classes and labels of `data`. names: what classes are called, all different; numbers: N indices into
/// `names`, or NaN for a sample whose label becomes the number of classes. Names that are all numbers are put
/// in numeric order, others in alphabetical order; a name without a sample is left out.
void set_classes(Dataset& data, const std::vector<std::string>& names, const std::vector<double>& numbers);

/// Sets the targets of a data set whose task is set: T, N x c, or, for a classification, classes by their
/// numbers, N x 1, which `names` lists from 0 on; without names a class is called by its number.
void set_targets(Dataset& data, arma::mat T, std::vector<std::string> names = {});

/// Makes the rows, all of them numbers, the inputs of a data set that has their names. on_disk: they stay
/// where they are, and one pass looks at every number; else they are read into memory. `origin` begins the
/// messages. Throws DataError.
void put_inputs(Dataset& data, SharedRows rows, bool on_disk, const std::string& origin);

/// The essence of what was read, for a terminal: at most ten lines of at most 80 characters. The first has
/// rows, inputs and target; the others say what else was decided, and warn.
std::vector<std::string> essence_of(const Dataset& data);

}  // namespace elmx
