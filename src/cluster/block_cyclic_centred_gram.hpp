#pragma once

#include "base/communicator.hpp"
#include "cluster/distributed_gram.hpp"
#include "solvers/mixed/centred_gram.hpp"
#include "solvers/mixed/refinement.hpp"
#include "solvers/ridge/growing_ridge.hpp"

namespace elmx {

/// The Gram matrix over ranks, in single precision, that all ridge parameters of a sweep share. It holds the
/// same quantities as CentredGram, with G = B'B distributed over the ranks, 4 k^2 / P bytes on each of P. The
/// samples of this rank are read once more than for a DistributedGram, for the mean.
template <class T>
class BlockCyclicCentredGram {
 public:
  BlockCyclicCentredGram(uword capacity, const SharedSamples<T>& samples);
  BlockCyclicCentredGram(const BlockCyclicCentredGram&) = delete;
  BlockCyclicCentredGram& operator=(const BlockCyclicCentredGram&) = delete;

  void extend(uword q);
  void restart(uword columns);

  uword columns() const { return m_.n_elem; }
  double samples() const { return static_cast<double>(samples_.samples); }
  const arma::vec& mean() const { return m_; }
  arma::vec diagonal() const { return arma::conv_to<arma::vec>::from(G_.diagonal()); }
  DistributedGram<float>& centred() { return G_; }
  RefinedProblem<T> problem(double lambda) const {
    return {samples_.own, own_targets(), AY_, squares_, lambda, ranks()};
  }

  SharedShift& shift() { return shift_; }

  /// A'A of all columns in double, 8 k^2 / P bytes, which is formed on first use.
  struct InDouble {
    InDouble(const SharedSamples<T>& of, uword capacity);

    std::unique_ptr<TallMatrix<double>> own;  // for samples in single
    SharedSamples<double> samples;
    DistributedGram<double> gram;
    RidgeProducts<double> products;

    std::unique_ptr<GrowingRidge<double>> solver(double lambda);
  };
  InDouble& in_double();

 private:
  View<const double> own_targets() const { return samples_.own_targets.template in<double>(); }
  SharedSamples<float> centred_samples() const;
  /// Adds the means of the new columns, and the products of the new columns with the targets.
  void add_means(uword from);

  const SharedSamples<T>& samples_;
  arma::vec m_;
  arma::mat AY_;
  double squares_ = 0;
  SharedShift shift_;
  CentredMatrix<T> B_;
  SharedSamples<float> of_B_;
  DistributedGram<float> G_;
  std::unique_ptr<InDouble> in_double_;
};

/// The factor of a BlockCyclicCentredGram over ranks (see PanelFactor). It is applied in single precision.
class BlockCyclicFactor {
 public:
  /// in: the array of the Gram matrix itself, where the factor lasts until another ridge parameter is
  /// factorised; null: an array of its own.
  BlockCyclicFactor(FactorForm::Kind kind, uword capacity, DistributedMatrix<float>* in)
      : kind_(kind),
        own_(in ? nullptr : std::make_unique<DistributedMatrix<float>>(capacity)),
        U_(in ? in : own_.get()) {}

  template <class T>
  void extend(const BlockCyclicCentredGram<T>& gram, bool anew) {
    first_ = anew ? 0 : n_;
    n_ = gram.columns();
  }
  template <class T>
  [[nodiscard]] Status factorise(BlockCyclicCentredGram<T>& gram, const arma::vec& e, double unit);

  void apply(View<double> X) const;

 private:
  FactorForm::Kind kind_;
  std::unique_ptr<DistributedMatrix<float>> own_;
  DistributedMatrix<float>* U_;
  uword first_ = 0, n_ = 0;
};

}  // namespace elmx
