#include "nets/perceptron/schemes.hpp"

#include <gtest/gtest.h>

#include "support/thrown.hpp"

namespace elmx {
namespace {

/// "w0 l0 w1 l1 l0-2": input weights (w) and output weights (l) of the units first-last, in their order.
std::string text_of(const std::vector<BlockStep>& steps) {
  const auto units = [](char letter, const Units& set) {
    if (set.count == 0) return std::string();
    std::string text = " " + std::string(1, letter) + std::to_string(set.first);
    return set.count > 1 ? text + "-" + std::to_string(set.first + set.count - 1) : text;
  };
  std::string text;
  for (const BlockStep& step : steps) text += " |" + units('w', step.L) + units('l', step.J);
  return text;
}

struct SchemeCase {
  const char* name;
  const char* opening;
  const char* major;
};

void PrintTo(const SchemeCase& one, std::ostream* out) { *out << one.name; }

class SchemesTest : public testing::TestWithParam<SchemeCase> {};

INSTANTIATE_TEST_SUITE_P(Each, SchemesTest,
                         testing::Values(SchemeCase{"dec", " | l0-2", " | w0 l0 | w1 l1 | w2 l2 | l0-2"},
                                         SchemeCase{"dec_no_full", " | l0-2", " | w0 l0 | w1 l1 | w2 l2"},
                                         SchemeCase{"cycle_no_lambda", " | l0-2", " | w0 | w1 | w2 | l0-2"},
                                         SchemeCase{"two_block", " | l0-2", " | w0-2 l0-2"},
                                         SchemeCase{"block_lambda", " | l0-1 | l2", " | l0-1 | l2"},
                                         SchemeCase{"elm", " | l0-2", ""}));

TEST_P(SchemesTest, OfThreeUnitsInBlocksOfTwo) {
  const Scheme scheme = scheme_from(GetParam().name, 3, 2);

  EXPECT_EQ(text_of(scheme.opening), GetParam().opening);
  EXPECT_EQ(text_of(scheme.major), GetParam().major);
}

TEST(Schemes, NamesAreThoseThatExist) {
  EXPECT_EQ(scheme_names(),
            (std::vector<std::string>{"dec", "dec_no_full", "cycle_no_lambda", "two_block", "block_lambda", "elm"}));
}

TEST(Schemes, ABlockLargerThanTheNetIsTheNet) {
  EXPECT_EQ(text_of(scheme_from("block_lambda", 3, 10).major), " | l0-2");
}

TEST(Schemes, UnknownNameIsRefused) {
  EXPECT_NE(thrown<std::logic_error>([] { scheme_from("decc", 3, 2); }), "");
}

}  // namespace
}  // namespace elmx
