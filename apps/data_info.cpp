#include "data_info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iostream>
#include <map>

#include "base/printable.hpp"
#include "base/share.hpp"
#include "data/inspect/problems.hpp"
#include "data/inspect/what_was_read.hpp"
#include "data/load.hpp"
#include "data/source.hpp"

namespace elmx {
namespace {

constexpr std::size_t kMostRows = 60;  // of the table, where there are no names to choose by
constexpr std::size_t kLongestExample = 12;
constexpr std::size_t kLongestName = 24;
constexpr std::size_t kFewRows = 10;

Catalogue shipped_catalogue() { return read_catalogue(share_dir() / "data" / "catalogue.json"); }

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

/// The format that the end of a name says.
std::string format_of(const std::string& path) {
  const std::map<std::string, std::string> formats{{".arff", "arff"},  {".npy", "npy"},   {".mat", "mat"},
                                                   {".h5", "hdf5"},    {".hdf5", "hdf5"}, {".libsvm", "libsvm"},
                                                   {".svm", "libsvm"}, {".dat", "keel"}};
  std::filesystem::path name = path;
  if (name.extension() == ".gz" || name.extension() == ".Z") name = name.stem();
  const auto found = formats.find(name.extension().string());
  return found == formats.end() ? "delimited" : found->second;
}

Table columns_table() {
  Table table;
  for (const char* heading : {"column", "type", "values", "missing", "distinct", "min", "max", "examples"})
    table.columns.push_back({heading, heading});
  return table;
}

Cell count_cell(std::size_t count) { return number_cell(static_cast<double>(count)); }

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
                        count_cell(profile.values()), count_cell(profile.missing()), count_cell(profile.distinct()),
                        bound(profile.min(decimal)), bound(profile.max(decimal)), text_cell(examples_of(profile))});
}

/// A column that can be the target: the last one that is no identifier, date or constant.
std::size_t likely_target(const std::vector<ColumnProfile>& profiles) {
  for (std::size_t j = profiles.size(); j-- > 0;) {
    if (profiles[j].type() == ColumnType::number || profiles[j].type() == ColumnType::category) return j;
  }
  return profiles.size() - 1;
}

/// "data" of a config that says what every column is, as far as the file shows it.
Json likely_config(const DataOptions& options, const Json& given, DelimitedColumns file, TableOptions table) {
  const std::vector<ColumnProfile>& profiles = file.found.columns;
  Json data = given;
  if (table.target.empty()) {
    const std::size_t target = likely_target(profiles);
    const ColumnProfile& profile = profiles[target];
    const bool two_values = profile.distinct() == 2 && profile.values() >= kFewRows;
    const bool classes = profile.type() == ColumnType::category || two_values;
    table.target = {name_in_config(file.columns, target)};
    if (!given.contains("task")) {
      table.task = classes ? Task::classification : Task::regression;
      data["task"] = classes ? "classification" : "regression";
    }
    data["target"] = table.target;
  }
  assign_roles(file.columns, table);
  const SuggestedOptions suggested = suggest_options(file.columns, file.found, table);
  std::vector<std::string> drop = options.drop;
  drop.insert(drop.end(), suggested.drop.begin(), suggested.drop.end());
  for (std::size_t j = 0; j < profiles.size(); ++j) {
    const bool useless = profiles[j].type() == ColumnType::identifier || profiles[j].type() == ColumnType::constant;
    const RawColumn& column = file.columns[j];
    const bool is_input = column.role == Role::input && column.kind == Kind::number;
    const std::string name = name_in_config(file.columns, j);
    const bool listed = std::ranges::count(drop, name) > 0;
    if (is_input && useless && !listed) drop.push_back(name);
  }
  std::vector<std::string> nominal = options.nominal;
  for (const std::string& name : suggested.nominal) {
    if (std::ranges::count(drop, name) == 0) nominal.push_back(name);
  }
  if (!drop.empty()) data["drop"] = drop;
  if (!nominal.empty()) data["nominal"] = nominal;
  if (!suggested.missing.empty()) data["missing"] = suggested.missing;
  return {{"data", data}};
}

/// A member of "data" a line.
std::string config_text(const Json& config) {
  const auto text = [](const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); };
  std::string members;
  for (const auto& [key, value] : config.at("data").items())
    members += fmt::format("{}    {}: {}", members.empty() ? "" : ",\n", text(key), text(value));
  return fmt::format("{{\n  \"data\": {{\n{}\n  }}\n}}", members);
}

void describe_delimited(const DataOptions& options, const Json& given, bool config_only) {
  const Source source = source_of(options);
  const Content content = read_verified(source.train, source);
  const DelimitedColumns file = inspect_delimited(content, source.table, source.delimited);
  if (file.found.rows == 0) throw DataError(content.origin + ": no data; at least one row is expected");
  const Json config = likely_config(options, given, file, source.table);
  if (config_only) {
    std::cout << config_text(config) << '\n';
    return;
  }
  Table table = columns_table();
  table.title = fmt::format("{}: {}, {}", source.name, counted(file.found.rows + file.found.ragged, "row"),
                            counted(file.columns.size(), "column"));
  for (std::size_t j = 0; j < file.columns.size(); ++j) add_row(file.columns[j].name, file.found.columns[j], table);
  print(table);
  DataOptions read;
  read_options(config.at("data"), "/data", read);
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
  std::cout << (options.target.empty() ? "A config that reads it (which column is the target is a guess):\n"
                                       : "A config that reads it:\n")
            << config_text(config) << '\n';
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

/// As a regression, or, where that cannot be and nothing else is said, as a classification.
Dataset load_as_any_task(DataOptions options, bool told) {
  if (told) return load_dataset(options, {}, "", 1);
  try {
    return load_dataset(options, {}, "", 1);
  } catch (const UserError&) {
    const std::exception_ptr reason = std::current_exception();
    options.task = "classification";
    try {
      return load_dataset(options, {}, "", 1);
    } catch (const UserError&) {
      std::rethrow_exception(reason);
    }
  }
}

/// Any other format: what its reader makes of it. Missing values are counted.
void describe_dataset(DataOptions options, const Json& given) {
  if (!given.contains("missing")) options.missing = "mean";
  const bool table_format = options.format == "arff" || options.format == "npy";
  if (table_format && options.target.empty() && options.images.labels_path.empty()) options.target = {"-1"};
  const Dataset data = load_as_any_task(options, given.contains("task"));
  Table table = columns_table();
  table.title = fmt::format("{}: {}, {}", data.name, counted(data.X.n_rows, "row"), counted(data.X.n_cols, "input"));
  for (arma::uword j = 0; j < std::min<arma::uword>(data.X.n_cols, kMostRows); ++j)
    add_input(data.inputs[j], data.X.col(j), table);
  if (data.X.n_cols > kMostRows) table.remarks.push_back(fmt::format("and {} more inputs", data.X.n_cols - kMostRows));
  print(table);
  std::cout << what_was_read(data) << '\n';
  for (const std::string& note : data.notes) std::cout << "  note: " << note << '\n';
}

void describe_file(const std::string& path, const InfoArguments& arguments) {
  Json given = {{"path", path}};
  for (const std::string& assignment : arguments.assignments) set_by_path(given, assignment);
  if (!given.contains("format") && format_of(path) != "delimited") given["format"] = format_of(path);
  DataOptions options;
  read_options(given, "/data", options);
  if (options.format == "delimited") return describe_delimited(options, given, arguments.config);
  if (arguments.config) throw ConfigError("--config: of delimited text only, not of format \"" + options.format + "\"");
  describe_dataset(options, given);
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
    const bool file = name == "-" || std::filesystem::exists(name, ignored);
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
