#include "base/communicator.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numeric>

#include "base/error.hpp"

namespace elmx {

void Communicator::all_gather(const void* mine, const std::vector<int>& bytes, void* all) const {
  std::memcpy(all, mine, static_cast<std::size_t>(bytes.front()));
}

std::string Communicator::broadcast(std::string text) const {
  std::size_t size = text.size();
  broadcast(&size, sizeof size, 0);
  text.resize(size);
  broadcast(text.data(), size, 0);
  return text;
}

std::vector<std::string> Communicator::all_gather(const std::string& text) const {
  expects(text.size() <= std::numeric_limits<int>::max(), "Communicator: texts of fewer than 2^31 bytes");
  const int size = static_cast<int>(text.size());
  std::vector<int> sizes(static_cast<std::size_t>(count_));
  all_gather(&size, std::vector<int>(sizes.size(), sizeof size), sizes.data());
  std::string all(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}), '\0');
  all_gather(text.data(), sizes, all.data());
  std::vector<std::string> texts;
  std::size_t begin = 0;
  for (const int of_rank : sizes) {
    texts.push_back(all.substr(begin, static_cast<std::size_t>(of_rank)));
    begin += texts.back().size();
  }
  return texts;
}

void Communicator::abort(int code) const { std::_Exit(code); }

int launched_processes() {
  // Open MPI; MPICH and its kin; Slurm with PMIx or PMI-2
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"}) {
    if (const char* text = std::getenv(name)) return std::max(1, std::atoi(text));
  }
  if (std::getenv("PMIX_RANK") == nullptr) return 0;
  const char* tasks = std::getenv("SLURM_STEP_NUM_TASKS");
  return tasks != nullptr ? std::max(1, std::atoi(tasks)) : 1;
}

}  // namespace elmx
