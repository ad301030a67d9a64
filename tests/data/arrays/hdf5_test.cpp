#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.hpp"
#include "data/arrays/hdf5_library.hpp"
#include "data/load.hpp"
#include "data/rows/input_rows.hpp"
#include "data/test_files.hpp"

namespace elmx {
namespace {

bool same_matrix(const arma::mat& A, const arma::mat& B) { return arma::approx_equal(A, B, "absdiff", 0); }

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
    return thrown<DataError>([&] { load(); });
  }
  std::string place() const {
    return place_thrown<DataError>([&] { load(); });
  }

  TestFolder folder_;
  std::filesystem::path path_;
  DataOptions options_;
};

TEST_F(Hdf5Sets, RowsAreSamples) {
  const Dataset data = load();
  EXPECT_TRUE(same_matrix(data.X, {{1, 2}, {3, 4}, {5, 6}}));
  EXPECT_TRUE(same_matrix(data.Y, arma::vec{7, 8, 7}));
  EXPECT_EQ(data.inputs, (std::vector<std::string>{"X1", "X2"}));
}

TEST_F(Hdf5Sets, LabelsAndPathsAndColumns) {
  options_.task = "classification";
  options_.mat.inputs_variable = "train/inputs";
  options_.mat.samples_are = "columns";
  const Dataset data = load();
  EXPECT_TRUE(same_matrix(data.X, {{1, 2}, {3, 4}, {5, 6}}));
  EXPECT_EQ(data.classes, (std::vector<std::string>{"7", "8"}));
}

TEST_F(Hdf5Sets, RefusalsNameTheFileAndTheDataSet) {
  const auto refusal_of_inputs = [&](const std::string& name) {
    options_.mat.inputs_variable = name;
    return refusal();
  };
  for (const std::string name : {"x", "train", "train/none", "elsewhere"})
    EXPECT_TRUE(names_all(refusal_of_inputs(name),
                          {options_.path + ": ", "\"" + name + "\"", "X (3 x 2, float)", "y (3, float)",
                           "cube (1 x 3 x 2, float)", "train/inputs (2 x 3, float)", "inputs_variable"}));
  EXPECT_FALSE(contains_text(refusal(), "elsewhere (")) << "a link to another file";
  EXPECT_TRUE(names_all(refusal_of_inputs("cube"), {options_.path + ": ", "cube (1 x 3 x 2, float)"}));
  options_.mat.target_variable = "short";
  EXPECT_TRUE(names_all(refusal_of_inputs("X"), {options_.path + ": ", "X is 3 x 2", "short 2 x 1"}));
  options_.path = folder_.write("text.h5", "1,2,3\n");
  EXPECT_EQ(place(), options_.path);
}

TEST_F(Hdf5Sets, PathsMayBeginWithASlash) {
  options_.mat.inputs_variable = "/X";
  EXPECT_TRUE(same_matrix(load().X, {{1, 2}, {3, 4}, {5, 6}}));
}

/// Files in which the roles of the data sets are clear, or that have no targets.
class OtherHdf5Sets : public Hdf5Sets {
 protected:
  OtherHdf5Sets() {
    options_ = {};
    options_.format = "hdf5";
    options_.task = "classification";
    options_.path = (folder_.path() / "o.h5").string();
  }
  Hdf5Handle create() const {
    return {H5Fcreate(options_.path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose};
  }
  /// As h5py writes them: an enumeration of 8 bits.
  static void put_booleans(hid_t place, const char* name, const std::vector<hsize_t>& extent,
                           const std::vector<std::int8_t>& values, bool packed) {
    const Hdf5Handle type(H5Tenum_create(H5T_STD_I8LE), H5Tclose);
    for (const std::int8_t value : {std::int8_t(0), std::int8_t(1)})
      check_hdf5(H5Tenum_insert(type, value != 0 ? "TRUE" : "FALSE", &value));
    const Hdf5Handle space(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose);
    const Hdf5Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    const std::vector<hsize_t> chunk(extent.size(), 2);
    if (packed) check_hdf5(H5Pset_chunk(how, static_cast<int>(chunk.size()), chunk.data()));
    if (packed) check_hdf5(H5Pset_deflate(how, 6));
    const Hdf5Handle set(H5Dcreate2(place, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT), H5Dclose);
    check_hdf5(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
  }
  Dataset load_in(bool blocks) {
    options_.from_disk = blocks;
    return load_dataset(options_, {}, "", 1, {}, blocks);
  }
  static arma::mat inputs_of(const Dataset& data) { return data.on_disk ? read_all(*data.on_disk) : data.X; }
};

TEST_F(OtherHdf5Sets, BooleansAreReadInMemoryAndInBlocks) {
  for (const bool packed : {false, true}) {
    {
      const Hdf5Handle file = create();
      put_booleans(file, "X", {3, 2}, {1, 0, 0, 0, 1, 1}, packed);
      put_booleans(file, "y", {3}, {1, 0, 1}, packed);
    }
    for (const bool blocks : {false, true}) {
      const Dataset data = load_in(blocks);
      EXPECT_EQ(data.on_disk != nullptr, blocks);
      EXPECT_TRUE(same_matrix(inputs_of(data), {{1, 0}, {0, 0}, {1, 1}}));
      EXPECT_EQ(data.classes, (std::vector<std::string>{"0", "1"}));
      EXPECT_TRUE(arma::all(data.labels == arma::uvec{1, 0, 1}));
      EXPECT_EQ(data.report.variables.at(0).description(), "X (3 x 2, bool)");
      EXPECT_EQ(data.report.notes.size(), 2U) << "the names are not the default ones";
    }
  }
}

TEST_F(OtherHdf5Sets, NewSamplesNeedNoTargets) {
  put(create(), "X", {3, 2}, {1, 2, 3, 4, 5, 6});
  for (const bool blocks : {false, true}) {
    EXPECT_EQ(place_thrown<DataError>([&] { load_in(blocks); }), options_.path);
    options_.mat.targets_optional = true;
    const Dataset data = load_source(source_of(options_), {blocks, blocks});
    EXPECT_EQ(data.on_disk != nullptr, blocks);
    EXPECT_TRUE(same_matrix(inputs_of(data), {{1, 2}, {3, 4}, {5, 6}}));
    EXPECT_TRUE(data.labels.is_empty() && data.Y.is_empty());
    options_.mat.targets_optional = false;
  }
}

TEST_F(OtherHdf5Sets, LabelsThatLoseDigitsAreRefused) {
  {
    const Hdf5Handle file = create();
    put(file, "X", {3, 2}, {1, 2, 3, 4, 5, 6});
    const std::vector<std::int64_t> labels{(std::int64_t(1) << 53) + 1, 1, 2};
    const hsize_t count = labels.size();
    const Hdf5Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const Hdf5Handle set(H5Dcreate2(file, "y", H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
    check_hdf5(H5Dwrite(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, labels.data()));
  }
  for (const bool blocks : {false, true}) EXPECT_EQ(place_thrown<DataError>([&] { load_in(blocks); }), options_.path);
  options_.task = "regression";
  EXPECT_EQ(load_in(false).Y(1), 1);
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
      EXPECT_TRUE(names_all(thrown<DataError>([&] { load_dataset(options_, {}, "", 1, {}, from_disk); }),
                            {options_.path + ": ", std::string("\"") + name + "\"", "never written"}));
    }
  }
}

TEST_F(Hdf5Sets, AFileThatIsCutIsRefused) {
  std::ifstream in(path_, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  for (const std::size_t size : {whole.size() - 1, whole.size() / 2, std::size_t{600}, std::size_t{20}}) {
    options_.path = folder_.write("cut.h5", std::string_view(whole).substr(0, size));
    EXPECT_TRUE(place().starts_with(options_.path)) << size << " bytes";
  }
}

}  // namespace
}  // namespace elmx
