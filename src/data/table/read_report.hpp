#pragma once

#include <string>
#include <vector>

#include "base/config/fields.hpp"
#include "base/error.hpp"

namespace elmx {

/// A text that was read as a missing value, and its number of occurrences.
struct ReplacedText {
  std::string text;
  std::size_t count = 0;

  void fields(FieldVisitor& field);
};

/// The type of a dropped column, whose values are not read.
inline constexpr const char* kNotRead = "not read";

/// The decisions about one column of a file.
struct ColumnReport {
  std::string name;
  std::string role;
  std::string type;
  std::string evidence;
  std::string left_out;
  std::size_t missing = 0;
  std::vector<ReplacedText> read_as_missing;
  std::size_t more_read_as_missing = 0;  ///< number of different texts that read_as_missing lacks

  void fields(FieldVisitor& field);
};

/// Rows of a file that are not used.
struct RowsLeftOut {
  std::string reason;
  std::size_t count = 0;
  std::size_t first_line = 0;  ///< 0 = not known

  void fields(FieldVisitor& field);
};

/// A variable of a file of arrays: MATLAB, HDF5, NumPy.
struct Variable {
  std::string name;
  std::vector<std::size_t> shape;
  std::string kind;
  bool numeric = false;  ///< real numbers: the variable can be inputs or targets

  /// Returns a description such as "X (60 x 3, double)".
  std::string description() const;

  void fields(FieldVisitor& field);
};

/// All decisions made while data were read, as shown by `elmx data info`, at the start of a run, in data.json
/// of the results folder and on the report page.
struct ReadReport {
  std::string name;
  std::string text;               ///< the division of the text: "comma-separated, names in line 1"
  Json dialect = Json::object();  ///< the members of "data" that read the text in the same way
  std::string header;             ///< the reason why the first row is read as names or as values
  std::size_t rows = 0;
  std::vector<ColumnReport> columns;
  std::vector<Variable> variables;
  std::vector<RowsLeftOut> rows_left_out;
  std::vector<std::string> notes;
  std::vector<std::string> warnings;

  /// Adds the missing values, left-out rows and notes of the second file of the same set.
  void append(ReadReport other);

  void fields(FieldVisitor& field);
};

/// All reasons why a file cannot be read, in the order of its columns. what() returns them in one line.
class TableProblems : public DataError {
 public:
  /// problems: at least one. missing: the option data.missing can make the file readable.
  TableProblems(const std::string& origin, const std::vector<std::string>& problems, bool missing);

  /// Returns the text for a terminal: a heading and a line per problem, or one line for a single problem.
  std::vector<std::string> lines() const override { return lines_; }

 private:
  std::vector<std::string> lines_;
};

}  // namespace elmx
