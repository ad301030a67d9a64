#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

#include "base/error.hpp"
#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "data/rows/input_rows.hpp"
#include "data/table/dataset.hpp"
#include "data/values/dates.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

constexpr std::size_t kFewNominal = 20;  // fewer categories are never a problem
constexpr std::size_t kManyInputs = 10'000;
constexpr arma::uword kManyRows = 200'000;  // the checks of values take time
constexpr arma::uword kRoughRows = 30;
constexpr arma::uword kRareRows = 10;    // a class with fewer is rare
constexpr arma::uword kChanceRows = 5;   // fewer rows of a class lie apart from the others by chance
constexpr arma::uword kFewDays = 20;     // fewer numbers may be like dates by chance
constexpr std::size_t kNamedOfMany = 3;  // of the columns or classes of one warning
constexpr std::size_t kLongestOfWarning = 60;

// Parts of the names of columns that hold moments or identifiers; "$" is the end of the name.
constexpr std::array<std::string_view, 4> kNamesOfMoments{"time", "date", "stamp", "epoch"};
constexpr std::array<std::string_view, 8> kNamesOfIdentifiers{"_id$",   "_no$",  "number$", "_nr$",
                                                              "phone$", "_key$", "_index$", "identifier"};

/// Throws DataError for the first value of M beyond kLargestValue. names: of the columns.
void refuse_large(const arma::mat& M, const std::vector<std::string>& names, const Dataset& data,
                  const std::string& origin) {
  const auto is_large = [](double value) { return std::abs(value) > kLargestValue; };  // false for NaN
  const auto found = std::find_if(M.begin(), M.end(), is_large);
  if (found == M.end()) return;
  const auto at = static_cast<arma::uword>(found - M.begin()), i = at % M.n_rows;
  refuse_value(origin, data.kept_rows.is_empty() ? i : data.kept_rows(i), names.at(at / M.n_rows), *found);
}

/// Warnings in order of first appearance, each with the columns that it is about.
using ColumnWarnings = std::vector<std::pair<std::string, std::vector<std::string>>>;

void add_warning(ColumnWarnings& warnings, const std::string& column, const std::string& text) {
  auto same = std::ranges::find(warnings, text, &ColumnWarnings::value_type::first);
  if (same == warnings.end()) same = warnings.insert(same, {text, {}});
  std::vector<std::string>& columns = same->second;
  if (columns.empty() || columns.back() != column) columns.push_back(column);
}

/// Names the classes that have from `least` to `most` rows; "" = there is none.
std::string classes_of_size(const Dataset& data, arma::uword least, arma::uword most) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < data.classes.size() && data.task == Task::classification; ++k) {
    const arma::uword count = arma::accu(data.labels == k);
    if (count < least || count > most) continue;
    names.push_back(
        fmt::format("class \"{}\" ({})", printable(data.classes[k], kLongestOfWarning), counted(count, "row")));
  }
  return first_few(names, kNamedOfMany);
}

/// Returns the column that an input is made of: "day" for "day:month", a part of a date.
std::string column_of_input(const std::string& input) {
  const std::size_t colon = input.rfind(':');
  const bool is_part =
      colon != std::string::npos && std::ranges::count(kDateParts, std::string_view(input).substr(colon + 1)) > 0;
  return printable(is_part ? input.substr(0, colon) : input, kLongestOfWarning);
}

/// Returns the number of digits of a code such as 9, 88, 998 or 9999: only eights, or nines whose last digit
/// may be 7 or 8; 0 = the number is no code.
std::size_t digits_of_code(double value) {
  double nines = 9, eights = 8;
  for (std::size_t digits = 1; nines <= 1e15; ++digits, nines = 10 * nines + 9, eights = 10 * eights + 8) {
    if (value == nines || value == eights || (digits > 1 && (value == nines - 1 || value == nines - 2))) return digits;
  }
  return 0;
}

/// Finds codes for missing values at the upper end of sorted values. A repeated value is a code if its gap to
/// the next value exceeds the range of all smaller values, or a tenth of this range if it has at least
/// kLongCode digits. sign = -1: the values are negative and mirrored. Then -1 needs a gap of twice the range,
/// and -99 and longer codes need none if no other value is negative.
std::vector<double> codes_at_end(const arma::vec& sorted, double sign) {
  constexpr std::size_t kLongCode = 5;
  std::vector<double> candidates, codes;
  for (auto end = sorted.end(); end != sorted.begin();) {
    const double code = *(end - 1);
    const auto first = std::lower_bound(sorted.begin(), end, code);
    const bool is_minus_one = sign < 0 && code == 1;
    const std::size_t digits = is_minus_one ? 1 : digits_of_code(code);
    const std::ptrdiff_t least = digits == 1 ? 3 : 2;  // counts and grades may be 8 or 9
    if (digits == 0 || first == sorted.begin() || end - first < least) break;
    candidates.push_back(sign * code);
    const double below = *(first - 1), range = below - sorted.front(),
                 factor = is_minus_one         ? 2
                          : digits < kLongCode ? 1
                                               : 0.1;
    const bool is_far = code - below > std::max(factor * range, 1.0) && (digits > 1 || range > 0);
    if (is_far || (sign < 0 && digits > 1 && below <= 0)) codes = candidates;
    end = first;
  }
  return codes;
}

/// Warns of values that look wrong in an input or in a target. Returns true if there are such values.
bool warn_of_values(const std::string& column, const arma::vec& sorted, ColumnWarnings& warnings) {
  if (arma::any(arma::abs(sorted) >= 0x1p53) && arma::all(sorted == arma::floor(sorted))) {
    add_warning(
        warnings, column,
        "whole numbers of 2^53 and more lose digits; keep them with data.nominal or leave them out with data.drop");
    return true;
  }
  if (sorted.n_elem < kRoughRows) return false;
  std::vector<double> codes = codes_at_end(-arma::reverse(sorted), -1);
  std::ranges::reverse_copy(codes_at_end(sorted, 1), std::back_inserter(codes));
  for (const double code : codes)
    add_warning(
        warnings, column,
        fmt::format("{0} is far from all other values; if it means a missing value, add \"{0}\" to data.missing_values",
                    shortest(code)));
  return !codes.empty();
}

/// Returns true if a name has one of the parts, which are in lower case.
template <std::size_t n>
bool has_part(const std::string& name, const std::array<std::string_view, n>& parts) {
  const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  std::string text = "_";  // "customerId" becomes "_customer_id$"
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (i > 0 && is_upper(name[i]) && !is_upper(name[i - 1])) text += '_';
    text += is_upper(name[i]) ? static_cast<char>(name[i] + 32) : name[i] == ' ' ? '_' : name[i];
  }
  text += '$';
  return std::ranges::any_of(parts, [&](std::string_view part) { return text.find(part) != std::string::npos; });
}

/// Returns true for the days of dates, and for whole seconds since 1970 by their name and size.
bool are_moments(const std::string& name, const arma::vec& values) {
  return name.ends_with(":days") || (has_part(name, kNamesOfMoments) && values.min() >= 1e8 && values.max() <= 2e13 &&
                                     arma::all(values == arma::floor(values)));
}

/// Returns true if all numbers are days of the calendar from 1900 to 2099, such as 20240331.
bool are_compact_dates(const arma::vec& sorted) {
  const auto is_date = [](double number) {
    if (number != std::floor(number)) return false;
    const auto date = static_cast<long>(number);
    return parse_moment(fmt::format("{}-{:02}-{:02}", date / 10000, date / 100 % 100, date % 100)).has_value();
  };
  return sorted.front() >= 19000101 && sorted.back() <= 20991231 &&
         arma::vec(arma::unique(sorted)).n_elem >= kFewDays && std::ranges::all_of(sorted, is_date);
}

/// Returns true if different values are in ascending order in enough rows.
bool are_in_order(const arma::vec& values) {
  return values.n_elem >= kRoughRows && values.min() < values.max() && arma::all(arma::diff(values) >= 0);
}

/// Warns of values of one input that look wrong to a person. Rows that miss the input are left out.
void warn_of_input(const Dataset& data, arma::uword j, ColumnWarnings& warnings) {
  const arma::vec column = data.X.col(j);
  const arma::uvec rows = arma::find_finite(column);
  const arma::vec values = column.elem(rows), sorted = arma::sort(values);
  const std::string shown = column_of_input(data.inputs[j]);
  if (warn_of_values(shown, sorted, warnings) || values.n_elem < kRoughRows || sorted.front() == sorted.back()) return;
  if (data.task == Task::regression && data.Y.n_cols == 1) {
    const arma::vec target = data.Y.elem(rows);
    if (target.min() < target.max() && std::abs(arma::as_scalar(arma::cor(values, target))) > 1 - 1e-9)
      add_warning(warnings, shown, "the values predict the target perfectly; make sure that they are known before it");
  }
  const std::string& name = data.inputs[j];
  const bool whole = arma::all(values == arma::floor(values));
  if (are_moments(name, values)) return;
  if (are_compact_dates(sorted))
    add_warning(warnings, shown,
                "the numbers seem to be dates such as 20240331; to have them read as dates, write them as 2024-03-31");
  const bool all_differ = arma::all(arma::diff(sorted) > 0);
  const bool counts = (sorted.front() == 0 || sorted.front() == 1) &&
                      sorted.back() - sorted.front() + 1 == static_cast<double>(sorted.n_elem);
  const bool equal_steps = arma::all(arma::diff(values) == values(1) - values(0));
  if (whole && all_differ && (counts || equal_steps || sorted.front() > 1e9 || has_part(name, kNamesOfIdentifiers)))
    add_warning(warnings, shown,
                "all values are different whole numbers, as in an identifier; leave them out with data.drop");
}

/// Returns true if an input alone tells the classes apart. Either the ranges of its values in the classes do
/// not overlap, or each class has a value (or the category) in all of its rows or in none of them. For
/// example, a date of leaving is filled for leavers only.
bool tells_classes_apart(const Dataset& data, arma::uword j) {
  struct InClass {
    arma::uword rows = 0, there = 0;
    double low = arma::datum::inf, high = -arma::datum::inf;
  };
  if (data.X.n_rows < kRoughRows) return false;
  std::vector<InClass> classes(data.classes.size());
  const bool one_hot = arma::any(data.one_hot == j);
  for (arma::uword i = 0; i < data.X.n_rows; ++i) {
    const double x = data.X(i, j);
    InClass& of_row = classes[data.labels(i)];
    ++of_row.rows;
    if (one_hot ? x == 0 : std::isnan(x)) continue;
    ++of_row.there;
    of_row.low = std::min(of_row.low, x);
    of_row.high = std::max(of_row.high, x);
  }
  const auto all = std::ranges::count_if(classes, [](const InClass& c) { return c.there == c.rows; });
  const auto none = std::ranges::count(classes, 0U, &InClass::there);
  if (all == 1 && none == 1 && classes.size() == 2) return true;
  if (one_hot) return false;
  std::ranges::sort(classes, {}, &InClass::low);  // classes without a value are last and overlap with none
  const auto overlap = [](const InClass& a, const InClass& b) { return a.high >= b.low; };
  return std::ranges::adjacent_find(classes, overlap) == classes.end() &&
         std::ranges::count_if(classes, [](const InClass& c) { return c.there >= kChanceRows; }) > 1;
}

/// Warns of values of targets and inputs in memory.
void warn_of_columns(const Dataset& data, ColumnWarnings& warnings) {
  const std::vector<std::string> targets = target_names(data.columns, data.Y.n_cols);
  for (arma::uword j = 0; j < data.Y.n_cols; ++j) {
    const arma::vec target = data.Y.col(j);
    warn_of_values(printable(targets[j], kLongestOfWarning), arma::sort(target.elem(arma::find_finite(target))),
                   warnings);
  }
  for (arma::uword j = 0; j < data.X.n_cols; ++j) {
    if (data.task == Task::classification && tells_classes_apart(data, j))
      add_warning(warnings, column_of_input(data.inputs[j]),
                  "the values alone separate the classes; make sure that they are known before the class");
    else if (!arma::any(data.one_hot == j))
      warn_of_input(data, j, warnings);
  }
}

/// Warns if rows occur several times.
void warn_of_equal_rows(Dataset& data) {
  const arma::uword N = data.X.n_rows;
  std::unordered_set<std::size_t> hashes;
  std::vector<double> row;
  for (arma::uword i = 0; i < N; ++i) {
    row.clear();
    for (arma::uword j = 0; j < data.X.n_cols; ++j) row.push_back(data.X(i, j) + 0.0);  // -0 becomes 0
    for (arma::uword j = 0; j < data.Y.n_cols; ++j) row.push_back(data.Y(i, j) + 0.0);
    if (!data.labels.is_empty()) row.push_back(static_cast<double>(data.labels(i)));
    const std::string_view bytes(reinterpret_cast<const char*>(row.data()), row.size() * sizeof(double));
    hashes.insert(std::hash<std::string_view>()(bytes));
  }
  const arma::uword repeated = N - hashes.size();
  if (repeated > 0 && data.X.n_cols > 1 && 100 * repeated >= N)
    data.report.warnings.push_back(
        fmt::format("{} repeated: copies in the training and the test part make errors too small",
                    repeated == 1 ? std::string("1 row is") : fmt::format("{} rows are", repeated)));
}

}  // namespace

void refuse_large_values(const Dataset& data, const std::string& origin) {
  refuse_large(data.X, data.inputs, data, origin);
  refuse_large(data.Y, target_names(data.columns, data.Y.n_cols), data, origin);
}

void refuse_one_class(const Dataset& data) {
  if (data.task == Task::regression || data.classes.size() > 1) return;
  throw DataError(data.name, fmt::format("expected at least two classes, found only \"{}\"", data.classes.front()));
}

void refuse_names_beyond_utf8(const Dataset& data, const std::string& origin) {
  const auto refuse = [&](const std::string& name) {
    if (is_utf8(name)) return;
    throw DataError(
        origin, fmt::format("\"{1}\" is not UTF-8, but a saved model needs names in UTF-8; convert the file (iconv -f "
                            "ENCODING -t UTF-8 {0} > NEW, with CP850 for a file of DOS) or set save_model to false",
                            origin, name));
  };
  for (const KnownColumn& column : data.columns) {
    refuse(column.name);
    std::ranges::for_each(column.categories, refuse);
  }
  std::ranges::for_each(data.classes, refuse);
}

std::string about_lone_class(const Dataset& data) {
  const std::string lone = classes_of_size(data, 1, 1);
  return lone.empty() ? "" : lone + ": too few rows to train and to test; leave the class out or merge it with another";
}

std::optional<TimeOrder> time_order_of(const Dataset& data) {
  std::optional<TimeOrder> found;
  for (arma::uword j = 0; j < data.X.n_cols; ++j) {
    const std::string& name = data.inputs[j];
    if (!name.ends_with(":days") && !has_part(name, kNamesOfMoments)) continue;
    const arma::vec column = data.X.col(j), values = column.elem(arma::find_finite(column));
    const bool newest_first = !are_in_order(values);
    if ((newest_first && !are_in_order(arma::reverse(values))) || !are_moments(name, values)) continue;
    const TimeOrder order{column_of_input(name), newest_first, values.n_elem == column.n_elem};
    if (order.complete && !newest_first) return order;
    if (!found) found = order;
  }
  return found;
}

void warn_of_unusual_data(Dataset& data) {
  std::vector<std::string>& warnings = data.report.warnings;
  const arma::uword N = data.samples(), d = data.dimension();
  if (N < kRoughRows)
    warnings.push_back(fmt::format("only {}: estimates of the error will be rough", counted(N, "row")));
  if (const std::string lone = about_lone_class(data); !lone.empty()) warnings.push_back(lone);
  if (const std::string rare = classes_of_size(data, 2, kRareRows - 1); !rare.empty())
    warnings.push_back(rare + ": with more folds than a class has rows, some folds lack the class");
  if (data.task == Task::regression && data.Y.n_cols == 1 && N > 1 && data.Y.min() == data.Y.max())
    warnings.push_back(fmt::format("the target is {} in all rows", shortest(data.Y(0))));
  ColumnWarnings of_columns;
  for (const KnownColumn& column : data.columns) {
    const std::size_t count = column.categories.size();
    if (count < kFewNominal || 2 * count <= N) continue;
    add_warning(of_columns, printable(column.name, kLongestOfWarning),
                "most rows have a category of their own, as in an identifier");
  }
  const bool looks_at_values = !data.on_disk && !data.report.columns.empty() && N <= kManyRows;
  if (looks_at_values) warn_of_columns(data, of_columns);
  for (const auto& [text, columns] : of_columns) warnings.push_back(first_few(columns, kNamedOfMany) + ": " + text);
  if (looks_at_values) warn_of_equal_rows(data);
  if (!data.columns.empty() && d >= kManyInputs && !data.on_disk)
    warnings.push_back(fmt::format("{} make a dense table of {}; memory and time grow with their number",
                                   counted(d, "input"),
                                   show_bytes(8.0 * static_cast<double>(N) * static_cast<double>(d))));
}

}  // namespace elmx
