#pragma once

#include <armadillo>
#include <map>
#include <string>
#include <variant>

#include "base/config/json.hpp"
#include "base/error.hpp"

namespace elmx {

using NamedMatrices = std::map<std::string, std::variant<arma::mat, arma::fmat, arma::umat>>;

/// A trained network in the precision of the training. Together with the "model" of its config it can
/// predict.
struct TrainedNetwork {
  NamedMatrices matrices;
  Json layout = Json::object();  ///< description of the matrices

  /// Returns the matrix of a name. Throws DataError if it is missing, has another type, or is not
  /// rows x cols.
  template <class T>
  const arma::Mat<T>& matrix(const std::string& name, std::size_t rows, std::size_t cols) const;

  /// Returns the matrix of a name, of any shape.
  template <class T>
  const arma::Mat<T>& matrix(const std::string& name) const;
};

/// The inputs and outputs of a network.
struct NetworkShape {
  std::size_t inputs = 0;
  std::size_t outputs = 0;
};

template <class T>
const arma::Mat<T>& TrainedNetwork::matrix(const std::string& name) const {
  const auto found = matrices.find(name);
  const auto* matrix = found == matrices.end() ? nullptr : std::get_if<arma::Mat<T>>(&found->second);
  if (matrix == nullptr)
    throw DataError("network/" + name, "the matrix is missing or does not have the precision of the model");
  return *matrix;
}

template <class T>
const arma::Mat<T>& TrainedNetwork::matrix(const std::string& name, std::size_t rows, std::size_t cols) const {
  const arma::Mat<T>& found = matrix<T>(name);
  const auto shape = [](std::size_t n, std::size_t m) { return std::to_string(n) + " x " + std::to_string(m); };
  if (found.n_rows != rows || found.n_cols != cols)
    throw DataError("network/" + name,
                    "expected " + shape(rows, cols) + ", found " + shape(found.n_rows, found.n_cols));
  return found;
}

}  // namespace elmx
