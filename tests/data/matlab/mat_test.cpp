#include "data/matlab/mat.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "data/load.hpp"
#include "data/test_files.hpp"
#include "data/test_mat.hpp"

namespace elmx {
namespace {

using Names = std::vector<std::string>;

class MatSet : public testing::Test {
 protected:
  MatSet() {
    options_.format = "mat";
    options_.task = "classification";
    options_.path = (folder_.path() / "f.mat").string();
  }

  TestMat file(mat_ft version = MAT_FT_MAT5, matio_compression compression = MAT_COMPRESSION_ZLIB) const {
    return TestMat(options_.path, version, compression);
  }
  /// fea = [1 2; 3 4; 5 6], gnd = [7; 2; 7].
  TestMat& add_both(TestMat&& mat) const {
    return mat.add("fea", {3, 2}, {1, 3, 5, 2, 4, 6}).add("gnd", {3, 1}, {7, 2, 7});
  }

  Dataset load() const { return load_dataset(options_, {}, "", 1); }

  void expect_both(const Dataset& data) const {
    EXPECT_TRUE(arma::approx_equal(data.X, arma::mat{{1, 2}, {3, 4}, {5, 6}}, "absdiff", 0));
    EXPECT_EQ(data.classes, (Names{"2", "7"}));
    EXPECT_TRUE(arma::all(data.labels == arma::uvec{1, 0, 1}));
  }

  /// The message behind the path of the file.
  template <class Error = DataError>
  std::string refusal() const {
    const std::string message = message_of<Error>([&] { load(); });
    return message.starts_with(options_.path + ": ") ? message.substr(options_.path.size() + 2) : message;
  }
  std::string refusal_of(const std::string& bytes) const {
    folder_.write("f.mat", bytes);
    return refusal();
  }

  TestFolder folder_;
  DataOptions options_;
};

TEST_F(MatSet, IsReadFromEveryVersion) {
  for (const matio_compression compression : {MAT_COMPRESSION_NONE, MAT_COMPRESSION_ZLIB}) {
    for (const mat_ft version : {MAT_FT_MAT5, MAT_FT_MAT73}) {
      add_both(file(version, compression));
      const Dataset data = load();
      expect_both(data);
      EXPECT_EQ(data.inputs, (Names{"fea1", "fea2"}));
      EXPECT_EQ(data.published_train, 0U);
      EXPECT_EQ(data.sha256, Names{sha256(read_file(options_.path))});
    }
  }
}

TEST_F(MatSet, IsReadFromAGzipFileAndLeavesNothingBehind) {
  for (const mat_ft version : {MAT_FT_MAT5, MAT_FT_MAT73}) {
    const std::string bytes = add_both(file(version)).bytes();
    folder_.write("f.mat", gzip(bytes));

    const Dataset data = load();

    expect_both(data);
    EXPECT_EQ(data.sha256, Names{sha256(bytes)});
    EXPECT_EQ(folder_.listing(), "f.mat\n");
  }
}

TEST_F(MatSet, ConvertsWhatIsNotDouble) {
  file().add_bytes("fea", {2, 2}, {0, 255, 7, 128}).add_int32("gnd", {2, 1}, {-3, 70000});
  EXPECT_TRUE(arma::approx_equal(load().X, arma::mat{{0, 7}, {255, 128}}, "absdiff", 0));
  EXPECT_EQ(load().classes, (Names{"-3", "70000"}));

  file(MAT_FT_MAT73).add_single("fea", {2, 1}, {0.5F, -0.25F}).add_bytes("gnd", {2, 1}, {1, 0});
  EXPECT_TRUE(arma::approx_equal(load().X, arma::vec{0.5, -0.25}, "absdiff", 0));
}

TEST_F(MatSet, TakesColumnsAsSamplesWhereToldTo) {
  file().add("fea", {2, 3}, {1, 2, 3, 4, 5, 6}).add("gnd", {1, 3}, {7, 2, 7});
  EXPECT_EQ(refusal(),
            "fea is 2 x 3, gnd 1 x 3; a target for every row of fea is expected (\"samples_are\": \"rows\")");

  options_.mat.samples_are = "columns";
  expect_both(load());
}

TEST_F(MatSet, RefusesRowsThatAreSaidToBeColumns) {
  add_both(file());
  options_.mat.samples_are = "columns";
  EXPECT_EQ(refusal(),
            "fea is 3 x 2, gnd 3 x 1; a target for every column of fea is expected (\"samples_are\": \"columns\")");
}

TEST_F(MatSet, ReadsVariablesOfOtherNames) {
  file().add("X", {2, 1}, {1, 2}).add("Y", {2, 2}, {3, 4, 5, 6});
  options_.mat.inputs_variable = "X";
  options_.mat.target_variable = "Y";
  options_.task = "regression";

  EXPECT_TRUE(arma::approx_equal(load().Y, arma::mat{{3, 5}, {4, 6}}, "absdiff", 0));

  options_.task = "classification";
  EXPECT_EQ(refusal(), "X is 2 x 1, Y 2 x 2; one label for every sample is expected");
}

TEST_F(MatSet, ReadsATestFileBehindTheTrainingFile) {
  options_.test_path = TestMat(folder_.path() / "t.mat").add("fea", {1, 2}, {8, 9}).add("gnd", {1, 1}, {2}).path();
  add_both(file());

  const Dataset data = load();

  EXPECT_EQ(data.published_train, 3U);
  EXPECT_TRUE(arma::approx_equal(data.X.row(3), arma::rowvec{8, 9}, "absdiff", 0));
  EXPECT_EQ(data.labels(3), 0U);

  TestMat(options_.test_path).add("fea", {1, 3}, {8, 9, 9}).add("gnd", {1, 1}, {2});
  EXPECT_EQ(refusal(), options_.test_path + ": 3 inputs and 1 targets; 2 and 1 are expected, as in the training part");
}

TEST_F(MatSet, RefusesAVariableThatIsNotThere) {
  file().add("feat", {1, 1}, {1}).add("gnd", {1, 1}, {1});
  EXPECT_EQ(refusal(), "no variable \"fea\"; did you mean \"feat\"?");
  file().add("inputs", {1, 1}, {1}).add("outputs", {1, 1}, {1});
  EXPECT_EQ(refusal(), "no variable \"fea\"; allowed: inputs, outputs");
}

TEST_F(MatSet, RefusesWhatIsNoRealFullMatrix) {
  const std::string allowed = "; a real, full matrix of numbers is allowed";
  for (const mat_ft version : {MAT_FT_MAT5, MAT_FT_MAT73}) {
    file(version).add_sparse("fea");
    EXPECT_EQ(refusal(), "variable \"fea\" is a sparse matrix" + allowed);
    file(version).add_cell("fea");
    EXPECT_EQ(refusal(), "variable \"fea\" is a cell array" + allowed);
    file(version).add_struct("fea");
    EXPECT_EQ(refusal(), "variable \"fea\" is a struct" + allowed);
    file(version).add_complex("fea", 1, 2);
    EXPECT_EQ(refusal(), "variable \"fea\" is complex" + allowed);
    file(version).add_text("fea", "abc");
    EXPECT_EQ(refusal(), "variable \"fea\" is text" + allowed);
    file(version).add("fea", {2, 1, 2}, {1, 2, 3, 4});
    EXPECT_EQ(refusal(), "variable \"fea\" is 2 x 1 x 2" + allowed + ", with two sizes of at least 1");
  }
  file().add("fea", {0, 2}, {});
  EXPECT_EQ(refusal(), "variable \"fea\" is 0 x 2" + allowed + ", with two sizes of at least 1");
}

TEST_F(MatSet, ReadsPastVariablesOfOtherKinds) {
  for (const auto compression : {MAT_COMPRESSION_NONE, MAT_COMPRESSION_ZLIB}) {
    TestMat mat = file(MAT_FT_MAT5, compression);
    mat.add_cell("c").add_struct("s").add_text("t", "text").add_sparse("p");
    add_both(std::move(mat)).bytes();
    EXPECT_EQ(load().X.n_rows, 3U);
    EXPECT_EQ(load().labels.n_elem, 3U);
  }
}

TEST_F(MatSet, DoesNotMindWhatIsDamagedInOtherVariables) {
  TestMat mat = file(MAT_FT_MAT5, MAT_COMPRESSION_NONE);
  mat.add_struct("s");
  std::string bytes = add_both(std::move(mat)).bytes();
  // Behind the tag of the struct: its flags (16 bytes), dimensions (16) and name (8), then the names of its fields.
  const std::size_t begin = 136 + 16 + 16 + 8;
  const std::size_t end = 136 + static_cast<unsigned char>(bytes[132]) + 256U * static_cast<unsigned char>(bytes[133]);
  ASSERT_LT(begin, end);
  bytes.replace(begin, end - begin, end - begin, '\x7f');
  folder_.write("f.mat", bytes);
  expect_both(load());
}

TEST_F(MatSet, RefusesAnArrayWhoseStorageHasAnotherSize) {
  const std::string whole = file(MAT_FT_MAT5, MAT_COMPRESSION_NONE).add("fea", {3, 1}, {1, 2, 3}).bytes();
  const std::size_t data = whole.find(std::string("\x09\0\0\0\x18\0\0\0", 8));  // doubles, 24 bytes
  ASSERT_NE(data, std::string::npos);
  for (const char size : {'\x10', '\x17', '\x20', '\xff'}) {
    std::string bytes = whole;
    bytes[data + 4] = size;
    EXPECT_EQ(refusal_of(bytes), "element at byte 128: not a whole matrix; a complete MAT-file is allowed")
        << int{size};
  }
  const std::size_t rows = whole.find(std::string("\3\0\0\0\1\0\0\0", 8));
  for (const char number : {'\0', '\2', '\4', '\xff'}) {
    std::string bytes = whole;
    bytes[rows] = number;
    EXPECT_EQ(refusal_of(bytes), "element at byte 128: not a whole matrix; a complete MAT-file is allowed")
        << int{number};
  }
}

TEST_F(MatSet, RefusesNumbersThatAreNotFinite) {
  file().add("fea", {2, 2}, {1, 2, 3, std::nan("")}).add("gnd", {2, 1}, {1, 2});
  EXPECT_EQ(refusal(), "fea(2, 2) is not finite; finite numbers are expected");
}

TEST_F(MatSet, RefusesLabelsThatAreNoWholeNumbers) {
  file().add("fea", {2, 1}, {1, 2}).add("gnd", {2, 1}, {1, 1.5});
  EXPECT_EQ(refusal(), "gnd holds the label 1.5; whole numbers are expected");
}

TEST_F(MatSet, RefusesAnotherFormat) {
  const std::string expected = "no header of a MAT-file; MATLAB 5 to 7 (save -v6, -v7) and 7.3 are allowed";
  EXPECT_EQ(refusal_of(""), expected);
  EXPECT_EQ(refusal_of("1,2,3\n"), expected);
  EXPECT_EQ(refusal_of(std::string(200, ' ')), expected);
  add_both(file(MAT_FT_MAT4, MAT_COMPRESSION_NONE));
  EXPECT_EQ(refusal(), expected);
}

TEST_F(MatSet, RefusesAFileCutAnywhere) {
  const std::string bytes = add_both(file()).bytes();
  const std::string second = "element at byte 128: ends too early; a complete MAT-file is allowed";
  EXPECT_EQ(refusal_of(bytes.substr(0, 132)), second);
  EXPECT_EQ(refusal_of(bytes.substr(0, 140)), second);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_NE(refusal_of(bytes.substr(0, length)), "no error") << length;
  }
}

TEST_F(MatSet, RefusesTrailingBytes) {
  const std::string bytes = add_both(file()).bytes();
  const std::string where = "element at byte " + std::to_string(bytes.size()) + ": ";
  EXPECT_EQ(refusal_of(bytes + "x"), where + "ends too early; a complete MAT-file is allowed");
  EXPECT_EQ(refusal_of(bytes + std::string(8, 'x')),
            where + "type 2021161080; 14 (matrix) or 15 (compressed) is allowed");
}

TEST_F(MatSet, RefusesDamagedCompressedData) {
  std::string bytes = add_both(file()).bytes();
  bytes[150] = static_cast<char>(bytes[150] ^ 0x55);
  EXPECT_EQ(refusal_of(bytes), "element at byte 128: its compressed data are damaged; a complete MAT-file is allowed");
}

TEST_F(MatSet, RefusesMoreValuesThanTheFileCanHold) {
  std::string bytes = add_both(file(MAT_FT_MAT5, MAT_COMPRESSION_NONE)).bytes();
  const std::size_t rows = bytes.find(std::string("\3\0\0\0\2\0\0\0", 8));
  ASSERT_NE(rows, std::string::npos);
  bytes[rows + 3] = '\x70';
  EXPECT_EQ(refusal_of(bytes), "element at byte 128: not a whole matrix; a complete MAT-file is allowed");
}

TEST_F(MatSet, RefusesATruncatedGzipFile) {
  const std::string packed = gzip(add_both(file()).bytes());
  EXPECT_EQ(refusal_of(packed.substr(0, packed.size() / 2)),
            "gzip data end too early; a complete gzip file is allowed");
}

TEST_F(MatSet, RefusesATruncatedFileOfVersion73) {
  const std::string bytes = add_both(file(MAT_FT_MAT73)).bytes();
  for (std::size_t length = 512; length < bytes.size(); length += 97) {
    EXPECT_EQ(refusal_of(bytes.substr(0, length)), "libmatio finds no variable in it; a complete MAT-file is allowed")
        << length;
  }
}

}  // namespace
}  // namespace elmx
