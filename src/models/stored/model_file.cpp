#include "models/stored/model_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <mutex>

#include "base/files/sha256.hpp"
#include "data/content/isolated.hpp"
#include "data/matlab/hdf5_handle.hpp"
#include "models/stored/hdf5_sets.hpp"
#include "models/stored/packed_contents.hpp"

namespace elmx {
namespace {

constexpr std::size_t kUserBlock = 512;
constexpr std::string_view kMagic = "elmx model, format ";
constexpr std::size_t kSeconds = 10, kBytesPerSecond = 5 << 20;  // limits of the child process that reads

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

ModelContents contents_of(std::string_view image) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  open_from_memory(access, image);
  const Handle file(H5Fopen(kHdf5InMemory, H5F_ACC_RDONLY, access), H5Fclose);
  return read_sets(file, image.size());
}

/// Packs the contents of an image. Throws DataError with a place that starts with `origin`.
arma::mat packed_contents_of(std::string_view image, const std::string& origin) {
  try {
    return pack(contents_of(image));
  } catch (const DataError& error) {
    throw DataError(error.place().empty() ? origin : origin + ": " + error.place(), error.problem());
  } catch (const std::exception&) {
    throw DataError(origin, "cannot be read as an HDF5 file");
  }
}

/// Reads an image in a child process, because the library is not safe with hostile bytes.
ModelContents isolated_contents_of(std::string_view image, const std::string& origin) {
  const auto seconds = static_cast<unsigned>(kSeconds + image.size() / kBytesPerSecond);
  return unpack(isolated([&] { return packed_contents_of(image, origin); }, origin, seconds,
                         "a model file that elmx has written"));
}

/// Returns the number after the magic; nothing if there is none.
int format_of(std::string_view bytes) {
  int format = 0;
  if (bytes.starts_with(kMagic))
    std::from_chars(bytes.data() + kMagic.size(), bytes.data() + std::min(bytes.size(), kUserBlock), format);
  return format;
}

}  // namespace

std::string encode_model(const ModelContents& contents, int format) {
  const std::lock_guard lock(library());
  const QuietHdf5 quiet;
  const std::string image = image_of(contents, format);
  return user_block(format, image) + image;
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
  const QuietHdf5 quiet;
  return isolated_contents_of(image, origin);
}

}  // namespace elmx
