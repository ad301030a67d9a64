#include "data/source.hpp"

#include <fmt/core.h>

#include "base/error.hpp"
#include "base/files/standard_input.hpp"
#include "data/options.hpp"

namespace elmx {
namespace {

Task task_named(const std::string& name) { return name == "regression" ? Task::regression : Task::classification; }

void extend(std::vector<std::string>& list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

ReviewOptions reviews_of(const DataOptions& options) {
  ReviewOptions reviews = options.reviews;
  reviews.length = options.length.value_or(reviews.length);
  return reviews;
}

MissingValues missing_values_of(const CsvOptions& options, const MissingValues& otherwise) {
  return options.missing_values ? MissingValues{*options.missing_values, {}} : otherwise;
}

std::optional<SourceFile> given(const std::string& path) {
  return path.empty() ? std::nullopt : std::optional(SourceFile{path, ""});
}

std::vector<SourceFile> parts_of(const CatalogueEntry& entry, const std::string& part,
                                 const std::filesystem::path& data_dir) {
  std::vector<SourceFile> files;
  for (const CatalogueFile& file : entry.files) {
    if (file.part == part) files.push_back({data_dir / file.path, file.sha256, file.size});
  }
  return files;
}

std::optional<SourceFile> part_of(const CatalogueEntry& entry, const std::string& part,
                                  const std::filesystem::path& data_dir) {
  const std::vector<SourceFile> files = parts_of(entry, part, data_dir);
  return files.empty() ? std::nullopt : std::optional(files.front());
}

}  // namespace

DataSource source_of(const CatalogueEntry& entry, const DataOptions& options, const std::filesystem::path& data_dir) {
  DataSource source;
  source.name = source.set = entry.name;
  source.format = entry.format;
  source.table = {
      .target = options.target.empty() ? entry.target : options.target,
      .other_targets = entry.target,
      .drop = entry.drop,
      .nominal = entry.nominal,
      .codes = options.categories == "codes",
      .task = task_named(entry.task),
      .missing = options.missing == "refuse" ? entry.missing : options.missing,
      .label_strip = entry.label_strip,
      .missing_values = missing_values_of(options.delimited, missing_values_of(entry.delimited, MissingValues()))};
  extend(source.table.other_targets, entry.other_targets);
  extend(source.table.drop, options.drop);
  extend(source.table.nominal, options.nominal);
  source.delimited = entry.delimited;
  source.mat = entry.mat;
  source.reviews = reviews_of(options);
  source.positive = options.positive.empty() ? entry.positive : options.positive;
  source.train_rows = entry.train_rows;
  source.batches = parts_of(entry, "train", data_dir);
  source.train = source.batches.front();
  source.batches.erase(source.batches.begin());
  source.test = part_of(entry, "test", data_dir);
  source.train_labels = part_of(entry, "train_labels", data_dir);
  source.test_labels = part_of(entry, "test_labels", data_dir);
  source.class_names = part_of(entry, "class_names", data_dir);
  return source;
}

DataSource source_of(const DataOptions& options) {
  const bool usual = options.format == "delimited";
  DataSource source;
  source.name = options.path == kStandardInput ? std::string(kNameOfStandardInput)
                                               : std::filesystem::path(options.path).filename().string();
  source.format = options.format;
  source.table = {
      .target = options.target,
      .other_targets = {},
      .drop = options.drop,
      .nominal = options.nominal,
      .codes = options.categories == "codes",
      .task = task_named(options.task),
      .missing = options.missing,
      .label_strip = "",
      .missing_values = missing_values_of(options.delimited, usual ? MissingValues::usual() : MissingValues())};
  source.delimited = options.delimited;
  source.mat = options.mat;
  source.reviews = reviews_of(options);
  source.positive = options.positive;
  source.train = {options.path, ""};
  for (const std::string& path : options.cifar.batch_paths) source.batches.push_back({path, ""});
  source.test = given(options.test_path);
  source.train_labels = given(options.images.labels_path);
  source.test_labels = given(options.images.test_labels_path);
  source.class_names = given(options.cifar.class_names_path);
  return source;
}

}  // namespace elmx
