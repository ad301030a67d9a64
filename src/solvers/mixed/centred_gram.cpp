#include "solvers/mixed/centred_gram.hpp"

#include <algorithm>

#include "solvers/blocks/block_solvers.hpp"

namespace elmx {
namespace {

constexpr uword kRowsAtOnce = 2048;  // rows of B at once

}  // namespace

template <class T>
void centre(View<const T> A, const arma::vec& m, View<float> B) {
#pragma omp parallel for schedule(static)
  for (uword j = 0; j < A.cols; ++j) {
    const T* a = &A(0, j);
    float* b = &B(0, j);
    const T mean = static_cast<T>(m(j)), rest = static_cast<T>(m(j) - static_cast<double>(mean));
    for (uword i = 0; i < A.rows; ++i) b[i] = static_cast<float>((a[i] - mean) - rest);
  }
}

template <class T>
void add_column_sums(View<const T> A, double* sums) {
#pragma omp parallel for schedule(static)
  for (uword j = 0; j < A.cols; ++j) {
    const T* a = &A(0, j);
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (uword i = 0; i < A.rows; ++i) sum += static_cast<double>(a[i]);
    sums[j] += sum;
  }
}

template <class T>
void CentredMatrix<T>::for_each_block(uword k, const Visit& visit) const {
  arma::fmat B(std::min(kRowsAtOnce, A_.rows()), k, arma::fill::none);
  A_.for_each_part(k, kRowsAtOnce, [&](uword first, View<const T> some) {
    const View<float> centred = View<float>(B).block(0, 0, some.rows, k);
    centre(some, m_, centred);
    visit(first, centred);
  });
}

template <class T>
std::unique_ptr<TallMatrix<float>> CentredMatrix<T>::leading(uword rows, uword cols) const {
  return std::make_unique<CentredMatrix>(A_.leading(rows, cols), m_);
}

template void centre(View<const double>, const arma::vec&, View<float>);
template void centre(View<const float>, const arma::vec&, View<float>);
template void add_column_sums(View<const double>, double*);
template void add_column_sums(View<const float>, double*);
template class CentredMatrix<double>;
template class CentredMatrix<float>;

namespace {

// There are a few panels, so that little memory lies below the diagonal.
constexpr uword kNarrowest = 64, kWidest = 512;
constexpr uword kPanels = 4;

uword width_for(uword columns) { return std::clamp<uword>(columns / kPanels, kNarrowest, kWidest); }

}  // namespace

template <class T>
CentredGram<T>::CentredGram(const TallMatrix<T>& A, RidgeTargets<T> targets, bool keep)
    : A_(A), targets_(std::move(targets)), keep_(keep), G_(width_for(A.cols())) {}

template <class T>
void CentredGram<T>::extend(uword q) {
  const uword k = columns();
  expects(k + q <= A_.cols(), "CentredGram: the columns exist");
  first_new_ = G_.count();
  if (!keep_) G_.forget_before(first_new_);
  G_.append(q);
  m_.resize(k + q);
  diagonal_.resize(k + q);
  AY_.resize(k + q, targets_.cols());
  add_mean(k);
  add_products(k);
}

template <class T>
void CentredGram<T>::restart(uword columns) {
  G_.clear();
  m_.reset();
  squares_ = 0;
  extend(columns);
}

template <class T>
void CentredGram<T>::add_mean(uword from) {
  const uword n = columns();
  m_.tail(n - from).zeros();
  A_.for_each_block(n, [&](uword, View<const T> block) {
    add_column_sums(block.block(0, from, block.rows, n - from), m_.memptr() + from);
  });
  m_.tail(n - from) /= samples();
}

template <class T>
void CentredGram<T>::add_products(uword from) {
  const uword n = columns(), c = targets_.cols();
  arma::fmat B(std::min(kRowsAtOnce, A_.rows()), n, arma::fill::none);
  A_.for_each_part(n, kRowsAtOnce, [&](uword row, View<const T> some) {
    const View<float> centred = View<float>(B).block(0, 0, some.rows, n);
    centre(some, m_, centred);
    G_.add_gram(first_new_, centred, row == 0 ? 0.0f : 1.0f);
    wide_gemm(Op::transpose, 1.0, some.block(0, from, some.rows, n - from), targets().block(row, 0, some.rows, c),
              row == 0 ? 0.0 : 1.0, View<double>(AY_).block(from, 0, n - from, c));
  });
  for (std::size_t p = first_new_; p < G_.count(); ++p) {
    const uword begin = G_.begin(p);
    for (uword j = begin; j < G_.end(p); ++j) {
      diagonal_(j) = static_cast<double>(G_.panel(p)(j, j - begin));
      squares_ += diagonal_(j) + samples() * m_(j) * m_(j);
    }
  }
}

template <class T>
std::unique_ptr<GrowingRidge<double>> CentredGram<T>::InDouble::solver(double lambda) {
  return std::make_unique<DirectRidge<double>>(lambda, gram);
}

template <class T>
typename CentredGram<T>::InDouble& CentredGram<T>::in_double() {
  if (!in_double_) {
    const TallMatrix<double>& A = in_doubles(A_, widened_);
    in_double_ = std::make_unique<InDouble>(
        InDouble{RidgeProducts<double>(A, targets(), Products::gram), GramMatrix<double>(A_.cols())});
  }
  if (const uword missing = columns() - in_double_->gram.size(); missing > 0) {
    in_double_->products.advance(missing);
    in_double_->gram.extend(in_double_->products);
  }
  return *in_double_;
}

template class CentredGram<double>;
template class CentredGram<float>;

template <class T>
void PanelFactor::extend(const CentredGram<T>& gram, bool anew) {
  if (anew) U_.clear();
  first_ = U_.count();
  expects(first_ == (anew ? 0 : gram.first_new()), "PanelFactor: one step behind the products");
  U_.append_like(gram.panels(), first_);
}

template <class T>
Status PanelFactor::factorise(const CentredGram<T>& gram, const arma::vec& e, double unit) {
  const arma::fvec scale = arma::conv_to<arma::fvec>::from(e);
  for (std::size_t p = first_; p < U_.count(); ++p) {
    const View<const float> G = gram.panels().panel(p);
    const View<float> M = U_.panel(p);
    const uword begin = U_.begin(p);
#pragma omp parallel for schedule(static)
    for (uword j = 0; j < M.cols; ++j) {
      const float of_column = scale(begin + j);
      for (uword i = 0; i < begin + j; ++i) M(i, j) = G(i, j) * scale(i) * of_column;
      M(begin + j, j) = static_cast<float>(unit);
    }
  }
  return kind_ == FactorForm::Kind::cholesky ? U_.cholesky(first_) : U_.inverse_cholesky(first_);
}

void PanelFactor::apply(View<double> X) const { kind_ == FactorForm::Kind::cholesky ? U_.solve(X) : U_.multiply(X); }

template void PanelFactor::extend(const CentredGram<double>&, bool);
template void PanelFactor::extend(const CentredGram<float>&, bool);
template Status PanelFactor::factorise(const CentredGram<double>&, const arma::vec&, double);
template Status PanelFactor::factorise(const CentredGram<float>&, const arma::vec&, double);

}  // namespace elmx
