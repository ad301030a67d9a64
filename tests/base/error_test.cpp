#include "base/error.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace elmx {
namespace {

using Words = std::vector<std::string>;

TEST(Error, CarriesTheExitCodeOfItsKind) {
  EXPECT_EQ(ConfigError("x").code(), ExitCode::config);
  EXPECT_EQ(DataError("x").code(), ExitCode::data);
  EXPECT_EQ(UserError(ExitCode::resume_refused, "x").code(), ExitCode::resume_refused);
}

TEST(Error, KeepsPlaceAndProblemApart) {
  const DataError error("houses.csv:14", "no: fields");
  EXPECT_EQ(error.place(), "houses.csv:14");
  EXPECT_EQ(error.problem(), "no: fields");
  EXPECT_STREQ(error.what(), "houses.csv:14: no: fields");
  EXPECT_EQ(ConfigError("a: b").place(), "");
  EXPECT_STREQ(ConfigError("a: b").what(), "a: b");
}

TEST(Error, ExitCodesAreThoseOfTheManual) {
  EXPECT_EQ(static_cast<int>(ExitCode::ok), 0);
  EXPECT_EQ(static_cast<int>(ExitCode::internal), 1);
  EXPECT_EQ(static_cast<int>(ExitCode::config), 2);
  EXPECT_EQ(static_cast<int>(ExitCode::data), 3);
  EXPECT_EQ(static_cast<int>(ExitCode::trials_failed), 4);
  EXPECT_EQ(static_cast<int>(ExitCode::check_failed), 5);
  EXPECT_EQ(static_cast<int>(ExitCode::resume_refused), 6);
}

TEST(Status, HasNames) {
  EXPECT_EQ(to_string(Status::ok), "ok");
  EXPECT_EQ(to_string(Status::not_positive_definite), "not_positive_definite");
  EXPECT_EQ(to_string(Status::not_finite), "not_finite");
}

TEST(Expects, ThrowsLogicErrorOnlyWhereTheConditionFails) {
  EXPECT_NO_THROW(expects(true, "H is N x L"));
  EXPECT_THROW(expects(false, "H is N x L"), std::logic_error);
}

TEST(EditDistance, OfKnownPairs) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("ridge", "ridge"), 0u);
  EXPECT_EQ(edit_distance("node", "nodes"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("sitting", "kitten"), 3u);
  EXPECT_EQ(edit_distance("flaw", "lawn"), 2u);
  EXPECT_EQ(edit_distance("intention", "execution"), 5u);
}

TEST(Nearest, FindsAMisspelling) {
  EXPECT_EQ(nearest("node", Words{"seed", "nodes", "ridge"}), "nodes");
  EXPECT_EQ(nearest("rigde", Words{"seed", "nodes", "ridge"}), "ridge");
}

TEST(Nearest, TakesTheCloserOfTwo) { EXPECT_EQ(nearest("noise", Words{"nodes", "noises"}), "noises"); }

TEST(Nearest, FindsNothingFarAway) {
  EXPECT_EQ(nearest("activation", Words{"seed", "nodes", "ridge"}), "");
  EXPECT_EQ(nearest("activation", Words{}), "");
}

TEST(Suggest, NamesTheNearestOrElseAll) {
  EXPECT_EQ(suggest("node", Words{"seed", "nodes"}), " (did you mean \"nodes\"?)");
  EXPECT_NE(suggest("activation", Words{"seed", "nodes"}).find("seed, nodes"), std::string::npos);
  EXPECT_NE(suggest("activation", Words{}), "");
}

}  // namespace
}  // namespace elmx
