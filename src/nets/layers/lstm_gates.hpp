#pragma once

#include <cstddef>

namespace elmx {

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
