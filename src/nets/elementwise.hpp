#pragma once

#include <cstddef>

#include "features/activation.hpp"

namespace elmx {

// Loops over entries that training spends its time in, for float and double: vectorised for the CPU at hand,
// in parallel where they are long, the same to the last bit for any number of threads.

/// v = f(v). Unlike `activate` relu keeps what is not a number, so that a diverged network shows.
void activate_signal(Activation activation, float* v, std::size_t n);
void activate_signal(Activation activation, double* v, std::size_t n);

/// dy = dy f'(z), by y = f(z), of linear, relu (f'(0) = 0), tanh and sigmoid.
void times_slope(Activation activation, const float* y, float* dy, std::size_t n);
void times_slope(Activation activation, const double* y, double* dy, std::size_t n);

/// P = (P - v v') factor, P: n x n, both triangles: entries (i, j) and (j, i) get the same bits.
void downdate(const float* v, float factor, float* P, std::size_t n);
void downdate(const double* v, double factor, double* P, std::size_t n);

/// What a step of Adam is made of besides the gradient: step = eta / (1 - beta1^t), root = 1 / sqrt(1 -
/// beta2^t); `scale` times the gradient is used.
template <class T>
struct AdamStep {
  T beta1, beta2, step, root, epsilon, scale;
};

/// m = beta1 m + (1 - beta1) g,  v = beta2 v + (1 - beta2) g^2,  theta = theta - step m / (root sqrt(v) +
/// epsilon)
void adam_step(const AdamStep<float>& by, const float* g, float* m, float* v, float* theta, std::size_t n);
void adam_step(const AdamStep<double>& by, const double* g, double* m, double* v, double* theta, std::size_t n);

/// y = alpha x + beta y
void combine(float alpha, const float* x, float beta, float* y, std::size_t n);
void combine(double alpha, const double* x, double beta, double* y, std::size_t n);

/// Sum of v^2, in double.
double squared_sum(const float* v, std::size_t n);
double squared_sum(const double* v, std::size_t n);

/// True if no entry is infinite or not a number.
bool all_finite(const float* v, std::size_t n);
bool all_finite(const double* v, std::size_t n);

}  // namespace elmx
