#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "base/files/files.hpp"
#include "base/printable.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "data/inferred.hpp"
#include "data/load.hpp"
#include "data/table/dataset.hpp"
#include "experiment/config/layered_config.hpp"
#include "report/formats/table_formats.hpp"

namespace elmx {
namespace {

constexpr std::size_t kMostRows = 60;  // most rows of the table
constexpr std::size_t kLongestName = 60;

struct DataInfoArguments {
  std::vector<std::string> names, assignments;
  bool config = false;

  void flags(Flags& flag) {
    flag("NAME", names, "data files (- for stdin), or data sets of elmx list datasets", {.required = true});
    flag("--set", assignments, "data file: set a value of \"data\", for example separator=tab");
    flag("--config", config, "data file: print only the config");
  }
};

struct ConvertArguments {
  std::string file, output;
  std::vector<std::string> target, assignments;

  void flags(Flags& flag) {
    flag("FILE", file, "delimited text file", {.required = true});
    flag("-o,--output", output, "array to write, NAME.npy; the read report goes to NAME.npy.json", {.required = true});
    flag("--target", target, "column to predict: its name or its number; repeatable");
    flag("--set", assignments, "set a value of \"data\", for example separator=tab");
  }
};

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
    std::cout << (data.positive.empty() ? "" : "; positive class: " + data.positive) << '\n';
  }
  for (const auto* notes : {&data.report.notes, &entry.notes}) {
    for (const std::string& note : *notes) print_line("  note: " + note);
  }
}

/// A member of "data" a line.
std::string config_text(const Json& data) {
  std::string members;
  for (const auto& [key, value] : data.items())
    members += fmt::format("{}    {}: {}", members.empty() ? "" : ",\n", json_text(key), json_text(value));
  return fmt::format("{{\n  \"data\": {{\n{}\n  }}\n}}", members);
}

/// Lists the columns of a table with the decisions about them, or the inputs of an array.
Table columns_table(const Dataset& data) {
  Table table{"columns", ""};
  for (const char* heading : {"column", "role", "type", "missing", "values"})
    table.columns.push_back({heading, heading});
  const auto add = [&](const std::string& name, const std::string& role, const std::string& type, std::size_t missing,
                       const std::string& values) {
    const Cell count = type == kNotRead ? text_cell("") : number_cell(static_cast<double>(missing));
    if (table.rows.size() < kMostRows)
      table.rows.push_back(
          {text_cell(printable(name, kLongestName)), text_cell(role), text_cell(type), count, text_cell(values)});
  };
  for (const ColumnReport& column : data.report.columns)
    add(column.name, column.left_out.empty() ? column.role : "left out", column.type, column.missing,
        column.left_out.empty() ? column.evidence : column.left_out);
  for (arma::uword j = 0; j < data.X.n_cols && data.report.columns.empty(); ++j) {
    const arma::vec column = data.X.col(j), values = column.elem(arma::find_finite(column));
    add(data.inputs[j], "input", "number", column.n_elem - values.n_elem,
        values.is_empty() ? "none" : fmt::format("from {} to {}", shortest(values.min()), shortest(values.max())));
  }
  const std::size_t all = data.report.columns.empty() ? data.X.n_cols : data.report.columns.size();
  if (all > kMostRows) table.remarks.push_back(fmt::format("and {} more", all - kMostRows));
  return table;
}

/// Prints the warnings and notes of a report, whole, that are not among `shown`.
void print_others(const ReadReport& report, const std::vector<std::string>& shown) {
  for (const auto* list : {&report.warnings, &report.notes}) {
    for (const std::string& text : *list) {
      if (std::ranges::count(shown, "  " + printable(text)) == 0) print_line(text);
    }
  }
}

/// Returns the config of a data file with the values of --target and --set.
LayeredConfig config_that_reads(const std::string& file, const std::vector<std::string>& target,
                                const std::vector<std::string>& assignments) {
  Json data = {{"path", file}};
  if (!target.empty()) data["target"] = target;
  for (const std::string& assignment : assignments)
    set_by_path(data, assignment.starts_with("data.") ? assignment.substr(5) : assignment);
  LayeredConfig config;
  config.lay_over(file, Json{{"data", data}});
  return config;
}

void describe_file(const std::string& path, const DataInfoArguments& arguments) {
  const LayeredConfig config = config_that_reads(path, {}, arguments.assignments);
  const InferredData inferred = config.check([&] { return infer_data(config.json["data"]); });
  const std::vector<std::string> essence = essence_of(inferred.dataset);
  for (const std::string& line : essence) arguments.config ? note_line(line) : print_line(line);
  if (!arguments.config) {
    const std::vector<Variable>& variables = inferred.dataset.report.variables;
    if (variables.size() > 1) std::cout << "\nVariables of the file:\n";
    for (std::size_t i = 0; variables.size() > 1 && i < variables.size(); ++i)
      print_line("  " + variables[i].description());
    std::cout << '\n';
    print(columns_table(inferred.dataset));
    print_others(inferred.dataset.report, essence);
    std::cout << (inferred.target_is_guessed ? "A config that reads it (the target is a guess):\n"
                                             : "A config that reads it:\n");
  }
  std::cout << config_text(inferred.data) << '\n';
}

ExitCode convert_data(const ConvertArguments& arguments, const Common&) {
  if (std::filesystem::path(arguments.output).extension() != ".npy")
    throw ConfigError("-o", "expected a name that ends in .npy, found " + arguments.output);
  const LayeredConfig config = config_that_reads(arguments.file, arguments.target, arguments.assignments);
  const Conversion done = config.check([&] { return convert_to_npy(config.json["data"], arguments.output); });
  write_output(arguments.output + ".json",
               write_options(done.report).dump(1, ' ', false, Json::error_handler_t::replace) + '\n');
  std::cout << fmt::format("{}: {} rows x {} columns; the read report is in {}.json\n", printable(arguments.output),
                           done.rows, done.columns, printable(arguments.output));
  print_others(done.report, {});
  std::cout << "A config that reads it:\n" << config_text(done.data) << '\n';
  return ExitCode::ok;
}

ExitCode describe_data(const DataInfoArguments& arguments, const Common& common) {
  const Catalogue catalogue = shipped_catalogue();
  const auto is_set = [&](const std::string& name) {
    return std::ranges::count(catalogue.sets, name, &CatalogueEntry::name) > 0;
  };
  const bool of_file = !arguments.assignments.empty() || arguments.config;
  const auto wrong = std::ranges::find_if(arguments.names, is_set);
  if (of_file && wrong != arguments.names.end())
    throw ConfigError(*wrong, "is a data set; --set and --config need a data file");
  for (const std::string& name : arguments.names) {
    const bool set = is_set(name);
    const bool file = name == kStandardInput || is_there(name);
    if (!set && !file) {
      const bool path = name.find_first_of("./") != std::string::npos;
      if (path) throw DataError(name, "no such file or data set (elmx list datasets shows the data sets)");
      static_cast<void>(catalogue.find(name, "NAME"));
    }
    set ? describe_set(catalogue.find(name), catalogue, common) : describe_file(name, arguments);
  }
  return ExitCode::ok;
}

}  // namespace

Command data_info_command() {
  return command("data info", "describe data files or data sets, and print a config that reads a file", describe_data,
                 {{"elmx data info airfoil", "describe a data set"},
                  {"elmx data info mine.csv", "show the columns of a file and a config that reads it"}});
}

Command data_convert_command() {
  return command("data convert", "convert delimited text to a NumPy array (.npy), which elmx can read in blocks",
                 convert_data,
                 {{"elmx data convert mine.csv -o mine.npy --target y", "make an array that elmx can read in blocks"},
                  {"elmx data convert mine.txt -o mine.npy --set separator=tab", "convert tab-separated text"}});
}

}  // namespace elmx
