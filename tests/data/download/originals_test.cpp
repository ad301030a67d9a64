#include "data/originals/originals.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "data/content/content.hpp"
#include "data/load.hpp"
#include "data/table/table.hpp"
#include "data/test_archive.hpp"
#include "data/test_cifar.hpp"
#include "data/test_fetch.hpp"
#include "data/test_norb.hpp"
#include "data/test_pictures.hpp"
#include "data/test_workbook.hpp"

namespace elmx {
namespace {

using Names = std::vector<std::string>;

/// Sets as their publishers serve them, fetched and read.
class Originals : public FetchTest {
 protected:
  Originals() {
    entry_.name = "made";
    entry_.task = "classification";
  }

  /// A file that is stored as it comes, and known by the checksum of its packed bytes alone.
  CatalogueFile& add_packed(const std::string& path, const std::string& packed) {
    CatalogueFile& file = add(path, "/" + path, "");
    file.packed = "gzip";
    file.sha256 = "";
    file.size = 0;
    file.packed_sha256 = sha256(packed);
    file.packed_size = packed.size();
    server_.content["/" + path] = packed;
    return file;
  }

  Dataset load(const std::string& format) {
    entry_.format = format;
    DataOptions options;
    options.set = "made";
    Catalogue catalogue;
    catalogue.sets = {entry_};
    return load_dataset(options, catalogue, data_dir(), 1);
  }
};

TEST_F(Originals, CifarIsReadFromItsArchive) {
  const std::string folder = "cifar-10-batches-bin/";
  TestMembers members{{folder + "test_batch.bin", test_cifar_record(3, 60)},
                      {folder + "readme.html", "<html>"},
                      {folder + "batches.meta.txt", "cat\ndog\nbird\nd\ne\nf\ng\nh\ni\nj\n\n"}};
  for (const int batch : {5, 1, 3, 2, 4})
    members.emplace_back(folder + "data_batch_" + std::to_string(batch) + ".bin", test_cifar_record(batch, 10 * batch));
  add_packed("cifar.tar.gz", test_archive(TestArchive::tar_gz, members));

  fetch_all();
  const Dataset data = load("cifar");

  EXPECT_EQ(data.published_train, 5U);
  EXPECT_TRUE(arma::all(data.X.col(0) == arma::vec{10, 20, 30, 40, 50, 60}));
  EXPECT_EQ(data.X(5, 1024 + 7), 60 + 7 + 1);
  EXPECT_EQ(data.classes, (Names{"bird", "d", "dog", "e", "f"}));
  EXPECT_TRUE(arma::all(data.labels == arma::uvec{2, 0, 1, 3, 4, 1}));
  EXPECT_EQ(data.sha256.size(), 1U);
}

/// Pixel (row, col) of image `image` of 6 x 6 pixels of sample `sample`.
int pixel(int sample, int image, int row, int col) {
  return (50 * sample + 101 * image + 17 * row * row + 29 * col) % 256;
}

TEST_F(Originals, NorbIsReadWholeAndInMeansOfBlocks) {
  const auto images = [](int first, int count) {
    std::vector<int> pixels;
    for (int sample = first; sample < first + count; ++sample) {
      for (int j = 0; j < 2 * 36; ++j) pixels.push_back(pixel(sample, j / 36, j % 36 / 6, j % 6));
    }
    return gzip(test_norb_images({static_cast<std::uint32_t>(count), 2, 6, 6}, pixels));
  };
  add_packed("dat.mat.gz", images(0, 2));
  add_packed("cat.mat.gz", gzip(test_norb_labels({4, 0}))).part = "train_labels";
  add_packed("tdat.mat.gz", images(2, 1)).part = "test";
  add_packed("tcat.mat.gz", gzip(test_norb_labels({4}))).part = "test_labels";

  fetch_all();
  const Dataset whole = load("norb");
  entry_.block_mean = 3;
  const Dataset means = load("norb");

  ASSERT_EQ(whole.X.n_cols, 72U);
  EXPECT_EQ(whole.X(1, 36 + 6 * 4 + 5), pixel(1, 1, 4, 5));
  ASSERT_EQ(means.X.n_rows, 3U);
  ASSERT_EQ(means.X.n_cols, 8U);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 8; ++j) {
      double sum = 0;
      for (int row = 0; row < 3; ++row) {
        for (int col = 0; col < 3; ++col) sum += pixel(i, j / 4, j % 4 / 2 * 3 + row, j % 2 * 3 + col);
      }
      EXPECT_EQ(means.X(i, j), std::round(sum / 9)) << i << ' ' << j;
    }
  }
  EXPECT_TRUE(arma::all(means.labels == whole.labels));
  EXPECT_EQ(means.published_train, 2U);
  EXPECT_EQ(means.inputs.size(), 8U);
}

TEST_F(Originals, ReviewsAreReadWithoutTheUnlabelledOnes) {
  add_packed("acl.tar.gz",
             test_archive(TestArchive::tar_gz, {{"aclImdb/imdb.vocab", "good\nbad\n"},
                                                {"aclImdb/test/neg/0_1.txt", "bad"},
                                                {"aclImdb/test/pos/0_7.txt", "good"},
                                                {"aclImdb/train/neg/0_2.txt", "bad bad"},
                                                {"aclImdb/train/pos/0_9.txt", "good"},
                                                {"aclImdb/train/unsup/0_0.txt", "neither neither neither"},
                                                {"aclImdb/train/urls_neg.txt", "http://"}}));
  fetch_all();
  const Dataset data = load("reviews");

  EXPECT_EQ(data.X.n_rows, 4U);
  EXPECT_EQ(data.published_train, 2U);
  EXPECT_TRUE(arma::all(data.labels == arma::uvec{0, 1, 0, 1}));
  EXPECT_EQ(data.X(2, data.X.n_cols - 1), 2);  // "bad" is the most frequent word
}

TEST_F(Originals, AWorkbookIsStoredAsText) {
  add("e.csv", "/e.xlsx", "X1,Y1\n294,8.45\n-0.62,15.55\n").packed = "xlsx";
  server_.content["/e.xlsx"] = test_workbook();
  entry_.task = "regression";
  entry_.target = {"Y1"};
  entry_.delimited.header = "yes";

  fetch_all();
  const Dataset data = load("delimited");

  EXPECT_TRUE(arma::approx_equal(data.X, arma::vec{294, -0.62}, "absdiff", 0));
  EXPECT_TRUE(arma::approx_equal(data.Y, arma::vec{8.45, 15.55}, "absdiff", 0));
}

TEST_F(Originals, PicturesAreStoredAsAMatFile) {
  const std::string zip = test_archive(
      TestArchive::zip, {{"f/s2/1.pgm", test_pgm(2, 3, "ghijkl")}, {"f/s1/1.pgm", test_pgm(2, 3, "abcdef")}});
  const std::string others =
      test_archive(TestArchive::zip, {{"s1/1.pgm", test_pgm(2, 3, "abcdef")}, {"s2/1.pgm", test_pgm(2, 3, "ghijkm")}});
  CatalogueFile& file = add("f.mat", "/others", pictures_as_mat(zip, "", kAnySize));
  file.packed = "pictures";
  file.mirror = server_.url("/f.zip");
  server_.content["/others"] = others;
  server_.content["/f.zip"] = zip;
  entry_.mat.samples_are = "columns";

  fetch_all();
  const Dataset data = load("mat");

  EXPECT_EQ(data.X(1, 5), 'l');
  EXPECT_EQ(data.classes, (Names{"1", "2"}));
  EXPECT_EQ(folder_.listing(), "data/f.mat\n");
}

TEST_F(Originals, AreRefusedWithOtherPackedBytes) {
  const std::string published = gzip(test_cifar_record(1, 0) + test_cifar_record(2, 0));
  const CatalogueFile file = add_packed("x.bin.gz", published);
  server_.content["/x.bin.gz"] = gzip(test_cifar_record(1, 0) + test_cifar_record(3, 0));
  EXPECT_EQ(place(), server_.url("/x.bin.gz"));
  EXPECT_EQ(folder_.listing(), "");

  folder_.write("data/x.bin.gz", server_.content["/x.bin.gz"]);
  EXPECT_EQ(verify(entry_, data_dir()).front().state, FileState::wrong);
  EXPECT_TRUE(names_all(thrown<DataError>([&] { load("cifar"); }),
                        {(data_dir() / "x.bin.gz").string() + ": ", file.packed_sha256.substr(0, 12), "fetch made"}));

  folder_.write("data/x.bin.gz", published);
  EXPECT_EQ(verify(entry_, data_dir()).front().state, FileState::ok);
  EXPECT_EQ(load("cifar").X.n_rows, 2U);
}

}  // namespace
}  // namespace elmx
