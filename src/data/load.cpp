#include "data/load.hpp"

#include <fmt/core.h>
#include <malloc.h>

#include <algorithm>

#include "base/config/owned_options.hpp"
#include "base/error.hpp"
#include "base/machine/machine.hpp"
#include "data/formats.hpp"
#include "data/source.hpp"
#include "data/synthetic.hpp"
#include "data/table/from_disk.hpp"
#include "data/table/usable.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

constexpr double kLargePart = 0.25;  // of the memory: reading takes several times what is read

/// The formats and the generated sets that have the option, where not all do.
std::vector<std::string> owners_of(const std::string& key) {
  std::vector<std::string> owners;
  for (const DataFormat& format : data_formats()) {
    if (format.has_option(key)) owners.push_back(format.name);
  }
  for (const GeneratedSet& set : generated_sets()) {
    if (set.sequence && key == "length") owners.push_back(set.name);
  }
  return owners;
}

/// kind: a format or a generated set. Throws ConfigError: an option that names the targets of other formats,
/// with the option that does so here, or any other option of others.
void refuse_options_of_other_kinds(const DataOptions& options, const std::string& kind, const std::string& with) {
  if (kind == "delimited" && options.from_disk.value_or(false))
    throw ConfigError(
        "/data/from_disk: text is not read in blocks; convert it once with elmx data convert FILE -o FILE.npy");
  std::vector<OwnedOption> owned;
  for (const char* key : given_options(options)) {
    const std::vector<std::string> owners = owners_of(key);
    if (!owners.empty()) owned.push_back({key, true, owners});
  }
  const std::vector<std::string> naming{"target", "target_variable", "labels_path"};
  for (const OwnedOption& option : owned) {
    const auto is_own = [&](const std::string& key) { return std::ranges::count(owners_of(key), kind) > 0; };
    const auto own = std::ranges::find_if(naming, is_own);
    if (own != naming.end() && std::ranges::count(naming, option.key) > 0 && !is_own(option.key)) {
      const std::string how = *own == "target_variable" ? " (elmx run: --set data.target_variable=NAME; elmx data info "
                                                          "FILE lists the variables)"
                                                        : "";
      throw ConfigError(fmt::format("/data/{}: {} \"{}\"; set \"{}\"{}", option.key, with, kind, *own, how));
    }
  }
  refuse_options_of_others(owned, kind, "/data", with);
}

void refuse_options_of_other_sets(const DataOptions& options, const GeneratedSet& set) {
  DataOptions of_reviews;
  of_reviews.length = options.length;
  of_reviews.reviews = options.reviews;
  of_reviews.delimited.missing_values = options.delimited.missing_values;
  refuse_options_of_other_kinds(of_reviews, set.name, "not with set");
  const double noise = options.generated.noise;
  if (set.sequence && noise != 0 && noise != GeneratedOptions().noise)
    throw ConfigError("/data/noise: not with set \"" + set.name + "\"; it has no noise");
}

Dataset generate(const std::string& name, const DataOptions& options, std::uint64_t seed) {
  const auto set = std::ranges::find(generated_sets(), name, &GeneratedSet::name);
  expects(set != generated_sets().end(), "generate: the catalogue lists the generated sets");
  refuse_options_of_other_sets(options, *set);
  GeneratedOptions generated = options.generated;
  generated.length = options.length.value_or(generated.length);
  refuse_beyond_memory("/data/samples", "the data set",
                       16.0 * static_cast<double>(generated.samples) * static_cast<double>(set->values(generated)));
  Dataset data = set->generate(generated, seed);
  for (arma::uword j = data.inputs.size() + 1; j <= data.X.n_cols; ++j) data.inputs.push_back("x" + std::to_string(j));
  return data;
}

void refuse_contradictions(const DataOptions& options) {
  if (options.set.empty() == options.path.empty()) {
    const std::string found = options.set.empty() ? "neither \"set\" nor \"path\"" : "both \"set\" and \"path\"";
    throw ConfigError("/data: " + found + "; exactly one of them is expected");
  }
  if (options.set.empty()) return;
  DataOptions of_path;
  of_path.test_path = options.test_path;
  of_path.images = options.images;
  of_path.cifar = options.cifar;
  of_path.mat = options.mat;
  for (const char* key : given_options(of_path))
    throw ConfigError(fmt::format("/data/{}: not with \"set\"; it belongs to \"path\"", key));
}

/// Keys that the config gives and this data does not heed; entry: null where it is a file of the user's.
void refuse_keys_without_effect(const DataOptions& options, const CatalogueEntry* entry) {
  const bool generated = entry && entry->generated;
  const auto is_given = [&](const char* key) { return options.given.contains(key) && !options.given[key].is_null(); };
  const std::string with = entry ? "set \"" + entry->name + "\"" : "\"path\"";
  const auto refuse = [&](const std::vector<const char*>& keys, const char* owner) {
    const auto found = std::ranges::find_if(keys, is_given);
    if (found != keys.end())
      throw ConfigError(fmt::format("/data/{}: not with {}; it belongs to {}", *found, with, owner));
  };
  if (!generated) refuse({"samples", "noise"}, "generated sets");
  if (!entry || entry->name != "two_spirals") refuse({"turns"}, "two_spirals");
  if (!entry) return;
  refuse({"format", "task"}, "\"path\"");
  std::vector<const char*> layout = option_keys<CsvOptions>();
  std::erase(layout, std::string_view("missing_values"));
  refuse(layout, "\"path\"");
  if (generated) refuse({"target", "drop", "nominal", "categories", "missing"}, "sets that are read from files");
  if (is_given("missing") && options.missing == "refuse" && entry->missing != "refuse")
    throw ConfigError(
        fmt::format("/data/missing: \"refuse\", but {} has missing values; allowed: drop_rows, mean", with));
}

/// Returns true if a file of so many bytes can have inputs that take more in memory: a byte of a file is
/// eight there.
bool may_be_large(const DataSource& source, double most_bytes) {
  double bytes = 0;
  for (const SourceFile& file : {source.train, source.test.value_or(source.train)}) {
    std::error_code none;
    const auto size = std::filesystem::file_size(file.path, none);
    if (!none) bytes += static_cast<double>(size);
  }
  return 8 * bytes > most_bytes;
}

void set_positive(Dataset& data, const std::string& positive) {
  data.positive = positive;
  if (!positive.empty() && std::ranges::count(data.classes, positive) == 0) {
    throw ConfigError(fmt::format("/data/positive: no class \"{}\"{}", positive, suggest_name(positive, data.classes)));
  }
}

}  // namespace

void finish_dataset(Dataset& data, const std::string& positive) {
  if (data.report.rows == 0) data.report.rows = data.samples();
  if (data.report.name.empty() || data.report.name.find('/') != std::string::npos) data.report.name = data.name;
  refuse_large_values(data, data.name);
  refuse_one_class(data);
  warn_of_unusual_data(data);
  set_positive(data, positive);
  ::malloc_trim(0);  // the text and the columns of a file leave holes of their size
}

void refuse_foreign_options(const DataOptions& options) {
  refuse_contradictions(options);
  refuse_keys_without_effect(options, nullptr);
  refuse_options_of_other_kinds(options, options.format, "not with format");
}

Dataset load_source(const DataSource& source, const InputsWanted& wanted) {
  const DataFormat& format = data_format(source.format);
  const bool asked = wanted.from_disk.value_or(false);
  const FromDisk from_disk{asked && !wanted.of_other_files, asked ? 0 : kLargePart * available_memory()};
  const bool possible = wanted.in_blocks && wanted.from_disk.value_or(true) && format.load_from_disk != nullptr;
  if (possible && (asked || may_be_large(source, from_disk.most_bytes))) {
    if (std::optional<Dataset> data = format.load_from_disk(source, from_disk)) return std::move(*data);
  }
  return format.load(source);
}

Dataset load_dataset(const DataOptions& options, const Catalogue& catalogue, const std::filesystem::path& data_dir,
                     std::uint64_t seed, const SplitColumn& split, bool in_blocks) {
  refuse_contradictions(options);
  const CatalogueEntry* entry = options.set.empty() ? nullptr : &catalogue.find(options.set);
  refuse_keys_without_effect(options, entry);
  Dataset data;
  std::string positive = options.positive;
  if (entry && entry->generated) {
    data = generate(entry->name, options, seed);
    data.name = entry->name;
  } else {
    DataSource source = entry ? source_of(*entry, options, data_dir) : source_of(options);
    source.table.split = split;
    refuse_options_of_other_kinds(options, source.format, "not with format");
    data = load_source(source, {options.from_disk, in_blocks});
    data.name = source.name;
    positive = source.positive;
  }
  if (!split.name.empty() && !data.split) {
    throw ConfigError(fmt::format("{}: {} has no column \"{}\"; use a column of a table (delimited, arff, keel)",
                                  split.place, data.name, split.name));
  }
  finish_dataset(data, positive);
  return data;
}

}  // namespace elmx
