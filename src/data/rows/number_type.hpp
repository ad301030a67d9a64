#pragma once

#include <armadillo>
#include <cstddef>

namespace elmx {

/// How numbers of one type stand in a file.
struct NumberType {
  /// to[i] = the number at from + (rows[i] - first) * stride bytes.
  using Pick = void (*)(const char* from, std::size_t stride, const arma::uword* rows, arma::uword first,
                        arma::uword count, double* to);

  Pick pick = nullptr;
  std::size_t bytes = 0;
};

/// kind: 'f' floating point of 4 or 8 bytes, 'i' and 'u' integers of 1, 2, 4 or 8; pick is null for any
/// other.
NumberType number_type(char kind, std::size_t bytes, bool big_endian);

}  // namespace elmx
