#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace elmx {

/// The processes (MPI ranks) that run one experiment together. All execute the same program; each computes a
/// part of the shared work. Only rank 0 writes and prints. A program that was started alone is one rank, and
/// every call returns at once.
///
/// All ranks call the same functions in the same order.
class Ranks {
 public:
  virtual ~Ranks() = default;

  virtual int count() const { return 1; }
  virtual int rank() const { return 0; }
  bool first() const { return rank() == 0; }
  /// Returns true if MPI runs, even with one rank.
  virtual bool present() const { return false; }

  /// x = the sum of x over all ranks, n numbers; the same bits on every rank.
  virtual void sum(double*, std::size_t) const {}
  virtual void sum(float*, std::size_t) const {}

  /// Reduce-scatter: x holds one part per rank, counts[r] numbers for rank r; mine = the sum over all ranks
  /// of the part for this rank.
  virtual void sum_to_owners(const double* x, const std::vector<int>& counts, double* mine) const;
  virtual void sum_to_owners(const float* x, const std::vector<int>& counts, float* mine) const;

  /// x = the x of rank `rank`, n numbers.
  virtual void broadcast(double*, std::size_t, int) const {}
  virtual void broadcast(float*, std::size_t, int) const {}

  /// all = the parts `mine` of all ranks in order, counts[r] numbers from rank r.
  virtual void all_gather(const double* mine, const std::vector<int>& counts, double* all) const;
  virtual void all_gather(const float* mine, const std::vector<int>& counts, float* all) const;

  /// Returns the text of rank 0 on every rank.
  virtual std::string of_first(const std::string& text) const { return text; }
  /// Returns the texts of all ranks on every rank.
  virtual std::vector<std::string> of_all(const std::string& text) const { return {text}; }

  /// Returns the number of ranks on this machine, including this rank.
  virtual int on_this_machine() const { return 1; }

  /// Returns the bytes that this rank has sent so far; collective operations count by the formulas of good
  /// algorithms.
  virtual double bytes_sent() const { return 0; }

  /// Ends all ranks at once. Call it when this rank cannot go on and the others wait for it.
  [[noreturn]] virtual void abort(int code) const;
};

/// A process by itself.
inline const Ranks kAlone;

/// Returns the ranks that this process belongs to.
const Ranks& ranks();

/// Starts MPI if a launcher (mpirun, srun) has started this process. Call it once, before ranks() is used.
/// Throws ConfigError if a launcher has started several processes and elmx was built without MPI.
void join_ranks();

/// Ends MPI. Every rank must call it.
void leave_ranks();

/// Returns the MPI library and its version; "" = elmx was built without MPI.
std::string mpi_library();

/// Returns the number of processes that the launcher reports; 1 without a launcher.
int launched_processes();

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
