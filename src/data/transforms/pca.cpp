#include "data/transforms/pca.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "data/transforms/inputs.hpp"

namespace elmx {
namespace {

/// Returns how many of the decreasing variances are needed to reach the share `energy` of their sum.
arma::uword components_for(const arma::vec& variances, double energy) {
  const arma::vec held = arma::cumsum(variances);
  const double* enough = std::lower_bound(held.begin(), held.end(), energy * held.back());
  return static_cast<arma::uword>(enough - held.begin()) + 1;
}

}  // namespace

void PcaOptions::fields(FieldVisitor& field) {
  field("energy", energy,
        "share of the variance, such as 0.99, that the smallest number of components must hold (0: no principal "
        "components)",
        between(0, 1));
  field("scale", scale, "scaling of the components (none)", one_of(affine_scalings()));
}

Pca Pca::fit(const arma::mat& Z, const arma::uvec& rows, double energy) {
  expects(!rows.empty(), "Pca::fit: at least one row");
  expects(energy > 0 && energy <= 1, "Pca::fit: energy is a share, more than 0");
  // Centred rows = U diag(s) V': variances s^2 / n. An SVD is used because forming the product of the rows
  // would square their condition number.
  arma::mat centred = Z.rows(rows);
  Pca pca;
  pca.mean = Scaler::fit("centred", Z, rows).offset;  // a constant column leaves zeros
  centred.each_row() -= pca.mean;
  arma::mat U;
  arma::vec s;
  if (!arma::svd_econ(U, s, pca.V, centred, "right")) throw std::runtime_error("principal components: no convergence");
  pca.variances = arma::square(s) / static_cast<double>(rows.n_elem);
  const arma::uword k = components_for(pca.variances, energy);
  pca.variances.resize(k);
  pca.V.resize(pca.V.n_rows, k);
  for (arma::uword j = 0; j < k; ++j) {
    if (pca.V(arma::index_max(arma::abs(pca.V.col(j))), j) < 0) pca.V.col(j) *= -1;
  }
  return pca;
}

arma::mat Pca::apply(arma::mat Z) const {
  expects(Z.n_cols == V.n_rows, "Pca::apply: Z has the d columns of the fit");
  Z.each_row() -= mean;
  return Z * V;
}

Components Components::fit(const arma::mat& X, const Scaler& scaler, const arma::uvec& fitted,
                           const PcaOptions& options) {
  const Pca pca = Pca::fit(scaler.apply(X, row_numbers(X.n_rows)), fitted, options.energy.value());
  Components made{scaler, pca, Scaler::fit("none", arma::mat(1, pca.V.n_cols), {0})};
  made.components = Scaler::fit(options.scale.value_or("none"), made.apply(X), fitted);
  return made;
}

arma::mat Components::apply(const arma::mat& X) const {
  const Inputs all = Inputs{X, row_numbers(X.n_rows), inputs}.full_blocks();
  arma::mat Y(all.samples(), pca.V.n_cols), Z(kFullBlock, all.dimension());
  for (arma::uword first = 0; first < all.samples(); first += kFullBlock) {
    all.block(first, kFullBlock, Z.memptr());
    Y.rows(first, first + kFullBlock - 1) = pca.apply(Z);
  }
  Y.resize(X.n_rows, Y.n_cols);
  return components.apply(Y, row_numbers(Y.n_rows));
}

double pca_bytes(arma::uword N, arma::uword d) {
  const auto rows = static_cast<double>(N), columns = static_cast<double>(d), components = std::min(rows, columns);
  // Z and its fitted rows twice; V twice and Y
  return 8 * (3 * rows * columns + components * (rows + 2 * columns));
}

}  // namespace elmx
