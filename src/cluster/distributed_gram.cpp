#include "cluster/distributed_gram.hpp"

#include <vector>

#include "cluster/ranks.hpp"

namespace elmx {

template <class T>
void DistributedGram<T>::extend(uword q) {
  const uword k = columns();
  expects(k + q <= array_.capacity(), "DistributedGram: within capacity");
  arma::Col<T> diagonal(q);
  arma::Mat<T> cross(q, samples_.targets.cols());
  const NewProducts<T> products{array_, diagonal, cross};
  samples_.over == GramOver::nodes ? gram_over_nodes(samples_, k, q, products)
                                   : gram_over_samples(samples_, k, q, products);
  ranks().sum(diagonal.memptr(), diagonal.n_elem);
  ranks().sum(cross.memptr(), cross.n_elem);
  diagonal_ = arma::join_cols(diagonal_, diagonal);
  AY_ = arma::join_cols(AY_, cross);
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
