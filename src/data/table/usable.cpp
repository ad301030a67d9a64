#include "data/table/usable.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "base/error.hpp"
#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "data/rows/look.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

constexpr std::size_t kFewNominal = 20;  // fewer are no burden, whatever they are
constexpr std::size_t kManyInputs = 10'000;
constexpr arma::uword kManyRows = 200'000;  // the checks of values take time
constexpr arma::uword kRoughRows = 30;
constexpr arma::uword kFolds = 5;
constexpr std::size_t kLongestOfWarning = 40;

std::string name_of_target(const Dataset& data, arma::uword j) {
  const arma::uword number = j + 1;
  for (const KnownColumn& column : data.columns) {
    if (column.role == "target" && j-- == 0) return column.name;
  }
  return "target " + std::to_string(number);
}

template <class Name>
void refuse_large(const arma::mat& M, const Dataset& data, const std::string& origin, const Name& name) {
  for (arma::uword j = 0; j < M.n_cols; ++j) {
    const double* column = M.colptr(j);
    for (arma::uword i = 0; i < M.n_rows; ++i) {
      if (!(std::abs(column[i]) > kLargestValue)) continue;  // also where it is NaN
      const arma::uword row = data.kept_rows.is_empty() ? i : data.kept_rows(i);
      throw DataError(fmt::format(
          "{}: row {}, column \"{}\": {}; a number from -1e150 to 1e150 is expected, whose square does not overflow",
          origin, row + 1, name(j), shortest(column[i])));
    }
  }
}

/// Warns of a class with fewer rows than a usual cross validation has folds.
void warn_of_rare_class(Dataset& data) {
  for (std::size_t k = 0; k < data.classes.size() && data.task == Task::classification; ++k) {
    const arma::uword count = arma::accu(data.labels == k);
    if (count >= kFolds) continue;
    data.report.warnings.push_back(fmt::format("class \"{}\" has {}: some of {} folds will lack it",
                                               printable(data.classes[k], kLongestOfWarning), counted(count, "row"),
                                               kFolds));
    return;
  }
}

/// Finds a code such as -999 that occurs several times, below or above all other values by more than their
/// range.
std::optional<double> value_apart(const arma::vec& sorted) {
  for (const double code : {-999.0, -9999.0, -99999.0, -99.0, -9.0, -1.0, 999.0, 9999.0, 99999.0}) {
    const bool low = code < 0;
    const auto count = static_cast<arma::uword>(arma::accu(sorted == code));
    if (count < 2 || count == sorted.n_elem || (low ? sorted.front() : sorted.back()) != code) continue;
    const double next = low ? sorted(count) : sorted(sorted.n_elem - count - 1);
    const double range = low ? sorted.back() - next : next - sorted.front();
    if (std::abs(next - code) > std::max(range, 1.0) && (code != -1 || next - code > 2 * range)) return code;
  }
  return std::nullopt;
}

/// Warns of values of one input that look wrong to a person.
void warn_of_input(Dataset& data, arma::uword j) {
  const arma::vec column = data.X.col(j), values = arma::sort(column.elem(arma::find_finite(column)));
  if (values.n_elem < kRoughRows) return;
  const std::string name = printable(data.inputs[j], kLongestOfWarning);
  const auto warn = [&](const std::string& text) { data.report.warnings.push_back(name + ": " + text); };
  if (const auto code = value_apart(values))
    return warn(fmt::format("{} stands apart in {}; \"missing_values\": [\"{}\"]?", shortest(*code),
                            counted(arma::accu(values == *code), "row"), shortest(*code)));
  const bool whole = arma::all(values == arma::floor(values));
  const bool all_differ = arma::vec(arma::diff(values)).min() > 0 && values.n_elem == column.n_elem;
  const bool ascends = column.n_elem > 1 && column.is_finite() && arma::all(arma::diff(column) > 0);
  const bool steps = whole && values.back() - values.front() + 1 == static_cast<double>(values.n_elem);
  if (name.ends_with(":days") && ascends)
    return warn("rows are in time order; the split \"time_series\" tests on later rows");
  if (whole && all_differ && (steps || ascends) && !name.ends_with(":days"))
    return warn("numbers each row like an identifier (\"drop\" leaves it out)");
  if (data.task == Task::regression && data.Y.n_cols == 1 && values.n_elem == column.n_elem &&
      data.Y.min() < data.Y.max() && values.front() < values.back()) {
    const double r = arma::as_scalar(arma::cor(column, data.Y.col(0)));
    if (std::abs(r) > 1 - 1e-9) warn("predicts the target perfectly; is it known before?");
  }
}

/// Returns true if in each class an input is missing, or its category is present, in all rows or in none: as
/// the date of leaving is filled for leavers only.
bool tells_classes_apart(const Dataset& data, arma::uword j) {
  std::vector<int> seen(data.classes.size(), -1);
  const bool one_hot = arma::any(data.one_hot == j);
  for (arma::uword i = 0; i < data.X.n_rows; ++i) {
    const double x = data.X(i, j);
    const int there = one_hot ? x != 0 : !std::isnan(x);
    int& of_class = seen[data.labels(i)];
    if (of_class == -1) of_class = there;
    if (of_class != there) return false;
  }
  return std::ranges::count(seen, 0) > 0 && std::ranges::count(seen, 1) > 0;
}

/// Warns if rows occur several times.
void warn_of_equal_rows(Dataset& data) {
  const arma::uword N = data.X.n_rows;
  std::unordered_map<std::uint64_t, arma::uword> times;
  for (arma::uword i = 0; i < N; ++i) {
    std::uint64_t hash = 1469598103934665603ULL;
    const auto add = [&](double value) {
      hash = (hash ^ std::bit_cast<std::uint64_t>(value + 0.0)) * 1099511628211ULL;
    };
    for (arma::uword j = 0; j < data.X.n_cols; ++j) add(data.X(i, j));
    if (!data.labels.is_empty()) add(static_cast<double>(data.labels(i)));
    for (arma::uword j = 0; j < data.Y.n_cols; ++j) add(data.Y(i, j));
    ++times[hash];
  }
  const arma::uword repeated = N - times.size();
  if (repeated > 0 && data.X.n_cols > 1 && 100 * repeated >= N)
    data.report.warnings.push_back(
        fmt::format("{} repeated: copies in the test part make errors too small",
                    repeated == 1 ? std::string("1 row is") : fmt::format("{} rows are", repeated)));
}

}  // namespace

void refuse_large_values(const Dataset& data, const std::string& origin) {
  refuse_large(data.X, data, origin, [&](arma::uword j) { return data.inputs.at(j); });
  refuse_large(data.Y, data, origin, [&](arma::uword j) { return name_of_target(data, j); });
}

void refuse_one_class(const Dataset& data) {
  if (data.task == Task::regression || data.classes.size() > 1) return;
  throw DataError(fmt::format("{}: every sample is of class \"{}\"; at least two classes are expected", data.name,
                              data.classes.front()));
}

void refuse_names_beyond_utf8(const Dataset& data, const std::string& origin) {
  const auto refuse = [&](const std::string& name) {
    if (is_utf8(name)) return;
    throw DataError(fmt::format(
        "{0}: \"{1}\" is not UTF-8, and a saved model needs names in UTF-8 (\"iconv -f ENCODING -t UTF-8 {0} > NEW\" "
        "converts the file, with CP850 for one of DOS; \"save_model\": false does without the model)",
        origin, name));
  };
  for (const KnownColumn& column : data.columns) {
    refuse(column.name);
    std::ranges::for_each(column.categories, refuse);
  }
  std::ranges::for_each(data.classes, refuse);
}

std::string about_lone_class(const Dataset& data) {
  for (std::size_t k = 0; k < data.classes.size() && data.task == Task::classification; ++k) {
    if (arma::accu(data.labels == k) != 1) continue;
    return fmt::format("class \"{}\" has 1 row, too few to train and to test: leave it out or merge the class",
                       printable(data.classes[k]));
  }
  return "";
}

void warn_of_unusual_data(Dataset& data) {
  std::vector<std::string>& warnings = data.report.warnings;
  const arma::uword N = data.samples(), d = data.dimension();
  if (N < kRoughRows)
    warnings.push_back(fmt::format("only {}: estimates of the error will be rough", counted(N, "row")));
  if (const std::string lone = about_lone_class(data); !lone.empty())
    warnings.push_back(lone);
  else
    warn_of_rare_class(data);
  if (data.task == Task::regression && data.Y.n_cols == 1 && N > 1 && data.Y.min() == data.Y.max())
    warnings.push_back(fmt::format("the target is {} in all rows", shortest(data.Y(0))));
  for (const KnownColumn& column : data.columns) {
    const std::size_t count = column.categories.size();
    if (count < kFewNominal || 2 * count <= N) continue;
    warnings.push_back(fmt::format("{}: {} categories in {}, as an identifier has",
                                   printable(column.name, kLongestOfWarning), count, counted(N, "row")));
  }
  if (!data.on_disk && !data.report.columns.empty() && N <= kManyRows) {
    for (arma::uword j = 0; j < data.X.n_cols; ++j) {
      if (data.task == Task::classification && tells_classes_apart(data, j))
        warnings.push_back(printable(data.inputs[j], kLongestOfWarning) +
                           " alone tells the classes apart; is it known before?");
      else if (!arma::any(data.one_hot == j))
        warn_of_input(data, j);
    }
    warn_of_equal_rows(data);
  }
  if (!data.columns.empty() && d >= kManyInputs && !data.on_disk)
    warnings.push_back(fmt::format("{}, a dense table of {}: memory and time grow with them", counted(d, "input"),
                                   show_bytes(8.0 * static_cast<double>(N) * static_cast<double>(d))));
}

}  // namespace elmx
