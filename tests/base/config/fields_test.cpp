#include "base/config/fields.hpp"

#include <gtest/gtest.h>

#include <array>

#include "support/schema.hpp"
#include "support/thrown.hpp"

namespace elmx {
namespace {

struct Inner {
  double step = 0.5;
  std::vector<std::string> names = {"a"};

  void fields(FieldVisitor& field) {
    field("step", step, "step length", between(0.25, 2));
    field("names", names, "some names", one_of({"a", "b"}));
  }
};

/// One member of every kind.
struct Sample {
  double ridge = 1e-3;
  double rate = 0.5;
  std::size_t nodes = 10;
  int shift = -1;
  std::uint32_t block = 4;
  bool bias = true;
  std::string activation = "sigmoid";
  std::vector<double> grid = {1, 2};
  std::vector<std::size_t> sizes;
  std::optional<double> clip;
  std::vector<Inner> parts;
  Inner inner;
  Json free = Json::object();

  void fields(FieldVisitor& field) {
    field("ridge", ridge, "ridge penalty", at_least(0));
    field("rate", rate, "learning rate", more_than(0));
    field("nodes", nodes, "number of nodes", between(1, 1000001));
    field("shift", shift, "any integer");
    field("block", block, "any 32-bit number");
    field("bias", bias, "whether there is a bias");
    field("activation", activation, "what a node computes", one_of({"sigmoid", "tanh", "relu"}));
    field("grid", grid, "some numbers", at_least(0));
    field("sizes", sizes, "some sizes");
    field("clip", clip, "where to clip", more_than(0));
    field("parts", parts, "some parts");
    field("inner", inner, "one part");
    field("free", free, "anything");
  }
};

Sample read(const std::string& text) {
  Sample sample;
  read_options(Json::parse(text), "/model", sample);
  return sample;
}

std::string refusal(const std::string& text) {
  return thrown<ConfigError>([&] { read(text); });
}

std::string refused_at(const std::string& text) {
  return place_thrown<ConfigError>([&] { read(text); });
}

bool refusal_has(const std::string& text, const std::string& part) {
  return refusal(text).find(part) != std::string::npos;
}

std::vector<Axis> sweeps(const std::string& text) {
  std::vector<Axis> axes;
  find_sweeps<Sample>(Json::parse(text), "/model", axes);
  return axes;
}

TEST(ReadOptions, ReadsEveryKindOfMember) {
  const Sample sample = read(R"({
    "ridge": 0.25, "rate": 2, "nodes": 20, "shift": -7, "block": 4294967295, "bias": false, "activation": "relu",
    "grid": [3, 4.5], "sizes": [1, 2, 3], "clip": 6, "parts": [{"step": 1}, {"names": []}],
    "inner": {"step": 2, "names": ["b", "a"]}, "free": {"x": [1]}})");

  EXPECT_EQ(sample.ridge, 0.25);
  EXPECT_EQ(sample.rate, 2.0);
  EXPECT_EQ(sample.nodes, 20u);
  EXPECT_EQ(sample.shift, -7);
  EXPECT_EQ(sample.block, 4294967295u);
  EXPECT_EQ(sample.bias, false);
  EXPECT_EQ(sample.activation, "relu");
  EXPECT_EQ(sample.grid, (std::vector<double>{3, 4.5}));
  EXPECT_EQ(sample.sizes, (std::vector<std::size_t>{1, 2, 3}));
  EXPECT_EQ(sample.clip, 6.0);
  ASSERT_EQ(sample.parts.size(), 2u);
  EXPECT_EQ(sample.parts[0].step, 1.0);
  EXPECT_TRUE(sample.parts[1].names.empty());
  EXPECT_EQ(sample.inner.step, 2.0);
  EXPECT_EQ(sample.inner.names, (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(sample.free, Json::parse(R"({"x": [1]})"));
}

TEST(ReadOptions, KeepsDefaultsOfAbsentMembers) {
  const Sample sample = read(R"({"nodes": 20})");

  EXPECT_EQ(sample.nodes, 20u);
  EXPECT_EQ(sample.ridge, 1e-3);
  EXPECT_EQ(sample.activation, "sigmoid");
  EXPECT_EQ(sample.grid, (std::vector<double>{1, 2}));
  EXPECT_FALSE(sample.clip.has_value());
  EXPECT_EQ(sample.inner.step, 0.5);
}

TEST(ReadOptions, NullEmptiesAnOptionalMember) {
  Sample sample;
  sample.clip = 3;

  read_options(Json::parse(R"({"clip": null})"), "", sample);

  EXPECT_FALSE(sample.clip.has_value());
}

TEST(ReadOptions, AcceptsAnIntegerWrittenAsFraction) { EXPECT_EQ(read(R"({"nodes": 20.0})").nodes, 20u); }

TEST(ReadOptions, TakesOneValueForAListOfOne) {
  EXPECT_EQ(read(R"({"grid": 3})").grid, std::vector<double>{3});
  EXPECT_EQ(read(R"({"inner": {"names": "b"}})").inner.names, std::vector<std::string>{"b"});
  EXPECT_EQ(read(R"({"parts": {"step": 1}})").parts.at(0).step, 1);
}

TEST(ReadOptions, ExpandsASeriesForAList) {
  EXPECT_EQ(read(R"({"sizes": {"range": [10, 30, 10]}})").sizes, (std::vector<std::size_t>{10, 20, 30}));
  EXPECT_EQ(read(R"({"grid": {"logspace": [0, 2, 3]}})").grid, (std::vector<double>{1, 10, 100}));
}

TEST(ReadOptions, RefusesAnUnknownKeyAndSuggestsTheNearest) {
  const std::vector<std::array<std::string, 3>> unknown = {
      {R"({"node": 1})", "/model/node", "\"nodes\""},
      {R"({"inner": {"stp": 1}})", "/model/inner/stp", "\"step\""},
      {R"({"parts": [{}, {"name": []}]})", "/model/parts/1/name", "\"names\""},
      {R"({"inner": {"quadrature": 1}})", "/model/inner/quadrature", "step, names"},
  };
  for (const auto& [config, place, suggestion] : unknown) {
    EXPECT_EQ(refused_at(config), place);
    EXPECT_TRUE(refusal_has(config, suggestion)) << refusal(config);
  }
}

TEST(ReadOptions, RefusesAWrongType) {
  for (const char* value : {R"("1")", "true", "null"}) {
    const std::string config = R"({"ridge": )" + std::string(value) + "}";
    EXPECT_EQ(refused_at(config), "/model/ridge");
    EXPECT_TRUE(refusal_has(config, value)) << refusal(config);
  }
  EXPECT_EQ(refused_at(R"({"nodes": 1.5})"), "/model/nodes");
  EXPECT_EQ(refused_at(R"({"bias": 1})"), "/model/bias");
  EXPECT_EQ(refused_at(R"({"activation": 3})"), "/model/activation");
  EXPECT_EQ(refused_at(R"({"grid": null})"), "/model/grid");
  EXPECT_EQ(refused_at(R"({"grid": "x"})"), "/model/grid");
  EXPECT_EQ(refused_at(R"({"grid": [1, "x"]})"), "/model/grid/1");
  EXPECT_EQ(refused_at(R"({"inner": [1]})"), "/model/inner");
  EXPECT_EQ(refused_at("[]"), "/model");
}

TEST(ReadOptions, RefusesAListWhereOneValueIsExpected) {
  EXPECT_EQ(refused_at(R"({"ridge": [1, 2]})"), "/model/ridge");
}

TEST(ReadOptions, ShortensALongValue) {
  EXPECT_TRUE(refusal_has("{\"ridge\": \"" + std::string(100, 'x') + "\"}", " \"" + std::string(56, 'x') + "..."));
}

TEST(ReadOptions, HoldsTheBoundsAtBothEnds) {
  EXPECT_EQ(refusal(R"({"ridge": 0})"), "");
  EXPECT_EQ(refused_at(R"({"ridge": -1e-300})"), "/model/ridge");
  EXPECT_EQ(refusal(R"({"rate": 1e-300})"), "");
  EXPECT_EQ(refused_at(R"({"rate": 0})"), "/model/rate");
  EXPECT_EQ(refusal(R"({"inner": {"step": 0.25}})"), "");
  EXPECT_EQ(refusal(R"({"inner": {"step": 2}})"), "");
  EXPECT_EQ(refused_at(R"({"inner": {"step": 0.24}})"), "/model/inner/step");
  EXPECT_EQ(refused_at(R"({"inner": {"step": 2.01}})"), "/model/inner/step");
  EXPECT_EQ(refusal(R"({"nodes": 1})"), "");
  EXPECT_EQ(refusal(R"({"nodes": 1000001})"), "");
  EXPECT_EQ(refused_at(R"({"nodes": 0})"), "/model/nodes");
  EXPECT_EQ(refused_at(R"({"nodes": 1000002})"), "/model/nodes");
  EXPECT_EQ(refused_at(R"({"grid": [0, -1]})"), "/model/grid/1");
}

TEST(ReadOptions, SaysWhatIsExpectedAndFound) {
  for (const char* part : {">= 0.25 and <= 2", "0.24"}) EXPECT_TRUE(refusal_has(R"({"inner": {"step": 0.24}})", part));
}

TEST(ReadOptions, RefusesWhatTheMemberCannotHold) {
  EXPECT_EQ(refused_at(R"({"sizes": [-1]})"), "/model/sizes/0");
  EXPECT_EQ(refused_at(R"({"block": 4294967296})"), "/model/block");
  EXPECT_EQ(refused_at(R"({"shift": -2147483649})"), "/model/shift");
  EXPECT_EQ(refused_at(R"({"sizes": [18446744073709551615]})"), "/model/sizes/0");
}

TEST(ReadOptions, RefusesAnUnknownChoiceAndSuggestsTheNearest) {
  EXPECT_EQ(refused_at(R"({"activation": "sigmod"})"), "/model/activation");
  EXPECT_TRUE(refusal_has(R"({"activation": "sigmod"})", "\"sigmoid\""));
  EXPECT_TRUE(refusal_has(R"({"activation": "wavelet"})", "sigmoid, tanh, relu"));
  EXPECT_EQ(refused_at(R"({"inner": {"names": ["a", "quux"]}})"), "/model/inner/names/1");
}

TEST(WriteOptions, WritesEveryMemberInOrder) {
  EXPECT_EQ(write_options(Sample()).dump(),
            R"({"ridge":0.001,"rate":0.5,"nodes":10,"shift":-1,"block":4,"bias":true,"activation":"sigmoid",)"
            R"("grid":[1.0,2.0],"sizes":[],"parts":[],"inner":{"step":0.5,"names":["a"]},"free":{}})");
}

struct Later {
  std::optional<double> share;

  void fields(FieldVisitor& field) { field("share", share, "what earlier configs do not know"); }
};

struct WithLater {
  double ridge = 1;
  Later later;

  void fields(FieldVisitor& field) {
    field("ridge", ridge, "");
    field("later", later, "");
  }
};

TEST(WriteOptions, LeavesOutAGroupOfWhichNothingIsPresent) {
  WithLater options;
  EXPECT_EQ(write_options(options).dump(), R"({"ridge":1.0})");

  read_options(Json::parse(R"({"later": {"share": 0.5}})"), "", options);
  EXPECT_EQ(write_options(options).dump(), R"({"ridge":1.0,"later":{"share":0.5}})");
}

TEST(WriteOptions, WrittenAndReadAgainIsAFixedPoint) {
  Sample sample = read(R"({"ridge": 0.1, "sizes": {"range": [1, 3]}, "clip": 0.3, "parts": [{"step": 1}, {}],
                           "inner": {"names": []}, "free": [null, {"x": 1}], "bias": false})");
  const Json once = write_options(sample);

  Sample again;
  read_options(Json::parse(once.dump()), "", again);

  EXPECT_EQ(write_options(again).dump(), once.dump());
}

TEST(WriteOptions, DefaultsAreAcceptedByTheReader) {
  Sample again;
  again.nodes = 99;

  read_options(write_options(Sample()), "", again);

  EXPECT_EQ(write_options(again).dump(), write_options(Sample()).dump());
}

TEST(FindSweeps, FindsListsInTheOrderOfTheMembers) {
  const auto axes =
      sweeps(R"({"nodes": [10, 20], "ridge": 0.5, "activation": ["tanh", "relu"], "bias": [true, false]})");

  ASSERT_EQ(axes.size(), 3u);
  EXPECT_EQ(axes[0].place, "/model/nodes");
  EXPECT_EQ(axes[0].values, (std::vector<Json>{10, 20}));
  EXPECT_EQ(axes[1].place, "/model/bias");
  EXPECT_EQ(axes[1].values, (std::vector<Json>{true, false}));
  EXPECT_EQ(axes[2].place, "/model/activation");
  EXPECT_EQ(axes[2].values, (std::vector<Json>{"tanh", "relu"}));
}

TEST(FindSweeps, FindsSeries) {
  const auto axes = sweeps(R"({"ridge": {"logspace": [-2, 0, 3]}, "nodes": {"range": [10, 30, 10]}})");

  ASSERT_EQ(axes.size(), 2u);
  EXPECT_EQ(axes[0].place, "/model/ridge");
  EXPECT_EQ(axes[0].values, (std::vector<Json>{0.01, 0.1, 1.0}));
  EXPECT_EQ(axes[1].place, "/model/nodes");
  EXPECT_EQ(axes[1].values, (std::vector<Json>{10, 20, 30}));
}

TEST(FindSweeps, FindsOptionalAndNestedMembers) {
  const auto axes = sweeps(R"({"clip": [null, 2], "inner": {"step": [1, 2]}})");

  ASSERT_EQ(axes.size(), 2u);
  EXPECT_EQ(axes[0].place, "/model/clip");
  EXPECT_EQ(axes[0].values, (std::vector<Json>{nullptr, 2}));
  EXPECT_EQ(axes[1].place, "/model/inner/step");
}

TEST(FindSweeps, TakesAListOfListsForAListMember) {
  const auto axes = sweeps(R"({"grid": [[1, 2], [3]], "inner": {"names": [["a"], ["b"], []]}})");

  ASSERT_EQ(axes.size(), 2u);
  EXPECT_EQ(axes[0].place, "/model/grid");
  EXPECT_EQ(axes[0].values, (std::vector<Json>{Json::parse("[1, 2]"), Json::parse("[3]")}));
  EXPECT_EQ(axes[1].place, "/model/inner/names");
  EXPECT_EQ(axes[1].values.size(), 3u);
}

TEST(FindSweeps, FindsNoneWhereNoneIs) {
  EXPECT_TRUE(sweeps("{}").empty());
  EXPECT_TRUE(sweeps("[1, 2]").empty());
  EXPECT_TRUE(sweeps(R"({"nodes": 10, "grid": [1, 2], "sizes": [], "free": [1, 2]})").empty());
  EXPECT_TRUE(sweeps(R"({"sizes": {"range": [10, 30, 10]}})").empty());
}

TEST(FindSweeps, RefusesAnEmptyList) {
  EXPECT_EQ(place_thrown<ConfigError>([] { sweeps(R"({"nodes": []})"); }), "/model/nodes");
}

TEST(Schema, OfSeriesByHand) {
  EXPECT_EQ(series_definitions(), Json::parse(R"({
    "range": {"type": "object", "additionalProperties": false, "properties":
      {"range": {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 3}}, "required": ["range"]},
    "logspace": {"type": "object", "additionalProperties": false, "properties":
      {"logspace": {"type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3}}, "required": ["logspace"]}
  })"));
}

struct Files {
  std::string path, name;
  std::vector<std::string> more;
  std::optional<std::string> labels;

  void fields(FieldVisitor& field) {
    field("path", path, "", a_path());
    field("name", name, "");
    field("more", more, "", a_path());
    field("labels", labels, "", a_path());
  }
};

struct WithFiles {
  Files data;

  void fields(FieldVisitor& field) { field("data", data, ""); }
};

TEST(ResolvePaths, SetsTheFolderBeforeRelativePathsOnly) {
  Json config = Json::parse(R"({"data": {"path": "a.csv", "name": "a.csv", "more": ["../b", "/c"], "labels": ""}})");
  resolve_paths<WithFiles>(config, "in/deep");
  EXPECT_EQ(config.dump(), R"({"data":{"path":"in/deep/a.csv","name":"a.csv","more":["in/b","/c"],"labels":""}})");

  config = Json::parse(R"({"data": [{"path": ["a", "b"]}, {"path": "-"}, 3]})");
  resolve_paths<WithFiles>(config, "in");
  EXPECT_EQ(config.dump(), R"({"data":[{"path":["in/a","in/b"]},{"path":"-"},3]})");
}

TEST(Schema, OfASmallStructByHand) {
  const Json schema = schema_of<Inner>();

  EXPECT_EQ(schema, Json::parse(R"({
    "type": "object",
    "additionalProperties": false,
    "properties": {
      "step": {
        "anyOf": [
          {"type": "number", "minimum": 0.25, "maximum": 2.0},
          {"type": "array", "items": {"type": "number", "minimum": 0.25, "maximum": 2.0}, "minItems": 1},
          {"$ref": "#/definitions/range"},
          {"$ref": "#/definitions/logspace"}
        ],
        "description": "step length",
        "default": 0.5
      },
      "names": {
        "anyOf": [
          {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}},
          {"type": "string", "enum": ["a", "b"]},
          {"type": "array", "items": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}}, "minItems": 1}
        ],
        "description": "some names",
        "default": ["a"]
      }
    }
  })"));
}

TEST(Schema, BoundsOfTheOtherKinds) {
  const Json properties = schema_of<Sample>()["properties"];

  EXPECT_EQ(properties["rate"]["anyOf"][0].dump(), R"({"type":"number","exclusiveMinimum":0.0})");
  EXPECT_EQ(properties["sizes"]["anyOf"][0].dump(), R"({"type":"array","items":{"type":"integer","minimum":0.0}})");
  EXPECT_EQ(properties["bias"]["anyOf"][0].dump(), R"({"type":"boolean"})");
  EXPECT_EQ(properties["inner"]["properties"]["step"]["default"], 0.5);
  EXPECT_EQ(properties["free"].dump(), R"({"description":"anything"})");
  EXPECT_FALSE(properties["clip"].contains("default"));
}

/// A schema of its own, with the definitions that it refers to.
template <class T>
Json whole_schema() {
  Json schema = schema_of<T>();
  schema["definitions"] = series_definitions();
  return schema;
}

TEST(Schema, AcceptsTheDefaults) { EXPECT_TRUE(schema_accepts(whole_schema<Sample>(), write_options(Sample()))); }

TEST(Schema, EveryDefaultSatisfiesTheBoundsOfItsOwnMember) {
  const Json schema = schema_of<Sample>();

  std::size_t defaults = 0;
  for (const auto& [key, member] : schema["properties"].items()) {
    if (!member.contains("default")) continue;
    ++defaults;
    Json own = member;
    own["definitions"] = series_definitions();
    EXPECT_TRUE(schema_accepts(own, member["default"])) << key;
  }

  EXPECT_EQ(defaults, 10u);
}

struct BadDefault {
  double rate = 0;

  void fields(FieldVisitor& field) { field("rate", rate, "learning rate", more_than(0)); }
};

TEST(Schema, RefusesADefaultOutOfBounds) {
  EXPECT_FALSE(schema_accepts(whole_schema<BadDefault>(), write_options(BadDefault())));
}

struct Kettle {
  std::string lid = "on";
  double litres = 1.5;
  std::optional<int> cups;

  void fields(FieldVisitor& field) {
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

/// A config, and whether it is right: by the reader (with its sweeps set aside) and by the schema.
struct Verdict {
  const char* name;
  const char* config;
  bool right;
};

void PrintTo(const Verdict& verdict, std::ostream* out) { *out << verdict.name; }

bool reader_accepts(const Json& config) {
  try {
    std::vector<Axis> axes;
    find_sweeps<Sample>(config, "", axes);
    Json first = config;
    for (const Axis& axis : axes) first[Json::json_pointer(axis.place)] = axis.values.front();
    Sample sample;
    read_options(first, "", sample);
    return true;
  } catch (const ConfigError&) {
    return false;
  }
}

class SchemaAgreesTest : public testing::TestWithParam<Verdict> {};

TEST_P(SchemaAgreesTest, WithTheReader) {
  const Json config = Json::parse(GetParam().config);

  EXPECT_EQ(reader_accepts(config), GetParam().right);
  EXPECT_EQ(schema_accepts(whole_schema<Sample>(), config), GetParam().right);
}

INSTANTIATE_TEST_SUITE_P(
    Configs, SchemaAgreesTest,
    testing::Values(
        Verdict{"empty", "{}", true}, Verdict{"no_object", "[]", false},
        Verdict{"unknown_key", R"({"node": 1})", false}, Verdict{"number", R"({"ridge": 0})", true},
        Verdict{"too_small", R"({"ridge": -1})", false}, Verdict{"at_excluded", R"({"rate": 0})", false},
        Verdict{"too_large", R"({"nodes": 1000002})", false}, Verdict{"integral_fraction", R"({"nodes": 2.0})", true},
        Verdict{"fraction", R"({"nodes": 2.5})", false}, Verdict{"negative_size", R"({"sizes": [-1]})", false},
        Verdict{"too_wide", R"({"block": 4294967296})", false}, Verdict{"choice", R"({"activation": "tanh"})", true},
        Verdict{"no_choice", R"({"activation": "tan"})", false}, Verdict{"text", R"({"bias": "yes"})", false},
        Verdict{"null_optional", R"({"clip": null})", true}, Verdict{"null", R"({"ridge": null})", false},
        Verdict{"sweep", R"({"ridge": [0, 1]})", true}, Verdict{"empty_sweep", R"({"ridge": []})", false},
        Verdict{"range", R"({"nodes": {"range": [1, 3]}})", true},
        Verdict{"short_range", R"({"nodes": {"range": [1]}})", false},
        Verdict{"logspace", R"({"ridge": {"logspace": [-2, 1, 4]}})", true},
        Verdict{"short_logspace", R"({"ridge": {"logspace": [-2, 1]}})", false},
        Verdict{"range_of_choices", R"({"activation": {"range": [1, 3]}})", false},
        Verdict{"list_range", R"({"sizes": {"range": [1, 3]}})", true},
        Verdict{"list_sweep", R"({"sizes": [[1, 2], [3]]})", true}, Verdict{"empty_list", R"({"sizes": []})", true},
        Verdict{"mixed_list", R"({"sizes": [1, [2]]})", false}, Verdict{"nested", R"({"inner": {"step": 1}})", true},
        Verdict{"nested_wrong", R"({"inner": {"step": 9}})", false},
        Verdict{"parts", R"({"parts": [{"step": 1}, {}]})", true},
        Verdict{"parts_wrong", R"({"parts": [{"step": 9}]})", false}, Verdict{"free", R"({"free": 7})", true}),
    [](const testing::TestParamInfo<Verdict>& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace elmx
