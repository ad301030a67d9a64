#pragma once

#include <hdf5.h>

#include <armadillo>
#include <stdexcept>
#include <string_view>

namespace elmx {

/// An identifier of the HDF5 library that the destructor closes. Throws std::runtime_error if the library
/// returns an invalid identifier.
class Hdf5Handle {
 public:
  Hdf5Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {
    if (id_ < 0) throw std::runtime_error("HDF5 failed");
  }
  ~Hdf5Handle() { close_(id_); }
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// Keeps HDF5 from printing its errors and, permanently, from loading plugins that a file requests
/// (HDF5_PLUGIN_PATH).
class QuietHdf5 {
 public:
  QuietHdf5() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    H5PLset_loading_state(0);
  }
  ~QuietHdf5() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  QuietHdf5(const QuietHdf5&) = delete;
  QuietHdf5& operator=(const QuietHdf5&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

inline void check_hdf5(herr_t result) {
  if (result < 0) throw std::runtime_error("HDF5 failed");
}

// No file can have this name of an image in memory.
inline constexpr const char* kHdf5InMemory = "/dev/null/image";
inline constexpr std::size_t kHdf5Step = 1 << 16;  // growth of an image in memory

/// Lets a file be opened from these bytes, which the library copies twice, under the name kHdf5InMemory.
inline void open_from_memory(hid_t access, std::string_view bytes) {
  check_hdf5(H5Pset_fapl_core(access, kHdf5Step, false));
  check_hdf5(H5Pset_file_image(access, const_cast<char*>(bytes.data()), bytes.size()));
}

template <class T>
hid_t hdf5_type();
template <>
inline hid_t hdf5_type<double>() {
  return H5T_IEEE_F64LE;
}
template <>
inline hid_t hdf5_type<float>() {
  return H5T_IEEE_F32LE;
}
template <>
inline hid_t hdf5_type<arma::uword>() {
  return H5T_STD_U64LE;
}

}  // namespace elmx
