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

std::string set_refusal(Json config, const std::string& assignment) {
  return thrown<ConfigError>([&] { set_by_path(config, assignment); });
}

std::string series_refusal(const std::string& text) {
  return thrown<ConfigError>([&] { expand_series(Json::parse(text), "/model/ridge"); });
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
  EXPECT_TRUE(parse_refusal("{\n  \"a\": 1,\n  \"b\": x\n}").starts_with("my.json: line 3, column 8: syntax error"));
  EXPECT_TRUE(parse_refusal("{\"a\": 1,}").starts_with("my.json: line 1, column 9: syntax error"));
  EXPECT_TRUE(parse_refusal("{\n\n\"a\": [1, 2").starts_with("my.json: line 3, column 11: syntax error"));
  EXPECT_TRUE(parse_refusal("").starts_with("my.json: line 1, column 1: syntax error"));
  EXPECT_TRUE(parse_refusal("{} {}").starts_with("my.json: line 1, column 4: syntax error"));
}

TEST(ParseJson, RefusesANumberThatNoDoubleHolds) {
  EXPECT_EQ(parse_refusal(R"({"a": 1e999})"), "my.json: number overflow parsing '1e999'");
}

TEST(ParseJson, NamesThePlaceOfAKeyThatStandsTwice) {
  const std::string tail = ": the key stands twice; allowed: once";

  EXPECT_EQ(parse_refusal(R"({"a": 1, "b": 2, "a": 3})"), "my.json: /a" + tail);
  EXPECT_EQ(parse_refusal(R"({"x": {"y": {"z": 1, "z": 1}}})"), "my.json: /x/y/z" + tail);
  EXPECT_EQ(parse_refusal(R"({"x": {}, "y": {"x": 1}, "x": {}})"), "my.json: /x" + tail);
}

TEST(ParseJson, NamesThePlaceOfAKeyThatStandsTwiceInsideLists) {
  const std::string tail = ": the key stands twice; allowed: once";

  EXPECT_EQ(parse_refusal(R"([{"a": 1, "a": 2}])"), "my.json: /0/a" + tail);
  EXPECT_EQ(parse_refusal(R"({"cases": [{"a": 1}, 5, [], {"a": 1, "a": 2}]})"), "my.json: /cases/3/a" + tail);
  EXPECT_EQ(parse_refusal(R"({"m": [[1, 2], [3, {"k": 0, "l": [7], "k": 0}]]})"), "my.json: /m/1/1/k" + tail);
  EXPECT_EQ(parse_refusal(R"({"m": [1, 2], "m": 0})"), "my.json: /m" + tail);
}

TEST(ParseJson, AcceptsTheSameKeyInDifferentObjects) {
  EXPECT_EQ(parse_refusal(R"({"a": {"a": [{"a": 1}, {"a": 2}]}, "b": {"a": 1}})"), "");
}

TEST(ReadJsonFile, NamesTheFile) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "elmx_json_test.json";
  std::ofstream(path) << "{\n]";

  const std::string malformed = thrown<ConfigError>([&] { read_json_file(path); });
  std::filesystem::remove(path);
  const std::string missing = thrown<ConfigError>([&] { read_json_file(path); });

  EXPECT_TRUE(malformed.starts_with(path.string() + ": line 2, column 1: "));
  EXPECT_EQ(missing, path.string() + ": cannot be read: No such file or directory");
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

TEST(SetByPath, RefusesWhatIsNoAssignment) {
  EXPECT_EQ(set_refusal(Json::object(), "model.ridge"),
            "--set model.ridge: no value; allowed: path=value, as in model.ridge=0.1");
  EXPECT_EQ(set_refusal(Json::object(), "=1"), "--set =1: no value; allowed: path=value, as in model.ridge=0.1");
}

TEST(SetByPath, RefusesAPathThroughAScalar) {
  EXPECT_EQ(set_refusal(Json::parse(R"({"seed": 1})"), "seed.x=1"),
            "--set seed.x=1: /seed/x leads through a value that is not an object");
  EXPECT_EQ(set_refusal(Json::parse(R"({"cases": [1]})"), "cases.first=1"),
            "--set cases.first=1: /cases/first leads through a value that is not an object");
}

TEST(SetByPath, RefusesAKeyThatStandsTwice) {
  EXPECT_EQ(set_refusal(Json::object(), R"(model={"a": 1, "a": 2})"),
            "--set /model: /a: the key stands twice; allowed: once");
}

TEST(SetByPath, RefusesTextThatIsNotUtf8) {
  EXPECT_EQ(set_refusal(Json::object(), "data.path=\xe9.csv"),
            "--set: text that is not UTF-8; allowed: path=value in UTF-8");
}

TEST(SetByPath, RefusesAnElementFarBeyondTheEndOfAList) {
  const std::string what =
      " is no place of a config; allowed: at most 100 keys, elements of a list by at most 4 digits";
  EXPECT_EQ(set_refusal({{"a", {1, 2}}}, "a.4000000000=1"), "--set a.4000000000=1: /a/4000000000" + what);
  EXPECT_EQ(set_refusal(Json::object(), "b.10000=1"), "--set b.10000=1: /b/10000" + what);
  EXPECT_EQ(with(R"({"a": [1, 2]})", "a.2=3").dump(), R"({"a":[1,2,3]})");
  EXPECT_EQ(with(R"({"cases": {}})", "cases.20251231=3").dump(), R"({"cases":{"20251231":3}})") << "a key, no element";
}

TEST(SetByPath, RefusesAPathOfThousandsOfKeys) {
  std::string path = "a";
  for (int i = 0; i < 20000; ++i) path += ".a";
  EXPECT_NE(set_refusal(Json::object(), path + "=1").find(" is no place of a config"), std::string::npos);
}

TEST(ParseJson, RefusesValuesThatAreNestedTooDeep) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(parse_refusal(nested(100)), "");
  std::string place;
  for (int i = 0; i < 100; ++i) place += "/0";
  EXPECT_EQ(parse_refusal(nested(101)), "my.json: " + place + ": nested too deep; allowed: 100 levels");
  EXPECT_EQ(parse_refusal(std::string(1000000, '[')), "my.json: " + place + ": nested too deep; allowed: 100 levels");
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
  const std::string form = "; allowed: {\"range\": [first, last, step]}";
  const std::string ends = "; allowed: a range that ends, of at most 1e6 values";

  EXPECT_EQ(series_refusal(R"({"range": [1]})"), "/model/ridge: {\"range\":[1]}" + form);
  EXPECT_EQ(series_refusal(R"({"range": [1, 2, 1, 1]})"), "/model/ridge: {\"range\":[1,2,1,1]}" + form);
  EXPECT_EQ(series_refusal(R"({"range": [1, "2"]})"), "/model/ridge: {\"range\":[1,\"2\"]}" + form);
  EXPECT_EQ(series_refusal(R"({"range": 5})"), "/model/ridge: {\"range\":5}" + form);
  EXPECT_EQ(series_refusal(R"({"range": [1, 2, 0]})"), "/model/ridge: {\"range\":[1,2,0]}" + ends);
  EXPECT_EQ(series_refusal(R"({"range": [2, 2, 0]})"), "/model/ridge: {\"range\":[2,2,0]}" + ends);
  EXPECT_EQ(series_refusal(R"({"range": [2, 1]})"), "/model/ridge: {\"range\":[2,1]}" + ends);
  EXPECT_EQ(series_refusal(R"({"range": [0, 9000000]})"), "/model/ridge: {\"range\":[0,9000000]}" + ends);
}

TEST(ExpandSeries, RefusesALogspaceThatIsNone) {
  const std::string form = "; allowed: {\"logspace\": [from, to, count]}, as in [-8, -1, 8] for 1e-8 ... 1e-1";

  EXPECT_EQ(series_refusal(R"({"logspace": [-8, -1]})"), "/model/ridge: {\"logspace\":[-8,-1]}" + form);
  EXPECT_EQ(series_refusal(R"({"logspace": [-8, -1, 0]})"), "/model/ridge: {\"logspace\":[-8,-1,0]}" + form);
  EXPECT_EQ(series_refusal(R"({"logspace": [-8, -1, 2.5]})"), "/model/ridge: {\"logspace\":[-8,-1,2.5]}" + form);
  EXPECT_EQ(series_refusal(R"({"logspace": [-8, -1, 2000000]})"),
            "/model/ridge: {\"logspace\":[-8,-1,2000000]}" + form);
  EXPECT_EQ(series_refusal(R"({"logspace": [-8, 400, 3]})"),
            "/model/ridge: {\"logspace\":[-8,400,3]}; allowed: exponents from -300 to 300");
}

}  // namespace
}  // namespace elmx
