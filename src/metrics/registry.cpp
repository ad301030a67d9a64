#include "metrics/registry.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "metrics/formulas.hpp"

namespace elmx {

void Measurements::add(const std::string& name, const Measured& measured) {
  if (std::isinf(measured.value)) {
    notes[name] = kNotFinite;
    return;
  }
  if (!std::isnan(measured.value)) values[name] = measured.value;
  if (!measured.note.empty()) notes[name] = measured.note;
}

namespace {

bool two_classes(const ClassCounts& counts) { return counts.C.n_rows <= 2; }

constexpr const char* kNoSample = "no sample is of the positive class: 0 / 0 is taken as 0";
constexpr const char* kNoPrediction = "nothing is predicted as the positive class: 0 / 0 is taken as 0";
constexpr const char* kNoSampleOfSome = "a class without samples is predicted: its 0 / 0 is taken as 0";
constexpr const char* kNoPredictionOfSome = "a class is never predicted: its 0 / 0 is taken as 0";
constexpr const char* kOneClass = "all samples or all predictions are of one class: 0 / 0 is taken as 0";
constexpr const char* kConstant = "the targets are constant";
constexpr const char* kSomeConstant = "constant targets are left out of the average";
constexpr const char* kOneClassOnly = "all samples are of one class";

/// A metric without notes.
template <double (*value)(const arma::mat& T, const arma::mat& P)>
Measured plain(const arma::mat& T, const arma::mat& P) {
  return {value(T, P)};
}

Measured r2(const arma::mat& T, const arma::mat& P) {
  arma::uword constant = 0;
  for (arma::uword j = 0; j < T.n_cols && T.n_rows > 0; ++j) constant += is_constant(T.col(j));
  return {r_squared(T, P), constant == 0 ? "" : constant == T.n_cols ? kConstant : kSomeConstant};
}

Measured acc(const ClassCounts& counts) { return {accuracy(counts.C)}; }

/// Adds a note to an average over classes if a class has no sample, because other parts may include it.
Measured averaged(Measured average, const arma::mat& C) {
  if (std::isnan(average.value)) return average;
  if (arma::any(arma::vec(arma::sum(C, 1)) == 0))
    average.note += (average.note.empty() ? "" : "; ") + std::string(kClassLeftOut);
  return average;
}

/// Returns the value, with the note if a 0 / 0 was taken as 0 while computing it.
Measured noted(double value, bool undefined, const char* note) {
  return {value, undefined && !std::isnan(value) ? note : ""};
}

Measured sn(const ClassCounts& counts) {
  const arma::mat& C = counts.C;
  if (two_classes(counts)) return noted(sensitivity(C, counts.positive), lacks_samples(C, counts.positive), kNoSample);
  return averaged(noted(macro_sensitivity(C), lacks_some_sensitivity(C), kNoSampleOfSome), C);
}

Measured pe(const ClassCounts& counts) {
  const arma::mat& C = counts.C;
  if (two_classes(counts))
    return noted(precision(C, counts.positive), never_predicted(C, counts.positive), kNoPrediction);
  return averaged(noted(macro_precision(C), lacks_some_precision(C), kNoPredictionOfSome), C);
}

Measured mcc(const ClassCounts& counts) { return noted(matthews(counts.C), lacks_matthews(counts.C), kOneClass); }

Measured f1(const ClassCounts& counts) {
  const arma::mat& C = counts.C;
  if (!two_classes(counts)) return {};
  return noted(f1_score(C, counts.positive), lacks_samples(C, counts.positive) && never_predicted(C, counts.positive),
               kNoSample);
}

Measured macro(const ClassCounts& counts) {
  if (two_classes(counts)) return {};
  return averaged({macro_f1(counts.C)}, counts.C);
}

Measured bac(const ClassCounts& counts) { return averaged({balanced_accuracy(counts.C)}, counts.C); }

Measured gm(const ClassCounts& counts) { return averaged({geometric_mean_sensitivity(counts.C)}, counts.C); }

Measured auc(const ClassOutputs& outputs) {
  if (outputs.truth.is_empty() || outputs.scores.has_nan()) return {};
  if (outputs.scores.n_cols == 2) {
    const double area = roc_auc(outputs.truth, outputs.positive, outputs.scores.col(outputs.positive));
    return {area, std::isnan(area) ? kOneClassOnly : ""};
  }
  double sum = 0, classes = 0;
  arma::vec areas(outputs.scores.n_cols);
#pragma omp parallel for schedule(dynamic, 1)
  for (arma::uword k = 0; k < areas.n_elem; ++k) areas(k) = roc_auc(outputs.truth, k, outputs.scores.col(k));
  for (const double area : areas) {
    if (std::isnan(area)) continue;
    sum += area;
    ++classes;
  }
  if (classes == 0) return {nan, kOneClassOnly};
  return {sum / classes, classes < static_cast<double>(outputs.scores.n_cols) ? kClassLeftOut : ""};
}

Measured cross_entropy(const ClassOutputs& outputs) {
  if (outputs.probabilities.is_empty()) return {};
  return {log_loss(outputs.truth, outputs.probabilities)};
}

}  // namespace

const std::vector<Metric>& metrics() {
  using enum MetricKind;
  using enum Better;
  static const std::vector<Metric> table = {
      {"mse", "MSE", regression, lower, "mean squared error over all samples and outputs", plain<mean_squared_error>},
      {"rmse", "RMSE", regression, lower, "square root of the MSE", plain<root_mean_squared_error>},
      {"r2", "R2", regression, higher,
       "1 - SSE / SST about the mean; several targets: plain mean over those that are not constant; NA if all are "
       "constant",
       r2},
      {"mae", "MAE", regression, lower, "mean absolute error over all samples and outputs", plain<mean_absolute_error>,
       nullptr, false, "mean absolute error"},
      {"median_ae", "median AE", regression, lower,
       "median absolute error; several targets: mean of the medians of each", plain<median_absolute_error>, nullptr,
       false, "median absolute error"},
      {"acc", "ACC", classification, higher, "fraction of correct predictions", nullptr, acc, true, "accuracy"},
      {"sn", "SN", classification, higher,
       "sensitivity TP / (TP + FN) of the positive class; more than two classes: mean over those that occur; 0 / 0 "
       "counts as 0",
       nullptr, sn, true, "sensitivity"},
      {"pe", "PE", classification, higher,
       "precision TP / (TP + FP) of the positive class; more than two classes: mean over those that occur; 0 / 0 "
       "counts as 0",
       nullptr, pe, true, "precision"},
      {"mcc", "MCC", classification, higher,
       "Matthews correlation coefficient, Gorodkin's R_K for more than two classes; 0 / 0 counts as 0", nullptr, mcc,
       true, "Matthews correlation"},
      {"macro_f1", "macro-F1", classification, higher,
       "mean F1 over the classes that occur, where there are more than two; 0 / 0 counts as 0", nullptr, macro},
      {"f1", "F1", classification, higher,
       "F1 = 2 TP / (2 TP + FP + FN) of the positive class, where there are two classes; 0 / 0 counts as 0", nullptr,
       f1, false},
      {"bac", "BAC", classification, higher, "balanced accuracy: mean sensitivity of the classes that have samples",
       nullptr, bac, false, "balanced accuracy"},
      {"gm", "G-mean", classification, higher, "geometric mean of the sensitivities of the classes that have samples",
       nullptr, gm, false},
      {"auc", "AUC", classification, higher,
       "area under the ROC curve of the output for the positive class; more than two classes: mean over those that "
       "occur, each against the rest; equal outputs count one half",
       nullptr, nullptr, false, "area under the ROC curve", auc},
      {"log_loss", "log loss", classification, lower,
       "mean of -log(probability of the true class), where outputs are probabilities", nullptr, nullptr, false, nullptr,
       cross_entropy},
      {"weight_error", "weight error", diagnostics, lower,
       "||W - W_ref||_F against the independent reference solution"},
      {"output_error_train", "output error (train)", diagnostics, lower, "||A W - A W_ref||_F on the training part"},
      {"output_error_test", "output error (test)", diagnostics, lower, "||A W - A W_ref||_F on the testing part"},
      {"backward_error", "backward error", diagnostics, lower,
       "how far W is from solving the regularised normal equations, relative to the size of the terms"},
      {"average_accuracy", "average accuracy", diagnostics, higher,
       "classes that arrive step by step: mean over the steps so far of the accuracy on the test samples of the "
       "classes of a step, predicting among all classes so far"},
      {"forgetting", "forgetting", diagnostics, lower,
       "classes that arrive step by step: mean over the earlier steps of how far the accuracy on their classes has "
       "fallen below its best"},
      {"condition", "condition", diagnostics, lower, "estimated condition number of A'A + lambda I"},
      {"products", "products", diagnostics, lower,
       "mixed precision: passes over the training samples that refined the weights"},
      {"shift", "shift", diagnostics, lower,
       "mixed precision: number that was added to the ones of the diagonal before the factorisation, in units of "
       "2^-24"},
      {"objective", "objective", diagnostics, lower,
       "value of the function that an iterative training minimises, with its regularisation"},
      {"gradient_norm", "gradient norm", diagnostics, lower,
       "norm of the gradient of the objective: how far from stationary"},
      {"objective_rise", "objective rise", diagnostics, lower,
       "largest relative increase of the objective from one iteration to the next; 0 where it never rose"},
      {"loo_mse", "leave-one-out MSE", selection, lower,
       "PRESS / N: mean over training samples and outputs of (e_i / (1 - h_i))^2; of labelled samples if others "
       "have no labels"},
      {"gcv", "GCV", selection, lower,
       "generalised cross validation: N ||e||^2 / (N - sum of h_i)^2, mean over the outputs"},
      {"dof", "dof", selection, lower, "effective degrees of freedom: the sum of the leverages h_i"},
      {"loo_acc", "leave-one-out ACC", selection, higher,
       "fraction of training samples that the leave-one-out outputs classify correctly"},
      {"loo_bac", "leave-one-out BAC", selection, higher, "balanced accuracy of the leave-one-out outputs"},
      {"chosen_length", "chosen length", structure, lower, "kernel: the length scale that \"auto\" has chosen"},
      {"chosen_ridge", "chosen ridge", structure, lower, "kernel: the ridge parameter that \"auto\" has chosen"},
      {"weight", "weight", structure, higher, "stack: weight of the outputs of a case, \"weight[CASE]\""},
      {"nodes_kept", "nodes kept", structure, lower, "hidden nodes that the trained network has left"},
      {"iterations", "iterations", structure, lower, "iterations that the training took"},
  };
  return table;
}

const Metric& metric_named(std::string_view name) {
  const auto found = std::ranges::find(metrics(), name, &Metric::name);
  expects(found != metrics().end(), "metric_named: a known name");
  return *found;
}

const char* to_string(MetricKind kind) {
  constexpr std::array names{"regression", "classification", "diagnostics", "selection", "structure"};
  return names[static_cast<std::size_t>(kind)];
}

const char* to_string(Better better) { return better == Better::lower ? "lower" : "higher"; }

void add_regression_metrics(const arma::mat& T, const arma::mat& P, const std::string& prefix, Measurements& measured,
                            const std::vector<std::string>& targets) {
  const std::size_t named = T.n_cols > 1 && T.n_cols <= kMostInDetail ? targets.size() : 0;
  for (const Metric& metric : metrics()) {
    if (metric.of_outputs == nullptr) continue;
    measured.add(prefix + metric.name, metric.of_outputs(T, P));
    for (std::size_t j = 0; j < named; ++j)
      measured.add(prefix + metric.name + "[" + targets[j] + "]", metric.of_outputs(T.col(j), P.col(j)));
  }
}

void add_classification_metrics(const arma::uvec& truth, const arma::uvec& predicted, arma::uword classes,
                                arma::uword positive, const std::string& prefix, Measurements& measured) {
  const ClassCounts counts{confusion_matrix(truth, predicted, classes), positive};
  for (const Metric& metric : metrics()) {
    if (metric.of_counts != nullptr) measured.add(prefix + metric.name, metric.of_counts(counts));
  }
}

void add_score_metrics(const ClassOutputs& outputs, const std::string& prefix, Measurements& measured) {
  for (const Metric& metric : metrics()) {
    if (metric.of_scores != nullptr) measured.add(prefix + metric.name, metric.of_scores(outputs));
  }
}

}  // namespace elmx
