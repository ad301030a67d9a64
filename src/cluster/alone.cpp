// In place of the other sources of this folder, in a build without MPI.
#include <fmt/core.h>

#include "base/error.hpp"
#include "cluster/distributed_sweep.hpp"
#include "cluster/ranks.hpp"

namespace elmx {

const Communicator& ranks() { return kAlone; }

void join_ranks() {
  if (const int processes = launched_processes(); processes > 1) {
    throw ConfigError(fmt::format(
        "{} processes were started together, but this elmx was built without MPI. Start one process, or build elmx "
        "where MPI and ScaLAPACK are installed",
        processes));
  }
}

void leave_ranks() {}

std::string mpi_library() { return ""; }

template <class T>
std::unique_ptr<Sweep<T>> distributed_sweep(const RidgeAlgorithm&, const SharedSamples<T>&, Arithmetic) {
  throw std::logic_error("distributed_sweep: MPI runs");
}

template std::unique_ptr<Sweep<double>> distributed_sweep(const RidgeAlgorithm&, const SharedSamples<double>&,
                                                          Arithmetic);
template std::unique_ptr<Sweep<float>> distributed_sweep(const RidgeAlgorithm&, const SharedSamples<float>&,
                                                         Arithmetic);

}  // namespace elmx
