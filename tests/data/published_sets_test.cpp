#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "data/fetch.hpp"
#include "data/load.hpp"

namespace elmx {
namespace {

struct Expected {
  std::string name;
  arma::uword train;                // published training part
  arma::uword columns;              // after one-hot encoding
  std::vector<arma::uword> counts;  // of each class, in the order of the classes; empty = not on record
};

void PrintTo(const Expected& expected, std::ostream* out) {
  *out << expected.name;
}

/// As in PROVENANCE.md and the publishers' descriptions.
const std::vector<Expected> kSets = {
    {"abalone", 0, 10, {}},
    {"adult", 32561, 108, {37155, 11687}},
    {"ailerons", 0, 40, {}},
    {"airfoil", 0, 5, {}},
    {"banknote", 0, 4, {762, 610}},
    {"boston", 0, 13, {}},
    {"cal_housing", 0, 8, {}},
    {"cod-rna", 0, 8, {39690, 19845}},
    {"cod-rna-rest", 0, 8, {104942, 52471}},
    {"concrete", 0, 8, {}},
    {"delta_elevators", 0, 6, {}},
    {"elevators", 0, 18, {}},
    {"energy", 0, 8, {}},
    {"house_16H", 0, 16, {}},
    {"ionosphere", 0, 34, {126, 225}},
    {"iris", 0, 4, {50, 50, 50}},
    {"letter", 16000, 16, {}},
    {"magic", 0, 10, {12332, 6688}},
    {"mnist", 60000, 784, {6903, 7877, 6990, 7141, 6824, 6313, 6876, 7293, 6825, 6958}},
    {"musk", 0, 166, {5581, 1017}},
    {"musk1", 0, 166, {269, 207}},
    {"mv", 0, 14, {}},
    {"optdigits", 3823, 64, {554, 571, 557, 572, 568, 558, 558, 566, 554, 562}},
    {"pendigits", 7494, 16, {1143, 1143, 1144, 1055, 1144, 1055, 1056, 1142, 1055, 1055}},
    {"pima", 0, 8, {500, 268}},
    {"planning_relax", 0, 12, {130, 52}},
    {"protein", 0, 9, {}},
    {"ring", 0, 20, {3664, 3736}},
    {"ringnorm", 0, 20, {3664, 3736}},
    {"satellite", 4435, 36, {1533, 703, 1358, 626, 707, 1508}},
    {"spambase", 0, 57, {2788, 1813}},
    {"transfusion", 0, 4, {570, 178}},
    {"usps", 7291, 256, {1553, 1269, 929, 824, 852, 716, 834, 792, 708, 821}},
    {"wdbc", 0, 30, {357, 212}},
    {"wine", 0, 13, {59, 71, 48}},
    {"yacht", 0, 6, {}},
};

Catalogue published() {
  return read_catalogue(std::string(ELMX_SOURCE_DIR) + "/data/catalogue.json");
}

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

TEST(PublishedSets, AreAllTested) {
  std::size_t listed = 0;
  for (const CatalogueEntry& entry : published().sets) listed += !entry.generated;
  EXPECT_EQ(listed, kSets.size());
}

}  // namespace
}  // namespace elmx
