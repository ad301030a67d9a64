#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace elmx {

/// The processes (MPI ranks) that run one experiment together. All do the same; what they share, each
/// computes a part of. Rank 0 alone writes and prints. A program that was started alone is one rank, and
/// every call returns at once.
///
/// All ranks call the same functions in the same order.
class Ranks {
 public:
  virtual ~Ranks() = default;

  virtual int count() const { return 1; }
  virtual int rank() const { return 0; }
  bool first() const { return rank() == 0; }
  /// True if MPI runs, be it with one rank.
  virtual bool present() const { return false; }

  /// x = the sum of all ranks' x, n numbers; the same bits on every rank.
  virtual void sum(double*, std::size_t) const {}
  virtual void sum(float*, std::size_t) const {}

  /// x holds the parts of all ranks one after another, counts[r] numbers for rank r. mine = the sum of all
  /// ranks' part for this one.
  virtual void sum_to_owners(const double* x, const std::vector<int>& counts, double* mine) const;
  virtual void sum_to_owners(const float* x, const std::vector<int>& counts, float* mine) const;

  /// x = that of `rank`, n numbers.
  virtual void broadcast(double*, std::size_t, int) const {}
  virtual void broadcast(float*, std::size_t, int) const {}

  /// all = the parts of all ranks one after another, counts[r] numbers of rank r.
  virtual void all_gather(const double* mine, const std::vector<int>& counts, double* all) const;
  virtual void all_gather(const float* mine, const std::vector<int>& counts, float* all) const;

  /// Rank 0's text, on every rank.
  virtual std::string of_first(const std::string& text) const { return text; }
  /// Every rank's text, on every rank.
  virtual std::vector<std::string> of_all(const std::string& text) const { return {text}; }

  /// Ranks on the same machine, this one among them.
  virtual int on_this_machine() const { return 1; }

  /// Bytes that this rank has sent to others so far; of collective operations by the formulas of good
  /// algorithms.
  virtual double bytes_sent() const { return 0; }

  /// Ends all ranks at once. To be called where this rank cannot go on and the others wait for it.
  [[noreturn]] virtual void abort(int code) const;
};

/// A process by itself.
inline const Ranks kAlone;

/// Those of this process.
const Ranks& ranks();

/// Begins MPI where a launcher (mpirun, srun) has started this process; call it once, before ranks() is used.
/// Throws ConfigError where a launcher has started several processes and elmx was built without MPI.
void join_ranks();

/// Ends MPI; every rank must get here.
void leave_ranks();

/// The MPI library and its version; "" = elmx was built without MPI.
std::string mpi_library();

/// The number of processes a launcher says it has started together; 1 where there is none.
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
