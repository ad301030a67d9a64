#include "cluster/distributed_sweep.hpp"

#include "base/communicator.hpp"
#include "cluster/block_cyclic_centred_gram.hpp"
#include "cluster/distributed_ridge.hpp"
#include "linalg/distributed_inverse_ldl.hpp"

namespace elmx {
namespace {

using Kind = FactorForm::Kind;

/// A sweep whose solvers share one Gram matrix over ranks: a DistributedGram, or in mixed precision a
/// BlockCyclicCentredGram. The first factor that grows, and every factor that is made anew, shares its array.
template <class T, class Gram>
class DistributedSweep final : public Sweep<T> {
 public:
  DistributedSweep(const RidgeAlgorithm& algorithm, const SharedSamples<T>& samples)
      : Sweep<T>(samples.own, samples.own_targets.template in<T>(), Products::none),
        algorithm_(algorithm),
        gram_(samples.own.cols(), samples) {
    expects(algorithm.factor.has_value(), "distributed_sweep: an algorithm with a factor");
  }

  std::unique_ptr<GrowingRidge<T>> solver(double lambda, const std::optional<RidgeAim>&) override {
    const FactorForm& form = *algorithm_.factor;
    if constexpr (std::same_as<Gram, DistributedGram<T>>) {
      if (form.kind == Kind::inverse_ldl) return std::make_unique<InverseLdlRidge<T>>(lambda, gram_);
      return std::make_unique<DistributedRidge<T>>(lambda, gram_, form, takes_array(form));
    } else {
      expects(form.kind != Kind::inverse_ldl, "distributed_sweep: no LDL' factors in mixed precision");
      DistributedMatrix<float>& array = gram_.centred().array();
      return std::make_unique<MixedRidge<T, Gram, BlockCyclicFactor>>(
          lambda, gram_, form, BlockCyclicFactor(form.kind, array.capacity(), takes_array(form) ? &array : nullptr));
    }
  }

  void advance(uword q) override {
    this->products_.advance(q);
    const bool from_nothing = algorithm_.kind == StepKind::anew && !algorithm_.gram;
    from_nothing ? gram_.restart(this->nodes()) : gram_.extend(q);
  }

 private:
  bool takes_array(const FactorForm& form) { return form.anew || !std::exchange(array_taken_, true); }

  const RidgeAlgorithm& algorithm_;
  Gram gram_;
  bool array_taken_ = false;
};

}  // namespace

template <class T>
Status DistributedRidge<T>::grow(const RidgeProducts<T>&) {
  const uword first = form_.anew ? 0 : k_, n = gram_.columns();
  gram_.ridge_matrix(lambda_, first, factor());
  if (const Status status = factor().factorise(form_.kind, first, n); status != Status::ok) return status;
  W_ = gram_.cross();
  apply_inverse(0, View<T>(W_));
  if (!W_.is_finite()) return Status::not_finite;
  k_ = n;
  return Status::ok;
}

template <class T>
void DistributedRidge<T>::apply_inverse(uword, View<T> X) const {
  factor().apply_inverse(form_.kind, X);
}

template <class T>
InverseLdlRidge<T>::InverseLdlRidge(double lambda, const DistributedGram<T>& gram)
    : lambda_(lambda),
      gram_(gram),
      layout_(columns_of(ranks(), kInverseLdlBlock)),
      S_(gram.array().capacity(), layout_.count(gram.array().capacity()), arma::fill::none) {}

template <class T>
Status InverseLdlRidge<T>::grow(const RidgeProducts<T>&) {
  const uword n = gram_.columns();
  const View<T> S = View<T>(S_).block(0, 0, n, layout_.count(n));
  gram_.ridge_columns(lambda_, k_, layout_, S);
  if (const Status status = distributed_inverse_ldl(S, layout_, k_, ranks()); status != Status::ok) return status;
  W_ = gram_.cross();
  multiply_inverse_ldl(View<const T>(S), layout_, View<T>(W_), ranks());  // W = L D L'A'Y
  if (!W_.is_finite()) return Status::not_finite;
  k_ = n;
  return Status::ok;
}

template <class T>
void InverseLdlRidge<T>::apply_inverse(uword, View<T> X) const {
  multiply_inverse_ldl(View<const T>(S_).block(0, 0, k_, layout_.count(k_)), layout_, X, ranks());
}

template class DistributedRidge<double>;
template class DistributedRidge<float>;
template class InverseLdlRidge<double>;
template class InverseLdlRidge<float>;

template <class T>
std::unique_ptr<Sweep<T>> distributed_sweep(const RidgeAlgorithm& algorithm, const SharedSamples<T>& samples,
                                            Arithmetic arithmetic) {
  if (arithmetic == Arithmetic::mixed)
    return std::make_unique<DistributedSweep<T, BlockCyclicCentredGram<T>>>(algorithm, samples);
  return std::make_unique<DistributedSweep<T, DistributedGram<T>>>(algorithm, samples);
}

template std::unique_ptr<Sweep<double>> distributed_sweep(const RidgeAlgorithm&, const SharedSamples<double>&,
                                                          Arithmetic);
template std::unique_ptr<Sweep<float>> distributed_sweep(const RidgeAlgorithm&, const SharedSamples<float>&,
                                                         Arithmetic);

}  // namespace elmx
