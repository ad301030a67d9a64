#include "data/options.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

Json unfolded(Json data) {
  unfold_format(data, "/data");
  return data;
}

std::string refused_place(const Json& data) {
  return place_thrown<ConfigError>([&] { unfolded(data); });
}

TEST(UnfoldFormat, MovesTheOptionsOfTheFormat) {
  EXPECT_EQ(unfolded({{"path", "f"}, {"csv", {{"separator", "tab"}, {"header", "no"}}}}),
            Json({{"path", "f"}, {"format", "delimited"}, {"separator", "tab"}, {"header", "no"}}));
  EXPECT_EQ(unfolded({{"path", "f"}, {"format", "delimited"}, {"csv", Json::object()}}),
            Json({{"path", "f"}, {"format", "delimited"}}));
}

TEST(UnfoldFormat, LeavesOtherValuesAsTheyAre) {
  for (const Json& data : {Json({{"path", "f"}, {"separator", "tab"}}), Json("iris"), Json(nullptr)})
    EXPECT_EQ(unfolded(data), data) << data;
}

TEST(UnfoldFormat, RefusesContradictionsAtTheirPlace) {
  EXPECT_EQ(refused_place({{"csv", Json::object()}, {"mat", Json::object()}}), "/data");
  EXPECT_EQ(refused_place({{"format", "arff"}, {"csv", Json::object()}}), "/data/csv");
  EXPECT_EQ(refused_place({{"csv", {{"seperator", "tab"}}}}), "/data/csv/seperator");
  EXPECT_EQ(refused_place({{"csv", {{"target", {"y"}}}}}), "/data/csv/target") << "an option of every format";
  EXPECT_EQ(refused_place({{"separator", "tab"}, {"csv", {{"separator", "tab"}}}}), "/data/separator");
  EXPECT_EQ(refused_place({{"csv", 3}}), "/data/csv");
}

}  // namespace
}  // namespace elmx
