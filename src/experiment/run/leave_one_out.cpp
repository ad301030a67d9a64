#include "experiment/run/leave_one_out.hpp"

#include <algorithm>
#include <cmath>

#include "metrics/formulas.hpp"

namespace elmx {
namespace {

constexpr double kOneDigit = 10;  // a multiple of the rounding error
constexpr double kBetween = 10;   // assumed ratio of the errors of other samples and probed samples
constexpr double kRight = 0.01;
constexpr double kLeftOutError = 1e-3;  // a tenth of kRight: it is known at some samples
constexpr const char* kNoDigit = "rounding leaves less than a digit";
constexpr const char* kSumIsOff = "rounding may have moved the sum of the leverages too far";
constexpr const char* kInverseDrifted = "the inverse that the algorithm holds has drifted from that of the problem";
constexpr const char* kWeightsDrifted = "the weights have drifted from those of the problem";

bool right(double value, double refined) { return std::abs(value - refined) <= kRight * std::abs(value); }

/// Computes sum_i w_i ||t_i - z_i||^2 / (c sum_i w_i), in the units of train_mse.   Z: n x c.
double weighted_mse(const Dataset& data, const Targets& targets, const arma::uvec& rows, const arma::vec& weights,
                    const arma::mat& Z) {
  const bool original = data.task == Task::regression && !targets.in_scaled_units();
  const arma::mat E =
      original ? arma::mat(data.Y.rows(rows) - targets.to_original(Z)) : arma::mat(targets.encode(rows) - Z);
  const arma::vec squares = arma::mean(arma::square(E), 1);
  return weights.is_empty() ? arma::mean(squares) : arma::dot(weights, squares) / arma::accu(weights);
}

/// Adds the same metrics from leave-one-out outputs of the model itself, for all or some training samples.
void add_left_out(const Dataset& data, const Targets& targets, const arma::uvec& rows, const arma::vec& weights,
                  const Checkpoint& point, Measurements& measured) {
  const LeaveOneOut& of = point.leave_one_out;
  const bool classes = data.task == Task::classification, right = of.error <= kLeftOutError;
  const auto add = [&](const char* name, double value) {
    measured.add(name, right ? Measured{value} : Measured{std::nan(""), kNoDigit});
  };
  const arma::uvec known = arma::find_finite(of.outputs.col(0));
  const arma::uvec samples = rows.elem(known);
  const arma::mat Z = of.outputs.rows(known);
  const arma::vec of_known = weights.is_empty() ? arma::vec() : arma::vec(weights.elem(known));
  add("loo_mse", weighted_mse(data, targets, samples, of_known, Z));
  if (std::isfinite(of.freedom)) {
    const double left = 1 - of.freedom / static_cast<double>(rows.n_elem);
    add("dof", of.freedom);
    add("gcv", weighted_mse(data, targets, rows, weights, point.train_output) / (left * left));
  }
  if (!classes) return;
  const arma::mat C = confusion_matrix(data.labels(samples), targets.decode_labels(Z), data.classes.size());
  add("loo_acc", accuracy(C));
  add("loo_bac", balanced_accuracy(C));
}

}  // namespace

arma::mat left_out_outputs(const arma::mat& T, const arma::mat& Z, const arma::vec& h) {
  arma::mat errors = T - Z;
  errors.each_col() /= 1 - h;
  return T - errors;
}

void add_leave_one_out(const Dataset& data, const Targets& targets, const arma::uvec& rows, const arma::vec& weights,
                       const Checkpoint& point, Measurements& measured) {
  if (!point.leave_one_out.outputs.is_empty()) return add_left_out(data, targets, rows, weights, point, measured);
  const Leverages& of = point.leverages;
  if (of.h.is_empty()) return;
  const std::vector<std::string> of_samples = data.task == Task::regression
                                                  ? std::vector<std::string>{"loo_mse"}
                                                  : std::vector<std::string>{"loo_mse", "loo_acc", "loo_bac"};
  const auto lacking = [&](const std::vector<std::string>& names, const char* why) {
    for (const std::string& name : names) measured.add(name, {std::nan(""), why});
  };
  const bool drifted = of.drift > 1;
  const arma::vec error = (drifted ? kBetween * of.drift : 1) * of.rounding;
  const char* why = drifted ? kInverseDrifted : kNoDigit;

  const double n = static_cast<double>(of.h.n_elem), trace = arma::accu(of.h), most = static_cast<double>(of.columns);
  const double of_sum = n * arma::datum::eps * trace;  // rounding of a sum of n numbers
  const bool possible = trace >= 0 && trace <= most + arma::accu(of.rounding) + of_sum;
  // The probes include samples drawn without regard to h, and the largest of their errors, as a multiple of
  // rounding, is above the mean one that the sum takes.
  const double error_of_sum = of.drift * arma::accu(of.rounding) + of_sum;
  const bool sum_is_right = error_of_sum <= kRight * trace;
  if (!possible || (drifted && !sum_is_right)) {
    lacking({"dof", "gcv"}, kInverseDrifted);
    return lacking(of_samples, kInverseDrifted);
  }
  const double freedom = std::min(trace, most);
  measured.add("dof", sum_is_right ? Measured{freedom} : Measured{std::nan(""), kSumIsOff});

  const bool refinable = !of.refined.is_empty();
  const arma::mat refined = refinable ? arma::mat(point.train_output + of.refined) : point.train_output;
  // (n - dof)^2 is off twice as much as n - dof
  const bool rest_is_right = 2 * error_of_sum <= kRight * (n - freedom);
  if (n - freedom > kOneDigit * arma::accu(error) && rest_is_right) {
    const double left = 1 - freedom / n;
    const double gcv = weighted_mse(data, targets, rows, weights, point.train_output) / (left * left);
    const double better = weighted_mse(data, targets, rows, weights, refined) / (left * left);
    measured.add("gcv", right(gcv, better) ? Measured{gcv} : Measured{std::nan(""), kWeightsDrifted});
  } else {
    lacking({"gcv"}, drifted || rest_is_right ? why : kSumIsOff);
  }

  const arma::vec left = 1 - of.h;
  if (!arma::all(left > kOneDigit * error)) return lacking(of_samples, why);
  const arma::mat T = targets.encode(rows);
  const arma::mat Z = left_out_outputs(T, point.train_output, of.h);
  const double mse = weighted_mse(data, targets, rows, weights, Z);
  if (refinable && !right(mse, weighted_mse(data, targets, rows, weights, left_out_outputs(T, refined, of.h))))
    return lacking(of_samples, kWeightsDrifted);
  measured.add("loo_mse", {mse});
  if (data.task == Task::regression) return;
  const arma::mat C = confusion_matrix(data.labels(rows), targets.decode_labels(Z), data.classes.size());
  measured.add("loo_acc", {accuracy(C)});
  measured.add("loo_bac", {balanced_accuracy(C)});
}

}  // namespace elmx
