#include "data/matlab/hdf5_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "base/config/json.hpp"
#include "base/error.hpp"
#include "base/files/temporary_file.hpp"
#include "data/content/isolated.hpp"
#include "data/matlab/hdf5_handle.hpp"
#include "data/matlab/quiet_hdf5.hpp"

namespace elmx {
namespace {

constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
constexpr std::size_t kSecondsAtLeast = 5;        // of the CPU
constexpr std::size_t kBytesPerSecond = 5 << 20;  // a tenth of what HDF5 unpacks
constexpr std::size_t kLongestClass = 64;         // of MATLAB, in bytes
constexpr std::size_t kUnpackedPerByte = 1100;    // deflate packs at most 1032 bytes into one

/// The signature may stand at 0, 512, 1024, 2048, ...
bool has_signature(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size(); at = at == 0 ? 512 : 2 * at) {
    if (bytes.substr(at).starts_with(kSignature)) return true;
  }
  return false;
}

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
    if (matlab && (name.starts_with('#') || name.find('/') != std::string::npos)) continue;  // parts of variables
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

void refuse_values_elsewhere(hid_t set, const std::string& where) {
  const Hdf5Handle how(H5Dget_create_plist(set), H5Pclose);
  if (H5Pget_external_count(how) != 0 || H5Pget_layout(how) == H5D_VIRTUAL)
    throw DataError(where + "has its numbers in other files; its own are allowed");
}

}  // namespace

std::vector<hsize_t> hdf5_extent(hid_t set, const std::string& where, std::size_t file_bytes) {
  const Hdf5Handle space(H5Dget_space(set), H5Sclose);
  std::vector<hsize_t> extent{1, 1};
  if (H5Sget_simple_extent_ndims(space) > 2 || H5Sget_simple_extent_dims(space, extent.data(), nullptr) < 1)
    throw DataError(where + "has not one or two dimensions");
  if (extent[0] == 0 || extent[1] == 0 || extent[0] > kUnpackedPerByte * file_bytes / extent[1])
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

hid_t open_hdf5_set(hid_t file, const std::string& name, const std::string& where) {
  const hid_t set = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
  if (set >= 0) refuse_values_elsewhere(set, where);
  return set;
}

arma::mat in_hdf5(const std::filesystem::path& path, const std::string& origin, std::size_t bytes,
                  const std::function<arma::mat(hid_t file)>& f) {
  const auto make = [&] {
    const QuietHdf5 quiet;
    try {
      const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
      return f(file);
    } catch (const UserError&) {
      throw;
    } catch (const std::exception&) {
      throw DataError(origin + ": cannot be read; a complete HDF5 file is expected");
    }
  };
  return isolated(make, origin, static_cast<unsigned>(kSecondsAtLeast + bytes / kBytesPerSecond),
                  "a complete HDF5 file");
}

std::vector<Variable> hdf5_variables(const std::filesystem::path& path, const std::string& origin, std::size_t bytes,
                                     bool matlab) {
  const arma::mat characters = in_hdf5(path, origin, bytes, [&](hid_t file) -> arma::mat {
    const std::string text = variables_in(file, matlab).dump(-1, ' ', false, Json::error_handler_t::replace);
    return arma::conv_to<arma::vec>::from(std::vector<unsigned char>(text.begin(), text.end()));
  });
  std::vector<Variable> variables;
  for (const Json& one : Json::parse(arma::conv_to<std::vector<unsigned char>>::from(arma::vectorise(characters))))
    variables.push_back({one[0], one[1].get<std::vector<std::size_t>>(), one[2], one[3]});
  return variables;
}

ArrayFile open_hdf5(Content content, bool matlab) {
  const std::string origin = content.origin;
  if (!has_signature(content.bytes)) throw DataError(origin + ": no signature of HDF5; an HDF5 file is expected");
  const std::shared_ptr<const TemporaryFile> file(new TemporaryFile(temporary_file(content.bytes)));
  const std::size_t bytes = content.bytes.size();
  const auto read = [=](const Variable& variable) {
    return in_hdf5(file->path(), origin, bytes, [&](hid_t opened) {
      const std::string where = fmt::format("{}: data set \"{}\" ", origin, variable.name);
      const Hdf5Handle set(open_hdf5_set(opened, variable.name, where), H5Dclose);
      const std::vector<hsize_t> extent = hdf5_extent(set, where, bytes);
      if (!matlab) refuse_unwritten(set, extent, where);
      arma::mat M(extent[1], extent[0]);  // columns are what is contiguous
      check_hdf5(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, M.memptr()));
      if (!matlab) arma::inplace_trans(M, "lowmem");
      return M;
    });
  };
  return {hdf5_variables(file->path(), origin, bytes, matlab), read};
}

}  // namespace elmx
