#include "data/images/binary_matrix.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/sizes.hpp"
#include "data/content/bytes.hpp"
#include "data/table/table.hpp"

namespace elmx {
namespace {

arma::uword times(arma::uword a, arma::uword b) { return product_of_sizes({a, b}); }

}  // namespace

arma::uword BinaryMatrix::dimension() const {
  return std::accumulate(shape.begin() + 1, shape.end(), arma::uword{1}, std::multiplies<>());
}

double BinaryMatrix::value(std::size_t i) const {
  const std::string_view values = data();
  return value_bytes == 1 ? byte_at(values, i) : static_cast<std::int32_t>(little_endian(values, i * value_bytes));
}

BinaryMatrix binary_matrix(Content content, std::vector<arma::uword> shape, std::size_t header,
                           std::size_t value_bytes) {
  BinaryMatrix matrix = binary_matrix(content.origin, content.bytes.size(), std::move(shape), header, value_bytes);
  matrix.bytes = std::move(content.bytes);
  return matrix;
}

BinaryMatrix binary_matrix(const std::string& origin, std::size_t file_bytes, std::vector<arma::uword> shape,
                           std::size_t header, std::size_t value_bytes) {
  if (std::ranges::count(shape, 0) > 0) throw DataError(origin + ": a size of 0 in its header; at least 1 is expected");
  const arma::uword data = std::accumulate(shape.begin(), shape.end(), arma::uword{value_bytes}, times);
  if (file_bytes < header || file_bytes - header != data)
    refuse_size(origin, file_bytes, data > kTooMany - header ? kTooMany : header + data);
  return {origin, std::move(shape), "", header, value_bytes};
}

void refuse_size(const std::string& origin, std::size_t bytes, arma::uword expected) {
  throw DataError(fmt::format("{}: {}; its header asks for {}", origin, counted(bytes, "byte"), expected));
}

void refuse_size(const Content& content, arma::uword expected) {
  refuse_size(content.origin, content.bytes.size(), expected);
}

}  // namespace elmx
