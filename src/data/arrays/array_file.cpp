#include "data/arrays/array_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "data/table/dataset.hpp"
#include "data/table/source.hpp"

namespace elmx {
namespace {

constexpr std::size_t kMostInMessage = 20;
constexpr std::size_t kMostInReport = 200;

/// The variables of a data set. No targets: they are not wanted, or a new file for a model does not have
/// them.
struct ChosenVariables {
  const Variable* inputs = nullptr;
  const Variable* targets = nullptr;
};

bool is_matrix(const Variable& variable) {
  const std::vector<std::size_t>& shape = variable.shape;
  return variable.numeric && shape.size() == 2 && shape[0] > 1 && shape[1] > 1;
}

bool is_vector_of(const Variable& variable, std::size_t samples) {
  const std::vector<std::size_t>& shape = variable.shape;
  if (!variable.numeric || shape.empty() || shape.size() > 2) return false;
  return shape.size() == 1 ? shape[0] == samples : std::min(shape[0], shape[1]) == 1 && shape[0] * shape[1] == samples;
}

std::size_t samples_of(const Variable& inputs, const MatOptions& options) {
  return options.samples_are == "columns" ? inputs.shape.back() : inputs.shape.front();
}

/// Returns the only variable that fits; null if none or several do.
template <class Fits>
const Variable* only(const std::vector<Variable>& variables, const Fits& fits) {
  return std::ranges::count_if(variables, fits) == 1 ? &*std::ranges::find_if(variables, fits) : nullptr;
}

const Variable* named(const std::vector<Variable>& variables, const std::string& name) {
  const auto found =
      std::ranges::find_if(variables, [&](const Variable& one) { return one.name == name || "/" + one.name == name; });
  return found == variables.end() ? nullptr : &*found;
}

std::string listed(const std::vector<Variable>& variables) {
  std::vector<std::string> texts;
  std::ranges::transform(variables, std::back_inserter(texts), &Variable::description);
  return texts.empty() ? "no variables" : first_few(texts, kMostInMessage);
}

[[noreturn]] void refuse_absent_variable(const std::vector<Variable>& variables, const ChosenVariables& chosen,
                                         bool targets, const MatOptions& options, const std::string& origin) {
  const bool inputs = chosen.inputs != nullptr;
  const std::string problem = fmt::format("no variable \"{}\" for the {}; the file has {}",
                                          inputs ? options.target_variable : options.inputs_variable,
                                          inputs ? "targets" : "inputs", listed(variables));
  if (options.targets_optional) throw DataError(origin, problem);
  std::vector<std::string> keys;
  if (!inputs) keys.emplace_back("inputs_variable");
  if (targets && chosen.targets == nullptr) keys.emplace_back("target_variable");
  throw DataError(
      origin, fmt::format("{}; set data.{} (elmx data info {} --set {}=NAME)", problem, fmt::join(keys, " and data."),
                          shell_word(origin), fmt::join(keys, "=NAME --set ")));
}

void refuse_other_kinds(const Variable* variable, const std::string& origin) {
  if (variable == nullptr) return;
  const std::size_t dimensions = variable->shape.size();
  const bool usable =
      variable->numeric && (dimensions == 1 || dimensions == 2) && std::ranges::count(variable->shape, 0U) == 0;
  if (!usable)
    throw DataError(origin, fmt::format("{} cannot be inputs or targets; use a matrix or a vector of real numbers",
                                        variable->description()));
}

/// Finds the variables that the options name, or else the only possible ones, which are then written into the
/// options and the report. Adds the list of variables to the report. Throws DataError with this list.
ChosenVariables choose_variables(const std::vector<Variable>& variables, bool targets, MatOptions& options,
                                 const std::string& origin, ReadReport& report) {
  const MatOptions usual;
  if (report.variables.empty())
    report.variables = {variables.begin(), variables.begin() + std::min(variables.size(), kMostInReport)};
  ChosenVariables chosen{named(variables, options.inputs_variable),
                         targets ? named(variables, options.target_variable) : nullptr};
  const ChosenVariables as_named = chosen;
  if (chosen.inputs == nullptr && options.inputs_variable == usual.inputs_variable)
    chosen.inputs = only(variables, [&](const Variable& one) { return is_matrix(one) && &one != chosen.targets; });
  refuse_other_kinds(chosen.inputs, origin);
  if (targets && chosen.inputs != nullptr && chosen.targets == nullptr &&
      options.target_variable == usual.target_variable) {
    const std::size_t samples = samples_of(*chosen.inputs, options);
    chosen.targets =
        only(variables, [&](const Variable& one) { return is_vector_of(one, samples) && &one != chosen.inputs; });
  }
  refuse_other_kinds(chosen.targets, origin);
  if (chosen.inputs == nullptr || (targets && chosen.targets == nullptr && !options.targets_optional))
    refuse_absent_variable(variables, chosen, targets, options, origin);
  const auto take = [&](const char* what, const char* key, std::string& name, const Variable* by_name,
                        const Variable* found) {
    if (found == by_name || found == nullptr) return;
    report.notes.push_back(
        fmt::format("the {} are {}: the file has no variable \"{}\"", what, found->description(), name));
    report.dialect[key] = name = found->name;
  };
  take("inputs", "inputs_variable", options.inputs_variable, as_named.inputs, chosen.inputs);
  take("targets", "target_variable", options.target_variable, as_named.targets, chosen.targets);
  return chosen;
}

std::string shape_of(arma::uword rows, arma::uword cols) { return fmt::format("{} x {}", rows, cols); }

arma::mat read_finite(const ArrayFile& file, const Variable& variable, const std::string& origin) {
  arma::mat M = file.read(variable);
  const double* wrong = std::find_if_not(M.begin(), M.end(), [](double x) { return std::isfinite(x); });
  if (wrong == M.end()) return M;
  const auto at = static_cast<arma::uword>(wrong - M.begin());
  throw DataError(origin, fmt::format("expected finite numbers, found {} in {}({}, {})", shortest(*wrong),
                                      variable.name, at % M.n_rows + 1, at / M.n_rows + 1));
}

/// Converts the targets of N samples of d inputs from the layout of the file to N x c.
void orient_targets(arma::mat& T, arma::uword N, arma::uword d, Task task, const MatOptions& options,
                    const std::string& origin) {
  const bool columns = options.samples_are == "columns";
  const std::string shapes =
      fmt::format("{} is {}, {} {}", options.inputs_variable, columns ? shape_of(d, N) : shape_of(N, d),
                  options.target_variable, shape_of(T.n_rows, T.n_cols));
  if (T.is_vec() && T.n_elem == N)
    T.reshape(N, 1);
  else if (columns)
    arma::inplace_trans(T);
  if (T.n_rows != N) {
    const std::string sample = columns ? "column" : "row", other = columns ? "rows" : "columns";
    const bool other_fits = (T.is_vec() ? T.n_elem : T.n_cols) == d;
    const std::string remedy = other_fits ? fmt::format("; \"{}\" fits (--set data.samples_are={})", other, other) : "";
    throw DataError(origin, fmt::format("{}; expected a target for each {} of {}, since data.samples_are is \"{}\"{}",
                                        shapes, sample, options.inputs_variable, options.samples_are, remedy));
  }
  if (task == Task::classification && T.n_cols != 1)
    throw DataError(origin, shapes + "; expected one label for each sample");
}

void refuse_labels(const arma::mat& T, const MatOptions& options, const std::string& origin) {
  const auto is_label = [](double label) { return label == std::round(label) && std::abs(label) < kLabelsEnd; };
  const double* wrong = std::find_if_not(T.begin(), T.end(), is_label);
  if (wrong != T.end())
    throw DataError(origin, fmt::format("expected whole numbers below 2^53 as labels, found {} in {}", shortest(*wrong),
                                        options.target_variable));
}

/// A file of the set that is open.
struct OpenPart {
  Content content;  ///< without its bytes
  ArrayFile file;
  ChosenVariables chosen;  ///< pointers into file.variables, which stay valid if the part is moved
};

}  // namespace

void MatOptions::fields(FieldVisitor& field) {
  field("inputs_variable", inputs_variable, "MAT-file, HDF5, npz: the variable (HDF5: data set) that holds the inputs");
  field("target_variable", target_variable, "MAT-file, HDF5, npz: the variable that holds the labels or targets");
  field("samples_are", samples_are, "MAT-file, HDF5, npz: whether a sample is a row or a column of these variables",
        one_of({"rows", "columns"}));
}

Dataset load_arrays(const Source& source, MatOptions options,
                    ArrayFile (*open)(Content content, const MatOptions& options), const FromDisk& from_disk) {
  Dataset data;
  data.name = source.name;
  data.task = source.table.task;
  std::vector<OpenPart> parts;
  double values = 0;
  for (const SourceFile& named : source.parts()) {
    Content content = open_for_blocks(named, source, from_disk);
    const Content described{content.origin, "", content.sha256, content.file};
    ArrayFile file = open(std::move(content), options);
    const ChosenVariables chosen =
        choose_variables(file.variables, source.targets, options, described.origin, data.report);
    double numbers = 1;
    for (const std::size_t size : chosen.inputs->shape) numbers *= static_cast<double>(size);
    values += numbers;
    parts.push_back({described, std::move(file), chosen});
  }

  const bool columns = options.samples_are == "columns", on_disk = from_disk.wants(values, 1);
  if (!on_disk) refuse_beyond_memory(parts.front().content.origin, "its array", 8 * values);
  std::vector<SharedRows> rows;
  arma::mat T;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const auto& [content, file, chosen] = parts[p];
    const std::string& origin = content.origin;
    data.sha256.push_back(content.checksum());
    arma::mat X, targets;
    if (on_disk) {
      rows.push_back(file.rows(*chosen.inputs, columns));
    } else {
      X = read_finite(file, *chosen.inputs, origin);
      if (columns) arma::inplace_trans(X, "lowmem");
    }
    const arma::uword N = on_disk ? rows.back()->rows() : X.n_rows, d = on_disk ? rows.back()->cols() : X.n_cols;
    if (chosen.targets != nullptr) {
      targets = read_finite(file, *chosen.targets, origin);
      orient_targets(targets, N, d, data.task, options, origin);
      if (data.task == Task::classification) refuse_labels(targets, options, origin);
    }
    parts[p].file = {};
    if (p == 0) {
      if (source.test) data.published_train = N;
      for (arma::uword j = 1; j <= d; ++j) data.inputs.push_back(options.inputs_variable + std::to_string(j));
      data.X = std::move(X);
      T = std::move(targets);
      continue;
    }
    if (d != data.inputs.size() || targets.n_cols != T.n_cols)
      throw DataError(
          origin, fmt::format("expected {} and {} as in the training part, found {} and {}",
                              counted(data.inputs.size(), "input"), counted(T.n_cols, "target"), d, targets.n_cols));
    data.X = arma::join_cols(data.X, X);
    T = arma::join_cols(T, targets);
  }
  if (on_disk) put_inputs(data, joined_rows(std::move(rows)), true, parts.front().content.origin);
  set_targets(data, std::move(T));
  return data;
}

}  // namespace elmx
