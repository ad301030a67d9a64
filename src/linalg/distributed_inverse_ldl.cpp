#include "linalg/distributed_inverse_ldl.hpp"

#include <cmath>
#include <vector>

#include "linalg/blas.hpp"
#include "linalg/inverse_cholesky.hpp"

namespace elmx {
namespace {

template <class T>
View<T> head_rows(View<T> A, uword n) {
  return A.block(0, 0, n, A.cols);
}

/// Factorises column by column with d = 1 / S_ii, f = S_(1:i-1, i), r = S_(i, i+1:n):
///
///     S_(1:i-1, i+1:n) -= d f r,   S_(i+1:n, i+1:n) -= d r'r,   S_(i, i+1:n) = -d r,   S_ii = d
template <class T>
Status inverse_ldl_by_columns(View<T> S) {
  const uword n = S.cols;
  std::vector<T> r(n), dr(n);
  for (uword i = 0; i < n; ++i) {
    if (!is_pivot(S(i, i))) return Status::not_positive_definite;
    const T d = T(1) / S(i, i);
    for (uword j = i + 1; j < n; ++j) {
      r[j] = S(i, j);
      dr[j] = d * r[j];
    }
    eliminate(S, i, r.data(), dr.data(), T(1));
    S(i, i) = d;
  }
  return Status::ok;
}

/// A factorisation in progress.
template <class T>
class LdlOverRanks {
 public:
  LdlOverRanks(View<T> S, const BlockCyclic& layout, uword first, const Communicator& among)
      : S_(S),
        layout_(layout),
        ranks_(among),
        n_(S.rows),
        first_(first),
        above_(S.block(0, layout.count(first), first, S.cols - layout.count(first)).copy()),
        panel_(n_ * layout.block),
        own_(layout.block * S.cols),
        gathered_(layout.block * n_),
        all_(layout.block * n_) {}

  /// Processes the columns begin .. end - 1, which lie in one block, all before or all from `first` on.
  Status step(uword begin, uword end) {
    const View<T> L = factor(begin, end);
    std::vector<T> D;
    for (uword j = begin; j < end; ++j) D.push_back(L(j, j - begin));
    for (const T d : D) {
      if (!(d > 0)) return Status::not_positive_definite;
    }
    if (std::max(end, first_) < n_) update(begin, end, L, D.data());
    return Status::ok;
  }

 private:
  /// Returns L_AK above L_KK and D_K (end x columns) on every rank. If S_KK is not positive definite, D_K is
  /// not positive.
  View<T> factor(uword begin, uword end) {
    const uword columns = end - begin;
    const View<T> L(panel_.data(), end, columns, end);
    std::vector<T> packed;
    if (layout_.owns(begin)) {
      const View<T> own = S_.block(0, layout_.local(begin), end, columns);
      if (begin >= first_) factor_here(own, begin);
      for (uword j = 0; j < columns; ++j) packed.insert(packed.end(), &own(0, j), &own(0, j) + begin + j + 1);
    } else {
      packed.resize(columns * begin + columns * (columns + 1) / 2);
    }
    ranks_.broadcast(packed.data(), packed.size() * sizeof(T), static_cast<int>(begin / layout_.block % layout_.parts));
    const T* next = packed.data();
    for (uword j = 0; j < columns; next += begin + j + 1, ++j) std::copy_n(next, begin + j + 1, &L(0, j));
    return L;
  }

  static void factor_here(View<T> columns, uword above) {
    const View<T> A = head_rows(columns, above), K = columns.block(above, 0, columns.cols, columns.cols);
    if (inverse_ldl_by_columns(K) != Status::ok) {
      K(0, 0) = 0;
    } else if (above > 0) {
      trmm_right(Op::none, K, A, T(1), true);
    }
  }

  /// Updates the columns behind both `end` and `first`.
  void update(uword begin, uword end, View<const T> L, const T* D) {
    const uword rows = end - begin, from = std::max(end, first_), local = layout_.count(from), own = S_.cols - local;
    const View<const T> L_AK = head_rows(L, begin), L_KK = L.block(begin, 0, rows, rows);
    const View<T> S_AJ = S_.block(0, local, begin, own), S_KJ = S_.block(begin, local, rows, own),
                  X(own_.data(), rows, own, rows);
    if (own > 0) {
      copy(S_KJ, X);
      trmm(Op::transpose, L_KK, X, T(1), true);
      if (0 < begin && begin < first_)
        gemm(Op::transpose, Op::none, T(1), L_AK, head_rows<const T>(View<T>(above_), begin), T(1), X);
    }
    const View<const T> all = gather(X, from);
    if (own == 0) return;
    scale_rows(D, X);  // D_K X_J
    for_each_piece(layout_, from, n_, [&](uword a, uword b) {
      const uword here = layout_.local(a), columns = b - a;
      if (a > from)
        gemm(Op::transpose, Op::none, T(-1), all.head_cols(a - from), X.block(0, here - local, rows, columns), T(1),
             S_.block(from, here, a - from, columns));
      syrk(T(-1), all.block(0, a - from, rows, columns), D, T(1), S_.block(a, here, columns, columns));
    });
    if (begin > 0) gemm(Op::none, Op::none, T(-1), L_AK, X, T(1), S_AJ);
    copy(X, S_KJ);
    trmm(Op::none, L_KK, S_KJ, T(-1), true);
  }

  /// Returns the columns `from` .. n - 1 of X of all ranks, in order.
  View<const T> gather(View<const T> X, uword from) {
    std::vector<int> bytes;
    for (uword r = 0; r < layout_.parts; ++r) {
      const BlockCyclic of_rank = part(r);
      bytes.push_back(static_cast<int>(sizeof(T) * X.rows * (of_rank.count(n_) - of_rank.count(from))));
    }
    ranks_.all_gather(X.data, bytes, gathered_.data());
    const T* next = gathered_.data();
    for (uword r = 0; r < layout_.parts; ++r) {
      for_each_piece(part(r), from, n_, [&](uword a, uword b) {
        std::copy_n(next, X.rows * (b - a), all_.data() + X.rows * (a - from));
        next += X.rows * (b - a);
      });
    }
    return {all_.data(), X.rows, n_ - from, X.rows};
  }

  BlockCyclic part(uword rank) const { return {layout_.block, rank, layout_.parts}; }

  static void copy(View<const T> from, View<T> to) {
    for (uword j = 0; j < from.cols; ++j) std::copy_n(&from(0, j), from.rows, &to(0, j));
  }

  View<T> S_;
  BlockCyclic layout_;
  const Communicator& ranks_;
  uword n_, first_;
  arma::Mat<T> above_;  // the original rows above `first` of the columns from `first` on
  std::vector<T> panel_, own_, gathered_, all_;
};

}  // namespace

BlockCyclic columns_of(const Communicator& among, uword block) {
  return {block, static_cast<uword>(among.rank()), static_cast<uword>(among.count())};
}

template <class T>
Status distributed_inverse_ldl(View<T> S, const BlockCyclic& layout, uword first, const Communicator& among) {
  const uword n = S.rows;
  expects(layout.parts == static_cast<uword>(among.count()),
          "distributed_inverse_ldl: the layout is that of the ranks");
  expects(S.cols == layout.count(n) && first <= n, "distributed_inverse_ldl: S is n x the columns of this rank");
  LdlOverRanks<T> factors(S, layout, first, among);
  for (uword begin = 0; begin < n;) {
    const uword end = std::min((begin / layout.block + 1) * layout.block, begin < first ? first : n);
    if (const Status status = factors.step(begin, end); status != Status::ok) return status;
    begin = end;
  }
  return Status::ok;
}

template <class T>
Status inverse_cholesky_by_ldl(View<T> S) {
  const Status status = distributed_inverse_ldl(S, columns_of(kAlone, kInverseLdlBlock));
  if (status != Status::ok) return status;
  for (uword j = 0; j < S.cols; ++j) {
    const T root = std::sqrt(S(j, j));
    for (uword i = 0; i < j; ++i) S(i, j) *= root;
    S(j, j) = root;
  }
  return Status::ok;
}

template <class T>
void multiply_inverse_ldl(View<const std::type_identity_t<T>> S, const BlockCyclic& layout, View<T> X,
                          const Communicator& among) {
  expects(S.cols == layout.count(S.rows) && X.rows == S.rows, "multiply_inverse_ldl: X is n x c");
  const uword c = X.cols;
  arma::Mat<T> sum(X.rows, c);  // sum of L_J D_J L_J' X over the columns J of all ranks
  for_each_piece(layout, 0, S.rows, [&](uword a, uword b) {
    const uword columns = b - a;
    const View<const T> L_A = S.block(0, layout.local(a), a, columns),
                        L_J = S.block(a, layout.local(a), columns, columns);
    arma::Mat<T> Z = X.block(a, 0, columns, c).copy();
    trmm(Op::transpose, L_J, View<T>(Z), T(1), true);
    if (a > 0) gemm(Op::transpose, Op::none, T(1), L_A, head_rows(X, a), T(1), View<T>(Z));
    for (uword j = 0; j < c; ++j) {
      for (uword i = 0; i < columns; ++i) Z(i, j) *= L_J(i, i);
    }
    if (a > 0) gemm(Op::none, Op::none, T(1), L_A, Z, T(1), head_rows(View<T>(sum), a));
    trmm(Op::none, L_J, View<T>(Z), T(1), true);
    sum.rows(a, b - 1) += Z;
  });
  among.sum(sum.memptr(), sum.n_elem);
  for (uword j = 0; j < c; ++j) std::copy_n(sum.colptr(j), X.rows, &X(0, j));
}

template Status distributed_inverse_ldl(View<double>, const BlockCyclic&, uword, const Communicator&);
template Status distributed_inverse_ldl(View<float>, const BlockCyclic&, uword, const Communicator&);
template Status inverse_cholesky_by_ldl(View<double>);
template Status inverse_cholesky_by_ldl(View<float>);
template void multiply_inverse_ldl(View<const double>, const BlockCyclic&, View<double>, const Communicator&);
template void multiply_inverse_ldl(View<const float>, const BlockCyclic&, View<float>, const Communicator&);

}  // namespace elmx
