#include "models/rls/rls_options.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/config/owned_options.hpp"
#include "models/algorithm_names.hpp"
#include "models/rls/rls_algorithms.hpp"

namespace elmx {
namespace {

void check_layer(const LayerOptions& layer, const std::string& place) {
  const std::vector<std::string> trained{"dense", "convolution", "recurrent", "lstm"};
  refuse_options_of_others(
      {{"nodes", layer.nodes.has_value(), {"dense", "convolution", "recurrent", "lstm", "embedding"}},
       {"activation", layer.activation.has_value(), {"dense", "convolution", "recurrent"}},
       {"kernel", layer.kernel.has_value(), {"convolution", "max_pool"}},
       {"stride", layer.stride.has_value(), {"convolution", "max_pool"}},
       {"padding", layer.padding.has_value(), {"convolution"}},
       {"vocabulary", layer.vocabulary.has_value(), {"embedding"}},
       {"k", layer.k.has_value(), trained},
       {"eta", layer.eta.has_value(), trained},
       {"forgetting", layer.forgetting.has_value(), trained}},
      layer.kind, place, "has no effect in a layer of kind");
  if (!layer.nodes && layer.kind != "max_pool")
    throw ConfigError(place + "/nodes", "missing; set the number of nodes of the layer");
  if (layer.kernel && layer.kernel->size() != 2) {
    throw ConfigError(place + "/kernel", "expected [rows, columns], found " + Json(*layer.kernel).dump());
  }
}

}  // namespace

std::vector<std::string> rls_algorithm_names() { return names_of(rls_algorithms()); }

std::vector<std::size_t> RlsModelOptions::reported() const {
  std::vector<std::size_t> all = report;
  all.push_back(epochs);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

LossKind RlsModelOptions::loss_kind() const {
  if (loss == "cross_entropy") return LossKind::cross_entropy;
  return mse_scale == "mean" ? LossKind::mse_mean : LossKind::mse;
}

void RlsModelOptions::check(const std::string& place) const {
  check_algorithms(algorithms, rls_algorithms(), place);
  for (std::size_t l = 0; l < layers.size(); ++l) check_layer(layers[l], fmt::format("{}/layers/{}", place, l));
  for (const std::size_t epoch : report) {
    if (epoch > epochs) {
      throw ConfigError(place + "/report", fmt::format("expected at most {} (model.epochs), found {}", epochs, epoch));
    }
  }
  for (const std::string& name : algorithms) {
    if (loss == "cross_entropy" && rls_algorithm(name).output == OptimiserKind::rls) {
      throw ConfigError(place + "/loss",
                        fmt::format("\"cross_entropy\" does not fit algorithm \"{}\", which trains the "
                                    "output layer by RLS; use \"mse\" or algorithm \"h{}\"",
                                    name, name));
    }
  }
}

}  // namespace elmx
