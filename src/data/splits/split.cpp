#include "data/splits/split.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "base/error.hpp"

namespace elmx {
namespace {

arma::uvec ascending(const RowNumbers& rows) { return arma::sort(arma::uvec(rows)); }

/// The rows that are not among the others; both ascend.
template <class Numbers>
arma::uvec without(const Numbers& rows, const arma::uvec& others) {
  RowNumbers left;
  std::ranges::set_difference(rows, others, std::back_inserter(left));
  return arma::uvec(left);
}

/// Returns a group of rows for each class, in the given order, or one group of all rows without
/// stratification.
std::vector<RowNumbers> strata(const Dataset& data, const RowNumbers& rows, bool stratified) {
  if (!stratified || data.task == Task::regression) return {rows};
  std::vector<RowNumbers> groups(data.classes.size());
  for (const arma::uword row : rows) groups[data.labels(row)].push_back(row);
  return groups;
}

/// The fold whose test part is `test`; all other rows train.
Fold fold_of(arma::uword samples, const RowNumbers& test) {
  const arma::uvec rows = ascending(test);
  return {without(numbered(samples), rows), rows, {}};
}

std::vector<Fold> folds_of(arma::uword samples, const std::vector<RowNumbers>& tests) {
  std::vector<Fold> result;
  for (const RowNumbers& test : tests) result.push_back(fold_of(samples, test));
  return result;
}

/// Returns folds in which each run except the first is the test part for all runs before it.
std::vector<Fold> runs_in_order(const Dataset& data, const SplitOptions& options) {
  const arma::uword samples = data.samples();
  const std::vector<RowNumbers> runs = ordered_runs(data.split, samples, options.folds + 1, data.name);
  const arma::uword gap = options.gap.value_or(0);
  std::vector<Fold> result;
  RowNumbers earlier;
  for (std::size_t f = 0; f + 1 < runs.size(); ++f) {
    earlier.insert(earlier.end(), runs[f].begin(), runs[f].end());
    if (gap >= earlier.size())
      throw ConfigError("/split/gap", fmt::format("{} leaves no training sample in fold {}; use less than {}", gap,
                                                  f + 1, earlier.size()));
    const arma::uword kept = std::min<arma::uword>(options.window.value_or(samples), earlier.size() - gap);
    const auto end = earlier.end() - static_cast<long>(gap);
    result.push_back({ascending(RowNumbers(end - static_cast<long>(kept), end)), ascending(runs[f + 1]), {}});
  }
  return result;
}

std::vector<Fold> k_folds(arma::uword samples, const std::vector<RowNumbers>& groups, arma::uword folds) {
  if (folds > samples)
    throw ConfigError("/split/folds", fmt::format("expected 2 to {}, the number of samples, found {}", samples, folds));
  // A single group is cut into consecutive parts. Several groups are dealt out in turn, without restarting.
  std::vector<RowNumbers> tests(folds);
  arma::uword dealt = 0;
  for (const RowNumbers& group : groups) {
    for (const arma::uword row : group) {
      const arma::uword fold = groups.size() == 1 ? dealt * folds / samples : dealt % folds;
      tests[fold].push_back(row);
      ++dealt;
    }
  }
  return folds_of(samples, tests);
}

arma::uword rows_in(const std::vector<RowNumbers>& groups) {
  arma::uword rows = 0;
  for (const RowNumbers& group : groups) rows += group.size();
  return rows;
}

/// Takes `total` rows from the start or the end of the groups. Each group contributes its share, rounded
/// down, and one more row in the order of the largest remainders.
RowNumbers share_of(const std::vector<RowNumbers>& groups, arma::uword total, bool from_end) {
  const arma::uword samples = rows_in(groups);
  RowNumbers share, order = numbered(groups.size());
  for (const RowNumbers& group : groups) share.push_back(group.size() * total / samples);
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](arma::uword k) { return groups[k].size() * total % samples; });
  const arma::uword given = std::accumulate(share.begin(), share.end(), arma::uword{0});
  for (arma::uword k = 0; k < total - given; ++k) ++share[order[k]];
  RowNumbers taken;
  for (std::size_t k = 0; k < groups.size(); ++k) {
    const auto begin = from_end ? groups[k].end() - static_cast<long>(share[k]) : groups[k].begin();
    taken.insert(taken.end(), begin, begin + static_cast<long>(share[k]));
  }
  return taken;
}

/// A test part of `total` rows; `place` is the option that says how many.
RowNumbers held_out(const std::vector<RowNumbers>& groups, arma::uword total, const std::string& place) {
  const arma::uword samples = rows_in(groups);
  if (total == 0 || total >= samples) {
    throw ConfigError(
        place, fmt::format("leaves one part of {} samples empty; expected at least one sample in each part", samples));
  }
  return share_of(groups, total, true);
}

arma::uword fraction_of(arma::uword samples, double fraction) {
  return static_cast<arma::uword>(std::lround(fraction * static_cast<double>(samples)));
}

/// The test part that the options ask for.
RowNumbers test_part(const SplitOptions& options, const std::vector<RowNumbers>& groups) {
  if (options.test_samples) return held_out(groups, *options.test_samples, "/split/test_samples");
  return held_out(groups, fraction_of(rows_in(groups), *options.test_fraction), "/split/test_fraction");
}

/// Makes a fold that trains on the first `labelled` rows of each class; the other rows are the test part, the
/// unlabelled part or both.
Fold few_labelled(const Dataset& data, const SplitOptions& options, const RowNumbers& rows) {
  if (data.task == Task::regression)
    throw ConfigError("/split/kind",
                      fmt::format("\"labelled\" needs classes, but {} is a regression; use k_fold, fixed, "
                                  "holdout or one_holdout",
                                  data.name));
  std::vector<arma::uword> counts(data.classes.size(), 0);
  RowNumbers train, rest;
  for (const arma::uword row : rows) (counts[data.labels(row)]++ < *options.labelled ? train : rest).push_back(row);
  const auto least = std::ranges::min_element(counts);
  if (*least <= *options.labelled) {
    throw ConfigError("/split/labelled",
                      fmt::format("expected fewer than the {} samples of class \"{}\", found {}", *least,
                                  data.classes[static_cast<std::size_t>(least - counts.begin())], *options.labelled));
  }
  Fold fold{ascending(train), ascending(rest), ascending(rest)};
  if (*options.test_fraction == 0 && !options.test_samples) return fold;
  fold.test = ascending(test_part(options, strata(data, rest, options.stratified)));
  fold.unlabelled = without(fold.unlabelled, fold.test);
  return fold;
}

Fold published(const Dataset& data) {
  const arma::uword samples = data.samples();
  if (data.published_train == 0 || data.published_train >= samples) {
    throw ConfigError(
        "/split/kind",
        fmt::format("\"fixed\" needs a published split, but {} has none; use k_fold or holdout", data.name));
  }
  RowNumbers test = numbered(samples);
  test.erase(test.begin(), test.begin() + static_cast<long>(data.published_train));
  return fold_of(samples, test);
}

/// Divides the training part of `fold` for choosing parameters: a fifth becomes the test part.
Fold inside(const Dataset& data, const SplitOptions& options, const Fold& fold, std::uint64_t seed,
            std::uint32_t repeat) {
  RowNumbers rows;
  for (const arma::uword i : numbered(fold.train.n_elem, options.shuffle, Rng(seed, Purpose::validation, repeat)))
    rows.push_back(fold.train(i));
  const std::vector<RowNumbers> groups = strata(data, rows, options.stratified);
  const arma::uvec test = ascending(held_out(groups, fraction_of(rows.size(), 0.2), "/split/validate"));
  return {without(fold.train, test), test, {}};
}

/// Returns the first `total` rows of a part in the order of `rows`; `place` is the option with this number.
arma::uvec some_of(const arma::uvec& part, arma::uword total, const Dataset& data, const SplitOptions& options,
                   const RowNumbers& rows, const std::string& place) {
  if (total == 0 || total > part.n_elem) {
    throw ConfigError(
        place, fmt::format("expected 1 to {}, the number of samples in that part, found {}", part.n_elem, total));
  }
  RowNumbers ordered;
  std::ranges::copy_if(rows, std::back_inserter(ordered),
                       [&](arma::uword row) { return std::ranges::binary_search(part, row); });
  return ascending(share_of(strata(data, ordered, options.stratified), total, false));
}

/// The fold of a published split or a holdout, with as many samples of its parts as the options ask for.
Fold reduced(Fold fold, const Dataset& data, const SplitOptions& options, const RowNumbers& rows) {
  if (options.train_samples)
    fold.train = some_of(fold.train, *options.train_samples, data, options, rows, "/split/train_samples");
  if (options.kind == "fixed" && options.test_samples)
    fold.test = some_of(fold.test, *options.test_samples, data, options, rows, "/split/test_samples");
  return fold;
}

/// Refuses options of other kinds. complete() sets the fraction for every kind, so that only a value in the
/// config is refused.
void refuse_other_options(const SplitOptions& options) {
  const bool fraction = options.given.contains("test_fraction") && !options.given["test_fraction"].is_null();
  refuse_options_of_others(
      {{"test_fraction", fraction, {"holdout", "one_holdout", "labelled"}},
       {"train_samples", options.train_samples.has_value(), {"fixed", "holdout", "one_holdout"}},
       {"test_samples", options.test_samples.has_value(), {"fixed", "holdout", "one_holdout", "labelled"}},
       {"labelled", options.labelled.has_value(), {"labelled"}},
       {"group", options.group.has_value(), {"group_k_fold", "leave_one_group_out"}},
       {"order", options.order.has_value(), {"time_series"}},
       {"gap", options.gap.has_value(), {"time_series"}},
       {"window", options.window.has_value(), {"time_series"}},
       {"column", options.column.has_value(), {"given"}}},
      options.kind, "/split", "not with kind");
}

/// A fifth drawn at random would tear groups apart and put later rows before earlier ones; of labelled rows
/// it would leave too few.
void check_validate(const SplitOptions& options) {
  static const std::vector<std::string> kinds{"group_k_fold", "leave_one_group_out", "time_series", "given",
                                              "labelled"};
  if (options.validate && std::ranges::count(kinds, options.kind) > 0)
    throw ConfigError("/split/validate", fmt::format("cannot be true with kind \"{}\"; use false", options.kind));
}

bool has_number_of_folds(const std::string& kind) {
  return kind == "k_fold" || kind == "group_k_fold" || kind == "time_series";
}

/// Means of missing values are taken of the rows that training sees.
void check_values(const Dataset& data, const std::vector<Fold>& folds) {
  if (!data.missing || (data.on_disk && arma::accu(data.missing_of) == 0)) return;
  for (std::size_t f = 0; f < folds.size(); ++f) {
    const std::vector<char> there =
        columns_with(data.input_rows(), arma::join_cols(folds[f].train, folds[f].unlabelled),
                     [](double x) { return !std::isnan(x); });
    const auto lacking = std::ranges::find(there, 0) - there.begin();
    if (lacking < std::ssize(there))
      throw DataError(data.name,
                      fmt::format("fold {}: every value of column \"{}\" is missing in the training part, but "
                                  "its mean needs at least one; leave the column out with data.drop",
                                  f + 1, data.inputs[static_cast<std::size_t>(lacking)]));
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
      throw DataError(
          data.name,
          fmt::format(
              "fold {}: expected a sample of each class in the training part, found none of class \"{}\"{}", f + 1,
              data.classes[k],
              arma::accu(data.labels == k) == 1 ? " (it has one row: remove the row or change its class)" : ""));
    }
  }
}

}  // namespace

void SplitOptions::fields(FieldVisitor& field) {
  field("kind", kind,
        "k-fold cross validation (k_fold), the published split of the set (fixed), a random test part in each repeat "
        "(holdout), the same random test part in all repeats (one_holdout), a few random samples of each class for "
        "training and the others without their labels (labelled), k folds that keep the rows of a group together "
        "(group_k_fold), one fold for each group (leave_one_group_out), folds whose test part follows their training "
        "part in time (time_series), or the folds of a column (given)",
        one_of({"k_fold", "fixed", "holdout", "one_holdout", "labelled", "group_k_fold", "leave_one_group_out",
                "time_series", "given"}));
  field("folds", folds, "k_fold, group_k_fold, time_series: number of folds");
  field("stratified", stratified,
        "classification: whether every part has the classes in the proportions of the whole set; group_k_fold: false "
        "by default, and true as nearly as whole groups allow");
  field("shuffle", shuffle, "whether the samples are divided at random or in the order in which they were read");
  field("test_fraction", test_fraction,
        "holdouts: share of the samples in the test part (0.2); labelled: share of the samples that are not labelled, "
        "the others of which are unlabelled training data (0: all are, and are the test part as well)",
        between(0, 1));
  field("train_samples", train_samples,
        "fixed, holdouts: number of samples of the training part to train on, drawn in each repeat (one_holdout: "
        "once); the others are unused",
        at_least(1));
  field("test_samples", test_samples,
        "holdouts, labelled: number of samples in the test part, in place of test_fraction; fixed: number of samples "
        "of the test part to test on, drawn in each repeat",
        at_least(1));
  field("labelled", labelled, "labelled: number of training samples of each class (2)", at_least(1));
  field("validate", validate,
        "put every test part aside, and test on a fifth of the training part instead, to choose parameters without "
        "using the test part");
  field(
      "group", group,
      "group_k_fold, leave_one_group_out: the column that says which rows belong together; the column is not an input");
  field("order", order,
        "time_series: the column of numbers or dates that gives the order of the rows, in place of their order in the "
        "file; the column is not an input");
  field("gap", gap, "time_series: number of samples to leave out between the training part and the test part",
        at_least(0));
  field("window", window, "time_series: largest number of samples to train on, which are those before the gap",
        at_least(1));
  field("column", column,
        "given: the column whose value is the number or name of the fold in which a row is tested; the values "
        "\"train\" and \"test\" make one fold; the column is not an input");
}

void SplitOptions::check() const {
  refuse_other_options(*this);
  check_validate(*this);
  if (has_number_of_folds(kind) && folds < 2)
    throw ConfigError("/split/folds", fmt::format("expected at least 2, found {}", folds));
}

SplitColumn SplitOptions::needed_column() const {
  check();
  if ((kind == "group_k_fold" || kind == "leave_one_group_out") && !group)
    throw ConfigError("/split/group", "missing; name the column that says which rows belong together");
  if (kind == "given" && !column) throw ConfigError("/split/column", "missing; name the column that has the folds");
  if (group) return {*group, "/split/group"};
  if (column) return {*column, "/split/column"};
  return order ? SplitColumn{*order, "/split/order"} : SplitColumn{};
}

bool SplitOptions::stratifies_groups() const {
  return kind == "group_k_fold" && given.is_object() && given.value("stratified", Json()) == true;
}

Json SplitOptions::identity() const {
  Json identity = write_options(*this);
  if (stratifies_groups()) identity["stratified"] = "groups";
  return identity;
}

std::size_t SplitOptions::explicit_folds() const { return has_number_of_folds(kind) ? folds : 1; }

std::vector<Fold> make_folds(const Dataset& data, SplitOptions options, std::uint64_t seed, std::uint32_t repeat) {
  options.complete();
  options.check();
  if (options.kind == "one_holdout") repeat = 0;
  const arma::uword samples = data.samples();
  const Rng rng(seed, Purpose::split, repeat);
  const RowNumbers rows = numbered(samples, options.shuffle, rng);
  const std::vector<RowNumbers> groups = strata(data, rows, options.stratified);
  std::vector<Fold> folds;
  if (options.kind == "k_fold")
    folds = k_folds(samples, groups, options.folds);
  else if (options.kind == "labelled")
    folds = {few_labelled(data, options, rows)};
  else if (options.kind == "fixed")
    folds = {reduced(published(data), data, options, rows)};
  else if (options.kind == "group_k_fold")
    folds = folds_of(samples, group_parts(*data.split, options.folds, options.shuffle, rng,
                                          options.stratifies_groups() ? data.labels : arma::uvec()));
  else if (options.kind == "leave_one_group_out")
    folds = folds_of(samples, single_groups(*data.split));
  else if (options.kind == "given")
    folds = folds_of(samples, given_parts(*data.split));
  else if (options.kind == "time_series")
    folds = runs_in_order(data, options);
  else
    folds = {reduced(fold_of(samples, test_part(options, groups)), data, options, rows)};
  if (options.validate) {
    for (Fold& fold : folds) fold = inside(data, options, fold, seed, repeat);
  }
  check_classes(data, folds);
  check_values(data, folds);
  return folds;
}

}  // namespace elmx
