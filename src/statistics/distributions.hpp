#pragma once

namespace elmx {

// Tails of test distributions. Degrees of freedom need not be integers.

/// Returns P(|Z| > |z|), Z standard normal.
double normal_two_sided(double z);

/// Returns P(|T| > |t|) for Student's T.
double student_two_sided(double t, double freedom);

/// Returns P(F > f) for Fisher's F with d1 and d2 degrees of freedom.
double fisher_upper(double f, double d1, double d2);

/// Returns P(Q > q) for the range Q of k >= 2 standard normal variables (the studentised range with
/// infinitely many degrees of freedom):
///
///     P(Q <= q) = k integral phi(z) [Phi(z) - Phi(z - q)]^(k - 1) dz
///
/// The absolute error is below 1e-12.
double normal_range_upper(double q, unsigned k);

/// Returns t with P(|T| > t) = alpha.
double student_bound(double alpha, double freedom);

/// Returns q with P(Q > q) = alpha.
double normal_range_bound(double alpha, unsigned k);

}  // namespace elmx
