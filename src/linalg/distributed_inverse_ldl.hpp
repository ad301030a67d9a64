#pragma once

#include "base/communicator.hpp"
#include "linalg/block_cyclic.hpp"

namespace elmx {

// The inverse LDL' factors of a symmetric positive definite R over ranks (algorithm 13 of the paper on added
// nodes, by blocks of columns): L unit upper triangular, D diagonal, L D L' = R^-1. A rank keeps whole
// columns, n^2 / P numbers. ScaLAPACK is not needed, and local arrays may have more than 2^31 numbers.
//
// S: n x the columns of this rank. Its upper triangle holds R before a factorisation, and L with D on the
// diagonal afterwards. The strict lower triangle is neither read nor written.

/// Returns the columns of this rank if blocks of `block` columns are distributed over the ranks of `among`.
BlockCyclic columns_of(const Communicator& among, uword block);

/// Columns per block: enough for matrix-matrix speed, but few enough that all ranks have work to the end.
inline constexpr uword kInverseLdlBlock = 64;

/// Factorises R in place. If first > 0, the columns before `first` already hold the factors of the leading
/// first x first part of R, and the other columns are bordered to them. For each block K of columns, with A
/// the columns before K, and J, J' columns behind both K and `first`,
///
///     L_KK D_K L_KK' = S_KK^-1,   L_AK = S_AK L_KK         at the owner of K, which sends them to all
///     X_J = L_KK' S_KJ                                     at the owners of J, which send it to all
///     S_AJ -= L_AK D_K X_J,   S_KJ = -L_KK D_K X_J,   S_JJ' -= X_J' D_K X_J'
///
/// With blocks of one column this is the algorithm of the paper. For blocks before `first`, L is known and
/// X_J = L_KK' S_KJ + L_AK' S_AJ with the original S_AJ.
///
/// Cost of one rank, K = a .. e - 1: 2 (n^3 - first^3) / (3 P) flops and the factors of blocks. A rank sends
///
///     (P - 1) / P sum over K of (a + 1) + ... + e + (e - a) (n - max(e, first))   numbers,
///
/// for first = 0 and n a multiple of b columns (P - 1) / P (n^2 - n (b - 1) / 2), in 2 n / b messages. Memory
/// beside S: 3 b (n + n / P) numbers, and the rows above `first` of the columns from `first` on.
///
/// Returns not_positive_definite on every rank alike, also if R has infinities or NaN: the columns from
/// `first` on are then undefined, and the columns before are untouched.
///
/// among: the ranks that share the columns.
template <class T>
[[nodiscard]] Status distributed_inverse_ldl(View<T> S, const BlockCyclic& layout, uword first = 0,
                                             const Communicator& among = kAlone);

/// Computes the inverse Cholesky factor F = L D^1/2 by the same steps on one process (see inverse_cholesky).
template <class T>
[[nodiscard]] Status inverse_cholesky_by_ldl(View<T> S);

/// Computes X = L D L' X.   X: n x c, the same on every rank, before and after.   4 n^2 c / P flops and a sum
/// of n c numbers over all ranks.
template <class T>
void multiply_inverse_ldl(View<const std::type_identity_t<T>> S, const BlockCyclic& layout, View<T> X,
                          const Communicator& among = kAlone);

}  // namespace elmx
