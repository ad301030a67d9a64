#include "cluster/block_cyclic_centred_gram.hpp"

#include <cmath>

#include "cluster/distributed_ridge.hpp"
#include "linalg/tall_matrix.hpp"

namespace elmx {
namespace {

std::unique_ptr<TallMatrix<double>> wide_samples(std::unique_ptr<TallMatrix<double>> A) { return A; }
std::unique_ptr<TallMatrix<double>> wide_samples(std::unique_ptr<TallMatrix<float>> A) {
  return std::make_unique<WidenedMatrix>(std::move(A));
}

}  // namespace

template <class T>
BlockCyclicCentredGram<T>::BlockCyclicCentredGram(uword capacity, const SharedSamples<T>& samples)
    : samples_(samples),
      AY_(0, samples.targets.cols()),
      B_(samples.own, m_),
      of_B_(centred_samples()),
      G_(capacity, of_B_) {}

template <class T>
SharedSamples<float> BlockCyclicCentredGram<T>::centred_samples() const {
  const uword own = samples_.own.rows(), all = samples_.samples;
  return {B_,
          View<const float>(nullptr, own, 0, own),
          all,
          [this](const arma::uvec& nodes) {
            return std::make_unique<CentredMatrix<T>>(samples_.nodes_of_all(nodes), arma::vec(m_(nodes)));
          },
          View<const float>(nullptr, all, 0, all),
          samples_.over};
}

template <class T>
void BlockCyclicCentredGram<T>::extend(uword q) {
  const uword k = columns();
  m_.resize(k + q);
  AY_.resize(k + q, samples_.targets.cols());
  add_means(k);
  G_.extend(q);
  const arma::vec d = diagonal();
  for (uword j = k; j < k + q; ++j) squares_ += d(j) + samples() * m_(j) * m_(j);
}

template <class T>
void BlockCyclicCentredGram<T>::restart(uword columns) {
  m_.set_size(columns);
  AY_.set_size(columns, samples_.targets.cols());
  add_means(0);
  G_.restart(columns);
  squares_ = arma::accu(diagonal()) + samples() * arma::dot(m_, m_);
}

template <class T>
void BlockCyclicCentredGram<T>::add_means(uword from) {
  const uword n = columns(), q = n - from, c = samples_.targets.cols();
  arma::vec sums(q);
  arma::mat cross(q, c);
  samples_.own.for_each_block(n, [&](uword row, View<const T> block) {
    const View<const T> added = block.block(0, from, block.rows, q);
    add_column_sums(added, sums.memptr());
    wide_gemm(Op::transpose, 1.0, added, own_targets().block(row, 0, block.rows, c), 1.0, View<double>(cross));
  });
  ranks().sum(sums.memptr(), sums.n_elem);
  ranks().sum(cross.memptr(), cross.n_elem);
  m_.tail(q) = sums / samples();
  AY_.tail_rows(q) = cross;
}

template <class T>
BlockCyclicCentredGram<T>::InDouble::InDouble(const SharedSamples<T>& of, uword capacity)
    : own(wide_samples(of.own.leading(of.own.rows(), of.own.cols()))),
      samples{*own,
              of.own_targets.template in<double>(),
              of.samples,
              [&of](const arma::uvec& nodes) { return wide_samples(of.nodes_of_all(nodes)); },
              of.targets.template in<double>(),
              of.over},
      gram(capacity, samples),
      products(*own, of.own_targets.template in<double>(), Products::none) {}

template <class T>
std::unique_ptr<GrowingRidge<double>> BlockCyclicCentredGram<T>::InDouble::solver(double lambda) {
  return std::make_unique<DistributedRidge<double>>(lambda, gram, FactorForm{FactorForm::Kind::cholesky, true, false},
                                                    true);
}

template <class T>
typename BlockCyclicCentredGram<T>::InDouble& BlockCyclicCentredGram<T>::in_double() {
  if (!in_double_) in_double_ = std::make_unique<InDouble>(samples_, G_.array().capacity());
  if (const uword missing = columns() - in_double_->gram.columns(); missing > 0) in_double_->gram.extend(missing);
  return *in_double_;
}

template <class T>
Status BlockCyclicFactor::factorise(BlockCyclicCentredGram<T>& gram, const arma::vec& e, double unit) {
  U_->mirror(gram.centred().array(), first_, n_);
  const arma::fvec scale = arma::conv_to<arma::fvec>::from(e);
  const BlockCyclic &rows = U_->rows(), &cols = U_->cols();
  const View<float> M = U_->local();
  for_each_piece(cols, U_->first_of_block(first_), n_, [&](uword begin, uword end) {
#pragma omp parallel for schedule(static)
    for (uword j = begin; j < end; ++j) {
      const uword column = cols.local(j), above = rows.count(j);
      for (uword i = 0; i < above; ++i) M(i, column) *= scale(rows.global(i)) * scale(j);
      if (rows.owns(j)) M(rows.local(j), column) = static_cast<float>(unit);
    }
  });
  return U_->factorise(kind_, first_, n_);
}

void BlockCyclicFactor::apply(View<double> X) const {
  arma::fmat Z(X.rows, X.cols, arma::fill::none);
  arma::rowvec size(X.cols);
  for (uword j = 0; j < X.cols; ++j) {
    for (uword i = 0; i < X.rows; ++i) size(j) = std::max(size(j), std::abs(X(i, j)));
    if (size(j) == 0) size(j) = 1;
    for (uword i = 0; i < X.rows; ++i) Z(i, j) = static_cast<float>(X(i, j) / size(j));
  }
  U_->apply_inverse(kind_, View<float>(Z));
  for (uword j = 0; j < X.cols; ++j) {
    for (uword i = 0; i < X.rows; ++i) X(i, j) = size(j) * static_cast<double>(Z(i, j));
  }
}

template class BlockCyclicCentredGram<double>;
template class BlockCyclicCentredGram<float>;
template Status BlockCyclicFactor::factorise(BlockCyclicCentredGram<double>&, const arma::vec&, double);
template Status BlockCyclicFactor::factorise(BlockCyclicCentredGram<float>&, const arma::vec&, double);

}  // namespace elmx
