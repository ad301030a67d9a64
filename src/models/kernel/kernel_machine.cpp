#include "models/kernel/kernel_machine.hpp"

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

class KernelPredictor final : public Predictor {
 public:
  explicit KernelPredictor(KernelMachine machine) : machine_(std::move(machine)) {}
  arma::mat outputs(const Inputs& inputs) override { return machine_.outputs(inputs); }

 private:
  KernelMachine machine_;
};

}  // namespace

arma::mat KernelMachine::outputs_of(const arma::mat& X) const {
  arma::mat Z = single
                    ? kernel_outputs<float>(function.kernel, points_of<float>(function, X),
                                            points_of<float>(function, centres), arma::conv_to<arma::fmat>::from(alpha))
                    : kernel_outputs<double>(function.kernel, points_of<double>(function, X),
                                             points_of<double>(function, centres), alpha);
  Z.each_row() += intercept;
  return Z;
}

arma::mat KernelMachine::outputs(const Inputs& inputs) const {
  if (inputs.samples() == 0) return arma::mat(0, alpha.n_cols);
  const Inputs full = inputs.full_blocks();
  arma::mat X(full.samples(), full.dimension());
  full.block(0, full.samples(), X.memptr());
  full.X.rethrow();
  return outputs_of(X).head_rows(inputs.samples());
}

arma::mat KernelMachine::outputs_of_centres() const { return outputs_of(centres); }

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
  return network;
}

KernelMachine KernelMachine::restore(const TrainedNetwork& network, const NetworkShape& shape, bool single) {
  const auto take = [&](const char* name, uword rows, uword cols) -> arma::mat {
    return single ? arma::conv_to<arma::mat>::from(network.matrix<float>(name, rows, cols))
                  : network.matrix<double>(name, rows, cols);
  };
  const uword n = single ? network.matrix<float>("centres").n_rows : network.matrix<double>("centres").n_rows;
  const KernelFunction function{kernel_from(network.layout.at("kernel").get<std::string>()),
                                network.layout.at("length").get<double>()};
  if (!(function.length > 0) || !std::isfinite(function.length))
    throw DataError("network/layout: length " + std::to_string(function.length) + ": expected a positive number");
  return {function, take("centres", n, shape.inputs), take("weights", n, shape.outputs),
          arma::rowvec(network.matrix<double>("intercept", 1, shape.outputs)), single};
}

std::unique_ptr<Predictor> restore_kernel(const KernelOptions& model, const TrainedNetwork& network,
                                          const NetworkShape& shape) {
  return std::make_unique<KernelPredictor>(
      KernelMachine::restore(network, shape, model.arithmetic() == KernelArithmetic::in_single));
}

}  // namespace elmx
