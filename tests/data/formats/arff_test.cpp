#include "data/formats/relation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "data/formats/arff.hpp"
#include "data/formats/keel.hpp"
#include "data/test_files.hpp"

namespace elmx {
namespace {

using Numbers = std::vector<double>;
using Names = std::vector<std::string>;

const std::string kHeader =
    "% a comment\r\n\r\n@relation mv\r\n@attribute x1 numeric\r\n@ATTRIBUTE 'x 2' {green, 'dark red',blue}\r\n"
    "@attribute y real\r\n@data\r\n";

TableOptions target(const std::string& column) {
  TableOptions options;
  options.target = {column};
  return options;
}

RawTable arff(const std::string& text, const TableOptions& options = target("y")) {
  return read_arff({"f.arff", text, ""}, options);
}

std::string refusal(const std::string& text) {
  return message_of<DataError>([&] { arff(text); });
}

TEST(Arff, ReadsDeclaredColumns) {
  const RawTable table = arff(kHeader + "1, blue, -2\r\n% between\r\n 3.5,'dark red',4e1\r\n");

  ASSERT_EQ(table.columns.size(), 3U);
  EXPECT_EQ(table.rows, 2U);
  EXPECT_EQ(table.columns[0].values, (Numbers{1, 3.5}));
  EXPECT_EQ(table.columns[1].name, "x 2");
  EXPECT_EQ(table.columns[1].kind, Kind::category);
  EXPECT_EQ(table.columns[1].categories, (Names{"green", "dark red", "blue"}));
  EXPECT_EQ(table.columns[1].values, (Numbers{2, 1}));
  EXPECT_EQ(table.columns[2].values, (Numbers{-2, 40}));
}

TEST(Arff, ReadsRowsThatAreSeparatedByBlanks) {
  const RawTable table = arff("@relation r\n@attribute a real\n@attribute y integer\n@data\n 1  2 \n3\t4\n");
  EXPECT_EQ(table.columns[0].values, (Numbers{1, 3}));
  EXPECT_EQ(table.columns[1].values, (Numbers{2, 4}));
}

TEST(Arff, LearnsTheCategoriesOfStrings) {
  const RawTable table = arff("@relation r\n@attribute s string\n@attribute y real\n@data\n'b c',1\na,2\n");
  EXPECT_EQ(table.columns[0].categories, (Names{"b c", "a"}));
  EXPECT_FALSE(table.columns[0].declared);
}

TEST(Arff, TakesTheTextsThatAreGivenForMissingValues) {
  TableOptions options = target("y");
  options.missing = "mean";
  options.missing_values = MissingValues({"-99"});
  const RawTable table = arff(kHeader + "-99,blue,1\n-9,,2\n", options);
  EXPECT_TRUE(std::isnan(table.columns[0].values[0]));
  EXPECT_EQ(table.columns[0].values[1], -9);
  EXPECT_TRUE(std::isnan(table.columns[1].values[1])) << "an empty field is missing all the same";
  EXPECT_NE(message_of<DataError>([&] { arff(kHeader + "?,blue,1\n", options); }).find("\"?\"; a finite number"),
            std::string::npos);
}

TEST(ArffRefuses, WhatItsHeaderDoesNotDeclare) {
  EXPECT_EQ(refusal(kHeader + "1,blu,2\n"), "f.arff: line 8, column 2: \"blu\"; did you mean \"blue\"?");
  EXPECT_EQ(refusal(kHeader + "1,blue,2\n1,blue\n"), "f.arff: line 9: 2 columns; 3 expected");
  EXPECT_EQ(refusal(kHeader + "1,blue,x\n"), "f.arff: line 8, column 3: \"x\"; a finite number is expected");
  EXPECT_EQ(refusal(kHeader), "f.arff: no data; at least one row is expected");
}

TEST(ArffRefuses, ACategoryThatStandsTwice) {
  EXPECT_EQ(refusal("@relation r\n@attribute c {a,b,a}\n@attribute y real\n@data\na,1\n"),
            "f.arff: line 2: attribute \"c\": the category \"a\" stands twice; allowed: once");
}

TEST(ArffRefuses, SparseRows) {
  EXPECT_EQ(refusal(kHeader + "{0 1}\n"), "f.arff: line 8: a sparse row; one value for each attribute is expected");
}

TEST(ArffRefuses, HeadersItDoesNotUnderstand) {
  EXPECT_EQ(refusal("1,2\n"),
            "f.arff: line 1: \"1,2\"; allowed before @data: @relation, @attribute, @inputs, @outputs, "
            "comments (%)");
  EXPECT_EQ(refusal("@relation r\n"), "f.arff: no @data line; an ARFF or KEEL file is expected");
  EXPECT_EQ(refusal("@data\n1\n"), "f.arff: line 1: @data without an attribute before it; @attribute is expected");
  EXPECT_EQ(refusal("@attribute t date\n@data\n"),
            "f.arff: line 1: attribute \"t\" of type \"date\"; allowed: numeric, "
            "real, integer, string, {a, b, ...}");
  EXPECT_EQ(refusal("@attribute c {a, b\n@data\n"),
            "f.arff: line 1: a list of categories without end; \"}\" is expected");
  EXPECT_EQ(refusal("@attribute\n"), "f.arff: line 1: an attribute without a name; @attribute NAME TYPE is expected");
}

const std::string kKeel =
    "@relation ring\n@attribute A1 real [-6.9, 6.5]\n@attribute A2 integer[0,9]\n@attribute Unused real [0, 1]\n"
    "@attribute Class{0, 1}\n@inputs A1, A2\n@outputs Class\n@data\n1.5, 2, 0.5, 1\n2.5, <null>, 0.5, 0\n";

TEST(Keel, TakesInputsAndOutputsFromTheHeader) {
  TableOptions options;
  options.task = Task::classification;
  options.missing = "drop_rows";

  const RawTable table = read_keel({"f.dat", kKeel, ""}, options);

  EXPECT_EQ(table.rows, 2U);
  EXPECT_EQ(table.columns[0].values, (Numbers{1.5, 2.5}));
  EXPECT_EQ(table.columns[1].name, "A2");
  EXPECT_EQ(table.columns[1].values[0], 2);
  EXPECT_EQ(table.columns[2].role, Role::dropped);
  EXPECT_EQ(table.columns[3].role, Role::target);
  EXPECT_EQ(table.columns[3].values, (Numbers{1, 0}));
}

TEST(Keel, RefusesInputsThatAreNoAttributes) {
  std::string text = kKeel;
  text.replace(text.find("@inputs A1, A2"), 14, "@inputs A1, a2");
  EXPECT_NE(message_of<DataError>([&] {
              read_keel({"f.dat", text, ""}, {});
            }).find("f.dat: @inputs has \"a2\", which is no attribute; did you mean \"A2\""),
            std::string::npos);
}

TEST(Keel, LetsTheOptionsNameAnotherTarget) {
  TableOptions options = target("A1");
  options.missing = "mean";

  const RawTable table = read_keel({"f.dat", kKeel, ""}, options);

  EXPECT_EQ(table.columns[0].role, Role::target);
  EXPECT_EQ(table.columns[3].role, Role::input);
}

TEST(Keel, WithoutOutputsNeedsATarget) {
  const std::string text = "@relation r\n@attribute a real [0,1]\n@data\n1\n";
  EXPECT_EQ(message_of<ConfigError>([&] {
              read_keel({"f.dat", text, ""}, {});
            }),
            "/data/target: missing; name the target column(s), or give their numbers");
}

}  // namespace
}  // namespace elmx
