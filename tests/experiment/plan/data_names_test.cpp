#include <gtest/gtest.h>

#include "experiment/plan/plan.hpp"

namespace elmx {
namespace {

std::vector<std::string> names_of(const std::vector<std::pair<const char*, std::string>>& sets_and_paths) {
  std::vector<CaseSpec> specs(sets_and_paths.size());
  for (std::size_t i = 0; i < specs.size(); ++i) {
    DataOptions& data = specs[i].options.data;
    (sets_and_paths[i].first == std::string("set") ? data.set : data.path) = sets_and_paths[i].second;
  }
  const DataNames names(specs);
  std::vector<std::string> found;
  for (const CaseSpec& spec : specs) found.push_back(names.of(spec.options.data));
  return found;
}

using Names = std::vector<std::string>;

TEST(DataNames, AFileIsCalledByTheShortestEndOfItsPathThatNoOtherHas) {
  EXPECT_EQ(names_of({{"path", "some/where/d.csv"}}), Names{"d.csv"});
  EXPECT_EQ(names_of({{"path", "A/d.csv"}, {"path", "B/d.csv"}, {"path", "B/e.csv"}}),
            (Names{"A/d.csv", "B/d.csv", "e.csv"}));
  EXPECT_EQ(names_of({{"path", "x/A/d.csv"}, {"path", "y/A/d.csv"}, {"path", "B/d.csv"}}),
            (Names{"x/A/d.csv", "y/A/d.csv", "B/d.csv"}));
  EXPECT_EQ(names_of({{"path", "/A/d.csv"}, {"path", "A/d.csv"}, {"path", "d.csv"}}),
            (Names{"/A/d.csv", "A/d.csv", "./d.csv"}));
}

TEST(DataNames, OneFileHasOneName) {
  EXPECT_EQ(names_of({{"path", "A/d.csv"}, {"path", "./A//d.csv"}, {"path", "B/../A/d.csv"}}),
            (Names{"d.csv", "d.csv", "d.csv"}));
}

TEST(DataNames, ASetKeepsItsName) {
  EXPECT_EQ(names_of({{"path", "wine"}, {"set", "wine"}, {"path", "A/wine"}}), (Names{"./wine", "wine", "A/wine"}));
}

}  // namespace
}  // namespace elmx
