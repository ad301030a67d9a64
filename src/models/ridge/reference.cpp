#include "models/ridge/reference.hpp"

#include "solvers/blocks/standard.hpp"

namespace elmx {

template <class T>
Status solve_reference(const std::string& kind, const TallMatrix<T>& A, const RidgeTargets<T>& targets, double lambda,
                       uword columns, Reference& reference) {
  if (kind == "qr") return solve_by_qr(A, targets.template in<double>(), lambda, columns, reference);
  Standard<double, T> standard(lambda, targets);
  RidgeProducts<T> products(A, targets.template in<T>(), Products::none);
  products.advance(columns);
  const Status status = standard.grow(products);
  reference.weights = standard.wide_weights();
  reference.condition = standard.condition();
  return status;
}

template Status solve_reference(const std::string&, const TallMatrix<double>&, const RidgeTargets<double>&, double,
                                uword, Reference&);
template Status solve_reference(const std::string&, const TallMatrix<float>&, const RidgeTargets<float>&, double, uword,
                                Reference&);

}  // namespace elmx
