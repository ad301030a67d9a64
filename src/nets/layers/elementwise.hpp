#pragma once

#include <cstddef>

#include "features/activation.hpp"

namespace elmx {

// The loops over entries in which training spends its time, for float and double. They are vectorised for the
// CPU at hand, run in parallel if they are long, and give the same bits for any number of threads.

/// Computes v = f(v). Unlike `activate`, relu keeps NaN, so that a diverged network shows.
template <class T>
void activate_signal(Activation activation, T* v, std::size_t n);

/// Computes dy = dy f'(z) from y = f(z), for linear, relu (f'(0) = 0), tanh and sigmoid.
template <class T>
void times_slope(Activation activation, const T* y, T* dy, std::size_t n);

/// Computes P = (P - v v') factor.   P: n x n, both triangles: entries (i, j) and (j, i) get the same bits.
template <class T>
void downdate(const T* v, T factor, T* P, std::size_t n);

/// The constants of a step of Adam: step = eta / (1 - beta1^t), root = 1 / sqrt(1 - beta2^t); the gradient is
/// multiplied by `scale`.
template <class T>
struct AdamStep {
  T beta1, beta2, step, root, epsilon, scale;
};

/// Updates  m = beta1 m + (1 - beta1) g,  v = beta2 v + (1 - beta2) g^2,
///          theta = theta - step m / (root sqrt(v) + epsilon)
template <class T>
void adam_step(const AdamStep<T>& by, const T* g, T* m, T* v, T* theta, std::size_t n);

/// Computes y = alpha x + beta y.
template <class T>
void combine(T alpha, const T* x, T beta, T* y, std::size_t n);

/// Returns the sum of v^2, in double.
template <class T>
double squared_sum(const T* v, std::size_t n);

/// Returns true if no entry is infinite or NaN.
template <class T>
bool all_finite(const T* v, std::size_t n);

/// Computes one node of an LSTM at one step for n samples, (9) to (18):
///
///     i = sigma(z_i), g = tanh(z_g), f = sigma(z_f), o = sigma(z_o)   (in place)
///     c = i g + f c_before,   kappa = tanh(c),   y = o kappa
void lstm_gates(float* i, float* g, float* f, float* o, const float* c_before, float* c, float* kappa, float* y,
                std::size_t n);
void lstm_gates(double* i, double* g, double* f, double* o, const double* c_before, double* c, double* kappa, double* y,
                std::size_t n);

/// Computes the gradients of lstm_gates. From dy and the dc of step t + 1 it computes dz_i, dz_g, dz_f, dz_o,
/// which replace i, g, f, o, and the dc of step t - 1, which replaces dc:
///
///     dc = dc + dy o (1 - kappa^2)
///     dz_i = dc g i (1 - i),   dz_g = dc i (1 - g^2),   dz_f = dc c_before f (1 - f)
///     dz_o = dy kappa o (1 - o)
///     dc = dc f
void lstm_gates_back(const float* dy, float* i, float* g, float* f, float* o, const float* c_before, const float* kappa,
                     float* dc, std::size_t n);
void lstm_gates_back(const double* dy, double* i, double* g, double* f, double* o, const double* c_before,
                     const double* kappa, double* dc, std::size_t n);

}  // namespace elmx
