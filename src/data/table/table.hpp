#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "data/inspect/spelling.hpp"

namespace elmx {

/// split: no input; it says how the rows are divided (groups, order, given folds).
enum class Role { input, target, dropped, split };
enum class Kind { number, category };

/// One column of a file. NaN marks a missing value.
struct RawColumn {
  std::string name;
  Role role = Role::input;
  Kind kind = Kind::number;
  Decimal decimal = Decimal::plain;
  bool declared = false;                ///< the file's header lists the categories: there are no others
  std::vector<std::string> categories;  ///< as declared, else in order of appearance
  std::vector<double> values;           ///< number: the value; category: index into `categories`; dropped: none
  std::size_t missing_on_disk = 0;      ///< of an input whose values stay in a file: how many are missing
};

/// A file (or two, one after the other) in memory: column by column, as it stands there.
struct RawTable {
  std::vector<RawColumn> columns;
  std::size_t rows = 0;
  bool sparse = false;                  ///< a column that is not there is zero
  std::vector<std::string> notes = {};  ///< what the reader found out by itself, and how to say otherwise

  /// Adds the rows of `other`, the second file of the same set. Its columns are these (by number and, where the files
  /// have a header, by name); LIBSVM files may differ in their highest index. Throws DataError ("origin: ...").
  void append(RawTable other, const std::string& origin);
};

/// What a reader does with a missing value at once: everything but refusing is done later, by column.
/// keep_targets: a new file for a model may lack targets.
enum class Missing { refuse, keep_targets, keep };

/// Turns rows of text fields into columns. Throws DataError, "origin: line L, column C: what was found; what is
/// allowed".
class TableBuilder {
 public:
  /// label_strip: what is cut from the end of the values of a categorical target ("<=50K." in adult.test). Throws
  /// DataError where two columns that are used have the same name.
  TableBuilder(std::string origin, std::vector<RawColumn> columns, Missing missing, std::string label_strip = "",
               MissingValues missing_values = {});

  /// One field for each column. One more, if empty, is the end of a line that closes with a separator.
  void add_row(const std::vector<std::string_view>& fields, std::size_t line);

  std::size_t rows() const { return table_.rows; }

  /// The table. Throws DataError where no row has been added.
  RawTable finish();

 private:
  double value_of(std::size_t column, std::string_view field, std::size_t line);
  double category_of(std::size_t column, std::string_view field, std::size_t line);

  std::string origin_;
  RawTable table_;
  Missing missing_;
  std::string label_strip_;
  MissingValues missing_values_;
  std::vector<std::map<std::string, std::size_t, std::less<>>> index_;  // by column: category -> its number
};

// What messages begin with: "path: line 3: ", "path: line 3, column 2: ".
std::string place(const std::string& origin, std::size_t line);
std::string place(const std::string& origin, std::size_t line, std::size_t column);

}  // namespace elmx
