#include "base/config/fields.hpp"
#include "solvers/one_node/one_node_growth.hpp"

namespace elmx {
namespace {

// The algorithms of one node as a plain MATLAB program of the paper computes them ("products": "full"), to
// compare times with the published times. Each equation is computed as printed:
//
//   - Every matrix is a full array: Q without using its symmetry, L with its unit diagonal and its zeros, and
//     D as the matrix that (33b) writes. A matrix times a vector is a general product, and a chain of factors
//     is multiplied starting from the vector.
//   - A column times a row is a separate matrix, and each sum, difference and quotient of matrices is a pass
//     over all of their numbers. The result overwrites an operand that is no longer needed, if there is one,
//     and is a new array otherwise.
//   - [B b], [W w], [Q t; t' tau] and the factors of (33) are new arrays into which the old ones are copied.
//   - Table I says how often a product is formed: H h and h'B twice in the existing algorithm, h'B once in
//     algorithm 1. Q p and L D L'p, which Table I does not count, are formed once.
//   - H is not copied: the nodes are drawn before growth begins, as for all algorithms.
//
// Products and passes run on the threads of elmx. Up to rounding, the weights equal the symmetric forms.

/// Calls each(j) for every column of a matrix with `entries` entries.
template <class F>
void for_each_column(uword columns, uword entries, const F& each) {
#pragma omp parallel for schedule(static) if (entries > kSerialWrites)
  for (uword j = 0; j < columns; ++j) each(j);
}

/// Returns op(M) x.
template <class T>
arma::Col<T> product(Op op, View<const std::type_identity_t<T>> M, const T* x) {
  arma::Col<T> y(op == Op::none ? M.rows : M.cols, arma::fill::none);
  gemv(op, T(1), M, x, T(0), y.memptr());
  return y;
}

/// Returns x y', m x n.
template <class T>
arma::Mat<T> outer(const arma::Col<T>& x, const arma::Col<T>& y) {
  const uword m = x.n_elem;
  arma::Mat<T> P(m, y.n_elem, arma::fill::none);
  for_each_column(P.n_cols, P.n_elem, [&](uword j) {
    const T *from = x.memptr(), factor = y.memptr()[j];
    T* to = P.colptr(j);
    for (uword i = 0; i < m; ++i) to[i] = from[i] * factor;
  });
  return P;
}

/// Returns g M.
template <class T>
arma::Mat<T> times(T g, View<const std::type_identity_t<T>> M) {
  arma::Mat<T> P(M.rows, M.cols, arma::fill::none);
  for_each_column(M.cols, P.n_elem, [&](uword j) {
    const T *from = M.col(j).data, factor = g;
    T* to = P.colptr(j);
    for (uword i = 0; i < M.rows; ++i) to[i] = factor * from[i];
  });
  return P;
}

/// Computes M /= g.
template <class T>
void divide(arma::Mat<T>& M, T g) {
  for_each_column(M.n_cols, M.n_elem, [&](uword j) {
    const T divisor = g;
    T* column = M.colptr(j);
    for (uword i = 0; i < M.n_rows; ++i) column[i] /= divisor;
  });
}

/// Returns M + x y'.
template <class T>
arma::Mat<T> with_product(View<const std::type_identity_t<T>> M, const arma::Col<T>& x, const arma::Col<T>& y) {
  arma::Mat<T> sum = outer(x, y);
  add(T(1), M, View<T>(sum));
  return sum;
}

/// Returns [M column].
template <class T>
arma::Mat<T> with_column(const arma::Mat<T>& M, const arma::Col<T>& column) {
  arma::Mat<T> wider(M.n_rows, M.n_cols + 1, arma::fill::none);
  for_each_column(wider.n_cols, wider.n_elem, [&](uword j) {
    std::copy_n(j < M.n_cols ? M.colptr(j) : column.memptr(), M.n_rows, wider.colptr(j));
  });
  return wider;
}

/// Returns [M column; row corner].
template <class T>
arma::Mat<T> bordered(const arma::Mat<T>& M, const arma::Col<T>& column, const arma::Col<T>& row, T corner) {
  const uword l = M.n_rows;
  arma::Mat<T> larger(l + 1, l + 1, arma::fill::none);
  for_each_column(l + 1, larger.n_elem, [&](uword j) {
    std::copy_n(j < l ? M.colptr(j) : column.memptr(), l, larger.colptr(j));
    larger.colptr(j)[l] = j < l ? row.memptr()[j] : corner;
  });
  return larger;
}

/// The existing algorithm, eqs. (13)-(16).   State: B, K x l; W: M x l.
template <class T>
class FullExisting final : public PseudoInverseByNode<T> {
 public:
  using PseudoInverseByNode<T>::PseudoInverseByNode;
  std::unique_ptr<OneNodeGrowth<T>> copy() const override { return std::make_unique<FullExisting>(*this); }
  void assign(const OneNodeGrowth<T>& other) override { *this = dynamic_cast<const FullExisting&>(other); }

 private:
  [[nodiscard]] Status step(const T* hidden, const T* p, T g) override {
    const uword K = this->A_.rows, l = this->l_;
    const View<const T> B = View<const T>(this->B_).head_cols(l);
    const arma::Col<T> h(hidden, K), u = product(Op::none, B, p);  // u = B (H h)
    const T hu = dot(K, h.memptr(), u.memptr());
    const T denominator = g - hu;
    if (!(denominator > 0)) return Status::not_positive_definite;

    // (g I - h h') u (h'B) / (g (g - h'u)): u is projected before it becomes a matrix, as in Existing
    arma::Mat<T> next = outer<T>(g * u - hu * h, product(Op::transpose, B, h.memptr()));
    divide(next, g * denominator);
    arma::Mat<T> other = times(g, B);
    add(T(-1), outer(h, product(Op::transpose, B, h.memptr())), View<T>(other));
    divide(other, g);                 // (g I - h h') B / g
    add(T(1), other, View<T>(next));  // B~ (15)
    other.reset();

    const arma::Col<T> q = product(Op::transpose, this->H(), h.memptr());
    const arma::Col<T> b = (h - product(Op::none, next, q.memptr())) / g;  // (16)
    this->B_ = with_column(next, b);                                       // (14)
    this->W_.set_size(this->targets_.cols, l + 1);
    gemm(Op::transpose, Op::none, T(1), this->targets_, this->B_, T(0), View<T>(this->W_));  // W = Y B (13)
    return Status::ok;
  }
};

/// Algorithm 1, eqs. (25)-(29).   State: B, K x l; W: M x l.
template <class T>
class FullAlg1 final : public PseudoInverseByNode<T> {
 public:
  using PseudoInverseByNode<T>::PseudoInverseByNode;
  std::unique_ptr<OneNodeGrowth<T>> copy() const override { return std::make_unique<FullAlg1>(*this); }
  void assign(const OneNodeGrowth<T>& other) override { *this = dynamic_cast<const FullAlg1&>(other); }

 private:
  [[nodiscard]] Status step(const T* hidden, const T* p, T g) override {
    const uword K = this->A_.rows, l = this->l_;
    const View<const T> B = View<const T>(this->B_).head_cols(l), W = View<const T>(this->W_).head_cols(l);
    const arma::Col<T> h(hidden, K), s = product(Op::transpose, B, hidden);  // s = h'B
    const T denominator = g - dot(l, s.memptr(), p);
    if (!(denominator > 0)) return Status::not_positive_definite;
    const T tau = T(1) / denominator;  // (27)

    const arma::Col<T> b = tau * (h - product(Op::none, B, p));                 // (25)
    const arma::Col<T> w = product(Op::transpose, this->targets_, b.memptr());  // w = Y b (29b)
    this->W_ = with_column<T>(with_product<T>(W, -w, s), w);                    // W~ = W - w s (29a), (28)
    this->B_ = with_column<T>(with_product<T>(B, -b, s), b);                    // B~ = B - b s (26), (14)
    return Status::ok;
  }
};

/// Algorithm 2, eqs. (22), (24) and (30).
template <class T>
class FullAlg2 final : public OneNodeGrowth<T> {
 public:
  using OneNodeGrowth<T>::OneNodeGrowth;
  std::unique_ptr<OneNodeGrowth<T>> copy() const override { return std::make_unique<FullAlg2>(*this); }
  void assign(const OneNodeGrowth<T>& other) override { *this = dynamic_cast<const FullAlg2&>(other); }
  void apply_inverse(uword, View<T> X) const override {
    const arma::Mat<T> B = X.copy();
    gemm(Op::none, Op::none, T(1), Q_, B, T(0), X);
  }

 private:
  void initialise(const arma::Mat<T>& Q) override { Q_ = Q; }
  [[nodiscard]] Status step(const T* h, const T* p, T g) override {
    const uword l = this->l_;
    const arma::Col<T> q = product(Op::none, Q_, p);  // Q p
    const T denominator = g - dot(l, p, q.memptr());
    if (!(denominator > 0)) return Status::not_positive_definite;
    const T tau = T(1) / denominator;  // (24a)
    const arma::Col<T> t = -tau * q;   // (24b)

    const View<const T> W = View<const T>(this->W_).head_cols(l);
    const arma::Col<T> w = this->new_output_weights(h, p, tau);    // (30b)
    this->W_ = with_column<T>(with_product<T>(W, w / tau, t), w);  // (30a), (28)
    Q_ = bordered<T>(with_product<T>(Q_, t / tau, t), t, t, tau);  // (24c), (22)
    return Status::ok;
  }

  arma::Mat<T> Q_;  // (H H' + k0^2 I)^-1, l x l
};

/// Algorithm 3, eqs. (33), (34) and (36).
template <class T>
class FullAlg3 final : public OneNodeGrowth<T> {
 public:
  using OneNodeGrowth<T>::OneNodeGrowth;
  std::unique_ptr<OneNodeGrowth<T>> copy() const override { return std::make_unique<FullAlg3>(*this); }
  void assign(const OneNodeGrowth<T>& other) override { *this = dynamic_cast<const FullAlg3&>(other); }
  void apply_inverse(uword, View<T> X) const override {
    const auto multiply = [&](Op op, const arma::Mat<T>& M) {
      const arma::Mat<T> B = X.copy();
      gemm(op, Op::none, T(1), M, B, T(0), X);
    };
    multiply(Op::transpose, L_);
    multiply(Op::none, D_);
    multiply(Op::none, L_);
  }

 private:
  void initialise(const arma::Mat<T>& Q) override {
    arma::Col<T> d(this->l_);
    L_.eye(this->l_, this->l_);
    factor_inverse(Q, View<T>(L_), d.memptr());
    D_ = arma::diagmat(d);
  }

  [[nodiscard]] Status step(const T* h, const T* p, T g) override {
    const uword l = this->l_;
    const arma::Col<T> d = product(Op::none, D_, product(Op::transpose, L_, p).memptr());  // D L'p
    const arma::Col<T> q = product(Op::none, L_, d.memptr());                              // L D L'p = Q p
    const T denominator = g - dot(l, p, q.memptr());
    if (!(denominator > 0)) return Status::not_positive_definite;
    const T tau = T(1) / denominator;  // (34b)
    const arma::Col<T> t = -q;         // (34a)

    const View<const T> W = View<const T>(this->W_).head_cols(l);
    const arma::Col<T> w = this->new_output_weights(h, p, tau);  // (30b)
    this->W_ = with_column<T>(with_product<T>(W, w, t), w);      // W~ = W + w t' (36), (28)
    const arma::Col<T> zeros(l);
    L_ = bordered<T>(L_, t, zeros, T(1));     // (33a)
    D_ = bordered<T>(D_, zeros, zeros, tau);  // (33b)
    return Status::ok;
  }

  arma::Mat<T> L_, D_;  // L D L' = (H H' + k0^2 I)^-1, each l x l: unit upper triangular, and diagonal
};

}  // namespace

void ProductOptions::fields(FieldVisitor& field) {
  field("products", products,
        "how existing, alg1, alg2 and alg3 compute a step: with symmetric and triangular products and arrays that grow "
        "in place (symmetric), or each equation as it is printed, like a plain MATLAB program with full matrices and a "
        "new array for each matrix that grows (full); symmetric",
        one_of({"symmetric", "full"}));
}

template <class T>
std::unique_ptr<OneNodeGrowth<T>> make_full_recursion(NodeRecursion which, View<const T> A, View<const T> targets,
                                                      double lambda) {
  switch (which) {
    case NodeRecursion::existing:
      return std::make_unique<FullExisting<T>>(A, targets, lambda);
    case NodeRecursion::alg1:
      return std::make_unique<FullAlg1<T>>(A, targets, lambda);
    case NodeRecursion::alg2:
      return std::make_unique<FullAlg2<T>>(A, targets, lambda);
    case NodeRecursion::alg3:
      break;
  }
  return std::make_unique<FullAlg3<T>>(A, targets, lambda);
}

template std::unique_ptr<OneNodeGrowth<double>> make_full_recursion(NodeRecursion, View<const double>,
                                                                    View<const double>, double);
template std::unique_ptr<OneNodeGrowth<float>> make_full_recursion(NodeRecursion, View<const float>, View<const float>,
                                                                   double);

}  // namespace elmx
