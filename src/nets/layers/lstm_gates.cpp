#include <cmath>

#include "base/machine/machine.hpp"
#include "nets/layers/elementwise.hpp"

// Compiled with -ffast-math, like features/activation.cpp, because exp and tanh are vectorised only under
// this option. No sum is formed here. The arrays do not overlap (ivdep): there are too many for g++ to check
// this itself before it vectorises.

namespace elmx {
namespace {

template <class T>
[[gnu::always_inline]] inline T sigma(T z) {
  return T(1) / (T(1) + std::exp(-z));
}

template <class T>
[[gnu::always_inline]] inline void forward_any(T* i, T* g, T* f, T* o, const T* c_before, T* c, T* kappa, T* y,
                                               std::size_t n) {
#pragma GCC ivdep
  for (std::size_t m = 0; m < n; ++m) {
    i[m] = sigma(i[m]);
    g[m] = std::tanh(g[m]);
    f[m] = sigma(f[m]);
    o[m] = sigma(o[m]);
    c[m] = i[m] * g[m] + f[m] * c_before[m];
    kappa[m] = std::tanh(c[m]);
    y[m] = o[m] * kappa[m];
  }
}

template <class T>
[[gnu::always_inline]] inline void backward_any(const T* dy, T* i, T* g, T* f, T* o, const T* c_before, const T* kappa,
                                                T* dc, std::size_t n) {
#pragma GCC ivdep
  for (std::size_t m = 0; m < n; ++m) {
    const T c = dc[m] + dy[m] * o[m] * (T(1) - kappa[m] * kappa[m]);
    const T dz_i = c * g[m] * i[m] * (T(1) - i[m]);
    const T dz_g = c * i[m] * (T(1) - g[m] * g[m]);
    const T dz_f = c * c_before[m] * f[m] * (T(1) - f[m]);
    const T dz_o = dy[m] * kappa[m] * o[m] * (T(1) - o[m]);
    dc[m] = c * f[m];
    i[m] = dz_i;
    g[m] = dz_g;
    f[m] = dz_f;
    o[m] = dz_o;
  }
}

}  // namespace

ELMX_CPU_CLONES void lstm_gates(float* i, float* g, float* f, float* o, const float* c_before, float* c, float* kappa,
                                float* y, std::size_t n) {
  forward_any(i, g, f, o, c_before, c, kappa, y, n);
}
ELMX_CPU_CLONES void lstm_gates(double* i, double* g, double* f, double* o, const double* c_before, double* c,
                                double* kappa, double* y, std::size_t n) {
  forward_any(i, g, f, o, c_before, c, kappa, y, n);
}
ELMX_CPU_CLONES void lstm_gates_back(const float* dy, float* i, float* g, float* f, float* o, const float* c_before,
                                     const float* kappa, float* dc, std::size_t n) {
  backward_any(dy, i, g, f, o, c_before, kappa, dc, n);
}
ELMX_CPU_CLONES void lstm_gates_back(const double* dy, double* i, double* g, double* f, double* o,
                                     const double* c_before, const double* kappa, double* dc, std::size_t n) {
  backward_any(dy, i, g, f, o, c_before, kappa, dc, n);
}

}  // namespace elmx
