#pragma once

#include <algorithm>
#include <armadillo>

namespace elmx {

/// Sums over the samples 0 .. samples - 1, with the same bits for any number of threads. The samples are cut
/// into blocks and the blocks into at most 16 parts, one thread per part; the sums of the parts are added in
/// order. body(first, count, sum) adds the contribution of the samples first .. first + count - 1
/// (count <= block) to sum[0 .. length).
template <class Body>
arma::vec sum_over_samples(arma::uword samples, arma::uword block, arma::uword length, const Body& body) {
  constexpr arma::uword kParts = 16;
  const arma::uword blocks = (samples + block - 1) / block, parts = std::min(kParts, blocks);
  arma::mat sums(length, parts, arma::fill::zeros);
#pragma omp parallel for schedule(dynamic, 1) if (parts > 1)
  for (arma::uword part = 0; part < parts; ++part) {
    for (arma::uword b = part * blocks / parts; b < (part + 1) * blocks / parts; ++b) {
      body(b * block, std::min(block, samples - b * block), sums.colptr(part));
    }
  }
  arma::vec total(length, arma::fill::zeros);
  for (arma::uword part = 0; part < parts; ++part) total += sums.col(part);
  return total;
}

}  // namespace elmx
