#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/machine/clock.hpp"
#include "base/machine/shared_work.hpp"
#include "features/hidden_nodes.hpp"
#include "linalg/decompositions.hpp"
#include "models/s3elm/laplacian.hpp"
#include "models/s3elm/s3elm.hpp"
#include "models/trainer.hpp"

namespace elmx {

/// The number of values of c from which on one spectrum is cheaper than separate factorisations, and is kept.
inline constexpr std::size_t kSpectralFrom = 3;

/// The products of the hidden outputs H of all samples.
struct HiddenPiece {
  RangeBasis basis;  // only rounding is cut
  arma::mat gram;    // H'H
  // all_pruned if H = 0; basis and gram are empty then, and also if H is not finite
  Status status = Status::ok;
  double feature_seconds = 0;
  double basis_seconds = 0;

  double bytes() const { return 8.0 * static_cast<double>(gram.n_elem) + basis.bytes(); }
};

/// A graph Laplacian, dense or sparse.
struct GraphPiece {
  arma::mat dense;
  arma::sp_mat sparse;       // if dense is empty
  arma::uword isolated = 0;  // samples without a neighbour: their affinities have underflown
  double seconds = 0;

  arma::mat times(const arma::mat& Z) const;
  double bytes() const { return 8.0 * static_cast<double>(dense.n_elem + 2 * sparse.n_nonzero); }
};

/// A decomposition of a Laplacian: a Spectrum or a ResolventFactor.
template <class Decomposition>
struct DecomposedPiece {
  Decomposition of;
  Status status = Status::ok;
  double seconds = 0;

  double bytes() const { return of.bytes(); }
};
using SpectrumPiece = DecomposedPiece<Spectrum>;
using FactorPiece = DecomposedPiece<ResolventFactor>;

/// The samples of one fold as one set, rows ascending (N samples, n of them labelled), and data that all
/// folds with the same samples share.
class SemiSupervised {
 public:
  SemiSupervised(const S3elmModelOptions& options, const FoldView& fold, HiddenNodes nodes);

  const Inputs& inputs() const { return all_; }
  /// Returns the positions of the labelled samples among the N, in the order of the targets.
  const arma::uvec& labelled() const { return labelled_; }

  std::shared_ptr<const HiddenPiece> hidden(Clock& clock) const;
  std::shared_ptr<const GraphPiece> graph(double sigma, Clock& clock) const;

  /// Computes Z'(I + c L)^-1 Z of Z = [Q E], E the columns of I at the labelled samples, for several c of a
  /// graph.
  class Forms {
   public:
    Forms(const SemiSupervised& samples, double sigma, const arma::mat& Q, Clock& clock);
    [[nodiscard]] Status at(double c, Clock& clock, arma::mat& form);

    /// Returns the seconds of the products that were used so far, including products taken from the shared
    /// data.
    double seconds() const { return seconds_; }
    arma::uword isolated() const { return graph_->isolated; }

   private:
    const SemiSupervised& samples_;
    double sigma_;
    std::shared_ptr<const GraphPiece> graph_;
    std::shared_ptr<const SpectrumPiece> spectrum_;  // null: no spectrum is used
    arma::mat Z_;                                    // [Q E], or V'[Q E] with a spectrum
    double seconds_ = 0;
  };

 private:
  template <class T>
  std::shared_ptr<const T> piece(const std::string& key, const std::function<T()>& make) const;
  std::string graph_key(double sigma) const;
  std::shared_ptr<const SpectrumPiece> spectrum(double sigma, Clock& clock) const;
  std::shared_ptr<const FactorPiece> factor(double sigma, double c, Clock& clock) const;

  const S3elmModelOptions& options_;
  HiddenNodes nodes_;
  Inputs all_;
  arma::uvec labelled_;
  SharedWork* shared_;
  std::string key_;  // key of the scaled samples
};

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
