#include "data/formats.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/config/fields.hpp"
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

TEST(DataFormats, KnowArffBehindComments) {
  EXPECT_EQ(format_of_content("% title\r\n\r\n  % more\r\n@RELATION r\r\n", "a.txt"), "arff");
  EXPECT_EQ(format_of_content("\xEF\xBB\xBF% title\n@relation r\n", "a.csv"), "arff");
  EXPECT_EQ(format_of_content("% title\n@relation r\n", "a.dat"), "keel");
  EXPECT_EQ(format_of_content("% title\na,b\n1,2\n", "a.csv"), "delimited");
  EXPECT_EQ(format_of_content("% title\n", "a.csv"), "delimited");
  EXPECT_EQ(format_of_content("@timestamp,x\n2020,1\n", "a.csv"), "delimited");
}

TEST(DataOptions, HaveEveryKeyOnce) {
  std::vector<std::string> keys;
  for (const char* key : option_keys<DataOptions>()) keys.emplace_back(key);
  std::ranges::sort(keys);
  EXPECT_EQ(std::ranges::adjacent_find(keys), keys.end());
}

}  // namespace
}  // namespace elmx
