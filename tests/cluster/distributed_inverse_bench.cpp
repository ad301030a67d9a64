// Inverse factors over MPI ranks: mpirun -n P distributed_inverse_bench N ...
//
// For each N: inverse LDL' factors by algorithm 13 on block-cyclic columns, in blocks and column by
// column, beside ScaLAPACK's p?potrf and p?trtri (the inverse Cholesky factor) and p?potrf alone: the best
// time of three, and the bytes that a rank sends, counted by MPI's profiling interface, beside the paper's
// analysis for the same N and P. One thread a rank. Every answer is checked before its figures are printed.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <limits>
#include <numeric>
#include <vector>

#include "base/communicator.hpp"
#include "base/machine/clock.hpp"
#include "base/rng.hpp"
#include "cluster/distributed_matrix.hpp"
#include "linalg/blas.hpp"
#include "linalg/distributed_inverse_ldl.hpp"
#include "support/judge.hpp"

namespace elmx {
namespace {

constexpr uword kMostByColumns = 2000;  // column by column it is slow
constexpr int kRepeats = 3;

/// R of a well conditioned problem, any number of it on any rank.
double entry(uword i, uword j, uword n) {
  static const Rng rng(1, Purpose::synthetic);
  return i == j ? 4 : 0.01 * (rng.uniform(std::min(i, j) * n + std::max(i, j)) - 0.5);
}

/// ||R z - x|| / ||x||, the columns of R shared by all ranks.
double error_of(const arma::vec& z, const arma::vec& x) {
  const uword n = x.n_elem;
  const BlockCyclic own = columns_of(ranks(), 1);
  arma::vec product(n);
  for (uword c = 0; c < own.count(n); ++c) {
    const uword j = own.global(c);
    for (uword i = 0; i < n; ++i) product(i) += entry(i, j, n) * z(j);
  }
  ranks().sum(product.memptr(), n);
  return arma::norm(product - x) / arma::norm(x);
}

double most_of_ranks(double x) {
  std::vector<double> all(static_cast<std::size_t>(ranks().count()));
  ranks().all_gather(&x, std::vector<int>(all.size(), sizeof x), all.data());
  return *std::max_element(all.begin(), all.end());
}

struct Measured {
  double seconds = std::numeric_limits<double>::infinity(), bytes = 0, error = 0;
};

/// fill, factor and multiply by the inverse.
Measured measure(uword n, const std::function<void()>& fill, const std::function<Status()>& factor,
                 const std::function<void(View<double>)>& apply) {
  Measured found;
  SteadyClock clock;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    fill();
    double here = 0;
    ranks().sum(&here, 1);
    const double bytes = ranks().bytes_sent(), begun = clock.now();
    expects(factor() == Status::ok, "distributed_inverse_bench: factored");
    found.bytes = most_of_ranks(ranks().bytes_sent() - bytes);  // everyone gets here
    found.seconds = std::min(found.seconds, clock.now() - begun);
  }
  arma::vec x(n), z;
  for (uword i = 0; i < n; ++i) x(i) = std::cos(static_cast<double>(i));
  z = x;
  apply(View<double>(z));
  found.error = error_of(z, x);
  return found;
}

Measured by_algorithm_13(uword n, uword block) {
  const BlockCyclic layout = columns_of(ranks(), block);
  arma::mat S(n, layout.count(n));
  return measure(
      n,
      [&] {
        for (uword c = 0; c < S.n_cols; ++c) {
          const uword j = layout.global(c);
          for (uword i = 0; i <= j; ++i) S(i, c) = entry(i, j, n);
        }
      },
      [&] { return distributed_inverse_ldl(View<double>(S), layout, 0, ranks()); },
      [&](View<double> x) { multiply_inverse_ldl<double>(View<double>(S), layout, x, ranks()); });
}

Measured by_scalapack(uword n, FactorForm::Kind kind) {
  DistributedMatrix<double> A(n);
  return measure(
      n,
      [&] {
        for (uword c = 0; c < A.local().cols; ++c) {
          for (uword r = 0; r < A.local().rows; ++r) A.local()(r, c) = entry(A.rows().global(r), A.cols().global(c), n);
        }
      },
      [&] { return A.factorise(kind, 0, n); }, [&](View<double> x) { A.apply_inverse(kind, x); });
}

/// The paper's analysis, column by column: each step sends the numbers of a column down to the diagonal, and
/// those of a row behind it, to every other rank that has columns behind them. So the owner of column j sends
/// its j numbers, and one in each of the j - 1 steps before.
struct Analysis {
  double bytes;  // of the rank that sends most
  double load;   // multiplications and additions of the rank that has most, as a multiple of an equal share
};
Analysis analysis(uword n, int P, const std::function<std::size_t(uword)>& owner) {
  std::vector<double> sent(static_cast<std::size_t>(P)), work(sent.size());
  std::vector<bool> behind(sent.size());  // ranks that have columns behind j
  for (uword j = n; j-- > 0;) {
    const std::size_t rank = owner(j);
    const auto receivers = std::count(behind.begin(), behind.end(), true) - (behind[rank] ? 1 : 0);
    const auto steps = static_cast<double>(j);
    sent[rank] += (2 * steps + 1) * static_cast<double>(receivers);
    work[rank] += steps * steps;
    behind[rank] = true;
  }
  const double all = std::accumulate(work.begin(), work.end(), 0.0);
  return {8 * *std::max_element(sent.begin(), sent.end()), *std::max_element(work.begin(), work.end()) * P / all};
}

std::string megabytes(double bytes) { return fmt::format("{:.1f}", bytes / 1e6); }

void print_size(uword n) {
  const int P = ranks().count();
  const double N = static_cast<double>(n), of_inverse = 2 * N * N * N / 3, of_cholesky = of_inverse / 2, parts = P;
  const auto row = [&](const std::string& name, const Measured& found, double flops, const std::string& expected) {
    expects(found.error <= tolerance(n, n), "distributed_inverse_bench: the answer is right");
    if (!ranks().first()) return;
    fmt::print("| {} | {} | {} | {:.3f} | {:.1f} | {} | {} |\n", n, P, name, found.seconds, flops / found.seconds / 1e9,
               megabytes(found.bytes), expected);
    std::fflush(stdout);
  };
  const auto sent = [&](uword block) {  // as distributed_inverse_ldl says
    double numbers = 0;
    for (uword a = 0; a < n; a += block) {
      const auto begin = static_cast<double>(a), end = static_cast<double>(std::min(a + block, n));
      numbers += (end * (end + 1) - begin * (begin + 1)) / 2 + (end - begin) * (N - end);
    }
    return megabytes(8 * numbers * (parts - 1) / parts);
  };
  const std::string blocked = fmt::format("inverse LDL', blocks of {}", kInverseLdlBlock);
  row(blocked, by_algorithm_13(n, kInverseLdlBlock), of_inverse, sent(kInverseLdlBlock));
  if (n <= kMostByColumns) row("inverse LDL', column by column", by_algorithm_13(n, 1), of_inverse, sent(1));
  row("p?potrf, p?trtri", by_scalapack(n, FactorForm::Kind::inverse), of_inverse, "");
  row("p?potrf", by_scalapack(n, FactorForm::Kind::cholesky), of_cholesky, "");
}

void print_analysis(uword n) {
  const int P = ranks().count();
  const auto parts = static_cast<std::size_t>(P);
  const auto row = [&](const char* distribution, const Analysis& found) {
    fmt::print("| {} | {} | {} | {} | {:.2f} |\n", n, P, distribution, megabytes(found.bytes), found.load);
  };
  row("in turn", analysis(n, P, [&](uword j) { return j % parts; }));
  row("one part each", analysis(n, P, [&](uword j) { return j * parts / n; }));
}

void print_all(const std::vector<uword>& sizes) {
  if (ranks().first()) {
    fmt::print("A product of matrices on one thread of rank 0: {:.1f} Gflop/s\n\n", gemm_rate<double>(1000) / 1e9);
    fmt::print("| n | ranks | | s | Gflop/s | MB a rank sends | by formula |\n|---|---|---|---|---|---|---|\n");
  }
  for (const uword n : sizes) print_size(n);
  if (!ranks().first()) return;
  fmt::print("\nThe paper's analysis, column by column:\n\n");
  fmt::print(
      "| n | ranks | columns are distributed | MB the rank that sends most sends | flops of the busiest rank |\n");
  fmt::print("|---|---|---|---|---|\n");
  for (const uword n : sizes) print_analysis(n);
}

}  // namespace
}  // namespace elmx

int main(int argc, char** argv) {
  elmx::join_ranks();
  elmx::set_threads(1);
  std::vector<elmx::uword> sizes;
  for (int i = 1; i < argc; ++i) sizes.push_back(std::strtoull(argv[i], nullptr, 10));
  if (!elmx::ranks().present() || sizes.empty() || std::count(sizes.begin(), sizes.end(), 0u) > 0) {
    std::cerr << "distributed_inverse_bench: start it with mpirun -n RANKS distributed_inverse_bench N ...\n";
    return 2;
  }
  elmx::print_all(sizes);
  elmx::leave_ranks();
  return 0;
}
