#include "final_models/test_part_calibration.hpp"

#include <fmt/core.h>

#include <set>

#include "base/printable.hpp"
#include "experiment/saved/saved_model.hpp"

namespace elmx {

FoundCalibration calibrate_on_test_parts(const std::vector<TestedNetwork>& networks) {
  arma::mat scores;
  arma::uvec classes;
  std::vector<std::set<arma::uword>> rows_of_class;  // repeats test a row more than once
  std::vector<std::string> names;
  for (const auto& [file, data, rows] : networks) {
    if (rows->is_empty()) continue;
    const SavedModel model = read_model(file);
    const auto predictor = restore(model, file.string());
    const arma::mat Z = predict(*predictor, model.preprocessing, data->input_rows(), *rows);
    scores = arma::join_cols(scores, targets_of(model, *data).class_scores(Z));
    classes = arma::join_cols(classes, arma::uvec(data->labels(*rows)));
    names = data->classes;
    rows_of_class.resize(names.size());
    for (const arma::uword row : *rows) rows_of_class[data->labels(row)].insert(row);
  }
  if (scores.is_empty()) return {std::nullopt, "no trial has left a network to test"};
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (rows_of_class[k].size() >= kLeastOfClass) continue;
    return {std::nullopt, fmt::format("class \"{}\" has {} in the test parts, and probabilities need at least {} of "
                                      "each class; use more rows or k_fold",
                                      names[k], counted(rows_of_class[k].size(), "row"), kLeastOfClass)};
  }
  const Calibration calibration = calibrate(scores, classes);
  if (!(calibration.slope > 0)) return {std::nullopt, "the outputs do not tell the classes of the test parts apart"};
  return {calibration, ""};
}

}  // namespace elmx
