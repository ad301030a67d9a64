#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.hpp"
#include "data/load.hpp"
#include "data/matlab/hdf5_handle.hpp"
#include "data/test_files.hpp"

namespace elmx {
namespace {

bool equal(const arma::mat& A, const arma::mat& B) { return arma::approx_equal(A, B, "absdiff", 0); }

/// Files as h5py writes them: the first dimension counts rows.
class Hdf5Sets : public testing::Test {
 protected:
  Hdf5Sets() : path_(folder_.path() / "f.h5") {
    const Hdf5Handle file(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    put(file, "X", {3, 2}, {1, 2, 3, 4, 5, 6});
    put(file, "y", {3}, {7, 8, 7});
    put(file, "cube", {1, 3, 2}, {1, 2, 3, 4, 5, 6});
    put(file, "short", {2}, {1, 2});
    const Hdf5Handle group(H5Gcreate2(file, "train", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    put(group, "inputs", {2, 3}, {1, 3, 5, 2, 4, 6});
    H5Lcreate_external("/etc/passwd", "/X", file, "elsewhere", H5P_DEFAULT, H5P_DEFAULT);
    options_.format = "hdf5";
    options_.path = path_;
    options_.mat.inputs_variable = "X";
    options_.mat.target_variable = "y";
  }

  static void put(hid_t place, const char* name, const std::vector<hsize_t>& extent, std::vector<double> numbers) {
    const Hdf5Handle space(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose);
    const Hdf5Handle set(H5Dcreate2(place, name, H5T_IEEE_F32BE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                         H5Dclose);
    check_hdf5(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()));
  }

  Dataset load() const { return load_dataset(options_, {}, "", 1); }
  std::string refusal() const {
    return message_of<DataError>([&] { load(); });
  }

  TestFolder folder_;
  std::filesystem::path path_;
  DataOptions options_;
};

TEST_F(Hdf5Sets, RowsAreSamples) {
  const Dataset data = load();
  EXPECT_TRUE(equal(data.X, {{1, 2}, {3, 4}, {5, 6}}));
  EXPECT_TRUE(equal(data.Y, arma::vec{7, 8, 7}));
  EXPECT_EQ(data.inputs, (std::vector<std::string>{"X1", "X2"}));
}

TEST_F(Hdf5Sets, LabelsAndPathsAndColumns) {
  options_.task = "classification";
  options_.mat.inputs_variable = "train/inputs";
  options_.mat.samples_are = "columns";
  const Dataset data = load();
  EXPECT_TRUE(equal(data.X, {{1, 2}, {3, 4}, {5, 6}}));
  EXPECT_EQ(data.classes, (std::vector<std::string>{"7", "8"}));
}

TEST_F(Hdf5Sets, RefusesInOneLine) {
  options_.mat.inputs_variable = "x";
  EXPECT_NE(refusal().find("f.h5: no data set \"x\""), std::string::npos) << refusal();
  options_.mat.inputs_variable = "train";
  EXPECT_NE(refusal().find("\"train\" is a group"), std::string::npos) << refusal();
  options_.mat.inputs_variable = "train/none";
  EXPECT_NE(refusal().find("no data set \"train/none\""), std::string::npos) << refusal();
  options_.mat.inputs_variable = "elsewhere";
  EXPECT_NE(refusal().find("no data set \"elsewhere\""), std::string::npos) << "a link to another file";
  options_.mat.inputs_variable = "cube";
  EXPECT_NE(refusal().find("has 3 dimensions"), std::string::npos) << refusal();
  options_.mat.inputs_variable = "X";
  options_.mat.target_variable = "short";
  EXPECT_NE(refusal().find("a target for every row of X"), std::string::npos) << refusal();
  options_.path = folder_.write("text.h5", "1,2,3\n");
  EXPECT_NE(refusal().find("no signature of HDF5"), std::string::npos) << refusal();
}

// A program that was stopped leaves a data set of which some chunks, or all of it, was never written: zeros.
TEST_F(Hdf5Sets, NumbersThatWereNeverWrittenAreRefused) {
  for (const bool chunked : {true, false}) {
    const Hdf5Handle file(H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    const std::vector<hsize_t> extent{3, 2}, chunk{1, 2}, begin{0, 0};
    const Hdf5Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    if (chunked) check_hdf5(H5Pset_chunk(how, 2, chunk.data()));
    const Hdf5Handle space(H5Screate_simple(2, extent.data(), nullptr), H5Sclose);
    const char* name = chunked ? "half" : "none";
    const Hdf5Handle set(H5Dcreate2(file, name, H5T_IEEE_F32BE, space, H5P_DEFAULT, how, H5P_DEFAULT), H5Dclose);
    if (chunked) {
      const Hdf5Handle row(H5Screate_simple(2, chunk.data(), nullptr), H5Sclose);
      check_hdf5(H5Sselect_hyperslab(space, H5S_SELECT_SET, begin.data(), nullptr, chunk.data(), nullptr));
      const std::vector<double> numbers{1, 2};
      check_hdf5(H5Dwrite(set, H5T_NATIVE_DOUBLE, row, space, H5P_DEFAULT, numbers.data()));
    }
  }
  for (const char* name : {"half", "none"}) {
    options_.mat.inputs_variable = name;
    for (const bool from_disk : {false, true}) {
      options_.from_disk = from_disk;
      const std::string said = message_of<DataError>([&] { load_dataset(options_, {}, "", 1, {}, from_disk); });
      EXPECT_NE(said.find("has numbers that were never written"), std::string::npos) << name << ": " << said;
    }
  }
}

TEST_F(Hdf5Sets, AFileThatIsCutIsRefused) {
  std::ifstream in(path_, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  for (const std::size_t size : {whole.size() - 1, whole.size() / 2, std::size_t{600}, std::size_t{20}}) {
    options_.path = folder_.write("cut.h5", std::string_view(whole).substr(0, size));
    EXPECT_NE(refusal(), "no error") << size << " bytes";
  }
}

}  // namespace
}  // namespace elmx
