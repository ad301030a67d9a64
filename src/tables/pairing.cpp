#include "tables/pairing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace elmx {
namespace {

using Rows = std::vector<RecordRow*>;

/// The rows of one data set: one list a side.
struct DataGroup {
  std::string name;  ///< of the data set, as its first row has it
  std::vector<Rows> of_side;
  Fields several = {};  ///< fields with several values on a side
  Fields single = {};   ///< the others
  std::vector<MatchedRows> matched = {};
};

/// Of the rows that have steps.
FieldValueSet values_reached(const Dimension& field, const Rows& rows) {
  std::vector<const RecordRow*> reached;
  std::ranges::copy_if(rows, std::back_inserter(reached), [](const RecordRow* row) { return !row->steps.empty(); });
  return values_in(field, reached);
}

const SampleDigests* digests_of(const RecordRow& row) {
  return row.steps.empty() || row.steps[0].record->samples.data.empty() ? nullptr : &row.steps[0].record->samples;
}

/// Whether every row that has steps says what its data were.
bool content_is_known(const std::vector<ComparedSide>& sides) {
  return std::ranges::all_of(sides, [](const ComparedSide& side) {
    return std::ranges::all_of(side.rows,
                               [](const RecordRow& row) { return row.steps.empty() || digests_of(row) != nullptr; });
  });
}

std::vector<DataGroup> groups_of(std::vector<ComparedSide>& sides, bool by_content) {
  std::vector<DataGroup> groups;
  std::map<std::string, std::size_t> number;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    for (RecordRow& row : sides[i].rows) {
      const SampleDigests* digests = by_content ? digests_of(row) : nullptr;
      const std::string identity = digests != nullptr ? digests->data : row.dataset;
      const auto [found, is_new] = number.try_emplace(identity, groups.size());
      if (is_new) groups.push_back({row.dataset, std::vector<Rows>(sides.size())});
      groups[found->second].of_side[i].push_back(&row);
    }
  }
  return groups;
}

void tell_fields(const Dimensions& fields, const std::string& by, DataGroup& group) {
  for (const Dimension& field : fields.all()) {
    if (field.kind == DimensionKind::of_trial || field.name == by) continue;
    const bool several =
        std::ranges::any_of(group.of_side, [&](const Rows& rows) { return values_reached(field, rows).size() > 1; });
    (several ? group.several : group.single).push_back(&field);
  }
}

/// Rows that agree in the fields, one a side.
std::vector<MatchedRows> matched_in(const std::vector<Rows>& of_side, const Fields& fields) {
  std::map<FieldValues, std::size_t, ByFields> place_of(ByFields{fields});
  std::vector<MatchedRows> matched;
  for (std::size_t i = 0; i < of_side.size(); ++i) {
    for (const RecordRow* row : of_side[i]) {
      FieldValues values;
      for (const Dimension* field : fields) values.push_back(field->value(*row, {}));
      const auto [found, is_new] = place_of.try_emplace(std::move(values), matched.size());
      if (is_new) matched.emplace_back(of_side.size(), nullptr);
      // A row that failed everywhere has no value of its own, so that it may stand in the place of another.
      const RecordRow*& there = matched[found->second][i];
      if (there == nullptr || (there->steps.empty() && !row->steps.empty())) there = row;
    }
  }
  return matched;
}

std::size_t pairs_in(const std::vector<MatchedRows>& rows, std::size_t side) {
  std::size_t pairs = 0;
  for (const MatchedRows& matched : rows) pairs += matched_steps({matched[0], matched[side]})[0].size();
  return pairs;
}

/// "A: dataset d.csv, algorithm panel; B: dataset copy.csv, algorithm alg2", or "".
std::string differences_in(const DataGroup& group, const std::vector<ComparedSide>& sides, std::size_t side) {
  std::string a, b;
  for (const Dimension* field : group.single) {
    const FieldValueSet first = values_reached(*field, group.of_side[0]),
                        second = values_reached(*field, group.of_side[side]);
    if (first.empty() || second.empty() || *first.begin() == *second.begin()) continue;
    a += (a.empty() ? " " : ", ") + field->name + " " + listed(first);
    b += (b.empty() ? " " : ", ") + field->name + " " + listed(second);
  }
  return a.empty() ? "" : sides[0].name + ":" + a + "; " + sides[side].name + ":" + b;
}

/// Of two rows that agree: what keeps their trials apart.
std::string apart_in_trials(const RecordRow& a, const RecordRow& b, std::size_t side,
                            const SplitDifference& difference) {
  for (const RecordedStep& step : a.steps) {
    for (const RecordedStep& other : b.steps) {
      if (std::tie(step.repeat, step.fold) != std::tie(other.repeat, other.fold)) continue;
      const std::string options = difference(a, b, side);
      return "the splits differ (" +
             (options.empty() ? "their test parts are other rows, or have other targets" : options) +
             "); allowed: runs of one seed and split";
    }
  }
  return "they have no repeat and fold in common; allowed: trials of the same repeats and folds";
}

/// Fields without which rows would agree: one of them, where that is enough.
Fields hindrances(const DataGroup& group, std::size_t side) {
  const std::vector<Rows> both = {group.of_side[0], group.of_side[side]};
  const auto agree = [&](const Fields& fields) {
    return std::ranges::any_of(matched_in(both, fields),
                               [](const MatchedRows& rows) { return std::ranges::count(rows, nullptr) == 0; });
  };
  for (const Dimension* left_out : group.several) {
    Fields others = group.several;
    std::erase(others, left_out);
    if (agree(others)) return {left_out};
  }
  return group.several;
}

/// Whether a row is no point of a grid either.
bool some_choose_nothing(const DataGroup& group, std::size_t side) {
  const auto chooses_nothing = [](const RecordRow* row) {
    return row->chosen.empty() && row->parameters.empty() && !row->one_of_grid;
  };
  return std::ranges::any_of(group.of_side[0], chooses_nothing) ||
         std::ranges::any_of(group.of_side[side], chooses_nothing);
}

/// Of a side that has several rows for a trial of the other one.
std::string apart_in_fields(const DataGroup& group, const std::vector<ComparedSide>& sides, std::size_t side,
                            const std::string& choice) {
  std::string text, example;
  for (const Dimension* field : hindrances(group, side)) {
    const FieldValueSet first = values_reached(*field, group.of_side[0]),
                        second = values_reached(*field, group.of_side[side]);
    if (first.empty() || second.empty() || (first.size() == 1 && second.size() == 1)) continue;
    text += (text.empty() ? "" : "; ") + field->name + ": " + sides[0].name + " has " + listed(first) + ", " +
            sides[side].name + " has " + listed(second);
    const std::string a = text_of((*first.rbegin())[0]), b = text_of((*second.rbegin())[0]);
    example += " --where \"" + field->name + "=" + a + (a == b ? "" : "," + b) + "\"";
  }
  if (text.empty()) return "each row has failed on one of them";
  if (!choice.empty()) example = " --where \"chosen=" + choice + (some_choose_nothing(group, side) ? ",-" : "") + "\"";
  return text + ": which of them belong together is not said; allowed: one value a side by --where or --by, as in" +
         example;
}

/// Why two sides that both have the data set have no pair there.
std::string apart(const DataGroup& group, const std::vector<ComparedSide>& sides, std::size_t side,
                  const std::string& choice, const SplitDifference& difference) {
  for (const MatchedRows& rows : group.matched) {
    const bool both =
        rows[0] != nullptr && rows[side] != nullptr && !rows[0]->steps.empty() && !rows[side]->steps.empty();
    if (both) return apart_in_trials(*rows[0], *rows[side], side, difference);
  }
  return apart_in_fields(group, sides, side, choice);
}

bool has_trials(const Rows& rows) {
  return std::ranges::any_of(rows, [](const RecordRow* row) { return !row->steps.empty(); });
}

std::string names_in(const std::vector<DataGroup>& groups, std::size_t side) {
  std::set<std::string> names;
  for (const DataGroup& group : groups) {
    for (const RecordRow* row : group.of_side[side]) names.insert(row->dataset);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Of a data set that one side has and another one lacks, or has with another content.
std::string only_one_has(const DataGroup& group, const std::vector<DataGroup>& groups,
                         const std::vector<ComparedSide>& sides, std::size_t side, std::size_t other) {
  const bool same_name = std::ranges::any_of(groups, [&](const DataGroup& one) {
    return std::ranges::any_of(one.of_side[other], [&](const RecordRow* row) { return row->dataset == group.name; });
  });
  if (!same_name) return "Only " + sides[side].name + " has " + group.name + ".";
  const auto& [first, second] = std::minmax(side, other);
  return group.name + ": no pairs of " + sides[first].name + " and " + sides[second].name + ": its contents differ.";
}

[[noreturn]] void refuse(const std::vector<DataGroup>& groups, const std::vector<ComparedSide>& sides, std::size_t side,
                         const std::string& choice, const SplitDifference& difference) {
  const std::string who = "compare: no pairs of " + sides[0].name + " and " + sides[side].name + ": ";
  for (const DataGroup& group : groups) {
    if (has_trials(group.of_side[0]) && has_trials(group.of_side[side]))
      throw ConfigError(who + apart(group, sides, side, choice, difference));
  }
  for (const std::size_t i : {std::size_t{0}, side}) {
    if (std::ranges::none_of(groups, [&](const DataGroup& group) { return has_trials(group.of_side[i]); }))
      throw ConfigError(who + "every trial of " + sides[i].name + " has failed");
  }
  throw ConfigError(who + "the contents of their data sets differ (" + names_in(groups, 0) + " and " +
                    names_in(groups, side) + "); allowed: runs on the same data");
}

/// One name for one content: that of the first side, which a remark sets beside the other one.
void rename_data_sets(DataGroup& group) {
  const auto one_name = [](const Rows& rows) {
    return !rows.empty() &&
           std::ranges::all_of(rows, [&](const RecordRow* row) { return row->dataset == rows[0]->dataset; });
  };
  for (std::size_t side = 1; side < group.of_side.size(); ++side) {
    if (!one_name(group.of_side[0]) || !one_name(group.of_side[side])) continue;
    for (RecordRow* row : group.of_side[side]) row->dataset = group.of_side[0][0]->dataset;
  }
}

void add(const std::string& remark, std::vector<std::string>& remarks) {
  if (!remark.empty() && std::ranges::count(remarks, remark) == 0) remarks.push_back(remark);
}

}  // namespace

Pairing pair_rows(std::vector<ComparedSide>& sides, const Dimensions& fields, const std::string& by,
                  const std::string& choice, const SplitDifference& difference) {
  const bool by_content = content_is_known(sides);
  std::vector<DataGroup> groups = groups_of(sides, by_content);
  for (DataGroup& group : groups) {
    tell_fields(fields, by, group);
    group.matched = matched_in(group.of_side, group.several);
  }
  Pairing pairing;
  for (std::size_t side = 1; side < sides.size(); ++side) {
    std::size_t pairs = 0;
    for (const DataGroup& group : groups) {
      const std::size_t here = pairs_in(group.matched, side);
      pairs += here;
      const bool of_first = has_trials(group.of_side[0]), of_other = has_trials(group.of_side[side]);
      if (of_first != of_other)
        add(only_one_has(group, groups, sides, of_first ? 0 : side, of_first ? side : 0), pairing.remarks);
      else if (here > 0)
        add(differences_in(group, sides, side), pairing.remarks);
      else if (of_first)
        add(group.name + ": no pairs of " + sides[0].name + " and " + sides[side].name + ": " +
                apart(group, sides, side, choice, difference),
            pairing.remarks);
    }
    if (pairs == 0) refuse(groups, sides, side, choice, difference);
  }
  if (!by_content)
    add("Some of the records do not say what the content of their data and their folds was (an earlier elmx wrote "
        "them): data sets of one name, and repeats and folds of one number, were taken for the same.",
        pairing.remarks);
  for (DataGroup& group : groups) {
    rename_data_sets(group);
    pairing.rows.insert(pairing.rows.end(), group.matched.begin(), group.matched.end());
  }
  const auto place = [](const MatchedRows& rows) {
    const auto first = std::ranges::find_if(rows, [](const RecordRow* row) { return row != nullptr; });
    return std::pair(first - rows.begin(), *first);
  };
  std::ranges::stable_sort(pairing.rows, {}, place);
  return pairing;
}

}  // namespace elmx
