#pragma once

#include <armadillo>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "base/config/json.hpp"
#include "base/error.hpp"
#include "data/transforms/inputs.hpp"
#include "features/hidden_nodes.hpp"
#include "solvers/ridge/leverages.hpp"

namespace elmx {

using NamedMatrices = std::map<std::string, std::variant<arma::mat, arma::fmat, arma::umat>>;

/// A trained network in the precision of the training. Together with the "model" of its config it can
/// predict.
struct TrainedNetwork {
  NamedMatrices matrices;
  Json layout = Json::object();  ///< description of the matrices

  /// Returns the matrix of a name, of any shape. Throws DataError if it is missing or has another type.
  template <class T>
  const arma::Mat<T>& matrix(const std::string& name) const {
    const auto found = matrices.find(name);
    const auto* matrix = found == matrices.end() ? nullptr : std::get_if<arma::Mat<T>>(&found->second);
    if (matrix == nullptr)
      throw DataError("network/" + name, "the matrix is missing or does not have the precision of the model");
    return *matrix;
  }

  /// Returns the matrix of a name. Throws DataError if it is not rows x cols either.
  template <class T>
  const arma::Mat<T>& matrix(const std::string& name, std::size_t rows, std::size_t cols) const {
    const arma::Mat<T>& found = matrix<T>(name);
    const auto shape = [](std::size_t n, std::size_t m) { return std::to_string(n) + " x " + std::to_string(m); };
    if (found.n_rows != rows || found.n_cols != cols)
      throw DataError("network/" + name,
                      "expected " + shape(rows, cols) + ", found " + shape(found.n_rows, found.n_cols));
    return found;
  }
};

/// The inputs and outputs of a network.
struct NetworkShape {
  std::size_t inputs = 0;
  std::size_t outputs = 0;
};

/// The predictions at n samples without each of m training samples.
struct LeftOutOutputs {
  arma::cube changes;   ///< n x m x c: f(x) - f_{-i}(x)
  arma::mat residuals;  ///< m x c: y_i - f_{-i}(x_i); empty: the network keeps no leave-one-out solutions
};

/// A trained network, restored from its stored form.
class Predictor {
 public:
  virtual ~Predictor() = default;

  /// Returns Z: n x c, by the code that training used for the test part. A row does not depend on the other
  /// rows, to the last bit (see Inputs::full_blocks).
  virtual arma::mat outputs(const Inputs& inputs) = 0;

  /// Returns the outputs of the networks that were each trained without one sample: see LeftOut.
  virtual LeftOutOutputs left_out(const Inputs&) { return {}; }
};

/// Returns the stored form of a network with one hidden layer of nodes f(x'w + b), or "rbf" nodes exp(-b
/// ||w - x||^2):
///
///     weights         W: d x L, or the centres
///     biases          b: 1 x L, or the widths
///     output_weights  beta: L x c
///     output_biases   1 x c, if there are any
///
/// Z = f(X W + 1 b) beta + 1 output_biases.
TrainedNetwork single_layer(const HiddenNodes& nodes, const arma::mat& output_weights,
                            const arma::rowvec& output_biases = {});

/// Restores a network. Throws DataError if matrices are missing or do not fit.
std::unique_ptr<Predictor> restore_single_layer(const TrainedNetwork& network, const NetworkShape& shape);

/// Joins networks whose outputs are averaged: "member1_output_weights" ..., with their layouts in a list.
TrainedNetwork average_network(const std::vector<std::function<TrainedNetwork()>>& members);

/// Restores the mean of members; `restore` makes each member from its part of the stored network. Throws
/// DataError if there is no member.
std::unique_ptr<Predictor> restore_average(
    const TrainedNetwork& network, const std::function<std::unique_ptr<Predictor>(const TrainedNetwork&)>& restore);

/// Stores leave-one-out solutions with a network: "jackknife_directions" in T, "jackknife_residuals" in
/// double.
template <class T>
void keep_left_out(const LeftOut& of, TrainedNetwork& network);

/// Removes the leave-one-out solutions of a network, if it stores any.
void drop_left_out(TrainedNetwork& network);

/// Stores only the residuals r_i = y_i - f_{-i}(x_i) of m samples, m x c. The network of a stack needs no
/// more, since its members need not be ridge solutions.
void keep_residuals(const arma::mat& residuals, TrainedNetwork& network);

/// Returns the residuals that a network stores, m x c, or an empty matrix if it stores none. Throws DataError
/// if they do not have c outputs.
arma::mat kept_residuals(const TrainedNetwork& network, arma::uword c);

/// Returns the solutions that a network stores, for k columns and c outputs, or nothing if it stores none.
/// Throws DataError if their shapes do not fit.
template <class T>
std::optional<LeftOut> kept_left_out(const TrainedNetwork& network, arma::uword k, arma::uword c);

/// Computes leave-one-out outputs. spread: n x m, a(x)'d_i of n samples x; residuals: m x c.
LeftOutOutputs left_out_outputs(const arma::mat& spread, const arma::mat& residuals);

}  // namespace elmx
