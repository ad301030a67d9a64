#include "nets/layers/elementwise.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "base/error.hpp"
#include "base/machine/machine.hpp"

namespace elmx {
namespace {

constexpr std::size_t kChunk = 1u << 14;

/// Calls body(first, count) for chunks of 0 .. n - 1, in parallel if there are several chunks.
template <class Body>
void for_chunks(std::size_t n, const Body& body) {
  const auto chunks = static_cast<long>((n + kChunk - 1) / kChunk);
#pragma omp parallel for schedule(static) if (chunks > 2)
  for (long c = 0; c < chunks; ++c) {
    const std::size_t first = static_cast<std::size_t>(c) * kChunk;
    body(first, std::min(kChunk, n - first));
  }
}

// The loops over one chunk, on one thread.

template <class T>
[[gnu::always_inline]] inline void relu_any(T* v, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) v[i] = v[i] < T(0) ? T(0) : v[i];
}

template <class T>
[[gnu::always_inline]] inline void slope_any(Activation activation, const T* y, T* dy, std::size_t n) {
  switch (activation) {
    case Activation::linear:
      return;
    case Activation::relu:
      for (std::size_t i = 0; i < n; ++i) dy[i] = y[i] > T(0) ? dy[i] : T(0);
      return;
    case Activation::tanh:
      for (std::size_t i = 0; i < n; ++i) dy[i] *= T(1) - y[i] * y[i];
      return;
    case Activation::sigmoid:
      for (std::size_t i = 0; i < n; ++i) dy[i] *= y[i] * (T(1) - y[i]);
      return;
    default:
      return;
  }
}

template <class T>
[[gnu::always_inline]] inline void downdate_any(const T* v, T vj, T factor, T* p, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) p[i] = (p[i] - v[i] * vj) * factor;
}

template <class T>
[[gnu::always_inline]] inline void adam_any(const AdamStep<T>& by, const T* g, T* m, T* v, T* theta, std::size_t n) {
  const AdamStep<T> c = by;
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) {
    const T gradient = c.scale * g[i];
    m[i] = c.beta1 * m[i] + (T(1) - c.beta1) * gradient;
    v[i] = c.beta2 * v[i] + (T(1) - c.beta2) * gradient * gradient;
    theta[i] -= c.step * m[i] / (c.root * std::sqrt(v[i]) + c.epsilon);
  }
}

template <class T>
[[gnu::always_inline]] inline void combine_any(T alpha, const T* x, T beta, T* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = alpha * x[i] + beta * y[i];
}

/// Sums squares in eight independent partial sums.
template <class T>
[[gnu::always_inline]] inline double squares_any(const T* v, std::size_t n) {
  double sums[8] = {};
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    for (std::size_t k = 0; k < 8; ++k) sums[k] += static_cast<double>(v[i + k]) * static_cast<double>(v[i + k]);
  }
  for (; i < n; ++i) sums[0] += static_cast<double>(v[i]) * static_cast<double>(v[i]);
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

/// Returns true if all entries are finite: the exponent of infinities and NaN has all bits set.
template <class Bits, class T>
[[gnu::always_inline]] inline bool finite_any(Bits exponent, const T* v, std::size_t n) {
  Bits found = 0;
  for (std::size_t i = 0; i < n; ++i) found |= (std::bit_cast<Bits>(v[i]) & exponent) == exponent ? Bits(1) : Bits(0);
  return found == 0;
}

ELMX_CPU_CLONES void relu(float* v, std::size_t n) { relu_any(v, n); }
ELMX_CPU_CLONES void relu(double* v, std::size_t n) { relu_any(v, n); }

ELMX_CPU_CLONES void slope(Activation f, const float* y, float* dy, std::size_t n) { slope_any(f, y, dy, n); }
ELMX_CPU_CLONES void slope(Activation f, const double* y, double* dy, std::size_t n) { slope_any(f, y, dy, n); }

ELMX_CPU_CLONES void downdate_column(const float* v, float vj, float factor, float* p, std::size_t n) {
  downdate_any(v, vj, factor, p, n);
}
ELMX_CPU_CLONES void downdate_column(const double* v, double vj, double factor, double* p, std::size_t n) {
  downdate_any(v, vj, factor, p, n);
}

ELMX_CPU_CLONES void adam_chunk(const AdamStep<float>& by, const float* g, float* m, float* v, float* theta,
                                std::size_t n) {
  adam_any(by, g, m, v, theta, n);
}
ELMX_CPU_CLONES void adam_chunk(const AdamStep<double>& by, const double* g, double* m, double* v, double* theta,
                                std::size_t n) {
  adam_any(by, g, m, v, theta, n);
}

ELMX_CPU_CLONES void combine_chunk(float alpha, const float* x, float beta, float* y, std::size_t n) {
  combine_any(alpha, x, beta, y, n);
}
ELMX_CPU_CLONES void combine_chunk(double alpha, const double* x, double beta, double* y, std::size_t n) {
  combine_any(alpha, x, beta, y, n);
}

ELMX_CPU_CLONES double squares_chunk(const float* v, std::size_t n) { return squares_any(v, n); }
ELMX_CPU_CLONES double squares_chunk(const double* v, std::size_t n) { return squares_any(v, n); }

ELMX_CPU_CLONES bool finite_chunk(const float* v, std::size_t n) {
  return finite_any<std::uint32_t>(0x7f800000u, v, n);
}
ELMX_CPU_CLONES bool finite_chunk(const double* v, std::size_t n) {
  return finite_any<std::uint64_t>(0x7ff0000000000000u, v, n);
}

}  // namespace

template <class T>
void activate_signal(Activation activation, T* v, std::size_t n) {
  if (activation == Activation::linear) return;
  for_chunks(n, [&](std::size_t first, std::size_t count) {
    activation == Activation::relu ? relu(v + first, count) : activate(activation, v + first, count, T(0));
  });
}

template <class T>
void times_slope(Activation activation, const T* y, T* dy, std::size_t n) {
  if (activation == Activation::linear) return;
  expects(activation == Activation::relu || activation == Activation::tanh || activation == Activation::sigmoid,
          "times_slope: linear, relu, tanh or sigmoid");  // nothing may be thrown inside the parallel region
  for_chunks(n, [&](std::size_t first, std::size_t count) { slope(activation, y + first, dy + first, count); });
}

template <class T>
void downdate(const T* v, T factor, T* P, std::size_t n) {
#pragma omp parallel for schedule(static) if (n * n > 2 * kChunk)
  for (std::size_t j = 0; j < n; ++j) downdate_column(v, v[j], factor, P + j * n, n);
}

template <class T>
void adam_step(const AdamStep<T>& by, const T* g, T* m, T* v, T* theta, std::size_t n) {
  for_chunks(n, [&](std::size_t i, std::size_t count) { adam_chunk(by, g + i, m + i, v + i, theta + i, count); });
}

template <class T>
void combine(T alpha, const T* x, T beta, T* y, std::size_t n) {
  for_chunks(n, [&](std::size_t i, std::size_t count) { combine_chunk(alpha, x + i, beta, y + i, count); });
}

template <class T>
double squared_sum(const T* v, std::size_t n) {
  std::vector<double> parts((n + kChunk - 1) / kChunk);
  for_chunks(n, [&](std::size_t i, std::size_t count) { parts[i / kChunk] = squares_chunk(v + i, count); });
  return std::accumulate(parts.begin(), parts.end(), 0.0);
}

template <class T>
bool all_finite(const T* v, std::size_t n) {
  std::atomic<bool> finite = true;
  for_chunks(n, [&](std::size_t i, std::size_t count) {
    if (!finite_chunk(v + i, count)) finite = false;
  });
  return finite;
}

template void activate_signal(Activation, float*, std::size_t);
template void times_slope(Activation, const float*, float*, std::size_t);
template void downdate(const float*, float, float*, std::size_t);
template void adam_step(const AdamStep<float>&, const float*, float*, float*, float*, std::size_t);
template void combine(float, const float*, float, float*, std::size_t);
template double squared_sum(const float*, std::size_t);
template bool all_finite(const float*, std::size_t);
template void activate_signal(Activation, double*, std::size_t);
template void times_slope(Activation, const double*, double*, std::size_t);
template void downdate(const double*, double, double*, std::size_t);
template void adam_step(const AdamStep<double>&, const double*, double*, double*, double*, std::size_t);
template void combine(double, const double*, double, double*, std::size_t);
template double squared_sum(const double*, std::size_t);
template bool all_finite(const double*, std::size_t);

}  // namespace elmx
