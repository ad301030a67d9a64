#include "answer/contests.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "results/best_on_test.hpp"
#include "results/row_keys.hpp"
#include "results/row_traits.hpp"
#include "statistics/ties.hpp"

namespace elmx {
namespace {

using Rows = std::vector<RecordRow>;
using Identity = std::vector<std::string>;  ///< case, algorithm, swept texts

constexpr const char* kPart = ": ";  ///< between them in a name

/// By repeat and fold, of the trials that have them, failed ones included.
using Samples = std::map<std::pair<std::size_t, std::size_t>, SampleDigests>;

/// Rows of the same test samples in the same units, by method.
struct Field {
  std::string data_set;
  std::string units;
  Samples samples;
  Quantity metric = {};
  std::map<Identity, Rows> methods = {};
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

/// Points of grids are left to the choices among them, and a choice on the test part to any other.
Rows choices(const Rows& rows) {
  const auto method = [](const RecordRow& row) { return std::tie(row.experiment_case, row.dataset, row.algorithm); };
  Rows chosen = without_grids(rows);
  std::erase_if(chosen, [&](const RecordRow& row) {
    return row.chosen == kBestOnTest && std::ranges::any_of(rows, [&](const RecordRow& other) {
             return method(other) == method(row) && !other.chosen.empty() && other.chosen != kBestOnTest;
           });
  });
  return chosen;
}

/// What was imported knows no cases: it is one method beside all of them.
Identity identity_of(const RecordRow& row) {
  if (row.imported) return {"", row.algorithm};
  Identity identity = {row.experiment_case, row.algorithm};
  for (const auto& [place, value] : row.point) {
    if (value.is_string()) identity.push_back(value.get<std::string>());
  }
  return identity;
}

std::vector<Field> fields_of(const Rows& rows) {
  std::vector<Field> fields;
  for (const RecordRow& row : rows) {
    if (row.trials() == 0) continue;
    const Samples samples = samples_of(row);
    const auto found = std::ranges::find_if(fields, [&](const Field& field) {
      return field.data_set == row.dataset && field.units == row.units && may_be_the_same(field.samples, samples);
    });
    Field& field = found != fields.end() ? *found : fields.emplace_back(Field{row.dataset, row.units, {}});
    field.samples.insert(samples.begin(), samples.end());
    const Identity identity = identity_of(row);
    const bool is_new_there = !field.methods.contains(identity);
    if (row.imported && !is_new_there) continue;
    if (is_new_there) field.order.push_back(identity);
    field.methods[identity].push_back(row);
  }
  return fields;
}

/// Cases that have their samples alone only name them.
void forget_needless_cases(std::vector<Field>& fields) {
  const bool needed = std::ranges::any_of(fields, [](const Field& field) {
    std::set<std::string> cases;
    for (const Identity& one : field.order) {
      if (!one[0].empty()) cases.insert(one[0]);
    }
    return cases.size() > 1;
  });
  if (needed) return;
  for (Field& field : fields) {
    std::map<Identity, Rows> methods;
    for (Identity& identity : field.order) {
      auto rows = field.methods.extract(identity);
      identity[0].clear();
      methods.emplace(identity, std::move(rows.mapped()));
    }
    field.methods = std::move(methods);
  }
}

/// Data sets of one name get the case, then what is swept, then a number.
void name_apart(std::vector<Field>& fields) {
  const auto several = [&](const std::string& name) { return std::ranges::count(fields, name, &Field::data_set) > 1; };
  const auto add = [&](const auto& text_of) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const std::string text = several(fields[i].data_set) ? text_of(fields[i], i) : "";
      names.push_back(fields[i].data_set + (text.empty() ? "" : ", " + text));
    }
    for (std::size_t i = 0; i < fields.size(); ++i) fields[i].data_set = names[i];
  };
  const auto row_of_field = [](const Field& field) -> const RecordRow& { return field.methods.at(field.order[0])[0]; };
  add([&](const Field& field, std::size_t) { return row_of_field(field).experiment_case; });
  add([&](const Field& field, std::size_t) {
    const Rows& rows = field.methods.at(field.order[0]);
    return point_text(traits_of(rows[0], Dimensions(rows)));
  });
  add([](const Field&, std::size_t i) { return std::to_string(i + 1); });
}

/// The parts of the identities that differ among all of them.
std::map<Identity, std::string> names_of(const std::vector<Field>& fields) {
  std::set<Identity> all;
  for (const Field& field : fields) all.insert(field.order.begin(), field.order.end());
  std::map<Identity, std::string> names;
  for (const Identity& identity : all) {
    std::string name;
    for (std::size_t part = 0; part < identity.size(); ++part) {
      const bool differs = std::ranges::any_of(
          all, [&](const Identity& other) { return part >= other.size() || other[part] != identity[part]; });
      if (differs && !identity[part].empty()) name += (name.empty() ? "" : kPart) + identity[part];
    }
    names[identity] = name.empty() ? identity[1] : name;
  }
  return names;
}

std::string setting_of(const RecordRow& row, const Rows& all) {
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

Entrant entrant_of(const std::string& name, const Rows& rows) {
  const bool several = rows.size() > 1;
  RecordRow best = several ? best_on_test(rows.begin(), rows.end()) : rows[0];
  const std::size_t settings = several ? rows.size() : best.chosen == kBestOnTest ? Entrant::kUnknown : 1;
  if (several) {  // how it was chosen before that stands in the setting
    for (const RecordRow& row : rows) {
      if (row.nodes == best.nodes && row.point == best.point && row.iterations == best.iterations)
        best.chosen = row.chosen;
    }
  }
  if (best.chosen == kBestOnTest) best.chosen.clear();
  std::string setting = setting_of(best, rows);
  return {name, {name}, std::move(best), std::move(setting), settings};
}

/// Sorts the entrants of a contest: the smaller the place, the better. Means that differ by rounding alone
/// share it.
using Place = std::tuple<bool, bool, double>;  // without a number, with failed trials, the mean or its negative

std::vector<Place> places_of(const Contest& contest) {
  std::vector<Place> places;
  std::vector<double> means;
  for (const Entrant& entrant : contest.entrants) {
    const Summary summary = summary_of(entrant.row, contest.metric.name);
    places.emplace_back(summary.n == 0, summary.n != entrant.row.trials(), 0);
    means.push_back(summary.n == 0 ? 0 : contest.metric.better == Better::lower ? summary.mean : -summary.mean);
  }
  means = tied_scores(means);
  for (std::size_t i = 0; i < places.size(); ++i) std::get<2>(places[i]) = means[i];
  return places;
}

void put_in_order(Contest& contest) {
  const std::vector<Place> places = places_of(contest);
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return places[i]; });
  std::vector<Entrant> entrants;
  for (const std::size_t i : order) entrants.push_back(std::move(contest.entrants[i]));
  contest.entrants = std::move(entrants);
  contest.first = static_cast<std::size_t>(std::ranges::count(places, places[order[0]]));
}

/// What is printed of an entrant everywhere.
std::string print_of(const std::vector<Contest>& contests, const std::string& name) {
  std::string text;
  for (const Contest& contest : contests) {
    for (const Entrant& entrant : contest.entrants) {
      if (entrant.name != name) continue;
      const Summary summary = summary_of(entrant.row, contest.metric.name);
      text += plain_text(spread_cell(summary.mean, summary.sd, contest.metric.display)) + "|";
      for (const RecordTrial& trial : trials_of(entrant.row)) {
        const auto value = trial.step == nullptr
                               ? std::nullopt
                               : value_of(RecordedStep(*trial.record, *trial.step), contest.metric.name);
        const Cell cell = number_cell(value.value_or(arma::datum::nan), contest.metric.display);
        text += std::to_string(trial.record->repeat) + "." + std::to_string(trial.record->fold) + ": " +
                (value ? plain_text(cell) : trial.status) + "|";
      }
    }
    text += "\n";
  }
  return text;
}

/// "broad: exg-e, auto" of "broad: exg-e" and "broad: auto".
std::string with_name(const std::string& names, const std::string& name) {
  const std::size_t part = name.rfind(kPart), last = names.rfind(kPart);
  const std::string before = part == std::string::npos ? "" : name.substr(0, part + 2);
  const std::size_t from = last == std::string::npos ? 0 : names.rfind(", ", last);
  const std::string there = last == std::string::npos   ? ""
                            : from == std::string::npos ? names.substr(0, last + 2)
                                                        : names.substr(from + 2, last - from);
  return names + ", " + (before == there ? name.substr(before.size()) : name);
}

void join_alike(std::vector<Contest>& contests) {
  std::vector<std::string> names;
  for (const Contest& contest : contests) {
    for (const Entrant& entrant : contest.entrants) add_missing(names, {entrant.name});
  }
  std::map<std::string, std::string> first_with;          // what is printed -> name
  std::map<std::string, std::string> joined;              // name -> names of all that print alike
  std::map<std::string, std::vector<std::string>> alike;  // each of these
  for (const std::string& name : names) {
    const auto [found, is_new] = first_with.try_emplace(print_of(contests, name), name);
    std::string& all = joined[found->second];
    alike[found->second].push_back(name);
    all = is_new ? name : with_name(all, name);
  }
  for (Contest& contest : contests) {
    std::erase_if(contest.entrants, [&](const Entrant& entrant) { return !joined.contains(entrant.name); });
    for (Entrant& entrant : contest.entrants) {
      entrant.methods = alike[entrant.name];
      entrant.name = joined[entrant.name];
    }
  }
}

std::vector<Contest> contests_of(const std::vector<Field>& fields) {
  const std::map<Identity, std::string> names = names_of(fields);
  std::vector<Contest> contests;
  for (const Field& field : fields) {
    Contest contest{field.data_set, field.metric, {}};
    for (const Identity& identity : field.order)
      contest.entrants.push_back(entrant_of(names.at(identity), field.methods.at(identity)));
    contests.push_back(std::move(contest));
  }
  join_alike(contests);
  for (Contest& contest : contests) put_in_order(contest);
  return contests;
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

bool some_incomplete_is_better(const Contest& contest) {
  const double best = summary_of(contest.entrants[0].row, contest.metric.name).mean;
  return std::ranges::any_of(contest.entrants, [&](const Entrant& entrant) {
    const Summary summary = summary_of(entrant.row, contest.metric.name);
    return summary.n > 0 && (contest.metric.better == Better::lower ? summary.mean < best : summary.mean > best);
  });
}

std::vector<Tournament> tournaments(const std::vector<RecordRow>& rows) {
  std::vector<Field> all = fields_of(choices(rows));
  if (all.empty()) return {};
  forget_needless_cases(all);
  name_apart(all);
  std::vector<Tournament> found;
  for (const char* metric : {"test_acc", "test_rmse"}) {
    std::vector<Field> fields;
    for (Field& field : all) {
      if (!has(field, metric)) continue;
      field.metric = quantity_of(metric);
      fields.push_back(field);
    }
    std::erase_if(all, [&](const Field& field) { return has(field, metric); });
    if (fields.empty()) continue;
    const bool common = fields.size() > 1 && fields[0].methods.size() > 1 &&
                        std::ranges::all_of(fields, [&](const Field& field) { return same_methods(field, fields[0]); });
    if (common) {
      found.push_back({contests_of(fields), true});
      continue;
    }
    Tournament apart;
    for (const Field& field : fields) apart.contests.push_back(contests_of({field})[0]);
    found.push_back(std::move(apart));
  }
  return found;
}

}  // namespace elmx
