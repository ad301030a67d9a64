#include "data/matlab/mat.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "data/matlab/hdf5_file.hpp"
#include "data/matlab/hdf5_rows.hpp"
#include "data/matlab/mat5.hpp"
#include "data/rows/look.hpp"
#include "data/table/classes.hpp"
#include "data/table/from_disk.hpp"
#include "data/table/source.hpp"

namespace elmx {
namespace {

std::string shape_of(const arma::mat& M) { return fmt::format("{} x {}", M.n_rows, M.n_cols); }

struct Part {
  arma::mat X;  // N x d
  arma::mat T;  // N x c
};

void orient(Part& part, const Source& source, const MatOptions& options, const std::string& origin) {
  auto& [X, T] = part;
  const bool columns = options.samples_are == "columns";
  const std::string shapes =
      fmt::format("{} is {}, {} {}", options.inputs_variable, shape_of(X), options.target_variable, shape_of(T));
  if (columns) arma::inplace_trans(X, "lowmem");
  if (T.is_vec() && T.n_elem == X.n_rows)
    T.reshape(X.n_rows, 1);
  else if (columns)
    arma::inplace_trans(T);
  if (T.n_rows != X.n_rows) {
    const std::string sample = columns ? "column" : "row", other = columns ? "rows" : "columns";
    const bool other_fits = (T.is_vec() ? T.n_elem : T.n_cols) == X.n_cols;
    const std::string remedy =
        other_fits ? fmt::format("; \"{}\" fits (elmx run: --set data.samples_are={})", other, other) : "";
    throw DataError(fmt::format("{}: {}; a target for every {} of {} is expected (\"samples_are\": \"{}\"){}", origin,
                                shapes, sample, options.inputs_variable, options.samples_are, remedy));
  }
  if (source.table.task == Task::classification && T.n_cols != 1) {
    throw DataError(fmt::format("{}: {}; one label for every sample is expected", origin, shapes));
  }
}

void refuse_labels(const arma::mat& T, const Source& source, const MatOptions& options, const std::string& origin) {
  if (source.table.task != Task::classification) return;
  const auto is_label = [](double label) { return label == std::round(label) && std::abs(label) < kLabelsEnd; };
  const double* wrong = std::find_if_not(T.begin(), T.end(), is_label);
  if (wrong != T.end())
    throw DataError(fmt::format("{}: {} holds the label {}; whole numbers below 2^53 are expected", origin,
                                options.target_variable, shortest(*wrong)));
}

arma::mat read_finite(const ArrayFile& file, const Variable& variable, const std::string& origin) {
  arma::mat M = file.read(variable);
  const double* wrong = std::find_if_not(M.begin(), M.end(), [](double x) { return std::isfinite(x); });
  if (wrong == M.end()) return M;
  const auto at = static_cast<arma::uword>(wrong - M.begin());
  throw DataError(fmt::format("{}: {}({}, {}) is not finite; finite numbers are expected", origin, variable.name,
                              at % M.n_rows + 1, at / M.n_rows + 1));
}

using OpenArrayFile = ArrayFile (*)(Content content, const MatOptions& options);

Part read_part(const SourceFile& named, const Source& source, MatOptions& options, OpenArrayFile open, Dataset& data) {
  Content content = read_verified(named, source);
  const std::string origin = content.origin;
  data.sha256.push_back(content.sha256);
  const ArrayFile file = open(std::move(content), options);
  const auto [inputs, targets] = choose_variables(file.variables, source.targets, options, origin, data.report);
  Part part{read_finite(file, *inputs, origin), {}};
  if (targets == nullptr) {
    if (options.samples_are == "columns") arma::inplace_trans(part.X, "lowmem");
    return part;
  }
  part.T = read_finite(file, *targets, origin);
  orient(part, source, options, origin);
  refuse_labels(part.T, source, options, origin);
  return part;
}

void append_test(const Part& test, const std::string& origin, Part& part) {
  if (test.X.n_cols != part.X.n_cols || test.T.n_cols != part.T.n_cols) {
    throw DataError(fmt::format("{}: {} inputs and {} targets; {} and {} are expected, as in the training part", origin,
                                test.X.n_cols, test.T.n_cols, part.X.n_cols, part.T.n_cols));
  }
  part.X = arma::join_cols(part.X, test.X);
  part.T = arma::join_cols(part.T, test.T);
}

void set_labels(Dataset& data, const arma::vec& labels) {
  const arma::vec values = arma::unique(labels);
  std::vector<std::string> names;
  for (const double value : values) names.push_back(shortest(value));
  std::vector<double> numbers;
  for (const double label : labels) {
    numbers.push_back(static_cast<double>(std::ranges::lower_bound(values, label) - values.begin()));
  }
  set_classes(data, names, numbers);
}

void name_inputs(Dataset& data, const MatOptions& options, arma::uword d) {
  for (arma::uword j = 1; j <= d; ++j) data.inputs.push_back(options.inputs_variable + std::to_string(j));
}

void put_targets(Dataset& data, arma::mat T) {
  if (data.task == Task::classification && !T.is_empty())
    set_labels(data, T.col(0));
  else
    data.Y = std::move(T);
}

}  // namespace

Dataset load_arrays(const Source& source, MatOptions options, OpenArrayFile open) {
  Dataset data;
  data.name = source.name;
  data.task = source.table.task;
  Part part = read_part(source.train, source, options, open, data);
  if (source.test) {
    data.published_train = part.X.n_rows;
    append_test(read_part(*source.test, source, options, open, data), source.test->path.string(), part);
  }
  data.X = std::move(part.X);
  put_targets(data, std::move(part.T));
  name_inputs(data, options, data.X.n_cols);
  return data;
}

Dataset load_mat(const Source& source, const MatOptions& options) {
  return load_arrays(source, options, [](Content content, const MatOptions&) {
    return is_matlab73(content) ? open_hdf5(std::move(content), true) : open_mat5(std::move(content));
  });
}

Dataset load_hdf5(const Source& source, const MatOptions& options) {
  return load_arrays(source, options,
                     [](Content content, const MatOptions&) { return open_hdf5(std::move(content), false); });
}

std::optional<Dataset> hdf5_from_disk(const Source& source, MatOptions options, const FromDisk& from_disk) {
  const bool columns = options.samples_are == "columns";
  const std::vector<SourceFile> named = source.parts();
  std::vector<SharedFile> files;
  std::vector<SharedRows> parts;
  double rows = 0;
  Dataset data;
  bool targets = false;
  for (const SourceFile& file : named) {
    files.push_back(open_for_blocks(file, source, from_disk));
    if (files.back() == nullptr) return std::nullopt;
    const std::string origin = file.path.string();
    const std::vector<Variable> variables = hdf5_variables(file.path, origin, files.back()->size());
    targets = choose_variables(variables, source.targets, options, origin, data.report).targets != nullptr;
    parts.push_back(hdf5_rows(files.back(), options.inputs_variable, columns));
    rows += static_cast<double>(parts.back()->rows());
  }
  if (!from_disk.wants(rows, static_cast<double>(parts.front()->cols()))) return std::nullopt;

  data.name = source.name;
  data.task = source.table.task;
  arma::mat T;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const std::string origin = named[p].path.string();
    data.sha256.push_back(verified_checksum(*files[p], named[p], source));
    if (parts[p]->cols() != parts.front()->cols())
      throw DataError(fmt::format("{}: {} inputs; {} are expected, as in the training part", origin, parts[p]->cols(),
                                  parts.front()->cols()));
    if (!targets) continue;
    const arma::mat of_part = read_all(*hdf5_rows(files[p], options.target_variable, columns, true));
    if (of_part.n_rows != parts[p]->rows() || (data.task == Task::classification && of_part.n_cols != 1))
      throw DataError(fmt::format("{}: {} is {}; a target for each of {} samples is expected", origin,
                                  options.target_variable, shape_of(of_part), parts[p]->rows()));
    if (!of_part.is_finite())
      throw DataError(
          fmt::format("{}: {} is not finite; finite numbers are expected", origin, options.target_variable));
    refuse_labels(of_part, source, options, origin);
    if (p > 0 && of_part.n_cols != T.n_cols)
      throw DataError(
          fmt::format("{}: {} targets; {} are expected, as in the training part", origin, of_part.n_cols, T.n_cols));
    T = p == 0 ? of_part : arma::mat(arma::join_cols(T, of_part));
  }
  if (source.test) data.published_train = parts.front()->rows();
  data.on_disk = parts.size() == 1 ? parts.front() : std::make_shared<const JoinedRows>(std::move(parts));
  name_inputs(data, options, data.dimension());
  put_targets(data, std::move(T));
  std::vector<LookedAtColumn> looked_at;
  for (const std::string& name : data.inputs) looked_at.push_back({name});
  const Look look = look_at(*data.on_disk, data.dimension(), looked_at, false, named.front().path.string());
  data.constant = look.constant;
  data.pass_seconds = look.seconds;
  return data;
}

}  // namespace elmx
