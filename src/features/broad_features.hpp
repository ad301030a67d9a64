#pragma once

#include <vector>

#include "base/rng.hpp"
#include "data/transforms/inputs.hpp"
#include "linalg/view.hpp"

namespace elmx {

/// The nodes that one step of the growth adds to a broad network. The initial network is a step too.
struct BroadStep {
  uword feature_groups = 0;        ///< groups of feature nodes
  uword enhancement_of_added = 0;  ///< enhancement nodes fed by the feature nodes of this step only
  uword enhancement = 0;           ///< enhancement nodes fed by all feature nodes so far
};

/// The construction of the nodes of a broad network from its inputs.
struct BroadFeatureMap {
  bool standardise = true;    ///< each sample to mean 0 and standard deviation 1 (divisor d - 1)
  uword group = 10;           ///< feature nodes a group
  bool sparse_coding = true;  ///< false: use the random projection itself
  double penalty = 1e-3;      ///< weight of the l1 norm in the sparse coding
  uword steps = 50;           ///< ADMM steps of the sparse coding
  bool orthonormal = false;   ///< enhancement weights: an orthonormal basis of the uniform ones
  double shrink = 0.8;        ///< largest input of an enhancement node on the training samples
};

/// The nodes of a broad learning system as in the original BLS, with the letters of the paper: l samples,
/// groups of n feature nodes. Everything that is fitted (sparse codes, ranges, shrink factors) is fitted to
/// the training samples and stored.
///
///     X~  = [standardised X, 0.1]                                     l x (d + 1)
///     A_g = each row of X~ We scaled to [-1, 1],  We ~ U[-1, 1]        l x n
///     B_g = sparse code of X~ by A_g                                  n x (d + 1)
///     Z_g = X~ B_g', each column scaled to [0, 1]                     l x n, the feature nodes of group g
///     E   = tansig(shrink / max([Z 0.1] Wh) [Z 0.1] Wh),  Wh ~ U[-1, 1]   enhancement nodes of the groups Z
///
/// Each step appends columns to the expanded input A: its feature nodes, the enhancement nodes fed by these
/// feature nodes, and the enhancement nodes fed by all feature nodes.
template <class T>
class BroadFeatures {
 public:
  /// Draws all nodes of all steps and fits them. `training` receives the feature nodes Z of the training
  /// samples (l x f).
  BroadFeatures(const BroadFeatureMap& map, const std::vector<BroadStep>& steps, const Inputs& train, const Rng& rng,
                arma::Mat<T>& training);

  /// Returns the feature nodes Z of any samples: n x f.
  arma::Mat<T> feature_nodes(const Inputs& inputs) const;

  /// Computes the first A.cols columns of the expanded input from the feature nodes Z (n x f).
  void expand(View<const T> Z, View<T> A) const;

  /// Returns the number of nodes after each step.
  const std::vector<uword>& sizes() const { return fitted_.sizes; }

  /// Computes the first A.cols columns of the expanded input of the samples first .. first + A.rows - 1 of
  /// `inputs`, in blocks of kFullBlock samples.
  void outputs(const Inputs& inputs, uword first, View<T> A) const;

  /// Consecutive columns of A of the same type.
  struct Part {
    uword column, count;
    uword first, inputs;   // feature nodes that are these columns, or feed them
    arma::Mat<T> weights;  // inputs x count, shrunk; empty for feature nodes
    arma::Row<T> biases;   // 1 x count, shrunk
  };

  /// The drawn and fitted numbers.
  struct Fitted {
    bool standardise = true;
    arma::Mat<T> projection;      // (d + 1) x f: the B_g' side by side
    arma::Row<T> offset, factor;  // Z = (X~ projection - offset) % factor
    std::vector<Part> parts;      // in the order of their columns
    std::vector<uword> sizes;     // see sizes()
  };
  explicit BroadFeatures(Fitted fitted) : fitted_(std::move(fitted)) {}
  const Fitted& fitted() const { return fitted_; }

 private:
  arma::Mat<T> block(const Inputs& inputs, uword first, uword count) const;
  void fine_tune(const BroadFeatureMap& map, const Inputs& train);
  void scale_features(arma::Mat<T>& Z);

  Fitted fitted_;
};

/// Solves the sparse fine-tuning of random features in a broad learning system,
///
///     minimise over B    1/2 ||A B - X||_F^2 + penalty ||B||_1        A: l x n, X: l x d, B: n x d
///
/// by `steps` steps of ADMM with rho = 1 from zero, given only G = A'A (n x n) and C = A'X (n x d). There is
/// no convergence check: the number of steps is part of the model. 2 n^2 d flops per step.
///
/// Boyd, Parikh, Chu, Peleato, Eckstein, "Distributed optimization and statistical learning via ADMM" (2011),
/// section 6.4.
arma::mat sparse_code(const arma::mat& G, const arma::mat& C, double penalty, arma::uword steps);

}  // namespace elmx
