#include "cluster/distributed_gram.hpp"

#include <vector>

#include "base/communicator.hpp"
#include "linalg/blas.hpp"

namespace elmx {
namespace {

/// A block of G that this rank owns. A diagonal block keeps its sum here, because the array cannot hold it.
template <class T>
struct OwnBlock {
  Part rows, cols;  // nodes
  arma::Mat<T> on_diagonal;
};

/// Returns the parts of begin .. end - 1 that lie in one block each.
std::vector<Part> pieces(const BlockCyclic& layout, uword begin, uword end) {
  std::vector<Part> found;
  for_each_piece(layout, begin, end, [&](uword a, uword b) { found.push_back({a, b}); });
  return found;
}

/// Returns the blocks of the rows from `first` on, up to the diagonal.
template <class T>
std::vector<OwnBlock<T>> own_blocks(const DistributedMatrix<T>& array, uword first, uword n) {
  std::vector<OwnBlock<T>> blocks;
  for (const Part& rows : pieces(array.rows(), first, n)) {
    const uword block_begin = array.first_of_block(rows.begin);
    for (const Part& cols : pieces(array.cols(), 0, rows.end)) {
      const bool diagonal = cols.begin == block_begin;
      blocks.push_back({rows, cols, diagonal ? arma::Mat<T>(rows.size(), cols.size()) : arma::Mat<T>()});
    }
  }
  return blocks;
}

/// Returns the nodes of the blocks, ascending.
template <class T>
arma::uvec nodes_of(const std::vector<OwnBlock<T>>& blocks, uword n) {
  arma::uvec needed(n);
  for (const OwnBlock<T>& block : blocks) {
    for (const Part& nodes : {block.rows, block.cols}) needed.subvec(nodes.begin, nodes.end - 1).fill(1);
  }
  return arma::find(needed);
}

uword place_of(const arma::uvec& nodes, uword node) {
  return static_cast<uword>(std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin());
}

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
void sum_strip(const Strip<T>& strip, uword first, DistributedMatrix<T>& array, arma::Col<T>& diagonal) {
  const ProcessGrid& grid = array.grid();
  arma::Col<T> packed(strip.rows() * strip.end, arma::fill::none);
  std::vector<int> counts;
  T* next = packed.memptr();
  for (int rank = 0; rank < ranks().count(); ++rank) {
    const T* begin = next;
    for_each_owned(array, strip, grid.row_of(rank), grid.col_of(rank),
                   [&](uword i, uword j) { *next++ = strip.at(i, j); });
    counts.push_back(static_cast<int>(next - begin));
  }
  arma::Col<T> mine(static_cast<uword>(counts[static_cast<std::size_t>(ranks().rank())]), arma::fill::none);
  sum_to_owners(packed.memptr(), counts, mine.memptr());
  const T* sum = mine.memptr();
  const View<T> G = array.local();
  const BlockCyclic &rows = array.rows(), &cols = array.cols();
  for_each_owned(array, strip, grid.row(), grid.col(), [&](uword i, uword j) {
    if (i > j) G(rows.local(i), cols.local(j)) = *sum;
    if (i == j) diagonal(i - first) = *sum;
    ++sum;
  });
}

}  // namespace

template <class T>
void DistributedGram<T>::extend(uword q) {
  const uword k = columns();
  expects(k + q <= array_.capacity(), "DistributedGram: within capacity");
  arma::Col<T> diagonal(q);
  arma::Mat<T> cross(q, samples_.targets.cols());
  samples_.over == GramOver::nodes ? add_over_nodes(k, diagonal, cross) : add_over_samples(k, diagonal, cross);
  ranks().sum(diagonal.memptr(), diagonal.n_elem);
  ranks().sum(cross.memptr(), cross.n_elem);
  diagonal_ = arma::join_cols(diagonal_, diagonal);
  AY_ = arma::join_cols(AY_, cross);
}

template <class T>
void DistributedGram<T>::add_over_nodes(uword first, arma::Col<T>& diagonal, arma::Mat<T>& cross) {
  const uword n = first + diagonal.n_elem, c = cross.n_cols;
  std::vector<OwnBlock<T>> blocks = own_blocks(array_, first, n);
  const arma::uvec nodes = nodes_of(blocks, n);
  if (nodes.is_empty()) return;
  const View<T> G = array_.local();
  const bool crosses = array_.grid().col() == 0;  // ranks that sum A'Y for the rows of the grid
  const std::vector<Part> new_rows = pieces(array_.rows(), first, n);
  samples_.nodes_of_all(nodes)->for_each_block(nodes.n_elem, [&](uword row, View<const T> A) {
    const auto of = [&](const Part& some) { return A.block(0, place_of(nodes, some.begin), A.rows, some.size()); };
    const T beta = row == 0 ? T(0) : T(1);
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      OwnBlock<T>& block = blocks[b];
      const View<T> sum = block.on_diagonal.is_empty()
                              ? G.block(array_.rows().local(block.rows.begin), array_.cols().local(block.cols.begin),
                                        block.rows.size(), block.cols.size())
                              : View<T>(block.on_diagonal);
      gemm(Op::transpose, Op::none, T(1), of(block.rows), of(block.cols), beta, sum);
    }
    if (!crosses) return;
    for (const Part& rows : new_rows)
      gemm(Op::transpose, Op::none, T(1), of(rows), samples_.targets.template in<T>().block(row, 0, A.rows, c), T(1),
           View<T>(cross).block(rows.begin - first, 0, rows.size(), c));
  });
  for (const OwnBlock<T>& block : blocks) {
    if (block.on_diagonal.is_empty()) continue;
    for (uword j = block.cols.begin; j < block.cols.end; ++j) {
      for (uword i = block.rows.begin; i < block.rows.end; ++i) {
        const T g = block.on_diagonal(i - block.rows.begin, j - block.cols.begin);
        if (i > j) G(array_.rows().local(i), array_.cols().local(j)) = g;
        if (i == j) diagonal(i - first) = g;
      }
    }
  }
}

template <class T>
void DistributedGram<T>::add_over_samples(uword first, arma::Col<T>& diagonal, arma::Mat<T>& cross) {
  const uword n = first + diagonal.n_elem, c = cross.n_cols;
  const auto fits = static_cast<uword>(kPanelBytes / (sizeof(T) * static_cast<double>(n)));
  const uword width = std::max(fits / kStrip * kStrip, kStrip);
  for (uword begin = first; begin < n; begin += width) {
    const uword end = std::min(begin + width, n);
    std::vector<Strip<T>> panel;
    for (uword i = begin; i < end; i += kStrip) panel.emplace_back(i, std::min(i + kStrip, end));
    samples_.own.for_each_block(end, [&](uword row, View<const T> A) {
      for (Strip<T>& strip : panel) {
        const View<const T> H = A.block(0, strip.first, A.rows, strip.rows());
        syrk(T(1), H, T(1), View<T>(strip.corner));
        if (strip.first > 0)
          gemm(Op::transpose, Op::none, T(1), H, A.head_cols(strip.first), T(1), View<T>(strip.left));
      }
      gemm(Op::transpose, Op::none, T(1), A.block(0, begin, A.rows, end - begin),
           samples_.own_targets.template in<T>().block(row, 0, A.rows, c), T(1),
           View<T>(cross).block(begin - first, 0, end - begin, c));
    });
    for (Strip<T>& strip : panel) {
      sum_strip(strip, first, array_, diagonal);
      strip.left.reset();
    }
  }
}

template <class T>
void DistributedGram<T>::restart(uword columns) {
  diagonal_.reset();
  AY_.set_size(0, samples_.targets.cols());
  extend(columns);
}

template <class T>
void DistributedGram<T>::ridge_matrix(double lambda, uword first, DistributedMatrix<T>& into) const {
  into.mirror(array_, first, columns());
  for_each_piece(into.cols(), into.first_of_block(first), columns(), [&](uword begin, uword end) {
    if (!into.rows().owns(begin)) return;
    for (uword j = begin; j < end; ++j)
      into.local()(into.rows().local(j), into.cols().local(j)) = diagonal_(j) + static_cast<T>(lambda);
  });
}

template <class T>
void DistributedGram<T>::ridge_columns(double lambda, uword first, const BlockCyclic& layout, View<T> S) const {
  const BlockCyclic &rows = array_.rows(), &cols = array_.cols();
  const View<const T> G = array_.local();
  const uword width = layout.block * layout.parts;  // one block of columns for each rank
  for (uword begin = first; begin < columns();) {
    const uword end = std::min((begin / width + 1) * width, columns());
    std::vector<T> packed;  // columns above the diagonal, for rank 0 first: G_ji, or 0 if others own it
    std::vector<int> counts;
    for (uword part = 0; part < layout.parts; ++part) {
      const std::size_t before = packed.size();
      for_each_piece(BlockCyclic{layout.block, part, layout.parts}, begin, end, [&](uword a, uword b) {
        for (uword j = a; j < b; ++j) {
          const std::size_t top = packed.size();
          packed.resize(top + j);
          const uword own = rows.owns(j) ? cols.count(j) : 0;
          for (uword i = 0; i < own; ++i) packed[top + cols.global(i)] = G(rows.local(j), i);
        }
      });
      counts.push_back(static_cast<int>(packed.size() - before));
    }
    std::vector<T> mine(static_cast<std::size_t>(counts[layout.part]));
    sum_to_owners(packed.data(), counts, mine.data());
    const T* next = mine.data();
    for_each_piece(layout, begin, end, [&](uword a, uword b) {
      for (uword j = a; j < b; next += j, ++j) {
        const uword column = layout.local(j);
        std::copy_n(next, j, &S(0, column));
        S(j, column) = diagonal_(j) + static_cast<T>(lambda);
      }
    });
    begin = end;
  }
}

template class DistributedGram<double>;
template class DistributedGram<float>;

}  // namespace elmx
