#pragma once

#include <cstddef>

#include "features/activation.hpp"

namespace elmx {

// The loops over entries in which training spends its time, for float and double. They are vectorised for the
// CPU at hand, run in parallel if they are long, and give the same bits for any number of threads.

/// Computes v = f(v). Unlike `activate`, relu keeps NaN, so that a diverged network shows.
void activate_signal(Activation activation, float* v, std::size_t n);
void activate_signal(Activation activation, double* v, std::size_t n);

/// Computes dy = dy f'(z) from y = f(z), for linear, relu (f'(0) = 0), tanh and sigmoid.
void times_slope(Activation activation, const float* y, float* dy, std::size_t n);
void times_slope(Activation activation, const double* y, double* dy, std::size_t n);

/// Computes P = (P - v v') factor.   P: n x n, both triangles: entries (i, j) and (j, i) get the same bits.
void downdate(const float* v, float factor, float* P, std::size_t n);
void downdate(const double* v, double factor, double* P, std::size_t n);

/// The constants of a step of Adam: step = eta / (1 - beta1^t), root = 1 / sqrt(1 - beta2^t); the gradient is
/// multiplied by `scale`.
template <class T>
struct AdamStep {
  T beta1, beta2, step, root, epsilon, scale;
};

/// Updates  m = beta1 m + (1 - beta1) g,  v = beta2 v + (1 - beta2) g^2,
///          theta = theta - step m / (root sqrt(v) + epsilon)
void adam_step(const AdamStep<float>& by, const float* g, float* m, float* v, float* theta, std::size_t n);
void adam_step(const AdamStep<double>& by, const double* g, double* m, double* v, double* theta, std::size_t n);

/// Computes y = alpha x + beta y.
void combine(float alpha, const float* x, float beta, float* y, std::size_t n);
void combine(double alpha, const double* x, double beta, double* y, std::size_t n);

/// Returns the sum of v^2, in double.
double squared_sum(const float* v, std::size_t n);
double squared_sum(const double* v, std::size_t n);

/// Returns true if no entry is infinite or NaN.
bool all_finite(const float* v, std::size_t n);
bool all_finite(const double* v, std::size_t n);

}  // namespace elmx
