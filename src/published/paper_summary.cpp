#include "published/paper_summary.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/config/json.hpp"
#include "base/error.hpp"
#include "published/verdicts.hpp"
#include "results/natural_order.hpp"

namespace elmx {
namespace {

constexpr const char* kTitleEnd = ": published and measured";  // of PaperComparison::table

constexpr const char* kRemark =
    "tied: neither met nor missed; undecided: so many runs cannot tell, which counts neither way; not available: "
    "without a number here; with a reason: of the disagreeing and not available ones, those whose reason stands "
    "below their table";

struct Tally {
  std::size_t agree = 0, disagree = 0, undecided = 0, tied = 0, not_available = 0, shown = 0;
  std::size_t explained = 0;  // of those that disagree or are not available

  Tally& operator+=(const Tally& other) {
    agree += other.agree, disagree += other.disagree, undecided += other.undecided, tied += other.tied;
    not_available += other.not_available, shown += other.shown;
    explained += other.explained;
    return *this;
  }
};

struct Comparison {
  std::string title;
  Tally tally;
};

Comparison read_comparison(const std::filesystem::path& file) {
  const Json json = read_json_file(file);
  Comparison comparison;
  Tally& tally = comparison.tally;
  try {
    comparison.title = json.at("title");
    for (const Json& row : json.at("rows")) {
      const std::string verdict = row.at("verdict");
      tally.agree += verdict == to_string(Verdict::agrees);
      tally.undecided += verdict.starts_with(to_string(Verdict::undecided));
      tally.tied += verdict == to_string(Verdict::tied);
      tally.disagree += verdict == to_string(Verdict::disagrees);
      tally.not_available += verdict == to_string(Verdict::not_available);
      tally.shown += verdict == to_string(Verdict::shown);
      const bool unmet = verdict == to_string(Verdict::disagrees) || verdict == to_string(Verdict::not_available);
      tally.explained += unmet && row.contains("notes") && row["notes"].contains("verdict");
    }
  } catch (const Json::exception& error) {
    throw DataError(file.string() + ": not the comparison of a published table: " + error.what());
  }
  if (const auto end = comparison.title.rfind(kTitleEnd); end != std::string::npos) comparison.title.erase(end);
  return comparison;
}

/// NA where there is no tally.
std::vector<Cell> cells_of(const std::string& name, const std::string& what, const std::optional<Tally>& tally) {
  std::vector<Cell> cells{text_cell(name), text_cell(what)};
  const Tally t = tally.value_or(Tally{});
  for (const std::size_t number : {t.agree, t.disagree, t.undecided, t.tied, t.not_available, t.shown, t.explained}) {
    cells.push_back(number_cell(tally ? static_cast<double>(number) : std::numeric_limits<double>::quiet_NaN()));
  }
  return cells;
}

std::string family_of(const std::string& id) { return id.substr(0, id.find('-')); }

}  // namespace

Table paper_summary(std::vector<TableOfRun> tables) {
  Table table{"summary", "Published tables and ours", {}, {}, {}, {}};
  for (const char* name : {"table", "what", "agreeing", "disagreeing", "undecided", "tied", "not available",
                           "without a verdict", "with a reason"}) {
    table.columns.push_back({name, name});
  }
  std::ranges::sort(tables, [](const TableOfRun& a, const TableOfRun& b) { return compare_naturally(a.id, b.id) < 0; });
  Tally of_family;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const auto& [id, run] = tables[i];
    if (const auto file = run / "tables" / (id + ".json"); std::filesystem::exists(file)) {
      const Comparison comparison = read_comparison(file);
      table.rows.push_back(cells_of(id, comparison.title, comparison.tally));
      of_family += comparison.tally;
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
