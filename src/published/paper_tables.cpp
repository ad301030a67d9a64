#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "base/files/files.hpp"
#include "base/numbers.hpp"
#include "data/catalogue.hpp"
#include "experiment/config/options.hpp"
#include "published/paper.hpp"
#include "report/formats/table_formats.hpp"
#include "report/frame/dimensions.hpp"
#include "report/frame/quantities.hpp"

namespace elmx {
namespace {

std::filesystem::path paper_dir() { return share_dir() / "configs" / "paper"; }

constexpr const char* kTitleEnd = ": published and measured";  // end of PaperComparison::table's title

constexpr const char* kRemark =
    "level: measured values that are equal but for the ties of the rule; consistent and contrary: so many runs cannot "
    "tell, and the measured value itself meets or misses the rule; not available: without a number here, or without "
    "another one yet to compare it with; with a reason: of the disagreeing and not available ones, those whose reason "
    "stands "
    "below their table";

/// Returns the title of a table and the verdicts of its cells.
std::pair<std::string, VerdictCounts> read_comparison(const std::filesystem::path& file) {
  const std::optional<Table> table = table_from_json_text(read_file(file));
  if (!table || table->columns.empty() || table->columns.back().name != "verdict")
    throw DataError(file.string(), "not a comparison that elmx reproduce has written; run elmx reproduce again");
  VerdictCounts counts;
  for (const std::vector<Cell>& row : table->rows) {
    const std::optional<Verdict> verdict = verdict_in(row.back().text);
    if (!verdict) throw DataError(file.string(), "unknown verdict \"" + row.back().text + "\"");
    if (row.back().text.find(kNotCounted) != std::string::npos) continue;
    counts.add(*verdict, is_unmet(*verdict) && row.back().note > 0);
  }
  return {table->title.substr(0, table->title.rfind(kTitleEnd)), counts};
}

/// Returns a row of the summary; NA if there are no counts.
std::vector<Cell> cells_of(const std::string& name, const std::string& what,
                           const std::optional<VerdictCounts>& counts) {
  std::vector<Cell> cells{text_cell(name), text_cell(what)};
  const VerdictCounts c = counts.value_or(VerdictCounts{});
  for (const std::size_t number : c.of) cells.push_back(number_cell(counts ? static_cast<double>(number) : nan));
  cells.push_back(number_cell(counts ? static_cast<double>(c.explained) : nan));
  return cells;
}

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
  std::error_code none;
  for (const auto& file : std::filesystem::directory_iterator(paper_dir(), none)) {
    if (file.path().extension() == ".json") ids.push_back(file.path().stem().string());
  }
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

Table paper_summary(std::vector<TableOfRun> tables) {
  Table table{"summary", "Published tables and ours", {}, {}, {}, {}};
  for (const char* name : {"table", "what", "agreeing", "level", "consistent", "contrary", "disagreeing",
                           "not available", "without a verdict", "with a reason"}) {
    table.columns.push_back({name, name});
  }
  std::ranges::sort(tables, [](const TableOfRun& a, const TableOfRun& b) { return compare_naturally(a.id, b.id) < 0; });
  const auto family_of = [](const std::string& id) { return id.substr(0, id.find('-')); };
  VerdictCounts of_family;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const auto& [id, run] = tables[i];
    if (const auto file = run / "tables" / (id + ".json"); std::filesystem::exists(file)) {
      const auto [title, counts] = read_comparison(file);
      table.rows.push_back(cells_of(id, title, counts));
      of_family += counts;
    } else {
      table.rows.push_back(cells_of(id, "not run", std::nullopt));
    }
    if (i + 1 < tables.size() && family_of(tables[i + 1].id) == family_of(id)) continue;
    table.rows.push_back(cells_of(family_of(id), "all that was run", of_family));
    of_family = {};
  }
  table.remarks.emplace_back(kRemark);
  return table;
}

}  // namespace elmx
