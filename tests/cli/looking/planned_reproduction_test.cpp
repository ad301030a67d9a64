#include "cli/program.hpp"

namespace elmx {
namespace {

/// Two published tables made from one run, and a table from another run, in an ELMX_HOME of their own.
class PlannedReproduction : public ProgramTest {
 protected:
  void SetUp() override {
    write_table("one", "shared");
    write_table("two", "shared");
    write_table("three", "other");
    write("data/paper/demo.csv", "algorithm,value\nstandard,1\n");
    write("data/catalogue.json", content_of(source_dir() / "data/catalogue.json"));
  }

  void write_table(const std::string& id, const std::string& name) const {
    Json config = small_config();
    config["cases"].erase("regression");
    config["name"] = name;
    config["paper"] = {{"published", "demo.csv"}, {"case", "classification"}, {"metric", "test_acc"}};
    config["full"] = {{"repeats", 5}};
    write("configs/paper/" + id + ".json", config.dump());
  }

  Outcome at_home(const Arguments& arguments) const { return run(arguments, {{"ELMX_HOME", work().string()}}); }
};

TEST_F(PlannedReproduction, PublishedTablesArePlannedByName) {
  const Outcome plan = at_home({"plan", "one"});
  EXPECT_EQ(plan.code, 0) << plan.err;
  EXPECT_NE(plan.out.find("\n6 trials; peak memory "), std::string::npos) << plan.out;
  EXPECT_NE(plan.out.find("; about 1 s; "), std::string::npos) << plan.out;

  EXPECT_NE(at_home({"plan", "one", "--full"}).out.find("\n30 trials; "), std::string::npos);
  EXPECT_NE(at_home({"plan", "one", "--set", "repeats=2"}).out.find("\n12 trials; "), std::string::npos);
}

TEST_F(PlannedReproduction, AFileOfThatNameIsMeant) {
  write("one", small_config().dump());

  EXPECT_NE(at_home({"plan", "one"}).out.find("\n12 trials; "), std::string::npos);
}

TEST_F(PlannedReproduction, FullIsOfPublishedTablesOnly) {
  write("small.json", small_config().dump());

  refuses(2, {"plan", "small.json", "--full"}, {"elmx: --full: "});
}

}  // namespace
}  // namespace elmx
