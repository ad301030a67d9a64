#include "models/registry.hpp"

#include <array>

#include "models/bls.hpp"
#include "models/bls_algorithms.hpp"
#include "models/dec.hpp"
#include "models/dec_algorithms.hpp"
#include "models/elm.hpp"
#include "models/elm_algorithms.hpp"
#include "models/rls.hpp"
#include "models/rls_algorithms.hpp"
#include "models/s3elm.hpp"
#include "models/s3elm_algorithms.hpp"

namespace elmx {
namespace {

template <class Options>
Options read_checked(const Json& model, const std::string& place) {
  Options options;
  read_options(model, place, options);
  options.check(place);
  return options;
}

template <class Options>
std::vector<Options> read_all(const std::vector<Json>& models) {
  std::vector<Options> all;
  for (const Json& model : models) all.push_back(read_checked<Options>(model, "/model"));
  return all;
}

/// The row of a family whose options are `Options`.
template <class Options, std::unique_ptr<Comparison> (*make)(const std::vector<Options>&, FoldView, const Rng&),
          Cost (*cost)(const std::vector<Options>&, const Sizes&),
          std::unique_ptr<Predictor> (*restored)(const Options&, const TrainedNetwork&, const NetworkShape&)>
constexpr Family family(std::string_view name, std::string_view summary, std::string_view shared,
                        std::size_t (*ridge_sizes)(const Json&) = nullptr) {
  return {name,
          summary,
          schema_of<Options>,
          find_sweeps<Options>,
          [](const Json& model, const std::string& place) { return write_options(read_checked<Options>(model, place)); },
          shared,
          ridge_sizes,
          [](const Json& model, std::size_t points, const Sizes& sizes) {
            return cost(std::vector<Options>(points, read_checked<Options>(model, "/model")), sizes);
          },
          [](const std::vector<Json>& models, FoldView fold, const Rng& rng) {
            return make(read_all<Options>(models), std::move(fold), rng);
          },
          [](const Json& model, const TrainedNetwork& network, const NetworkShape& shape) {
            return restored(read_checked<Options>(model, "/model"), network, shape);
          }};
}

constexpr std::array kFamilies{
    family<ElmOptions, make_elm, elm_cost, restore_elm>("elm", "extreme learning machine that grows node by node", "/model/ridge",
                                           [](const Json& model) { return read_checked<ElmOptions>(model, "/model").report_sizes().size(); }),
    family<BlsOptions, make_bls, bls_cost, restore_bls>("bls", "broad learning system that grows by feature and enhancement nodes", "/model/ridge",
                                           [](const Json& model) { return read_checked<BlsOptions>(model, "/model").sizes().size(); }),
    family<DecOptions, make_dec, dec_cost, restore_dec>("dec", "perceptrons with one hidden layer, trained by decomposition", ""),
    family<S3elmModelOptions, make_s3elm, s3elm_cost, restore_s3elm>("s3elm", "extreme learning machines of few labelled samples: supervised, or with a graph of all", ""),
    family<RlsModelOptions, make_rls, rls_cost, restore_rls>("rls", "deep networks of any layers, trained by recursive least squares, Adam or gradient descent", ""),
};

}  // namespace

std::span<const Family> families() { return kFamilies; }

std::string ridge_families() {
  std::string names;
  for (const Family& row : families()) {
    if (row.ridge_sizes != nullptr) names += (names.empty() ? "" : ", ") + std::string(row.name);
  }
  return names;
}

const Family& family_of(const Json& model, const std::string& place) {
  require_object(model, place);
  const std::string name = model.contains("family") ? read_string(model["family"], place + "/family", {}) : "elm";
  std::vector<std::string> known;
  for (const Family& row : families()) {
    if (row.name == name) return row;
    known.emplace_back(row.name);
  }
  throw ConfigError(place + "/family: \"" + name + "\": unknown family" + suggest(name, known));
}

std::vector<AlgorithmInfo> algorithms() {
  std::vector<AlgorithmInfo> all;
  for (const ElmAlgorithm& row : elm_algorithms()) {
    all.push_back({row.name, "elm", row.summary, row.intermediate_flops(), row.weight_flops(), "l nodes, K samples, M outputs"});
  }
  for (const BlsAlgorithm& row : bls_algorithms()) {
    all.push_back({row.name, "bls", row.summary, std::string(row.flops), "", "l samples, k old and q added nodes", row.ridge_solution});
  }
  for (const DecAlgorithm& row : dec_algorithms()) {
    all.push_back({row.name, "dec", row.summary, std::string(row.flops), "", "P samples, n inputs, N units, C outputs, I inner iterations a unit",
                   row.ridge_solution});
  }
  for (const S3elmAlgorithm& row : s3elm_algorithms()) {
    all.push_back({row.name, "s3elm", row.summary, std::string(row.flops), "",
                   "n labelled of N samples, L nodes of which s are left, r rank of H, C outputs, I iterations", row.ridge_solution});
  }
  for (const RlsAlgorithm& row : rls_algorithms()) {
    all.push_back({row.name, "rls", row.summary, std::string(row.flops), "", "q inputs with the bias, r outputs of a layer, B samples, positions and steps of a batch",
                   false});
  }
  return all;
}

}  // namespace elmx
