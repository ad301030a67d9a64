#pragma once

#include <span>
#include <string>
#include <string_view>

namespace elmx {

/// Activations f(v), v = a'x + d, entry by entry.
enum class Activation { gaussian, sigmoid, hardlim, triangular, sine, linear, tanh, relu };

struct ActivationInfo {
  Activation activation;
  std::string_view name;
  std::string_view formula;
};

/// All that exist.
std::span<const ActivationInfo> activations();

/// Throws ConfigError for an unknown name.
Activation activation_from(std::string_view name);

/// v[i] = f(v[i] + bias), i < n. Vectorised exp, sin and tanh (libmvec): within 4 units in the last place.
void activate(Activation activation, double* v, std::size_t n, double bias);
void activate(Activation activation, float* v, std::size_t n, float bias);

/// v[i] = f'(v[i] + bias), i < n; where f has no derivative, a one-sided one.
void activate_slope(Activation activation, double* v, std::size_t n, double bias);

}  // namespace elmx
