#include "cli/program.hpp"

// Notes on numbers that cannot be computed: in the records, beside the table, in the exit code.

namespace elmx {
namespace {

class Notes : public ProgramTest {
 protected:
  /// Writes thirty rows of one input and target(i).
  template <class F>
  std::string data(const std::string& name, F target) const {
    std::string csv = "x,y\n";
    for (int i = 0; i < 30; ++i) csv += std::to_string(i % 7) + "." + std::to_string(i) + "," + target(i) + "\n";
    return write(name, csv);
  }
  std::string config(const std::string& name, const std::string& path, const std::string& more = "") const {
    return write(
        name,
        R"({"name": "notes", "data": {"path": ")" + path + R"(", "target": ["y"])" + more +
            R"(}, "split": {"kind": "k_fold", "folds": 3}, "model": {"algorithms": ["panel"], "nodes": {"start": 2, "stop": 4}}})");
  }
};

// Within the allowed range of inputs, the outputs of a linear trial can reach 1e158, whose squares exceed the
// range of double.
TEST_F(Notes, OverflowingErrorsFailTheTrial) {
  std::string train = "x,y\n";
  for (int i = 0; i < 20; ++i) train += std::to_string(i) + "," + std::to_string(i) + "e10\n";
  write("train.csv", train);
  write("test.csv", "x,y\n1e150,0\n");
  write(
      "c.json",
      R"({"name": "huge", "data": {"path": "train.csv", "test_path": "test.csv", "target": ["y"]}, "split": {"kind": "fixed"},
                      "preprocess": {"inputs": "none"}, "model": {"algorithms": ["panel"], "activation": "relu", "nodes": {"start": 2, "stop": 4}}})");
  const Outcome outcome = run({"run", "c.json", "-o", "out"}),
                checked = run({"run", "c.json", "-o", "checked", "--check"});

  EXPECT_EQ(outcome.code, 4) << outcome.err;
  EXPECT_NE(checked.code, 0);
  EXPECT_NE(outcome.out.find("test MSE"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("test RMSE"), std::string::npos);
  EXPECT_NE(outcome.out.find("test MSE: 1 of 1 trial: larger than any number"), std::string::npos) << outcome.out;
  EXPECT_NE(run({"table", "out"}).out.find("test MSE: 1 of 1 trial: larger than any number"), std::string::npos);
}

// At first the gradient is about 1e22 times larger than usual: no step of the line search is short enough.
TEST_F(Notes, FailedLineSearchesAreMarked) {
  data("large.csv", [](int i) { return std::to_string(i * i % 11) + "e12"; });
  write("c.json", R"({"name": "large", "data": {"path": "large.csv", "target": ["y"]}, "split": {"kind": "holdout"},
                      "model": {"family": "dec", "algorithms": ["lbfgs"], "nodes": [5], "lbfgs": {"report": [50]}}})");
  const Outcome outcome = run({"run", "c.json", "-o", "out"});

  EXPECT_NE(outcome.out.find("the line search of L-BFGS finds no step, far from a minimum"), std::string::npos)
      << outcome.out << outcome.err;
}

TEST_F(Notes, R2OfConstantTargetsIsExplained) {
  config("c.json", data("constant.csv", [](int) { return std::string("0.1"); }));
  const Outcome outcome = run({"run", "c.json", "-o", "out"});

  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("test R2: 3 of 3 trials: the targets are constant"), std::string::npos) << outcome.out;
}

// One sample in ten is positive, and no input indicates it: the class is never predicted.
TEST_F(Notes, PrecisionTakenAsZeroIsCounted) {
  config("c.json", data("rare.csv", [](int i) { return std::string(i % 10 == 3 ? "yes" : "no"); }),
         R"(, "task": "classification", "positive": "yes")");
  const Outcome outcome = run({"run", "c.json", "-o", "out"});

  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("test PE: 3 of 3 trials: nothing is predicted as the positive class: 0 / 0 is taken as 0"),
            std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("| 0.0000"), std::string::npos);
  EXPECT_NE(run({"table", "out", "--metric", "test_pe", "--rows", "algorithm"}).out.find("nothing is predicted"),
            std::string::npos);
}

// With fifteen sigmoids of one input and hardly any ridge, the equations are solved to about 1e-17, at a
// condition of about 1e16.
TEST_F(Notes, DoubtfulWeightsAreMarkedAndCounted) {
  data("plain.csv", [](int i) { return std::to_string(i * i % 11); });
  const std::string path = R"("data": {"path": "plain.csv", "target": ["y"]}, "split": {"kind": "k_fold", "folds": 3})";
  for (const std::string reference : {"qr", "none"}) {
    write("c.json", R"({"name": "far", )" + path +
                        R"(, "model": {"algorithms": ["standard", "panel"], "ridge": 1e-14, "reference": ")" +
                        reference + R"(", "nodes": {"start": 2, "stop": 15}}})");
    const Outcome outcome = run({"run", "c.json", "-o", reference});
    EXPECT_NE(outcome.out.find("condition times backward error is above 0.01"), std::string::npos)
        << reference << outcome.out << outcome.err;
    EXPECT_NE(outcome.err.find("above 0.01"), std::string::npos) << reference;
  }
}

}  // namespace
}  // namespace elmx
