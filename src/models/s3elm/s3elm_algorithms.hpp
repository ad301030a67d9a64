#pragma once

#include <span>
#include <string_view>

namespace elmx {

/// An algorithm of the family, as `elmx list` and `elmx show` describe it.
struct S3elmAlgorithm {
  std::string_view name;
  std::string_view summary;
  std::string_view flops;  ///< flops of the whole training
  bool ridge_solution;     ///< the output weights solve the ridge problem of the hidden outputs
};

std::span<const S3elmAlgorithm> s3elm_algorithms();

}  // namespace elmx
