// Of a build with MPI.
#include <mpi.h>

#include <atomic>
#include <cstdlib>
#include <limits>
#include <memory>

#include "base/error.hpp"
#include "base/communicator.hpp"

namespace elmx {
namespace {

std::atomic<double> sent = 0;

void count_sent(double bytes) { sent = sent + bytes; }

double size_of(MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return size;
}

int ranks_in(MPI_Comm communicator) {
  int count = 1;
  PMPI_Comm_size(communicator, &count);
  return count;
}

/// Returns the fraction of the bytes of a collective operation that leave their owner: (P - 1) / P.
double others(MPI_Comm communicator) { return 1 - 1.0 / ranks_in(communicator); }

template <class T>
MPI_Datatype type_of();
template <>
MPI_Datatype type_of<double>() {
  return MPI_DOUBLE;
}
template <>
MPI_Datatype type_of<float>() {
  return MPI_FLOAT;
}

constexpr std::size_t kAtOnce = std::size_t{1} << 27;  // numbers: the counts of MPI are ints

/// Calls body(begin, count) for consecutive parts of n numbers.
template <class T, class Body>
void in_parts(T* x, std::size_t n, const Body& body) {
  for (; n > kAtOnce; n -= kAtOnce, x += kAtOnce) body(x, static_cast<int>(kAtOnce));
  body(x, static_cast<int>(n));
}

template <class T>
void sum_in_place(T* x, std::size_t n) {
  in_parts(x, n,
           [](T* part, int count) { MPI_Allreduce(MPI_IN_PLACE, part, count, type_of<T>(), MPI_SUM, MPI_COMM_WORLD); });
}

template <class T>
void broadcast_from(int rank, T* x, std::size_t n) {
  in_parts(x, n, [rank](T* part, int count) { MPI_Bcast(part, count, type_of<T>(), rank, MPI_COMM_WORLD); });
}

/// The start of each rank's part, and the end of the last part.
struct Places {
  std::vector<int> begins;
  std::size_t end;
};
Places places_of(const std::vector<int>& counts) {
  Places places{{}, 0};
  for (const int count : counts) {
    places.begins.push_back(static_cast<int>(places.end));
    places.end += static_cast<std::size_t>(count);
  }
  expects(places.end <= std::numeric_limits<int>::max(), "Ranks: fewer than 2^31 numbers of all ranks at once");
  return places;
}

template <class T>
void gather_all(const T* mine, int count, const std::vector<int>& counts, T* all) {
  MPI_Allgatherv(mine, count, type_of<T>(), all, counts.data(), places_of(counts).begins.data(), type_of<T>(),
                 MPI_COMM_WORLD);
}

template <class T>
void sum_to_owners_of(const T* x, const std::vector<int>& counts, T* mine) {
  places_of(counts);
  MPI_Reduce_scatter(x, mine, counts.data(), type_of<T>(), MPI_SUM, MPI_COMM_WORLD);
}

int text_size(const std::string& text) {
  expects(text.size() <= std::numeric_limits<int>::max(), "Ranks: texts of fewer than 2^31 bytes");
  return static_cast<int>(text.size());
}

class MpiRanks final : public Ranks {
 public:
  MpiRanks() {
    int given = MPI_THREAD_SINGLE;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm here;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    here_ = ranks_in(here);
    MPI_Comm_free(&here);
  }

  int count() const override { return count_; }
  int rank() const override { return rank_; }
  bool present() const override { return true; }
  int on_this_machine() const override { return here_; }
  double bytes_sent() const override { return sent; }

  void sum(double* x, std::size_t n) const override { sum_in_place(x, n); }
  void sum(float* x, std::size_t n) const override { sum_in_place(x, n); }

  void sum_to_owners(const double* x, const std::vector<int>& counts, double* mine) const override {
    sum_to_owners_of(x, counts, mine);
  }
  void sum_to_owners(const float* x, const std::vector<int>& counts, float* mine) const override {
    sum_to_owners_of(x, counts, mine);
  }

  void broadcast(double* x, std::size_t n, int from) const override { broadcast_from(from, x, n); }
  void broadcast(float* x, std::size_t n, int from) const override { broadcast_from(from, x, n); }

  void all_gather(const double* mine, const std::vector<int>& counts, double* all) const override {
    gather_all(mine, counts[static_cast<std::size_t>(rank_)], counts, all);
  }
  void all_gather(const float* mine, const std::vector<int>& counts, float* all) const override {
    gather_all(mine, counts[static_cast<std::size_t>(rank_)], counts, all);
  }

  std::string of_first(const std::string& text) const override {
    int size = text_size(text);
    MPI_Bcast(&size, 1, MPI_INT, 0, MPI_COMM_WORLD);
    std::string all = rank_ == 0 ? text : std::string(static_cast<std::size_t>(size), '\0');
    MPI_Bcast(all.data(), size, MPI_CHAR, 0, MPI_COMM_WORLD);
    return all;
  }

  std::vector<std::string> of_all(const std::string& text) const override {
    const int size = text_size(text);
    std::vector<int> sizes(static_cast<std::size_t>(count_));
    MPI_Allgather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, MPI_COMM_WORLD);
    const auto [begins, end] = places_of(sizes);
    std::string all(end, '\0');
    MPI_Allgatherv(text.data(), size, MPI_CHAR, all.data(), sizes.data(), begins.data(), MPI_CHAR, MPI_COMM_WORLD);
    std::vector<std::string> texts;
    for (std::size_t r = 0; r < sizes.size(); ++r)
      texts.push_back(all.substr(static_cast<std::size_t>(begins[r]), static_cast<std::size_t>(sizes[r])));
    return texts;
  }

  [[noreturn]] void abort(int code) const override {
    MPI_Abort(MPI_COMM_WORLD, code);
    std::_Exit(code);
  }

 private:
  int count_ = 1, rank_ = 0, here_ = 1;
};

std::unique_ptr<const Ranks> joined;

bool launched() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMIX_RANK", "MPI_LOCALNRANKS"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  return false;
}

}  // namespace

const Ranks& ranks() { return joined ? *joined : kAlone; }

void join_ranks() {
  if (!joined && launched()) joined = std::make_unique<MpiRanks>();
}

void leave_ranks() {
  if (!joined) return;
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

}  // namespace elmx

// The profiling interface of MPI: what ScaLAPACK sends goes through here, too.
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
