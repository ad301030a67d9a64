#include "models/stored/model_file.hpp"

#include <fmt/core.h>
#include <hdf5.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <mutex>
#include <new>
#include <optional>
#include <vector>

#include "base/files/files.hpp"
#include "base/files/sha256.hpp"
#include "data/arrays/hdf5_library.hpp"
#include "data/content/child_process.hpp"

namespace elmx {
namespace {

constexpr std::size_t kUserBlock = 512;
constexpr std::string_view kMagic = "elmx model, format ";
constexpr std::size_t kSeconds = 10, kBytesPerSecond = 5 << 20;  // limits of a child process

using Handle = Hdf5Handle;
constexpr auto check = check_hdf5;

/// Serialises calls of the library, which may be built without locks of its own.
std::mutex& library() {
  static std::mutex mutex;
  return mutex;
}

void put(hid_t file, const std::string& path, hid_t type, hid_t space, const void* values) {
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose), creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  check(H5Pset_create_intermediate_group(links, 1));
  check(H5Pset_obj_track_times(creation, false));
  const Handle set(H5Dcreate2(file, path.c_str(), type, space, links, creation, H5P_DEFAULT), H5Dclose);
  check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
}

template <class T>
void put(hid_t file, const std::string& path, const arma::Mat<T>& M) {
  const hsize_t extent[] = {M.n_cols, M.n_rows};  // HDF5 rows are contiguous columns here
  const Handle space(H5Screate_simple(2, extent, nullptr), H5Sclose);
  put(file, path, hdf5_type<T>(), space, M.memptr());
}

void put(hid_t file, const std::string& path, const std::string& text) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose), scalar(H5Screate(H5S_SCALAR), H5Sclose);
  check(H5Tset_size(type, std::max<std::size_t>(text.size(), 1)));
  check(H5Tset_cset(type, H5T_CSET_UTF8));
  check(H5Tset_strpad(type, H5T_STR_NULLPAD));
  put(file, path, type, scalar, text.c_str());
}

std::string image_of(const ModelContents& contents, int format) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose), creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  check(H5Pset_fapl_core(access, kHdf5Step, false));
  check(H5Pset_userblock(creation, kUserBlock));
  const Handle file(H5Fcreate(kHdf5InMemory, H5F_ACC_TRUNC, creation, access), H5Fclose);
  const Handle scalar(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle version(H5Acreate2(file, "format", H5T_STD_I32LE, scalar, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  check(H5Awrite(version, H5T_NATIVE_INT, &format));
  for (const auto& [path, text] : contents.texts) put(file, path, text);
  for (const auto& matrix : contents.matrices) {
    std::visit([&](const auto& M) { put(file, matrix.first, M); }, matrix.second);
  }
  check(H5Fflush(file, H5F_SCOPE_GLOBAL));
  const ssize_t bytes = H5Fget_file_image(file, nullptr, 0);
  if (bytes <= 0) throw std::runtime_error("HDF5 failed");
  std::string image(static_cast<std::size_t>(bytes), '\0');
  if (H5Fget_file_image(file, image.data(), image.size()) != bytes) throw std::runtime_error("HDF5 failed");
  return image;
}

/// Returns the first bytes of a file, which precede its image.
std::string user_block(int format, std::string_view image) {
  std::string text = fmt::format(
      "{}{}\n{} bytes of HDF5 follow, SHA-256\n{}\n"
      "docs/reference/model_file.md of elmx says what is where; h5dump, h5py and h5read read it.\n",
      kMagic, format, image.size(), sha256(image));
  text.resize(kUserBlock, '\0');
  return text;
}

constexpr const char* kIncomplete = "expected a matrix or a text whose values are all in the file";

[[noreturn]] void refuse(const std::string& path, const std::string& problem) { throw DataError(path, problem); }

struct Link {
  std::string name;
  bool is_hard = false;
};

std::vector<Link> links_of(hid_t group) {
  std::vector<Link> links;
  const auto note = [](hid_t, const char* name, const H5L_info_t* link, void* list) -> herr_t {
    static_cast<std::vector<Link>*>(list)->push_back({name, link->type == H5L_TYPE_HARD});
    return 0;
  };
  check(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, note, &links));
  return links;
}

/// Reads the rows of a contiguous set that has all of its numbers.
template <class T>
void read_matrix(hid_t set, const hsize_t (&extent)[2], const std::string& path, NamedMatrices& into) {
  arma::Mat<T> M(extent[1], extent[0]);  // HDF5 rows are contiguous columns here
  check(H5Dread(set, hdf5_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, M.memptr()));
  into[path] = std::move(M);
}

void read_text(hid_t set, hid_t type, std::size_t size, const std::string& path, ModelContents& contents) {
  std::string text(size, '\0');
  check(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()));
  contents.texts[path] = text.substr(0, text.find('\0'));
}

void require_within_file(hid_t set, const std::string& path) {
  const Handle how(H5Dget_create_plist(set), H5Pclose);
  if (H5Pget_external_count(how) != 0)
    refuse(path, "an external dataset, whose values are in another file; expected a dataset of this file");
  const H5D_layout_t layout = H5Pget_layout(how);
  if (layout == H5D_VIRTUAL)
    refuse(path, "a virtual dataset, whose values are in other files; expected a dataset of this file");
  if (layout != H5D_CONTIGUOUS || H5Pget_nfilters(how) != 0)
    refuse(path, "a chunked, compact or filtered dataset; expected a contiguous dataset");
}

/// Reads one set. left: the bytes of the file that no other set has.
void read_set(hid_t set, const std::string& path, std::size_t& left, ModelContents& contents) {
  require_within_file(set, path);
  const Handle type(H5Dget_type(set), H5Tclose), space(H5Dget_space(set), H5Sclose);
  if (H5Tcommitted(type) != 0) refuse(path, "a dataset of a committed type; expected numbers or a text");
  const std::size_t size = H5Tget_size(type);
  const hsize_t stored = H5Dget_storage_size(set);
  const int dimensions = H5Sget_simple_extent_ndims(space);
  if (size == 0 || stored > left) refuse(path, kIncomplete);
  left -= stored;
  if (H5Tget_class(type) == H5T_STRING && dimensions == 0 && H5Tis_variable_str(type) == 0 && stored == size)
    return read_text(set, type, size, path, contents);
  hsize_t extent[2] = {0, 0};
  if (dimensions == 2) check(H5Sget_simple_extent_dims(space, extent, nullptr));
  const hsize_t numbers = stored / size;
  const bool whole = extent[0] > 0 && extent[1] > 0 && stored % size == 0 && numbers % extent[0] == 0 &&
                     numbers / extent[0] == extent[1];
  if (!whole) refuse(path, kIncomplete);
  if (H5Tequal(type, H5T_IEEE_F64LE) > 0) return read_matrix<double>(set, extent, path, contents.matrices);
  if (H5Tequal(type, H5T_IEEE_F32LE) > 0) return read_matrix<float>(set, extent, path, contents.matrices);
  if (H5Tequal(type, H5T_STD_U64LE) > 0) return read_matrix<arma::uword>(set, extent, path, contents.matrices);
  refuse(path, "unknown type of numbers; expected float64, float32 or uint64, little-endian");
}

/// Returns true if a group of this path ("", "members/1/") may contain groups.
bool holds_groups(const std::string& place) {
  constexpr std::string_view members = "members/";
  const std::size_t number = place.find('/', members.size());
  return place.empty() || place == members || (place.starts_with(members) && number + 1 == place.size());
}

/// Reads the sets of a group with the path `place`, and of groups inside it if it may contain groups.
void read_group(hid_t group, const std::string& place, std::size_t& left, ModelContents& contents) {
  for (const Link& link : links_of(group)) {
    const std::string path = place + link.name;
    if (!link.is_hard) refuse(path, "a link to another object or file; expected a dataset or a group");
    H5O_info_t object{};
    check(H5Oget_info_by_name2(group, link.name.c_str(), &object, H5O_INFO_BASIC, H5P_DEFAULT));
    if (object.rc != 1) refuse(path, "an object with several names; expected one name");
    if (object.type == H5O_TYPE_DATASET) {
      const Handle set(H5Dopen2(group, link.name.c_str(), H5P_DEFAULT), H5Dclose);
      read_set(set, path, left, contents);
    } else if (object.type == H5O_TYPE_GROUP && holds_groups(place)) {
      const Handle inner(H5Gopen2(group, link.name.c_str(), H5P_DEFAULT), H5Gclose);
      read_group(inner, path + "/", left, contents);
    } else {
      refuse(path, "unexpected group or type; expected a dataset");
    }
  }
}

/// Reads all sets of an open file of `bytes` bytes, which must be in the form that encode_model writes: hard
/// links only, each object under one name, groups one level below the root, matrices of double, float or
/// 64-bit integers and texts, each stored contiguously in the file and together no larger than the file.
/// Nothing outside the file is read: no external or virtual set, no link to another file, no filter that
/// needs a plugin. Throws DataError ("path: ...") before reading the content of an invalid set, and
/// std::runtime_error if the library fails.
ModelContents read_sets(hid_t file, std::size_t bytes) {
  ModelContents contents;
  const Handle root(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose);
  read_group(root, "", bytes, contents);
  return contents;
}

/// Packs contents as an index, which is a line of JSON, and the numbers of the matrices. Throws DataError if
/// a path or a text is not UTF-8.
std::string pack(const ModelContents& contents) {
  Json index = {{"texts", contents.texts}, {"matrices", Json::array()}};
  std::string numbers;
  for (const auto& matrix : contents.matrices) {
    std::visit(
        [&]<class T>(const arma::Mat<T>& M) {
          index["matrices"].push_back({matrix.first, matrix.second.index(), M.n_rows, M.n_cols});
          numbers.append(reinterpret_cast<const char*>(M.memptr()), M.n_elem * sizeof(T));
        },
        matrix.second);
  }
  std::string bytes;
  try {
    bytes = index.dump() + '\n';
  } catch (const Json::exception&) {
    throw DataError("contains a path or a text that is not UTF-8");
  }
  return bytes + numbers;
}

ModelContents unpack(std::string_view bytes) {
  const Json index = Json::parse(bytes.substr(0, bytes.find('\n')));
  bytes.remove_prefix(bytes.find('\n') + 1);
  ModelContents contents;
  contents.texts = index.at("texts").get<std::map<std::string, std::string>>();
  for (const Json& entry : index.at("matrices")) {
    auto& matrix = contents.matrices[entry[0].get<std::string>()];
    const std::size_t kind = entry[1];
    if (kind == 1) matrix = arma::fmat();
    if (kind == 2) matrix = arma::umat();
    std::visit(
        [&]<class T>(arma::Mat<T>& M) {
          M.set_size(entry[2].get<arma::uword>(), entry[3].get<arma::uword>());
          std::memcpy(M.memptr(), bytes.data(), M.n_elem * sizeof(T));
          bytes.remove_prefix(M.n_elem * sizeof(T));
        },
        matrix);
  }
  return contents;
}

ModelContents contents_of(std::string_view image) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  open_from_memory(access, image);
  const Handle file(H5Fopen(kHdf5InMemory, H5F_ACC_RDONLY, access), H5Fclose);
  return read_sets(file, image.size());
}

/// Packs the contents of an image. Throws DataError with a place that starts with `origin`.
std::string packed_contents_of(std::string_view image, const std::string& origin) {
  const QuietHdf5 quiet;
  try {
    return pack(contents_of(image));
  } catch (const DataError& error) {
    throw DataError(error.place().empty() ? origin : origin + ": " + error.place(), error.problem());
  } catch (const std::exception&) {
    throw DataError(origin, "cannot be read as an HDF5 file");
  }
}

unsigned most_seconds(std::size_t bytes) { return static_cast<unsigned>(kSeconds + bytes / kBytesPerSecond); }

/// Reads an image in a child process, because the library is not safe with hostile bytes.
ModelContents isolated_contents_of(std::string_view image, const std::string& origin) {
  return unpack(isolated<std::string>([&] { return packed_contents_of(image, origin); }, origin,
                                      most_seconds(image.size()), "a model file that elmx has written"));
}

std::size_t count_bytes(const ModelContents& contents) {
  std::size_t bytes = 0;
  for (const auto& [path, text] : contents.texts) bytes += text.size();
  for (const auto& matrix : contents.matrices) {
    bytes += std::visit([]<class T>(const arma::Mat<T>& M) { return M.n_elem * sizeof(T); }, matrix.second);
  }
  return bytes;
}

/// Makes the image in a child process, because the library crashes if it gets no memory. Throws
/// std::bad_alloc then.
std::string isolated_image_of(const ModelContents& contents, int format) {
  const auto make = [&] {
    const QuietHdf5 quiet;
    return image_of(contents, format);
  };
  std::optional<std::string> image = in_child_process<std::string>(make, most_seconds(count_bytes(contents)));
  if (!image) throw std::bad_alloc();
  return *std::move(image);
}

/// Returns the number after the magic; nothing if there is none.
int format_of(std::string_view bytes) {
  int format = 0;
  if (bytes.starts_with(kMagic))
    std::from_chars(bytes.data() + kMagic.size(), bytes.data() + std::min(bytes.size(), kUserBlock), format);
  return format;
}

}  // namespace

bool is_model_file(const std::filesystem::path& path) { return format_of(BlocksOfFile(path).head(kUserBlock)) > 0; }

std::string encode_model(const ModelContents& contents, int format) {
  const std::lock_guard lock(library());
  const std::string image = isolated_image_of(contents, format);
  return user_block(format, image).append(image);
}

ModelContents decode_model(std::string_view bytes, const std::string& origin) {
  const int format = format_of(bytes);
  if (format < 1) throw DataError(origin, "not a model; use a file that a run with save_model=true has written");
  if (format != kModelFormat) {
    throw DataError(origin, fmt::format("has format version {}, but this elmx reads version {}; train the model again",
                                        format, kModelFormat));
  }
  const std::string_view image = bytes.substr(std::min(bytes.size(), kUserBlock));
  if (bytes.substr(0, kUserBlock) != user_block(format, image)) {
    throw DataError(origin, "truncated or damaged: its length or SHA-256 differs from that in its first lines");
  }
  const std::lock_guard lock(library());
  return isolated_contents_of(image, origin);
}

}  // namespace elmx
