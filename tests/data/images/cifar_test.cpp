#include <gtest/gtest.h>

#include "base/error.hpp"
#include "data/content/content.hpp"
#include "data/load.hpp"
#include "data/table/table.hpp"
#include "data/test_archive.hpp"
#include "data/test_cifar.hpp"
#include "data/test_files.hpp"

namespace elmx {
namespace {

using Names = std::vector<std::string>;

const std::string kNames = "cat\ndog\nbird\nd\ne\nf\ng\nh\ni\nj\n\n";

class CifarSet : public testing::Test {
 protected:
  CifarSet() {
    options_.format = "cifar";
    options_.task = "classification";
    options_.path = folder_.write("batch1", test_cifar_record(2, 10) + test_cifar_record(0, 20)).string();
  }

  Dataset load() const { return load_dataset(options_, {}, "", 1); }

  std::string place() const {
    return place_thrown<DataError>([&] { load(); });
  }

  /// Expects that the file is refused if it has this content.
  void refuses_batch(const std::string& batch) {
    folder_.write("batch1", batch);
    EXPECT_EQ(place(), options_.path);
  }

  TestFolder folder_;
  DataOptions options_;
};

TEST_F(CifarSet, IsReadBatchByBatch) {
  options_.cifar.batch_paths = {folder_.write("batch2", gzip(test_cifar_record(9, 30))).string()};
  options_.test_path = folder_.write("test", test_cifar_record(2, 40)).string();

  const Dataset data = load();

  ASSERT_EQ(data.X.n_rows, 4U);
  ASSERT_EQ(data.X.n_cols, 3072U);
  EXPECT_TRUE(arma::all(data.X.col(0) == arma::vec{10, 20, 30, 40}));
  EXPECT_TRUE(arma::all(data.X.col(1024) == arma::vec{11, 21, 31, 41}));
  EXPECT_EQ(data.X(3, 3071), (40 + 1023 + 2) % 256);
  EXPECT_EQ(data.classes, (Names{"0", "2", "9"}));
  EXPECT_TRUE(arma::all(data.labels == arma::uvec{1, 0, 2, 1}));
  EXPECT_EQ(data.published_train, 3U);
  EXPECT_EQ(data.inputs[1024], "green1");
  EXPECT_EQ(data.inputs.back(), "blue1024");
  EXPECT_EQ(data.sha256.size(), 3U);
}

TEST_F(CifarSet, NeedsNoTestBatch) { EXPECT_EQ(load().published_train, 0U); }

TEST_F(CifarSet, TakesTheClassNamesOfAFile) {
  options_.cifar.class_names_path = folder_.write("batches.meta.txt", kNames).string();

  const Dataset data = load();

  EXPECT_EQ(data.classes, (Names{"bird", "cat"}));
  EXPECT_TRUE(arma::all(data.labels == arma::uvec{0, 1}));
  EXPECT_EQ(data.sha256.size(), 2U);
}

TEST_F(CifarSet, RefusesClassNamesThatAreNotTen) {
  options_.cifar.class_names_path = (folder_.path() / "names").string();
  for (const std::string& names :
       {kNames + "k\n", std::string("cat\ncat\nbird\nd\ne\nf\ng\nh\ni\nj\n"), std::string()}) {
    folder_.write("names", names);
    EXPECT_EQ(place(), options_.cifar.class_names_path) << names;
  }
}

TEST_F(CifarSet, RefusesWhatIsNoWholeNumberOfRecords) {
  refuses_batch("");
  refuses_batch(test_cifar_record(1, 0).substr(1));
  refuses_batch(test_cifar_record(1, 0) + "x");
}

TEST_F(CifarSet, RefusesALabelOutOfRange) {
  refuses_batch(test_cifar_record(9, 0) + test_cifar_record(10, 0));
  refuses_batch(test_cifar_record(255, 0));
}

TEST_F(CifarSet, RefusesAnArchiveWithoutATrainingPart) {
  const std::string folder = "cifar-10-batches-bin/", two = test_cifar_record(1, 0) + test_cifar_record(2, 0);
  refuses_batch(test_archive(TestArchive::tar_gz, {{folder + "test_batch.bin", two}}));
  folder_.write("batch1", test_archive(TestArchive::tar_gz,
                                       {{folder + "data_batch_1.bin", two}, {folder + "data_batch_1.bin", two}}));
  EXPECT_EQ(place(), options_.path + ": " + folder + "data_batch_1.bin");
}

TEST_F(CifarSet, RefusesBatchesBesideAnArchive) {
  options_.test_path = folder_.write("test", test_cifar_record(2, 40)).string();
  const TestMembers members{{"cifar-10-batches-bin/data_batch_1.bin", test_cifar_record(2, 0)}};
  refuses_batch(test_archive(TestArchive::tar_gz, members));
}

}  // namespace
}  // namespace elmx
