#pragma once

#include "cluster/distributed_matrix.hpp"
#include "cluster/distributed_sweep.hpp"

namespace elmx {

/// G = A'A of all nodes so far over ranks, in the strict lower triangle of a distributed array. The upper
/// triangle is free for factorising R = G + lambda I, so R and its factor share k^2 / P numbers on each of P
/// ranks.
///
/// With GramOver::nodes, G has the same bits for any number of ranks. With GramOver::samples, the bits depend
/// on the number of ranks only.
template <class T>
class DistributedGram {
 public:
  DistributedGram(uword capacity, const SharedSamples<T>& samples)
      : samples_(samples), array_(capacity), AY_(0, samples.targets.cols()) {}

  /// Adds the next q nodes. N q (2 k + q) / P flops on each rank, and a panel of memory: see
  /// add_over_samples.
  void extend(uword q);
  /// Forms G of all columns anew.
  void restart(uword columns);

  uword columns() const { return diagonal_.n_elem; }
  /// Returns A'Y, k x c, which every rank has.
  const arma::Mat<T>& cross() const { return AY_; }

  /// Returns the diagonal of G, which every rank has.
  const arma::Col<T>& diagonal() const { return diagonal_; }

  DistributedMatrix<T>& array() { return array_; }
  const DistributedMatrix<T>& array() const { return array_; }

  /// Writes R = G + lambda I to the upper triangle of `into`, which may be array(), from the block of column
  /// `first` on.
  void ridge_matrix(double lambda, uword first, DistributedMatrix<T>& into) const;

  /// Writes R = G + lambda I from column `first` on to the upper triangle of S.   S: n x the columns of this
  /// rank. Each of P ranks sends (P - 1) / P (n^2 - first^2) / 2 numbers.
  void ridge_columns(double lambda, uword first, const BlockCyclic& layout, View<T> S) const;

 private:
  // Both add the products of the nodes from `first` on: to the rows below the diagonal of the array, and to
  // what one rank has of diagonal (q) and cross (q x c).

  /// Computes the products of the samples of each rank, in panels of at most 512 MiB with one pass over the
  /// samples each, and sums strips of a panel at their owners.
  void add_over_samples(uword first, arma::Col<T>& diagonal, arma::Mat<T>& cross);
  /// Computes on each rank the blocks that it owns, over all samples in one order.
  void add_over_nodes(uword first, arma::Col<T>& diagonal, arma::Mat<T>& cross);

  const SharedSamples<T>& samples_;
  DistributedMatrix<T> array_;
  arma::Col<T> diagonal_;  // the same on every rank
  arma::Mat<T> AY_;
};

}  // namespace elmx
