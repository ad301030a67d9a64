#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>

#include "base/config/json.hpp"
#include "base/error.hpp"
#include "base/machine/machine.hpp"
#include "data/arrays/array_file.hpp"
#include "data/arrays/hdf5_library.hpp"
#include "data/content/child_process.hpp"
#include "data/rows/array_rows.hpp"

namespace elmx {
namespace {

constexpr std::size_t kSecondsAtLeast = 5;        // of the CPU
constexpr std::size_t kBytesPerSecond = 5 << 20;  // a tenth of what HDF5 unpacks
constexpr std::size_t kLongestClass = 64;         // of MATLAB, in bytes
constexpr std::size_t kUnpackedPerByte = 1100;    // deflate packs at most 1032 bytes into one

/// The paths of all objects; links to other files and soft links are left out.
std::vector<std::string> names_in(hid_t file) {
  std::vector<std::string> names;
  const auto note = [](hid_t, const char* name, const H5L_info_t* link, void* list) -> herr_t {
    if (link->type == H5L_TYPE_HARD) static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  check_hdf5(H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, note, &names));
  return names;
}

/// The kind of values, as h5py and MATLAB call it. h5py writes booleans as an enumeration of FALSE and TRUE.
std::string kind_of_type(hid_t type) {
  const std::size_t bits = 8 * H5Tget_size(type);
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
      return fmt::format("{}int{}", H5Tget_sign(type) == H5T_SGN_NONE ? "u" : "", bits);
    case H5T_FLOAT:
      return bits == 64 ? "double" : bits == 32 ? "float" : fmt::format("float{}", bits);
    case H5T_ENUM:
      return bits == 8 && H5Tget_nmembers(type) == 2 ? "bool" : "enumeration";
    case H5T_STRING:
      return "text";
    case H5T_COMPOUND:
      return H5Tget_member_index(type, "r") >= 0 || H5Tget_member_index(type, "real") >= 0 ? "complex" : "records";
    case H5T_REFERENCE:
      return "references";
    default:
      return "other values";
  }
}

bool is_numeric(hid_t type) {
  const H5T_class_t kind = H5Tget_class(type);
  return kind == H5T_INTEGER || kind == H5T_FLOAT || kind == H5T_ENUM;
}

/// The class that MATLAB gives an object; "" if it gives none.
std::string matlab_class(hid_t object) {
  if (H5Aexists(object, "MATLAB_class") <= 0) return "";
  const Hdf5Handle attribute(H5Aopen(object, "MATLAB_class", H5P_DEFAULT), H5Aclose);
  const Hdf5Handle type(H5Aget_type(attribute), H5Tclose), space(H5Aget_space(attribute), H5Sclose);
  const bool one_text = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
                        H5Sget_simple_extent_npoints(space) == 1 && H5Tget_size(type) <= kLongestClass;
  if (!one_text) return "";
  std::string text(H5Tget_size(type), '\0');
  check_hdf5(H5Aread(attribute, type, text.data()));
  return text.substr(0, text.find('\0'));
}

/// The variable of that name; nothing if the object is a group that is none.
std::optional<Variable> variable_named(hid_t file, const std::string& name, bool matlab) {
  const Hdf5Handle object(H5Oopen(file, name.c_str(), H5P_DEFAULT), H5Oclose);
  const std::string of_matlab = matlab ? matlab_class(object) : "";
  Variable variable{name, {}, of_matlab, false};
  if (H5Iget_type(object) != H5I_DATASET) {
    if (matlab && H5Aexists(object, "MATLAB_sparse") > 0) variable.kind = "sparse";
    return matlab ? std::optional(variable) : std::nullopt;
  }
  const Hdf5Handle type(H5Dget_type(object), H5Tclose), space(H5Dget_space(object), H5Sclose);
  std::vector<hsize_t> extent(std::max(H5Sget_simple_extent_ndims(space), 0));
  if (!extent.empty()) check_hdf5(H5Sget_simple_extent_dims(space, extent.data(), nullptr));
  if (matlab) std::ranges::reverse(extent);
  variable.shape.assign(extent.begin(), extent.end());
  variable.numeric = is_numeric(type);
  if (of_matlab.empty() || !variable.numeric) {
    if (of_matlab != "cell") variable.kind = kind_of_type(type);
    return variable;
  }
  if (of_matlab == "logical") variable.kind = "bool";
  if (of_matlab == "char") variable.kind = "text";
  const bool empty = H5Aexists(object, "MATLAB_empty") > 0;  // the values are the sizes
  if (empty) variable.shape = {0, 0};
  const std::string& kind = variable.kind;
  variable.numeric =
      kind == "bool" || kind == "double" || kind == "single" || kind.starts_with("int") || kind.starts_with("uint");
  return variable;
}

Json variables_in(hid_t file, bool matlab) {
  Json list = Json::array();
  for (const std::string& name : names_in(file)) {
    // parts of variables
    if (matlab && (name.starts_with('#') || name.find('/') != std::string::npos)) continue;
    std::optional<Variable> found;
    try {
      found = variable_named(file, name, matlab);
    } catch (const std::runtime_error&) {
      found = Variable{name, {}, "damaged", false};
    }
    if (found) list.push_back({found->name, found->shape, found->kind, found->numeric});
  }
  return list;
}

/// An HDF5 file on the disk or in memory.
class Hdf5File {
 public:
  explicit Hdf5File(Content content) : content_(std::make_shared<const Content>(std::move(content))) {
    if (!content_->file) refuse_beyond_memory(origin(), "its content", 2.0 * static_cast<double>(size()));
  }

  const SharedContent& content() const { return content_; }
  const std::string& origin() const { return content_->origin; }
  std::size_t size() const { return content_->size(); }
  /// Returns the place of errors in a data set.
  std::string place(const std::string& name) const { return fmt::format("{}: data set \"{}\"", origin(), name); }

  /// Returns f(file), which is called in a child process: the HDF5 library crashes on some damaged files.
  /// Throws DataError: as f does, or if the library fails.
  template <class Result>
  Result isolated(const std::function<Result(hid_t file)>& f) const {
    const auto make = [&] {
      const QuietHdf5 quiet;
      try {
        const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
        if (!content_->file) open_from_memory(access, content_->bytes);
        const std::string path = content_->file ? content_->file->path().string() : kHdf5InMemory;
        const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose);
        return f(file);
      } catch (const UserError&) {
        throw;
      } catch (const std::exception&) {
        throw DataError(origin(), "cannot be read as HDF5; use a complete HDF5 file");
      }
    };
    return elmx::isolated<Result>(make, origin(), static_cast<unsigned>(kSecondsAtLeast + size() / kBytesPerSecond));
  }

  /// Does the same for facts about the file.
  Json facts(const std::function<Json(hid_t file)>& f) const {
    return Json::parse(isolated<std::string>(
        [&](hid_t file) { return f(file).dump(-1, ' ', false, Json::error_handler_t::replace); }));
  }

 private:
  SharedContent content_;
};

/// A data set of numbers with one or two dimensions. Throws DataError if its numbers lie in other files or
/// exceed what a file of `file_bytes` bytes can hold.
struct NumberSet {
  NumberSet(hid_t file, const std::string& name, const std::string& place, std::size_t file_bytes)
      : set(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose),
        how(H5Dget_create_plist(set), H5Pclose),
        space(H5Dget_space(set), H5Sclose),
        layout(H5Pget_layout(how)) {
    if (H5Pget_external_count(how) != 0 || layout == H5D_VIRTUAL)
      throw DataError(place, "its numbers are in other files; store them in this one");
    if (H5Sget_simple_extent_ndims(space) > 2 || H5Sget_simple_extent_dims(space, extent.data(), nullptr) < 1)
      throw DataError(place, "expected an array of one or two dimensions");
    if (extent[0] == 0 || extent[1] == 0 || extent[0] > kUnpackedPerByte * file_bytes / extent[1])
      throw DataError(place,
                      fmt::format("a file of {} bytes cannot have {} x {} numbers", file_bytes, extent[0], extent[1]));
    if (layout == H5D_CHUNKED) check_hdf5(H5Pget_chunk(how, 2, chunk.data()));
  }

  hsize_t chunks_down() const { return (extent[0] + chunk[0] - 1) / chunk[0]; }
  hsize_t chunks_across() const { return (extent[1] + chunk[1] - 1) / chunk[1]; }

  /// Throws DataError if some numbers were never written.
  void refuse_unwritten(const std::string& place) const {
    bool written = layout != H5D_CONTIGUOUS || H5Dget_offset(set) != HADDR_UNDEF;
    if (layout == H5D_CHUNKED) {
      hsize_t count = 0;
      check_hdf5(H5Dget_num_chunks(set, space, &count));
      written = count == chunks_down() * chunks_across();
    }
    if (!written) throw DataError(place, "some numbers were never written; use a complete data set");
  }

  const Hdf5Handle set, how, space;
  const H5D_layout_t layout;
  std::array<hsize_t, 2> extent{1, 1}, chunk{1, 1};
};

std::vector<Variable> variables_of(const Hdf5File& file, bool matlab) {
  std::vector<Variable> variables;
  for (const Json& one : file.facts([&](hid_t opened) { return variables_in(opened, matlab); }))
    variables.push_back({one[0], one[1].get<std::vector<std::size_t>>(), one[2], one[3]});
  return variables;
}

arma::mat matrix_of(const Hdf5File& file, const std::string& name, bool matlab) {
  return file.isolated<arma::mat>([&](hid_t opened) {
    const NumberSet numbers(opened, name, file.place(name), file.size());
    if (!matlab) numbers.refuse_unwritten(file.place(name));
    arma::mat M(numbers.extent[1], numbers.extent[0]);  // transposed, since HDF5 is row-major
    check_hdf5(H5Dread(numbers.set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, M.memptr()));
    if (!matlab) arma::inplace_trans(M, "lowmem");
    return M;
  });
}

/// The places of the filters in the pipeline of every chunk; -1 = the filter is not used.
struct Filters {
  int deflate = -1, shuffle = -1;
};

Filters filters_of(hid_t how, const std::string& place) {
  Filters filters;
  for (int i = 0; i < H5Pget_nfilters(how); ++i) {
    unsigned flags = 0, config = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(how, static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, &config);
    if (filter == H5Z_FILTER_DEFLATE) {
      filters.deflate = i;
    } else if (filter == H5Z_FILTER_SHUFFLE && filters.deflate < 0) {
      filters.shuffle = i;
    } else {
      throw DataError(place, "its compression filter cannot be read in blocks; use gzip, or shuffle and gzip");
    }
  }
  return filters;
}

/// Returns the place of the numbers in the file. Each chunk is described by its offset, its bytes, whether it
/// is packed and whether it is shuffled, in row-major order.
Json layout_of(const NumberSet& numbers, const std::string& place) {
  const Hdf5Handle stored(H5Dget_type(numbers.set), H5Tclose);
  const Hdf5Handle type(H5Tget_class(stored) == H5T_ENUM ? H5Tget_super(stored) : H5Tcopy(stored), H5Tclose);
  const std::size_t width = H5Tget_size(type);
  const bool big_endian = H5Tget_order(type) == H5T_ORDER_BE;
  const bool whole = H5Tget_class(type) == H5T_INTEGER && H5Tget_precision(type) == 8 * width;
  const std::array<hid_t, 4> ieee{H5T_IEEE_F32LE, H5T_IEEE_F32BE, H5T_IEEE_F64LE, H5T_IEEE_F64BE};
  const bool floating = std::ranges::any_of(ieee, [&](hid_t known) { return H5Tequal(type, known) > 0; });
  const char kind = floating ? 'f' : H5Tget_sign(type) == H5T_SGN_NONE ? 'u' : 'i';
  if ((!whole && !floating) || number_type(kind, width, big_endian).pick == nullptr)
    throw DataError(place, "its type of numbers cannot be read in blocks; use f4, f8, i1 to i8 or u1 to u8");

  numbers.refuse_unwritten(place);
  Json found{{"kind", kind}, {"width", width}, {"big_endian", big_endian}, {"extent", numbers.extent}};
  if (numbers.layout == H5D_CONTIGUOUS) {
    found["offset"] = H5Dget_offset(numbers.set);
    return found;
  }
  if (numbers.layout != H5D_CHUNKED)
    throw DataError(place, "its compact layout cannot be read in blocks; write it in one piece or in chunks");
  const auto& chunk = numbers.chunk;
  const hsize_t across = numbers.chunks_across(), count = numbers.chunks_down() * across;
  const Filters filters = filters_of(numbers.how, place);
  found["chunk"] = chunk;
  found["chunks"] = std::vector<Json>(count);
  for (hsize_t i = 0; i < count; ++i) {
    std::array<hsize_t, 2> at{0, 0};
    unsigned skipped = 0;
    haddr_t offset = 0;
    hsize_t bytes = 0;
    check_hdf5(H5Dget_chunk_info(numbers.set, numbers.space, i, at.data(), &skipped, &offset, &bytes));
    const auto is_used = [&](int filter) { return filter >= 0 && (skipped >> filter & 1U) == 0; };
    const hsize_t number = at[0] / chunk[0] * across + at[1] / chunk[1];
    if (number >= count) throw DataError(place, "a chunk lies beyond the last row; use a complete data set");
    found["chunks"][number] = {offset, bytes, is_used(filters.deflate), is_used(filters.shuffle)};
  }
  return found;
}

SharedRows rows_of(const Hdf5File& file, const std::string& name, bool transposed) {
  const Json found = file.facts([&](hid_t opened) {
    const Hdf5Handle how(H5Fget_create_plist(opened), H5Pclose);
    hsize_t user_block = 0;
    check_hdf5(H5Pget_userblock(how, &user_block));
    if (user_block != 0)
      throw DataError(file.origin(),
                      "a file with a user block, as MATLAB writes it, cannot be read in blocks; write it without one");
    return layout_of(NumberSet(opened, name, file.place(name), file.size()), file.place(name));
  });
  const NumberType type = number_type(found["kind"].get<char>(), found["width"], found["big_endian"]);
  const arma::uword rows = found["extent"][0], cols = found["extent"][1];
  if (found.contains("offset"))
    return array_rows(file.content(),
                      {found["offset"], type, transposed ? cols : rows, transposed ? rows : cols, transposed});
  ChunkedArray array{type, rows, cols, found["chunk"][0], found["chunk"][1], {}};
  for (const Json& chunk : found["chunks"])
    array.chunks.push_back({chunk.at(0), chunk.at(1), chunk.at(2), chunk.at(3)});
  return chunked_rows(file.content(), std::move(array), transposed);
}

ArrayFile array_file_of(Content content, bool matlab) {
  const auto file = std::make_shared<const Hdf5File>(std::move(content));
  return {variables_of(*file, matlab),
          [=](const Variable& variable) { return matrix_of(*file, variable.name, matlab); },
          [=](const Variable& variable, bool transposed) { return rows_of(*file, variable.name, transposed); }};
}

}  // namespace

ArrayFile open_hdf5(Content content, const MatOptions&) { return array_file_of(std::move(content), false); }

ArrayFile open_matlab73(Content content) { return array_file_of(std::move(content), true); }

}  // namespace elmx
