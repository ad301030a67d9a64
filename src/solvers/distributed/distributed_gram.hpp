#pragma once

#include "linalg/distributed/distributed_matrix.hpp"
#include "solvers/distributed/shared_samples.hpp"

namespace elmx {

/// G = A'A of all nodes so far over ranks, in the strictly lower triangle of a distributed array whose upper
/// triangle is free for factorising R = G + lambda I: R and its factor share k^2 / P numbers on each of P
/// ranks.
///
/// over nodes: G is the same to the last bit for any number of ranks. Over samples it is for one number of
/// ranks.
template <class T>
class DistributedGram {
 public:
  DistributedGram(uword capacity, const SharedSamples<T>& samples)
      : samples_(samples), array_(capacity), AY_(0, samples.targets.cols()) {}

  /// Takes in the next q nodes. N q (2 k + q) / P flops on each rank, and a panel of memory: see gram_over.
  void extend(uword q);
  /// The same, all nodes anew.
  void restart(uword columns);

  uword columns() const { return diagonal_.n_elem; }
  /// A'Y, k x c, on every rank.
  const arma::Mat<T>& cross() const { return AY_; }

  /// On every rank.
  const arma::Col<T>& diagonal() const { return diagonal_; }

  DistributedMatrix<T>& array() { return array_; }
  const DistributedMatrix<T>& array() const { return array_; }

  /// R = G + lambda I in the upper triangle of `into`, which may be array(), from the block of column `first`
  /// on.
  void ridge_matrix(double lambda, uword first, DistributedMatrix<T>& into) const;

  /// R = G + lambda I from column `first` on, in the upper triangle of S.   S: n x the columns of this rank.
  /// Each of P ranks sends (P - 1) / P (n^2 - first^2) / 2 numbers.
  void ridge_columns(double lambda, uword first, const BlockCyclic& dealt, View<T> S) const;

 private:
  const SharedSamples<T>& samples_;
  DistributedMatrix<T> array_;
  arma::Col<T> diagonal_;  // the same on every rank
  arma::Mat<T> AY_;
};

/// What the nodes first .. first + q - 1 add to G and A'Y: rows below the diagonal of `array`; diagonal: q;
/// cross: q x c.
template <class T>
struct NewProducts {
  DistributedMatrix<T>& array;
  arma::Col<T>& diagonal;
  arma::Mat<T>& cross;
};

/// Each rank the products of its samples, in panels of at most 512 MiB for each of which the samples are
/// passed once; strips of a panel are summed at their owners.
template <class T>
void gram_over_samples(const SharedSamples<T>& samples, uword first, uword q, NewProducts<T> products);

/// Each rank the blocks that it owns, over all samples in one order.
template <class T>
void gram_over_nodes(const SharedSamples<T>& samples, uword first, uword q, NewProducts<T> products);

}  // namespace elmx
