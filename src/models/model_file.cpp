#include "models/model_file.hpp"

#include <hdf5.h>

#include <algorithm>
#include <charconv>
#include <mutex>
#include <vector>

#include "base/fsio.hpp"
#include "data/quiet_hdf5.hpp"

namespace elmx {
namespace {

constexpr std::size_t kUserBlock = 512;
constexpr std::string_view kMagic = "elmx model, format ";
constexpr const char* kInMemory = "/dev/null/model";  // a file of the name of an image is looked for: there can be none
constexpr std::size_t kImageStep = 1 << 16;  // by which an image in memory grows

/// An identifier of the library, closed at the end.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {
    if (id_ < 0) throw std::runtime_error("HDF5 failed");
  }
  ~Handle() { close_(id_); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

void check(herr_t result) {
  if (result < 0) throw std::runtime_error("HDF5 failed");
}

/// The library is used by one thread at a time, wherever it was built without locks of its own.
std::mutex& library() {
  static std::mutex mutex;
  return mutex;
}

template <class T>
hid_t type_of();
template <>
hid_t type_of<double>() { return H5T_IEEE_F64LE; }
template <>
hid_t type_of<float>() { return H5T_IEEE_F32LE; }
template <>
hid_t type_of<arma::uword>() { return H5T_STD_U64LE; }


void put(hid_t file, const std::string& path, hid_t type, hid_t space, const void* values) {
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose), creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  check(H5Pset_create_intermediate_group(links, 1));
  check(H5Pset_obj_track_times(creation, false));
  const Handle set(H5Dcreate2(file, path.c_str(), type, space, links, creation, H5P_DEFAULT), H5Dclose);
  check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
}

template <class T>
void put(hid_t file, const std::string& path, const arma::Mat<T>& M) {
  const hsize_t extent[] = {M.n_cols, M.n_rows};  // columns are what is contiguous
  const Handle space(H5Screate_simple(2, extent, nullptr), H5Sclose);
  put(file, path, type_of<T>(), space, M.memptr());
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
  check(H5Pset_fapl_core(access, kImageStep, false));
  check(H5Pset_userblock(creation, kUserBlock));
  const Handle file(H5Fcreate(kInMemory, H5F_ACC_TRUNC, creation, access), H5Fclose);
  const Handle scalar(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle version(H5Acreate2(file, "format", H5T_STD_I32LE, scalar, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  check(H5Awrite(version, H5T_NATIVE_INT, &format));
  for (const auto& [path, text] : contents.texts) put(file, path, text);
  for (const auto& [path, matrix] : contents.matrices) {
    std::visit([&](const auto& M) { put(file, path, M); }, matrix);
  }
  check(H5Fflush(file, H5F_SCOPE_GLOBAL));
  const ssize_t bytes = H5Fget_file_image(file, nullptr, 0);
  if (bytes <= 0) throw std::runtime_error("HDF5 failed");
  std::string image(static_cast<std::size_t>(bytes), '\0');
  if (H5Fget_file_image(file, image.data(), image.size()) != bytes) throw std::runtime_error("HDF5 failed");
  return image;
}

/// The first bytes of a file whose image follows.
std::string user_block(int format, std::string_view image) {
  std::string text = std::string(kMagic) + std::to_string(format) + "\n" + std::to_string(image.size()) + " bytes of HDF5 follow, SHA-256\n" + sha256(image) +
                     "\ndocs/models.md of elmx says what is where; h5dump, h5py and h5read read it.\n";
  text.resize(kUserBlock, '\0');
  return text;
}

/// The rows x cols numbers of a set, where the image really has them.
template <class T>
void get(hid_t set, const hsize_t (&extent)[2], const std::string& path, NamedMatrices& into) {
  arma::Mat<T> M(extent[1], extent[0]);
  check(H5Dread(set, type_of<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, M.memptr()));
  into[path] = std::move(M);
}

void read_set(hid_t file, const std::string& path, std::size_t bytes, ModelContents& contents) {
  const Handle set(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose), type(H5Dget_type(set), H5Tclose), space(H5Dget_space(set), H5Sclose);
  const std::size_t size = H5Tget_size(type);
  const hsize_t stored = H5Dget_storage_size(set);
  const int dimensions = H5Sget_simple_extent_ndims(space);
  if (H5Tget_class(type) == H5T_STRING && dimensions == 0 && H5Tis_variable_str(type) == 0 && size <= bytes && stored == size) {
    std::string text(size, '\0');
    check(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()));
    contents.texts[path] = text.substr(0, text.find('\0'));
    return;
  }
  hsize_t extent[2] = {0, 0};
  if (dimensions == 2) check(H5Sget_simple_extent_dims(space, extent, nullptr));
  const bool whole = extent[0] > 0 && extent[1] > 0 && extent[0] <= bytes && extent[1] <= bytes && stored <= bytes && stored == extent[0] * extent[1] * size;
  if (!whole) throw DataError(path + ": no matrix or text that the file has in full");
  if (H5Tequal(type, H5T_IEEE_F64LE) > 0) return get<double>(set, extent, path, contents.matrices);
  if (H5Tequal(type, H5T_IEEE_F32LE) > 0) return get<float>(set, extent, path, contents.matrices);
  if (H5Tequal(type, H5T_STD_U64LE) > 0) return get<arma::uword>(set, extent, path, contents.matrices);
  throw DataError(path + ": of a type that models do not have");
}

ModelContents contents_of(std::string_view image) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  check(H5Pset_fapl_core(access, kImageStep, false));
  check(H5Pset_file_image(access, const_cast<char*>(image.data()), image.size()));  // which is copied
  const Handle file(H5Fopen(kInMemory, H5F_ACC_RDONLY, access), H5Fclose);
  std::vector<std::string> paths;
  const auto note = [](hid_t, const char* name, const H5O_info_t* found, void* list) -> herr_t {
    if (found->type == H5O_TYPE_DATASET) static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  check(H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, note, &paths, H5O_INFO_BASIC));
  ModelContents contents;
  for (const std::string& path : paths) read_set(file, path, image.size(), contents);
  return contents;
}

/// The number behind the magic; nothing where there is none.
int format_of(std::string_view bytes) {
  int format = 0;
  if (bytes.starts_with(kMagic)) std::from_chars(bytes.data() + kMagic.size(), bytes.data() + std::min(bytes.size(), kUserBlock), format);
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
  if (format < 1) throw DataError(origin + ": not a model; a file is expected that \"save_model\" of a run has written");
  if (format > kModelFormat) {
    throw DataError(origin + ": format version " + std::to_string(format) + "; this elmx reads up to " + std::to_string(kModelFormat));
  }
  const std::string_view image = bytes.substr(std::min(bytes.size(), kUserBlock));
  if (bytes.substr(0, kUserBlock) != user_block(format, image)) {
    throw DataError(origin + ": truncated or damaged; its length and SHA-256 are not those it was written with");
  }
  const std::lock_guard lock(library());
  const QuietHdf5 quiet;
  try {
    return contents_of(image);
  } catch (const DataError& error) {
    throw DataError(origin + ": " + error.what());
  } catch (const std::runtime_error&) {
    throw DataError(origin + ": not an HDF5 file that can be read");
  }
}

}  // namespace elmx
