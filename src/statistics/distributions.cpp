#include "statistics/distributions.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.hpp"

namespace elmx {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr int most_terms = 1'000'000;

/// b0 + a1 / (b1 + a2 / (b2 + ...)) by Lentz's method; term(n) = {a_n, b_n}.
template <class Term>
double continued_fraction(double b0, const Term& term) {
  constexpr double tiny = 1e-300;
  const auto nonzero = [=](double x) { return x == 0 ? tiny : x; };
  double f = nonzero(b0);
  double C = f;
  double D = 0;
  for (int n = 1; n < most_terms; ++n) {
    const auto [a, b] = term(n);
    D = 1 / nonzero(b + a * D);
    C = nonzero(b + a / C);
    f *= C * D;
    if (std::abs(C * D - 1) < eps) break;
  }
  return f;
}

struct Fraction {
  double a;
  double b;
};

/// I_x(a, b), y = 1 - x, by DLMF 8.17.22, which converges fast left of the mean.
double left_of_mean(double x, double y, double a, double b) {
  const double log_beta = std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b);
  const double front = std::exp(a * std::log(x) + b * std::log(y) - log_beta) / a;
  const double fraction = continued_fraction(1, [&](int n) {
    const double m = n / 2;  // n = 2 m or 2 m + 1
    const double d = n % 2 == 0 ? m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
                                : -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    return Fraction{d, 1};
  });
  return front / fraction;
}

/// I_x(a, b) = 1 - I_y(b, a), with y = 1 - x given apart so that neither loses digits.
double incomplete_beta(double x, double y, double a, double b) {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  return x < (a + 1) / (a + b + 2) ? left_of_mean(x, y, a, b) : 1 - left_of_mean(y, x, b, a);
}

/// Q(a, x) = Gamma(a, x) / Gamma(a): DLMF 8.11.4 (series of P) left of the mean, 8.9.2 (continued fraction) right of
/// it.
double upper_gamma(double a, double x) {
  if (x <= 0) return 1;
  const double front = std::exp(a * std::log(x) - x - std::lgamma(a));
  if (x > a + 1)
    return front / continued_fraction(x + 1 - a, [&](int n) { return Fraction{-n * (n - a), x + 2 * n + 1 - a}; });
  double term = 1 / a;
  double sum = term;
  for (int n = 1; n < most_terms && term > eps * sum; ++n) {
    term *= x / (a + n);
    sum += term;
  }
  return 1 - front * sum;
}

/// x >= 0 with tail(x) = alpha, for a tail that falls from 1 to 0.
template <class Tail>
double bound(double alpha, const Tail& tail) {
  expects(alpha > 0 && alpha < 1, "bound: alpha is a probability");
  double low = 0;
  double high = 2;
  while (tail(high) > alpha) high *= 2;
  for (int i = 0; i < 60; ++i) {
    const double x = (low + high) / 2;
    (tail(x) > alpha ? low : high) = x;
  }
  return (low + high) / 2;
}

}  // namespace

double normal_two_sided(double z) { return std::erfc(std::abs(z) / std::numbers::sqrt2); }

double student_two_sided(double t, double freedom) {
  expects(freedom > 0, "student_two_sided: degrees of freedom");
  if (std::isinf(t)) return 0;
  const double sum = freedom + t * t;
  return incomplete_beta(freedom / sum, t * t / sum, freedom / 2, 0.5);
}

double chi_squared_upper(double x, double freedom) {
  expects(freedom > 0, "chi_squared_upper: degrees of freedom");
  return upper_gamma(freedom / 2, x / 2);
}

double fisher_upper(double f, double d1, double d2) {
  expects(d1 > 0 && d2 > 0, "fisher_upper: degrees of freedom");
  if (f <= 0) return 1;
  if (std::isinf(f)) return 0;
  const double sum = d2 + d1 * f;
  return incomplete_beta(d2 / sum, d1 * f / sum, d2 / 2, d1 / 2);
}

double normal_range_upper(double q, unsigned k) {
  expects(k >= 2, "normal_range_upper: a range of at least two");
  if (q <= 0) return 1;
  // The trapezoidal rule of a smooth integrand that vanishes at both ends converges faster than any power of the step.
  constexpr double end = 9;
  constexpr int intervals = 400;
  const auto Phi = [](double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; };
  const double step = 2 * end / intervals;
  double sum = 0;
  for (int i = 0; i <= intervals; ++i) {
    const double z = -end + i * step;
    sum += std::exp(-z * z / 2) * std::pow(Phi(z) - Phi(z - q), k - 1.0);
  }
  return std::max(0.0, 1 - k * sum * step / std::sqrt(2 * std::numbers::pi));
}

double student_bound(double alpha, double freedom) {
  expects(freedom >= 1, "student_bound: at least one degree of freedom");
  return bound(alpha, [&](double t) { return student_two_sided(t, freedom); });
}

double normal_range_bound(double alpha, unsigned k) {
  return bound(alpha, [&](double q) { return normal_range_upper(q, k); });
}

}  // namespace elmx
