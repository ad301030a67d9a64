#include "solvers/distributed/distributed_gram.hpp"

#include "base/ranks/ranks.hpp"

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

template class DistributedGram<double>;
template class DistributedGram<float>;

}  // namespace elmx
