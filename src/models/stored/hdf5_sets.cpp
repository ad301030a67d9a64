#include "models/stored/hdf5_sets.hpp"

#include <vector>

#include "data/arrays/hdf5_library.hpp"

namespace elmx {
namespace {

constexpr const char* kIncomplete = "expected a matrix or a text whose values are all in the file";

[[noreturn]] void refuse(const std::string& path, const std::string& problem) { throw DataError(path, problem); }

/// Subtracts the bytes of sets from the bytes of a file.
class Budget {
 public:
  explicit Budget(std::size_t bytes) : left_(bytes) {}
  bool take(std::size_t bytes) {
    if (bytes > left_) return false;
    left_ -= bytes;
    return true;
  }

 private:
  std::size_t left_;
};

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
  check_hdf5(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, note, &links));
  return links;
}

/// Reads the rows of a contiguous set that has all of its numbers.
template <class T>
void read_matrix(hid_t set, const hsize_t (&extent)[2], const std::string& path, NamedMatrices& into) {
  arma::Mat<T> M(extent[1], extent[0]);  // HDF5 rows are contiguous columns here
  check_hdf5(H5Dread(set, hdf5_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, M.memptr()));
  into[path] = std::move(M);
}

void read_text(hid_t set, hid_t type, std::size_t size, const std::string& path, ModelContents& contents) {
  std::string text(size, '\0');
  check_hdf5(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()));
  contents.texts[path] = text.substr(0, text.find('\0'));
}

void require_within_file(hid_t set, const std::string& path) {
  const Hdf5Handle how(H5Dget_create_plist(set), H5Pclose);
  if (H5Pget_external_count(how) != 0)
    refuse(path, "an external dataset, whose values are in another file; expected a dataset of this file");
  const H5D_layout_t layout = H5Pget_layout(how);
  if (layout == H5D_VIRTUAL)
    refuse(path, "a virtual dataset, whose values are in other files; expected a dataset of this file");
  if (layout != H5D_CONTIGUOUS || H5Pget_nfilters(how) != 0)
    refuse(path, "a chunked, compact or filtered dataset; expected a contiguous dataset");
}

void read_set(hid_t set, const std::string& path, Budget& budget, ModelContents& contents) {
  require_within_file(set, path);
  const Hdf5Handle type(H5Dget_type(set), H5Tclose), space(H5Dget_space(set), H5Sclose);
  if (H5Tcommitted(type) != 0) refuse(path, "a dataset of a committed type; expected numbers or a text");
  const std::size_t size = H5Tget_size(type);
  const hsize_t stored = H5Dget_storage_size(set);
  const int dimensions = H5Sget_simple_extent_ndims(space);
  if (size == 0 || !budget.take(stored)) refuse(path, kIncomplete);
  if (H5Tget_class(type) == H5T_STRING && dimensions == 0 && H5Tis_variable_str(type) == 0 && stored == size)
    return read_text(set, type, size, path, contents);
  hsize_t extent[2] = {0, 0};
  if (dimensions == 2) check_hdf5(H5Sget_simple_extent_dims(space, extent, nullptr));
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
void read_group(hid_t group, const std::string& place, Budget& budget, ModelContents& contents) {
  for (const Link& link : links_of(group)) {
    const std::string path = place + link.name;
    if (!link.is_hard) refuse(path, "a link to another object or file; expected a dataset or a group");
    H5O_info_t object{};
    check_hdf5(H5Oget_info_by_name2(group, link.name.c_str(), &object, H5O_INFO_BASIC, H5P_DEFAULT));
    if (object.rc != 1) refuse(path, "an object with several names; expected one name");
    if (object.type == H5O_TYPE_DATASET) {
      const Hdf5Handle set(H5Dopen2(group, link.name.c_str(), H5P_DEFAULT), H5Dclose);
      read_set(set, path, budget, contents);
    } else if (object.type == H5O_TYPE_GROUP && holds_groups(place)) {
      const Hdf5Handle inner(H5Gopen2(group, link.name.c_str(), H5P_DEFAULT), H5Gclose);
      read_group(inner, path + "/", budget, contents);
    } else {
      refuse(path, "unexpected group or type; expected a dataset");
    }
  }
}

}  // namespace

ModelContents read_sets(hid_t file, std::size_t bytes) {
  Budget budget(bytes);
  ModelContents contents;
  const Hdf5Handle root(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose);
  read_group(root, "", budget, contents);
  return contents;
}

}  // namespace elmx
