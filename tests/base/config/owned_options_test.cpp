#include "base/config/owned_options.hpp"

#include <gtest/gtest.h>

namespace elmx {
namespace {

struct Kettle {
  std::string lid = "on";
  double litres = 1.5;
  std::optional<int> cups;

  template <class F>
  void fields(F& field) {
    field("lid", lid, "where the lid is");
    field("litres", litres, "what goes in");
    field("cups", cups, "what comes out");
  }
};

using Keys = std::vector<std::string>;

Keys given(const Kettle& kettle) {
  const auto keys = given_options(kettle);
  return {keys.begin(), keys.end()};
}

TEST(GivenOptions, AreThoseThatAreNotTheDefaults) {
  EXPECT_EQ(given({}), Keys{});
  EXPECT_EQ(given({.lid = "on", .litres = 1.5, .cups = {}}), Keys{});
  EXPECT_EQ(given({.lid = "off", .litres = 1.5, .cups = 6}), (Keys{"lid", "cups"}));
}

TEST(OptionKeys, StandInTheOrderOfTheMembers) {
  const auto keys = option_keys<Kettle>();
  EXPECT_EQ(Keys(keys.begin(), keys.end()), (Keys{"lid", "litres", "cups"}));
}

}  // namespace
}  // namespace elmx
