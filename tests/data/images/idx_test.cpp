#include <gtest/gtest.h>

#include "base/error.hpp"
#include "data/images/images.hpp"
#include "data/rows/input_rows.hpp"
#include "data/test_files.hpp"
#include "data/test_idx.hpp"

namespace elmx {
namespace {

BinaryMatrix idx_in(const std::string& bytes) {
  return read_idx(std::make_shared<const Content>(Content{"f.idx", bytes, ""}));
}

std::string refusal_of_idx(const std::string& bytes) {
  return thrown<DataError>([&] { idx_in(bytes); });
}

TEST(Idx, FlattensImagesRowByRow) {
  const BinaryMatrix images = idx_in(test_idx({2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 255}));
  EXPECT_EQ(images.count(), 2U);
  EXPECT_EQ(images.dimension(), 6U);
  const arma::mat expected = {{1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 255}};
  EXPECT_TRUE(arma::approx_equal(read_all(*images.rows()), expected, "absdiff", 0));
}

TEST(Idx, UnpacksMoreRowsThanOneBlock) {
  std::vector<int> bytes;
  for (int i = 0; i < 1500 * 2; ++i) bytes.push_back(i % 251);

  const arma::mat X = read_all(*idx_in(test_idx({1500, 2}, bytes)).rows());

  for (arma::uword i = 0; i < 1500; ++i) {
    EXPECT_EQ(X(i, 0), (2 * i) % 251);
    EXPECT_EQ(X(i, 1), (2 * i + 1) % 251);
  }
}

TEST(Idx, ReadsSizesBigEndian) {
  const BinaryMatrix labels = idx_in(test_idx({300}, std::vector<int>(300, 7)));
  EXPECT_EQ(labels.count(), 300U);
  EXPECT_EQ(labels.dimension(), 1U);
}

TEST(IdxRefuses, AnotherMagicNumber) {
  EXPECT_TRUE(names_all(refusal_of_idx(std::string("\0\0\x0d\x01", 4)), {"f.idx: ", "0x00000d01"}));
  EXPECT_TRUE(names_all(refusal_of_idx(std::string("\0\0\x08\x05", 4)), {"f.idx: ", "0x00000805"}));
  EXPECT_TRUE(names_all(refusal_of_idx(std::string("\0\0\x08\x00", 4)), {"f.idx: ", "0x00000800"}));
  EXPECT_TRUE(names_all(refusal_of_idx("\x01"), {"f.idx: ", "0x01"}));
  EXPECT_TRUE(names_all(refusal_of_idx(""), {"f.idx: "}));
}

TEST(IdxRefuses, SizesThatDisagreeWithTheHeader) {
  const std::string good = test_idx({2, 2}, {1, 2, 3, 4});
  for (const std::string& bytes : {good.substr(0, 7), good.substr(0, 15), good + "x"})
    EXPECT_TRUE(names_all(refusal_of_idx(bytes), {"f.idx: ", std::to_string(bytes.size())}));
}

TEST(IdxRefuses, SizesWhoseProductIsNoNumberOfBytes) {
  const std::string wraps = test_idx({1U << 31U, 1U << 31U, 4}, {});
  EXPECT_TRUE(names_all(refusal_of_idx(wraps), {"f.idx: ", "16"}));
  EXPECT_TRUE(names_all(refusal_of_idx(test_idx({0, 2}, {})), {"f.idx: ", "0"}));
}

}  // namespace
}  // namespace elmx
