#include "experiment/records/test_part.hpp"

#include <cmath>

#include "base/config/json.hpp"
#include "base/numbers.hpp"
#include "metrics/formulas.hpp"
#include "metrics/registry.hpp"

namespace elmx {

TestPart test_part_of(const Dataset& data, const Targets& targets, const arma::uvec& rows) {
  TestPart part{rows.n_elem, targets.positive()};
  if (data.task == Task::classification || data.Y.n_cols > kMostInDetail) return part;
  const arma::mat T = targets.in_scaled_units() ? targets.encode(rows) : arma::mat(data.Y.rows(rows));
  const std::vector<std::string> names = target_names(data.columns, T.n_cols);
  for (arma::uword j = 0; j < T.n_cols; ++j) {
    const double mean = arma::mean(T.col(j));
    const double squares = arma::accu(arma::square(T.col(j) - mean));
    part.targets.push_back({names[j], mean, std::isfinite(squares) ? squares : nan});  // JSON has no infinity
  }
  return part;
}

std::vector<std::size_t> confusion_of(const Dataset& data, const arma::uvec& rows, const arma::uvec& predicted) {
  if (data.classes.size() > kMostInDetail) return {};
  const arma::mat C = confusion_matrix(data.labels(rows), predicted, data.classes.size());
  return arma::conv_to<std::vector<std::size_t>>::from(arma::vectorise(C, 1));
}

Json to_json(const TestPart& part) {
  Json json = {{"samples", part.samples}};
  if (part.targets.empty()) json["positive"] = part.positive;
  for (const TestPart::Target& target : part.targets)
    json["targets"].push_back({{"name", target.name}, {"mean", target.mean}, {"squares", target.squares}});
  return json;
}

TestPart test_part_from_json(const Json& json) {
  TestPart part{count_from(json.at("samples")), count_from(json.value("positive", Json(1U)))};
  for (const Json& target : json.value("targets", Json::array()))
    part.targets.push_back({target.at("name"), target.at("mean"),
                            target.at("squares").is_number() ? target["squares"].get<double>() : nan});
  return part;
}

}  // namespace elmx
