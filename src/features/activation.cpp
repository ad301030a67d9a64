#include "features/activation.hpp"

#include <array>
#include <cmath>

#include "base/error.hpp"
#include "base/machine/machine.hpp"

// Only this file and nets/layers/lstm_gates.cpp are compiled with -ffast-math: g++ 12 vectorises exp, sin and
// tanh only under this option. Inputs are finite (the readers refuse anything else), and no sum is formed
// here whose order could matter.

namespace elmx {
namespace {

constexpr std::array<ActivationInfo, 8> kActivations{{
    {Activation::gaussian, "gaussian", "exp(-v^2)"},
    {Activation::sigmoid, "sigmoid", "1 / (1 + exp(-v))"},
    {Activation::hardlim, "hardlim", "1 where v >= 0, else 0"},
    {Activation::triangular, "triangular", "max(0, 1 - |v|)"},
    {Activation::sine, "sine", "sin(v)"},
    {Activation::linear, "linear", "v"},
    {Activation::tanh, "tanh", "tanh(v)"},
    {Activation::relu, "relu", "max(0, v)"},
}};

template <class T, class F>
[[gnu::always_inline]] inline void map(T* v, std::size_t n, T bias, const F& f) {
  for (std::size_t i = 0; i < n; ++i) v[i] = f(v[i] + bias);
}

template <class T>
[[gnu::always_inline]] inline void activate_all(Activation activation, T* v, std::size_t n, T bias) {
  switch (activation) {
    case Activation::gaussian:
      return map(v, n, bias, [](T x) { return std::exp(-x * x); });
    case Activation::sigmoid:
      return map(v, n, bias, [](T x) { return T(1) / (T(1) + std::exp(-x)); });
    case Activation::hardlim:
      return map(v, n, bias, [](T x) { return x >= T(0) ? T(1) : T(0); });
    case Activation::triangular:
      return map(v, n, bias, [](T x) { return std::abs(x) < T(1) ? T(1) - std::abs(x) : T(0); });
    case Activation::sine:
      return map(v, n, bias, [](T x) { return std::sin(x); });
    case Activation::linear:
      return map(v, n, bias, [](T x) { return x; });
    case Activation::tanh:
      return map(v, n, bias, [](T x) { return std::tanh(x); });
    case Activation::relu:
      return map(v, n, bias, [](T x) { return x > T(0) ? x : T(0); });
  }
}

[[gnu::always_inline]] inline void slopes(Activation activation, double* v, std::size_t n, double bias) {
  switch (activation) {
    case Activation::gaussian:
      return map(v, n, bias, [](double x) { return -2 * x * std::exp(-x * x); });
    case Activation::sigmoid:
      return map(v, n, bias, [](double x) {
        const double f = 1 / (1 + std::exp(-x));
        return f * (1 - f);
      });
    case Activation::hardlim:
      return map(v, n, bias, [](double) { return 0.0; });
    case Activation::triangular:
      return map(v, n, bias, [](double x) { return std::abs(x) >= 1 ? 0.0 : x >= 0 ? -1.0 : 1.0; });
    case Activation::sine:
      return map(v, n, bias, [](double x) { return std::cos(x); });
    case Activation::linear:
      return map(v, n, bias, [](double) { return 1.0; });
    case Activation::tanh:
      return map(v, n, bias, [](double x) {
        const double f = std::tanh(x);
        return 1 - f * f;
      });
    case Activation::relu:
      return map(v, n, bias, [](double x) { return x > 0 ? 1.0 : 0.0; });
  }
}

}  // namespace

std::span<const ActivationInfo> activations() { return kActivations; }

Activation activation_from(std::string_view name) {
  return named_row(kActivations, name, "unknown activation \"" + std::string(name) + "\"").activation;
}

ELMX_CPU_CLONES void activate(Activation activation, double* v, std::size_t n, double bias) {
  activate_all(activation, v, n, bias);
}

ELMX_CPU_CLONES void activate(Activation activation, float* v, std::size_t n, float bias) {
  activate_all(activation, v, n, bias);
}

ELMX_CPU_CLONES void activate_slope(Activation activation, double* v, std::size_t n, double bias) {
  slopes(activation, v, n, bias);
}

}  // namespace elmx
