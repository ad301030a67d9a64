#include "data/splits/split.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "base/config/owned_options.hpp"
#include "base/error.hpp"
#include "base/rng.hpp"
#include "data/splits/by_column.hpp"

namespace elmx {
namespace {

Rows ordered_rows(const Dataset& data, const SplitOptions& options, std::uint64_t seed, std::uint32_t repeat) {
  Rows rows(data.samples());
  std::iota(rows.begin(), rows.end(), arma::uword{0});
  if (options.shuffle) std::ranges::copy(Rng(seed, Purpose::split, repeat).permutation(rows.size()), rows.begin());
  return rows;
}

/// The rows of each class in turn, in the order given; one group of all rows where nothing is stratified.
std::vector<Rows> strata(const Dataset& data, const Rows& rows, bool stratified) {
  if (!stratified || data.task == Task::regression) return {rows};
  std::vector<Rows> groups(data.classes.size());
  for (const arma::uword row : rows) groups[data.labels(row)].push_back(row);
  return groups;
}

/// The fold whose test part is `test`; all other rows train.
Fold fold_of(arma::uword samples, const Rows& test) {
  Fold fold{arma::uvec(samples - test.size()), arma::sort(arma::uvec(test)), {}};
  arma::uword t = 0;
  arma::uword next = 0;
  for (arma::uword row = 0; row < samples; ++row) {
    if (t < fold.test.n_elem && fold.test(t) == row)
      ++t;
    else
      fold.train(next++) = row;
  }
  return fold;
}

std::vector<Fold> folds_of(arma::uword samples, const std::vector<Rows>& tests) {
  std::vector<Fold> result;
  for (const Rows& test : tests) result.push_back(fold_of(samples, test));
  return result;
}

/// Run 0, then each of the other runs as the test part of all before it.
std::vector<Fold> runs_in_order(const std::optional<RawColumn>& order, arma::uword samples, arma::uword folds) {
  const std::vector<Rows> runs = ordered_runs(order, samples, folds + 1);
  std::vector<Fold> result;
  Rows train;
  for (std::size_t f = 0; f + 1 < runs.size(); ++f) {
    train.insert(train.end(), runs[f].begin(), runs[f].end());
    result.push_back({arma::sort(arma::uvec(train)), arma::sort(arma::uvec(runs[f + 1])), {}});
  }
  return result;
}

std::vector<Fold> k_folds(arma::uword samples, const std::vector<Rows>& groups, arma::uword folds) {
  if (folds < 2 || folds > samples) {
    throw ConfigError(fmt::format("/split/folds: {}; allowed: 2 to {}, the number of samples", folds, samples));
  }
  // One group: consecutive rows stay together. Several: each is dealt out, where the one before it ended.
  std::vector<Rows> tests(folds);
  arma::uword dealt = 0;
  for (const Rows& group : groups) {
    for (const arma::uword row : group) {
      const arma::uword fold = groups.size() == 1 ? dealt * folds / samples : dealt % folds;
      tests[fold].push_back(row);
      ++dealt;
    }
  }
  return folds_of(samples, tests);
}

/// How many of `total` each group gives: its share rounded down, then one more by the largest remainders.
std::vector<arma::uword> shares(const std::vector<Rows>& groups, arma::uword total, arma::uword samples) {
  std::vector<arma::uword> share(groups.size());
  std::vector<arma::uword> remainder(groups.size());
  for (std::size_t k = 0; k < groups.size(); ++k) {
    share[k] = groups[k].size() * total / samples;
    remainder[k] = groups[k].size() * total % samples;
  }
  std::vector<std::size_t> order(groups.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t k) { return remainder[k]; });
  const arma::uword given = std::accumulate(share.begin(), share.end(), arma::uword{0});
  for (std::size_t k = 0; k < total - given; ++k) ++share[order[k]];
  return share;
}

arma::uword share_of(arma::uword samples, double fraction) {
  return static_cast<arma::uword>(std::lround(fraction * static_cast<double>(samples)));
}

/// `total` rows off the ends of the groups; `place` is the option that says how many.
Rows held_out(arma::uword samples, const std::vector<Rows>& groups, arma::uword total, const std::string& place) {
  if (total == 0 || total >= samples) {
    throw ConfigError(fmt::format("{}: leaves one part of {} samples empty; at least one sample in each is expected",
                                  place, samples));
  }
  const std::vector<arma::uword> share = shares(groups, total, samples);
  Rows test;
  for (std::size_t k = 0; k < groups.size(); ++k) {
    test.insert(test.end(), groups[k].end() - static_cast<long>(share[k]), groups[k].end());
  }
  return test;
}

/// The test part of `samples` rows in groups.
Rows test_part(const SplitOptions& options, arma::uword samples, const std::vector<Rows>& groups) {
  const arma::uword total = options.test_samples.value_or(share_of(samples, *options.test_fraction));
  return held_out(samples, groups, total, options.test_samples ? "/split/test_samples" : "/split/test_fraction");
}

void check_labelled(const Dataset& data, const SplitOptions& options) {
  if (data.task == Task::regression) {
    throw ConfigError("/split/kind: \"labelled\", but " + data.name +
                      " is a regression; allowed: k_fold, fixed, holdout, one_holdout");
  }
  if (options.validate) {
    throw ConfigError(
        "/split/validate: true with kind \"labelled\"; allowed: false, parameters are chosen by cross validation "
        "within the labelled part");
  }
}

/// The first `labelled` rows of each class train; what is left is the test part, the unlabelled part or both.
Fold few_labelled(const Dataset& data, const SplitOptions& options, const Rows& rows) {
  check_labelled(data, options);
  std::vector<arma::uword> counts(data.classes.size(), 0);
  Rows train, rest;
  for (const arma::uword row : rows) (counts[data.labels(row)]++ < *options.labelled ? train : rest).push_back(row);
  const auto least = std::ranges::min_element(counts);
  if (*least <= *options.labelled) {
    throw ConfigError(fmt::format("/split/labelled: {}: class \"{}\" has {} samples; allowed: fewer than those",
                                  *options.labelled, data.classes[static_cast<std::size_t>(least - counts.begin())],
                                  *least));
  }
  Fold fold{arma::sort(arma::uvec(train)), arma::sort(arma::uvec(rest)), arma::sort(arma::uvec(rest))};
  if (*options.test_fraction == 0 && !options.test_samples) return fold;
  fold.test = arma::sort(arma::uvec(test_part(options, rest.size(), strata(data, rest, options.stratified))));
  Rows unlabelled;
  std::ranges::set_difference(fold.unlabelled, fold.test, std::back_inserter(unlabelled));
  fold.unlabelled = arma::uvec(unlabelled);
  return fold;
}

Fold published(const Dataset& data) {
  const arma::uword samples = data.samples();
  if (data.published_train == 0 || data.published_train >= samples) {
    throw ConfigError("/split/kind: \"fixed\", but " + data.name + " has no published split; allowed: k_fold, holdout");
  }
  Rows test(samples - data.published_train);
  std::iota(test.begin(), test.end(), data.published_train);
  return fold_of(samples, test);
}

/// The training part of `fold` alone, a fifth of it as test part: what parameters may be chosen on.
Fold inside(const Dataset& data, const SplitOptions& options, const Fold& fold, std::uint64_t seed,
            std::uint32_t repeat) {
  Rows rows(fold.train.begin(), fold.train.end());
  if (options.shuffle) {
    const auto order = Rng(seed, Purpose::validation, repeat).permutation(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = fold.train(order[i]);
  }
  const std::vector<Rows> groups = strata(data, rows, options.stratified);
  const Rows test = held_out(rows.size(), groups, share_of(rows.size(), 0.2), "/split/validate");
  Fold inner = fold_of(data.samples(), test);
  Rows train;
  std::ranges::set_intersection(inner.train, fold.train, std::back_inserter(train));
  inner.train = arma::uvec(train);
  return inner;
}

/// So many rows of a part, the first in the order of `rows`; `place` is the option that says how many.
arma::uvec some_of(const arma::uvec& part, arma::uword total, const Dataset& data, const SplitOptions& options,
                   const Rows& rows, const std::string& place) {
  if (total == 0 || total > part.n_elem) {
    throw ConfigError(
        fmt::format("{}: {}; allowed: 1 to {}, the number of samples in that part", place, total, part.n_elem));
  }
  Rows ordered;
  std::ranges::copy_if(rows, std::back_inserter(ordered),
                       [&](arma::uword row) { return std::ranges::binary_search(part, row); });
  const std::vector<Rows> groups = strata(data, ordered, options.stratified);
  const std::vector<arma::uword> share = shares(groups, total, part.n_elem);
  Rows some;
  for (std::size_t k = 0; k < groups.size(); ++k) {
    some.insert(some.end(), groups[k].begin(), groups[k].begin() + static_cast<long>(share[k]));
  }
  return arma::sort(arma::uvec(some));
}

/// The fold of a published split or a holdout, with as many samples of its parts as the options ask for.
Fold reduced(Fold fold, const Dataset& data, const SplitOptions& options, const Rows& rows) {
  if (options.train_samples)
    fold.train = some_of(fold.train, *options.train_samples, data, options, rows, "/split/train_samples");
  if (options.kind == "fixed" && options.test_samples)
    fold.test = some_of(fold.test, *options.test_samples, data, options, rows, "/split/test_samples");
  return fold;
}

/// Of the options that may be absent: the others a case cannot take away when it changes the kind.
void refuse_other_options(const SplitOptions& options) {
  const bool fraction = options.given.contains("test_fraction") && !options.given["test_fraction"].is_null();
  refuse_options_of_others(
      {{"test_fraction", fraction, {"holdout", "one_holdout", "labelled"}},  // complete() fills it in for every kind
       {"train_samples", options.train_samples.has_value(), {"fixed", "holdout", "one_holdout"}},
       {"test_samples", options.test_samples.has_value(), {"fixed", "holdout", "one_holdout", "labelled"}},
       {"labelled", options.labelled.has_value(), {"labelled"}}},
      options.kind, "/split", "not with kind");
}

/// A fifth drawn at random would tear groups apart, and put later rows before earlier ones.
void check_validate(const SplitOptions& options) {
  if (!options.validate) return;
  if (options.kind == "group_k_fold" || options.kind == "time_series" || options.kind == "given") {
    throw ConfigError(fmt::format("/split/validate: true with kind \"{}\"; allowed: false", options.kind));
  }
}

/// Of inputs on disk: whether each has a value in the rows.
std::vector<char> there_on_disk(const Dataset& data, const arma::uvec& rows) {
  std::vector<char> there(data.dimension(), 0);
  for_each_block(*data.on_disk, rows, [&](arma::uword, const arma::mat& block) {
    for (arma::uword j = 0; j < block.n_cols; ++j)
      there[j] |= std::any_of(block.begin_col(j), block.end_col(j), [](double x) { return !std::isnan(x); });
  });
  return there;
}

/// Means of missing values are taken of the rows that training sees.
void check_values(const Dataset& data, const std::vector<Fold>& folds) {
  if (!data.missing || (data.on_disk && arma::accu(data.missing_of) == 0)) return;
  for (std::size_t f = 0; f < folds.size(); ++f) {
    std::vector<char> there;
    if (data.on_disk) there = there_on_disk(data, arma::join_cols(folds[f].train, folds[f].unlabelled));
    for (arma::uword j = 0; j < data.dimension(); ++j) {
      if (data.on_disk && there[j]) continue;
      const auto is_there = [&](arma::uword row) { return !std::isnan(data.X(row, j)); };
      if (!data.on_disk &&
          (std::ranges::any_of(folds[f].train, is_there) || std::ranges::any_of(folds[f].unlabelled, is_there)))
        continue;
      throw DataError(
          fmt::format("{}: fold {}: column \"{}\": every value is missing in the training part; a mean needs at least "
                      "one (\"drop\" leaves the column out)",
                      data.name, f + 1, data.inputs[j]));
    }
  }
}

void check_classes(const Dataset& data, const std::vector<Fold>& folds) {
  if (data.task == Task::regression) return;
  for (std::size_t f = 0; f < folds.size(); ++f) {
    std::vector<char> seen(data.classes.size(), 0);
    for (const arma::uword row : folds[f].train) seen[data.labels(row)] = 1;
    const auto lacking = std::ranges::find(seen, 0) - seen.begin();
    if (lacking < std::ssize(seen)) {
      const auto k = static_cast<arma::uword>(lacking);
      throw DataError(fmt::format(
          "{}: fold {}: no sample of class \"{}\" in the training part; one of each class is expected{}", data.name,
          f + 1, data.classes[k],
          arma::accu(data.labels == k) == 1 ? " (it has one row: leave it out, or give it another class)" : ""));
    }
  }
}

}  // namespace

SplitColumn SplitOptions::needed_column() const {
  refuse_options_of_others({{"group", group.has_value(), {"group_k_fold"}},
                            {"order", order.has_value(), {"time_series"}},
                            {"column", column.has_value(), {"given"}}},
                           kind, "/split", "not with kind");
  if (kind == "group_k_fold" && !group)
    throw ConfigError("/split/group: missing; name the column that says which rows belong together");
  if (kind == "given" && !column) throw ConfigError("/split/column: missing; name the column that has the folds");
  if (group) return {*group, "/split/group"};
  if (column) return {*column, "/split/column"};
  return order ? SplitColumn{*order, "/split/order"} : SplitColumn{};
}

arma::uword SplitOptions::told_folds() const {
  return kind == "k_fold" || kind == "group_k_fold" || kind == "time_series" ? folds : 1;
}

std::vector<Fold> make_folds(const Dataset& data, SplitOptions options, std::uint64_t seed, std::uint32_t repeat) {
  options.complete();
  refuse_other_options(options);
  check_validate(options);
  if (options.kind == "one_holdout") repeat = 0;
  const arma::uword samples = data.samples();
  const Rows rows = ordered_rows(data, options, seed, repeat);
  const std::vector<Rows> groups = strata(data, rows, options.stratified);
  std::vector<Fold> folds;
  if (options.kind == "k_fold")
    folds = k_folds(samples, groups, options.folds);
  else if (options.kind == "labelled")
    folds = {few_labelled(data, options, rows)};
  else if (options.kind == "fixed")
    folds = {reduced(published(data), data, options, rows)};
  else if (options.kind == "group_k_fold")
    folds = folds_of(samples, group_parts(*data.split, options.folds, options.shuffle, seed, repeat));
  else if (options.kind == "given")
    folds = folds_of(samples, given_parts(*data.split));
  else if (options.kind == "time_series")
    folds = runs_in_order(data.split, samples, options.folds);
  else
    folds = {reduced(fold_of(samples, test_part(options, samples, groups)), data, options, rows)};
  if (options.validate) {
    for (Fold& fold : folds) fold = inside(data, options, fold, seed, repeat);
  }
  check_classes(data, folds);
  check_values(data, folds);
  return folds;
}

}  // namespace elmx
