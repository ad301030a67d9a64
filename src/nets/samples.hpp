#pragma once

#include <span>

#include "nets/layers/layer.hpp"

namespace elmx {

/// Thousands of samples, one per column, from which the signals of batches are gathered. A sample of S steps
/// of F features begins with the features of step 1.
template <class T>
class Samples {
 public:
  /// columns: (S F) x n.
  Samples(arma::Mat<T> columns, uword steps) : columns_(std::move(columns)), steps_(steps) {}

  uword size() const { return columns_.n_cols; }
  uword features() const { return columns_.n_rows / steps_; }
  uword steps() const { return steps_; }

  /// Gathers the samples `chosen` as a signal without the last column: (S M) x F into the first columns of
  /// `out`, which are one block.
  void gather(std::span<const std::uint64_t> chosen, View<T> out) const;

 private:
  arma::Mat<T> columns_;
  uword steps_;
};

}  // namespace elmx
