#pragma once

#include "base/ranks/ranks.hpp"
#include "linalg/distributed/block_cyclic.hpp"

namespace elmx {

// The inverse LDL' factors of a symmetric positive definite R over ranks (algorithm 13 of the paper on added
// nodes, by blocks of columns): L unit upper triangular, D diagonal, L D L' = R^-1. A rank keeps whole
// columns, n^2 / P numbers; nothing of this needs ScaLAPACK, and local arrays may have more than 2^31
// numbers.
//
// S: n x the columns of this rank. On and above the diagonal stands R before, and L with D on its diagonal
// afterwards; what lies below the diagonal is neither read nor written.

/// Columns dealt in such blocks to all ranks, as this one sees them.
BlockCyclic columns_of_this_rank(uword block);

/// Columns of a block: wide enough for matrix-matrix speed, narrow enough that all ranks have work to the
/// end.
inline constexpr uword kInverseLdlBlock = 64;

/// In place. Columns before `first` hold the factors of the leading first x first part of R already: the
/// others are bordered to them. For each block K of columns, with A before it and J, J' behind it (behind
/// `first`, too),
///
///     L_KK D_K L_KK' = S_KK^-1,   L_AK = S_AK L_KK         at the owner of K, who sends these columns to all
///     X_J = L_KK' S_KJ                                     at the owners of J, who send it to all
///     S_AJ -= L_AK D_K X_J,   S_KJ = -L_KK D_K X_J,   S_JJ' -= X_J' D_K X_J'
///
/// Blocks of one column are the algorithm of the paper. In blocks before `first`, L is there, and X_J = L_KK'
/// S_KJ + L_AK' S_AJ with S_AJ as it was before.
///
/// Cost of one rank, K = a .. e - 1: 2 (n^3 - first^3) / (3 P) flops and the factors of blocks, and it sends
///
///     (P - 1) / P sum over K of (a + 1) + ... + e + (e - a) (n - max(e, first))   numbers,
///
/// for first = 0 and n a multiple of b columns (P - 1) / P (n^2 - n (b - 1) / 2); 2 n / b messages. Memory
/// beside S: 3 b (n + n / P) numbers, and the rows above `first` of the columns behind it.
///
/// not_positive_definite, on every rank alike, also where R has what is not a number: columns from `first` on
/// are undefined, those before it untouched.
///
/// among: the ranks that the columns are dealt to.
template <class T>
[[nodiscard]] Status distributed_inverse_ldl(View<T> S, const BlockCyclic& dealt, uword first = 0,
                                             const Ranks& among = ranks());

/// The inverse Cholesky factor F = L D^1/2 by the same steps on this process alone: see inverse_cholesky.
template <class T>
[[nodiscard]] Status inverse_cholesky_by_ldl(View<T> S);

/// X = L D L' X.   X: n x c, the same on every rank, before and after.   4 n^2 c / P flops; a sum of n c
/// numbers.
template <class T>
void multiply_inverse_ldl(View<const std::type_identity_t<T>> S, const BlockCyclic& dealt, View<T> X);

}  // namespace elmx
