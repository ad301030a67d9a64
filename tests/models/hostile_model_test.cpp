#include <gtest/gtest.h>

#include <functional>

#include "base/files/sha256.hpp"
#include "data/arrays/hdf5_library.hpp"
#include "models/stored/model_file.hpp"
#include "support/thrown.hpp"

// Files of models whose checksum is right and whose sets are not what elmx writes: nothing but the file is
// ever read.

namespace elmx {
namespace {

constexpr std::size_t kHeader = 512;
const hsize_t kExtent[] = {2, 3};

void make_set(hid_t file, const char* name, hid_t creation, hid_t type = H5T_IEEE_F64LE) {
  const Hdf5Handle space(H5Screate_simple(2, kExtent, nullptr), H5Sclose);
  const Hdf5Handle set(H5Dcreate2(file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose);
}

/// A set of six numbers in one piece.
void make_plain_set(hid_t file, const char* name) {
  const double numbers[] = {1, 2, 3, 4, 5, 6};
  const Hdf5Handle space(H5Screate_simple(2, kExtent, nullptr), H5Sclose);
  const Hdf5Handle set(H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  check_hdf5(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers));
}

/// What `make` puts into a file, as a model with the right length and checksum.
std::string model_of(const std::function<void(hid_t file)>& make) {
  const QuietHdf5 quiet;
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose), creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  check_hdf5(H5Pset_fapl_core(access, 1 << 16, false));
  check_hdf5(H5Pset_userblock(creation, kHeader));
  const Hdf5Handle file(H5Fcreate("/dev/null/hostile", H5F_ACC_TRUNC, creation, access), H5Fclose);
  make(file);
  check_hdf5(H5Fflush(file, H5F_SCOPE_GLOBAL));
  std::string image(static_cast<std::size_t>(H5Fget_file_image(file, nullptr, 0)), '\0');
  H5Fget_file_image(file, image.data(), image.size());

  const std::string other = encode_model({});
  std::string head = other.substr(0, kHeader);
  const std::string size = std::to_string(other.size() - kHeader), checksum = sha256(other.substr(kHeader));
  head.replace(head.find(checksum), checksum.size(), sha256(image));
  head.replace(head.find("\n" + size) + 1, size.size(), std::to_string(image.size()));
  head.resize(kHeader, '\0');
  return head + image;
}

/// Expects that the object `path` of a file is refused, with this word in the message.
void expect_refused(const std::string& path, const char* word, const std::function<void(hid_t file)>& make) {
  const std::string bytes = model_of(make), text = thrown<DataError>([&] { decode_model(bytes, "m.h5"); });
  EXPECT_TRUE(text.starts_with("m.h5: " + path + ": ")) << text;
  EXPECT_NE(text.find(word), std::string::npos) << text;
}

TEST(HostileModel, APlainSetIsRead) {
  const ModelContents contents = decode_model(model_of([](hid_t file) { make_plain_set(file, "a"); }), "m.h5");
  EXPECT_EQ(std::get<arma::mat>(contents.matrices.at("a"))(0, 1), 4);
}

TEST(HostileModel, ExternalAndVirtualSetsAreRefusedUnread) {
  expect_refused("a", "external", [](hid_t file) {
    const Hdf5Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_external(how, "/etc/passwd", 0, 48);
    make_set(file, "a", how);
  });
  expect_refused("a", "virtual", [](hid_t file) {
    const Hdf5Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose),
        space(H5Screate_simple(2, kExtent, nullptr), H5Sclose);
    H5Pset_virtual(how, space, "other.h5", "/a", space);
    make_set(file, "a", how);
  });
}

TEST(HostileModel, LinksThatLeadElsewhereAreRefused) {
  expect_refused("b", "link", [](hid_t file) { H5Lcreate_soft("/a", file, "b", H5P_DEFAULT, H5P_DEFAULT); });
  expect_refused("b", "link",
                 [](hid_t file) { H5Lcreate_external("other.h5", "/a", file, "b", H5P_DEFAULT, H5P_DEFAULT); });
  expect_refused("a", "several names", [](hid_t file) {
    make_plain_set(file, "a");
    H5Lcreate_hard(file, "a", file, "b", H5P_DEFAULT, H5P_DEFAULT);
  });
  expect_refused("b/loop", "", [](hid_t file) {
    const Hdf5Handle group(H5Gcreate2(file, "b", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    H5Lcreate_hard(file, "/", group, "loop", H5P_DEFAULT, H5P_DEFAULT);
  });
}

TEST(HostileModel, SetsInPiecesPackedOrCompactAreRefused) {
  for (const auto& set_up : std::vector<std::function<void(hid_t)>>{
           [](hid_t how) { H5Pset_chunk(how, 2, kExtent); },
           [](hid_t how) {
             H5Pset_chunk(how, 2, kExtent);
             H5Pset_deflate(how, 9);
           },
           [](hid_t how) {
             H5Pset_chunk(how, 2, kExtent);
             H5Pset_filter(how, 32015, H5Z_FLAG_OPTIONAL, 0, nullptr);  // one that a plugin would undo
           },
           [](hid_t how) { H5Pset_layout(how, H5D_COMPACT); }}) {
    expect_refused("a", "contiguous", [&](hid_t file) {
      const Hdf5Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
      set_up(how);
      make_set(file, "a", how);
    });
  }
}

TEST(HostileModel, OtherTypesAndObjectsAreRefused) {
  for (const hid_t type : {H5T_STD_I32LE, H5T_IEEE_F64BE, H5T_STD_I64LE}) {
    expect_refused("a", "float64", [&](hid_t file) {
      const Hdf5Handle early(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
      H5Pset_alloc_time(early, H5D_ALLOC_TIME_EARLY);
      make_set(file, "a", early, type);
    });
  }
  expect_refused("a", "committed", [](hid_t file) {
    const Hdf5Handle type(H5Tcopy(H5T_IEEE_F64LE), H5Tclose);
    H5Tcommit2(file, "kind", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    make_set(file, "a", H5P_DEFAULT, type);
  });
  expect_refused("a", "", [](hid_t file) {
    const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose), scalar(H5Screate(H5S_SCALAR), H5Sclose);
    H5Tset_size(type, H5T_VARIABLE);
    const Hdf5Handle set(H5Dcreate2(file, "a", type, scalar, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  });
  expect_refused("a/b", "group", [](hid_t file) {
    const Hdf5Handle outer(H5Gcreate2(file, "a", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    const Hdf5Handle inner(H5Gcreate2(outer, "b", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  });
}

TEST(HostileModel, SizesThatTheFileDoesNotHaveAreRefused) {
  for (const std::pair<hsize_t, hsize_t>& size :
       {std::pair<hsize_t, hsize_t>{1000, 1000}, {hsize_t{1} << 40, 1}, {1, hsize_t{1} << 59}}) {
    expect_refused("a", "all in the file", [&](hid_t file) {
      const hsize_t extent[] = {size.first, size.second};
      const Hdf5Handle space(H5Screate_simple(2, extent, nullptr), H5Sclose);
      const Hdf5Handle set(H5Dcreate2(file, "a", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                           H5Dclose);
    });
  }
}

/// The library itself is not made for hostile bytes: it runs in a process of its own.
TEST(HostileModel, DamagedHdf5WithARightChecksumIsRefusedOrReadAndNeverTakesTheProgramWithIt) {
  const std::string whole = model_of([](hid_t file) { make_plain_set(file, "a"); });
  const std::string checksum = sha256(whole.substr(kHeader));
  for (std::size_t i = kHeader; i < whole.size(); i += whole.size() / 100) {
    std::string bytes = whole;
    bytes[i] = static_cast<char>(bytes[i] ^ 0xff);
    bytes.replace(bytes.find(checksum), checksum.size(), sha256(bytes.substr(kHeader)));
    const std::string text = thrown<DataError>([&] { decode_model(bytes, "m.h5"); });
    EXPECT_TRUE(text.empty() || text.starts_with("m.h5: ")) << text;
  }
}

}  // namespace
}  // namespace elmx
