#include "data/formats/npy.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>

#include "base/error.hpp"
#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "data/content/archive.hpp"
#include "data/content/bytes.hpp"
#include "data/csv/fields.hpp"
#include "data/matlab/array_file.hpp"
#include "data/rows/look.hpp"
#include "data/table/assemble.hpp"
#include "data/table/from_disk.hpp"
#include "data/table/load_table.hpp"
#include "data/table/source.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

constexpr std::string_view kEnding = ".npy";  // of the files in a .npz file
constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kVersionBytes = 2;
constexpr std::size_t kLongestHeader = std::size_t(1) << 20;
constexpr const char* kAllowedTypes = "use f4, f8, i1 to i8, u1 to u8 or b1";

/// What the header says of the array.
struct Header {
  std::string type;  ///< "" = records
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
  RowSplitter splitter(',');
  for (const std::string_view field : splitter.split(text.substr(1, end - 1))) {
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
  if (version < 1 || version > 3) refuse(origin, fmt::format("version {} of .npy; expected 1 to 3", version));
  const std::size_t at = kMagic.size() + kVersionBytes, size_bytes = version == 1 ? 2 : 4;
  if (bytes.size() < at + 4) refuse(origin, "it ends in its header; a complete .npy file is expected");
  const std::size_t length = little_endian(bytes, at) & (version == 1 ? 0xffffU : 0xffffffffU);
  if (length > bytes.size() - at - size_bytes)
    refuse(origin, "it ends in its header; a complete .npy file is expected");
  const std::string_view text = bytes.substr(at + size_bytes, length);

  Header header;
  const std::string_view type = value_of(text, "descr", origin);
  const std::size_t end = type.find('\'', 1);
  if (type.starts_with('\'') && end != std::string_view::npos) header.type = type.substr(1, end - 1);
  header.fortran_order = value_of(text, "fortran_order", origin).starts_with("True");
  header.shape = shape_of(value_of(text, "shape", origin), origin);
  header.data = at + size_bytes + length;
  return header;
}

NumberType type_named(const std::string& name, const std::string& origin) {
  if (name.empty()) refuse(origin, fmt::format("an array of records; {}", kAllowedTypes));
  const std::string known =
      name.size() == 3 && std::string_view("<>|=").find(name.front()) != std::string_view::npos ? name.substr(1) : "";
  const bool big_endian = name.front() == '>' || (name.front() == '=' && std::endian::native == std::endian::big);
  const NumberType type = known == "b1"   ? number_type('u', 1, false)
                          : known.empty() ? NumberType()
                                          : number_type(known[0], static_cast<std::size_t>(known[1] - '0'), big_endian);
  if (type.pick == nullptr) refuse(origin, fmt::format("numbers of type \"{}\"; {}", name, kAllowedTypes));
  return type;
}

/// The array of that header, as data info lists it.
Variable variable_of(const Header& header, const std::string& name) {
  Variable variable{name, header.shape, "records", false};
  if (header.type.size() < 2) return variable;
  const char letter = header.type[1];
  const std::size_t bytes = std::strtoull(header.type.c_str() + 2, nullptr, 10);
  static const std::map<char, std::string> kinds{{'b', "bool"},    {'i', "int"},      {'u', "uint"}, {'f', "float"},
                                                 {'c', "complex"}, {'O', "objects"},  {'U', "text"}, {'S', "text"},
                                                 {'M', "dates"},   {'m', "durations"}};
  if (const auto found = kinds.find(letter); found != kinds.end()) variable.kind = found->second;
  if (letter == 'i' || letter == 'u' || (letter == 'f' && bytes != 4)) variable.kind += std::to_string(8 * bytes);
  if (variable.kind == "float64") variable.kind = "double";
  variable.numeric = letter == 'b' || number_type(letter, bytes, false).pick != nullptr;
  return variable;
}

/// The array of a .npy file that begins with `bytes`; its name is that of the file.
Variable variable_in(std::string_view bytes, const std::string& origin) {
  return variable_of(read_header(bytes, origin), std::filesystem::path(origin).filename().string());
}

/// Where the array stands in a file of so many bytes that begins with `bytes`.
ArrayInFile array_of(std::string_view bytes, std::size_t file_bytes, const std::string& origin) {
  const Header header = read_header(bytes, origin);
  ArrayInFile array;
  array.type = type_named(header.type, origin);
  if (header.shape.empty() || header.shape.size() > 2)
    refuse(origin, counted(header.shape.size(), "dimension") + "; one or two are expected");
  array.offset = header.data;
  array.rows = header.shape.front();
  array.cols = header.shape.size() == 2 ? header.shape.back() : 1;
  array.by_columns = header.fortran_order;
  if (array.rows == 0 || array.cols == 0) refuse(origin, "no data; at least one row is expected");
  const std::size_t bytes_behind = file_bytes - header.data, held = bytes_behind / array.type.bytes;
  if (array.rows > held / array.cols || array.rows * array.cols * array.type.bytes != bytes_behind)
    refuse(origin, fmt::format("{} x {} numbers of {}, but {} behind the header", array.rows, array.cols,
                               counted(array.type.bytes, "byte"), counted(bytes_behind, "byte")));
  return array;
}

/// The numbers of column j of M as what the role and kind of the column ask for; `number` is that of the
/// column in messages. Throws DataError.
void fill(RawColumn& column, const arma::mat& M, arma::uword j, std::size_t number_of_column,
          const TableOptions& options, const std::string& origin) {
  if (column.role == Role::dropped) return;
  std::map<double, std::size_t> number;
  for (arma::uword i = 0; i < M.n_rows; ++i) {
    const double value = M(i, j);
    const std::string where = fmt::format("{}: row {}, column {}: ", origin, i + 1, number_of_column);
    if (std::isinf(value)) throw DataError(where + shortest(value) + "; a finite number is expected");
    if (std::isnan(value) && options.missing == "refuse")
      throw DataError(where + "nan; a value is expected (\"missing\": \"drop_rows\" or \"mean\" allows such fields)");
    if (column.kind == Kind::number || std::isnan(value)) {
      column.values.push_back(value);
      continue;
    }
    if (std::abs(value) >= kLabelsEnd) throw DataError(where + shortest(value) + "; a label below 2^53 is expected");
    const auto [found, is_new] = number.try_emplace(value, column.categories.size());
    if (is_new) column.categories.push_back(shortest(value));
    column.values.push_back(static_cast<double>(found->second));
  }
}

/// Columns of an array, and behind them those of targets in a file of their own, with their roles.
std::vector<RawColumn> columns_of(std::size_t of_array, std::size_t of_targets, const TableOptions& options) {
  std::vector<RawColumn> columns = unnamed_columns(of_array);
  std::vector<std::string> targets;
  for (std::size_t j = 0; j < of_targets; ++j) {
    targets.push_back(of_targets == 1 ? "target" : "target" + std::to_string(j + 1));
    columns.emplace_back().name = targets.back();
  }
  assign_roles(columns, options, targets);
  return columns;
}

/// The columns of the array, and behind them those of the targets where they are in a file of their own.
RawTable table_of(const arma::mat& X, const std::optional<arma::mat>& T, const TableOptions& options,
                  const std::string& origin) {
  RawTable table;
  table.rows = X.n_rows;
  table.task = options.task;
  table.columns = columns_of(X.n_cols, T ? T->n_cols : 0, options);
  for (arma::uword j = 0; j < table.columns.size(); ++j)
    fill(table.columns[j], j < X.n_cols ? X : *T, j < X.n_cols ? j : j - X.n_cols,
         j < X.n_cols ? j + 1 : j - X.n_cols + 1, options, origin);
  return table;
}

/// Returns the array of targets that belongs to `rows` rows, if there is one, and adds its checksum.
std::optional<arma::mat> read_targets(const std::optional<SourceFile>& labels, const Source& source, arma::uword rows,
                                      const std::string& origin, std::vector<std::string>& checksums) {
  if (!labels) return std::nullopt;
  const Content file = read_verified(*labels, source);
  checksums.push_back(file.sha256);
  arma::mat T = read_npy(file);
  if (T.n_rows != rows)
    refuse(file.origin, fmt::format("{}; {} are expected, as in {}", counted(T.n_rows, "row"), rows, origin));
  return T;
}

/// An array that stays in its file.
struct OpenArray {
  SharedFile file;
  ArrayInFile array;
  std::string origin;
  Variable variable;
};

ArrayFile open_npz(Content content, const MatOptions& options) {
  const auto file = std::make_shared<const Content>(std::move(content));
  if (file->bytes.starts_with(kMagic)) {  // a zip of one file comes unpacked and has lost the name
    return {{variable_of(read_header(file->bytes, file->origin), options.inputs_variable)},
            [file](const Variable&) { return read_npy(*file); }};
  }
  ArrayFile opened;
  for (ArchiveReader archive(file->bytes, file->origin, ArchiveKind::zip); archive.next();) {
    std::string name = archive.name();
    if (!name.ends_with(kEnding)) continue;
    const Header header = read_header(archive.head(kLongestHeader), file->origin + ": " + name);
    name.resize(name.size() - kEnding.size());
    opened.variables.push_back(variable_of(header, name));
  }
  opened.read = [file](const Variable& variable) {
    const std::string member = variable.name + std::string(kEnding), origin = file->origin + ": " + member;
    return read_npy({origin, archive_member(file->bytes, member, file->origin, kAnySize, ArchiveKind::zip), ""});
  };
  return opened;
}

std::optional<OpenArray> open_array(const SourceFile& named, const Source& source, const FromDisk& from_disk) {
  const SharedFile file = open_for_blocks(named, source, from_disk);
  if (file == nullptr) return std::nullopt;
  const std::string origin = named.path.string(), head = file->head(kLongestHeader);
  return OpenArray{file, array_of(head, file->size(), origin), origin, variable_in(head, origin)};
}

}  // namespace

arma::mat read_npy(const Content& content) {
  const ArrayInFile array = array_of(content.bytes, content.bytes.size(), content.origin);
  refuse_beyond_memory(content.origin, "its array",
                       8.0 * static_cast<double>(array.rows) * static_cast<double>(array.cols));
  arma::mat M(array.rows, array.cols);
  const std::size_t width = array.type.bytes;
  const std::size_t down = array.by_columns ? width : array.cols * width,
                    across = array.by_columns ? array.rows * width : width;
  constexpr arma::uword kTile = 64;  // rows whose bytes stay in the cache
  const arma::uvec tile = arma::regspace<arma::uvec>(0, 1, kTile - 1);
  for (arma::uword row = 0; row < array.rows; row += kTile) {
    for (arma::uword j = 0; j < array.cols; ++j)
      array.type.pick(content.bytes.data() + array.offset + row * down + j * across, down, tile.memptr(), 0,
                      std::min(kTile, array.rows - row), M.colptr(j) + row);
  }
  return M;
}

std::optional<Dataset> npy_from_disk(const Source& source, const FromDisk& from_disk) {
  const std::vector<SourceFile> named = source.parts();
  std::vector<OpenArray> parts;
  double rows = 0;
  for (const SourceFile& file : named) {
    const std::optional<OpenArray> part = open_array(file, source, from_disk);
    if (!part) return std::nullopt;
    rows += static_cast<double>(part->array.rows);
    parts.push_back(*part);
  }
  const arma::uword of_array = parts.front().array.cols;
  if (!from_disk.wants(rows, static_cast<double>(of_array))) return std::nullopt;

  std::vector<std::string> checksums, of_labels;
  arma::mat targets;  // in files of their own
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const OpenArray& part = parts[p];
    if (part.array.cols != of_array)
      refuse(part.origin, fmt::format("{}; {} are expected, as in {}", counted(part.array.cols, "column"), of_array,
                                      parts.front().origin));
    checksums.push_back(verified_checksum(*part.file, named[p], source));
    const auto T = read_targets(p == 0 ? source.train_labels : source.test_labels, source, part.array.rows, part.origin,
                                of_labels);
    if (T) targets = targets.is_empty() ? *T : arma::join_cols(targets, *T);
  }
  RawTable table;
  table.rows = static_cast<std::size_t>(rows);
  table.task = source.table.task;
  table.report.variables = {parts.front().variable};
  if (!targets.is_empty() && targets.n_rows != table.rows)
    throw ConfigError("/data/test_labels_path: missing; the targets of \"path\" are in a file of their own");
  table.columns = columns_of(of_array, targets.n_cols, source.table);

  std::vector<arma::uword> inputs, others;  // columns of the array
  std::vector<LookedAtColumn> looked_at;
  for (arma::uword j = 0; j < of_array; ++j) {
    const RawColumn& column = table.columns[j];
    if (column.role == Role::input && column.kind == Kind::category)
      throw ConfigError("/data/nominal: column \"" + column.name +
                        "\": not with inputs that stay in a .npy file; use numbers, or \"from_disk\": false");
    if (column.role == Role::input) inputs.push_back(j);
    if (column.role == Role::target || column.role == Role::split) others.push_back(j);
  }
  if (source.table.known) {  // in the order of the model's columns
    const std::vector<std::size_t> match = match_columns(table.columns, *source.table.known);
    std::ranges::sort(inputs, {}, [&](arma::uword j) { return match[j]; });
  }
  for (const auto& list : {inputs, others}) {
    for (const arma::uword j : list) looked_at.push_back({table.columns[j].name});
  }
  const auto rows_of = [&](const std::vector<arma::uword>& columns) {
    std::vector<SharedRows> of_parts;
    for (const OpenArray& part : parts)
      of_parts.push_back(std::make_shared<const ArrayRows>(part.file, part.array, arma::uvec(columns)));
    return of_parts.size() == 1 ? of_parts.front() : std::make_shared<const JoinedRows>(std::move(of_parts));
  };
  std::vector<arma::uword> all = inputs;
  all.insert(all.end(), others.begin(), others.end());
  Look look = look_at(*rows_of(all), inputs.size(), looked_at, source.table.missing != "refuse", parts.front().origin);
  for (std::size_t k = 0; k < inputs.size(); ++k) table.columns[inputs[k]].missing_on_disk = look.missing[k];
  for (std::size_t k = 0; k < others.size(); ++k)
    fill(table.columns[others[k]], look.others, k, others[k] + 1, source.table, parts.front().origin);
  for (arma::uword j = 0; j < targets.n_cols; ++j)
    fill(table.columns[of_array + j], targets, j, j + 1, source.table, parts.front().origin);

  const arma::uword of_training = source.test ? parts.front().array.rows : source.train_rows;
  Dataset data = assemble_without_inputs(std::move(table), source.table, of_training, source.name, look.incomplete);
  SharedRows X = rows_of(inputs);
  if (!data.kept_rows.is_empty()) X = std::make_shared<const ChosenRows>(X, data.kept_rows);
  data.on_disk = X;
  data.missing_of = arma::uvec(std::vector<arma::uword>(look.missing.begin(), look.missing.end()));
  data.pass_seconds = look.seconds;
  data.constant = std::move(look.constant);
  data.sha256 = std::move(checksums);
  data.sha256.insert(data.sha256.end(), of_labels.begin(), of_labels.end());
  return data;
}

Dataset load_npy(const Source& source) {
  std::vector<std::string> of_labels;  // checksums
  const std::optional<SourceFile>* labels = &source.train_labels;
  Dataset data = load_table(source, [&](const Content& content, const TableOptions& options) {
    const arma::mat X = read_npy(content);
    const std::optional<arma::mat> T = read_targets(*labels, source, X.n_rows, content.origin, of_labels);
    labels = &source.test_labels;
    RawTable table = table_of(X, T, options, content.origin);
    table.report.variables = {variable_in(content.bytes, content.origin)};
    return table;
  });
  data.sha256.insert(data.sha256.end(), of_labels.begin(), of_labels.end());
  return data;
}

Dataset load_npz(const Source& source, const MatOptions& options) { return load_arrays(source, options, open_npz); }

}  // namespace elmx
