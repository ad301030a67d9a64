#include "data/matlab/hdf5_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.hpp"
#include "data/content/isolated.hpp"
#include "data/matlab/hdf5_handle.hpp"
#include "data/matlab/quiet_hdf5.hpp"
#include "data/matlab/unpacking_limits.hpp"

namespace elmx {
namespace {

constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
constexpr const char* kAllowed = "one or two dimensions of integers or floating-point numbers are allowed";

/// The signature may stand at 0, 512, 1024, 2048, ...
bool has_signature(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size(); at = at == 0 ? 512 : 2 * at) {
    if (bytes.substr(at).starts_with(kSignature)) return true;
  }
  return false;
}

std::vector<std::string> names_in(hid_t file) {
  std::vector<std::string> names;
  const auto note = [](hid_t, const char* name, const H5L_info_t* link, void* list) -> herr_t {
    if (link->type == H5L_TYPE_HARD) static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  check_hdf5(H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, nullptr, note, &names));
  return names;
}

/// Every link on the path is one within the file.
bool is_there(hid_t file, const std::string& path) {
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    H5L_info_t link;
    if (H5Lexists(file, part.c_str(), H5P_DEFAULT) <= 0) return false;
    if (H5Lget_info(file, part.c_str(), &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD) return false;
    if (end == std::string::npos) return true;
  }
}

void refuse_values_elsewhere(hid_t set, const std::string& where) {
  const Hdf5Handle how(H5Dget_create_plist(set), H5Pclose);
  if (H5Pget_external_count(how) != 0 || H5Pget_layout(how) == H5D_VIRTUAL)
    throw DataError(where + "has its numbers in other files; its own are allowed");
}

}  // namespace

std::vector<hsize_t> hdf5_extent(hid_t set, const std::string& where, std::size_t file_bytes) {
  const Hdf5Handle type(H5Dget_type(set), H5Tclose), space(H5Dget_space(set), H5Sclose);
  const H5T_class_t kind = H5Tget_class(type);
  const int dimensions = H5Sget_simple_extent_ndims(space);
  if ((kind != H5T_INTEGER && kind != H5T_FLOAT) || (dimensions != 1 && dimensions != 2))
    throw DataError(fmt::format("{}has {} dimensions{}; {}", where, dimensions,
                                kind != H5T_INTEGER && kind != H5T_FLOAT ? " of other things than numbers" : "",
                                kAllowed));
  std::vector<hsize_t> extent{1, 1};
  check_hdf5(H5Sget_simple_extent_dims(space, extent.data(), nullptr));
  if (extent[0] == 0 || extent[1] == 0) throw DataError(where + "is empty; at least one number is expected");
  if (extent[0] > kUnpackedPerByte * file_bytes / extent[1])
    throw DataError(
        fmt::format("{}is {} x {}; a file of {} bytes cannot hold that", where, extent[0], extent[1], file_bytes));
  return extent;
}

std::vector<hsize_t> hdf5_chunk(hid_t how) {
  std::vector<hsize_t> chunk{1, 1};
  check_hdf5(H5Pget_chunk(how, 2, chunk.data()));
  return chunk;
}

void refuse_unwritten(hid_t set, const std::vector<hsize_t>& extent, const std::string& where) {
  const Hdf5Handle how(H5Dget_create_plist(set), H5Pclose), space(H5Dget_space(set), H5Sclose);
  bool written = true;
  if (H5Pget_layout(how) == H5D_CONTIGUOUS) {
    written = H5Dget_offset(set) != HADDR_UNDEF;
  } else if (H5Pget_layout(how) == H5D_CHUNKED) {
    const std::vector<hsize_t> chunk = hdf5_chunk(how);
    hsize_t count = 0;
    check_hdf5(H5Dget_num_chunks(set, space, &count));
    written = count == ((extent[0] + chunk[0] - 1) / chunk[0]) * ((extent[1] + chunk[1] - 1) / chunk[1]);
  }
  if (!written) throw DataError(where + "has numbers that were never written; a complete data set is expected");
}

hid_t open_hdf5_set(hid_t file, const std::string& name, const std::string& origin) {
  if (name.empty() || !is_there(file, name))
    throw DataError(fmt::format("{}: no data set \"{}\"{}", origin, name, suggest(name, names_in(file))));
  H5O_info_t object;
  check_hdf5(H5Oget_info_by_name(file, name.c_str(), &object, H5P_DEFAULT));
  if (object.type != H5O_TYPE_DATASET)
    throw DataError(
        fmt::format("{}: \"{}\" is a group; the path of a data set is expected (\"{}/...\")", origin, name, name));
  const hid_t set = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
  if (set >= 0) refuse_values_elsewhere(set, fmt::format("{}: data set \"{}\" ", origin, name));
  return set;
}

namespace {

arma::mat read_set(hid_t file, const std::string& name, const std::string& origin, std::size_t file_bytes) {
  const Hdf5Handle set(open_hdf5_set(file, name, origin), H5Dclose);
  const std::string where = fmt::format("{}: data set \"{}\" ", origin, name);
  const std::vector<hsize_t> extent = hdf5_extent(set, where, file_bytes);
  refuse_unwritten(set, extent, where);
  arma::mat M(extent[1], extent[0]);  // columns are what is contiguous
  check_hdf5(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, M.memptr()));
  arma::inplace_trans(M, "lowmem");
  const auto* found = std::find_if_not(M.begin(), M.end(), [](double x) { return std::isfinite(x); });
  if (found != M.end()) {
    const auto at = static_cast<arma::uword>(found - M.begin());
    throw DataError(fmt::format("{}: {}({}, {}) is not finite; finite numbers are expected", origin, name,
                                at % M.n_rows + 1, at / M.n_rows + 1));
  }
  return M;
}

}  // namespace

Hdf5File::Hdf5File(const Content& content)
    : origin_(content.origin), bytes_(content.bytes.size()), file_(temporary_file(content.bytes)) {
  if (!has_signature(content.bytes)) throw DataError(origin_ + ": no signature of HDF5; an HDF5 file is expected");
}

arma::mat Hdf5File::read(const std::string& name) const {
  const auto seconds = static_cast<unsigned>(kSecondsAtLeast + bytes_ / kBytesPerSecond);
  const auto make = [&] {
    const QuietHdf5 quiet;
    try {
      const Hdf5Handle file(H5Fopen(file_.path().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
      return read_set(file, name, origin_, bytes_);
    } catch (const UserError&) {
      throw;
    } catch (const std::exception&) {
      throw DataError(
          fmt::format("{}: data set \"{}\" cannot be read; a complete HDF5 file is allowed", origin_, name));
    }
  };
  return isolated(make, origin_, seconds, "a complete HDF5 file");
}

}  // namespace elmx
