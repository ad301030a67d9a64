#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "base/files/sha256.hpp"
#include "data/content/content.hpp"
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

  std::string refusal() const {
    return thrown<DataError>([&] { load(); });
  }
  /// Expects that the file is refused, with its path as the place and all `parts` in the message.
  void expect_refused(const std::vector<std::string>& parts) const {
    const std::string message = refusal();
    EXPECT_TRUE(message.starts_with(options_.path + ": ")) << message;
    EXPECT_TRUE(names_all(message, parts));
  }
  /// Expects that these bytes are refused, with the byte at which an element begins.
  void expect_refused_at(std::size_t byte, const std::string& bytes) const {
    folder_.write("f.mat", bytes);
    expect_refused({"byte " + std::to_string(byte)});
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
  expect_refused({"fea is 2 x 3", "gnd 1 x 3", "samples_are", "\"columns\" fits"});

  options_.mat.samples_are = "columns";
  expect_both(load());
}

TEST_F(MatSet, NamesNoLayoutThatDoesNotFit) {
  file().add("fea", {2, 3}, {1, 2, 3, 4, 5, 6}).add("gnd", {1, 4}, {7, 2, 7, 2});
  EXPECT_FALSE(contains_text(refusal(), "fits")) << refusal();
}

TEST_F(MatSet, RefusesRowsThatAreSaidToBeColumns) {
  add_both(file());
  options_.mat.samples_are = "columns";
  expect_refused({"fea is 3 x 2", "gnd 3 x 1", "samples_are", "\"rows\" fits"});
}

TEST_F(MatSet, NumbersAreTheSameInEveryStorageAndSize) {
  std::vector<double> numbers(70000);  // several blocks of the unpacked variable
  std::vector<std::int32_t> labels(numbers.size() / 2);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i * i % 1009) - 0.5;
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<std::int32_t>(i % 3) - 1;
  const arma::mat expected(numbers.data(), labels.size(), 2);
  for (const matio_compression compression : {MAT_COMPRESSION_NONE, MAT_COMPRESSION_ZLIB}) {
    for (const mat_ft version : {MAT_FT_MAT5, MAT_FT_MAT73}) {
      file(version, compression).add("fea", {labels.size(), 2}, numbers).add_int32("gnd", {1, labels.size()}, labels);
      const Dataset data = load();
      EXPECT_TRUE(arma::approx_equal(data.X, expected, "absdiff", 0));
      EXPECT_EQ(data.classes, (Names{"-1", "0", "1"}));
      EXPECT_EQ(data.labels(5), 2U);
    }
  }
}

TEST_F(MatSet, ReadsVariablesOfOtherNames) {
  file().add("X", {2, 1}, {1, 2}).add("Y", {2, 2}, {3, 4, 5, 6});
  options_.mat.inputs_variable = "X";
  options_.mat.target_variable = "Y";
  options_.task = "regression";

  EXPECT_TRUE(arma::approx_equal(load().Y, arma::mat{{3, 5}, {4, 6}}, "absdiff", 0));

  options_.task = "classification";
  expect_refused({"X is 2 x 1", "Y 2 x 2"});
}

TEST_F(MatSet, ReadsATestFileBehindTheTrainingFile) {
  options_.test_path = TestMat(folder_.path() / "t.mat").add("fea", {1, 2}, {8, 9}).add("gnd", {1, 1}, {2}).path();
  add_both(file());

  const Dataset data = load();

  EXPECT_EQ(data.published_train, 3U);
  EXPECT_TRUE(arma::approx_equal(data.X.row(3), arma::rowvec{8, 9}, "absdiff", 0));
  EXPECT_EQ(data.labels(3), 0U);

  TestMat(options_.test_path).add("fea", {1, 3}, {8, 9, 9}).add("gnd", {1, 1}, {2});
  EXPECT_EQ(place_thrown<DataError>([&] { load(); }), options_.test_path);
}

TEST_F(MatSet, ARefusalListsTheVariablesAndTheOptions) {
  for (const mat_ft version : {MAT_FT_MAT5, MAT_FT_MAT73}) {
    TestMat mat = file(version);
    mat.add("A", {3, 2}, {1, 3, 5, 2, 4, 6}).add("B", {3, 2}, {1, 3, 5, 2, 4, 6}).add("y", {3, 1}, {7, 2, 7});
    mat.add_struct("meta").add_text("title", "abc").path();
    expect_refused({"\"fea\"", "A (3 x 2, double)", "B (3 x 2, double)", "y (3 x 1, double)", "meta (", "struct)",
                    "title (1 x 3, text)", "inputs_variable", "target_variable"});
    options_.mat.inputs_variable = "A";
    options_.mat.target_variable = "z";
    expect_refused({"\"z\"", "y (3 x 1, double)", "target_variable"});
    options_.mat = {};
  }
}

TEST_F(MatSet, TakesTheOnlyMatrixAndTheOnlyVectorOfItsSamples) {
  for (const mat_ft version : {MAT_FT_MAT5, MAT_FT_MAT73}) {
    TestMat mat = file(version);
    mat.add("X", {3, 2}, {1, 3, 5, 2, 4, 6}).add("y", {1, 3}, {7, 2, 7}).add("weights", {2, 1}, {1, 1});
    mat.add_text("title", "abc").path();
    const Dataset data = load();
    expect_both(data);
    EXPECT_EQ(data.inputs, (Names{"X1", "X2"}));
    EXPECT_EQ(data.report.notes.size(), 2U);
    EXPECT_EQ(data.report.dialect, (Json{{"inputs_variable", "X"}, {"target_variable", "y"}}));
    ASSERT_EQ(data.report.variables.size(), 4U);
    EXPECT_EQ(data.report.variables[version == MAT_FT_MAT5 ? 0 : 1].description(),
              version == MAT_FT_MAT5 ? "X (3 x 2, double)" : "title (1 x 3, text)");
  }
  file().add("X", {3, 2}, {1, 3, 5, 2, 4, 6}).add("y", {3, 1}, {7, 2, 7}).add("z", {3, 1}, {7, 2, 7});
  expect_refused({"\"gnd\""});
}

TEST_F(MatSet, NewSamplesNeedNoTargets) {
  file().add("fea", {2, 2}, {1, 3, 2, 4});
  expect_refused({"\"gnd\"", "target_variable"});
  options_.mat.targets_optional = true;
  const Dataset data = load_source(source_of(options_), {});
  EXPECT_EQ(data.X.n_rows, 2U);
  EXPECT_TRUE(data.labels.is_empty());
  EXPECT_TRUE(data.Y.is_empty());
}

TEST_F(MatSet, RefusesOtherKindsOfVariables) {
  for (const mat_ft version : {MAT_FT_MAT5, MAT_FT_MAT73}) {
    file(version).add_sparse("fea");
    expect_refused({"fea (", "sparse"});
    file(version).add_cell("fea");
    expect_refused({"fea (", "cell"});
    file(version).add_struct("fea");
    expect_refused({"fea (", "struct"});
    file(version).add_complex("fea", 1, 2);
    expect_refused({"fea (1 x 1, complex)"});
    file(version).add_text("fea", "abc");
    expect_refused({"fea (1 x 3, text)"});
    file(version).add("fea", {2, 1, 2}, {1, 2, 3, 4});
    expect_refused({"fea (2 x 1 x 2, double)"});
  }
  file().add("fea", {0, 2}, {});
  expect_refused({"fea (0 x 2, double)"});
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
  // Behind the tag of the struct: its flags (16 bytes), dimensions (16) and name (8), then the names of its
  // fields.
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
    expect_refused_at(128, bytes);
  }
  const std::size_t rows = whole.find(std::string("\3\0\0\0\1\0\0\0", 8));
  for (const char number : {'\0', '\2', '\4', '\xff'}) {
    std::string bytes = whole;
    bytes[rows] = number;
    expect_refused_at(128, bytes);
  }
}

TEST_F(MatSet, RefusesNumbersThatAreNotFinite) {
  file().add("fea", {2, 2}, {1, 2, 3, std::nan("")}).add("gnd", {2, 1}, {1, 2});
  expect_refused({"fea(2, 2)"});
}

TEST_F(MatSet, RefusesOtherLabelsThanWholeNumbersBelow2To53) {
  file().add("fea", {2, 1}, {1, 2}).add("gnd", {2, 1}, {1, 1.5});
  expect_refused({"gnd", " 1.5"});
  file().add("fea", {2, 1}, {1, 2}).add("gnd", {2, 1}, {1, -9007199254740992});
  expect_refused({"gnd", "-9007199254740992"});
  file().add("fea", {2, 1}, {1, 2}).add("gnd", {2, 1}, {1, -9007199254740991});
  EXPECT_EQ(load().classes, (Names{"-9007199254740991", "1"}));
}

TEST_F(MatSet, RefusesAnotherFormat) {
  for (const std::string& bytes : {std::string(), std::string("1,2,3\n"), std::string(200, ' ')}) {
    folder_.write("f.mat", bytes);
    expect_refused({"MAT-file"});
  }
  add_both(file(MAT_FT_MAT4, MAT_COMPRESSION_NONE));
  expect_refused({"MAT-file"});
}

TEST_F(MatSet, RefusesAFileCutAnywhere) {
  const std::string bytes = add_both(file()).bytes();
  expect_refused_at(128, bytes.substr(0, 132));
  expect_refused_at(128, bytes.substr(0, 140));
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    folder_.write("f.mat", bytes.substr(0, length));
    expect_refused({});
  }
}

TEST_F(MatSet, RefusesTrailingBytes) {
  const std::string bytes = add_both(file()).bytes();
  expect_refused_at(bytes.size(), bytes + "x");
  expect_refused_at(bytes.size(), bytes + std::string(8, 'x'));
  expect_refused({"2021161080"});
}

TEST_F(MatSet, RefusesDamagedCompressedData) {
  std::string bytes = add_both(file()).bytes();
  bytes[150] = static_cast<char>(bytes[150] ^ 0x55);
  expect_refused_at(128, bytes);
}

TEST_F(MatSet, RefusesMoreValuesThanTheFileCanHold) {
  std::string bytes = add_both(file(MAT_FT_MAT5, MAT_COMPRESSION_NONE)).bytes();
  const std::size_t rows = bytes.find(std::string("\3\0\0\0\2\0\0\0", 8));
  ASSERT_NE(rows, std::string::npos);
  bytes[rows + 3] = '\x70';
  expect_refused_at(128, bytes);
}

TEST_F(MatSet, RefusesATruncatedFileOfVersion73) {
  const std::string bytes = add_both(file(MAT_FT_MAT73)).bytes();
  for (std::size_t length = 512; length < bytes.size(); length += 97) {
    folder_.write("f.mat", bytes.substr(0, length));
    expect_refused({});
  }
}

}  // namespace
}  // namespace elmx
