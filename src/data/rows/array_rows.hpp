#pragma once

#include <memory>

#include "data/content/content.hpp"
#include "data/rows/row_source.hpp"

namespace elmx {

using SharedContent = std::shared_ptr<const Content>;

/// The storage of numbers of one type in a file.
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

/// N x d numbers of one type that stand in a file one after the other: sample by sample, or column by column.
struct ArrayInFile {
  std::size_t offset = 0;  ///< of the first number
  NumberType type;
  arma::uword rows = 0, cols = 0;
  bool by_columns = false;
};

/// Some columns of such an array as samples, in the order given.
SharedRows array_rows(SharedContent file, const ArrayInFile& array, arma::uvec columns);

/// All of its columns.
SharedRows array_rows(SharedContent file, const ArrayInFile& array);

}  // namespace elmx
