#include "solvers/mixed/panel_factor.hpp"

namespace elmx {

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
