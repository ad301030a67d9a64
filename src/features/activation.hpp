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

/// Returns the row of every activation.
std::span<const ActivationInfo> activations();

/// Returns the activation of a name. Throws ConfigError for an unknown name.
Activation activation_from(std::string_view name);

/// Sets v[i] = f(v[i] + bias), i < n. exp, sin and tanh are vectorised (libmvec): within 4 units in the last
/// place.
void activate(Activation activation, double* v, std::size_t n, double bias);
void activate(Activation activation, float* v, std::size_t n, float bias);

/// Sets v[i] = f'(v[i] + bias), i < n; a one-sided derivative where f has no other.
void activate_slope(Activation activation, double* v, std::size_t n, double bias);

}  // namespace elmx
