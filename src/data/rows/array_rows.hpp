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

/// Returns a number type. kind: 'f' for floating point of 4 or 8 bytes, 'i' and 'u' for integers of 1, 2, 4
/// or 8 bytes; `pick` is null for any other type.
NumberType number_type(char kind, std::size_t bytes, bool big_endian);

/// N x d numbers of one type that are contiguous in a file: sample by sample, or column by column.
struct ArrayInFile {
  std::size_t offset = 0;  ///< offset of the first number
  NumberType type;
  arma::uword rows = 0, cols = 0;
  bool by_columns = false;
};

/// Returns some columns of an array as inputs, in the given order.
SharedRows array_rows(SharedContent file, const ArrayInFile& array, arma::uvec columns);

/// Returns all columns of an array as inputs.
SharedRows array_rows(SharedContent file, const ArrayInFile& array);

}  // namespace elmx
