#include "solvers/mixed/mixed_ridge.hpp"

#include <algorithm>

#include "base/machine/machine.hpp"

namespace elmx {
namespace {

constexpr std::string_view kInDouble = "double";
constexpr uword kFewProducts = 24;  // cost little for any network whose Gram matrix costs little

/// A product costs 4 N n c flops, the Gram matrix in double N n^2 / 2 more than in single: n / (8 c) of them are even.
uword most_products(uword n, uword c) { return std::max<uword>(kFewProducts, n / (16 * std::max<uword>(c, 1))); }

}  // namespace

template <class T>
Status MixedRidge<T>::grow(const RidgeProducts<T>&) {
  step_ = {};
  if (method_ == kInDouble) return solve_in_double();
  if (refined(form_.anew)) return Status::ok;
  if (form_.anew_if_needed && refined(true)) {
    method_ = "refactorised";
    return Status::ok;
  }
  const double n = static_cast<double>(gram_.columns());
  if (8 * n * n > available_memory()) {
    method_ = "unfinished";
    return W_.n_rows == gram_.columns() && W_.is_finite() ? Status::ok : Status::not_positive_definite;
  }
  return solve_in_double();
}

template <class T>
bool MixedRidge<T>::refined(bool anew) {
  const uword most = most_products(gram_.columns(), gram_.targets().n_cols);
  const Status status = factor_.extend(gram_, anew, most_condition(most));
  step_.shift = factor_.shift();
  if (status != Status::ok) return false;
  Refinement refinement = refine(gram_, lambda_, factor_, most);
  step_.products += refinement.products;
  method_ = refinement.conjugate ? "conjugate gradients" : "refined";
  W_ = std::move(refinement.W);
  return refinement.converged;
}

template <class T>
Status MixedRidge<T>::solve_in_double() {
  method_ = kInDouble;
  if (const Status status = factorise_in_double(); status != Status::ok) return status;
  W_ = in_double_->weights();
  return Status::ok;
}

template <class T>
Status MixedRidge<T>::factorise_in_double() {
  typename CentredGram<T>::InDouble& wide = gram_.in_double();
  if (!in_double_) in_double_.emplace(lambda_, wide.gram);
  return in_double_->grow(wide.products);
}

template <class T>
const HeldInverse<double>* MixedRidge<T>::exact_inverse() {
  const bool known = method_ == kInDouble || factorise_in_double() == Status::ok;
  return known ? &*in_double_ : nullptr;
}

template <class T>
void MixedRidge<T>::apply_inverse(uword first, View<T> X) const {
  arma::mat wide = arma::conv_to<arma::mat>::from(X.copy());
  method_ == kInDouble ? in_double_->apply_inverse(first, View<double>(wide)) : factor_.apply(View<double>(wide));
  for (uword j = 0; j < X.cols; ++j) std::copy_n(wide.colptr(j), X.rows, &X(0, j));
}

template class MixedRidge<double>;
template class MixedRidge<float>;

}  // namespace elmx
