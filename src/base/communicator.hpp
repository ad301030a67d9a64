#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace elmx {

/// The processes (MPI ranks) that share one computation. All of them execute the same program and call the
/// same functions in the same order. Only rank 0 writes and prints.
///
/// An object of this class itself sends nothing: it stands for a process by itself, or for the ranks of a
/// plan. ranks() returns the ranks of MPI.
class Communicator {
 public:
  explicit Communicator(int count = 1) : count_(count), present_(count > 1) {}
  virtual ~Communicator() = default;

  int count() const { return count_; }
  int rank() const { return rank_; }
  bool first() const { return rank_ == 0; }
  /// Returns true if MPI runs, even with one rank.
  bool present() const { return present_; }
  /// Returns the number of ranks on this machine, including this rank.
  int on_this_machine() const { return here_; }

  /// x = the sum of x over all ranks, n numbers; the same bits on every rank.
  virtual void sum(double*, std::size_t) const {}
  virtual void sum(float*, std::size_t) const {}

  /// x = the x of rank `from`.
  virtual void broadcast(void*, std::size_t /*bytes*/, int /*from*/) const {}

  /// all = the parts `mine` of all ranks in order, bytes[r] bytes from rank r.
  virtual void all_gather(const void* mine, const std::vector<int>& bytes, void* all) const;

  /// Returns the text of rank 0 on every rank.
  std::string broadcast(std::string text) const;
  /// Returns the texts of all ranks on every rank.
  std::vector<std::string> all_gather(const std::string& text) const;

  /// Returns the bytes that this rank has sent so far; collective operations count by the formulas of good
  /// algorithms.
  virtual double bytes_sent() const { return 0; }

  /// Ends all ranks at once. Call it when this rank cannot go on and the others wait for it.
  [[noreturn]] virtual void abort(int code) const;

 protected:
  Communicator(int count, int rank, int here) : count_(count), rank_(rank), here_(here), present_(true) {}

 private:
  int count_, rank_ = 0, here_ = 1;
  bool present_;
};

/// A process by itself.
inline const Communicator kAlone;

/// Returns the number of processes that a launcher (mpirun, srun) reports; 0 without a launcher.
int launched_processes();

/// Returns the ranks that this process belongs to; kAlone unless join_ranks has started MPI.
const Communicator& ranks();

/// Reaction to a rank that falls silent, because its process was stopped or its machine hangs.
struct SilentRank {
  int limit_s = 60;                 ///< seconds without a sign of life
  std::function<void(int)> report;  ///< called with the number of the rank; then all ranks end
};

/// Starts MPI if a launcher (mpirun, srun) has started this process. Throws ConfigError if a launcher has
/// started several processes and elmx was built without MPI.
void join_ranks(const SilentRank& silent = {});

/// Ends MPI. Every rank must call it.
void leave_ranks();

/// Returns the MPI library and its version; "" = elmx was built without MPI.
std::string mpi_library();

/// Reduce-scatter, in a build with MPI only: x holds one part per rank, counts[r] numbers for rank r; own =
/// the sum over all ranks of the part for this rank.
template <class T>
void sum_to_owners(const T* x, const std::vector<int>& counts, T* own);

/// Part `part` of `parts` of 0 .. n - 1: [begin, end).
struct Part {
  std::size_t begin, end;
  std::size_t size() const { return end - begin; }
};
inline Part part_of(std::size_t n, int part, int parts) {
  const auto p = static_cast<std::size_t>(part), of = static_cast<std::size_t>(parts);
  return {n * p / of, n * (p + 1) / of};
}

}  // namespace elmx
