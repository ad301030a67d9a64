#pragma once

#include <span>
#include <string_view>

namespace elmx {

/// One row an algorithm: what `elmx list` and `elmx show` say of it.
struct S3elmAlgorithm {
  std::string_view name;
  std::string_view summary;
  std::string_view flops;  ///< of the whole training
  bool ridge_solution;     ///< its output weights solve the ridge problem of their hidden outputs
};

std::span<const S3elmAlgorithm> s3elm_algorithms();

}  // namespace elmx
