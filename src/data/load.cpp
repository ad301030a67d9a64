#include "data/load.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "data/formats.hpp"
#include "data/source.hpp"
#include "data/synthetic.hpp"

namespace elmx {
namespace {

Dataset generate(const std::string& name, const DataOptions& options, std::uint64_t seed) {
  const auto set = std::ranges::find(generated_sets(), name, &GeneratedSet::name);
  expects(set != generated_sets().end(), "generate: the catalogue lists the generated sets");
  Dataset data = set->generate(options.samples, options.noise, seed);
  for (arma::uword j = 1; j <= data.X.n_cols; ++j) data.inputs.push_back("x" + std::to_string(j));
  return data;
}

void refuse_contradictions(const DataOptions& options) {
  if (options.set.empty() == options.path.empty()) {
    const std::string found = options.set.empty() ? "neither \"set\" nor \"path\"" : "both \"set\" and \"path\"";
    throw ConfigError("/data: " + found + "; exactly one of them is expected");
  }
  if (options.set.empty()) return;
  const std::string batch = options.batch_paths.empty() ? "" : options.batch_paths.front();
  for (const auto& [key, value] :
       {std::pair("batch_paths", batch), std::pair("test_path", options.test_path),
        std::pair("labels_path", options.labels_path), std::pair("test_labels_path", options.test_labels_path),
        std::pair("class_names_path", options.class_names_path)}) {
    if (!value.empty()) throw ConfigError(std::string("/data/") + key + ": not with \"set\"; it belongs to \"path\"");
  }
}

void set_positive(Dataset& data, const std::string& positive) {
  data.positive = positive;
  if (!positive.empty() && std::ranges::count(data.classes, positive) == 0) {
    throw ConfigError("/data/positive: no class \"" + positive + "\"" + suggest(positive, data.classes));
  }
}

}  // namespace

Dataset load_dataset(const DataOptions& options, const Catalogue& catalogue, const std::filesystem::path& data_dir,
                     std::uint64_t seed) {
  refuse_contradictions(options);
  const CatalogueEntry* entry = options.set.empty() ? nullptr : &catalogue.find(options.set);
  Dataset data;
  std::string positive = options.positive;
  if (entry && entry->generated) {
    data = generate(entry->name, options, seed);
    data.name = entry->name;
  } else {
    const Source source = entry ? source_of(*entry, options, data_dir) : source_of(options);
    data = data_format(source.format).load(source);
    data.name = source.name;
    positive = source.positive;
  }
  set_positive(data, positive);
  return data;
}

}  // namespace elmx
