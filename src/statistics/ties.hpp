#pragma once

#include <vector>

namespace elmx {

// The definition of rounding noise of numbers and differences, for all tests, ranks and comparison tables.

/// Returns true if two numbers differ by no more than 1e-8 of the greater. Algorithms that solve one problem
/// differ by the drift of their recursions, which is far more than an ulp; a test would find a pattern in it.
bool equal_but_for_rounding(double a, double b);

/// Returns each value replaced by the least value with which it is tied. Two values are tied if their
/// distance is no more than the larger of their tolerances (each its own, >= 0), or if a chain of such ties
/// connects them. Ties are therefore transitive, independent of the order of the values, and the same for the
/// negated values.
std::vector<double> tied(const std::vector<double>& values, const std::vector<double>& tolerances);

/// Returns the values of algorithms on one data set for ranking; values equal up to rounding are tied.
std::vector<double> tied_scores(const std::vector<double>& values);

/// Returns the differences b - a of pairs for tests by signs and ranks: 0 if the two are equal up to
/// rounding; |d| are made equal if they are tied with the tolerance
///
///     |  |d_i| - |d_j|  | <= 64 eps max(|a|, |b|)      of the larger pair
///
/// A subtraction keeps the absolute errors of its terms, a few ulps of *their* size: in 0.98305 - 0.96610 and
/// 1 - 0.98305, both 1/59, all digits below 1e-15 are noise.
std::vector<double> differences_of(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace elmx
