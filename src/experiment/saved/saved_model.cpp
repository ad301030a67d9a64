#include "experiment/saved/saved_model.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/config/fields.hpp"
#include "base/files/files.hpp"
#include "base/printable.hpp"
#include "base/version.hpp"
#include "experiment/config/spec.hpp"
#include "models/stored/model_file.hpp"
#include "models/trained_network.hpp"

namespace elmx {
namespace {

constexpr const char* kNetwork = "network/";
constexpr const char* kMembers = "members/";
constexpr arma::uword kMostMembers = 1000;
constexpr const char* kClassWeights = "preprocess/class_weights";

void put(const RankMap& ranks, const std::string& name, NamedMatrices& matrices) {
  if (ranks.is_empty()) return;
  matrices[name + "_knots"] = arma::mat(arma::join_rows(ranks.values(), ranks.quantiles()));
  matrices[name + "_knot_counts"] = arma::umat(ranks.counts().t());
}

/// name: "preprocess/input".
void put(const Scaler& scaler, const std::string& name, NamedMatrices& matrices) {
  if (scaler.offset.is_empty()) return;
  if (!scaler.fill.is_empty()) matrices[name + "_mean"] = arma::mat(scaler.fill);
  if (!scaler.columns.is_empty()) matrices[name + "_columns"] = arma::umat(scaler.columns.t());
  matrices[name + "_offset"] = arma::mat(scaler.offset);
  matrices[name + "_factor"] = arma::mat(scaler.factor);
  put(scaler.ranks, name, matrices);
}

void put(const arma::uvec& rows, const std::string& name, NamedMatrices& matrices) {
  if (!rows.is_empty()) matrices["data/" + name] = arma::umat(rows);
}

std::string text_of(const Json& value) {
  try {
    return value.dump(1);
  } catch (const Json::exception&) {
    throw DataError("/save_model",
                    "the name of a column, a category or a class is not UTF-8; a saved model needs names in UTF-8");
  }
}

/// The contents of a file below a place: "" for the model itself, "members/1/" for a member of a stack.
class Members {
 public:
  explicit Members(const ModelContents& contents, std::string below = "")
      : contents_(contents), below_(std::move(below)) {}

  /// Returns the whole path, as errors name it.
  std::string at(const std::string& path) const { return below_ + path; }

  bool has(const std::string& path) const { return contents_.matrices.contains(at(path)); }

  template <class T>
  const arma::Mat<T>& matrix(const std::string& path) const {
    const auto found = contents_.matrices.find(at(path));
    const auto* matrix = found == contents_.matrices.end() ? nullptr : std::get_if<arma::Mat<T>>(&found->second);
    if (matrix == nullptr) throw DataError(at(path), "missing in the model file; train the model again");
    return *matrix;
  }
  /// Returns the matrices below `place`, named without it.
  NamedMatrices matrices(const std::string& place) const {
    NamedMatrices found;
    for (const auto& [path, matrix] : contents_.matrices) {
      if (path.starts_with(at(place))) found[path.substr(at(place).size())] = matrix;
    }
    return found;
  }
  arma::rowvec row(const std::string& path, arma::uword length) const {
    const arma::mat& M = matrix<double>(path);
    if (M.n_rows != 1 || M.n_cols != length)
      throw DataError(at(path), fmt::format("expected 1 x {}, found {} x {}", length, M.n_rows, M.n_cols));
    return M.row(0);
  }
  Scaler scaler(const std::string& name, arma::uword length) const {
    return {row("preprocess/" + name + "_offset", length), row("preprocess/" + name + "_factor", length)};
  }
  /// Reads the scaling of `inputs` columns; with its knots if `ranks`.
  Scaler input_scaler(arma::uword inputs, bool ranks) const {
    const std::string place = "preprocess/input_columns";
    const arma::uvec columns = numbers(place);
    if (!columns.is_empty() && (columns.max() >= inputs || !columns.is_sorted("strictascend")))
      throw DataError(at(place), fmt::format("expected ascending numbers below {}, the number of inputs", inputs));
    Scaler made = scaler("input", columns.is_empty() ? inputs : columns.n_elem);
    if (has("preprocess/input_mean")) made.fill = row("preprocess/input_mean", made.dimension());
    made.columns = columns;
    if (ranks) made.ranks = rank_map("preprocess/input", made.dimension());
    return made;
  }
  /// Reads the knots of `inputs` columns; values and quantiles of each column ascend.
  RankMap rank_map(const std::string& name, arma::uword inputs) const {
    const arma::mat& all = matrix<double>(name + "_knots");
    const arma::uvec counts = numbers(name + "_knot_counts");
    if (all.n_cols != 2) throw DataError(at(name + "_knots"), fmt::format("expected 2 columns, found {}", all.n_cols));
    if (counts.n_elem != inputs)
      throw DataError(at(name + "_knot_counts"), fmt::format("expected {} numbers, found {}", inputs, counts.n_elem));
    std::vector<RankMap::Knots> columns;
    arma::uword first = 0;
    for (const arma::uword count : counts) {
      if (count == 0 || count > all.n_rows - first)
        throw DataError(at(name + "_knot_counts"),
                        fmt::format("expected {} rows in total, with at least one for each input", all.n_rows));
      columns.push_back({all.col(0).subvec(first, first + count - 1), all.col(1).subvec(first, first + count - 1)});
      if (!columns.back().values.is_sorted("strictascend") || !columns.back().quantiles.is_sorted("ascend"))
        throw DataError(at(name + "_knots"), "the values and quantiles of an input are not in ascending order");
      first += count;
    }
    if (first != all.n_rows)
      throw DataError(at(name + "_knots"), fmt::format("expected {} rows, found {}", first, all.n_rows));
    return RankMap(columns);
  }
  arma::uvec rows(const std::string& name) const { return numbers("data/" + name); }
  /// Returns the numbers at a path; empty if the file has none.
  arma::uvec numbers(const std::string& path) const {
    if (!has(path)) return {};
    return arma::vectorise(matrix<arma::uword>(path));
  }
  Json json(const std::string& path) const {
    const auto found = contents_.texts.find(at(path));
    if (found == contents_.texts.end()) throw DataError(at(path), "missing in the model file; train the model again");
    Json value = parse_json(found->second, at(path));
    if (!value.is_object()) throw DataError(at(path), "expected a JSON object");
    return value;
  }

 private:
  const ModelContents& contents_;
  std::string below_;
};

/// Reads the config, the preprocessing and the network of a model.
void read_own(const Members& members, SavedModel& model) {
  model.trial = members.json("trial");
  model.config = members.json("config");
  read_options(model.config, members.at("config"), model.options);
  require_object(model.options.model, members.at("config/model"));
  Scaler inputs = members.input_scaler(model.data.inputs.size(), model.options.preprocess.inputs == "rank");
  const arma::uword d = inputs.dimension();
  Preprocessing& preprocessing = model.preprocessing;
  if (members.has("preprocess/pca_mean")) {
    const arma::mat& V = members.matrix<double>("preprocess/pca_directions");
    if (V.n_rows != d)
      throw DataError(members.at("preprocess/pca_directions"),
                      fmt::format("expected {} rows, one per input, found {}", d, V.n_rows));
    const Pca pca{members.row("preprocess/pca_mean", d), V, {}};
    preprocessing.components = Components{std::move(inputs), pca, members.scaler("component", V.n_cols)};
    preprocessing.inputs = {arma::rowvec(V.n_cols, arma::fill::zeros), arma::rowvec(V.n_cols, arma::fill::ones)};
  } else {
    preprocessing.inputs = std::move(inputs);
  }
  model.network.layout = members.json("network/layout");
  model.network.matrices = members.matrices(kNetwork);
}

/// The members of a stack, of its data and targets: members/1, members/2, ..., as many as it has weights.
void read_members(const ModelContents& contents, SavedModel& stack) {
  const arma::mat& weights = stack.network.matrix<double>("weights");
  if (weights.n_rows != 1 || weights.n_cols == 0 || weights.n_cols > kMostMembers)
    throw DataError("network/weights", fmt::format("expected one row of 1 to {} weights, found {} x {}", kMostMembers,
                                                   weights.n_rows, weights.n_cols));
  for (arma::uword j = 1; j <= weights.n_cols; ++j) {
    const Members below(contents, fmt::format("{}{}/", kMembers, j));
    SavedModel& member = stack.members.emplace_back();
    member.data = stack.data;
    read_own(below, member);
    if (is_stack(member.config))
      throw DataError(below.at("config/model/family"), "a member of a stack cannot be a stack");
    member.preprocessing.targets = stack.preprocessing.targets;
    member.rows = stack.rows;
  }
}

TrainingRows training_rows_of(const Members& members, std::size_t classes) {
  TrainingRows rows{members.rows("row_digests")};
  if (!rows.digests.is_sorted()) throw DataError("data/row_digests", "the digests are not in ascending order");
  if (!members.has(kClassWeights)) return rows;
  rows.class_weights = members.row(kClassWeights, classes);
  if (!(rows.class_weights.min() > 0)) throw DataError(kClassWeights, "expected positive weights");
  return rows;
}

SavedModel model_of(const ModelContents& contents) {
  const Members members(contents);
  SavedModel model;
  read_options(members.json("data/description"), "data/description", model.data);
  read_own(members, model);
  if (model.data.task == "regression") model.preprocessing.targets = members.scaler("target", model.data.outputs);
  model.rows = {members.rows("train_rows"), members.rows("test_rows"), members.rows("unlabelled_rows")};
  if (members.has("calibration/slope"))
    model.calibration = {members.row("calibration/slope", 1)(0),
                         members.row("calibration/offsets", model.data.classes.size())};
  if (members.has("data/row_digests")) model.training_rows = training_rows_of(members, model.data.classes.size());
  if (is_stack(model.config)) read_members(contents, model);
  return model;
}

/// Writes everything that read_own reads, below `place`.
void put_own(const SavedModel& model, const std::string& place, ModelContents& contents) {
  contents.texts[place + "trial"] = text_of(model.trial);
  contents.texts[place + "config"] = text_of(model.config);
  contents.texts[place + "network/layout"] = text_of(model.network.layout);
  NamedMatrices& matrices = contents.matrices;
  const Preprocessing& preprocessing = model.preprocessing;
  if (const auto& components = preprocessing.components) {
    put(components->inputs, place + "preprocess/input", matrices);
    put(components->components, place + "preprocess/component", matrices);
    matrices[place + "preprocess/pca_mean"] = arma::mat(components->pca.mean);
    matrices[place + "preprocess/pca_directions"] = components->pca.V;
  } else {
    put(preprocessing.inputs, place + "preprocess/input", matrices);
  }
  for (const auto& [name, matrix] : model.network.matrices) matrices[place + kNetwork + name] = matrix;
}

const std::string kDescription = "data/description/";

void require_classes(const KnownData& data, const std::string& coding) {
  const std::vector<std::string>& classes = data.classes;
  if (classes.size() < 2)
    throw DataError(kDescription + "classes", "expected two or more classes, found " + std::to_string(classes.size()));
  if (std::set<std::string>(classes.begin(), classes.end()).size() < classes.size())
    throw DataError(kDescription + "classes", "the name of a class occurs twice");
  if (!data.positive.empty() && std::ranges::count(classes, data.positive) == 0)
    throw DataError(kDescription + "positive", fmt::format("\"{}\" is not one of the classes", data.positive));
  const bool single = coding.starts_with("single");
  if (single && classes.size() != 2)
    throw DataError("config/preprocess/targets/coding",
                    fmt::format("\"{}\" needs two classes, found {}", coding, classes.size()));
  const std::size_t outputs = single ? 1 : classes.size();
  if (data.outputs != outputs)
    throw DataError(kDescription + "outputs", fmt::format("expected {}, found {}", outputs, data.outputs));
}

/// Throws DataError ("path: ...") if a matrix has a number that is not finite, because such a network is
/// never saved.
void require_finite(const ModelContents& contents) {
  for (const auto& [path, matrix] : contents.matrices) {
    if (!std::visit([](const auto& M) { return M.is_finite(); }, matrix))
      throw DataError(path, "contains a number that is not finite");
  }
}

/// Throws DataError for a range that is not two ordinary numbers in ascending order.
void require_ranges(const KnownData& data) {
  constexpr double kMostDays = 1e7;
  for (const KnownColumn& column : data.columns) {
    if (!column.range) continue;
    const std::vector<double>& range = *column.range;
    const double most = column.date_parts ? kMostDays : kLargestValue;
    if (range.size() != 2 || !(-most <= range[0] && range[0] <= range[1] && range[1] <= most))
      throw DataError(kDescription + "columns",
                      fmt::format("column \"{}\": expected a range of two numbers", printable(column.name)));
  }
}

/// Throws DataError if data, coding and outputs of a loaded model are inconsistent.
void require_consistent(const SavedModel& model) {
  require_ranges(model.data);
  if (model.data.task.empty())
    throw DataError(kDescription + "task", "missing, expected \"regression\" or \"classification\"");
  if (model.data.inputs.empty()) throw DataError(kDescription + "inputs", "expected at least one input, found none");
  if (model.data.outputs == 0) throw DataError(kDescription + "outputs", "expected at least one output, found 0");
  if (model.data.task == "classification") require_classes(model.data, model.options.preprocess.targets.coding);
}

}  // namespace

void KnownData::fields(FieldVisitor& field) {
  field("name", name, "of the data set");
  field("task", task, "kind of the target", one_of({"regression", "classification"}));
  field("classes", classes, "the classes in the order of the outputs");
  field("positive", positive, "the positive class; \"\" = the second");
  field("inputs", inputs, "names of the columns of X");
  field("outputs", outputs, "columns of T", at_least(1));
  field("columns", columns, "columns of the file, if it is a table");
  field("sparse", sparse, "an input that is not in the file is zero");
  field("sha256", sha256, "SHA-256 of the files");
}

std::string model_name(const Record& record) {
  std::string name = record.experiment_case.empty() ? record.dataset : record.experiment_case;
  name += "_" + record.algorithm;
  for (const auto& [place, value] : record.point) {
    name += "_" + last_component(place) + (value.is_string() ? value.get<std::string>() : value.dump());
  }
  name += fmt::format("_repeat{}_fold{}", record.repeat, record.fold);
  return fmt::format("models/{}-{}.h5", file_name(name), record.key);
}

std::filesystem::path model_file(const std::filesystem::path& folder, const Record& record) {
  return folder / model_name(record);
}

bool has_network(const Record& record) {
  return std::ranges::any_of(record.steps, [](const StepRecord& step) { return step.status == Status::ok; });
}

KnownData known_data(const Dataset& data, arma::uword outputs) {
  return {data.name,    data.task == Task::regression ? "regression" : "classification",
          data.classes, data.positive,
          data.inputs,  outputs,
          data.columns, data.sparse,
          data.sha256};
}

Targets targets_of(const SavedModel& model, const Dataset& data) {
  return Targets(data, model.options.preprocess.targets, model.preprocessing.targets);
}

void write_model(const std::filesystem::path& path, const SavedModel& model) {
  ModelContents contents;
  put_own(model, "", contents);
  Json about = model.trial;
  about["elmx"] = {{"version", kVersion}, {"commit", kCommit}};
  contents.texts["trial"] = text_of(about);
  contents.texts["data/description"] = text_of(write_options(model.data));
  NamedMatrices& matrices = contents.matrices;
  put(model.preprocessing.targets, "preprocess/target", matrices);
  put(model.rows.train, "train_rows", matrices);
  put(model.rows.test, "test_rows", matrices);
  put(model.rows.unlabelled, "unlabelled_rows", matrices);
  if (const auto& rows = model.training_rows) {
    put(rows->digests, "row_digests", matrices);
    if (!rows->class_weights.is_empty()) matrices[kClassWeights] = arma::mat(rows->class_weights);
  }
  if (model.calibration) {
    matrices["calibration/slope"] = arma::mat{model.calibration->slope};
    matrices["calibration/offsets"] = arma::mat(model.calibration->offsets);
  }
  for (std::size_t j = 0; j < model.members.size(); ++j)
    put_own(model.members[j], fmt::format("{}{}/", kMembers, j + 1), contents);
  std::error_code ignored;  // write_file reports a folder that is not there
  std::filesystem::create_directories(path.parent_path(), ignored);
  write_file(path, encode_model(contents));
}

SavedModel read_model(const std::filesystem::path& path) {
  return read_model(decode_model(read_file(path), path.string()), path.string());
}

SavedModel read_model(const ModelContents& contents, const std::string& origin) {
  return of_model_file(origin, [&] {
    require_finite(contents);
    SavedModel model = model_of(contents);
    require_consistent(model);
    return model;
  });
}

std::string method_of(const SavedModel& model) {
  const std::string experiment_case = model.trial.value("case", "");
  std::string text = (experiment_case.empty() ? "" : experiment_case + ": ") + model.trial.value("algorithm", "");
  const Json point = model.trial.value("point", Json::object());
  for (const auto& [place, value] : point.items()) {
    if (last_component(place) != "nodes")
      text += ", " + last_component(place) + " " + (value.is_string() ? value.get<std::string>() : value.dump());
  }
  if (!model.members.empty() && model.network.matrix<double>("weights").is_zero())
    return text + " of no case (all weights are 0: it predicts the same for every row)";
  for (std::size_t j = 0; j < model.members.size(); ++j) {
    text += fmt::format("{} {:.2g} {}", j == 0 ? " of" : " +", model.network.matrix<double>("weights")(j),
                        model.members[j].trial.value("case", ""));
  }
  const auto nodes = model.trial.value("nodes", 0U);
  return nodes > 0 ? text + ", " + counted(nodes, "node") : text;
}

}  // namespace elmx
