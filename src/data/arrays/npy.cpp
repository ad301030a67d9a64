#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>

#include "base/error.hpp"
#include "base/machine/machine.hpp"
#include "base/printable.hpp"
#include "data/arrays/array_file.hpp"
#include "data/content/unpack.hpp"
#include "data/csv/fields.hpp"
#include "data/rows/array_rows.hpp"
#include "data/rows/input_rows.hpp"
#include "data/table/source.hpp"
#include "data/values/text.hpp"

namespace elmx {
namespace {

constexpr std::string_view kEnding = ".npy";  // of the files in a .npz file
constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kVersionBytes = 2;
constexpr std::size_t kLongestNpyHeader = std::size_t(1) << 20;
constexpr const char* kReadableTypes = "use f4, f8, i1 to i8, u1 to u8 or b1";

/// The header of a .npy file.
struct Header {
  std::string type;  ///< "" = records
  bool fortran_order = false;
  std::vector<std::size_t> shape;
  std::size_t data = 0;  ///< offset of the numbers
};

[[noreturn]] void refuse(const std::string& origin, const std::string& what) { throw DataError(origin, what); }

/// The text behind 'KEY': in the dictionary of the header.
std::string_view value_of(std::string_view text, const std::string& key, const std::string& origin) {
  const std::size_t at = text.find("'" + key + "':");
  if (at == std::string_view::npos) refuse(origin, "expected a .npy file, found no \"" + key + "\" in the header");
  return trimmed(text.substr(at + key.size() + 3));
}

std::vector<std::size_t> shape_of(std::string_view text, const std::string& origin) {
  const std::size_t end = text.find(')');
  if (!text.starts_with('(') || end == std::string_view::npos) refuse(origin, "the shape in the header is invalid");
  std::vector<std::size_t> shape;
  RowSplitter splitter(',');
  for (const std::string_view field : splitter.split(text.substr(1, end - 1))) {
    if (field.empty()) continue;
    const auto size = parse_digits(field);
    if (!size) refuse(origin, fmt::format("expected a whole number as size in the header, found \"{}\"", field));
    shape.push_back(*size);
  }
  return shape;
}

Header read_header(std::string_view bytes, const std::string& origin) {
  if (!bytes.starts_with(kMagic) || bytes.size() < kMagic.size() + kVersionBytes)
    refuse(origin, "expected a .npy file, as numpy.save writes it");
  const unsigned version = byte_at(bytes, kMagic.size());
  if (version < 1 || version > 3) refuse(origin, fmt::format("expected version 1 to 3 of .npy, found {}", version));
  const std::size_t at = kMagic.size() + kVersionBytes, size_bytes = version == 1 ? 2 : 4;
  if (bytes.size() < at + 4) refuse(origin, "ends within its header; use a complete .npy file");
  const std::size_t length = little_endian(bytes, at) & (version == 1 ? 0xffffU : 0xffffffffU);
  if (length > bytes.size() - at - size_bytes) refuse(origin, "ends within its header; use a complete .npy file");
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
  if (name.empty()) refuse(origin, fmt::format("records cannot be read; {}", kReadableTypes));
  const std::string known =
      name.size() == 3 && std::string_view("<>|=").find(name.front()) != std::string_view::npos ? name.substr(1) : "";
  const bool big_endian = name.front() == '>' || (name.front() == '=' && std::endian::native == std::endian::big);
  const NumberType type = known == "b1"   ? number_type('u', 1, false)
                          : known.empty() ? NumberType()
                                          : number_type(known[0], static_cast<std::size_t>(known[1] - '0'), big_endian);
  if (type.pick == nullptr)
    refuse(origin, fmt::format("numbers of type \"{}\" cannot be read; {}", name, kReadableTypes));
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

/// Locates the numbers behind the header in a file of `file_bytes` bytes.
ArrayInFile array_of(const Header& header, std::size_t file_bytes, const std::string& origin) {
  const NumberType type = type_named(header.type, origin);
  if (header.shape.empty() || header.shape.size() > 2)
    refuse(origin, fmt::format("expected an array of one or two dimensions, found {}", header.shape.size()));
  const arma::uword rows = header.shape.front(), cols = header.shape.size() == 2 ? header.shape.back() : 1;
  if (rows == 0 || cols == 0) refuse(origin, "expected at least one row and one column");
  const std::size_t bytes_behind = file_bytes - header.data, held = bytes_behind / type.bytes;
  if (rows > held / cols || rows * cols * type.bytes != bytes_behind)
    refuse(origin, fmt::format("expected {} x {} numbers of {} after the header, found {}", rows, cols,
                               counted(type.bytes, "byte"), counted(bytes_behind, "byte")));
  return {header.data, type, rows, cols, header.fortran_order};
}

/// Adds numbers to a column as what its role and kind ask for.
class ColumnFiller {
 public:
  /// number: the number of the column in messages.
  ColumnFiller(RawColumn& column, std::size_t number, const TableOptions& options)
      : column_(column), number_(number), missing_(options.missing != "refuse") {}

  /// Adds the numbers of rows first, first + 1, ... of a file. Throws DataError.
  void add(const arma::vec& values, arma::uword first, const std::string& origin) {
    if (column_.role == Role::dropped) return;
    for (arma::uword i = 0; i < values.n_elem; ++i) {
      const auto refuse_value = [&](const std::string& what) {
        refuse(origin, fmt::format("row {}, column {}: {}", first + i + 1, number_, what));
      };
      const double value = values(i);
      if (std::isinf(value)) refuse_value("expected a finite number, found " + shortest(value));
      if (std::isnan(value) && !missing_)
        refuse_value("found nan, a missing value; set data.missing to \"mean\" or \"drop_rows\"");
      if (column_.kind == Kind::number || std::isnan(value)) {
        column_.values.push_back(value);
        continue;
      }
      if (std::abs(value) >= kLabelsEnd) refuse_value("expected a label below 2^53, found " + shortest(value));
      const auto [found, is_new] = category_.try_emplace(value, column_.categories.size());
      if (is_new) column_.categories.push_back(shortest(value));
      column_.values.push_back(static_cast<double>(found->second));
    }
  }

 private:
  RawColumn& column_;
  std::size_t number_;
  bool missing_;
  std::map<double, std::size_t> category_;  // by its number
};

/// Returns the names of targets in a separate file: the names of the model, if there is a model.
std::vector<std::string> names_of_targets(std::size_t count, const Source& source) {
  std::vector<std::string> names;
  if (source.table.known && count > 0) {
    for (const KnownColumn& column : source.table.known->columns) {
      if (column.role == "target") names.push_back(column.name);
    }
    if (names.size() != count)
      refuse(source.train_labels->path.string(),
             fmt::format("expected {} as in the model, found {}", counted(names.size(), "target"), count));
  }
  for (std::size_t j = names.size(); j < count; ++j)
    names.push_back(count == 1 ? "target" : "target" + std::to_string(j + 1));
  return names;
}

/// Returns the columns of an array, followed by target columns from a separate file, with their roles.
std::vector<RawColumn> columns_of(std::size_t of_array, const std::vector<std::string>& targets,
                                  const TableOptions& options) {
  std::vector<RawColumn> columns = unnamed_columns(of_array);
  for (const std::string& name : targets) columns.emplace_back().name = name;
  assign_roles(columns, options, targets);
  return columns;
}

/// The files of one part of a set: its array, which is read in place, and the targets of a separate file.
struct Part {
  SharedContent file;
  ArrayInFile array;
  SharedContent file_of_targets;  ///< null = the targets are columns of the array
  arma::mat targets;
};

/// Opens the files of a set.
std::vector<Part> open_parts(const Source& source, const FromDisk& from_disk, Variable& variable) {
  std::vector<Part> parts;
  for (const SourceFile& named : source.parts()) {
    const auto file = std::make_shared<const Content>(open_for_blocks(named, source, from_disk));
    const Header header = read_header(file->head(kLongestNpyHeader), file->origin);
    if (parts.empty()) variable = variable_of(header, std::filesystem::path(file->origin).filename().string());
    const ArrayInFile array = array_of(header, file->size(), file->origin);
    SharedContent of_targets;
    arma::mat T;
    if (const auto& labels = parts.empty() ? source.train_labels : source.test_labels) {
      of_targets = std::make_shared<const Content>(open_for_blocks(*labels, source, {}));
      T = read_npy(of_targets);
      if (T.n_rows != array.rows)
        refuse(labels->path.string(),
               fmt::format("expected {} as in {}, found {}", counted(array.rows, "row"), file->origin, T.n_rows));
    }
    parts.push_back({file, array, of_targets, std::move(T)});
    const Part& first = parts.front();
    if (array.cols != first.array.cols)
      refuse(file->origin, fmt::format("expected {} as in {}, found {}", counted(first.array.cols, "column"),
                                       first.file->origin, array.cols));
    if (parts.back().targets.n_cols != first.targets.n_cols)
      throw ConfigError("/data/test_labels_path",
                        fmt::format("expected {} as in the training part, found {}",
                                    counted(first.targets.n_cols, "target"), parts.back().targets.n_cols));
  }
  return parts;
}

/// Returns the checksums of the input files, then of the target files.
std::vector<std::string> checksums_of(const std::vector<Part>& parts) {
  std::vector<std::string> checksums;
  for (const Part& part : parts) checksums.push_back(part.file->checksum());
  for (const Part& part : parts) {
    if (part.file_of_targets) checksums.push_back(part.file_of_targets->checksum());
  }
  return checksums;
}

/// Columns of the arrays of all parts, as samples: all rows, or the chosen ones.
SharedRows rows_of(const std::vector<Part>& parts, const arma::uvec& columns, const arma::uvec& chosen = {}) {
  std::vector<SharedRows> rows;
  for (const Part& part : parts) rows.push_back(array_rows(part.file, part.array, columns));
  return joined_rows(std::move(rows), chosen);
}

/// Reads the columns that are used into the table.
void read_columns(const std::vector<Part>& parts, std::vector<ColumnFiller>& fillers, RawTable& table) {
  std::vector<arma::uword> used;
  for (arma::uword j = 0; j < parts.front().array.cols; ++j) {
    if (table.columns[j].role == Role::dropped) continue;
    used.push_back(j);
    table.columns[j].values.reserve(table.rows);
  }
  for (const Part& part : parts)
    for_each_block(*array_rows(part.file, part.array, used), row_numbers(part.array.rows),
                   [&](arma::uword first, const arma::mat& block) {
                     for (std::size_t k = 0; k < used.size(); ++k)
                       fillers[used[k]].add(block.col(k), first, part.file->origin);
                   });
}

/// Makes the data set of a table whose targets in files of their own are read, and whose inputs stay in the
/// array.
Dataset with_inputs_on_disk(const std::vector<Part>& parts, std::vector<ColumnFiller>& fillers, RawTable& table,
                            const Source& source, arma::uword train_rows) {
  std::vector<arma::uword> inputs, others;  // columns of the array
  for (arma::uword j = 0; j < parts.front().array.cols; ++j) {
    const RawColumn& column = table.columns[j];
    if (column.role == Role::input && column.kind == Kind::category)
      throw ConfigError("/data/nominal", fmt::format("column \"{}\" cannot be nominal while the inputs stay in a .npy "
                                                     "file; set data.from_disk to false",
                                                     column.name));
    if (column.role == Role::input) inputs.push_back(j);
    if (column.role == Role::target || column.role == Role::split) others.push_back(j);
  }
  // In the order of the model's columns, if there is a model.
  std::ranges::stable_sort(inputs, {}, [&](arma::uword j) { return table.columns[j].of_model; });
  std::vector<arma::uword> all = inputs;
  all.insert(all.end(), others.begin(), others.end());
  std::vector<std::string> names;
  for (const arma::uword j : all) names.push_back(table.columns[j].name);
  const std::string& origin = parts.front().file->origin;
  Look look = look_at(*rows_of(parts, all), names, inputs.size(), source.table.missing != "refuse", origin);
  for (std::size_t k = 0; k < inputs.size(); ++k) table.columns[inputs[k]].missing_on_disk = look.missing[k];
  for (std::size_t k = 0; k < others.size(); ++k) fillers[others[k]].add(look.others.col(k), 0, origin);

  Dataset data = assemble(std::move(table), source.table, train_rows, source.name, std::move(look.incomplete));
  data.on_disk = rows_of(parts, inputs, data.kept_rows);
  data.missing_of = arma::uvec(std::vector<arma::uword>(look.missing.begin(), look.missing.end()));
  data.pass_seconds = look.seconds;
  data.constant = std::move(look.constant);
  return data;
}

}  // namespace

arma::mat read_npy(const SharedContent& file) {
  const Header header = read_header(file->head(kLongestNpyHeader), file->origin);
  const ArrayInFile array = array_of(header, file->size(), file->origin);
  refuse_beyond_memory(file->origin, "its array",
                       8.0 * static_cast<double>(array.rows) * static_cast<double>(array.cols));
  return read_all(*array_rows(file, array));
}

Dataset load_npy(const Source& source, const FromDisk& from_disk) {
  RawTable table;
  table.task = source.table.task;
  const std::vector<Part> parts = open_parts(source, from_disk, table.report.variables.emplace_back());
  const arma::uword of_array = parts.front().array.cols, of_targets = parts.front().targets.n_cols;
  for (const Part& part : parts) table.rows += part.array.rows;
  table.columns = columns_of(of_array, names_of_targets(of_targets, source), source.table);
  std::vector<ColumnFiller> fillers;
  for (std::size_t j = 0; j < table.columns.size(); ++j)
    fillers.emplace_back(table.columns[j], j < of_array ? j + 1 : j + 1 - of_array, source.table);
  for (const Part& part : parts) {
    for (arma::uword j = 0; j < of_targets; ++j) fillers[of_array + j].add(part.targets.col(j), 0, part.file->origin);
  }
  const arma::uword train_rows = source.test ? parts.front().array.rows : source.train_rows;
  const auto rows = static_cast<double>(table.rows), cols = static_cast<double>(of_array);
  Dataset data;
  if (from_disk.wants(rows, cols)) {
    data = with_inputs_on_disk(parts, fillers, table, source, train_rows);
  } else {
    refuse_beyond_memory(parts.front().file->origin, "its array", 8 * rows * cols);
    read_columns(parts, fillers, table);
    data = assemble(std::move(table), source.table, train_rows, source.name);
  }
  data.sha256 = checksums_of(parts);
  return data;
}

ArrayFile open_npz(Content content, const MatOptions& options) {
  content.read_into_memory();
  const auto file = std::make_shared<const Content>(std::move(content));
  if (file->bytes.starts_with(kMagic)) {  // a zip of one file comes unpacked and has lost the name
    return {{variable_of(read_header(file->bytes, file->origin), options.inputs_variable)},
            [file](const Variable&) { return read_npy(file); }};
  }
  ArrayFile opened;
  for (ArchiveReader archive(file->bytes, file->origin, ArchiveKind::zip); archive.next();) {
    std::string name = archive.name();
    if (!name.ends_with(kEnding)) continue;
    const Header header = read_header(archive.head(kLongestNpyHeader), file->origin + ": " + name);
    name.resize(name.size() - kEnding.size());
    opened.variables.push_back(variable_of(header, name));
  }
  opened.read = [file](const Variable& variable) {
    const std::string member = variable.name + std::string(kEnding), origin = file->origin + ": " + member;
    return read_npy(std::make_shared<const Content>(
        Content{origin, archive_member(file->bytes, member, file->origin, kAnySize, ArchiveKind::zip), ""}));
  };
  return opened;
}

}  // namespace elmx
