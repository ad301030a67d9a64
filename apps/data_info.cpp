#include "data_info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "base/files/standard_input.hpp"
#include "base/printable.hpp"
#include "data/inspect/problems.hpp"
#include "data/inspect/what_was_read.hpp"
#include "data/likely_data.hpp"
#include "data/load.hpp"

namespace elmx {
namespace {

constexpr std::size_t kMostRows = 60;  // of the table, where there are no names to choose by
constexpr std::size_t kLongestExample = 12;
constexpr std::size_t kLongestName = 24;

/// Reads the set and says what came out.
void describe_set(const CatalogueEntry& entry, const Catalogue& catalogue, const Common& common) {
  DataOptions options;
  options.set = entry.name;
  const Dataset data = load_dataset(options, catalogue, common.data(), 1);
  std::cout << data.name << ": " << data.X.n_rows << " samples";
  if (data.published_train > 0) std::cout << " (" << data.published_train << " of them for training)";
  std::cout << ", " << data.X.n_cols << " inputs, ";
  if (data.task == Task::regression) {
    std::cout << counted(data.Y.n_cols, "target") << '\n';
  } else {
    std::cout << data.classes.size() << " classes:";
    for (std::size_t k = 0; k < data.classes.size(); ++k) {
      std::cout << ' ' << data.classes[k] << " (" << arma::accu(data.labels == k) << ')';
    }
    std::cout << (data.positive.empty() ? "" : "; positive " + data.positive) << '\n';
  }
  for (const std::string& note : data.notes) std::cout << "  note: " << note << '\n';
  for (const std::string& note : entry.notes) std::cout << "  note: " << note << '\n';
}

Table columns_table() {
  Table table;
  for (const char* heading : {"column", "type", "values", "missing", "distinct", "min", "max", "examples"})
    table.columns.push_back({heading, heading});
  return table;
}

Cell count_cell(std::size_t count) { return number_cell(static_cast<double>(count)); }

Cell distinct_cell(const ColumnProfile& profile) {
  if (profile.all_distinct_counted()) return count_cell(profile.distinct());
  return text_cell(fmt::format(">= {}", profile.distinct()));
}

Cell bound_cell(double value) { return text_cell(fmt::format("{:.6g}", value)); }

std::string examples_of(const ColumnProfile& profile) {
  std::vector<std::string> shown;
  for (const std::string& example : profile.examples()) shown.push_back(printable(example, kLongestExample));
  return fmt::format("{}", fmt::join(shown, "; "));
}

/// The spelling that all values of a column of numbers have; the plain one where there is none or more than one.
Decimal decimal_of(const ColumnProfile& profile) {
  const bool point = profile.is_number_as(Decimal::point), comma = profile.is_number_as(Decimal::comma);
  if (profile.is_number_as(Decimal::plain) || (point && comma)) return Decimal::plain;
  return comma ? Decimal::comma : point ? Decimal::point : Decimal::plain;
}

void add_row(const std::string& name, const ColumnProfile& profile, Table& table) {
  const Decimal decimal = decimal_of(profile);
  const bool numbers = profile.numbers_as(decimal) > 0;
  const auto bound = [&](double value) { return numbers ? bound_cell(value) : text_cell(""); };
  table.rows.push_back({text_cell(printable(name, kLongestName)), text_cell(to_string(profile.type())),
                        count_cell(profile.values()), count_cell(profile.missing()), distinct_cell(profile),
                        bound(profile.min(decimal)), bound(profile.max(decimal)), text_cell(examples_of(profile))});
}

/// A member of "data" a line.
std::string config_text(const Json& data) {
  const auto text = [](const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); };
  std::string members;
  for (const auto& [key, value] : data.items())
    members += fmt::format("{}    {}: {}", members.empty() ? "" : ",\n", text(key), text(value));
  return fmt::format("{{\n  \"data\": {{\n{}\n  }}\n}}", members);
}

/// The config on stdout, and what is no more than likely in it on stderr.
void print_config_alone(const LikelyData& likely) {
  std::vector<std::string> said = likely.notes;
  if (likely.target_guessed) {
    said.push_back(fmt::format("{}: which column is the target is a guess: {}", likely.name,
                               likely.data.at("target").at(0).get<std::string>()));
  }
  for (const std::string& line : said) std::cerr << "elmx: " << printable(line) << '\n';
  std::cout << config_text(likely.data) << '\n';
}

/// What becomes of the file, and the config.
void print_config(const LikelyData& likely) {
  for (const std::string& note : likely.notes) std::cout << printable(note) << '\n';
  DataOptions read;
  read_options(likely.data, "/data", read);
  try {
    const Dataset data = load_dataset(read, {}, "", 1);
    std::cout << "With the config below: " << what_was_read(data) << '\n';
    for (const std::string& note : data.notes) std::cout << "  note: " << note << '\n';
  } catch (const TableProblems& problems) {
    std::cout << "The config below lacks something:\n";
    for (const std::string& line : problems.lines()) std::cout << line << '\n';
  } catch (const UserError& error) {
    std::cout << "The config below lacks something: " << error.what() << '\n';
  }
  std::cout << (likely.target_guessed ? "A config that reads it (which column is the target is a guess):\n"
                                      : "A config that reads it:\n")
            << config_text(likely.data) << '\n';
}

void describe_columns(const std::string& name, const DelimitedColumns& file) {
  Table table = columns_table();
  table.title = fmt::format("{}: {}, {}", name, counted(file.found.rows + file.found.ragged, "row"),
                            counted(file.columns.size(), "column"));
  for (std::size_t j = 0; j < file.columns.size(); ++j) add_row(file.columns[j].name, file.found.columns[j], table);
  print(table);
}

void add_input(const std::string& name, const arma::vec& column, Table& table) {
  const arma::vec values = column.elem(arma::find_finite(column));
  const bool none = values.is_empty();
  const arma::uword distinct = none ? 0 : arma::vec(arma::unique(values)).n_elem;
  table.rows.push_back({text_cell(printable(name, kLongestName)),
                        text_cell(none            ? "empty"
                                  : distinct == 1 ? "constant"
                                                  : "number"),
                        count_cell(values.n_elem), count_cell(column.n_elem - values.n_elem), count_cell(distinct),
                        none ? text_cell("") : bound_cell(values.min()),
                        none ? text_cell("") : bound_cell(values.max()), text_cell("")});
}

/// Any other format: what its reader makes of it. Missing values are counted.
void describe_inputs(const Json& likely) {
  DataOptions options;
  read_options(likely, "/data", options);
  if (!likely.contains("missing")) options.missing = "mean";
  const Dataset data = load_dataset(options, {}, "", 1);
  Table table = columns_table();
  table.title = fmt::format("{}: {}, {}", data.name, counted(data.X.n_rows, "row"), counted(data.X.n_cols, "input"));
  for (arma::uword j = 0; j < std::min<arma::uword>(data.X.n_cols, kMostRows); ++j)
    add_input(data.inputs[j], data.X.col(j), table);
  if (data.X.n_cols > kMostRows) table.remarks.push_back(fmt::format("and {} more inputs", data.X.n_cols - kMostRows));
  print(table);
}

void describe_file(const std::string& path, const InfoArguments& arguments) {
  Json given = {{"path", path}};
  for (const std::string& assignment : arguments.assignments) set_by_path(given, assignment);
  const LikelyData likely = likely_data(given);
  if (arguments.config) return print_config_alone(likely);
  if (likely.file)
    describe_columns(likely.name, *likely.file);
  else
    describe_inputs(likely.data);
  print_config(likely);
}

}  // namespace

ExitCode describe_data(const InfoArguments& arguments, const Common& common) {
  const Catalogue catalogue = shipped_catalogue();
  const auto is_set = [&](const std::string& name) {
    return std::ranges::count(catalogue.sets, name, &CatalogueEntry::name) > 0;
  };
  const bool of_file = !arguments.assignments.empty() || arguments.config;
  const auto wrong = std::ranges::find_if(arguments.names, is_set);
  if (of_file && wrong != arguments.names.end())
    throw ConfigError("data info: --set and --config belong to a file, and " + *wrong + " is a set");
  for (const std::string& name : arguments.names) {
    std::error_code ignored;
    const bool set = is_set(name);
    const bool file = name == kStandardInput || std::filesystem::exists(name, ignored);
    if (!set && !file) {
      const bool path = name.find_first_of("./") != std::string::npos;
      if (path) throw DataError(name + ": no such file, and no data set of that name (elmx list datasets)");
      static_cast<void>(catalogue.find(name, "NAME"));
    }
    set ? describe_set(catalogue.find(name), catalogue, common) : describe_file(name, arguments);
  }
  return ExitCode::ok;
}

}  // namespace elmx
