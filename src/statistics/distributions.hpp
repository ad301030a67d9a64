#pragma once

namespace elmx {

// Tails of the distributions that tests refer to. Degrees of freedom need not be whole.

/// P(|Z| > |z|), Z standard normal.
double normal_two_sided(double z);

/// P(|T| > |t|) for Student's T.
double student_two_sided(double t, double freedom);

/// P(F > f) for Fisher's F of d1 and d2 degrees of freedom.
double fisher_upper(double f, double d1, double d2);

/// P(Q > q) for the range Q of k >= 2 standard normal variables (the studentised range with infinitely many
/// degrees of freedom):
///
///     P(Q <= q) = k integral phi(z) [Phi(z) - Phi(z - q)]^(k - 1) dz
///
/// Absolute error below 1e-12.
double normal_range_upper(double q, unsigned k);

/// t with P(|T| > t) = alpha.
double student_bound(double alpha, double freedom);

/// q with P(Q > q) = alpha.
double normal_range_bound(double alpha, unsigned k);

}  // namespace elmx
