#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "base/files/files.hpp"
#include "base/numbers.hpp"
#include "published/paper.hpp"
#include "report/formats/table_formats.hpp"
#include "report/frame/dimensions.hpp"

namespace elmx {
namespace {

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

Table paper_summary(std::vector<TableOfRun> tables) {
  Table table{"summary", "Published tables and ours"};
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
