#pragma once

#include <armadillo>
#include <vector>

#include "base/rng.hpp"

namespace elmx {

/// The labelled samples that train and those that are held out, as places among the n.
struct LabelledPart {
  arma::uvec train;
  arma::uvec held_out;
};

/// All samples train; then the parts of cross validation, each class dealt out at random: as many as are
/// wanted, at most as many as the smallest class has samples; below two there is the first part alone.
/// targets: n x C.
std::vector<LabelledPart> labelled_parts(const arma::mat& targets, std::size_t wanted, const Rng& rng);

/// The result of cross validation at one point of a grid.
struct HeldOutScore {
  arma::uword right = 0;
  double squared_error = 0;
  bool failed = false;

  /// Z: outputs for the samples of `targets`; middle: of the codes of two classes in one column.
  void add(const arma::mat& Z, const arma::mat& targets, double middle);

  /// More samples right; of as many, the lower squared error.
  bool better_than(const HeldOutScore& other) const;
};

}  // namespace elmx
