#include <fmt/core.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/files/files.hpp"
#include "data/catalogue.hpp"
#include "experiment/config/options.hpp"
#include "published/paper.hpp"
#include "report/frame/dimensions.hpp"
#include "report/frame/quantities.hpp"

namespace elmx {
namespace {

std::filesystem::path paper_dir() { return share_dir() / "configs" / "paper"; }

}  // namespace

LayeredConfig paper_config(const std::string& id, const std::vector<std::string>& assignments, bool full) {
  if (const std::vector<std::string> known = paper_ids(); std::ranges::count(known, id) == 0)
    throw ConfigError("reproduce",
                      fmt::format("unknown table \"{}\"{}", id, suggest(id, known, "elmx list experiments")));
  const std::string file = (paper_dir() / (id + ".json")).string();
  LayeredConfig config = load_config({file}, {});
  const std::string run = config.json.value("/paper/run"_json_pointer, "");
  if (!run.empty()) config = load_config({(paper_dir() / "runs" / (run + ".json")).string(), file}, {});
  const Json at_full_scale = config.json.value("full", Json::object());
  config.json.erase("full");
  if (full) merge(config.json, at_full_scale);
  for (const std::string& assignment : assignments) config.assign(assignment);
  return config;
}

PaperTable paper_table(const std::string& id, const std::vector<std::string>& assignments, bool full) {
  PaperTable table{id, paper_config(id, assignments, full), {}, {}};
  table.config.check([&] {
    read_options(table.config.json.value("paper", Json::object()), "/paper", table.options);
    if (table.options.published.empty())
      throw ConfigError("/paper/published", "expected the name of a file in data/paper");
  });
  table.published = read_published(share_dir() / "data" / "paper", table.options.published);
  return table;
}

std::vector<std::string> paper_ids() {
  std::vector<std::string> ids;
  for (const std::filesystem::path& file : entries_of(paper_dir(), ".json")) ids.push_back(file.stem().string());
  std::ranges::sort(ids, [](const std::string& a, const std::string& b) { return compare_naturally(a, b) < 0; });
  return ids;
}

Json schema_with_names() {
  std::vector<std::string> sets, metrics;
  for (const CatalogueEntry& entry : shipped_catalogue().sets) sets.push_back(entry.name);
  for (const auto* quantities : {&known_quantities(), &pooled_quantities()}) {
    for (const Quantity& quantity : *quantities) metrics.push_back(quantity.name);
  }
  Json schema = config_schema(sets, metrics);
  Json& paper = schema["properties"]["paper"];
  const Json description = paper["description"];
  paper = schema_of<PaperOptions>();
  paper["description"] = description;
  return schema;
}

}  // namespace elmx
