#include "data/table/usable.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "data/rows/look.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

constexpr std::size_t kFewNominal = 20;  // fewer are no burden, whatever they are
constexpr std::size_t kManyInputs = 10'000;

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
    return fmt::format(
        "class \"{}\" has 1 row, which cannot be in the training part and in the test part of a fold: leave the row "
        "out, or give it another class",
        printable(data.classes[k]));
  }
  return "";
}

void warn_of_unusual_data(Dataset& data) {
  if (const std::string lone = about_lone_class(data); !lone.empty()) data.report.warnings.push_back(lone);
  const arma::uword N = data.samples(), d = data.dimension();
  for (const KnownColumn& column : data.columns) {
    const std::size_t count = column.categories.size();
    if (count < kFewNominal || 2 * count <= N) continue;
    data.report.warnings.push_back(fmt::format("column {}: {} categories in {}, as of an identifier; \"drop\" leaves it out",
                                     printable(column.name), count, counted(N, "row")));
  }
  if (data.columns.empty() || d < kManyInputs || data.on_disk) return;
  data.report.warnings.push_back(fmt::format("{}, a dense table of {}: memory and time grow with them", counted(d, "input"),
                                   show_bytes(8.0 * static_cast<double>(N) * static_cast<double>(d))));
}

}  // namespace elmx
