#include "data/load.hpp"

#include <malloc.h>

#include <algorithm>

#include "base/config/owned_options.hpp"
#include "base/error.hpp"
#include "base/machine/machine.hpp"
#include "data/formats/formats.hpp"
#include "data/source.hpp"
#include "data/synthetic.hpp"
#include "data/usable.hpp"

namespace elmx {
namespace {

void refuse_options_of_other_sets(const DataOptions& options, const GeneratedSet& set) {
  const std::string not_with = ": not with set \"" + set.name + "\"; ";
  if (options.vocabulary) throw ConfigError("/data/vocabulary" + not_with + "it belongs to reviews");
  if (options.length && !set.sequence)
    throw ConfigError("/data/length" + not_with + "it belongs to reviews, adding, running_adding");
  if (set.sequence && options.noise != 0 && options.noise != DataOptions().noise)
    throw ConfigError("/data/noise" + not_with + "it has no noise");
}

Dataset generate(const std::string& name, const DataOptions& options, std::uint64_t seed) {
  const auto set = std::ranges::find(generated_sets(), name, &GeneratedSet::name);
  expects(set != generated_sets().end(), "generate: the catalogue lists the generated sets");
  refuse_options_of_other_sets(options, *set);
  refuse_beyond_memory("/data/samples", "the data set",
                       16.0 * static_cast<double>(options.samples) * static_cast<double>(set->values(options)));
  Dataset data = set->generate(options, seed);
  for (arma::uword j = data.inputs.size() + 1; j <= data.X.n_cols; ++j) data.inputs.push_back("x" + std::to_string(j));
  return data;
}

void refuse_contradictions(const DataOptions& options) {
  if (options.set.empty() == options.path.empty()) {
    const std::string found = options.set.empty() ? "neither \"set\" nor \"path\"" : "both \"set\" and \"path\"";
    throw ConfigError("/data: " + found + "; exactly one of them is expected");
  }
  if (options.set.empty()) return;
  const std::string batch = options.batch_paths.empty() ? "" : options.batch_paths.front();
  const auto changed = [](const std::string& value, const char* preset) { return value == preset ? "" : value; };
  for (const auto& [key, value] :
       {std::pair("batch_paths", batch), std::pair("test_path", options.test_path),
        std::pair("labels_path", options.labels_path), std::pair("test_labels_path", options.test_labels_path),
        std::pair("class_names_path", options.class_names_path),
        std::pair("inputs_variable", changed(options.inputs_variable, "fea")),
        std::pair("target_variable", changed(options.target_variable, "gnd")),
        std::pair("samples_are", changed(options.samples_are, "rows"))}) {
    if (!value.empty()) throw ConfigError(std::string("/data/") + key + ": not with \"set\"; it belongs to \"path\"");
  }
}

void refuse_options_of_other_formats(const DataOptions& options, const std::string& format) {
  const std::vector<std::string> tables{"delimited", "arff", "keel", "libsvm"};
  const DataOptions defaults;
  refuse_options_of_others({{"test_path",
                             !options.test_path.empty(),
                             {"delimited", "arff", "keel", "libsvm", "idx", "norb", "cifar", "mat"}},
                            {"labels_path", !options.labels_path.empty(), {"idx", "norb"}},
                            {"test_labels_path", !options.test_labels_path.empty(), {"idx", "norb"}},
                            {"batch_paths", !options.batch_paths.empty(), {"cifar"}},
                            {"class_names_path", !options.class_names_path.empty(), {"cifar"}},
                            {"inputs_variable", options.inputs_variable != defaults.inputs_variable, {"mat"}},
                            {"target_variable", options.target_variable != defaults.target_variable, {"mat"}},
                            {"samples_are", options.samples_are != defaults.samples_are, {"mat"}},
                            {"length", options.length.has_value(), {"reviews", "adding", "running_adding"}},
                            {"vocabulary", options.vocabulary.has_value(), {"reviews"}},
                            {"target", !options.target.empty(), tables},
                            {"drop", !options.drop.empty(), tables},
                            {"nominal", !options.nominal.empty(), tables}},
                           format, "/data", "not with format");
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
    refuse_options_of_other_formats(options, source.format);
    data = data_format(source.format).load(source);
    data.name = source.name;
    positive = source.positive;
  }
  refuse_large_values(data, data.name);
  refuse_one_class(data);
  note_unusual_columns(data);
  set_positive(data, positive);
  ::malloc_trim(0);  // the text and the columns of a file leave holes of their size
  return data;
}

}  // namespace elmx
