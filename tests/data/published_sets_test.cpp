#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "data/download/fetch.hpp"
#include "data/load.hpp"
#include "data/table/table.hpp"
#include "support/paths.hpp"

namespace elmx {
namespace {

struct Expected {
  std::string name;
  arma::uword train;                // published training part
  arma::uword columns;              // after one-hot encoding
  std::vector<arma::uword> counts;  // of each class, in the order of the classes; empty = not on record
};

void PrintTo(const Expected& expected, std::ostream* out) { *out << expected.name; }

/// As in PROVENANCE.md and the publishers' descriptions.
const std::vector<Expected> kSets = {
    {"abalone", 0, 10, {}},
    {"adult", 32561, 108, {37155, 11687}},
    {"ailerons", 0, 40, {}},
    {"airfoil", 0, 5, {}},
    {"banknote", 0, 4, {762, 610}},
    {"boston", 0, 13, {}},
    {"cal_housing", 0, 8, {}},
    {"cifar-10", 0, 3072, {396, 366, 420, 384, 422, 393, 414, 385, 407, 413}},
    {"cifar-10-jpeg", 6000, 3072, {802, 816, 783, 789, 820, 789, 799, 795, 823, 784}},
    {"cifar-10-original", 50000, 3072, std::vector<arma::uword>(10, 6000)},
    {"cod-rna", 0, 8, {39690, 19845}},
    {"cod-rna-both", 59535, 8, {144632, 72316}},
    {"cod-rna-rest", 0, 8, {104942, 52471}},
    {"coil20", 0, 1024, std::vector<arma::uword>(20, 72)},
    {"concrete", 0, 8, {}},
    {"delta_elevators", 0, 6, {}},
    {"elevators", 0, 18, {}},
    {"energy", 0, 8, {}},
    {"house_16H", 0, 16, {}},
    {"imdb", 25000, 200, {25000, 25000}},
    {"imdb-original", 25000, 200, {25000, 25000}},
    {"ionosphere", 0, 34, {126, 225}},
    {"iris", 0, 4, {50, 50, 50}},
    {"letter", 16000, 16, {}},
    {"magic", 0, 10, {12332, 6688}},
    {"mnist", 60000, 784, {6903, 7877, 6990, 7141, 6824, 6313, 6876, 7293, 6825, 6958}},
    {"musk", 0, 166, {5581, 1017}},
    {"musk1", 0, 166, {269, 207}},
    {"mv", 0, 14, {}},
    {"optdigits", 3823, 64, {554, 571, 557, 572, 568, 558, 558, 566, 554, 562}},
    {"orl", 0, 1024, std::vector<arma::uword>(40, 10)},
    {"orl-original", 0, 10304, std::vector<arma::uword>(40, 10)},
    {"pendigits", 7494, 16, {1143, 1143, 1144, 1055, 1144, 1055, 1056, 1142, 1055, 1055}},
    {"pima", 0, 8, {500, 268}},
    {"planning_relax", 0, 12, {130, 52}},
    {"protein", 0, 9, {}},
    {"ring", 0, 20, {3664, 3736}},
    {"ringnorm", 0, 20, {3664, 3736}},
    {"satellite", 4435, 36, {1533, 703, 1358, 626, 707, 1508}},
    {"small-norb", 24300, 2048, std::vector<arma::uword>(5, 9720)},
    {"small-norb-32", 24300, 2048, std::vector<arma::uword>(5, 9720)},
    {"small-norb-96", 24300, 18432, std::vector<arma::uword>(5, 9720)},
    {"spambase", 0, 57, {2788, 1813}},
    {"transfusion", 0, 4, {570, 178}},
    {"usps", 7291, 256, {1553, 1269, 929, 824, 852, 716, 834, 792, 708, 821}},
    {"wdbc", 0, 30, {357, 212}},
    {"wine", 0, 13, {59, 71, 48}},
    {"yacht", 0, 6, {}},
    {"yale", 0, 1024, std::vector<arma::uword>(15, 11)},
    {"yale-b", 0, 1024, {64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 60, 59, 60, 63, 62, 63, 63, 64, 64,
                         64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64}},
    {"yale-original", 0, 77760, std::vector<arma::uword>(15, 11)},
};

Catalogue published() { return read_catalogue(source_dir() / "data/catalogue.json"); }

class PublishedSet : public testing::TestWithParam<Expected> {};

TEST_P(PublishedSet, LoadsAsItIsDescribed) {
  const char* data_dir = std::getenv("ELMX_DATA");
  if (data_dir == nullptr) GTEST_SKIP() << "ELMX_DATA is not set";
  const Catalogue catalogue = published();
  const CatalogueEntry& entry = catalogue.find(GetParam().name);
  for (const FileReport& file : verify(entry, data_dir)) {
    if (file.state == FileState::missing) GTEST_SKIP() << file.path << " is not there";
  }
  DataOptions options;
  options.set = GetParam().name;

  const Dataset data = load_dataset(options, catalogue, data_dir, 1);

  EXPECT_EQ(data.X.n_rows, entry.rows);
  EXPECT_EQ(data.X.n_cols, GetParam().columns);
  EXPECT_EQ(data.inputs.size(), GetParam().columns);
  EXPECT_GE(data.X.n_cols, entry.features);
  EXPECT_TRUE(data.X.is_finite());
  EXPECT_EQ(data.published_train, GetParam().train);
  EXPECT_EQ(data.sha256.size(), entry.files.size());
  if (data.task == Task::regression) {
    EXPECT_EQ(data.Y.n_rows, entry.rows);
    EXPECT_TRUE(data.Y.is_finite());
    EXPECT_GT(data.Y.max(), data.Y.min());
    return;
  }
  ASSERT_EQ(data.labels.n_elem, entry.rows);
  std::vector<arma::uword> counts(data.classes.size(), 0);
  for (const arma::uword label : data.labels) ++counts[label];
  if (GetParam().counts.empty()) return;
  EXPECT_EQ(counts, GetParam().counts);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, PublishedSet, testing::ValuesIn(kSets), [](const auto& test) {
  std::string name = test.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

struct Pixel {
  arma::uword row;
  arma::uword column;
  double value;
};

struct ExpectedPixels {
  std::string name;
  std::vector<Pixel> pixels;
  std::vector<arma::uword> labels;  // of the first samples
};

void PrintTo(const ExpectedPixels& expected, std::ostream* out) { *out << expected.name; }

/// Found with another program in the files themselves, rows and columns from 0.
const std::vector<ExpectedPixels> kPixels = {
    {"small-norb",
     {{0, 0, 174},
      {0, 1023, 172},
      {0, 1024, 174},
      {12345, 2047, 248},
      {24299, 1500, 221},
      {24300, 0, 225},
      {24300, 1023, 224},
      {36645, 2047, 227},
      {48599, 1500, 252}},
     {0, 1, 2, 3, 4, 0}},
    {"cifar-10", {{0, 0, 59}, {0, 1024, 62}, {3999, 3071, 57}, {2000, 1500, 124}}, {6, 9, 9, 4, 1}},
    {"cifar-10-jpeg",
     {{0, 0, 61},
      {1199, 3071, 146},
      {1200, 0, 28},
      {2400, 0, 24},
      {4200, 1500, 87},
      {5999, 3071, 82},
      {6000, 1024, 159},
      {7000, 1500, 104},
      {7999, 3071, 117}},
     {6, 9, 9, 4, 1}},
    {"cifar-10-original", {{0, 0, 59}, {0, 1024, 62}, {3999, 3071, 57}, {2000, 1500, 124}}, {6, 9, 9, 4, 1}},
    {"coil20",
     {{0, 0, 0.01568627450980392}, {1, 0, 0.0196078431372549}, {1439, 1023, 0}, {720, 341, 0.33700980392156865}},
     {0, 0}},
    {"orl", {{0, 0, 75}, {0, 1, 83}, {1, 0, 110}, {399, 1023, 87}, {200, 341, 81}}, {0, 0}},
    {"orl-original", {{0, 0, 48}, {0, 91, 54}, {0, 92, 45}, {0, 50 * 92 + 40, 178}, {399, 10303, 34}}, {0, 0}},
    {"yale", {{0, 0, 24}, {1, 0, 70}, {164, 1023, 16}, {82, 341, 99}}, {0, 0}},
    {"yale-b", {{0, 0, 82}, {1, 0, 86}, {0, 1, 81}, {2413, 1023, 179}, {804, 512, 201}}, {0, 0}},
    {"yale-original", {{0, 0, 130}, {0, 319, 255}, {0, 100 * 320 + 160, 187}, {164, 120 * 320 + 150, 116}}, {0, 0}}};

class PublishedImages : public testing::TestWithParam<ExpectedPixels> {};

TEST_P(PublishedImages, HaveTheirPixelsInPlace) {
  const char* data_dir = std::getenv("ELMX_DATA");
  if (data_dir == nullptr) GTEST_SKIP() << "ELMX_DATA is not set";
  const Catalogue catalogue = published();
  for (const FileReport& file : verify(catalogue.find(GetParam().name), data_dir)) {
    if (file.state == FileState::missing) GTEST_SKIP() << file.path << " is not there";
  }
  DataOptions options;
  options.set = GetParam().name;

  const Dataset data = load_dataset(options, catalogue, data_dir, 1);

  for (const Pixel& pixel : GetParam().pixels) EXPECT_EQ(data.X(pixel.row, pixel.column), pixel.value) << pixel.row;
  for (std::size_t i = 0; i < GetParam().labels.size(); ++i) EXPECT_EQ(data.labels(i), GetParam().labels[i]);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, PublishedImages, testing::ValuesIn(kPixels), [](const auto& test) {
  std::string name = test.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

/// Found with a regular expression and a counter of another language in the archive itself.
TEST(PublishedReviews, HaveTheirWordsInPlace) {
  const char* data_dir = std::getenv("ELMX_DATA");
  if (data_dir == nullptr) GTEST_SKIP() << "ELMX_DATA is not set";
  const Catalogue catalogue = published();
  const CatalogueEntry& entry = catalogue.find("imdb");
  if (verify(entry, data_dir).front().state == FileState::missing) GTEST_SKIP() << "imdb is not there";
  DataOptions options;
  options.set = "imdb";

  const Dataset data = load_dataset(options, catalogue, data_dir, 1);

  const std::vector<Pixel> tokens{{0, 100, 43},       {0, 199, 3370},    {1, 198, 11},      {12500, 150, 3739},
                                  {24999, 0, 4},      {24999, 50, 8013}, {25000, 50, 1990}, {37500, 199, 1922},
                                  {49999, 199, 1958}, {31234, 100, 135}, {0, 50, 0},        {49999, 0, 0}};
  for (const Pixel& token : tokens) EXPECT_EQ(data.X(token.row, token.column), token.value) << token.row;
  EXPECT_EQ(arma::accu(data.X), 5595989909.0);
  EXPECT_EQ(data.X.max(), 9999);
  EXPECT_TRUE(
      arma::all(data.labels == arma::conv_to<arma::uvec>::from(arma::floor(arma::regspace(0, 49999) / 12500) -
                                                               2 * arma::floor(arma::regspace(0, 49999) / 25000))));
  EXPECT_EQ(data.positive, "pos");
  for (const char* count : {"82529", "9998", "5.9 %", "20421", "200"})
    EXPECT_NE(data.report.notes.at(0).find(count), std::string::npos) << count;
}

TEST(PublishedSets, AreAllTested) {
  std::size_t listed = 0;
  for (const CatalogueEntry& entry : published().sets) listed += !entry.generated;
  EXPECT_EQ(listed, kSets.size());
}

}  // namespace
}  // namespace elmx
