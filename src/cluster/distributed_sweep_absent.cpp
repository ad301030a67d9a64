// For builds without MPI. It is never called, because there is only one rank.
#include <stdexcept>

#include "cluster/distributed_sweep.hpp"

namespace elmx {

template <class T>
std::unique_ptr<DistributedSweep<T>> distributed_sweep(uword, const SharedSamples<T>&, bool) {
  throw std::logic_error("distributed_sweep: elmx was built with MPI");
}

template std::unique_ptr<DistributedSweep<double>> distributed_sweep(uword, const SharedSamples<double>&, bool);
template std::unique_ptr<DistributedSweep<float>> distributed_sweep(uword, const SharedSamples<float>&, bool);

}  // namespace elmx
