#pragma once

#include <armadillo>

#include "base/communicator.hpp"
#include "cluster/distributed_matrix.hpp"

// Matrices that are distributed over ranks, and the same as a whole on every rank. The tests state all they
// expect of wholes: so every rank comes to the same verdict, and none leaves the others waiting.

namespace elmx {

/// Columns from `first` on of a whole.
template <class T>
void distribute_columns(const arma::Mat<T>& whole, uword first, DistributedMatrix<T>& into) {
  const BlockCyclic &rows = into.rows(), &cols = into.cols();
  for (uword j = cols.count(first); j < into.local().cols; ++j) {
    for (uword i = 0; i < into.local().rows; ++i) into.local()(i, j) = whole(rows.global(i), cols.global(j));
  }
}

template <class T>
arma::Mat<T> whole(const DistributedMatrix<T>& distributed) {
  arma::Mat<T> all(distributed.capacity(), distributed.capacity());
  for (uword j = 0; j < distributed.local().cols; ++j) {
    for (uword i = 0; i < distributed.local().rows; ++i)
      all(distributed.rows().global(i), distributed.cols().global(j)) = distributed.local()(i, j);
  }
  ranks().sum(all.memptr(), all.n_elem);
  return all;
}

/// Returns true if every rank has the same bits.
template <class T>
bool same_on_all_ranks(const arma::Mat<T>& M) {
  const std::string mine(reinterpret_cast<const char*>(M.memptr()), M.n_elem * sizeof(T));
  for (const std::string& other : ranks().all_gather(mine)) {
    if (other != ranks().broadcast(mine)) return false;
  }
  return true;
}

}  // namespace elmx
