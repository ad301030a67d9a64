#pragma once

#include <span>
#include <string_view>

namespace elmx {

enum class OptimiserKind { rls, adam, sgd };

/// One row an algorithm of the family: which optimiser has which layers.
struct RlsAlgorithm {
  std::string_view name;
  std::string_view summary;
  std::string_view flops;  ///< of one step and one parameter matrix, beyond forward and backward
  OptimiserKind hidden;
  OptimiserKind output;
  bool momentum;
  bool l1;
};

std::span<const RlsAlgorithm> rls_algorithms();

/// The row of a name that is known to exist.
const RlsAlgorithm& rls_algorithm(std::string_view name);

}  // namespace elmx
