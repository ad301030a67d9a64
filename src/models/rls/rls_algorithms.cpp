#include "models/rls/rls_algorithms.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"

namespace elmx {
namespace {

using enum OptimiserKind;

constexpr std::string_view kStep = "2 q^2 min(r, B) + 5 q^2";

constexpr std::array kRlsAlgorithms{
    RlsAlgorithm{"rls", "recursive least squares by average approximation on all layers (Algorithms 1 and 2)", kStep,
                 rls, rls, false, false},
    RlsAlgorithm{"rls+m", "RLS with momentum (99)", kStep, rls, rls, true, false},
    RlsAlgorithm{"rls+r", "RLS with L1 regularisation (98)", "2 q^2 r + 5 q^2", rls, rls, false, true},
    RlsAlgorithm{"rls+m+r", "RLS with momentum and L1 regularisation (100)", "2 q^2 (r + min(r, B)) + 5 q^2", rls, rls,
                 true, true},
    RlsAlgorithm{"hrls", "RLS on the hidden layers, Adam on the output layer", kStep, rls, adam, false, false},
    RlsAlgorithm{"hrls+m", "HRLS with momentum", kStep, rls, adam, true, false},
    RlsAlgorithm{"hrls+r", "HRLS with L1 regularisation", "2 q^2 r + 5 q^2", rls, adam, false, true},
    RlsAlgorithm{"hrls+m+r", "HRLS with momentum and L1 regularisation", "2 q^2 (r + min(r, B)) + 5 q^2", rls, adam,
                 true, true},
    RlsAlgorithm{"adam", "Adam on all layers", "12 q r", adam, adam, false, false},
    RlsAlgorithm{"sgd", "gradient descent with momentum on all layers", "4 q r", sgd, sgd, false, false},
};

}  // namespace

std::span<const RlsAlgorithm> rls_algorithms() { return kRlsAlgorithms; }

const RlsAlgorithm& rls_algorithm(std::string_view name) {
  const auto row =
      std::find_if(kRlsAlgorithms.begin(), kRlsAlgorithms.end(), [&](const RlsAlgorithm& a) { return a.name == name; });
  expects(row != kRlsAlgorithms.end(), "rls_algorithm: a known name");
  return *row;
}

}  // namespace elmx
