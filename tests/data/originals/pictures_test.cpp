#include <gtest/gtest.h>

#include "base/error.hpp"
#include "data/load.hpp"
#include "data/originals/originals.hpp"
#include "data/table/table.hpp"
#include "data/test_archive.hpp"
#include "data/test_files.hpp"

namespace elmx {
namespace {

constexpr std::size_t kMostBytes = 1000;

std::string mat_of(const TestMembers& members) {
  return pictures_as_mat(test_archive(TestArchive::zip, members), "x.zip", kMostBytes);
}

std::string place_of_archive(const TestMembers& members) {
  return place_thrown<DataError>([&] { mat_of(members); });
}

const TestMembers kFaces{{"README", "two people"},
                         {"s2/10.pgm", test_pgm(3, 2, "ghijkl")},
                         {"s2/9.pgm", test_pgm(3, 2, "mnopqr")},
                         {"s1/1.pgm", test_pgm(3, 2, "abcdef")}};

TEST(PictureArchive, BecomesASetInTheOrderOfNumbers) {
  const TestFolder folder;
  DataOptions options;
  options.format = "mat";
  options.task = "classification";
  options.mat.samples_are = "columns";
  options.path = folder.write("faces.mat", mat_of(kFaces)).string();

  const Dataset data = load_dataset(options, {}, "", 1);

  const arma::mat expected = {
      {'a', 'b', 'c', 'd', 'e', 'f'}, {'m', 'n', 'o', 'p', 'q', 'r'}, {'g', 'h', 'i', 'j', 'k', 'l'}};
  EXPECT_TRUE(arma::approx_equal(data.X, expected, "absdiff", 0));
  EXPECT_EQ(data.classes, (std::vector<std::string>{"1", "2"}));
  EXPECT_TRUE(arma::all(data.labels == arma::uvec{0, 1, 1}));
}

TEST(PictureArchive, DoesNotDependOnHowItIsPacked) {
  const TestMembers moved{{"faces/s1/1.pgm", test_pgm(3, 2, "abcdef")},
                          {"__MACOSX/faces/s1/._1.pgm", "resources"},
                          {"faces/s2/9.pgm", test_pgm(3, 2, "mnopqr")},
                          {"faces/s2/10.pgm", test_pgm(3, 2, "ghijkl")}};
  EXPECT_TRUE(mat_of(moved) == mat_of(kFaces));
}

TEST(PictureArchiveRefuses, WhatIsNoSetOfPictures) {
  EXPECT_EQ(place_of_archive({{"README", "x"}}), "x.zip");
  EXPECT_EQ(place_of_archive({{"s1/1.pgm", "P5\n3 2\n255\nabc"}}), "x.zip: s1/1.pgm");
  EXPECT_EQ(place_thrown<DataError>([] { pictures_as_mat("no zip", "x.zip", kMostBytes); }), "x.zip");
}

TEST(PictureArchiveRefuses, MorePixelsThanExpected) {
  TestMembers members;
  for (const char* name : {"s1/1.pgm", "s1/2.pgm", "s1/3.pgm"})
    members.emplace_back(name, test_pgm(20, 20, std::string(400, 'a')));
  EXPECT_EQ(place_of_archive(members), "x.zip");
  EXPECT_EQ(place_of_archive({{"s1/1.pgm", test_pgm(50, 50, std::string(2500, 'a'))}}), "x.zip");
}

std::string place_of_pgm(const std::string& bytes) {
  return place_thrown<DataError>([&] { read_pgm(bytes, "f.pgm"); });
}

TEST(Pgm, HasItsPixelsRowByRow) {
  const Picture picture = read_pgm("P5 # made by hand\n3\n# another\n2 200\n" + std::string("abcdef"), "f.pgm");
  EXPECT_EQ(picture.cols, 3U);
  EXPECT_EQ(picture.rows, 2U);
  EXPECT_EQ(picture.pixels, "abcdef");
}

TEST(Pgm, MayHaveABlankAsFirstPixel) { EXPECT_EQ(read_pgm(test_pgm(2, 1, " \n"), "").pixels, " \n"); }

TEST(PgmRefuses, WhatIsDamaged) {
  const std::string whole = test_pgm(3, 2, "abcdef");
  for (std::size_t size = 2; size < whole.size(); ++size)
    EXPECT_EQ(place_of_pgm(whole.substr(0, size)), "f.pgm") << size;
  for (const std::string& bytes : {whole + "g", std::string("P5\n2 1\n65535\nabcd"), std::string("P5\n-1 1\n255\n"),
                                   std::string("P5\n4294967296 4294967296\n255\n")})
    EXPECT_EQ(place_of_pgm(bytes), "f.pgm") << bytes;
}

}  // namespace
}  // namespace elmx
