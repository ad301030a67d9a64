#include <fmt/core.h>

#include <algorithm>

#include "experiment/records/record.hpp"
#include "report/external_predictions/external_predictions.hpp"
#include "report/formats/table_formats.hpp"

namespace elmx {
namespace {

std::vector<std::vector<SampleDigests>> digests_of(const PlannedCase& c) {
  std::vector<std::vector<SampleDigests>> all;
  for (const std::vector<Fold>& repeat : c.folds) {
    std::vector<SampleDigests>& of_repeat = all.emplace_back();
    for (const Fold& fold : repeat) of_repeat.push_back(sample_digests(*c.data, c.spec().options, fold));
  }
  return all;
}

/// Metrics of the points of one use are in the same units.
void add_use(const CaseSpec& spec, std::vector<FoldUse>& uses) {
  const auto found = std::ranges::find_if(uses, [&](const FoldUse& use) {
    const TargetOptions &a = use.spec->options.preprocess.targets, &b = spec.options.preprocess.targets;
    return use.experiment_case == spec.name && a.units == b.units && (a.units != "scaled" || a.scale == b.scale);
  });
  if (found == uses.end()) {
    uses.push_back({spec.name, spec.point, &spec});
    return;
  }
  std::erase_if(found->point, [&](const auto& of_use) {
    const auto here = spec.point.find(of_use.first);
    return here == spec.point.end() || here->second != of_use.second;
  });
}

}  // namespace

std::vector<FoldSet> fold_sets(const Plan& plan) {
  std::vector<FoldSet> sets;
  std::map<std::pair<const void*, const void*>, std::size_t> known;  // folds and data of the plan
  std::map<std::string, std::size_t> splits;                         // data set -> how many so far
  for (const PlannedCase& c : plan.cases) {
    const auto [place, is_new] = known.try_emplace({c.folds.id(), c.data.get()}, sets.size());
    if (is_new) {
      auto samples = digests_of(c);
      const auto same = std::ranges::find_if(
          sets, [&](const FoldSet& set) { return set.data->name == c.data->name && set.samples == samples; });
      place->second = static_cast<std::size_t>(same - sets.begin());
      if (same == sets.end()) sets.push_back({c.data, c.folds, std::move(samples), {}, ++splits[c.data->name]});
    }
    for (const CaseSpec& spec : c.specs) add_use(spec, sets[place->second].uses);
  }
  return sets;
}

bool several_data_sets(const std::vector<FoldSet>& sets) {
  return std::ranges::any_of(sets, [&](const FoldSet& set) { return set.data->name != sets[0].data->name; });
}

bool several_splits(const std::vector<FoldSet>& sets) {
  return std::ranges::any_of(sets, [](const FoldSet& set) { return set.split > 1; });
}

arma::uvec row_numbers(const Dataset& data, const arma::uvec& rows) {
  return data.kept_rows.is_empty() ? arma::uvec(rows + 1) : arma::uvec(data.kept_rows.elem(rows) + 1);
}

std::string folds_csv(const std::vector<FoldSet>& sets) {
  const bool data_sets = several_data_sets(sets), splits = several_splits(sets);
  std::string csv = std::string(data_sets ? "dataset," : "") + (splits ? "split," : "") + "row,repeat,fold,part\n";
  for (const FoldSet& set : sets) {
    std::string name = csv_line({set.data->name});
    name.back() = ',';
    const std::string before = (data_sets ? name : "") + (splits ? std::to_string(set.split) + "," : "");
    for (std::size_t repeat = 0; repeat < set.folds.size(); ++repeat) {
      for (std::size_t f = 0; f < set.folds[repeat].size(); ++f) {
        const Fold& fold = set.folds[repeat][f];
        for (const auto& [part, rows] :
             {std::pair("train", &fold.train), {"unlabelled", &fold.unlabelled}, {"test", &fold.test}}) {
          for (const arma::uword number : row_numbers(*set.data, *rows))
            csv += fmt::format("{}{},{},{},{}\n", before, number, repeat, f, part);
        }
      }
    }
  }
  return csv;
}

}  // namespace elmx
