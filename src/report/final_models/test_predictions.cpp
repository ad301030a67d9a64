#include "report/final_models/test_predictions.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/files/files.hpp"
#include "base/printable.hpp"
#include "data/csv/fields.hpp"
#include "experiment/records/stored_run.hpp"
#include "experiment/saved/saved_model.hpp"
#include "report/external_predictions/external_predictions.hpp"
#include "report/tables/predictions.hpp"

namespace elmx {
namespace {

constexpr const char* kActual = "actual";
constexpr const char* kPredicted = "predicted";
const std::vector<std::string> kPlaceColumns{"dataset", "method", "row", "repeat", "fold"};

bool classifies(const Dataset& data) { return data.task == Task::classification; }

/// Reads one file; returns none if test_predictions_csv did not write it for a regression.
std::optional<TestPredictions> read_one(const std::filesystem::path& file) {
  const std::string text = read_file(file);
  RowScanner rows(text, ',', '\n', 0, 1);
  if (!rows.next()) return std::nullopt;
  const std::vector<std::string> header(rows.fields().begin(), rows.fields().end());
  const std::size_t places = kPlaceColumns.size(), prefix = std::string(kActual).size() + 1;
  if (header.size() <= places || !std::equal(kPlaceColumns.begin(), kPlaceColumns.end(), header.begin()) ||
      header[places] == kActual)
    return std::nullopt;
  TestPredictions found;
  for (std::size_t j = places; j < header.size(); j += 2)
    found.targets.push_back(header[j].substr(std::min(prefix, header[j].size())));
  std::vector<double> numbers;
  const auto line = [&] { return fmt::format("{}:{}", file.string(), rows.line()); };
  while (rows.next_content("")) {
    const std::vector<std::string_view>& fields = rows.fields();
    if (fields.size() != header.size())
      throw DataError(line(), fmt::format("expected {}, found {}", counted(header.size(), "field"), fields.size()));
    if (numbers.empty()) {
      found.data_set = fields[0];
      found.method = fields[1];
    }
    for (std::size_t j = places; j < fields.size(); ++j) {
      const std::optional<double> value = fields[j].empty() ? arma::datum::nan : parse_number(fields[j]);
      if (!value) throw DataError(line(), fmt::format("{}: expected a number, found \"{}\"", header[j], fields[j]));
      numbers.push_back(*value);
    }
  }
  const arma::uword pairs = found.targets.size();
  const arma::mat all(numbers.data(), 2 * pairs, numbers.size() / (2 * pairs));
  found.actual = all.rows(arma::regspace<arma::uvec>(0, 2, 2 * pairs - 2)).t();
  found.predicted = all.rows(arma::regspace<arma::uvec>(1, 2, 2 * pairs - 1)).t();
  return found;
}

}  // namespace

TestOutputs outputs_on_test_parts(const std::vector<TestedNetwork>& networks) {
  const Dataset& data = *networks.front().data;
  arma::uword n = 0, begin = 0;
  for (const TestedNetwork& network : networks) n += network.rows->n_elem;
  const arma::uword columns = classifies(data) ? data.classes.size() : data.Y.n_cols;
  TestOutputs outputs{&data, arma::uvec(n), arma::uvec(n), arma::uvec(n), arma::mat(n, columns), arma::uvec(n)};
  for (const auto& [file, of_network, repeat, fold, rows] : networks) {
    if (rows->is_empty()) continue;
    const SavedModel model = read_model(file);
    const auto predictor = restore(model, file.string());
    const arma::mat Z = predict(*predictor, model.preprocessing, of_network->input_rows(), *rows);
    const Targets targets = targets_of(model, *of_network);
    const arma::span part(begin, begin + rows->n_elem - 1);
    outputs.rows(part) = *rows;
    outputs.repeats(part).fill(repeat);
    outputs.folds(part).fill(fold);
    outputs.values.rows(part) = classifies(data) ? targets.class_scores(Z) : targets.to_original(Z);
    if (classifies(data)) outputs.classes(part) = targets.decode_labels(Z);
    begin += rows->n_elem;
  }
  return outputs;
}

FoundCalibration calibrate_on_test_parts(const TestOutputs& outputs) {
  const Dataset& data = *outputs.data;
  std::vector<std::set<arma::uword>> rows_of_class(data.classes.size());  // repeats test a row more than once
  for (const arma::uword row : outputs.rows) rows_of_class[data.labels(row)].insert(row);
  for (std::size_t k = 0; k < rows_of_class.size(); ++k) {
    if (const std::size_t rows = rows_of_class[k].size(); rows < kLeastOfClass)
      return {std::nullopt, fmt::format("class \"{}\" has {} in the test parts, and probabilities need at least {} of "
                                        "each class; use more rows or k_fold",
                                        data.classes[k], counted(rows, "row"), kLeastOfClass)};
  }
  const Calibration calibration = calibrate(outputs.values, data.labels(outputs.rows));
  if (!(calibration.slope > 0)) return {std::nullopt, "the outputs do not separate the classes of the test parts"};
  return {calibration, ""};
}

std::string test_predictions_csv(const TestOutputs& outputs, const std::string& method) {
  const Dataset& data = *outputs.data;
  const std::size_t n = outputs.rows.n_elem;
  std::vector<NamedValues> columns = {{kPlaceColumns[0], std::vector<std::string>(n, data.name)},
                                      {kPlaceColumns[1], std::vector<std::string>(n, method)},
                                      {kPlaceColumns[2], row_numbers(data, outputs.rows)},
                                      {kPlaceColumns[3], outputs.repeats},
                                      {kPlaceColumns[4], outputs.folds}};
  if (classifies(data)) {
    columns.push_back({kActual, class_names(data, data.labels(outputs.rows))});
    columns.push_back({kPredicted, class_names(data, outputs.classes)});
    return values_as_csv(columns);
  }
  const std::vector<std::string> targets = target_names(data.columns, data.Y.n_cols);
  for (arma::uword j = 0; j < targets.size(); ++j) {
    const arma::vec actual = data.Y.col(j);
    columns.push_back({fmt::format("{}_{}", kActual, targets[j]), arma::vec(actual(outputs.rows))});
    columns.push_back({fmt::format("{}_{}", kPredicted, targets[j]), arma::vec(outputs.values.col(j))});
  }
  return values_as_csv(columns);
}

std::vector<TestPredictions> read_test_predictions(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files = entries_of(folder / "models", ".csv");
  if (is_there(folder / kTestPredictions)) files.push_back(folder / kTestPredictions);
  std::vector<TestPredictions> found;
  for (const std::filesystem::path& file : files) {
    if (std::optional<TestPredictions> one = read_one(file)) found.push_back(std::move(*one));
  }
  return found;
}

}  // namespace elmx
