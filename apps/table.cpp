#include <iostream>

#include "report/table_formats.hpp"
#include "report/tables_of_records.hpp"
#include "verbs.hpp"

namespace elmx {
namespace {

/// As `elmx run` ordered them; records without their experiment.json come in natural order.
RecordTableOptions options_of(const std::filesystem::path& folder) {
  RecordTableOptions options;
  const std::filesystem::path path = folder / "experiment.json";
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return options;
  const Json experiment = read_json_file(path);
  try {
    const Json& cases = experiment.at("resolved");
    for (const Json& one : cases) {
      options.order.cases.push_back(one.at("case"));
      read_options(one["options"].value("select", Json::object()), "/select", options.select[one["case"]]);
      add_missing(options.order.algorithms, one.at("options").at("model").at("algorithms").get<std::vector<std::string>>());
    }
    options.reference = cases.at(0).at("options").at("baseline");
  } catch (const Json::exception& error) {
    throw DataError(path.string() + ": not the description of a run: " + error.what());
  }
  return options;
}

ExitCode table(const std::string& folder, const std::string& format, const std::string& baseline) {
  const TableFormat& chosen = find_table_format(format);
  const std::vector<Record> records = records_in(folder);
  RecordTableOptions options = options_of(folder);
  if (!baseline.empty()) options.reference = baseline;
  for (const Table& one : tables_of_records(records, options)) {
    if (one.only_in_file && std::filesystem::exists(table_file(folder, one, format)))
      name_file(one, folder, format);
    else
      std::cout << chosen.write(one) << '\n';
  }
  return ExitCode::ok;
}

}  // namespace

void add_table(CLI::App& app, Action& action) {
  auto* verb = app.add_subcommand("table", "print the tables of a results folder again");
  auto folder = std::make_shared<std::string>();
  auto format = std::make_shared<std::string>("md");
  auto baseline = std::make_shared<std::string>();
  verb->add_option("DIR", *folder, "results folder")->required();
  verb->add_option("--format", *format, "md, csv, tex or json");
  verb->add_option("--baseline", *baseline, "algorithm that speed-ups refer to");
  verb->callback([=, &action] { action = [=] { return table(*folder, *format, *baseline); }; });
}

}  // namespace elmx
