#include "experiment/config/layered_config.hpp"

#include <gtest/gtest.h>

#include "support/thrown.hpp"

namespace elmx {
namespace {

/// Two files, of which the second changes two values of the first, and one assignment.
LayeredConfig three_layers() {
  LayeredConfig config;
  config.lay_over("a.json", Json::parse(R"({"seed": 1, "model": {"ridge": 1, "layers": [{"kind": "dense"}]}})"));
  config.lay_over("b.json", Json::parse(R"({"model": {"ridge": 2, "nodes": {"stop": 5}}})"));
  config.assign("model.nodes.start=9");
  return config;
}

/// Returns the place that users see of an error at `place`.
std::string shown_place(const LayeredConfig& config, const std::string& place) {
  return place_thrown<ConfigError>([&] { config.check([&] { throw ConfigError(place, "wrong"); }); });
}

TEST(LayeredConfig, MergesItsLayersInOrder) {
  EXPECT_EQ(three_layers().json, Json::parse(R"({"seed": 1, "model":
      {"ridge": 2, "layers": [{"kind": "dense"}], "nodes": {"stop": 5, "start": 9}}})"));
}

TEST(LayeredConfig, NamesTheLastSourceOfAValue) {
  const LayeredConfig config = three_layers();
  EXPECT_EQ(shown_place(config, "/seed"), "a.json: seed");
  EXPECT_EQ(shown_place(config, "/model/ridge"), "b.json: model.ridge");
  EXPECT_EQ(shown_place(config, "/model/nodes/start"), "--set: model.nodes.start");
}

TEST(LayeredConfig, NamesTheSourceOfTheNearestAncestor) {
  const LayeredConfig config = three_layers();
  EXPECT_EQ(shown_place(config, "/model/layers/0/kernel"), "a.json: model.layers[0].kernel");
  EXPECT_EQ(shown_place(config, "/data"), "b.json: data") << "the last file, if no source has any part of the place";
}

TEST(LayeredConfig, NamesTheOptionOfAnAssignment) {
  LayeredConfig config = three_layers();
  config.assign("seed=one", "--seed");
  EXPECT_EQ(shown_place(config, "/seed"), "--seed: seed");
}

TEST(LayeredConfig, PassesErrorsOfOtherPlaces) {
  const LayeredConfig config = three_layers();
  for (const char* place : {"", "--shard", "houses.csv:3", "/usr/share/houses.csv"})
    EXPECT_EQ(shown_place(config, place), place);
  EXPECT_EQ(place_thrown<OutputError>([&] { config.check([] { throw OutputError("/data/out", "full"); }); }),
            "/data/out");
  EXPECT_EQ(place_thrown<DataError>([&] { config.check([] { throw DataError("/data/set", "missing"); }); }),
            "/data/set");
  EXPECT_EQ(config.check([] { return 7; }), 7);
}

}  // namespace
}  // namespace elmx
