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
  if (std::ranges::count(shape, 0) > 0)
    throw DataError(content.origin + ": a size of 0 in its header; at least 1 is expected");
  const arma::uword data = std::accumulate(shape.begin(), shape.end(), arma::uword{value_bytes}, times);
  if (content.bytes.size() < header || content.bytes.size() - header != data) {
    refuse_size(content, data > kTooMany - header ? kTooMany : header + data);
  }
  return {content.origin, std::move(shape), std::move(content.bytes), header, value_bytes};
}

void refuse_size(const Content& content, arma::uword expected) {
  throw DataError(
      fmt::format("{}: {}; its header asks for {}", content.origin, counted(content.bytes.size(), "byte"), expected));
}

}  // namespace elmx
