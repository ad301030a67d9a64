#include "data/inferred.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "data/arrays/array_file.hpp"
#include "data/formats.hpp"
#include "data/load.hpp"
#include "data/table/dataset.hpp"

namespace elmx {
namespace {

constexpr arma::uword kFewRows = 10;
constexpr double kMostClasses = 10;

/// Returns true if the targets of an array number a few classes.
bool are_classes(const arma::mat& Y) {
  if (Y.n_cols != 1 || Y.n_rows < kFewRows || !Y.is_finite()) return false;
  const arma::vec distinct = arma::unique(Y.col(0));
  if (arma::abs(distinct).max() >= kLabelsEnd) return false;
  if (distinct.n_elem == 2) return true;
  const bool whole = arma::all(distinct == arma::round(distinct));
  const double count = static_cast<double>(distinct.n_elem), first = distinct.front();
  return whole && (first == 0 || first == 1) && distinct.back() - first + 1 == count && count <= kMostClasses;
}

bool is_text(const std::string& format) {
  return format == "delimited" || format == "arff" || format == "keel" || format == "libsvm";
}

/// Adds the members of "data" that state the decisions about the columns.
void add_columns(const Dataset& dataset, const DataOptions& options, Json& data) {
  const std::vector<std::string> names = names_of(dataset.columns);
  std::vector<std::string> target, drop, nominal;
  bool missing = dataset.report.columns.empty() && dataset.X.has_nan();
  for (std::size_t j = 0; j < names.size(); ++j) {
    const KnownColumn& column = dataset.columns[j];
    const std::string name = name_in_config(names, j);
    if (column.role == "target") target.push_back(name);
    const bool split = dataset.split && dataset.split->name == column.name;
    if (column.role == "dropped" && !split) drop.push_back(name);
    if (column.role == "input" && column.nominal) nominal.push_back(name);
    if (j < dataset.report.columns.size() && column.role != "dropped")
      missing = missing || dataset.report.columns[j].missing > 0;
  }
  const bool named = options.format != "npy" && options.format != "libsvm";
  if (named && !target.empty() && !data.contains("target")) data["target"] = target;
  if (!data.contains("task")) data["task"] = dataset.task == Task::classification ? "classification" : "regression";
  if (named && !drop.empty()) data["drop"] = drop;
  if (!nominal.empty() && options.format == "delimited") data["nominal"] = nominal;
  if (missing && !data.contains("missing")) data["missing"] = "mean";
}

/// Returns the class with fewer rows of two; the second if both have as many.
std::string rarer_class(const Dataset& dataset) {
  const auto second = static_cast<arma::uword>(arma::accu(dataset.labels));
  return dataset.classes[2 * second > dataset.labels.n_elem ? 0 : 1];
}

}  // namespace

InferredData infer_data(Json given) {
  unfold_format(given, "/data");
  InferredData inferred{{}, given, false};
  DataOptions options;
  read_options(given, "/data", options);
  const auto opened = std::make_shared<Content>(open_content(options.path));
  if (!given.contains("format")) {
    options.format = format_of_content(opened->head(), options.path);
    if (options.format != "delimited") inferred.data["format"] = options.format;
  }
  refuse_foreign_options(options);
  DataSource source = source_of(options);
  source.train.opened = opened;
  const bool task_is_given = given.contains("task");
  if (!given.contains("missing")) source.table.missing = "mean";
  if (is_text(source.format)) {
    source.table.guess_target = inferred.target_is_guessed = options.target.empty() && source.format != "libsvm";
    source.table.guess_task = !task_is_given;
    source.table.drop_uninformative = true;
  } else if (source.format == "npy" && options.target.empty() && options.images.labels_path.empty()) {
    inferred.target_is_guessed = true;
    source.table.target = {"-1"};
    inferred.data["target"] = source.table.target;
  }
  inferred.dataset = load_source(source, {options.from_disk, false});
  if (!is_text(source.format) && !task_is_given && are_classes(inferred.dataset.Y)) {
    inferred.dataset.task = Task::classification;
    set_targets(inferred.dataset, std::exchange(inferred.dataset.Y, {}));
  }
  finish_dataset(inferred.dataset, source.positive);
  if (source.format == "delimited" && !given.contains("format")) {
    Json& csv = inferred.data["csv"] = inferred.dataset.report.dialect;
    for (const auto& [key, value] : given.items()) csv.erase(key);  // already present in `given`
    if (csv.empty()) inferred.data.erase("csv");
  }
  if (source.format != "delimited") inferred.data.update(inferred.dataset.report.dialect);
  add_columns(inferred.dataset, options, inferred.data);
  if (inferred.dataset.classes.size() == 2 && source.positive.empty())
    inferred.data["positive"] = inferred.dataset.positive = rarer_class(inferred.dataset);
  inferred.dataset.missing = inferred.data.contains("missing") && inferred.data["missing"] == "mean";
  return inferred;
}

}  // namespace elmx
