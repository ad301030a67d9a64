#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "base/files/files.hpp"
#include "experiment/run/runner.hpp"
#include "experiment/saved/saved_model.hpp"
#include "fuzz/mutations.hpp"
#include "fuzz/results_folder.hpp"

namespace elmx::fuzz {

/// Returns the last model that a run of the config writes into the folder; its test part is a holdout.
inline ModelContents trained_model(const std::filesystem::path& folder, Json config) {
  config["split"] = {{"kind", "holdout"}};
  const Plan plan = make_plan(config, "no data directory");
  ResultsFolder results(folder, describe_experiment(config, plan), Earlier::resume);
  std::filesystem::path file;
  run_plan(plan, results, {.jobs = 1, .make_clock = [] { return std::make_unique<FakeClock>(); }},
           [&](const Record& record) { file = model_file(results.path(), record); });
  return decode_model(read_file(file), "a model");
}

template <class Map>
auto any_of(Map& map, Choices& choices) {
  return std::next(map.begin(), static_cast<std::ptrdiff_t>(choices.of(map.size())));
}

template <class T>
void mutate(arma::Mat<T>& M, Choices& choices) {
  static const double values[] = {0,
                                  1,
                                  -1,
                                  1e308,
                                  -1e308,
                                  1e-310,
                                  1e30,
                                  std::numeric_limits<double>::infinity(),
                                  std::numeric_limits<double>::quiet_NaN()};
  static const arma::uword sizes[] = {1, 2, 3, 4, 5, 7, 10, 33};
  const std::size_t how = choices.of(4);
  if (how == 0) M.resize(sizes[choices.of(8)], M.n_cols);
  if (how == 1) M.resize(M.n_rows, sizes[choices.of(8)]);
  if (how == 2) M = M.t().eval();
  if (how != 3) return;
  const double value = values[choices.of(std::size(values))];
  const arma::uword at = choices.of(256) % M.n_elem;
  if constexpr (std::is_same_v<T, arma::uword>) {
    M(at) = std::isfinite(value) && value >= 0 && value < 1e19 ? static_cast<arma::uword>(value) : ~arma::uword{0};
  } else {
    M(at) = static_cast<T>(value);
  }
}

inline void mutate(ModelContents& contents, const std::vector<ModelContents>& models, Choices& choices) {
  const std::size_t how = choices.of(10);
  if (how <= 4 && !contents.texts.empty()) return mutate_text(any_of(contents.texts, choices)->second, choices);
  if (how == 5 && !contents.texts.empty()) {
    const ModelContents& other = models[choices.of(models.size())];
    const auto text = any_of(contents.texts, choices);
    if (choices.of(4) == 0)
      contents.texts.erase(text);
    else if (other.texts.contains(text->first))
      text->second = other.texts.at(text->first);
    return;
  }
  if (contents.matrices.empty()) return;
  const auto matrix = any_of(contents.matrices, choices);
  if (how <= 7) return std::visit([&](auto& M) { mutate(M, choices); }, matrix->second);
  if (how == 8) {
    const auto copy = matrix->second;
    any_of(contents.matrices, choices)->second = copy;
  } else {
    contents.matrices.erase(matrix);
  }
}

}  // namespace elmx::fuzz
