#include "cluster/distributed_sweep.hpp"

#include "cluster/block_cyclic_centred_gram.hpp"
#include "cluster/distributed_ridge.hpp"
#include "cluster/inverse_ldl_ridge.hpp"
#include "solvers/mixed/mixed_ridge.hpp"

namespace elmx {
namespace {

template <class T>
class SweepOverRanks final : public DistributedSweep<T> {
 public:
  SweepOverRanks(uword capacity, const SharedSamples<T>& samples) : gram_(capacity, samples) {}

  void extend(uword q) override { gram_.extend(q); }
  void restart(uword columns) override { gram_.restart(columns); }

  std::unique_ptr<GrowingRidge<T>> solver(double lambda, const FactorForm& form) override {
    if (form.kind == FactorForm::Kind::inverse_ldl) return std::make_unique<InverseLdlRidge<T>>(lambda, gram_);
    const bool in_place = form.anew || !array_taken_;
    array_taken_ = true;
    return std::make_unique<DistributedRidge<T>>(lambda, gram_, form, in_place);
  }

 private:
  DistributedGram<T> gram_;
  bool array_taken_ = false;
};

template <class T>
class MixedSweepOverRanks final : public DistributedSweep<T> {
 public:
  MixedSweepOverRanks(uword capacity, const SharedSamples<T>& samples)
      : capacity_(capacity), gram_(capacity, samples) {}

  void extend(uword q) override { gram_.extend(q); }
  void restart(uword columns) override { gram_.restart(columns); }

  std::unique_ptr<GrowingRidge<T>> solver(double lambda, const FactorForm& form) override {
    expects(form.kind != FactorForm::Kind::inverse_ldl, "distributed_sweep: no LDL' factors in mixed precision");
    const bool in_place = form.anew || !array_taken_;
    array_taken_ = true;
    return std::make_unique<MixedRidge<T, BlockCyclicCentredGram<T>, BlockCyclicFactor>>(
        lambda, gram_, form, BlockCyclicFactor(form.kind, capacity_, in_place ? &gram_.centred().array() : nullptr));
  }

 private:
  uword capacity_;
  BlockCyclicCentredGram<T> gram_;
  bool array_taken_ = false;
};

}  // namespace

template <class T>
std::unique_ptr<DistributedSweep<T>> distributed_sweep(uword capacity, const SharedSamples<T>& samples, bool mixed) {
  if (mixed) return std::make_unique<MixedSweepOverRanks<T>>(capacity, samples);
  return std::make_unique<SweepOverRanks<T>>(capacity, samples);
}

template std::unique_ptr<DistributedSweep<double>> distributed_sweep(uword, const SharedSamples<double>&, bool);
template std::unique_ptr<DistributedSweep<float>> distributed_sweep(uword, const SharedSamples<float>&, bool);

}  // namespace elmx
