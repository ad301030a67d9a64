#include "data/images/idx.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "data/images/pixels.hpp"
#include "data/test_files.hpp"
#include "data/test_idx.hpp"

namespace elmx {
namespace {

std::string refusal(const std::string& bytes) {
  return message_of<DataError>([&] { read_idx({"f.idx", bytes, ""}); });
}

TEST(Idx, FlattensImagesRowByRow) {
  const BinaryMatrix images = read_idx({"f.idx", test_idx({2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 255}), ""});
  arma::mat X(3, 6, arma::fill::zeros);

  unpack_pixels(images.data(), images.dimension(), images.count(), X, 1);

  EXPECT_EQ(images.count(), 2U);
  EXPECT_EQ(images.dimension(), 6U);
  const arma::mat expected = {{0, 0, 0, 0, 0, 0}, {1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 255}};
  EXPECT_TRUE(arma::approx_equal(X, expected, "absdiff", 0));
}

TEST(Idx, UnpacksMoreRowsThanOneBlock) {
  std::vector<int> bytes;
  for (int i = 0; i < 150 * 2; ++i) bytes.push_back(i % 251);
  const BinaryMatrix images = read_idx({"f", test_idx({150, 2}, bytes), ""});
  arma::mat X(150, 2);

  unpack_pixels(images.data(), images.dimension(), images.count(), X, 0);

  for (arma::uword i = 0; i < 150; ++i) {
    EXPECT_EQ(X(i, 0), (2 * i) % 251);
    EXPECT_EQ(X(i, 1), (2 * i + 1) % 251);
  }
}

TEST(Idx, ReadsSizesBigEndian) {
  const BinaryMatrix labels = read_idx({"f", test_idx({300}, std::vector<int>(300, 7)), ""});
  EXPECT_EQ(labels.count(), 300U);
  EXPECT_EQ(labels.dimension(), 1U);
}

TEST(IdxRefuses, AnotherMagicNumber) {
  EXPECT_NE(refusal(std::string("\0\0\x0d\x01", 4)), "no error");
  EXPECT_TRUE(names_all(refusal(std::string("\0\0\x08\x05", 4)), {"0x00000805"}));
  EXPECT_TRUE(names_all(refusal(std::string("\0\0\x08\x00", 4)), {"0x00000800"}));
  EXPECT_TRUE(names_all(refusal("\x01"), {"0x01"}));
  EXPECT_NE(refusal(""), "no error");
}

TEST(IdxRefuses, SizesThatDisagreeWithTheHeader) {
  const std::string good = test_idx({2, 2}, {1, 2, 3, 4});
  EXPECT_TRUE(names_all(refusal(good.substr(0, 7)), {"7"}));
  EXPECT_TRUE(names_all(refusal(good.substr(0, 15)), {"15"}));
  EXPECT_TRUE(names_all(refusal(good + "x"), {"17"}));
}

TEST(IdxRefuses, SizesWhoseProductIsNoNumberOfBytes) {
  const std::string wraps = test_idx({1U << 31U, 1U << 31U, 4}, {});
  EXPECT_TRUE(names_all(refusal(wraps), {"16"}));
  EXPECT_TRUE(names_all(refusal(test_idx({0, 2}, {})), {"0"}));
}

}  // namespace
}  // namespace elmx
