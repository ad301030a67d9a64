#include "models/left_out_network.hpp"

namespace elmx {
namespace {

constexpr const char* kDirections = "jackknife_directions";
constexpr const char* kResiduals = "jackknife_residuals";

}  // namespace

template <class T>
void keep_left_out(const LeftOut& of, TrainedNetwork& network) {
  network.matrices[kDirections] = arma::conv_to<arma::Mat<T>>::from(of.directions);
  network.matrices[kResiduals] = of.residuals;
}

void keep_residuals(const arma::mat& residuals, TrainedNetwork& network) { network.matrices[kResiduals] = residuals; }

arma::mat kept_residuals(const TrainedNetwork& network, arma::uword c) {
  if (!network.matrices.contains(kResiduals)) return {};
  return network.matrix<double>(kResiduals, network.matrix<double>(kResiduals).n_rows, c);
}

template <class T>
std::optional<LeftOut> kept_left_out(const TrainedNetwork& network, arma::uword k, arma::uword c) {
  if (!network.matrices.contains(kDirections)) return std::nullopt;
  const arma::uword m = network.matrix<T>(kDirections).n_cols;
  return LeftOut{arma::conv_to<arma::mat>::from(network.matrix<T>(kDirections, k, m)),
                 network.matrix<double>(kResiduals, m, c)};
}

LeftOutOutputs left_out_outputs(const arma::mat& spread, const arma::mat& residuals) {
  LeftOutOutputs of{arma::cube(spread.n_rows, spread.n_cols, residuals.n_cols), residuals};
  for (arma::uword j = 0; j < residuals.n_cols; ++j) of.changes.slice(j) = spread.each_row() % residuals.col(j).t();
  return of;
}

template void keep_left_out<double>(const LeftOut&, TrainedNetwork&);
template void keep_left_out<float>(const LeftOut&, TrainedNetwork&);
template std::optional<LeftOut> kept_left_out<double>(const TrainedNetwork&, arma::uword, arma::uword);
template std::optional<LeftOut> kept_left_out<float>(const TrainedNetwork&, arma::uword, arma::uword);

}  // namespace elmx
