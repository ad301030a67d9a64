#include "report/tables/headlines.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/numbers.hpp"
#include "experiment/records/choice_files.hpp"
#include "experiment/saved/saved_model.hpp"
#include "report/frame/quantities.hpp"
#include "report/frame/selection.hpp"

namespace elmx {
namespace {

constexpr std::size_t kFewValues = 3;  // with two values, each would be at an edge

/// The rows of a data set, and the description of its saved model.
struct Saved {
  const Frame& frame;
  const std::string& set;
  std::vector<RecordRow> rows;  ///< rows of all cases
  Json trial;                   ///< trial of the saved model
};

std::vector<RecordRow> rows_of_set(const Frame& frame, const std::string& set) {
  std::vector<RecordRow> rows = frame.rows();
  std::erase_if(rows, [&](const RecordRow& row) { return row.dataset != set || row.imported; });
  return rows;
}

bool saves(const Frame& frame, const RecordRow& row) { return frame.run().saving.contains(row.experiment_case); }

/// Returns the steps of the nested choice, or of the saved size of a single method, as a row.
RecordRow nested_row(const Saved& saved, std::string& by) {
  RecordRow nested;
  nested.dataset = saved.set;
  std::vector<RecordRow> own = saved.rows;
  std::erase_if(own, [&](const RecordRow& row) { return !saves(saved.frame, row); });
  const Selections& select = saved.frame.run().select;
  const bool selects = std::ranges::all_of(own, [&](const RecordRow& row) {
    const auto rule = select.find(row.experiment_case);
    return rule != select.end() && rule->second.wanted();
  });
  if (!selects) {
    for (const RecordRow& row : own) {
      if (row.algorithm == saved.trial.at("algorithm") && row.nodes == saved.trial.value("nodes", std::size_t{0}) &&
          row.iterations == saved.trial.value("iterations", std::size_t{0}) && row.chosen != kBestOnTest)
        nested.steps = row.steps;
    }
    return nested;
  }
  for (const Choice& choice : nested_choices(choices_of(own, select))) {
    nested.steps.push_back(choice.taken);
    by = choice.by;
  }
  return nested;
}

/// Returns true if the candidate cases had the same test parts. Otherwise the errors of the nested choice
/// would depend on the case chosen in each fold.
bool tested_alike(const Saved& saved) {
  std::map<std::pair<std::size_t, std::size_t>, std::string> tested;
  for (const RecordRow& row : saved.rows) {
    if (!saves(saved.frame, row)) continue;
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
  for (const RecordRow& row : saved.rows) {
    if (!saves(saved.frame, row)) continue;
    try {
      return test_over_train(saved.frame.run(), row);
    } catch (const ConfigError&) {
      break;
    }
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

/// The training parts of the folds overlap: the variance of the mean is s^2 (1 / n + test / train) (Nadeau
/// and Bengio). A single test part has no spread; the interval of its accuracy follows from its number of
/// rows.
ExpectedMetric expected_of(const RecordRow& nested, const std::string& metric, double ratio) {
  ExpectedMetric expected{quantity_of(metric), summary_of(nested, metric), std::nullopt};
  const Summary& folds = expected.folds;
  if (!std::isnan(ratio)) {
    Summary widened = folds;
    widened.sd *= std::sqrt(1 + static_cast<double>(folds.n) * ratio);
    if (widened.sd > 0) expected.interval = interval_of_mean(widened, 0.05);
  } else if (metric == "test_acc" && !nested.steps.empty()) {
    const std::vector<std::size_t>& counts = nested.steps.front().step->confusion;
    double n = 0;
    for (const arma::uword count : counts) n += static_cast<double>(count);
    if (n > 0) expected.interval = interval_of_share(folds.mean, n);
  }
  if (expected.interval) {
    expected.interval->low = std::max(0.0, expected.interval->low);
    if (expected.quantity.kind == MetricKind::classification)
      expected.interval->high = std::min(1.0, expected.interval->high);
  }
  return expected;
}

/// Fills in the counts of the classes in the test parts; returns true if the classes are unbalanced.
bool look_at_classes(const Saved& saved, const RecordRow& nested, Headline& headline) {
  const arma::mat C = pooled_confusion(nested.steps).C;  // true class by predicted class
  if (C.is_empty()) return false;
  const arma::vec truth = arma::sum(C, 1);
  const arma::rowvec predicted = arma::sum(C, 0);
  const auto& classes = saved.frame.run().classes;
  if (arma::accu(predicted > 0) == 1 && arma::accu(truth > 0) > 1) {
    const auto names = classes.find(saved.set);
    const arma::uword k = predicted.index_max();
    headline.only_class = names != classes.end() && k < names->second.size() ? names->second[k] : std::to_string(k);
  }
  return is_unbalanced(C);
}

/// Returns the row of the family that predicts the mean, or the largest class, for all inputs.
const RecordRow* trivial_row(const Saved& saved) {
  const auto found = std::ranges::find_if(saved.rows, [](const RecordRow& row) {
    return !row.steps.empty() && row.steps[0].record->family == "mean" && row.chosen.empty();
  });
  return found == saved.rows.end() ? nullptr : &*found;
}

/// Uses the corrected t-test if the split allows it, otherwise Wilcoxon's, as comparisons of methods do.
void compare_with_trivial(const Saved& saved, const RecordRow& nested, Headline& headline) {
  const RecordRow* trivial = trivial_row(saved);
  if (trivial == nullptr) return;
  const Quantity& metric = headline.expected[0].quantity;
  headline.trivial = trivial->experiment_case.empty() ? trivial->algorithm : trivial->experiment_case;
  headline.of_trivial = summary_of(*trivial, metric.name).mean;
  MethodComparison comparison{{}, {}, {metric}};
  comparison.test = &paired_tests().front();
  try {
    const double share = test_over_train(saved.frame.run(), *trivial);
    comparison.test_over_train = [share](const RecordRow&) { return share; };
    comparison.test = &find_paired_test("corrected_t");
  } catch (const ConfigError&) {
  }
  headline.finding = comparison.difference(*trivial, nested, metric.name, comparison.alpha).finding;
  const Decision better = metric.better == Better::higher ? Decision::higher : Decision::lower;
  headline.better = headline.finding.decision == better ? BetterThanTrivial::yes
                    : headline.finding.decided() || headline.finding.decision == Decision::same
                        ? BetterThanTrivial::no
                        : BetterThanTrivial::cannot_tell;
  if (saved.trial.value("family", "") == "mean") headline.better = BetterThanTrivial::no;
}

/// Finds the settings of the saved model that are at the edge of the values that its method has tried.
void look_at_edges(const Saved& saved, Headline& headline) {
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
  for (const auto& [place, values] : tried) {
    if (values.size() < kFewValues || !own.contains(place)) continue;
    headline.edges_known = true;
    const double value = own.at(place);
    if (value == *values.begin() || value == *values.rbegin())
      headline.edges.push_back({last_component(place), show(value), value == *values.rbegin(), values.size()});
  }
}

Headline headline_of(const Saved& saved) {
  Headline headline;
  headline.data_set = saved.set;
  if (!tested_alike(saved)) {
    headline.no_number = "its cases were tested on different rows, so no single number describes the choice among them";
    return headline;
  }
  const RecordRow nested = nested_row(saved, headline.by);
  const bool unbalanced = look_at_classes(saved, nested, headline);
  const double ratio = ratio_of(saved, nested);
  const bool classes = summary_of(nested, "test_acc").n > 0;
  std::vector<std::string> metrics{classes ? "test_acc" : "test_rmse"};
  if (unbalanced) metrics.insert(metrics.begin(), "test_bac");
  for (const std::string& metric : metrics) {
    ExpectedMetric one = expected_of(nested, metric, ratio);
    if (one.folds.n > 0) headline.expected.push_back(std::move(one));
  }
  if (headline.expected.empty()) {
    headline.no_number = "no trial has a number on a test part";
    return headline;
  }
  compare_with_trivial(saved, nested, headline);
  look_at_edges(saved, headline);
  return headline;
}

}  // namespace

std::vector<Headline> headlines_of(const Frame& frame, const std::filesystem::path& folder) {
  std::vector<Headline> headlines;
  if (!frame.predicate().empty()) return headlines;
  const std::map<std::string, NoFinalModel> none = read_no_final_models(folder);
  std::map<std::string, std::string> wanted;
  if (!frame.run().saving.empty()) wanted = final_models_wanted(Json{{"resolved", frame.run().resolved}});
  for (const auto& [set, file] : wanted) {
    Saved saved{frame, set, rows_of_set(frame, set), {}};
    if (const auto reason = none.find(set); reason != none.end()) {
      headlines.push_back({set, "", "", "no model was saved: " + reason->second.why});
      continue;
    }
    std::error_code ignored;
    if (saved.rows.empty() || !std::filesystem::exists(folder / file, ignored)) continue;
    std::string model;
    try {
      const SavedModel read = read_model(folder / file);
      model = method_of(read);
      saved.trial = read.trial;
    } catch (const DataError& error) {
      headlines.push_back({set, "", "", std::string("the saved model cannot be read: ") + error.what()});
      continue;
    }
    headlines.push_back(headline_of(saved));
    headlines.back().model = model;
    headlines.back().file = file;
  }
  return headlines;
}

}  // namespace elmx
