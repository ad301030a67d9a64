#include "data/load.hpp"

#include <fmt/core.h>
#include <malloc.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/files/files.hpp"
#include "base/machine/machine.hpp"
#include "data/formats.hpp"
#include "data/synthetic.hpp"
#include "data/table/dataset.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

constexpr double kLargePart = 0.25;  // share of the memory; reading takes several times the size of the data

void extend(std::vector<std::string>& list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

std::optional<SourceFile> given(const std::string& path) {
  return path.empty() ? std::nullopt : std::optional(SourceFile{path, ""});
}

/// Combines the user's options with the entry of the catalogue, as load_dataset documents.
DataOptions with_entry(const DataOptions& options, const CatalogueEntry& entry) {
  DataOptions all = options;
  static_cast<ReadingOptions&>(all) = entry;
  if (!options.block_mean) all.block_mean = entry.block_mean;
  if (options.categories) all.categories = options.categories;
  if (options.delimited.missing_values) all.delimited.missing_values = options.delimited.missing_values;
  if (!options.target.empty()) all.target = options.target;
  if (!options.positive.empty()) all.positive = options.positive;
  if (options.missing != "refuse") all.missing = options.missing;
  extend(all.drop, options.drop);
  extend(all.nominal, options.nominal);
  return all;
}

Dataset generate(const std::string& name, const DataOptions& options, std::uint64_t seed) {
  const GeneratedSet& set = named_row(generated_sets(), name, "unknown generated set");
  GeneratedOptions generated = options.generated;
  generated.length = options.length.value_or(generated.length);
  refuse_beyond_memory("/data/samples", "the data set",
                       16.0 * static_cast<double>(generated.samples) * static_cast<double>(set.values(generated)));
  Dataset data = set.generate(generated, seed);
  for (arma::uword j = data.inputs.size() + 1; j <= data.X.n_cols; ++j) data.inputs.push_back("x" + std::to_string(j));
  return data;
}

}  // namespace

void finish_dataset(Dataset& data, const std::string& positive) {
  if (data.report.rows == 0) data.report.rows = data.samples();
  if (data.report.name.empty() || data.report.name.find('/') != std::string::npos) data.report.name = data.name;
  refuse_large_values(data, data.name);
  refuse_one_class(data);
  warn_of_unusual_data(data);
  data.positive = positive;
  if (!positive.empty() && std::ranges::count(data.classes, positive) == 0)
    throw ConfigError("/data/positive",
                      fmt::format("unknown class \"{}\"{}", positive, suggest_name(positive, data.classes)));
  ::malloc_trim(0);  // the text and the columns of a file leave holes of their size
}

DataSource source_of(const DataOptions& options) {
  DataSource source;
  source.name = options.path == kStandardInput ? std::string(kNameOfStandardInput)
                                               : std::filesystem::path(options.path).filename().string();
  source.format = options.format;
  // Text of a set of the catalogue has the missing values that its entry names.
  const bool usual = options.set.empty() && options.format == "delimited";
  source.table = {.target = options.target,
                  .other_targets = {},
                  .drop = options.drop,
                  .nominal = options.nominal,
                  .codes = options.categories == "codes",
                  .task = options.task == "regression" ? Task::regression : Task::classification,
                  .missing = options.missing,
                  .label_strip = "",
                  .missing_values = usual ? MissingValues::usual() : MissingValues()};
  if (options.delimited.missing_values) source.table.missing_values = {*options.delimited.missing_values, {}};
  source.delimited = options.delimited;
  source.mat = options.mat;
  source.block_mean = options.block_mean.value_or(1);
  source.reviews = options.reviews;
  source.reviews.length = options.length.value_or(source.reviews.length);
  source.positive = options.positive;
  source.train = {options.path, ""};
  for (const std::string& path : options.cifar.batch_paths) source.batches.push_back({path, ""});
  source.test = given(options.test_path);
  source.train_labels = given(options.images.labels_path);
  source.test_labels = given(options.images.test_labels_path);
  source.class_names = given(options.cifar.class_names_path);
  return source;
}

DataSource source_of(const CatalogueEntry& entry, const DataOptions& options, const std::filesystem::path& data_dir) {
  DataSource source = source_of(with_entry(options, entry));
  source.name = source.set = entry.name;
  source.table.other_targets = entry.target;
  extend(source.table.other_targets, entry.other_targets);
  source.table.label_strip = entry.label_strip;
  source.train_rows = entry.train_rows;
  for (const CatalogueFile& file : entry.files) {
    SourceFile found{data_dir / file.path, file.sha256, file.size};
    if (file.sha256.empty()) found.packed_sha256 = file.packed_sha256;
    if (file.part == "train" && source.train.path.empty())
      source.train = found;
    else if (file.part == "train")
      source.batches.push_back(found);
    if (file.part == "test") source.test = found;
    if (file.part == "train_labels") source.train_labels = found;
    if (file.part == "test_labels") source.test_labels = found;
    if (file.part == "class_names") source.class_names = found;
  }
  return source;
}

Dataset load_source(const DataSource& source, const InputsWanted& wanted) {
  const DataFormat& format = data_format(source.format);
  const bool asked = wanted.from_disk.value_or(false);
  FromDisk from_disk;
  if (wanted.in_blocks && wanted.from_disk.value_or(true) && format.has_option("from_disk"))
    from_disk = {asked && !wanted.of_other_files, asked ? 0 : kLargePart * available_memory()};
  return format.load(source, from_disk);
}

Dataset load_dataset(const DataOptions& options, const Catalogue& catalogue, const std::filesystem::path& data_dir,
                     std::uint64_t seed, const SplitColumn& split, bool in_blocks) {
  const CatalogueEntry* entry = options.set.empty() ? nullptr : &catalogue.find(options.set);
  refuse_foreign_options(options, entry);
  Dataset data;
  std::string positive = options.positive;
  if (entry && entry->generated) {
    data = generate(entry->name, options, seed);
    data.name = entry->name;
  } else {
    DataSource source = entry ? source_of(*entry, options, data_dir) : source_of(options);
    source.table.split = split;
    data = load_source(source, {options.from_disk, in_blocks});
    data.name = source.name;
    positive = source.positive;
  }
  if (!split.name.empty() && !data.split) {
    throw ConfigError(
        split.place,
        fmt::format("{} has no column \"{}\"; use a column of a table (delimited, arff, keel)", data.name, split.name));
  }
  finish_dataset(data, positive);
  return data;
}

std::vector<std::string> checksums_of_files(const DataOptions& options, const Catalogue& catalogue,
                                            const std::filesystem::path& data_dir) {
  const CatalogueEntry* entry = options.set.empty() ? nullptr : &catalogue.find(options.set);
  if (entry && entry->generated) return {};
  const DataSource source = entry ? source_of(*entry, options, data_dir) : source_of(options);
  std::vector<SourceFile> files{source.train};
  files.insert(files.end(), source.batches.begin(), source.batches.end());
  for (const auto& file : {source.test, source.train_labels, source.test_labels, source.class_names}) {
    if (file) files.push_back(*file);
  }
  std::vector<std::string> checksums;
  for (const SourceFile& file : files) checksums.push_back(open_for_blocks(file, source, {}).checksum());
  return checksums;
}

}  // namespace elmx
