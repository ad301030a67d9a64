#include "data/inspect/what_was_read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/printable.hpp"

namespace elmx {
namespace {

constexpr std::size_t kMostNames = 8;
constexpr std::size_t kMostClasses = 12;
constexpr std::size_t kLongestName = 40;
constexpr arma::uword kFewRows = 10;

std::string listed(const std::vector<std::string>& names, std::size_t most) {
  const std::vector<std::string> shown(names.begin(), names.begin() + static_cast<long>(std::min(names.size(), most)));
  const std::string rest = names.size() > most ? fmt::format(" and {} more", names.size() - most) : "";
  return fmt::format("{}{}", fmt::join(shown, ", "), rest);
}

std::vector<std::string> names_of(const Dataset& data, const std::string& role) {
  std::vector<std::string> names;
  for (const KnownColumn& column : data.columns) {
    if (column.role == role) names.push_back(printable(column.name, kLongestName));
  }
  return names;
}

std::string range_of(const arma::mat& Y, arma::uword j) {
  return fmt::format("from {} to {}", shortest(Y.col(j).min()), shortest(Y.col(j).max()));
}

std::string target_of(const Dataset& data) {
  const std::vector<std::string> names = names_of(data, "target");
  if (data.task == Task::classification) {
    std::vector<std::string> classes;
    for (std::size_t k = 0; k < data.classes.size(); ++k)
      classes.push_back(fmt::format("{} ({})", printable(data.classes[k], kLongestName), arma::accu(data.labels == k)));
    return fmt::format("{}{}: {}", names.empty() ? "" : "target " + names.front() + " of ",
                       counted(classes.size(), "class"), listed(classes, kMostClasses));
  }
  if (names.size() == 1) return fmt::format("target {} {}", names.front(), range_of(data.Y, 0));
  return counted(data.Y.n_cols, "target") + (names.empty() ? "" : ": " + listed(names, kMostNames));
}

std::vector<std::string> encoded(const Dataset& data) {
  std::vector<std::string> names;
  for (const KnownColumn& column : data.columns) {
    if (column.role == "input" && column.nominal)
      names.push_back(fmt::format("{} ({})", printable(column.name, kLongestName), column.categories.size()));
  }
  return names;
}

/// Inputs of which some values are missing.
std::vector<std::string> incomplete(const Dataset& data) {
  std::vector<std::string> names;
  for (arma::uword j = 0; j < data.dimension() && data.missing; ++j) {
    const auto missing =
        data.on_disk ? static_cast<long>(j < data.missing_of.n_elem ? data.missing_of(j) : 0)
                     : std::count_if(data.X.begin_col(j), data.X.end_col(j), [](double x) { return std::isnan(x); });
    if (missing > 0) names.push_back(fmt::format("{} ({})", printable(data.inputs[j], kLongestName), missing));
  }
  return names;
}

std::vector<std::string> in_quotes(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  for (const std::string& text : texts) quoted.push_back('"' + printable(text, kLongestName) + '"');
  return quoted;
}

bool is_constant(const arma::mat& X, arma::uword j) {
  const double* begin = X.begin_col(j);
  const double* end = X.end_col(j);
  const double* first = std::find_if(begin, end, [](double x) { return !std::isnan(x); });
  return first != end && std::all_of(first, end, [&](double x) { return std::isnan(x) || x == *first; });
}

bool counts_rows(const arma::mat& X, arma::uword j) {
  const double* column = X.colptr(j);
  if (X.n_rows < kFewRows || (column[0] != 0 && column[0] != 1)) return false;
  for (arma::uword i = 1; i < X.n_rows; ++i) {
    if (column[i] != column[i - 1] + 1) return false;
  }
  return true;
}

/// Inputs that count the rows from 0 or 1 on.
std::vector<std::string> row_numbers(const Dataset& data) {
  std::vector<std::string> names;
  for (arma::uword j = 0; j < data.X.n_cols; ++j) {
    if (counts_rows(data.X, j)) names.push_back(printable(data.inputs[j], kLongestName));
  }
  return names;
}

std::vector<std::string> constant(const Dataset& data) {
  std::vector<std::string> names;
  for (const arma::uword j : data.constant) names.push_back(printable(data.inputs[j], kLongestName));
  for (arma::uword j = 0; j < data.X.n_cols && data.X.n_rows > 1; ++j) {
    if (is_constant(data.X, j)) names.push_back(printable(data.inputs[j], kLongestName));
  }
  return names;
}

}  // namespace

std::string what_was_read(const Dataset& data) {
  std::string line = counted(data.samples(), "row");
  if (data.published_train > 0) line += fmt::format(" ({} of them for training)", data.published_train);
  line += ", " + counted(data.dimension(), "input");
  const std::size_t columns = names_of(data, "input").size();
  if (columns > 0 && columns != data.dimension()) line += " of " + counted(columns, "column");
  line += ", " + target_of(data);
  if (data.on_disk) line += "; inputs stay in their file and are read in blocks";
  bool decided = false;
  const auto add = [&](const std::string& what, const std::vector<std::string>& names) {
    if (!names.empty()) line += "; " + what + ": " + listed(names, kMostNames);
    return !names.empty();
  };
  decided |= add(data.one_hot.is_empty() ? "numbered categories" : "an input for each category", encoded(data));
  decided |= add("missing values, filled with the mean of each training part", incomplete(data));
  add("texts taken for missing values", in_quotes(data.missing_values));
  std::vector<std::string> dropped = names_of(data, "dropped");
  if (data.split) std::erase(dropped, printable(data.split->name, kLongestName));
  decided |= add("left out", dropped);
  if (data.split) add("divides the rows", {printable(data.split->name, kLongestName)});
  decided |= add("the numbers of the rows, as of an identifier", row_numbers(data));
  add("the same in all rows", constant(data));
  return line + (decided ? " (\"nominal\", \"missing\" and \"drop\" say otherwise)" : "");
}

}  // namespace elmx
