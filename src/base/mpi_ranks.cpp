// MPI, in a build that has it (one_process.cpp otherwise).
#include <mpi.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <limits>
#include <memory>
#include <mutex>
#include <thread>

#include "base/communicator.hpp"
#include "base/error.hpp"

namespace elmx {
namespace {

std::atomic<double> sent = 0;

void count_sent(double bytes) { sent = sent + bytes; }

double size_of(MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return size;
}

int rank_in(MPI_Comm communicator) {
  int rank = 0;
  PMPI_Comm_rank(communicator, &rank);
  return rank;
}

int ranks_in(MPI_Comm communicator) {
  int count = 1;
  PMPI_Comm_size(communicator, &count);
  return count;
}

int ranks_of_machine() {
  MPI_Comm here;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
  const int count = ranks_in(here);
  MPI_Comm_free(&here);
  return count;
}

/// Returns the fraction of the bytes of a collective operation that leave their owner: (P - 1) / P.
double others(MPI_Comm communicator) { return 1 - 1.0 / ranks_in(communicator); }

template <class T>
MPI_Datatype type_of() {
  return std::same_as<T, double> ? MPI_DOUBLE : MPI_FLOAT;
}

/// Calls body(begin, count) for consecutive parts of n values, because the counts of MPI are ints.
template <class T, class Body>
void in_parts(T* x, std::size_t n, const Body& body) {
  constexpr std::size_t kAtOnce = std::size_t{1} << 27;
  for (; n > kAtOnce; n -= kAtOnce, x += kAtOnce) body(x, static_cast<int>(kAtOnce));
  body(x, static_cast<int>(n));
}

template <class T>
void sum_in_place(T* x, std::size_t n) {
  in_parts(x, n,
           [](T* part, int count) { MPI_Allreduce(MPI_IN_PLACE, part, count, type_of<T>(), MPI_SUM, MPI_COMM_WORLD); });
}

/// Returns the position of each rank's part.
std::vector<int> begins_of(const std::vector<int>& counts) {
  std::vector<int> begins;
  std::size_t end = 0;
  for (const int count : counts) {
    begins.push_back(static_cast<int>(end));
    end += static_cast<std::size_t>(count);
    expects(end <= std::numeric_limits<int>::max(), "Communicator: fewer than 2^31 values of all ranks at once");
  }
  return begins;
}

class MpiRanks final : public Communicator {
 public:
  MpiRanks() : Communicator(ranks_in(MPI_COMM_WORLD), rank_in(MPI_COMM_WORLD), ranks_of_machine()) {}

  void sum(double* x, std::size_t n) const override { sum_in_place(x, n); }
  void sum(float* x, std::size_t n) const override { sum_in_place(x, n); }

  void broadcast(void* x, std::size_t bytes, int from) const override {
    in_parts(static_cast<char*>(x), bytes,
             [from](char* part, int count) { MPI_Bcast(part, count, MPI_BYTE, from, MPI_COMM_WORLD); });
  }

  void all_gather(const void* own, const std::vector<int>& bytes, void* all) const override {
    MPI_Allgatherv(own, bytes[static_cast<std::size_t>(rank())], MPI_BYTE, all, bytes.data(), begins_of(bytes).data(),
                   MPI_BYTE, MPI_COMM_WORLD);
  }

  double bytes_sent() const override { return sent; }

  [[noreturn]] void abort(int code) const override {
    MPI_Abort(MPI_COMM_WORLD, code);
    std::_Exit(code);
  }
};

/// Signs of life around the ring of ranks: once a second, a thread of each rank sends a byte to the next rank
/// and looks for bytes of the previous rank. Without a byte for limit_s of its own seconds, it ends all
/// ranks. A thread that is stopped itself does not count seconds, so a job that is suspended as a whole goes
/// on later.
class Heartbeat {
 public:
  explicit Heartbeat(SilentRank silent) : silent_(std::move(silent)) {
    PMPI_Comm_dup(MPI_COMM_WORLD, &ring_);
    const int count = ranks_in(ring_), rank = rank_in(ring_);
    next_ = (rank + 1) % count;
    previous_ = (rank + count - 1) % count;
    thread_ = std::jthread([this](const std::stop_token& stop) { beat(stop); });
  }

  /// Waits until all ranks are here, because a rank that ends early would seem to be silent.
  ~Heartbeat() {
    PMPI_Barrier(MPI_COMM_WORLD);
    thread_.request_stop();
    thread_.join();
    PMPI_Send(&kLast, 1, MPI_CHAR, next_, 0, ring_);
    for (char beat = kBeat; beat != kLast;) PMPI_Recv(&beat, 1, MPI_CHAR, previous_, 0, ring_, MPI_STATUS_IGNORE);
    PMPI_Comm_free(&ring_);
  }

  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

 private:
  static constexpr char kBeat = 0, kLast = 1;

  void beat(const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    const auto stops = [&] { return stop.stop_requested(); };
    for (int silence_s = 0; !wake.wait_for(lock, stop, std::chrono::seconds(1), stops); ++silence_s) {
      PMPI_Send(&kBeat, 1, MPI_CHAR, next_, 0, ring_);
      int arrived = 0;
      while (PMPI_Iprobe(previous_, 0, ring_, &arrived, MPI_STATUS_IGNORE), arrived != 0) {
        char beat;
        PMPI_Recv(&beat, 1, MPI_CHAR, previous_, 0, ring_, MPI_STATUS_IGNORE);
        silence_s = 0;
      }
      if (silence_s < silent_.limit_s) continue;
      silent_.report(previous_);
      PMPI_Abort(MPI_COMM_WORLD, static_cast<int>(ExitCode::config));
    }
  }

  SilentRank silent_;
  MPI_Comm ring_ = MPI_COMM_NULL;
  int next_ = 0, previous_ = 0;
  std::jthread thread_;
};

std::unique_ptr<const MpiRanks> joined;
std::unique_ptr<const Heartbeat> heartbeat;

}  // namespace

const Communicator& ranks() { return joined ? *joined : kAlone; }

void join_ranks(const SilentRank& silent) {
  if (joined || launched_processes() == 0) return;
  int given = MPI_THREAD_SINGLE;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &given);
  joined = std::make_unique<MpiRanks>();
  if (joined->count() > 1 && given == MPI_THREAD_MULTIPLE && silent.report)
    heartbeat = std::make_unique<Heartbeat>(silent);
}

void leave_ranks() {
  if (!joined) return;
  heartbeat.reset();
  joined.reset();
  MPI_Finalize();
}

std::string mpi_library() {
  std::string text(MPI_MAX_LIBRARY_VERSION_STRING, '\0');
  int size = 0;
  MPI_Get_library_version(text.data(), &size);
  text.resize(static_cast<std::size_t>(size));
  return text.substr(0, text.find_first_of(",\n"));
}

template <class T>
void sum_to_owners(const T* x, const std::vector<int>& counts, T* own) {
  begins_of(counts);
  MPI_Reduce_scatter(x, own, counts.data(), type_of<T>(), MPI_SUM, MPI_COMM_WORLD);
}

template void sum_to_owners(const double*, const std::vector<int>&, double*);
template void sum_to_owners(const float*, const std::vector<int>&, float*);

}  // namespace elmx

// The profiling interface of MPI, which counts the bytes that ScaLAPACK sends, too.
extern "C" {

int MPI_Send(const void* x, int n, MPI_Datatype type, int to, int tag, MPI_Comm among) {
  elmx::count_sent(n * elmx::size_of(type));
  return PMPI_Send(x, n, type, to, tag, among);
}

int MPI_Isend(const void* x, int n, MPI_Datatype type, int to, int tag, MPI_Comm among, MPI_Request* request) {
  elmx::count_sent(n * elmx::size_of(type));
  return PMPI_Isend(x, n, type, to, tag, among, request);
}

int MPI_Rsend(const void* x, int n, MPI_Datatype type, int to, int tag, MPI_Comm among) {
  elmx::count_sent(n * elmx::size_of(type));
  return PMPI_Rsend(x, n, type, to, tag, among);
}

int MPI_Sendrecv(const void* x, int n, MPI_Datatype type, int to, int tag, void* y, int m, MPI_Datatype other, int from,
                 int other_tag, MPI_Comm among, MPI_Status* status) {
  elmx::count_sent(n * elmx::size_of(type));
  return PMPI_Sendrecv(x, n, type, to, tag, y, m, other, from, other_tag, among, status);
}

int MPI_Bcast(void* x, int n, MPI_Datatype type, int root, MPI_Comm among) {
  elmx::count_sent(n * elmx::size_of(type) * elmx::others(among));
  return PMPI_Bcast(x, n, type, root, among);
}

int MPI_Reduce(const void* x, void* y, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm among) {
  elmx::count_sent(n * elmx::size_of(type) * elmx::others(among));
  return PMPI_Reduce(x, y, n, type, op, root, among);
}

int MPI_Allreduce(const void* x, void* y, int n, MPI_Datatype type, MPI_Op op, MPI_Comm among) {
  elmx::count_sent(2.0 * n * elmx::size_of(type) * elmx::others(among));
  return PMPI_Allreduce(x, y, n, type, op, among);
}

int MPI_Reduce_scatter(const void* x, void* y, const int* counts, MPI_Datatype type, MPI_Op op, MPI_Comm among) {
  double n = 0;
  for (int r = 0; r < elmx::ranks_in(among); ++r) n += counts[r];
  elmx::count_sent(n * elmx::size_of(type) * elmx::others(among));
  return PMPI_Reduce_scatter(x, y, counts, type, op, among);
}

int MPI_Allgatherv(const void* x, int m, MPI_Datatype type, void* y, const int* counts, const int* begins,
                   MPI_Datatype other, MPI_Comm among) {
  double n = 0;
  for (int r = 0; r < elmx::ranks_in(among); ++r) n += counts[r];
  elmx::count_sent(n * elmx::size_of(other) * elmx::others(among));
  return PMPI_Allgatherv(x, m, type, y, counts, begins, other, among);
}

}  // extern "C"
