#include "report/tables/headlines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/numbers.hpp"
#include "base/printable.hpp"
#include "experiment/records/stored_run.hpp"
#include "experiment/saved/saved_model.hpp"
#include "metrics/formulas.hpp"
#include "report/frame/quantities.hpp"
#include "report/frame/selection.hpp"
#include "report/tables/methods.hpp"

namespace elmx {
namespace {

constexpr std::size_t kFewValues = 3;  // with two values, each would be at an edge

/// The rows of a data set, and its saved model.
struct Saved {
  const Frame& frame;
  const std::string& set;
  std::string model;                  ///< method and settings
  Json trial;                         ///< its trial
  std::vector<RecordRow> rows = {};   ///< rows of all cases
  std::vector<RecordRow> candidates;  ///< rows of the cases whose config says "save_model"
};

/// Returns the steps of the nested choice, or of the saved size of a single method, as a row.
/// RecordRow::chosen is the metric of the choice; "" = there was one method.
RecordRow nested_row(const Saved& saved) {
  RecordRow nested;
  nested.dataset = saved.set;
  const Selections& select = saved.frame.run().select;
  const bool selects =
      std::ranges::all_of(saved.candidates, [&](const RecordRow& row) { return select_of(select, row).wanted(); });
  if (!selects) {
    for (const RecordRow& row : saved.candidates) {
      if (row.algorithm == saved.trial.at("algorithm") && row.nodes == saved.trial.value("nodes", std::size_t{0}) &&
          row.iterations == saved.trial.value("iterations", std::size_t{0}) && row.chosen != kBestOnTest)
        nested.steps = row.steps;
    }
    return nested;
  }
  for (const Choice& choice : nested_choices(choices_of(saved.candidates, select))) {
    nested.steps.push_back(choice.taken);
    nested.chosen = choice.by;
  }
  return nested;
}

/// Returns true if the candidate cases had the same test parts. Otherwise the errors of the nested choice
/// would depend on the case chosen in each fold.
bool tested_alike(const Saved& saved) {
  std::map<std::pair<std::size_t, std::size_t>, std::string> tested;
  for (const RecordRow& row : saved.candidates) {
    for (const RecordedStep& step : row.steps) {
      const std::string& test = step.record->samples.test;
      const auto [found, is_new] = tested.try_emplace({step.repeat, step.fold}, test);
      if (!is_new && !may_be_same(found->second, test)) return false;
    }
  }
  return true;
}

/// Returns the ratio of test to training samples. If the config does not determine it, k disjoint test parts
/// count as k folds: 1 / (k - 1). NaN if there is only one test part, even if it was used repeatedly.
double ratio_of(const Saved& saved, const RecordRow& nested) {
  if (!saved.candidates.empty()) {
    if (const auto known = known_ratio(saved.frame.run(), saved.candidates[0])) return *known;
  }
  std::set<std::string> parts;
  for (const RecordedStep& step : nested.steps) parts.insert(step.record->samples.test);
  return parts.size() < 2 ? nan : 1 / (static_cast<double>(parts.size()) - 1);
}

/// Returns Wilson's interval of a share of n independent cases.
Interval interval_of_share(double p, double n) {
  constexpr double kZ = 1.959963984540054;
  const double z2 = kZ * kZ, middle = (p + z2 / (2 * n)) / (1 + z2 / n),
               half = kZ / (1 + z2 / n) * std::sqrt(p * (1 - p) / n + z2 / (4 * n * n));
  return {middle - half, middle + half};
}

/// A metric over the test parts of the nested choice.
struct ExpectedMetric {
  Quantity quantity;
  Summary folds;                     ///< over the test parts
  std::optional<Interval> interval;  ///< 95 % interval for new rows; none: the test parts do not determine it
};

/// A single test part has no spread; the interval of its accuracy follows from its number of rows.
ExpectedMetric expected_of(const RecordRow& nested, const std::string& metric, double ratio) {
  ExpectedMetric expected{quantity_of(metric), summary_of(nested, metric), std::nullopt};
  if (!std::isnan(ratio)) {
    const Summary all = widened(expected.folds, ratio);
    if (all.sd > 0) expected.interval = interval_of_mean(all, 0.05);
  } else if (metric == "test_acc" && !nested.steps.empty()) {
    const std::vector<std::size_t>& counts = nested.steps.front().step->confusion;
    double n = 0;
    for (const arma::uword count : counts) n += static_cast<double>(count);
    if (n > 0) expected.interval = interval_of_share(expected.folds.mean, n);
  }
  if (expected.interval) {
    expected.interval->low = std::max(0.0, expected.interval->low);
    if (expected.quantity.kind == MetricKind::classification)
      expected.interval->high = std::min(1.0, expected.interval->high);
  }
  return expected;
}

/// Returns accuracy or RMSE; for unbalanced classes accuracy and balanced accuracy. The first metric, by
/// which the run chose, decides. C: confusion matrix of the test parts.
std::vector<ExpectedMetric> expected_metrics(const Saved& saved, const RecordRow& nested, const arma::mat& C) {
  const double ratio = ratio_of(saved, nested);
  std::vector<std::string> metrics{summary_of(nested, "test_acc").n > 0 ? "test_acc" : "test_rmse"};
  const bool judges = judges_by_balanced_accuracy(saved.frame.run(), saved.rows, saved.set);
  if (judges || is_unbalanced(arma::sum(C, 1))) metrics.insert(judges ? metrics.begin() : metrics.end(), "test_bac");
  std::vector<ExpectedMetric> expected;
  for (const std::string& metric : metrics) {
    ExpectedMetric one = expected_of(nested, metric, ratio);
    if (one.folds.n > 0) expected.push_back(std::move(one));
  }
  return expected;
}

std::string text_of_expected(const ExpectedMetric& one) {
  const auto text = [&](double value) { return show(value, one.quantity.display); };
  std::string label = one.quantity.label;
  if (label.starts_with("test ")) label = label.substr(5);
  return fmt::format(
      "{} {}{}", label, text(one.folds.mean),
      one.interval ? fmt::format(" (95 % interval {} to {})", text(one.interval->low), text(one.interval->high)) : "");
}

/// Returns the class of all predictions on the test parts of several classes; "" if they differ.
std::string only_class(const Saved& saved, const arma::mat& C) {
  if (C.is_empty()) return "";
  const arma::vec truth = arma::sum(C, 1);
  const arma::rowvec predicted = arma::sum(C, 0);
  if (arma::accu(predicted > 0) != 1 || arma::accu(truth > 0) < 2) return "";
  return names_of_classes(saved.frame.run().classes, saved.set, C.n_rows)[predicted.index_max()];
}

/// The comparison with the case that ignores the inputs: the mean or the largest class.
struct AgainstTrivial {
  double value = nan;                 ///< mean of the first metric in that case
  std::string better = "not tested";  ///< or "yes", "no", "cannot tell"
  std::string sentence = "Better than the baseline: not tested, because the config has no case of the family \"mean\".";
};

AgainstTrivial against_trivial(const Saved& saved, const RecordRow& nested, const Quantity& metric) {
  const auto trivial = std::ranges::find_if(saved.rows, [](const RecordRow& row) {
    return !row.steps.empty() && row.steps[0].record->family == "mean" && row.chosen.empty();
  });
  if (trivial == saved.rows.end()) return {};
  MethodComparison comparison;
  use_fitting_test(saved.frame.run(), *trivial, comparison);
  const Finding finding = comparison.difference(*trivial, nested, metric.name, comparison.alpha).finding;
  const bool is_better = finding.decision == (metric.better == Better::higher ? Decision::higher : Decision::lower);
  AgainstTrivial found{summary_of(*trivial, metric.name).mean, "cannot tell", ""};
  if (saved.trial.value("family", "") == "mean" ||
      (!is_better && (finding.decided() || finding.decision == Decision::same)))
    found.better = "no";
  else if (is_better)
    found.better = "yes";
  const double mean = summary_of(nested, metric.name).mean;
  const bool is_worse = metric.better == Better::higher ? mean < found.value : mean > found.value;
  found.sentence = fmt::format(
      "Better than the baseline (\"{}\": {}): {}{}{}.{}",
      trivial->experiment_case.empty() ? trivial->algorithm : trivial->experiment_case,
      show(found.value, metric.display), found.better,
      std::isnan(finding.p) || finding.p == 0 ? "" : fmt::format(", p = {}", show(finding.p, significant(2))),
      is_worse ? "; the baseline is better on the test parts" : "",
      found.better == "cannot tell" && !finding.why.empty() ? " " + finding.why + "." : "");
  return found;
}

/// Returns the settings of the saved model, "ridge 0.1", that are the smallest or largest of kFewValues or
/// more tried values: a better value may lie beyond.
std::vector<std::string> edge_settings(const Saved& saved) {
  std::map<std::string, std::set<double>> tried;
  for (const RecordRow& row : saved.rows) {
    if (row.experiment_case != saved.trial.value("case", "") || row.algorithm != saved.trial.at("algorithm")) continue;
    for (const RecordedStep& step : row.steps) {
      tried["nodes"].insert(static_cast<double>(step.step->nodes));
      for (const auto& [place, value] : step.record->point) {
        if (value.is_number() && last_component(place) != "nodes") tried[place].insert(value.get<double>());
      }
    }
  }
  Json own = saved.trial.value("point", Json::object());
  own["nodes"] = saved.trial.value("nodes", 0.0);
  std::vector<std::string> edges;
  for (const auto& [place, values] : tried) {
    if (values.size() < kFewValues || !own.contains(place)) continue;
    const double value = own.at(place);
    if (value == *values.begin() || value == *values.rbegin())
      edges.push_back(last_component(place) + " " + show(value));
  }
  return edges;
}

/// Returns a sentence on the updates of a model, which its expected error does not cover; "" without updates.
std::string said_of_updates(const Json& updates) {
  if (updates.empty()) return "";
  std::map<std::string, std::size_t> rows;  // by kind
  for (const Json& one : updates) rows[one.at("kind")] += one.at("rows").get<std::size_t>();
  return fmt::format(
      "The model was changed afterwards: {} added and {} removed by elmx update and forget, {} in total. The "
      "numbers are those of the first training.",
      counted(rows["update"], "row"), rows["forget"], updates.back().at("samples").get<std::size_t>());
}

Headline headline_of(const Saved& saved) {
  const std::string beginning = fmt::format("{}: the saved model is {}.", saved.set, saved.model);
  const auto without_number = [&](const std::string& why) {
    return Headline{{fmt::format("{} The error to expect is unknown: {}.", beginning, why)}};
  };
  if (!tested_alike(saved))
    return without_number(
        "its cases were tested on different rows, so no single number describes the choice among them");
  const RecordRow nested = nested_row(saved);
  const arma::mat C = pooled_confusion(nested.steps).C;
  const std::vector<ExpectedMetric> expected = expected_metrics(saved, nested, C);
  if (expected.empty()) return without_number("no trial has a number on a test part");
  const AgainstTrivial trivial = against_trivial(saved, nested, expected[0].quantity);
  const std::string edges = fmt::format("{}", fmt::join(edge_settings(saved), ", "));
  const std::string only = only_class(saved, C);

  Headline headline;
  std::vector<std::string> metrics;
  for (const ExpectedMetric& one : expected) {
    const auto& [quantity, folds, interval] = one;
    const bool judged = metrics.empty();
    metrics.push_back(text_of_expected(one));
    headline.rows.push_back(
        {text_cell(saved.set), text_cell(saved.model), text_cell(quantity.name),
         number_cell(folds.mean, quantity.display), number_cell(interval ? interval->low : nan, quantity.display),
         number_cell(interval ? interval->high : nan, quantity.display),
         number_cell(judged ? trivial.value : nan, quantity.display), text_cell(judged ? trivial.better : "-"),
         text_cell(edges.empty() ? "-" : edges), text_cell(only.empty() ? "-" : only)});
  }
  const std::string how =
      nested.chosen.empty()
          ? ""
          : fmt::format(", in each of which {} chose among all methods by the training part alone", nested.chosen);
  std::vector<std::size_t> parts;  // test parts that have the metric
  for (const ExpectedMetric& one : expected) parts.push_back(one.folds.n);
  const std::string over = std::ranges::adjacent_find(parts, std::not_equal_to()) == parts.end()
                               ? "the mean over " + counted(parts[0], "test part")
                               : fmt::format("the means over {} test parts", fmt::join(parts, " and "));
  headline.sentences = {fmt::format("{} On new rows expect {}: {}{}.", beginning, fmt::join(metrics, ", "), over, how),
                        trivial.sentence};
  if (!edges.empty())
    headline.sentences.push_back(
        fmt::format("The choice lies at the edge of what was tried: {}; a wider range may be better.", edges));
  if (!only.empty())
    headline.sentences.push_back(fmt::format(
        "Warning: every prediction on the test parts is \"{}\". The model does not tell the classes apart.", only));
  return headline;
}

}  // namespace

std::vector<Headline> headlines_of(const Frame& frame, const std::filesystem::path& folder) {
  std::vector<Headline> headlines;
  if (!frame.predicate().empty() || frame.run().saving.empty()) return headlines;
  const std::map<std::string, NoFinalModel> none = read_no_final_models(folder);
  for (const auto& [set, file] : final_models_wanted(Json{{"resolved", frame.run().resolved}})) {
    if (const auto reason = none.find(set); reason != none.end()) {
      headlines.push_back({{fmt::format("{}: no model was saved: {}.", set, reason->second.why)}});
      continue;
    }
    Saved saved{frame, set, "", {}, frame.rows(), {}};
    std::erase_if(saved.rows, [&set = set](const RecordRow& row) { return row.dataset != set || row.imported; });
    std::ranges::copy_if(saved.rows, std::back_inserter(saved.candidates),
                         [&](const RecordRow& row) { return frame.run().saving.contains(row.experiment_case); });
    std::string afterwards;
    if (saved.rows.empty() || !is_there(folder / file)) continue;
    try {
      const SavedModel read = read_model(folder / file);
      saved.model = method_of(read);
      saved.trial = read.trial;
      of_model_file(file, [&] { afterwards = said_of_updates(read.trial.value(kUpdates, Json::array())); });
    } catch (const DataError& error) {
      headlines.push_back({{fmt::format("{}: the saved model cannot be read: {}.", set, error.what())}});
      continue;
    }
    headlines.push_back(headline_of(saved));
    headlines.back().file = file;
    if (!afterwards.empty()) headlines.back().sentences.push_back(afterwards);
  }
  return headlines;
}

Table headline_table(const std::vector<Headline>& headlines) {
  Table table{"headline", "What to expect of the saved model"};
  table.only_in_file = true;
  table.columns = {{"dataset", "dataset"},
                   {"model", "saved model", Worth::setting},
                   {"metric", "metric"},
                   {"expected", "expected", Worth::result},
                   {"low", "95 % from", Worth::result},
                   {"high", "to", Worth::result},
                   {"trivial", "baseline", Worth::detail},
                   {"better_than_trivial", "better than that", Worth::result},
                   {"edges", "at the edge", Worth::detail},
                   {"only_class", "only class predicted", Worth::detail}};
  for (const Headline& headline : headlines)
    table.rows.insert(table.rows.end(), headline.rows.begin(), headline.rows.end());
  return table;
}

}  // namespace elmx
