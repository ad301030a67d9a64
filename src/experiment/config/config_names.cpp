#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "data/catalogue.hpp"
#include "experiment/config/options.hpp"
#include "features/activation.hpp"
#include "features/node_draw.hpp"
#include "metrics/registry.hpp"
#include "models/registry/registry.hpp"

namespace elmx {
namespace {

using Texts = std::vector<std::string>;
using Folder = std::filesystem::path;

template <class Entries, class Row>
std::vector<Texts> rows_of(const Entries& entries, const Row& row) {
  std::vector<Texts> rows;
  for (const auto& entry : entries) rows.push_back(row(entry));
  return rows;
}

Texts name_and_summary(const auto& entry) { return {std::string(entry.name), std::string(entry.summary)}; }

std::vector<Texts> activation_rows(const Folder&) {
  std::vector<Texts> rows = rows_of(activations(), [](const ActivationInfo& row) -> Texts {
    return {std::string(row.name), std::string(row.formula)};
  });
  rows.push_back({"rbf", "exp(-b ||x - w||^2), a radial basis function: w is drawn as a weight vector, b as a bias"});
  rows.push_back(
      {kFourier, "sin(w'x + b), w normal with variance 2 gamma, b uniform: features of the Gaussian kernel"});
  return rows;
}

std::vector<Texts> data_set_rows(const Folder& data) {
  return rows_of(shipped_catalogue().sets, [&](const CatalogueEntry& set) -> Texts {
    const bool here = std::ranges::all_of(
        set.files, [&](const CatalogueFile& file) { return std::filesystem::exists(data / file.path); });
    const std::string samples = set.generated ? "any" : std::to_string(set.rows);
    return {
        set.name, set.task, samples, std::to_string(set.features), set.generated ? "generated" : here ? "yes" : "no",
        set.title};
  });
}

}  // namespace

std::vector<NameList> config_names() {
  return {
      {"families",
       {"family", "what it is"},
       [](const Folder&) { return rows_of(families(), name_and_summary<Family>); }},
      {"algorithms",
       {"algorithm", "family", "what it is"},
       [](const Folder&) {
         return rows_of(algorithms(), [](const AlgorithmInfo& row) -> Texts {
           return {std::string(row.name), std::string(row.family), std::string(row.summary)};
         });
       }},
      {"activations", {"activation", "f(v), v = w'x + b"}, activation_rows},
      {"draws",
       {"draw", "how nodes are drawn"},
       [](const Folder&) { return rows_of(draw_kinds(), name_and_summary<DrawKind>); }},
      {"datasets", {"set", "task", "samples", "inputs", "here", "title"}, data_set_rows},
      {"metrics",
       {"metric", "heading", "kind", "better", "what it is"},
       [](const Folder&) {
         return rows_of(metrics(), [](const Metric& row) -> Texts {
           return {row.name, row.heading, to_string(row.kind), to_string(row.better), row.doc};
         });
       },
       "pooled_NAME, for example pooled_acc: the metric over the test samples of all trials of a row together (not for "
       "median_ae, auc and log_loss). NAME[TARGET], for example test_rmse[y1]: the metric of one of several targets."},
  };
}

std::vector<std::string> flops_of(std::string_view algorithm) {
  std::vector<std::string> lines;
  for (const AlgorithmInfo& row : algorithms()) {
    if (row.name != algorithm || row.intermediate_flops.empty()) continue;
    const std::string weights =
        row.weight_flops.empty() ? "" : " (intermediate results) + " + row.weight_flops + " (output weights)";
    lines.push_back(fmt::format("flops ({}): {}{}; {}", row.family, row.intermediate_flops, weights, row.symbols));
  }
  return lines;
}

}  // namespace elmx
