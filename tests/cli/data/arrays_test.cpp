#include "base/config/json.hpp"
#include "cli/program.hpp"
#include "data/test_npy.hpp"

namespace elmx {
namespace {

/// Array files whose variables have unusual names.
class Arrays : public ProgramTest {
 protected:
  static constexpr std::size_t kRows = 40;

  void SetUp() override {
    std::vector<double> X, y;
    for (std::size_t i = 0; i < kRows; ++i) {
      const double a = static_cast<double>(i % 7), b = static_cast<double>(i * i % 11);
      X.insert(X.end(), {a, b});
      y.push_back(2 * a - b + 0.5);
    }
    inputs_ = array("(40, 2)", X);
    write("d.npz", stored_zip({{"X.npy", inputs_}, {"y.npy", array("(40,)", y)}}));
    write("new.npz", stored_zip({{"X.npy", inputs_}}));
  }
  static std::string array(const std::string& shape, const std::vector<double>& numbers) {
    return npy_file(npy_dictionary("<f8", shape), npy_numbers<double>(numbers));
  }
  std::string config_for(const Json& data) const {
    Json config = smallest_config();
    config["data"] = data;
    config["save_model"] = true;
    return write("config.json", config.dump());
  }

  std::string inputs_;
};

TEST_F(Arrays, InfoSaysWhichVariablesItTakes) {
  const Outcome outcome = run({"data", "info", "d.npz"});

  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part : {"X (40 x 2, double)", "y (40, double)", "\"format\": \"npz\""})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " in " << outcome.out;
}

TEST_F(Arrays, AConfigRunsAndPredictsFilesWithoutTargets) {
  const Outcome trained = run({"run", config_for({{"path", "d.npz"}, {"format", "npz"}}), "-o", "out"});
  ASSERT_EQ(trained.code, 0) << trained.err;

  const Outcome with = run({"predict", "out", "d.npz", "-o", "with.csv"});
  const Outcome without = run({"predict", "out", "new.npz", "-o", "without.csv"});

  EXPECT_EQ(with.code, 0) << with.err;
  EXPECT_NE(with.out.find("40 samples"), std::string::npos) << with.out;
  EXPECT_EQ(without.code, 0) << without.err;
  EXPECT_EQ(lines_of(read("without.csv")).size(), kRows + 1);
}

}  // namespace
}  // namespace elmx
