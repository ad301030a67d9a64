#include <gtest/gtest.h>

#include "base/error.hpp"
#include "data/images/images.hpp"
#include "data/load.hpp"
#include "data/rows/input_rows.hpp"
#include "data/table/table.hpp"
#include "data/test_files.hpp"
#include "data/test_norb.hpp"

namespace elmx {
namespace {

using Names = std::vector<std::string>;

class NorbSet : public testing::Test {
 protected:
  NorbSet() {
    options_.format = "norb";
    options_.task = "classification";
    options_.path = folder_.write("dat", test_norb_images({2, 2, 1, 2}, {1, 2, 3, 4, 5, 6, 7, 255})).string();
    options_.images.labels_path = folder_.write("cat", test_norb_labels({4, 0})).string();
  }

  void add_test_part() {
    options_.test_path = folder_.write("tdat", gzip(test_norb_images({1, 2, 1, 2}, {9, 8, 7, 6}))).string();
    options_.images.test_labels_path = folder_.write("tcat", gzip(test_norb_labels({4}))).string();
  }

  Dataset load() const { return load_dataset(options_, {}, "", 1); }

  template <class Error = DataError>
  std::string place() const {
    return place_thrown<Error>([&] { load(); });
  }

  TestFolder folder_;
  DataOptions options_;
};

TEST_F(NorbSet, IsReadWithOnePairOfImagesARow) {
  add_test_part();

  const Dataset data = load();

  const arma::mat expected = {{1, 2, 3, 4}, {5, 6, 7, 255}, {9, 8, 7, 6}};
  EXPECT_TRUE(arma::approx_equal(data.X, expected, "absdiff", 0));
  EXPECT_EQ(data.classes, (Names{"0", "4"}));
  EXPECT_TRUE(arma::all(data.labels == arma::uvec{1, 0, 1}));
  EXPECT_EQ(data.published_train, 2U);
  EXPECT_EQ(data.inputs.back(), "pixel4");
  EXPECT_EQ(data.sha256.size(), 4U);
}

TEST_F(NorbSet, HasNoPublishedSplitWithoutATestPart) { EXPECT_EQ(load().published_train, 0U); }

TEST_F(NorbSet, RefusesBlocksThatImagesDoNotDivideInto) {
  options_.block_mean = 2;
  EXPECT_EQ(place(), options_.path);
}

TEST_F(NorbSet, RefusesAFileWithoutItsPartner) {
  options_.images.labels_path = "";
  EXPECT_EQ(place<ConfigError>(), "/data/labels_path");
}

TEST_F(NorbSet, RefusesCountsThatDiffer) {
  options_.images.labels_path = folder_.write("cat", test_norb_labels({4, 0, 1})).string();
  EXPECT_EQ(place(), options_.images.labels_path);
}

TEST_F(NorbSet, RefusesLabelsOutOfRange) {
  for (const std::vector<int>& labels : {std::vector{4, -1}, std::vector{256, 0}}) {
    folder_.write("cat", test_norb_labels(labels));
    EXPECT_EQ(place(), options_.images.labels_path);
  }
}

TEST_F(NorbSet, RefusesImagesAndLabelsInEachOthersPlace) {
  std::swap(options_.path, options_.images.labels_path);
  EXPECT_EQ(place(), options_.path);

  options_.path = folder_.write("x", test_norb_header(0x1E3D4C54, 2, {1, 1, 1}) + little_endian_bytes(7)).string();
  EXPECT_EQ(place(), options_.path);
}

BinaryMatrix norb_in(const std::string& bytes) {
  return read_norb(std::make_shared<const Content>(Content{"f.mat", bytes, ""}));
}

std::string place_of_norb(const std::string& bytes) {
  return place_thrown<DataError>([&] { norb_in(bytes); });
}

TEST(Norb, ReadsSizesAndLabelsLittleEndian) {
  const BinaryMatrix labels = norb_in(test_norb_labels(std::vector<int>(300, -70000)));

  EXPECT_EQ(labels.count(), 300U);
  EXPECT_EQ(labels.dimension(), 1U);
  EXPECT_EQ(read_all(*labels.rows())(299, 0), -70000);
}

TEST(NorbRefuses, AnotherMagicNumber) {
  for (const std::uint32_t magic : {0x1E3D4C51U, 0x1E3D4C52U, 0x1E3D4C53U, 0x1E3D4C56U, 0x554C3D1EU})
    EXPECT_EQ(place_of_norb(test_norb_header(magic, 3, {1, 1, 1}) + "x"), "f.mat") << magic;
}

TEST(NorbRefuses, SizesThatDisagreeWithTheHeader) {
  const std::string good = test_norb_images({2, 1, 1, 2}, {1, 2, 3, 4});
  for (const std::size_t size : {0, 19, 22, 27}) EXPECT_EQ(place_of_norb(good.substr(0, size)), "f.mat") << size;
  EXPECT_EQ(place_of_norb(good + "x"), "f.mat");
}

TEST(NorbRefuses, DimensionsThatCannotBe) {
  EXPECT_EQ(place_of_norb(test_norb_header(0x1E3D4C55, 0, {1, 1, 1}) + "x"), "f.mat");
  EXPECT_EQ(place_of_norb(test_norb_header(0x1E3D4C55, 5, {1, 1, 1, 1, 1}) + "x"), "f.mat");
  EXPECT_EQ(place_of_norb(test_norb_header(0x1E3D4C55, 2, {1, 1, 2}) + "x"), "f.mat");
  EXPECT_EQ(place_of_norb(test_norb_header(0x1E3D4C55, 3, {1, 0, 1})), "f.mat");
}

}  // namespace
}  // namespace elmx
