#include "data/matlab/mat.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "data/classes.hpp"
#include "data/matlab/hdf5_file.hpp"
#include "data/matlab/mat_file.hpp"
#include "data/source.hpp"

namespace elmx {
namespace {

std::string shape_of(const arma::mat& M) { return fmt::format("{} x {}", M.n_rows, M.n_cols); }

struct Part {
  arma::mat X;  // N x d
  arma::mat T;  // N x c
};

void orient(Part& part, const Source& source, const std::string& origin) {
  auto& [X, T] = part;
  const bool columns = source.mat.samples_are == "columns";
  const std::string shapes =
      fmt::format("{} is {}, {} {}", source.mat.inputs_variable, shape_of(X), source.mat.target_variable, shape_of(T));
  if (columns) arma::inplace_trans(X, "lowmem");
  if (T.is_vec() && T.n_elem == X.n_rows)
    T.reshape(X.n_rows, 1);
  else if (columns)
    arma::inplace_trans(T);
  if (T.n_rows != X.n_rows) {
    const std::string sample = columns ? "column" : "row";
    throw DataError(fmt::format("{}: {}; a target for every {} of {} is expected (\"samples_are\": \"{}\")", origin,
                                shapes, sample, source.mat.inputs_variable, source.mat.samples_are));
  }
  if (source.table.task == Task::classification && T.n_cols != 1) {
    throw DataError(fmt::format("{}: {}; one label for every sample is expected", origin, shapes));
  }
}

/// The matrix of that name.
using Matrices = std::function<arma::mat(const std::string& name)>;
using Open = Matrices (*)(const Content& content);

Part read_part(const SourceFile& file, const Source& source, Open open, Dataset& data) {
  Content content = read_verified(file, source);
  data.sha256.push_back(content.sha256);
  const Matrices file_of = open(content);
  content.bytes = {};
  Part part{file_of(source.mat.inputs_variable), {}};
  if (!source.targets) {
    if (source.mat.samples_are == "columns") arma::inplace_trans(part.X, "lowmem");
    return part;
  }
  part.T = file_of(source.mat.target_variable);
  orient(part, source, content.origin);
  const double* fraction = std::ranges::find_if(part.T, [](double label) { return label != std::round(label); });
  if (source.table.task == Task::classification && fraction != part.T.end()) {
    throw DataError(fmt::format("{}: {} holds the label {}; whole numbers are expected", content.origin,
                                source.mat.target_variable, shortest(*fraction)));
  }
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

Dataset load_matrices(const Source& source, Open open) {
  Dataset data;
  data.task = source.table.task;
  Part part = read_part(source.train, source, open, data);
  if (source.test) {
    data.published_train = part.X.n_rows;
    append_test(read_part(*source.test, source, open, data), source.test->path.string(), part);
  }
  data.X = std::move(part.X);
  if (data.task == Task::classification && source.targets)
    set_labels(data, part.T.col(0));
  else
    data.Y = std::move(part.T);
  for (arma::uword j = 1; j <= data.X.n_cols; ++j)
    data.inputs.push_back(source.mat.inputs_variable + std::to_string(j));
  return data;
}

template <class File>
Matrices open_file(const Content& content) {
  return [file = std::make_shared<const File>(content)](const std::string& name) { return file->read(name); };
}

}  // namespace

Dataset load_mat(const Source& source) { return load_matrices(source, open_file<MatFile>); }

Dataset load_hdf5(const Source& source) { return load_matrices(source, open_file<Hdf5File>); }

}  // namespace elmx
