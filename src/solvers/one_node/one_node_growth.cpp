#include "solvers/one_node/one_node_growth.hpp"

#include "linalg/blas.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/gram.hpp"

namespace elmx {

template <class T>
Status OneNodeGrowth<T>::grow(const RidgeProducts<T>& products) {
  const uword l = products.old_nodes(), q = products.added();
  expects(l == l_ && l + q <= A_.cols && (l == 0 || q == 1),
          "OneNodeGrowth: one step behind the products, within capacity, one node a step");
  if (l == 0) return start(q);
  const T* h = A_.col(l).data;
  gemv(Op::transpose, T(1), H(), h, T(0), p_.memptr());  // p = H h (21)
  const T g = dot(A_.rows, h, h) + static_cast<T>(lambda_);
  if (const Status status = step(h, p_.memptr(), g); status != Status::ok) return status;
  ++l_;
  return W_.head_cols(l_).is_finite() ? Status::ok : Status::not_finite;
}

template <class T>
Status OneNodeGrowth<T>::start(uword l) {
  l_ = l;
  // R'R = H'H + lambda I,   W' = (R'R)^-1 H'T,   Q = (R'R)^-1
  arma::Mat<T> R(l, l), C(l, targets_.cols), Q(l, l, arma::fill::eye);
  ridge_gram(H(), lambda_, View<T>(R));
  if (const Status status = cholesky(View<T>(R)); status != Status::ok) return status;
  cross_product(H(), targets_, View<T>(C));
  cholesky_solve(View<const T>(R), View<T>(C));
  cholesky_solve(View<const T>(R), View<T>(Q));
  W_.head_cols(l) = C.t();
  initialise(Q);
  return C.is_finite() ? Status::ok : Status::not_finite;
}

template <class T>
arma::Col<T> OneNodeGrowth<T>::new_output_weights(const T* h, const T* p, T tau) const {
  arma::Col<T> w(targets_.cols);
  gemv(Op::transpose, T(1), targets_, h, T(0), w.memptr());                                          // Y h
  gemv(Op::none, T(-1), View<const T>(W_.memptr(), W_.n_rows, l_, W_.n_rows), p, T(1), w.memptr());  // - W p
  w *= tau;
  return w;
}

template <class T>
void factor_inverse(arma::Mat<T> Q, View<T> L, T* d) {
  // From the last column up: d_j = Q_jj, l_j = Q_*j / d_j, then Q -= d_j l_j l_j' on the remaining columns.
  for (uword j = Q.n_cols; j-- > 0;) {
    d[j] = Q(j, j);
    T* column = L.col(j).data;
    for (uword i = 0; i < j; ++i) column[i] = Q(i, j) / d[j];
    ger(-d[j], column, column, View<T>(Q).block(0, 0, j, j));
  }
}

template class OneNodeGrowth<double>;
template class OneNodeGrowth<float>;

namespace {

/// The inverse-free algorithm of Li et al. (2016), eqs. (13)-(16): the baseline of the speed-ups.
///
/// Cost of a step: 16 l K + 2 M l K flops, the eight products of (15) and (16) as printed (H h and h'B occur
/// twice and are formed twice), and W recomputed in full by (13).
template <class T>
class Existing final : public PseudoInverseByNode<T> {
 public:
  Existing(View<const T> A, View<const T> targets, double lambda)
      : PseudoInverseByNode<T>(A, targets, lambda), D_(A.rows, A.cols, arma::fill::none) {}
  std::unique_ptr<OneNodeGrowth<T>> copy() const override { return std::make_unique<Existing>(*this); }
  void assign(const OneNodeGrowth<T>& other) override { *this = dynamic_cast<const Existing&>(other); }

 private:
  [[nodiscard]] Status step(const T* h, const T* p, T g) override {
    const uword K = this->A_.rows, l = this->l_;
    const View<T> B = View<T>(this->B_).head_cols(l), D = View<T>(D_).head_cols(l);
    arma::Col<T> v(K), s(l), q(l);
    gemv(Op::none, T(1), B, p, T(0), v.memptr());  // u = B (H h)
    const T hu = dot(K, h, v.memptr());
    const T denominator = g - hu;
    if (!(denominator > 0)) return Status::not_positive_definite;

    // D = (g I - h h') u (h'B) / (g (g - h'u)): u is projected before it becomes a matrix. Multiplying by (g
    // I - h h') last would cancel l K numbers of size 1 / (g - h'u) and lose 1 to 2 digits.
    axpy(K, -hu / g, h, v.memptr());
    v /= denominator;
    gemv(Op::transpose, T(1), B, h, T(0), s.memptr());
#pragma omp parallel for schedule(static) if (K * l > kSerialWrites)
    for (uword j = 0; j < l; ++j) {
      for (uword i = 0; i < K; ++i) D(i, j) = v(i) * s(j);
    }
    // B~ = D + (g I - h h') B / g (15)
    gemv(Op::transpose, T(1), B, h, T(0), s.memptr());
    ger(T(-1) / g, h, s.memptr(), B);
    add(T(1), D, B);

    // b = (h - B~ (H h)) / g (16), B = [B~ b] (14), W = Y B (13)
    gemv(Op::transpose, T(1), this->H(), h, T(0), q.memptr());
    T* b = this->B_.colptr(l);
    std::copy_n(h, K, b);
    gemv(Op::none, T(-1) / g, B, q.memptr(), T(1) / g, b);
    gemm(Op::transpose, Op::none, T(1), this->targets_, View<T>(this->B_).head_cols(l + 1), T(0),
         View<T>(this->W_).head_cols(l + 1));
    return Status::ok;
  }

  arma::Mat<T> D_;  // K x capacity, the first term of (15)
};

/// Algorithm 1 of the inverse-free ELM paper: updates the regularised pseudo-inverse, eqs. (25)-(29).
///
/// Cost of a step: 6 l K + 2 M K flops in products, and the rank-one update (26).
template <class T>
class Alg1 final : public PseudoInverseByNode<T> {
 public:
  using PseudoInverseByNode<T>::PseudoInverseByNode;
  std::unique_ptr<OneNodeGrowth<T>> copy() const override { return std::make_unique<Alg1>(*this); }
  void assign(const OneNodeGrowth<T>& other) override { *this = dynamic_cast<const Alg1&>(other); }

 private:
  [[nodiscard]] Status step(const T* h, const T* p, T g) override {
    const uword K = this->A_.rows, l = this->l_;
    const View<T> B = View<T>(this->B_).head_cols(l);
    arma::Col<T> s(l), w(this->targets_.cols);
    gemv(Op::transpose, T(1), B, h, T(0), s.memptr());  // s = h'B
    const T denominator = g - dot(l, s.memptr(), p);
    if (!(denominator > 0)) return Status::not_positive_definite;
    const T tau = T(1) / denominator;  // (27)

    T* b = this->B_.colptr(l);
    std::copy_n(h, K, b);
    gemv(Op::none, -tau, B, p, tau, b);  // b = tau (h - B p) (25)
    ger(T(-1), b, s.memptr(), B);        // B~ = B - b s (26)

    gemv(Op::transpose, T(1), this->targets_, b, T(0), w.memptr());      // w = Y b (29b)
    ger(T(-1), w.memptr(), s.memptr(), View<T>(this->W_).head_cols(l));  // W~ = W - w s (29a)
    this->W_.col(l) = w;
    return Status::ok;
  }
};

/// Algorithm 2 of the inverse-free ELM paper: updates the unique inverse, eqs. (24) and (30).
///
/// State: Q = (H H' + k0^2 I)^-1, l x l, its upper triangle; W: M x l. Cost of a step: 2 l K + 2 M K flops,
/// and O(l^2) for Q. The paper reports the drift of the recursive inverse (about 1e-6 after 500 steps), so it
/// is not corrected.
template <class T>
class Alg2 final : public OneNodeGrowth<T> {
 public:
  Alg2(View<const T> A, View<const T> targets, double lambda)
      : OneNodeGrowth<T>(A, targets, lambda), Q_(A.cols, A.cols) {}
  std::unique_ptr<OneNodeGrowth<T>> copy() const override { return std::make_unique<Alg2>(*this); }
  void assign(const OneNodeGrowth<T>& other) override { *this = dynamic_cast<const Alg2&>(other); }
  void apply_inverse(uword, View<T> X) const override {
    const arma::Mat<T> Q = arma::symmatu(Q_.submat(0, 0, arma::size(X.rows, X.rows))), B = X.copy();
    gemm(Op::none, Op::none, T(1), Q, B, T(0), X);
  }

 private:
  void initialise(const arma::Mat<T>& Q) override {
    if (!Q.is_empty()) Q_.submat(0, 0, this->l_ - 1, this->l_ - 1) = Q;
  }

  [[nodiscard]] Status step(const T* h, const T* p, T g) override {
    const uword l = this->l_;
    const View<T> Q = View<T>(Q_).block(0, 0, l, l);
    arma::Col<T> t(l);
    symv(Q, p, t.memptr());  // Q p
    const T denominator = g - dot(l, p, t.memptr());
    if (!(denominator > 0)) return Status::not_positive_definite;
    const T tau = T(1) / denominator;  // (24a)
    t *= -tau;                         // (24b)

    const arma::Col<T> w = this->new_output_weights(h, p, tau);               // (30b)
    ger(T(1) / tau, w.memptr(), t.memptr(), View<T>(this->W_).head_cols(l));  // (30a)
    this->W_.col(l) = w;

    syr(T(1) / tau, t.memptr(), Q);            // Q~ = Q + t t' / tau (24c)
    std::copy_n(t.memptr(), l, Q_.colptr(l));  // (22)
    Q_(l, l) = tau;
    return Status::ok;
  }

  arma::Mat<T> Q_;  // capacity x capacity
};

/// Algorithm 3 of the inverse-free ELM paper: updates the inverse LDL' factors, eqs. (31)-(36).
///
/// State: L unit upper triangular and D diagonal with L D L' = Q = (H H' + k0^2 I)^-1; W: M x l.
/// Cost of a step: 2 l K + 2 M K flops, and 2 l^2 for the triangular products. L and D are only appended to.
template <class T>
class Alg3 final : public OneNodeGrowth<T> {
 public:
  Alg3(View<const T> A, View<const T> targets, double lambda)
      : OneNodeGrowth<T>(A, targets, lambda), L_(A.cols, A.cols), D_(A.cols) {}
  std::unique_ptr<OneNodeGrowth<T>> copy() const override { return std::make_unique<Alg3>(*this); }
  void assign(const OneNodeGrowth<T>& other) override { *this = dynamic_cast<const Alg3&>(other); }
  void apply_inverse(uword, View<T> X) const override {
    const View<const T> L = View<const T>(L_).block(0, 0, X.rows, X.rows);
    trmm(Op::transpose, L, X, T(1), true);
    scale_rows(D_.memptr(), X);
    trmm(Op::none, L, X, T(1), true);
  }

 private:
  void initialise(const arma::Mat<T>& Q) override {
    factor_inverse(Q, View<T>(L_).block(0, 0, this->l_, this->l_), D_.memptr());
  }

  [[nodiscard]] Status step(const T* h, const T* p, T g) override {
    const uword l = this->l_;
    const View<const T> L = View<const T>(L_).block(0, 0, l, l);
    arma::Col<T> t(p, l);
    trmv(Op::transpose, true, L, t.memptr());     // L'p
    for (uword i = 0; i < l; ++i) t(i) *= D_(i);  // D L'p
    trmv(Op::none, true, L, t.memptr());          // L D L'p = Q p
    const T denominator = g - dot(l, p, t.memptr());
    if (!(denominator > 0)) return Status::not_positive_definite;
    const T tau = T(1) / denominator;  // (34b)
    t *= T(-1);                        // (34a)

    const arma::Col<T> w = this->new_output_weights(h, p, tau);         // (30b)
    ger(T(1), w.memptr(), t.memptr(), View<T>(this->W_).head_cols(l));  // W~ = W + w t' (36)
    this->W_.col(l) = w;

    std::copy_n(t.memptr(), l, L_.colptr(l));  // (33a)
    D_(l) = tau;                               // (33b)
    return Status::ok;
  }

  arma::Mat<T> L_;  // capacity x capacity, strict upper triangle; the unit diagonal is implied
  arma::Col<T> D_;  // capacity
};

}  // namespace

template <class T>
std::unique_ptr<OneNodeGrowth<T>> make_recursion(NodeRecursion which, View<const T> A, View<const T> targets,
                                                 double lambda) {
  switch (which) {
    case NodeRecursion::existing:
      return std::make_unique<Existing<T>>(A, targets, lambda);
    case NodeRecursion::alg1:
      return std::make_unique<Alg1<T>>(A, targets, lambda);
    case NodeRecursion::alg2:
      return std::make_unique<Alg2<T>>(A, targets, lambda);
    case NodeRecursion::alg3:
      break;
  }
  return std::make_unique<Alg3<T>>(A, targets, lambda);
}

template void factor_inverse(arma::mat, View<double>, double*);
template void factor_inverse(arma::fmat, View<float>, float*);
template std::unique_ptr<OneNodeGrowth<double>> make_recursion(NodeRecursion, View<const double>, View<const double>,
                                                               double);
template std::unique_ptr<OneNodeGrowth<float>> make_recursion(NodeRecursion, View<const float>, View<const float>,
                                                              double);

}  // namespace elmx
