#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "base/error.hpp"
#include "commands.hpp"
#include "data/catalogue.hpp"
#include "data/formats.hpp"
#include "experiment/plan/planned_time.hpp"
#include "features/activation.hpp"
#include "features/draws/node_draw.hpp"
#include "features/fourier_features.hpp"
#include "metrics/registry.hpp"
#include "models/registry/registry.hpp"
#include "report/formats/table_formats.hpp"
#include "run/paper_configs.hpp"

namespace elmx {
namespace {

Table list_of(const std::string& what, const std::vector<std::string>& columns,
              const std::vector<std::vector<std::string>>& rows) {
  Table table;
  table.name = what;
  for (const std::string& column : columns) table.columns.push_back({column, column});
  for (const auto& row : rows) {
    std::vector<Cell>& cells = table.rows.emplace_back();
    for (const std::string& text : row) cells.push_back(text_cell(text));
  }
  return table;
}

using Rows = std::vector<std::vector<std::string>>;

Table list_algorithms() {
  Rows rows;
  for (const AlgorithmInfo& row : algorithms())
    rows.push_back({std::string(row.name), std::string(row.family), std::string(row.summary)});
  return list_of("algorithms", {"algorithm", "family", "what it is"}, rows);
}

Table list_activations() {
  Rows rows;
  for (const ActivationInfo& row : activations()) rows.push_back({std::string(row.name), std::string(row.formula)});
  rows.push_back({"rbf", "exp(-b ||x - w||^2), a radial basis function: w is drawn as a weight vector, b as a bias"});
  rows.push_back(
      {kFourier, "sin(w'x + b), w normal with variance 2 gamma, b uniform: features of the Gaussian kernel"});
  return list_of("activations", {"activation", "f(v), v = w'x + b"}, rows);
}

Table list_draws() {
  Rows rows;
  for (const DrawKind& row : draw_kinds()) rows.push_back({std::string(row.name), std::string(row.summary)});
  return list_of("draws", {"draw", "how nodes are drawn"}, rows);
}

Table list_datasets(const Common& common) {
  Rows rows;
  for (const CatalogueEntry& set : shipped_catalogue().sets) {
    bool here = true;
    for (const CatalogueFile& file : set.files) here = here && std::filesystem::exists(common.data() / file.path);
    rows.push_back({set.name, set.task, set.generated ? "any" : std::to_string(set.rows), std::to_string(set.features),
                    set.generated ? "generated"
                    : here        ? "yes"
                                  : "no",
                    set.title});
  }
  return list_of("datasets", {"set", "task", "samples", "inputs", "here", "title"}, rows);
}

Table list_families() {
  Rows rows;
  for (const Family& family : families()) rows.push_back({std::string(family.name), std::string(family.summary)});
  return list_of("families", {"family", "what it is"}, rows);
}

Table list_formats() {
  Rows rows;
  for (const DataFormat& format : data_formats()) rows.push_back({format.name, "data", format.doc});
  for (const TableFormat& format : table_formats()) rows.push_back({format.name, "tables", format.doc});
  return list_of("formats", {"format", "for", "what it is"}, rows);
}

Table list_metrics() {
  Rows rows;
  for (const Metric& metric : metrics()) {
    rows.push_back({metric.name, metric.heading, to_string(metric.kind), to_string(metric.better), metric.doc});
  }
  Table table = list_of("metrics", {"metric", "heading", "kind", "better", "what it is"}, rows);
  table.remarks.emplace_back(
      "pooled_NAME, for example pooled_acc: the metric over the test samples of all trials of a row together (not for "
      "median_ae, auc and log_loss). NAME[TARGET], for example test_rmse[y1]: the metric of one of several targets.");
  return table;
}

/// Estimates the time of a published table; "" if nothing is trained for it.
std::string likely_time(const Json& config) {
  return config.contains("model") ? show_seconds(likely_seconds(expand(config))) : "";
}

Table list_experiments() {
  Rows rows;
  for (const std::string& id : paper_ids()) {
    const Json config = paper_config(id, {}, false).json;
    rows.push_back({id, likely_time(config), likely_time(paper_config(id, {}, true).json),
                    config.value("/paper/title"_json_pointer, std::string())});
  }
  Table table = list_of("experiments", {"id", "time", "full", "title"}, rows);
  table.remarks.emplace_back(
      "time, full: approximate times on two ordinary cores, without and with --full; elmx plan ID measures this "
      "machine");
  return table;
}

struct Listing {
  const char* name;
  Table (*make)(const Common&);
};

const std::vector<Listing> kListings{
    {"families", [](const Common&) { return list_families(); }},
    {"algorithms", [](const Common&) { return list_algorithms(); }},
    {"activations", [](const Common&) { return list_activations(); }},
    {"draws", [](const Common&) { return list_draws(); }},
    {"datasets", [](const Common& common) { return list_datasets(common); }},
    {"formats", [](const Common&) { return list_formats(); }},
    {"metrics", [](const Common&) { return list_metrics(); }},
    {"experiments", [](const Common&) { return list_experiments(); }},
};

/// Prints how the cells of a published table are judged and what deviates from the paper, at both scales.
void show_paper_notes(const std::string& id) {
  const auto notes_of = [&](bool full) {
    const PaperTable table = paper_table(id, {}, full);
    return paper_notes(table.options, table.published);
  };
  const std::vector<std::string> scaled = notes_of(false), full = notes_of(true);
  for (const std::string& note : scaled)
    print_line((std::ranges::count(full, note) > 0 ? "" : "without --full: ") + note);
  for (const std::string& note : full) {
    if (std::ranges::count(scaled, note) == 0) print_line("with --full: " + note);
  }
}

}  // namespace

bool show_name(const std::string& asked, const Common& common, std::vector<std::string>& known) {
  std::string name = asked;
  for (const char* part : {"test_", "train_", "unlabelled_", "pooled_"}) {
    if (asked.starts_with(part)) name = asked.substr(std::string_view(part).size());
  }
  bool found = false;
  for (const Listing& listing : kListings) {
    const Table table = listing.make(common);
    for (const auto& row : table.rows) {
      known.push_back(row.front().text);
      const bool of_a_part = name != asked && std::string_view(listing.name) == "metrics";
      if (row.front().text != asked && !(of_a_part && row.front().text == name)) continue;
      found = true;
      for (std::size_t j = 0; j < row.size(); ++j) std::cout << table.columns[j].heading << ": " << row[j].text << '\n';
    }
  }
  for (const AlgorithmInfo& row : algorithms()) {
    if (row.name == asked && !row.intermediate_flops.empty()) {
      std::cout << "flops (" << row.family << "): " << row.intermediate_flops;
      if (!row.weight_flops.empty())
        std::cout << " (intermediate results) + " << row.weight_flops << " (output weights)";
      std::cout << "; " << row.symbols << '\n';
    }
  }
  for (const CatalogueEntry& set : shipped_catalogue().sets) {
    if (set.name != asked) continue;
    for (const CatalogueFile& file : set.files)
      std::cout << "file: " << file.path << (file.url.empty() ? "" : "  " + file.url) << '\n';
    for (const std::string& note : set.notes) std::cout << "note: " << note << '\n';
  }
  if (std::ranges::count(paper_ids(), asked) > 0) show_paper_notes(asked);
  return found;
}

ExitCode list_names(const std::string& what, const Common& common) {
  print(named_row(kListings, what, fmt::format("list: unknown name \"{}\"", what)).make(common));
  return ExitCode::ok;
}

void add_list(CLI::App& app, const Common& common, Action& action) {
  std::vector<std::string> names;
  for (const Listing& listing : kListings) names.emplace_back(listing.name);
  auto* command = app.add_subcommand("list", fmt::format("list names: {}", fmt::join(names, ", ")));
  auto what = std::make_shared<std::string>();
  command->add_option("WHAT", *what, fmt::format("{}", fmt::join(names, ", ")))->required();
  command->callback([=, &common, &action] { action = [=, &common] { return list_names(*what, common); }; });
}

}  // namespace elmx
