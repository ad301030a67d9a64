#include "base/config/json.hpp"
#include "cli/program.hpp"

// The advice that a user gets about a data file, and what happens if the user follows it.

namespace elmx {
namespace {

class Advice : public ProgramTest {
 protected:
  /// Writes forty parcels: weights with a unit and one "n.d." in line 8, a grade from 1 to 3, two numbers.
  void SetUp() override {
    std::string rows = "weight,grade,a,b\n";
    for (int i = 0; i < 40; ++i)
      rows += (i == 6 ? "n.d." : std::to_string(1 + i * 7 % 23) + " kg") + "," + std::to_string(1 + i % 3) + "," +
              std::to_string(0.1 * (i * 11 % 37)) + "," + std::to_string(i * 17 % 29) + "\n";
    write("parcels.csv", rows);
  }

  static bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
};

TEST_F(Advice, NamesOptionsThatTheCommandHas) {
  const Outcome look = run({"data", "info", "parcels.csv"});
  ASSERT_EQ(look.code, 0) << look.err;
  for (const char* option : {"--target", "--task"}) EXPECT_FALSE(has(look.out, option)) << look.out;
  for (const char* option : {"--set data.target=", "--set data.task="}) EXPECT_TRUE(has(look.out, option)) << look.out;
  const Outcome told =
      run({"data", "info", "parcels.csv", "--set", "data.target=grade", "--set", "data.task=classification"});
  ASSERT_EQ(told.code, 0) << told.err;
  EXPECT_TRUE(has(told.out, "target grade of 3 classes")) << told.out;
}

TEST_F(Advice, NamesAWordAmongNumbersWithAUnit) {
  const Outcome outcome = run({"init", "parcels.csv", "--target", "b"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part : {"weight", "\"n.d.\" in line 8", "data.missing_values=[\"n.d.\"]"})
    EXPECT_TRUE(has(outcome.err, part)) << part << '\n' << outcome.err;

  const Outcome mended =
      run({"init", "parcels.csv", "--target", "b", "--set", R"(data.missing_values=["n.d."])", "-o", "mended.json"});
  ASSERT_EQ(mended.code, 0) << mended.err;
  EXPECT_FALSE(has(mended.err, "not read as numbers")) << mended.err;
  const Json data = parse_json(read("mended.json"), "mended.json").at("data");
  EXPECT_FALSE(data.contains("nominal")) << data;
  EXPECT_EQ(data.at("missing"), "mean");

  refuses(3, {"run", "parcels.csv", "--target", "weight"}, {"\"weight\"", "\"n.d.\" in line 8", "data.missing_values"});
}

TEST_F(Advice, WordsThatAreCategoriesAreNotNamed) {
  std::string rows = "doors,size,y\n";
  for (int i = 0; i < 40; ++i)
    rows += std::string(i % 2         ? "2 doors"
                        : i % 10 == 4 ? "van"
                                      : "4 doors") +
            "," + (i % 3 == 0 ? "none" : std::to_string(i % 7) + " cm") + "," + std::to_string(i * 7 % 11) + "\n";
  write("cars.csv", rows);
  const Outcome outcome = run({"init", "cars.csv", "--target", "y"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(has(outcome.err, "missing_values")) << outcome.err;
}

TEST_F(Advice, AnotherTaskHasItsOwnConfig) {
  const Outcome numbers = run({"run", "parcels.csv", "--target", "grade", "--budget", "1"});
  ASSERT_EQ(numbers.code, 0) << numbers.err;
  EXPECT_TRUE(has(numbers.err, "data.task=classification")) << numbers.err;
  const std::string first = read("parcels.json");

  const Arguments classify{"run", "parcels.csv", "--target", "grade", "--task", "classification", "--budget", "1"};
  const Outcome classes = run(classify);

  ASSERT_EQ(classes.code, 0) << classes.err;
  EXPECT_EQ(read("parcels.json"), first);
  EXPECT_EQ(parse_json(read("parcels-classification.json"), "").at("data").at("task"), "classification");
  EXPECT_TRUE(exists("out/parcels-classification/model.h5"));
  EXPECT_EQ(run(classify).code, 0) << "nothing is left to run";
}

TEST_F(Advice, SaysHowSeveralTargetsAreWritten) {
  refuses(2, {"run", "parcels.csv", "--target", "a,b"}, {"--target a --target b", R"(["a","b"])"});
  EXPECT_EQ(run({"init", "parcels.csv", "--target", "a", "--target", "b"}).code, 0);
}

TEST_F(Advice, MetricsOfTrainingRowsAreCalledOptimistic) {
  ASSERT_EQ(run({"run", "parcels.csv", "--target", "b", "--budget", "1"}).code, 0);
  write("new.csv", "weight,grade,a,b\n3 kg,1,0.5,7\n9 kg,2,1.5,8\n");
  const Outcome own = run({"predict", "out/parcels", "parcels.csv"}),
                other = run({"predict", "out/parcels", "new.csv"});
  ASSERT_EQ(own.code + other.code, 0) << own.err << other.err;
  EXPECT_TRUE(has(own.err, "used for training")) << own.err;
  EXPECT_FALSE(has(other.err, "used for training")) << other.err;
}

}  // namespace
}  // namespace elmx
