#include "tables/methods_of_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <tuple>

#include "base/nan.hpp"
#include "results/row_keys.hpp"
#include "results/selection.hpp"
#include "statistics/ties.hpp"

namespace elmx {
namespace {

using Identity = std::vector<std::string>;  ///< case, algorithm, swept texts; or the value of one field

/// By repeat and fold, of the trials that have them, failed ones included.
using Samples = std::map<std::pair<std::size_t, std::size_t>, SampleDigests>;

/// std::vector<RecordRow> of the same test samples in the same units, by method.
struct Field {
  std::string data_set;
  std::string units;
  Samples samples;
  std::map<Identity, std::vector<RecordRow>> methods = {};
  std::vector<Identity> order = {};
};

Samples samples_of(const RecordRow& row) {
  Samples samples;
  for (const RecordTrial& trial : trials_of(row)) {
    const Record& record = *trial.record;
    if (!record.samples.test.empty()) samples.emplace(std::pair(record.repeat, record.fold), record.samples);
  }
  return samples;
}

/// Nothing speaks against it: they agree wherever both have a trial; where none is common, in their data.
bool may_be_the_same(const Samples& a, const Samples& b) {
  bool met = false;
  for (const auto& [place, digests] : a) {
    const auto found = b.find(place);
    if (found == b.end()) continue;
    if (std::tie(found->second.data, found->second.test) != std::tie(digests.data, digests.test)) return false;
    met = true;
  }
  return met || a.empty() || b.empty() || a.begin()->second.data == b.begin()->second.data;
}

/// What was imported knows no cases: it is one method beside all of them.
Identity identity_of(const RecordRow& row, const Dimension* by, bool with_cases) {
  if (by != nullptr) {
    const Json value = by->value(row, {});
    return {value.is_null() || value == "" ? row.algorithm : text_of(value)};
  }
  if (row.imported) return {"", row.algorithm};
  Identity identity = {with_cases ? row.experiment_case : "", row.algorithm};
  for (const auto& [place, value] : row.point) {
    if (value.is_string()) identity.push_back(value.get<std::string>());
  }
  return identity;
}

std::vector<Field> fields_of(const std::vector<RecordRow>& rows, const Dimension* by, bool with_cases) {
  std::vector<Field> fields;
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> of_data;
  for (const RecordRow& row : rows) {
    if (row.trials() == 0) continue;
    const Samples samples = samples_of(row);
    std::vector<std::size_t>& alike = of_data[{row.dataset, row.units}];
    auto found =
        std::ranges::find_if(alike, [&](std::size_t i) { return may_be_the_same(fields[i].samples, samples); });
    if (found == alike.end()) {
      found = alike.insert(alike.end(), fields.size());
      fields.push_back({row.dataset, row.units, {}});
    }
    Field& field = fields[*found];
    field.samples.insert(samples.begin(), samples.end());
    const Identity identity = identity_of(row, by, with_cases);
    const bool is_new_there = !field.methods.contains(identity);
    if (row.imported && !is_new_there) continue;
    if (is_new_there) field.order.push_back(identity);
    field.methods[identity].push_back(row);
  }
  return fields;
}

/// Cases that have their samples alone only name them.
bool cases_tell_apart(const std::vector<Field>& fields) {
  return std::ranges::any_of(fields, [](const Field& field) {
    std::set<std::string> cases;
    for (const Identity& one : field.order) cases.insert(one[0]);
    cases.erase("");
    return cases.size() > 1;
  });
}

/// Data sets of one name get the case, then what is swept, then a number.
void name_apart(std::vector<Field>& fields) {
  const auto add = [&](const auto& text_of) {
    std::map<std::string, std::size_t> count;
    for (const Field& field : fields) ++count[field.data_set];
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const std::string text = count[fields[i].data_set] > 1 ? text_of(fields[i], i) : "";
      if (!text.empty()) fields[i].data_set += ", " + text;
    }
  };
  const auto row_of_field = [](const Field& field) -> const RecordRow& { return field.methods.at(field.order[0])[0]; };
  add([&](const Field& field, std::size_t) { return row_of_field(field).experiment_case; });
  add([&](const Field& field, std::size_t) {
    const std::vector<RecordRow>& rows = field.methods.at(field.order[0]);
    return point_text(traits_of(rows[0], Dimensions(rows)));
  });
  add([](const Field&, std::size_t i) { return std::to_string(i + 1); });
}

/// The parts of the identities that differ among all of them.
std::map<Identity, std::string> names_of(std::span<const Field> fields) {
  std::set<Identity> all;
  for (const Field& field : fields) all.insert(field.order.begin(), field.order.end());
  std::map<std::size_t, std::set<std::string>> values;
  std::map<std::size_t, std::size_t> have;
  for (const Identity& identity : all) {
    for (std::size_t part = 0; part < identity.size(); ++part) {
      values[part].insert(identity[part]);
      ++have[part];
    }
  }
  std::map<Identity, std::string> names;
  for (const Identity& identity : all) {
    std::string name;
    for (std::size_t part = 0; part < identity.size(); ++part) {
      const bool differs = values[part].size() > 1 || have[part] < all.size();
      if (differs && !identity[part].empty()) name += (name.empty() ? "" : ": ") + identity[part];
    }
    names[identity] = !name.empty() ? name : identity.size() > 1 ? identity[1] : identity[0];
  }
  return names;
}

std::string setting_of(const RecordRow& row, const std::vector<RecordRow>& all) {
  const RowKeys keys(all);
  const std::vector<Column> columns = keys.columns();
  const std::vector<Cell> cells = keys.cells(row);
  std::string text;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string& name = columns[i].name;
    const std::string value = plain_text(cells[i]);
    if (name == "case" || name == "dataset" || name == "algorithm" || value == "-" || value == "NA") continue;
    text += (text.empty() ? "" : ", ") + (name == "chosen" ? value : name + " " + value);
  }
  return text;
}

/// Adds the method with these settings on one more data set.
void append(const std::vector<RecordRow>& rows, const std::string& data_set, ComparedSide& side) {
  const bool several = rows.size() > 1;
  RecordRow best = several ? best_on_test(rows) : rows[0];
  MethodSetting setting{"", several ? rows.size() : best.chosen == kBestOnTest ? MethodSetting::kUnknown : 1};
  if (several) {  // how it was chosen before that stands in the setting
    for (const RecordRow& row : rows) {
      if (row.nodes == best.nodes && row.point == best.point && row.iterations == best.iterations)
        best.chosen = row.chosen;
    }
  }
  if (best.chosen == kBestOnTest) best.chosen.clear();
  setting.text = setting_of(best, rows);
  best.dataset = data_set;
  side.rows.push_back(std::move(best));
  side.settings.push_back(std::move(setting));
}

/// A row for each data set, which every side has.
void connect(MethodComparison& comparison) {
  comparison.rows.clear();
  for (std::size_t i = 0; i < comparison.sides[0].rows.size(); ++i) {
    comparison.rows.emplace_back();
    for (const ComparedSide& side : comparison.sides) comparison.rows.back().push_back(&side.rows[i]);
  }
}

MethodComparison comparison_of(std::span<const Field> fields, const std::string& metric) {
  const std::map<Identity, std::string> names = names_of(fields);
  MethodComparison comparison{{}, {}, {quantity_of(metric)}};
  for (const Identity& identity : fields[0].order) {
    const std::string& name = names.at(identity);
    comparison.sides.push_back({name, {}, {name}});
    for (const Field& field : fields) append(field.methods.at(identity), field.data_set, comparison.sides.back());
  }
  connect(comparison);
  return comparison;
}

/// What is printed of a method everywhere.
std::string print_of(const ComparedSide& side, const Quantity& metric) {
  std::string text;
  for (const RecordRow& row : side.rows) {
    const Summary summary = summary_of(row, metric.name);
    text += plain_text(spread_cell(summary.mean, summary.sd, metric.display));
    for (const RecordedStep& step : row.steps)
      text += fmt::format("|{}.{}: {}", step.repeat, step.fold,
                          plain_text(number_cell(value_of(step, metric.name).value_or(nan), metric.display)));
    for (const auto& [why, records] : row.failures) {
      for (const Record* record : records) text += fmt::format("|{}.{}: {}", record->repeat, record->fold, why);
    }
    text += '\n';
  }
  return text;
}

bool same_methods(const Field& a, const Field& b) {
  return std::ranges::equal(
      a.methods, b.methods, {}, [](const auto& one) { return one.first; }, [](const auto& one) { return one.first; });
}

bool has(const Field& field, const std::string& metric) {
  return std::ranges::any_of(field.methods, [&](const auto& method) {
    return std::ranges::any_of(method.second, [&](const RecordRow& row) { return summary_of(row, metric).n > 0; });
  });
}

}  // namespace

std::vector<RecordRow> choices_in(const std::vector<RecordRow>& rows) {
  const auto method = [](const RecordRow& row) { return std::tuple(row.experiment_case, row.dataset, row.algorithm); };
  std::set<std::tuple<std::string, std::string, std::string>> have_chosen;
  for (const RecordRow& row : rows) {
    if (!row.chosen.empty() && row.chosen != kBestOnTest) have_chosen.insert(method(row));
  }
  std::vector<RecordRow> chosen = without_grids(rows);
  std::erase_if(chosen,
                [&](const RecordRow& row) { return row.chosen == kBestOnTest && have_chosen.contains(method(row)); });
  return chosen;
}

Standing standing_in(const MethodComparison& comparison, std::size_t data_set) {
  using Place = std::tuple<bool, bool, double>;  // without a number, with failed trials, the score
  const Quantity& metric = comparison.metrics[0];
  std::vector<Place> places;
  std::vector<double> scores, tied;
  for (const RecordRow* row : comparison.rows[data_set]) {
    const Summary summary = summary_of(*row, metric.name);
    places.emplace_back(summary.n == 0, summary.n != row->trials(), 0);
    scores.push_back(summary.n == 0 ? 0 : metric.better == Better::lower ? summary.mean : -summary.mean);
  }
  tied = tied_scores(scores);
  for (std::size_t i = 0; i < places.size(); ++i) std::get<2>(places[i]) = tied[i];
  Standing standing{comparison.all_sides()};
  std::ranges::stable_sort(standing.order, {}, [&](std::size_t i) { return places[i]; });
  const std::size_t best = standing.order[0];
  standing.first = static_cast<std::size_t>(std::ranges::count(places, places[best]));
  for (std::size_t i = 0; i < places.size(); ++i)
    standing.behind_by_fails = standing.behind_by_fails || (!std::get<0>(places[i]) && scores[i] < scores[best]);
  return standing;
}

void put_in_order(const std::vector<std::size_t>& order, MethodComparison& comparison) {
  std::vector<ComparedSide> sides;
  for (const std::size_t i : order) sides.push_back(std::move(comparison.sides[i]));
  comparison.sides = std::move(sides);
  connect(comparison);
}

void join_alike(MethodComparison& comparison) {
  std::map<std::string, std::size_t> first_with;  // what is printed
  std::vector<ComparedSide> sides;
  for (ComparedSide& side : comparison.sides) {
    const auto [found, is_new] = first_with.try_emplace(print_of(side, comparison.metrics[0]), sides.size());
    if (is_new) {
      sides.push_back(std::move(side));
    } else {
      sides[found->second].methods.push_back(side.name);
      sides[found->second].name += ", " + side.name;
    }
  }
  comparison.sides = std::move(sides);
  connect(comparison);
}

std::vector<MethodComparison> methods_of(const std::vector<RecordRow>& rows, const Dimension* by,
                                         const std::vector<std::string>& metrics) {
  const std::vector<RecordRow> chosen = choices_in(rows);
  std::vector<Field> all = fields_of(chosen, by, true);
  if (by == nullptr && !cases_tell_apart(all)) all = fields_of(chosen, by, false);
  name_apart(all);
  std::vector<MethodComparison> found;
  for (const std::string& metric : metrics) {
    const auto rest = std::stable_partition(all.begin(), all.end(), [&](const Field& one) { return has(one, metric); });
    const std::span<const Field> fields(all.begin(), rest);
    if (fields.size() > 1 && fields[0].methods.size() > 1 &&
        std::ranges::all_of(fields, [&](const Field& field) { return same_methods(field, fields[0]); })) {
      found.push_back(comparison_of(fields, metric));
    } else {
      for (std::size_t i = 0; i < fields.size(); ++i) found.push_back(comparison_of(fields.subspan(i, 1), metric));
    }
    all.erase(all.begin(), rest);
  }
  return found;
}

}  // namespace elmx
