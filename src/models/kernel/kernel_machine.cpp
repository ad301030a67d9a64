#include <cmath>

#include "features/network_output.hpp"
#include "models/kernel/kernel.hpp"
#include "solvers/kernel/kernel_matrix.hpp"

namespace elmx {
namespace {

template <class T>
KernelPoints<T> points_of(const KernelFunction& function, const arma::mat& X) {
  return kernel_points<T>(function, arma::conv_to<arma::Mat<T>>::from(X));
}

/// Returns the samples in full blocks, see Inputs::full_blocks.
arma::mat full_samples(const Inputs& inputs) {
  const Inputs full = inputs.full_blocks();
  arma::mat X(full.samples(), full.dimension());
  full.block(0, full.samples(), X.memptr());
  full.X.rethrow();
  return X;
}

}  // namespace

arma::mat KernelMachine::product(const arma::mat& X, const arma::mat& A) const {
  if (single)
    return kernel_outputs<float>(function.kernel, points_of<float>(function, X), points_of<float>(function, centres),
                                 arma::conv_to<arma::fmat>::from(A));
  return kernel_outputs<double>(function.kernel, points_of<double>(function, X), points_of<double>(function, centres),
                                A);
}

arma::mat KernelMachine::outputs(const Inputs& inputs) {
  if (inputs.samples() == 0) return arma::mat(0, alpha.n_cols);
  arma::mat Z = product(full_samples(inputs), alpha).eval().head_rows(inputs.samples());
  Z.each_row() += intercept;
  return Z;
}

arma::mat KernelMachine::outputs_of_centres() const {
  arma::mat Z = product(centres, alpha);
  Z.each_row() += intercept;
  return Z;
}

LeftOutOutputs KernelMachine::left_out(const Inputs& inputs) {
  if (without.residuals.is_empty() || inputs.samples() == 0) return {};
  const uword n = centres.n_rows;
  arma::mat spread = product(full_samples(inputs), without.directions.head_rows(n)).eval().head_rows(inputs.samples());
  spread.each_row() += without.directions.row(n);
  return left_out_outputs(spread, without.residuals);
}

TrainedNetwork KernelMachine::network() const {
  TrainedNetwork network;
  network.layout["kernel"] = kernels()[static_cast<std::size_t>(function.kernel)].name;
  network.layout["length"] = function.length;
  const auto put = [&](const char* name, const arma::mat& M) {
    if (single) {
      network.matrices[name] = arma::conv_to<arma::fmat>::from(M);
    } else {
      network.matrices[name] = M;
    }
  };
  put("centres", centres);
  put("weights", alpha);
  network.matrices["intercept"] = arma::mat(intercept);
  if (!without.residuals.is_empty()) {
    single ? keep_left_out<float>(without, network) : keep_left_out<double>(without, network);
  }
  return network;
}

std::unique_ptr<Predictor> KernelOptions::restore(const TrainedNetwork& network, const NetworkShape& shape) const {
  const bool single = arithmetic() == KernelArithmetic::in_single;
  const auto take = [&](const char* name, uword rows, uword cols) -> arma::mat {
    return single ? arma::conv_to<arma::mat>::from(network.matrix<float>(name, rows, cols))
                  : network.matrix<double>(name, rows, cols);
  };
  const uword n = single ? network.matrix<float>("centres").n_rows : network.matrix<double>("centres").n_rows;
  const KernelFunction function{kernel_from(network.layout.at("kernel").get<std::string>()),
                                network.layout.at("length").get<double>()};
  if (!(function.length > 0) || !std::isfinite(function.length))
    throw DataError("network/layout", "expected a positive length, found " + std::to_string(function.length));
  auto machine =
      std::make_unique<KernelMachine>(function, take("centres", n, shape.inputs), take("weights", n, shape.outputs),
                                      arma::rowvec(network.matrix<double>("intercept", 1, shape.outputs)), single);
  const auto kept = single ? kept_left_out<float>(network, n + 1, shape.outputs)
                           : kept_left_out<double>(network, n + 1, shape.outputs);
  if (kept) machine->without = *kept;
  return machine;
}

}  // namespace elmx
