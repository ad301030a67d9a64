#include "data/formats.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/config/owned_options.hpp"
#include "data/options.hpp"

namespace elmx {
namespace {

TEST(DataFormats, HaveOptionsThatAConfigHas) {
  const std::vector<const char*> keys = option_keys<DataOptions>();
  for (const DataFormat& format : data_formats()) {
    for (const std::string& option : format.options)
      EXPECT_EQ(std::ranges::count(keys, option), 1) << format.name << ": " << option;
  }
}

TEST(DataFormats, AreKnownByTheirEndingsHoweverCapitalised) {
  EXPECT_EQ(data_format_of("IRIS.ARFF").name, "arff");
  EXPECT_EQ(data_format_of("x.Npy.gz").name, "npy");
  EXPECT_EQ(data_format_of("x.txt").name, "delimited");
}

TEST(DataOptions, HaveEveryKeyOnce) {
  std::vector<std::string> keys;
  for (const char* key : option_keys<DataOptions>()) keys.emplace_back(key);
  std::ranges::sort(keys);
  EXPECT_EQ(std::ranges::adjacent_find(keys), keys.end());
}

}  // namespace
}  // namespace elmx
