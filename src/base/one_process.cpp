// In place of mpi_ranks.cpp, in a build without MPI.
#include <fmt/core.h>

#include "base/communicator.hpp"
#include "base/error.hpp"

namespace elmx {

const Communicator& ranks() { return kAlone; }

void join_ranks(const SilentRank&) {
  if (const int processes = launched_processes(); processes > 1) {
    throw ConfigError(fmt::format(
        "{} processes were started together, but this elmx was built without MPI. Start one process, or build elmx "
        "where MPI and ScaLAPACK are installed",
        processes));
  }
}

void leave_ranks() {}

std::string mpi_library() { return ""; }

}  // namespace elmx
