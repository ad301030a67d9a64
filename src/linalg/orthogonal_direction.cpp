#include "linalg/orthogonal_direction.hpp"

namespace elmx {

arma::vec orthogonal_direction(const arma::mat& Q, arma::vec h) {
  constexpr double kDependent = 1e-10;
  const double length = arma::norm(h);
  for (int pass = 0; pass < 2; ++pass) h -= Q * (Q.t() * h);
  const double left = arma::norm(h);
  return left > kDependent * length ? arma::vec(h / left) : arma::vec();
}

}  // namespace elmx
