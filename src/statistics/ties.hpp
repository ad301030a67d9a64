#pragma once

#include <vector>

namespace elmx {

// What of two numbers, or of two differences, is rounding. All tests, ranks and tables of a comparison ask
// here.

/// True if two numbers differ by no more than 1e-8 of the greater. Algorithms that solve one problem differ
/// by the drift of their recursions, which is far more than an ulp; a test would find a pattern in it.
bool equal_but_for_rounding(double a, double b);

/// Each value replaced by the least value that it is tied with. Two values are tied where their distance is
/// no more than the larger of their tolerances (each its own, >= 0), or where a chain of such ties connects
/// them: being tied is transitive, depends on no order of the values, and is the same of the negated values.
std::vector<double> tied(const std::vector<double>& values, const std::vector<double>& tolerances);

/// The values of algorithms on one data set for ranks: what is equal but for rounding is equal.
std::vector<double> tied_scores(const std::vector<double>& values);

/// The differences b - a of pairs for tests by signs and ranks: 0 where the two are equal but for rounding;
/// |d| equal where they are tied with the tolerance
///
///     |  |d_i| - |d_j|  | <= 64 eps max(|a|, |b|)      of the pair that is larger
///
/// A subtraction keeps the absolute errors of its terms, a few ulps of *their* size: of 0.98305 - 0.96610 and
/// 1 - 0.98305, which are 1/59 both, nothing below 1e-15 means anything.
std::vector<double> differences_of(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace elmx
