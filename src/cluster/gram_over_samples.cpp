#include <vector>

#include "cluster/distributed_gram.hpp"
#include "cluster/ranks.hpp"
#include "linalg/blas.hpp"

namespace elmx {
namespace {

constexpr uword kStrip = 512;                      // rows of G that are summed at once
constexpr double kPanelBytes = 512.0 * (1 << 20);  // fixed, so that sums are the same on any machine

/// The rows first .. end - 1 of G up to the diagonal.
template <class T>
struct Strip {
  uword first, end;
  arma::Mat<T> left;    // the columns before `first`
  arma::Mat<T> corner;  // the other columns: the upper triangle

  Strip(uword begin, uword below)
      : first(begin), end(below), left(below - begin, begin), corner(below - begin, below - begin) {}
  uword rows() const { return end - first; }
  T at(uword i, uword j) const {
    if (j < first) return left(i - first, j);
    return corner(std::min(i, j) - first, std::max(i, j) - first);
  }
};

/// Calls body(row, col) for every number of the strip that the process (r, c) of the grid owns, in one order.
template <class T, class Body>
void for_each_owned(const DistributedMatrix<T>& array, const Strip<T>& strip, int r, int c, const Body& body) {
  const BlockCyclic rows{array.block(), static_cast<uword>(r), array.rows().parts},
      cols{array.block(), static_cast<uword>(c), array.cols().parts};
  const uword row_begin = rows.count(strip.first), row_end = rows.count(strip.end), col_end = cols.count(strip.end);
  for (uword j = 0; j < col_end; ++j) {
    for (uword i = row_begin; i < row_end; ++i) body(rows.global(i), cols.global(j));
  }
}

/// Sums the strips of all ranks and stores each number at its owner.
template <class T>
void sum_strip(const Strip<T>& strip, uword first, NewProducts<T>& products) {
  const ProcessGrid& grid = products.array.grid();
  arma::Col<T> packed(strip.rows() * strip.end, arma::fill::none);
  std::vector<int> counts;
  T* next = packed.memptr();
  for (int rank = 0; rank < ranks().count(); ++rank) {
    const T* begin = next;
    for_each_owned(products.array, strip, grid.row_of(rank), grid.col_of(rank),
                   [&](uword i, uword j) { *next++ = strip.at(i, j); });
    counts.push_back(static_cast<int>(next - begin));
  }
  arma::Col<T> mine(static_cast<uword>(counts[static_cast<std::size_t>(ranks().rank())]), arma::fill::none);
  sum_to_owners(packed.memptr(), counts, mine.memptr());
  const T* sum = mine.memptr();
  const View<T> G = products.array.local();
  const BlockCyclic &rows = products.array.rows(), &cols = products.array.cols();
  for_each_owned(products.array, strip, grid.row(), grid.col(), [&](uword i, uword j) {
    if (i > j) G(rows.local(i), cols.local(j)) = *sum;
    if (i == j) products.diagonal(i - first) = *sum;
    ++sum;
  });
}

}  // namespace

template <class T>
void gram_over_samples(const SharedSamples<T>& samples, uword first, uword q, NewProducts<T> products) {
  const uword n = first + q, c = samples.own_targets.cols();
  const auto fits = static_cast<uword>(kPanelBytes / (sizeof(T) * static_cast<double>(n)));
  const uword width = std::max(fits / kStrip * kStrip, kStrip);
  for (uword begin = first; begin < n; begin += width) {
    const uword end = std::min(begin + width, n);
    std::vector<Strip<T>> panel;
    for (uword i = begin; i < end; i += kStrip) panel.emplace_back(i, std::min(i + kStrip, end));
    samples.own.for_each_block(end, [&](uword row, View<const T> A) {
      for (Strip<T>& strip : panel) {
        const View<const T> H = A.block(0, strip.first, A.rows, strip.rows());
        syrk(T(1), H, T(1), View<T>(strip.corner));
        if (strip.first > 0)
          gemm(Op::transpose, Op::none, T(1), H, A.head_cols(strip.first), T(1), View<T>(strip.left));
      }
      gemm(Op::transpose, Op::none, T(1), A.block(0, begin, A.rows, end - begin),
           samples.own_targets.template in<T>().block(row, 0, A.rows, c), T(1),
           View<T>(products.cross).block(begin - first, 0, end - begin, c));
    });
    for (Strip<T>& strip : panel) {
      sum_strip(strip, first, products);
      strip.left.reset();
    }
  }
}

template void gram_over_samples(const SharedSamples<double>&, uword, uword, NewProducts<double>);
template void gram_over_samples(const SharedSamples<float>&, uword, uword, NewProducts<float>);

}  // namespace elmx
