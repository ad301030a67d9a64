#pragma once

#include <span>
#include <string_view>

namespace elmx {

enum class OptimiserKind { rls, adam, sgd };

/// An algorithm of the family: the optimisers of the layers.
struct RlsAlgorithm {
  std::string_view name;
  std::string_view summary;
  std::string_view flops;  ///< flops of one step and one parameter matrix, beyond forward and backward
  OptimiserKind hidden;
  OptimiserKind output;
  bool momentum;
  bool l1;
};

std::span<const RlsAlgorithm> rls_algorithms();

/// Returns the row of a name, which must be known.
const RlsAlgorithm& rls_algorithm(std::string_view name);

}  // namespace elmx
