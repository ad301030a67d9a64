#include "experiment/saved/new_samples.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/files/files.hpp"
#include "base/printable.hpp"
#include "data/formats.hpp"
#include "data/load.hpp"
#include "data/table/dataset.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

arma::uvec all_rows(const Dataset& data) { return arma::regspace<arma::uvec>(0, 1, data.samples() - 1); }

/// Calls f, and throws DataError in place of ConfigError, since the config in a model comes from a run.
template <class Function>
auto of_config(const Function& f) {
  try {
    return f();
  } catch (const ConfigError& error) {
    throw DataError("the model's config" + (error.place().empty() ? "" : ": " + error.place()), error.problem());
  }
}

/// Returns true if the network can take its inputs in blocks.
bool takes_blocks(const SavedModel& model) {
  if (!model.members.empty()) return std::ranges::all_of(model.members, takes_blocks);
  return family_of(model.options.model, "/model").can.streaming && !model.preprocessing.components;
}

/// The data that the config of a model names.
Dataset own_data(const SavedModel& model, const DataOptions& options, const DataPlace& place) {
  return of_config([&] {
    return load_dataset(options, place.catalogue, place.data_dir, model.options.seed,
                        model.options.split.needed_column(), takes_blocks(model));
  });
}

/// Finds the class of this name, else the only class that is the same number: numeric names are shortened
/// when read if all classes of the file are numbers, even if some classes of the model are not.
std::vector<std::string>::const_iterator find_class(const std::string& name, const std::vector<std::string>& classes) {
  const auto found = std::ranges::find(classes, name);
  const auto number = parse_number(name);
  if (found != classes.end() || !number) return found;
  const auto is_same = [&](const std::string& other) { return parse_number(other) == number; };
  return std::ranges::count_if(classes, is_same) == 1 ? std::ranges::find_if(classes, is_same) : found;
}

/// Changes classes and labels to the classes of the model and their numbers. A class that the model does not
/// have is appended if `new_classes`. Throws DataError for such a class otherwise.
void translate_labels(Dataset& data, const KnownData& known, bool new_classes, const std::string& origin) {
  std::vector<arma::uword> number;
  std::vector<std::string> classes = known.classes;
  for (const std::string& name : data.classes) {
    const auto found = find_class(name, known.classes);
    const bool is_new = found == known.classes.end();
    if (is_new && !new_classes)
      throw DataError(origin, fmt::format("the model has no class \"{}\"{}; use --no-targets to read no targets", name,
                                          suggest_name(name, known.classes)));
    number.push_back(is_new ? classes.size() : static_cast<arma::uword>(found - known.classes.begin()));
    if (is_new) classes.push_back(name);
  }
  number.push_back(classes.size());
  for (arma::uword& label : data.labels) label = number[label];
  data.classes = std::move(classes);
}

/// Adapts a data set to the model. Throws DataError if it has other inputs or targets, or values that the
/// model cannot use.
Dataset fitted_to(const SavedModel& model, Dataset data, const std::string& origin, bool new_classes = false) {
  const KnownData& known = model.data;
  if (data.dimension() != known.inputs.size()) {
    throw DataError(origin, fmt::format("expected {}, as in the model, found {}", counted(known.inputs.size(), "input"),
                                        data.dimension()));
  }
  const bool missing = data.on_disk ? arma::accu(data.missing_of) > 0 : data.X.has_nan();
  if (model.preprocessing.fill().is_empty() && missing)
    throw DataError(origin, "a value is missing, and the model has no mean to fill it with");
  data.inputs = known.inputs;
  if (data.columns.empty()) data.columns = known.columns;  // for their names
  refuse_large_values(data, origin);
  data.task = known.task == "regression" ? Task::regression : Task::classification;
  if (data.task == Task::classification) {
    if (data.labels.is_empty()) data.labels = arma::uvec(data.samples(), arma::fill::value(data.classes.size()));
    translate_labels(data, known, new_classes, origin);
  } else {
    if (data.Y.is_empty()) data.Y = arma::mat(data.samples(), known.outputs, arma::fill::value(arma::datum::nan));
    if (data.Y.n_cols != known.outputs)
      throw DataError(origin, fmt::format("expected {}, as in the model, found {}", counted(known.outputs, "target"),
                                          data.Y.n_cols));
  }
  data.positive = known.positive;
  return data;
}

NewSamples of_source(const SavedModel& model, DataSource source, const NewSamplesOptions& wanted) {
  const bool targets = wanted.targets;
  const std::string origin = source.set.empty() ? source.train.path.string() : source.name;
  if (!model.data.columns.empty()) {
    source.table.known = std::make_shared<const KnownFile>(KnownFile{.origin = origin,
                                                                     .columns = model.data.columns,
                                                                     .sparse = model.data.sparse,
                                                                     .targets = targets,
                                                                     .strict = wanted.strict,
                                                                     .keep = wanted.keep});
    const bool classes = model.data.task == "classification";
    source.table.task = classes ? Task::classification : Task::regression;
  }
  if (!wanted.keep.empty() && !source.table.known)
    throw ConfigError("--keep", "does not apply to format \"" + source.format + "\"; use it with tables");
  source.targets = source.targets && targets;
  Dataset data = load_source(source, {model.options.data.from_disk, takes_blocks(model), true});
  for (const std::string& name : wanted.keep) {
    if (std::ranges::count(data.kept, name, &RawColumn::name) == 0)
      throw ConfigError("--keep", fmt::format("\"{}\" is an input or the target, which a file of format \"{}\" has as "
                                              "numbers alone; keep another column",
                                              name, source.format));
  }
  if (!targets) {
    data.labels.reset();
    data.classes.clear();
    data.Y.reset();
  }
  data.name = source.name;
  NewSamples samples{fitted_to(model, std::move(data), origin, wanted.new_classes), {}};
  samples.rows = all_rows(samples.data);
  return samples;
}

bool has_labels_file(const std::string& format) { return data_format(format).has_option("labels_path"); }

void require_same_data(const Dataset& data, const KnownData& known, const std::string& origin) {
  if (data.sha256 == known.sha256 && data.inputs == known.inputs && data.classes == known.classes) return;
  throw DataError(origin,
                  "the SHA-256 differs from that of the data that the model was trained on; use the original files");
}

}  // namespace

arma::uvec NewSamples::numbers() const {
  if (data.kept_rows.is_empty()) return rows;
  return data.kept_rows.elem(rows);
}

arma::uvec NewSamples::with_targets() const {
  arma::uvec places(rows.n_elem);
  arma::uword count = 0;
  for (arma::uword i = 0; i < rows.n_elem; ++i) {
    const bool known = data.task == Task::classification ? data.labels(rows(i)) < data.classes.size()
                                                         : data.Y.row(rows(i)).is_finite();
    if (known) places(count++) = i;
  }
  return places.head(count);
}

NewSamples read_new_file(const SavedModel& model, const std::string& path, const NewSamplesOptions& wanted,
                         const DataPlace& place) {
  const std::string& labels_path = wanted.labels_path;
  const DataOptions& options = model.options.data;
  const CatalogueEntry* entry =
      options.set.empty() ? nullptr : of_config([&] { return &place.catalogue.find(options.set); });
  if (entry != nullptr && entry->generated) {
    throw DataError(path, fmt::format("the model was trained on the generated set \"{}\", which has no file format; "
                                      "use the name of the set or --part",
                                      options.set));
  }
  DataSource source = entry != nullptr ? source_of(*entry, options, place.data_dir) : source_of(options);
  if (!labels_path.empty() && !has_labels_file(source.format))
    throw ConfigError("--labels", "does not apply to format \"" + source.format + "\"; use it with idx and norb");
  source.name =
      path == kStandardInput ? std::string(kNameOfStandardInput) : std::filesystem::path(path).filename().string();
  source.set.clear();
  source.train = {path, ""};
  source.batches.clear();
  source.test.reset();
  source.train_rows = 0;
  source.train_labels = labels_path.empty() ? std::nullopt : std::optional(SourceFile{labels_path, ""});
  source.targets = !has_labels_file(source.format) || !labels_path.empty();
  // The new file may be divided in another way; its columns are found by their names.
  source.mat.targets_optional = true;
  const CsvOptions usual;
  source.delimited.separator = usual.separator;
  source.delimited.lines_above.reset();
  source.delimited.decimal.reset();
  if (source.delimited.header == "yes") source.delimited.header = usual.header;
  NewSamples samples = of_source(model, source, wanted);
  if (source.format == "reviews" &&
      (model.data.sha256.empty() || samples.data.sha256 != std::vector<std::string>{model.data.sha256.front()})) {
    throw DataError(
        path,
        "not the archive of reviews that the model was trained on; use that one, because the model knows its words");
  }
  return samples;
}

NewSamples read_new_set(const SavedModel& model, const std::string& set, const NewSamplesOptions& wanted,
                        const DataPlace& place) {
  DataOptions options = model.options.data;
  const CatalogueEntry& entry = place.catalogue.find(set);
  if (options.set != set) {
    const DataOptions own = options;
    options = DataOptions();
    options.set = set;
    options.categories = own.categories;
    options.missing = own.missing;
    options.block_mean = own.block_mean;
    options.task = own.task;
  }
  if (!entry.generated) return of_source(model, source_of(entry, options, place.data_dir), wanted);
  Dataset data = own_data(model, options, place);
  NewSamples samples{fitted_to(model, std::move(data), set), {}};
  samples.rows = all_rows(samples.data);
  return samples;
}

NewSamples read_own_part(const SavedModel& model, const std::string& part, const DataPlace& place) {
  const DataOptions& options = model.options.data;
  const std::string origin = options.set.empty() ? options.path : options.set;
  if (part == "train" && model.trial.contains(kUpdates))
    throw ConfigError("--part",
                      "the model was updated, so that its config names only the rows of the first training; "
                      "give the rows as DATA");
  Dataset data = own_data(model, options, place);
  require_same_data(data, model.data, origin);
  const arma::uvec& rows = part == "train"  ? model.rows.train
                           : part == "test" ? model.rows.test
                                            : model.rows.unlabelled;
  if (rows.is_empty())
    throw ConfigError("--part", fmt::format("the model has no part \"{}\"; use {}", part,
                                            model.rows.test.is_empty() ? "train" : "train or test"));
  if (rows.max() >= data.samples())
    throw DataError(origin, fmt::format("found {}, but the model was trained on row {}", counted(data.samples(), "row"),
                                        rows.max() + 1));
  return {fitted_to(model, std::move(data), origin), rows};
}

}  // namespace elmx
