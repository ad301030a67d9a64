#include "metrics/registry.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "metrics/classification.hpp"
#include "metrics/regression.hpp"

namespace elmx {
namespace {

bool two_classes(const ClassCounts& counts) {
  return counts.C.n_rows <= 2;
}

double acc(const ClassCounts& counts) {
  return accuracy(counts.C);
}

double sn(const ClassCounts& counts) {
  return two_classes(counts) ? sensitivity(counts.C, counts.positive) : macro_sensitivity(counts.C);
}

double pe(const ClassCounts& counts) {
  return two_classes(counts) ? precision(counts.C, counts.positive) : macro_precision(counts.C);
}

double mcc(const ClassCounts& counts) {
  return matthews(counts.C);
}

double f1(const ClassCounts& counts) {
  return two_classes(counts) ? std::numeric_limits<double>::quiet_NaN() : macro_f1(counts.C);
}

double bac(const ClassCounts& counts) {
  return macro_sensitivity(counts.C);
}

double gm(const ClassCounts& counts) {
  return geometric_mean_sensitivity(counts.C);
}

void put(std::map<std::string, double>& values, const std::string& name, double value) {
  if (!std::isnan(value)) values[name] = value;
}

}  // namespace

const std::vector<Metric>& metrics() {
  using enum MetricKind;
  using enum Better;
  static const std::vector<Metric> table = {
      {"mse", "MSE", regression, lower, "mean squared error over all samples and outputs", mean_squared_error},
      {"rmse", "RMSE", regression, lower, "square root of the MSE", root_mean_squared_error},
      {"r2", "R2", regression, higher, "1 - SSE / SST about the column means, pooled over the outputs", r_squared},
      {"acc", "ACC", classification, higher, "fraction of correct predictions", nullptr, acc},
      {"sn", "SN", classification, higher,
       "sensitivity TP / (TP + FN) of the positive class; more than two classes: macro average", nullptr, sn},
      {"pe", "PE", classification, higher,
       "precision TP / (TP + FP) of the positive class; more than two classes: macro average", nullptr, pe},
      {"mcc", "MCC", classification, higher,
       "Matthews correlation coefficient, Gorodkin's R_K for more than two classes; 0 where undefined", nullptr, mcc},
      {"macro_f1", "macro-F1", classification, higher, "mean F1 over the classes, where there are more than two",
       nullptr, f1},
      {"bac", "BAC", classification, higher, "balanced accuracy: mean sensitivity of the classes", nullptr, bac, false},
      {"gm", "G-mean", classification, higher, "geometric mean of the sensitivities of the classes", nullptr, gm, false},
      {"weight_error", "weight error", ledger, lower,
       "||beta - beta_ref||_F against the independent reference solution"},
      {"output_error_train", "output error (train)", ledger, lower, "||H beta - H beta_ref||_F on the training part"},
      {"output_error_test", "output error (test)", ledger, lower, "||H beta - H beta_ref||_F on the testing part"},
      {"residual", "residual", ledger, lower,
       "how far beta is from solving the regularised normal equations, relative to the size of the terms"},
      {"condition", "condition", ledger, lower, "estimated condition number of H'H + lambda I"},
      {"objective", "objective", ledger, lower,
       "value of what an iterative training minimises, regularisation included"},
      {"gradient_norm", "gradient norm", ledger, lower,
       "norm of the gradient of the objective: how far from stationary"},
      {"objective_rise", "objective rise", ledger, lower,
       "largest relative increase of the objective from one iteration to the next; 0 where it never rose"},
      {"loo_mse", "leave-one-out MSE", selection, lower,
       "PRESS / n: mean over training samples and outputs of (e_i / (1 - h_ii))^2; of labelled samples where others are not"},
      {"gcv", "GCV", selection, lower,
       "generalised cross validation: n ||e||^2 / (n - tr H)^2, mean over the outputs"},
      {"dof", "dof", selection, lower, "effective degrees of freedom tr H, H = A (A'A + lambda I)^-1 A'"},
      {"loo_acc", "leave-one-out ACC", selection, higher,
       "fraction of training samples whose class the leave-one-out outputs name"},
      {"loo_bac", "leave-one-out BAC", selection, higher, "balanced accuracy of the leave-one-out outputs"},
      {"nodes_kept", "nodes kept", structure, lower, "hidden nodes that the trained network has left"},
      {"iterations", "iterations", structure, lower, "iterations that the training took"},
  };
  return table;
}

const Metric& metric_named(std::string_view name) {
  for (const Metric& metric : metrics()) {
    if (metric.name == name) return metric;
  }
  throw std::logic_error("metric_named: unknown name");
}

const char* to_string(MetricKind kind) {
  switch (kind) {
    case MetricKind::regression:
      return "regression";
    case MetricKind::classification:
      return "classification";
    case MetricKind::ledger:
      return "ledger";
    case MetricKind::selection:
      return "selection";
    case MetricKind::structure:
      return "structure";
  }
  return "";
}

const char* to_string(Better better) {
  return better == Better::lower ? "lower" : "higher";
}

std::map<std::string, double> regression_metrics(const arma::mat& T, const arma::mat& P, const std::string& prefix) {
  std::map<std::string, double> values;
  for (const Metric& metric : metrics()) {
    if (metric.of_outputs != nullptr) put(values, prefix + metric.name, metric.of_outputs(T, P));
  }
  return values;
}

std::map<std::string, double> classification_metrics(const arma::uvec& truth, const arma::uvec& predicted,
                                                     arma::uword classes, arma::uword positive,
                                                     const std::string& prefix) {
  const ClassCounts counts{confusion_matrix(truth, predicted, classes), positive};
  std::map<std::string, double> values;
  for (const Metric& metric : metrics()) {
    if (metric.of_counts != nullptr) put(values, prefix + metric.name, metric.of_counts(counts));
  }
  return values;
}

}  // namespace elmx
