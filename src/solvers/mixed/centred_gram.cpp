#include "solvers/mixed/centred_gram.hpp"

#include <algorithm>

#include "base/machine/machine.hpp"
#include "solvers/blocks/direct_ridge.hpp"
#include "solvers/mixed/centred_matrix.hpp"

namespace elmx {
namespace {

constexpr uword kRowsAtOnce = 2048;  // rows of B at once
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
  A_.for_each_block(n, [&](uword first, View<const T> block) {
    for (uword i = 0; i < block.rows; i += kRowsAtOnce) {
      const View<const T> some = block.block(i, 0, std::min(kRowsAtOnce, block.rows - i), n);
      const uword row = first + i;
      const View<float> centred = View<float>(B).block(0, 0, some.rows, n);
      centre(some, m_, centred);
      G_.add_gram(first_new_, centred, row == 0 ? 0.0f : 1.0f);
      wide_gemm(Op::transpose, 1.0, some.block(0, from, some.rows, n - from), targets().block(row, 0, some.rows, c),
                row == 0 ? 0.0 : 1.0, View<double>(AY_).block(from, 0, n - from, c));
    }
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
bool CentredGram<T>::room_for_double() const {
  const auto n = static_cast<double>(columns());
  return 8 * n * n <= available_memory();
}

template <class T>
std::unique_ptr<GrowingRidge<double>> CentredGram<T>::InDouble::solver(double lambda) {
  return std::make_unique<DirectRidge<double>>(lambda, gram);
}

template <class T>
typename CentredGram<T>::InDouble& CentredGram<T>::in_double() {
  if (!in_double_) {
    const TallMatrix<double>* A = nullptr;
    if constexpr (std::same_as<T, double>) {
      A = &A_;
    } else {
      widened_ = std::make_unique<WidenedMatrix>(A_);
      A = widened_.get();
    }
    in_double_ = std::make_unique<InDouble>(
        InDouble{RidgeProducts<double>(*A, targets(), Products::gram), GramMatrix<double>(A_.cols())});
  }
  if (const uword missing = columns() - in_double_->gram.size(); missing > 0) {
    in_double_->products.advance(missing);
    in_double_->gram.extend(in_double_->products);
  }
  return *in_double_;
}

template class CentredGram<double>;
template class CentredGram<float>;

}  // namespace elmx
