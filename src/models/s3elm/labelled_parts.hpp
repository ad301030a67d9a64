#pragma once

#include <armadillo>
#include <vector>

#include "base/rng.hpp"

namespace elmx {

/// The labelled samples for training and the held-out samples, as positions among the n labelled samples.
struct LabelledPart {
  arma::uvec train;
  arma::uvec held_out;
};

/// Returns a first part in which all samples train, followed by the parts of cross validation, with each
/// class distributed at random. There are `wanted` such parts, but not more than the smallest class has
/// samples, and none if this leaves fewer than two. targets: n x C.
std::vector<LabelledPart> labelled_parts(const arma::mat& targets, std::size_t wanted, const Rng& rng);

/// The result of cross validation at one point of a grid.
struct HeldOutScore {
  arma::uword right = 0;
  double squared_error = 0;
  bool failed = false;

  /// Adds the outputs Z for the samples of `targets`. middle: of the codes of two classes in one column.
  void add(const arma::mat& Z, const arma::mat& targets, double middle);

  /// Returns true if more samples are right, or equally many with a lower squared error.
  bool better_than(const HeldOutScore& other) const;
};

}  // namespace elmx
