#include <fmt/core.h>

#include <algorithm>

#include "experiment/saved/saved_model.hpp"
#include "models/stack/stack_weights.hpp"
#include "models/trained_network.hpp"

namespace elmx {
namespace {

/// Outputs sum_j w_j z_j of members that have learnt other inputs each.
class StackPredictor final : public Predictor {
 public:
  explicit StackPredictor(const SavedModel& stack)
      : weights_(arma::vectorise(stack.network.matrix<double>("weights", 1, stack.members.size()))),
        residuals_(kept_residuals(stack.network, stack.data.outputs)) {
    for (const SavedModel& member : stack.members) {
      preprocessing_.push_back(member.preprocessing);
      members_.push_back(restore(member, fmt::format("members/{}", members_.size() + 1)));
    }
  }

  arma::mat outputs(const Inputs& inputs) override {
    std::vector<arma::mat> Z;
    for (std::size_t j = 0; j < members_.size(); ++j)
      Z.push_back(predict(*members_[j], preprocessing_[j], inputs.X, inputs.rows));
    return weighted_sum(Z, weights_);
  }

  /// Assumes that a prediction does not change if a sample is left out (jackknife), since the change is
  /// unknown.
  LeftOutOutputs left_out(const Inputs& inputs) override {
    return {arma::cube(inputs.rows.n_elem, residuals_.n_rows, residuals_.n_cols, arma::fill::zeros), residuals_};
  }

 private:
  arma::vec weights_;
  arma::mat residuals_;  // m x c
  std::vector<Preprocessing> preprocessing_;
  std::vector<std::unique_ptr<Predictor>> members_;
};

void require_enough(double level, arma::uword kept) {
  if (jackknife_rank(level, kept) <= kept) return;
  arma::uword needed = kept;
  while (jackknife_rank(level, needed) > needed) ++needed;
  throw ConfigError("--interval", fmt::format("{} needs at least {} training rows, but the model keeps {}; use a "
                                              "smaller share",
                                              level, needed, kept));
}

/// Returns true for splits whose test rows are later than the rows of training, or from other groups.
bool tests_on_other_rows(const std::string& kind) {
  return kind == "time_series" || kind == "group_k_fold" || kind == "leave_one_group_out";
}

}  // namespace

std::unique_ptr<Predictor> restore(const SavedModel& model, const std::string& origin) {
  return of_model_file(origin, [&] {
    if (!model.members.empty()) return std::unique_ptr<Predictor>(std::make_unique<StackPredictor>(model));
    const Json& options = model.config.at("model");
    const ModelPtr read = family_of(options, "config/model").read(options, "config/model", false);
    return read->restore(model.network, {model.preprocessing.inputs.offset.n_elem, model.data.outputs});
  });
}

arma::mat predict(Predictor& predictor, const Preprocessing& preprocessing, const InputRows& X,
                  const arma::uvec& rows) {
  arma::mat Z = with_inputs(preprocessing, X, rows, [&](const Inputs& inputs) { return predictor.outputs(inputs); });
  for (arma::uword i = 0; !Z.is_finite() && i < Z.n_rows; ++i) {
    if (!Z.row(i).is_finite())
      throw DataError(fmt::format("sample {}", rows(i) + 1),
                      "the output of the network is not finite; use inputs like those that it was trained on");
  }
  return Z;
}

Intervals prediction_intervals(const SavedModel& model, Predictor& predictor, const InputRows& X,
                               const arma::uvec& rows, const arma::mat& Z, double level) {
  if (model.data.task != "regression")
    throw ConfigError("--interval", "the model is a classification; use --probabilities");
  if (const std::string& kind = model.options.split.kind; tests_on_other_rows(kind))
    throw ConfigError(
        "--interval",
        fmt::format("intervals come from leave-one-out errors, which are too small for new rows if the run "
                    "tests on later rows or other groups (split.kind \"{}\"); the expected error of `elmx "
                    "table` holds for such rows",
                    kind));
  if (model.trial.contains(kUpdates))
    throw ConfigError("--interval",
                      "the model was updated, and leave-one-out solutions belong to the first training; train a model "
                      "on all of its rows");
  Intervals all{arma::mat(arma::size(Z)), arma::mat(arma::size(Z))};
  for (arma::uword first = 0; first < rows.n_elem; first += kFullBlock) {
    const arma::span part(first, std::min(first + kFullBlock, rows.n_elem) - 1);
    const LeftOutOutputs of = with_inputs(model.preprocessing, X, rows(part),
                                          [&](const Inputs& inputs) { return predictor.left_out(inputs); });
    if (of.residuals.is_empty())
      throw ConfigError("--interval",
                        "the model keeps no leave-one-out solutions. Intervals need the model.h5 of a regression with "
                        "elm, bls, rvfl, kernel, linear, mean or stack that was written by this version. A model that "
                        "fits its training rows exactly has none");
    require_enough(level, of.residuals.n_rows);
    const Intervals some = jackknife_plus(Z.rows(part), of.changes, of.residuals, level);
    all.lower.rows(part) = some.lower;
    all.upper.rows(part) = some.upper;
  }
  return all;
}

}  // namespace elmx
