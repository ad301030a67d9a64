#pragma once

#include "base/communicator.hpp"

namespace elmx {

/// Returns the ranks that this process belongs to; kAlone unless join_ranks has started MPI.
const Communicator& ranks();

/// Starts MPI if a launcher (mpirun, srun) has started this process. Throws ConfigError if a launcher has
/// started several processes and elmx was built without MPI.
void join_ranks();

/// Ends MPI. Every rank must call it.
void leave_ranks();

/// Returns the MPI library and its version; "" = elmx was built without MPI.
std::string mpi_library();

/// Reduce-scatter, in a build with MPI only: x holds one part per rank, counts[r] numbers for rank r; mine =
/// the sum over all ranks of the part for this rank.
template <class T>
void sum_to_owners(const T* x, const std::vector<int>& counts, T* mine);

}  // namespace elmx
