#include "base/config/json.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

std::string parse_refusal(const std::string& text) {
  return thrown<ConfigError>([&] { parse_json(text, "my.json"); });
}

std::string refused_parse_at(const std::string& text) {
  return place_thrown<ConfigError>([&] { parse_json(text, "my.json"); });
}

std::string refused_set_at(Json config, const std::string& assignment) {
  return place_thrown<ConfigError>([&] { set_by_path(config, assignment); });
}

std::string refused_series_at(const std::string& text) {
  return place_thrown<ConfigError>([&] { expand_series(Json::parse(text), "/model/ridge"); });
}

Json series(const std::string& text) { return expand_series(Json::parse(text), "/model/ridge"); }

Json merged(const std::string& base, const std::string& over) {
  Json result = Json::parse(base);
  merge(result, Json::parse(over));
  return result;
}

Json with(const std::string& config, const std::string& assignment) {
  Json result = Json::parse(config);
  set_by_path(result, assignment);
  return result;
}

TEST(ParseJson, AcceptsComments) {
  const Json parsed = parse_json("// one\n{\"a\": /* two */ 1, // three\n \"b\": \"http://x\"}\n", "my.json");

  EXPECT_EQ(parsed, Json::parse(R"({"a": 1, "b": "http://x"})"));
}

TEST(ParseJson, KeepsTheOrderOfKeys) {
  EXPECT_EQ(parse_json(R"({"z": 1, "a": 2, "m": 3})", "my.json").dump(), R"({"z":1,"a":2,"m":3})");
}

TEST(ParseJson, NamesLineAndColumnOfMalformedText) {
  EXPECT_TRUE(parse_refusal("{\n  \"a\": 1,\n  \"b\": x\n}").starts_with("my.json: line 3, column 8: "));
  EXPECT_TRUE(parse_refusal("{\"a\": 1,}").starts_with("my.json: line 1, column 9: "));
  EXPECT_TRUE(parse_refusal("{\n\n\"a\": [1, 2").starts_with("my.json: line 3, column 11: "));
  EXPECT_TRUE(parse_refusal("").starts_with("my.json: line 1, column 1: "));
  EXPECT_TRUE(parse_refusal("{} {}").starts_with("my.json: line 1, column 4: "));
}

TEST(ParseJson, RefusesANumberThatNoDoubleHolds) {
  EXPECT_EQ(refused_parse_at(R"({"a": 1e999})"), "my.json");
  EXPECT_NE(parse_refusal(R"({"a": 1e999})").find("1e999"), std::string::npos);
}

TEST(ParseJson, NamesThePlaceOfADuplicateKey) {
  EXPECT_EQ(refused_parse_at(R"({"a": 1, "b": 2, "a": 3})"), "my.json: a");
  EXPECT_EQ(refused_parse_at(R"({"x": {"y": {"z": 1, "z": 1}}})"), "my.json: x.y.z");
  EXPECT_EQ(refused_parse_at(R"({"x": {}, "y": {"x": 1}, "x": {}})"), "my.json: x");
}

TEST(ParseJson, NamesThePlaceOfADuplicateKeyInsideLists) {
  EXPECT_EQ(refused_parse_at(R"([{"a": 1, "a": 2}])"), "my.json: [0].a");
  EXPECT_EQ(refused_parse_at(R"({"cases": [{"a": 1}, 5, [], {"a": 1, "a": 2}]})"), "my.json: cases[3].a");
  EXPECT_EQ(refused_parse_at(R"({"m": [[1, 2], [3, {"k": 0, "l": [7], "k": 0}]]})"), "my.json: m[1][1].k");
  EXPECT_EQ(refused_parse_at(R"({"m": [1, 2], "m": 0})"), "my.json: m");
}

TEST(ParseJson, AcceptsTheSameKeyInDifferentObjects) {
  EXPECT_EQ(parse_refusal(R"({"a": {"a": [{"a": 1}, {"a": 2}]}, "b": {"a": 1}})"), "");
}

TEST(ReadJsonFile, NamesTheFile) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "elmx_json_test.json";
  std::ofstream(path) << "{\n]";

  const std::string malformed = place_thrown<ConfigError>([&] { read_json_file(path); });
  std::filesystem::remove(path);
  const std::string missing = place_thrown<ConfigError>([&] { read_json_file(path); });

  EXPECT_EQ(malformed, path.string());
  EXPECT_EQ(missing, path.string());
}

TEST(Merge, GoesKeyByKeyThroughObjects) {
  EXPECT_EQ(merged(R"({"a": 1, "m": {"x": 1, "y": 2}})", R"({"m": {"y": 3, "z": 4}, "b": 5})").dump(),
            R"({"a":1,"m":{"x":1,"y":3,"z":4},"b":5})");
}

TEST(Merge, ReplacesEverythingElse) {
  EXPECT_EQ(merged(R"({"a": [1, 2, 3]})", R"({"a": [4]})"), Json::parse(R"({"a": [4]})"));
  EXPECT_EQ(merged(R"({"a": {"b": 1}})", R"({"a": 7})"), Json::parse(R"({"a": 7})"));
  EXPECT_EQ(merged(R"({"a": 7})", R"({"a": {"b": 1}})"), Json::parse(R"({"a": {"b": 1}})"));
  EXPECT_EQ(merged(R"({"a": 7})", R"({"a": null})"), Json::parse(R"({"a": null})"));
}

TEST(Merge, ReplacesASeriesAsAWhole) {
  EXPECT_EQ(merged(R"({"a": {"logspace": [-8, -1, 8]}})", R"({"a": {"range": [1, 3]}})"),
            Json::parse(R"({"a": {"range": [1, 3]}})"));
  EXPECT_EQ(merged(R"({"a": {"range": [1, 3]}})", R"({"a": {"kind": 1}})"), Json::parse(R"({"a": {"kind": 1}})"));
}

TEST(SetByPath, UnderstandsBothNotations) {
  EXPECT_EQ(with(R"({"model": {"ridge": 1}})", "model.ridge=0.5"), Json::parse(R"({"model": {"ridge": 0.5}})"));
  EXPECT_EQ(with(R"({"model": {"ridge": 1}})", "/model/ridge=0.5"), Json::parse(R"({"model": {"ridge": 0.5}})"));
}

TEST(SetByPath, MakesWhatIsNotThereYet) {
  EXPECT_EQ(with("{}", "model.ridge=0.5"), Json::parse(R"({"model": {"ridge": 0.5}})"));
}

TEST(SetByPath, ReachesIntoLists) {
  EXPECT_EQ(with(R"({"cases": [{"a": 1}, {"a": 2}]})", "cases.1.a=3"),
            Json::parse(R"({"cases": [{"a": 1}, {"a": 3}]})"));
}

TEST(SetByPath, ReadsTheValueAsJsonOrElseAsText) {
  EXPECT_EQ(with("{}", "a=[1, 2]"), Json::parse(R"({"a": [1, 2]})"));
  EXPECT_EQ(with("{}", "a={\"range\": [1, 3]}"), Json::parse(R"({"a": {"range": [1, 3]}})"));
  EXPECT_EQ(with("{}", "a=true"), Json::parse(R"({"a": true})"));
  EXPECT_EQ(with("{}", "a=null"), Json::parse(R"({"a": null})"));
  EXPECT_EQ(with("{}", "a=\"7\""), Json::parse(R"({"a": "7"})"));
  EXPECT_EQ(with("{}", "a=relu"), Json::parse(R"({"a": "relu"})"));
  EXPECT_EQ(with("{}", "a=x=y.z"), Json::parse(R"({"a": "x=y.z"})"));
  EXPECT_EQ(with("{}", "a="), Json::parse(R"({"a": ""})"));
}

TEST(SetByPath, ReturnsTheValueAlone) {
  Json config = Json::parse(R"({"model": {"ridge": 1}, "layers": [{"k": 1}, {"k": 2}]})");
  EXPECT_EQ(set_by_path(config, "model.ridge=0.5"), Json::parse(R"({"model": {"ridge": 0.5}})"));
  EXPECT_EQ(set_by_path(config, "layers.1.k=3"), Json::parse(R"({"layers": {"1": {"k": 3}}})"));
}

TEST(SetByPath, RefusesWhatIsNoAssignment) {
  EXPECT_EQ(refused_set_at(Json::object(), "model.ridge"), "--set");
  EXPECT_EQ(refused_set_at(Json::object(), "=1"), "--set");
}

TEST(SetByPath, RefusesAPathThroughAScalar) {
  EXPECT_EQ(refused_set_at(Json::parse(R"({"seed": 1})"), "seed.x=1"), "--set");
  EXPECT_EQ(refused_set_at(Json::parse(R"({"cases": [1]})"), "cases.first=1"), "--set");
}

TEST(SetByPath, RefusesADuplicateKey) {
  EXPECT_EQ(refused_set_at(Json::object(), R"(model={"a": 1, "a": 2})"), "--set: model: a");
}

TEST(SetByPath, RefusesTextThatIsNotUtf8) { EXPECT_EQ(refused_set_at(Json::object(), "data.path=\xe9.csv"), "--set"); }

TEST(SetByPath, RefusesAnElementFarBeyondTheEndOfAList) {
  EXPECT_EQ(refused_set_at({{"a", {1, 2}}}, "a.4000000000=1"), "--set");
  EXPECT_EQ(refused_set_at(Json::object(), "b.10000=1"), "--set");
  EXPECT_EQ(with(R"({"a": [1, 2]})", "a.2=3").dump(), R"({"a":[1,2,3]})");
  EXPECT_EQ(with(R"({"cases": {}})", "cases.20251231=3").dump(), R"({"cases":{"20251231":3}})") << "a key, no element";
}

TEST(SetByPath, RefusesAPathOfThousandsOfKeys) {
  std::string path = "a";
  for (int i = 0; i < 20000; ++i) path += ".a";
  EXPECT_EQ(refused_set_at(Json::object(), path + "=1"), "--set");
}

TEST(ExistingPart, EndsAtTheFirstKeyThatIsMissing) {
  const Json config = Json::parse(R"({"model": {"layers": [{"k": 1}, 2], "a~b": 3}})");
  EXPECT_EQ(existing_part(config, ""), "");
  EXPECT_EQ(existing_part(config, "/data/set"), "");
  EXPECT_EQ(existing_part(config, "/model/ridge"), "/model");
  EXPECT_EQ(existing_part(config, "/model/layers/0/k"), "/model/layers/0/k");
  EXPECT_EQ(existing_part(config, "/model/layers/1/k"), "/model/layers/1");
  EXPECT_EQ(existing_part(config, "/model/layers/2"), "/model/layers");
  EXPECT_EQ(existing_part(config, "/model/layers/x"), "/model/layers");
  EXPECT_EQ(existing_part(config, "/model/a~b"), "/model/a~b");
}

TEST(Dotted, HasIndicesInBrackets) {
  EXPECT_EQ(dotted("/model/layers/0/kernel"), "model.layers[0].kernel");
  EXPECT_EQ(dotted("/data/1"), "data[1]");
  EXPECT_EQ(dotted("/seed"), "seed");
  EXPECT_EQ(dotted("/"), "");
}

TEST(ParseJson, RefusesValuesThatAreNestedTooDeep) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(parse_refusal(nested(100)), "");
  std::string place = "my.json: ";
  for (int i = 0; i < 100; ++i) place += "[0]";
  EXPECT_EQ(refused_parse_at(nested(101)), place);
  EXPECT_EQ(refused_parse_at(std::string(1000000, '[')), place);
}

TEST(ExpandSeries, LeavesEverythingElseAsItIs) {
  EXPECT_EQ(series("3"), 3);
  EXPECT_EQ(series("[1, 2]"), Json::parse("[1, 2]"));
  EXPECT_EQ(series(R"({"step": [1, 2]})"), Json::parse(R"({"step": [1, 2]})"));
  EXPECT_EQ(series(R"({"range": [1, 2], "x": 1})"), Json::parse(R"({"range": [1, 2], "x": 1})"));
}

TEST(ExpandSeries, RangeOfIntegersStaysInteger) {
  EXPECT_EQ(series(R"({"range": [100, 500, 100]})").dump(), "[100,200,300,400,500]");
  EXPECT_EQ(series(R"({"range": [1, 3]})").dump(), "[1,2,3]");
  EXPECT_EQ(series(R"({"range": [5, 1, -2]})").dump(), "[5,3,1]");
  EXPECT_EQ(series(R"({"range": [1, 6, 2]})").dump(), "[1,3,5]");
  EXPECT_EQ(series(R"({"range": [4, 4]})").dump(), "[4]");
}

TEST(ExpandSeries, RangeOfFractionsReachesItsEnd) {
  const Json list = series(R"({"range": [0, 1, 0.1]})");

  ASSERT_EQ(list.size(), 11u);
  EXPECT_EQ(list[0], 0.0);
  EXPECT_EQ(series(R"({"range": [0, 0.3, 0.1]})").size(), 4u);  // 0.3 / 0.1 is less than 3
}

TEST(ExpandSeries, RangeHasTheDecimalNumbersThatAReaderExpects) {
  EXPECT_EQ(series(R"({"range": [0, 1, 0.1]})"),
            Json::parse("[0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]"));
  EXPECT_EQ(series(R"({"range": [0.5, 0.1, -0.1]})"), Json::parse("[0.5, 0.4, 0.3, 0.2, 0.1]"));
  EXPECT_EQ(series(R"({"range": [1e-5, 4e-5, 1e-5]})"), Json::parse("[1e-5, 2e-5, 3e-5, 4e-5]"));
  EXPECT_EQ(series(R"({"range": [-0.1, 0.1, 0.1]})").dump(), "[-0.1,0.0,0.1]");
  EXPECT_EQ(series(R"({"range": [1e-30, 3e-30, 1e-30]})").size(), 3u);
}

TEST(ExpandSeries, LogspaceIsPowersOfTen) {
  EXPECT_EQ(series(R"({"logspace": [22, 24, 3]})"), Json::parse("[1e22, 1e23, 1e24]"));

  EXPECT_EQ(series(R"({"logspace": [-8, -1, 8]})"), Json::parse("[1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1]"));
  EXPECT_EQ(series(R"({"logspace": [2, 0, 3]})"), Json::parse("[100.0, 10.0, 1.0]"));
  EXPECT_EQ(series(R"({"logspace": [-3, 5, 1]})"), Json::parse("[1e-3]"));
  EXPECT_DOUBLE_EQ(series(R"({"logspace": [0, 1, 3]})")[1].get<double>(), 3.1622776601683795);
}

TEST(ExpandSeries, RefusesARangeThatIsNone) {
  for (const char* range :
       {"[1]", "[1, 2, 1, 1]", R"([1, "2"])", "5", "[1, 2, 0]", "[2, 2, 0]", "[2, 1]", "[0, 9000000]"})
    EXPECT_EQ(refused_series_at(R"({"range": )" + std::string(range) + "}"), "/model/ridge") << range;
}

TEST(ExpandSeries, RefusesALogspaceThatIsNone) {
  for (const char* logspace : {"[-8, -1]", "[-8, -1, 0]", "[-8, -1, 2.5]", "[-8, -1, 2000000]", "[-8, 400, 3]"})
    EXPECT_EQ(refused_series_at(R"({"logspace": )" + std::string(logspace) + "}"), "/model/ridge") << logspace;
}

}  // namespace
}  // namespace elmx
