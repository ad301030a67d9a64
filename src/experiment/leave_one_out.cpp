#include "experiment/leave_one_out.hpp"

#include "metrics/classification.hpp"

namespace elmx {
namespace {

constexpr double kOneDigit = 10;  // times the rounding

/// sum_i w_i ||t_i - z_i||^2 / (c sum_i w_i), in the units of train_mse.   Z: n x c.
double weighted_mse(const Dataset& data, const Targets& targets, const arma::uvec& rows, const arma::vec& weights, const arma::mat& Z) {
  const bool original = data.task == Task::regression && !targets.in_scaled_units();
  const arma::mat E = original ? arma::mat(data.Y.rows(rows) - targets.to_original(Z)) : arma::mat(targets.encode(rows) - Z);
  const arma::vec squares = arma::mean(arma::square(E), 1);
  return weights.is_empty() ? arma::mean(squares) : arma::dot(weights, squares) / arma::accu(weights);
}

}  // namespace

void add_leave_one_out(const Dataset& data, const Targets& targets, const arma::uvec& rows, const arma::vec& weights,
                       const Checkpoint& point, std::map<std::string, double>& metrics) {
  const auto& [h, rounding] = point.leverages;
  if (h.is_empty()) return;
  const double n = static_cast<double>(h.n_elem), freedom = arma::accu(h);
  metrics["dof"] = freedom;
  if (n - freedom > kOneDigit * arma::accu(rounding)) {
    const double left = 1 - freedom / n;
    metrics["gcv"] = weighted_mse(data, targets, rows, weights, point.train_output) / (left * left);
  }
  const arma::vec left = 1 - h;
  if (!arma::all(left > kOneDigit * rounding)) return;
  const arma::mat T = targets.encode(rows);
  arma::mat errors = T - point.train_output;
  errors.each_col() /= left;
  const arma::mat Z = T - errors;
  metrics["loo_mse"] = weighted_mse(data, targets, rows, weights, Z);
  if (data.task == Task::regression) return;
  const arma::mat C = confusion_matrix(data.labels(rows), targets.decode_labels(Z), data.classes.size());
  metrics["loo_acc"] = accuracy(C);
  metrics["loo_bac"] = macro_sensitivity(C);
}

}  // namespace elmx
