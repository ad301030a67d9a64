#include <vector>

#include "cluster/distributed_gram.hpp"
#include "linalg/blas.hpp"

namespace elmx {
namespace {

/// The nodes begin .. end - 1, all in one block.
struct Nodes {
  uword begin, end;
  uword size() const { return end - begin; }
};

/// A block of G that this rank owns. A diagonal block keeps its sum here, because the array cannot hold it.
template <class T>
struct OwnBlock {
  Nodes rows, cols;
  arma::Mat<T> on_diagonal;
};

std::vector<Nodes> pieces(const BlockCyclic& layout, uword begin, uword end) {
  std::vector<Nodes> found;
  for_each_piece(layout, begin, end, [&](uword a, uword b) { found.push_back({a, b}); });
  return found;
}

/// Returns the blocks of the rows from `first` on, up to the diagonal.
template <class T>
std::vector<OwnBlock<T>> own_blocks(const DistributedMatrix<T>& array, uword first, uword n) {
  std::vector<OwnBlock<T>> blocks;
  for (const Nodes& rows : pieces(array.rows(), first, n)) {
    const uword block_begin = array.first_of_block(rows.begin);
    for (const Nodes& cols : pieces(array.cols(), 0, rows.end)) {
      const bool diagonal = cols.begin == block_begin;
      blocks.push_back({rows, cols, diagonal ? arma::Mat<T>(rows.size(), cols.size()) : arma::Mat<T>()});
    }
  }
  return blocks;
}

/// Returns the nodes of the blocks, ascending.
template <class T>
arma::uvec nodes_of(const std::vector<OwnBlock<T>>& blocks, uword n) {
  std::vector<bool> needed(n);
  for (const OwnBlock<T>& block : blocks) {
    for (const Nodes& nodes : {block.rows, block.cols})
      std::fill_n(needed.begin() + static_cast<long>(nodes.begin), nodes.size(), true);
  }
  std::vector<uword> nodes;
  for (uword j = 0; j < n; ++j) {
    if (needed[j]) nodes.push_back(j);
  }
  return nodes;
}

uword place_of(const arma::uvec& nodes, uword node) {
  return static_cast<uword>(std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin());
}

}  // namespace

template <class T>
void gram_over_nodes(const SharedSamples<T>& samples, uword first, uword q, NewProducts<T> products) {
  DistributedMatrix<T>& array = products.array;
  std::vector<OwnBlock<T>> blocks = own_blocks(array, first, first + q);
  const arma::uvec nodes = nodes_of(blocks, first + q);
  if (nodes.is_empty()) return;
  const View<T> G = array.local();
  const bool crosses = array.grid().col() == 0;  // ranks that sum A'Y for the rows of the grid
  const std::vector<Nodes> new_rows = pieces(array.rows(), first, first + q);
  samples.nodes_of_all(nodes)->for_each_block(nodes.n_elem, [&](uword row, View<const T> A) {
    const auto of = [&](const Nodes& some) { return A.block(0, place_of(nodes, some.begin), A.rows, some.size()); };
    const T beta = row == 0 ? T(0) : T(1);
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      OwnBlock<T>& block = blocks[b];
      const View<T> sum = block.on_diagonal.is_empty()
                              ? G.block(array.rows().local(block.rows.begin), array.cols().local(block.cols.begin),
                                        block.rows.size(), block.cols.size())
                              : View<T>(block.on_diagonal);
      gemm(Op::transpose, Op::none, T(1), of(block.rows), of(block.cols), beta, sum);
    }
    if (!crosses) return;
    for (const Nodes& rows : new_rows)
      gemm(Op::transpose, Op::none, T(1), of(rows),
           samples.targets.template in<T>().block(row, 0, A.rows, samples.targets.cols()), T(1),
           View<T>(products.cross).block(rows.begin - first, 0, rows.size(), samples.targets.cols()));
  });
  for (const OwnBlock<T>& block : blocks) {
    if (block.on_diagonal.is_empty()) continue;
    for (uword j = block.cols.begin; j < block.cols.end; ++j) {
      for (uword i = block.rows.begin; i < block.rows.end; ++i) {
        const T g = block.on_diagonal(i - block.rows.begin, j - block.cols.begin);
        if (i > j) G(array.rows().local(i), array.cols().local(j)) = g;
        if (i == j) products.diagonal(i - first) = g;
      }
    }
  }
}

template void gram_over_nodes(const SharedSamples<double>&, uword, uword, NewProducts<double>);
template void gram_over_nodes(const SharedSamples<float>&, uword, uword, NewProducts<float>);

}  // namespace elmx
