#include "data/formats/npy.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>

#include "base/error.hpp"
#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "data/content/bytes.hpp"
#include "data/source.hpp"
#include "data/table/load_table.hpp"
#include "data/table/text.hpp"

namespace elmx {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kVersionBytes = 2;
constexpr const char* kAllowedTypes = "allowed: f4, f8, i1 to i8, u1 to u8, b1";

/// What the header says of the array.
struct Header {
  std::string type;
  bool fortran_order = false;
  std::vector<std::size_t> shape;
  std::size_t data = 0;  ///< where the numbers begin
};

[[noreturn]] void refuse(const std::string& origin, const std::string& what) { throw DataError(origin + ": " + what); }

/// The text behind 'KEY': in the dictionary of the header.
std::string_view value_of(std::string_view text, const std::string& key, const std::string& origin) {
  const std::size_t at = text.find("'" + key + "':");
  if (at == std::string_view::npos) refuse(origin, "no \"" + key + "\" in the header; a .npy file is expected");
  return trimmed(text.substr(at + key.size() + 3));
}

std::vector<std::size_t> shape_of(std::string_view text, const std::string& origin) {
  const std::size_t end = text.find(')');
  if (!text.starts_with('(') || end == std::string_view::npos) refuse(origin, "a shape that is none in the header");
  std::vector<std::size_t> shape;
  Fields fields(',', "");
  for (const std::string_view field : fields.split(text.substr(1, end - 1))) {
    if (field.empty()) continue;
    std::size_t size = 0;
    const auto [stop, error] = std::from_chars(field.data(), field.data() + field.size(), size);
    if (error != std::errc() || stop != field.data() + field.size())
      refuse(origin, fmt::format("the size \"{}\" in the header; a whole number is expected", field));
    shape.push_back(size);
  }
  return shape;
}

Header read_header(std::string_view bytes, const std::string& origin) {
  if (!bytes.starts_with(kMagic) || bytes.size() < kMagic.size() + kVersionBytes)
    refuse(origin, "no header of a .npy file; the array that numpy.save writes is expected");
  const unsigned version = byte_at(bytes, kMagic.size());
  if (version < 1 || version > 3) refuse(origin, fmt::format("version {} of .npy; allowed: 1 to 3", version));
  const std::size_t at = kMagic.size() + kVersionBytes, size_bytes = version == 1 ? 2 : 4;
  if (bytes.size() < at + 4) refuse(origin, "it ends in its header; a complete .npy file is expected");
  const std::size_t length = little_endian(bytes, at) & (version == 1 ? 0xffffU : 0xffffffffU);
  if (length > bytes.size() - at - size_bytes)
    refuse(origin, "it ends in its header; a complete .npy file is expected");
  const std::string_view text = bytes.substr(at + size_bytes, length);

  Header header;
  const std::string_view type = value_of(text, "descr", origin);
  const std::size_t end = type.find('\'', 1);
  if (!type.starts_with('\'') || end == std::string_view::npos)
    refuse(origin, fmt::format("an array of records or objects; {}", kAllowedTypes));
  header.type = type.substr(1, end - 1);
  header.fortran_order = value_of(text, "fortran_order", origin).starts_with("True");
  header.shape = shape_of(value_of(text, "shape", origin), origin);
  header.data = at + size_bytes + length;
  return header;
}

template <class T>
double number_at(const char* bytes, bool swapped) {
  std::array<char, sizeof(T)> value;
  std::memcpy(value.data(), bytes, sizeof(T));
  if (swapped) std::ranges::reverse(value);
  return static_cast<double>(std::bit_cast<T>(value));
}

/// How a number of the type is read, and its bytes.
struct NumberType {
  double (*at)(const char* bytes, bool swapped) = nullptr;
  std::size_t bytes = 0;
};

template <class T>
NumberType number_type() {
  return {number_at<T>, sizeof(T)};
}

NumberType type_named(const std::string& name, const std::string& origin) {
  static const std::map<std::string, NumberType> types{
      {"f4", number_type<float>()},         {"f8", number_type<double>()},        {"i1", number_type<std::int8_t>()},
      {"i2", number_type<std::int16_t>()},  {"i4", number_type<std::int32_t>()},  {"i8", number_type<std::int64_t>()},
      {"u1", number_type<std::uint8_t>()},  {"u2", number_type<std::uint16_t>()}, {"u4", number_type<std::uint32_t>()},
      {"u8", number_type<std::uint64_t>()}, {"b1", number_type<std::uint8_t>()}};
  const auto found = types.find(name.empty() ? name : name.substr(1));
  if (found == types.end() || std::string_view("<>|=").find(name.front()) == std::string_view::npos)
    refuse(origin, fmt::format("numbers of type \"{}\"; {}", name, kAllowedTypes));
  return found->second;
}

/// The numbers of column j as what the role and kind of the column ask for. Throws DataError.
void fill(RawColumn& column, const arma::mat& M, arma::uword j, const TableOptions& options,
          const std::string& origin) {
  if (column.role == Role::dropped) return;
  std::map<double, std::size_t> number;
  for (arma::uword i = 0; i < M.n_rows; ++i) {
    const double value = M(i, j);
    const std::string where = fmt::format("{}: row {}, column {}: ", origin, i + 1, j + 1);
    if (std::isinf(value)) throw DataError(where + shortest(value) + "; a finite number is expected");
    if (std::isnan(value) && options.missing == "refuse")
      throw DataError(where + "nan; a value is expected (\"missing\": \"drop_rows\" or \"mean\" allows such fields)");
    if (column.kind == Kind::number || std::isnan(value)) {
      column.values.push_back(value);
      continue;
    }
    const auto [found, is_new] = number.try_emplace(value, column.categories.size());
    if (is_new) column.categories.push_back(shortest(value));
    column.values.push_back(static_cast<double>(found->second));
  }
}

/// The columns of the array, and behind them those of the targets where they are in a file of their own.
RawTable table_of(const arma::mat& X, const std::optional<arma::mat>& T, const TableOptions& options,
                  const std::string& origin) {
  RawTable table;
  table.rows = X.n_rows;
  table.columns = unnamed_columns(X.n_cols);
  std::vector<std::string> targets;
  for (arma::uword j = 0; T && j < T->n_cols; ++j) {
    targets.push_back(T->n_cols == 1 ? "target" : "target" + std::to_string(j + 1));
    table.columns.emplace_back().name = targets.back();
  }
  assign_roles(table.columns, options, targets);
  for (arma::uword j = 0; j < table.columns.size(); ++j)
    fill(table.columns[j], j < X.n_cols ? X : *T, j < X.n_cols ? j : j - X.n_cols, options, origin);
  return table;
}

}  // namespace

arma::mat read_npy(const Content& content) {
  const std::string_view bytes = content.bytes;
  const Header header = read_header(bytes, content.origin);
  const NumberType type = type_named(header.type, content.origin);
  if (header.shape.empty() || header.shape.size() > 2)
    refuse(content.origin, counted(header.shape.size(), "dimension") + "; one or two are allowed");
  const std::size_t rows = header.shape.front(), cols = header.shape.size() == 2 ? header.shape.back() : 1;
  if (rows == 0 || cols == 0) refuse(content.origin, "no data; at least one row is expected");
  const std::size_t held = (bytes.size() - header.data) / type.bytes;
  if (rows > held / cols || rows * cols * type.bytes != bytes.size() - header.data)
    refuse(content.origin, fmt::format("{} x {} numbers of {}, but {} behind the header", rows, cols,
                                       counted(type.bytes, "byte"), counted(bytes.size() - header.data, "byte")));
  refuse_beyond_memory(content.origin, "its array", 8.0 * static_cast<double>(rows) * static_cast<double>(cols));
  const bool little = std::endian::native == std::endian::little;
  const bool swapped = header.type.front() == (little ? '>' : '<');
  arma::mat M(rows, cols);
  for (std::size_t k = 0; k < rows * cols; ++k) {
    const double number = type.at(bytes.data() + header.data + k * type.bytes, swapped);
    header.fortran_order ? M(k % rows, k / rows) = number : M(k / cols, k % cols) = number;
  }
  return M;
}

Dataset load_npy(const Source& source) {
  std::vector<std::string> of_labels;  // checksums
  const std::optional<SourceFile>* labels = &source.train_labels;
  Dataset data = load_table(source, [&](const Content& content, const TableOptions& options) {
    const arma::mat X = read_npy(content);
    std::optional<arma::mat> T;
    if (*labels) {
      const Content file = read_verified(**labels, source);
      of_labels.push_back(file.sha256);
      T = read_npy(file);
      if (T->n_rows != X.n_rows)
        refuse(file.origin,
               fmt::format("{}; {} are expected, as in {}", counted(T->n_rows, "row"), X.n_rows, content.origin));
    }
    labels = &source.test_labels;
    return table_of(X, T, options, content.origin);
  });
  data.sha256.insert(data.sha256.end(), of_labels.begin(), of_labels.end());
  return data;
}

}  // namespace elmx
