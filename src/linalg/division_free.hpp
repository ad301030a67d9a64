#pragma once

#include "linalg/view.hpp"

namespace elmx {

// The inverse LDL' factors of a symmetric positive definite R (inverse_ldl.hpp) without a division: numerators and
// denominators apart, until divide() turns them into L and D. Column i of the upper triangle has one denominator,
// w_i in [1/2, 1], and a pivot pi_i > 0:
//
//     M: numerators above the diagonal, w_i on it      L = M diag(w)^-1,   D = diag(w) diag(pi)^-1
//
// By columns. Let the columns not yet done hold S = N / w with one w for all. A step of the LDL' form,
// S - f r / S_ii and -r / S_ii, is with pi = N_ii over the common denominator w pi
//
//     (pi N_rj - N_ri N_ij) / (w pi)      (-w N_ij) / (w pi)
//
// Left alone w would square at each step. So with pi = p 2^e, the power of two such that w p is in [1/2, 1), numerators
// and denominator are both multiplied by 2^-e, exactly:
//
//     rho_j = 2^-e N_ij,   N_rj <- p N_rj - N_ri rho_j,   N_ij <- -w rho_j,   w <- w p
//
// and the numerators remain as large as the entries of S: nothing overflows that does not in the LDL' form, the
// rounding is that of one more product an entry.
//
// By blocks. With U = M1'P the Schur complement is Q - sum_i u_i'u_i / (w_i pi_i). Let w_i pi_i = g_i 2^(h_i) with g_i
// in [1/2, 1), omega = g_1 ... g_k 2^s in [1/2, 1) and c_i = omega / g_i: the product that leaves g_i out. Then
//
//     Y = diag(c_i 2^-h_i),   omega (Q - V' D1 V) = omega Q - U' Y U,   omega L1 D1 V = M1 Y U
//
// omega Q - U'Y U is factorised the same way: M2, pi_2, w_j. So the columns j > k over the denominators omega w_j are
//
//     [-M1 Y U M2; omega M2]      pivots pi_2
//
// The products that leave one out are taken by halves, so that their rounding grows with log2 k.
//
// In place; what lies below the diagonal is neither read nor written. On not_positive_definite (also where a pivot is
// below the normal numbers) the columns and pivots that were to be factorised are undefined, those before them are
// untouched.

/// S: n x n, the upper triangle of R on entry, M on return; pivots: n. 2 n^3 / 3 flops, by matrix-matrix products.
template <class T>
[[nodiscard]] Status division_free_inverse(View<T> S, T* pivots);

/// Borders the factors of the first k columns by q = n - k columns. 2 k^2 q + 2 k q^2 + 2 q^3 / 3 flops.
template <class T>
[[nodiscard]] Status extend_division_free_inverse(View<T> S, uword k, T* pivots);

/// The same column by column. n^3 flops.
template <class T>
[[nodiscard]] Status division_free_inverse_by_columns(View<T> S, T* pivots);

/// M and the pivots become L and D, as inverse_ldl leaves them: the only divisions. n^2 / 2 of them.
template <class T>
void divide(View<T> S, const T* pivots);

}  // namespace elmx
