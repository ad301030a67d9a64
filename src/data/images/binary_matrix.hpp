#pragma once

#include <armadillo>
#include <string>
#include <string_view>
#include <vector>

#include "data/content/content.hpp"

namespace elmx {

/// A binary file of numbers of one type: a header, then N x d values, sample by sample.
struct BinaryMatrix {
  std::string origin;              ///< the path, for messages
  std::vector<arma::uword> shape;  ///< at least one size: the number of samples
  std::string bytes;               ///< the file, header and all
  std::size_t header;              ///< bytes before the data
  std::size_t value_bytes;         ///< 1: unsigned byte; 4: int32, little endian

  arma::uword count() const { return shape.front(); }
  /// Values of one sample: the product of all sizes but the first.
  arma::uword dimension() const;
  std::string_view data() const { return std::string_view(bytes).substr(header); }
  double value(std::size_t i) const;
};

/// The file with the header that has been read from it. Throws DataError: a size that is zero, a file that is
/// shorter or longer than its header says.
BinaryMatrix binary_matrix(Content content, std::vector<arma::uword> shape, std::size_t header,
                           std::size_t value_bytes);

/// The same of a file of so many bytes, without them.
BinaryMatrix binary_matrix(const std::string& origin, std::size_t file_bytes, std::vector<arma::uword> shape,
                           std::size_t header, std::size_t value_bytes);

/// A file of so many bytes where `expected` are. Throws DataError.
[[noreturn]] void refuse_size(const std::string& origin, std::size_t bytes, arma::uword expected);

/// A file of `content.bytes.size()` bytes where `expected` are. Throws DataError.
[[noreturn]] void refuse_size(const Content& content, arma::uword expected);

}  // namespace elmx
