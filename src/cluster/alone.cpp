// In place of the other sources of this folder, in a build without MPI.
#include <stdexcept>

#include "cluster/distributed_sweep.hpp"

namespace elmx {

template <class T>
std::unique_ptr<Sweep<T>> distributed_sweep(const RidgeAlgorithm&, const SharedSamples<T>&, Arithmetic) {
  throw std::logic_error("distributed_sweep: MPI runs");
}

template std::unique_ptr<Sweep<double>> distributed_sweep(const RidgeAlgorithm&, const SharedSamples<double>&,
                                                          Arithmetic);
template std::unique_ptr<Sweep<float>> distributed_sweep(const RidgeAlgorithm&, const SharedSamples<float>&,
                                                         Arithmetic);

}  // namespace elmx
