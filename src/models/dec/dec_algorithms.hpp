#pragma once

#include <span>
#include <string_view>

namespace elmx {

/// An algorithm of the family.
struct DecAlgorithm {
  std::string_view name;
  std::string_view summary;
  std::string_view flops;  ///< flops of one major step or iteration, dominant terms
  std::string_view step;   ///< see AlgorithmInfo::step
  bool ridge_solution;     ///< the output weights solve the ridge problem of the hidden outputs
};

std::span<const DecAlgorithm> dec_algorithms();

}  // namespace elmx
