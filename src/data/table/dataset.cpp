#include "data/table/dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "data/rows/input_rows.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

constexpr std::size_t kMostLines = 10;  // of the essence
constexpr std::size_t kWidth = 80;      // of a list of names
constexpr std::size_t kLongestName = 60;

std::string name_in_essence(const std::string& name) { return printable(name, kLongestName); }

/// Joins items within a width: "a, b, c and 5 more". beyond: number of further items that are not given.
std::string listed(const std::vector<std::string>& items, std::size_t width, std::size_t beyond) {
  const auto first = [&](std::size_t most) { return first_few(items, most, ", ", beyond); };
  std::size_t most = 1;
  while (most < items.size() && first(most + 1).size() <= width) ++most;
  return first(most);
}

std::string target_of(const Dataset& data) {
  std::vector<std::string> names;
  for (const KnownColumn& column : data.columns) {
    if (column.role == "target") names.push_back(name_in_essence(column.name));
  }
  const std::string name = names.size() == 1 ? " " + names.front() : "";
  if (data.task == Task::classification)
    return fmt::format("target{} of {}", name, counted(data.classes.size(), "class"));
  if (data.Y.n_cols == 1)
    return fmt::format("target{} from {} to {}", name, shortest(data.Y.min()), shortest(data.Y.max()));
  return counted(data.Y.n_cols, "target");
}

std::string head_of(const Dataset& data) {
  std::string line = data.name + ": " + counted(data.samples(), "row");
  if (data.published_train > 0) line += fmt::format(" ({} for training)", data.published_train);
  line += ", " + counted(data.dimension(), "input");
  const auto columns = static_cast<std::size_t>(std::ranges::count(data.columns, "input", &KnownColumn::role));
  if (columns > 0 && columns != data.dimension()) line += fmt::format(" of {}", counted(columns, "column"));
  return line + ", " + target_of(data);
}

/// Lists the inputs with their numbers of missing values, from the report or, if it has no columns, from the
/// inputs.
std::vector<std::string> missing_lines(const Dataset& data) {
  std::vector<std::string> items;
  const auto add = [&](const std::string& name, std::size_t count) {
    if (count > 0) items.push_back(fmt::format("{} {}", name_in_essence(name), count));
  };
  for (const ColumnReport& column : data.report.columns) {
    if (column.role == "input" && column.type != "category") add(column.name, column.missing);
  }
  if (!data.report.columns.empty() || !data.missing) return items;
  for (arma::uword j = 0; j < data.missing_of.n_elem; ++j) add(data.inputs[j], data.missing_of(j));
  for (arma::uword j = 0; j < data.X.n_cols; ++j)
    add(data.inputs[j], data.X.n_rows - arma::uvec(arma::find_finite(data.X.col(j))).n_elem);
  return items;
}

}  // namespace

void set_classes(Dataset& data, const std::vector<std::string>& names, const std::vector<double>& numbers) {
  std::vector<char> used(names.size(), 0);
  for (const double number : numbers) {
    if (!std::isnan(number)) used[static_cast<std::size_t>(number)] = 1;
  }
  data.classes.clear();
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (used[k]) data.classes.push_back(names[k]);
  }
  const auto is_number = [](const std::string& name) { return std::isfinite(parse_number(name).value_or(NAN)); };
  const bool numeric = std::ranges::all_of(data.classes, is_number);
  std::ranges::sort(data.classes, {}, [&](const std::string& name) {
    return std::pair<double, std::string_view>(numeric ? *parse_number(name) : 0.0, name);
  });

  std::vector<arma::uword> class_of(names.size());
  for (std::size_t k = 0; k < names.size(); ++k)
    class_of[k] = static_cast<arma::uword>(std::ranges::find(data.classes, names[k]) - data.classes.begin());
  data.labels.set_size(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    data.labels(i) = std::isnan(numbers[i]) ? data.classes.size() : class_of[static_cast<std::size_t>(numbers[i])];
}

void set_targets(Dataset& data, arma::mat T, std::vector<std::string> names) {
  if (data.task == Task::regression || T.is_empty()) {
    data.Y = std::move(T);
    return;
  }
  std::vector<double> numbers(T.begin(), T.end());
  if (names.empty()) {
    const arma::vec values = arma::unique(arma::vectorise(T));
    for (const double value : values) names.push_back(shortest(value));
    for (double& number : numbers)
      number = static_cast<double>(std::ranges::lower_bound(values, number) - values.begin());
  }
  set_classes(data, names, numbers);
}

void put_inputs(Dataset& data, SharedRows rows, bool on_disk, const std::string& origin) {
  if (!on_disk) {
    refuse_beyond_memory(origin, "its array",
                         8.0 * static_cast<double>(rows->rows()) * static_cast<double>(rows->cols()));
    data.X = read_all(*rows);
    return;
  }
  Look look = look_at(*rows, data.inputs, rows->cols(), false, origin);
  data.on_disk = std::move(rows);
  data.constant = std::move(look.constant);
  data.pass_seconds = look.seconds;
}

std::vector<std::string> essence_of(const Dataset& data) {
  const ReadReport& report = data.report;
  std::vector<std::string> categories, left_out, texts, spelt, dates, rows, variables;
  std::size_t more_texts = 0;
  for (const ColumnReport& column : report.columns) {
    const std::string name = name_in_essence(column.name);
    if (column.role == "input" && column.type == "category")
      categories.push_back(fmt::format("{} ({}{})", name, column.evidence,
                                       column.missing > 0 ? fmt::format(", {} missing", column.missing) : ""));
    if (column.role == "dropped") left_out.push_back(name + " (" + column.left_out + ")");
    if (column.type == "date" && column.role == "input") dates.push_back(name);
    if (const std::size_t at = column.evidence.find("; "); column.type == "number" && at != std::string::npos)
      spelt.push_back(name + ", " + column.evidence.substr(at + 2));
    more_texts += column.more_read_as_missing;
    for (const ReplacedText& text : column.read_as_missing)
      texts.push_back(fmt::format("{} \"{}\" {}", name, name_in_essence(text.text), text.count));
  }
  for (const RowsLeftOut& out : report.rows_left_out)
    rows.push_back(fmt::format("{} ({}{})", out.count, out.reason,
                               out.first_line > 0 ? fmt::format(", line {}", out.first_line) : ""));
  for (const Variable& variable : report.variables) variables.push_back(variable.description());

  std::vector<std::string> lines{printable(head_of(data))};
  const auto add = [&](const std::string& line) { lines.push_back("  " + printable(line)); };
  const auto add_list = [&](const std::string& what, const std::vector<std::string>& items, std::size_t beyond = 0) {
    const std::size_t room = kWidth - 4 - what.size();  // beside "  " and ": "
    if (!items.empty()) add(what + ": " + listed(items, room, beyond));
  };
  if (!report.text.empty()) add(report.text + "; " + report.header.substr(0, report.header.find(':')));
  add_list("variables", variables);
  add_list("left out", left_out);
  add_list("rows left out", rows);
  add_list("texts read as missing values", texts, more_texts);
  if (data.missing || report.columns.empty())
    add_list("missing values, imputed by the training part", missing_lines(data));
  add_list("categories", categories);
  add_list("dates, in parts", dates);
  add_list("numbers", spelt);
  if (data.on_disk) add("inputs stay in their file and are read in blocks");
  if (data.split) add_list("divides the rows", {name_in_essence(data.split->name)});
  std::ranges::for_each(report.warnings, add);
  std::ranges::for_each(report.notes, add);
  if (lines.size() <= kMostLines) return lines;
  const std::size_t more = lines.size() - (kMostLines - 1);
  lines.resize(kMostLines - 1);
  add(fmt::format("and {} more lines", more));
  return lines;
}

}  // namespace elmx
