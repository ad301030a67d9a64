#include <gtest/gtest.h>

#include "base/error.hpp"
#include "data/load.hpp"
#include "data/originals/originals.hpp"
#include "data/table/table.hpp"
#include "data/test_archive.hpp"
#include "data/test_files.hpp"
#include "data/test_pictures.hpp"

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

// As the names of the Yale faces: no endings, but for two of the first subject.
TEST(PictureArchive, TakesGifPicturesByTheNamesOfTheirExpressions) {
  const std::string centre = test_gif(2, 1, "ab"), glasses = test_gif(2, 1, "cd"), sad = test_gif(2, 1, "ef");
  const TestMembers named{{"yalefaces/subject01.sad", sad},
                          {"yalefaces/subject01.centerlight", centre},
                          {"yalefaces/subject01.glasses", glasses}};
  const TestMembers published{{"yalefaces/subject01.gif", centre},
                              {"yalefaces/subject01.glasses", glasses},
                              {"yalefaces/subject01.glasses.gif", glasses},
                              {"yalefaces/subject01.sad", sad}};
  EXPECT_TRUE(mat_of(published) == mat_of(named));
  EXPECT_NE(mat_of(named).find("abcdef"), std::string::npos);
}

TEST(PictureArchive, CountsTheBytesOfACopyOnce) {
  const std::string pixels(700, 'a');
  const TestMembers twice{{"s1/1.pgm", test_pgm(35, 20, pixels)}, {"s1/1.gif", test_gif(35, 20, pixels)}};
  EXPECT_TRUE(mat_of(twice) == mat_of({twice.front()}));
}

TEST(PictureArchiveRefuses, WhatIsNoSetOfPictures) {
  EXPECT_EQ(place_of_archive({{"README", "x"}}), "x.zip");
  EXPECT_EQ(place_of_archive({{"s1/1.pgm", test_pgm(3, 2, "abcdef")}, {"s2/1.pgm", test_pgm(2, 3, "abcdef")}}),
            "x.zip: s2/1.pgm");
  EXPECT_EQ(place_of_archive({{"s1/1.pgm", test_pgm(1, 1, "a")}, {"s1/1.gif", test_gif(1, 1, "b")}}),
            "x.zip: s1/1.gif");
  for (const std::string name : {"face.pgm", "s256/1.pgm"})
    EXPECT_TRUE(names_all(thrown<DataError>([&] { mat_of({{name, test_pgm(1, 1, "a")}}); }), {"x.zip: ", name}));
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

}  // namespace
}  // namespace elmx
