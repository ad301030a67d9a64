#include "chosen/test_part_calibration.hpp"

#include "experiment/saved/saved_model.hpp"

namespace elmx {

std::optional<Calibration> calibrate_on_test_parts(const std::vector<TestedNetwork>& networks) {
  arma::mat scores;
  arma::uvec classes;
  for (const auto& [file, data, rows] : networks) {
    if (rows->is_empty()) continue;
    const SavedModel model = read_model(file);
    const auto predictor = restore(model, file.string());
    const arma::mat Z = predict(*predictor, model.preprocessing, data->input_rows(), *rows);
    scores = arma::join_cols(scores, targets_of(model, *data).class_scores(Z));
    classes = arma::join_cols(classes, arma::uvec(data->labels(*rows)));
  }
  if (scores.is_empty()) return std::nullopt;
  return calibrate(scores, classes);
}

}  // namespace elmx
